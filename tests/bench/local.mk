# `make bench` prints how long a choice takes as the cluster grows, beside its baselines.
if HAVE_BENCHMARK
EXTRA_PROGRAMS += tests/bench/choose
tests_bench_choose_SOURCES = \
	tests/bench/choose.cpp \
	tests/bench/clusters.hpp \
	tests/unit/model/meshes.hpp \
	tests/unit/plan/brute_force.cpp \
	tests/unit/plan/brute_force.hpp \
	tests/unit/plan/gpu_sets.cpp \
	tests/unit/plan/gpu_sets.hpp
tests_bench_choose_CPPFLAGS = $(AM_CPPFLAGS) $(BENCHMARK_CFLAGS)
tests_bench_choose_LDADD = libplanner/libplanner.la $(BENCHMARK_LIBS)
CLEANFILES += tests/bench/choose

# The orders of GPUs inside a node and of nodes over the fabric.
EXTRA_PROGRAMS += tests/bench/ring
tests_bench_ring_SOURCES = tests/bench/ring.cpp
tests_bench_ring_CPPFLAGS = $(AM_CPPFLAGS) $(BENCHMARK_CFLAGS)
tests_bench_ring_LDADD = libplanner/libplanner.la $(BENCHMARK_LIBS)
CLEANFILES += tests/bench/ring

# Every policy's decision for 1,000 jobs on 10,000 GPUs.
EXTRA_PROGRAMS += tests/bench/decide
tests_bench_decide_SOURCES = \
	tests/bench/decide.cpp \
	tests/unit/elastic/states.cpp \
	tests/unit/elastic/states.hpp
tests_bench_decide_CPPFLAGS = $(AM_CPPFLAGS) $(BENCHMARK_CFLAGS)
tests_bench_decide_LDADD = libplanner/libelastic.la libplanner/libplanner.la $(BENCHMARK_LIBS) -lrapidcheck
CLEANFILES += tests/bench/decide

bench: tests/bench/choose tests/bench/ring tests/bench/decide
	tests/bench/choose --benchmark_min_time=0.2
	tests/bench/ring --benchmark_min_time=0.2
	tests/bench/decide --benchmark_min_time=0.2
endif
EXTRA_DIST += tests/bench/policies

# `make bench-policies [TRACES=FOLDER]`: what the policy's constants matter, on drawn loads; and all
# policies on P5's jobs and on the traces of a folder, as tests/bench/policies says. Takes minutes.
EXTRA_PROGRAMS += tests/bench/sensitivity
tests_bench_sensitivity_SOURCES = tests/bench/sensitivity.cpp
tests_bench_sensitivity_LDADD = libplanner/libelastic.la libplanner/libplanner.la
CLEANFILES += tests/bench/sensitivity

bench-policies: tests/bench/sensitivity hora
	tests/bench/sensitivity
	[ -z "$(TRACES)" ] || HORA=$(abs_builddir)/hora $(srcdir)/tests/bench/policies "$(TRACES)"
.PHONY: bench-policies

# `make bench-allreduce RANKS="8 16"`: Hora's all-reduce beside those that SMPI offers, and fusion,
# and a rank that is late, and a hierarchical all-reduce, in simulated networks; a line a case.
# Takes minutes.
EXTRA_DIST += tests/bench/allreduce/allreduce.cpp tests/bench/allreduce/hierarchy.cpp \
	tests/bench/allreduce/late.cpp tests/bench/allreduce/run
EXTRA_DIST += tests/bench/sampling/links.py tests/bench/sampling/perplexity \
	tests/bench/sampling/run tests/bench/sampling/runs.py tests/bench/sampling/sampling.cpp \
	tests/bench/sampling/torch_perplexity
CLEANFILES += tests/bench/sampling/sampling
CLEANFILES += tests/bench/allreduce/allreduce tests/bench/allreduce/hierarchy \
	tests/bench/allreduce/late
if HAVE_SMPI
RANKS = 2 4 8 16 32 64
bench_allreduce_programs = tests/bench/allreduce/allreduce tests/bench/allreduce/hierarchy \
	tests/bench/allreduce/late
exchange_formulae = libplanner/cost/correction.cpp libplanner/cost/exchange.cpp \
	libplanner/cost/fusion.cpp libplanner/cost/late_rank.cpp
$(bench_allreduce_programs): tests/bench/allreduce/%: tests/bench/allreduce/%.cpp \
		$(allreduce_sources) $(mpi_transport_sources) $(exchange_formulae)
	$(MKDIR_P) tests/bench/allreduce
	cd $(srcdir) && $(SMPICXX) -std=c++20 -O2 -I. -o $(abs_builddir)/$@ \
		$@.cpp $(exchange_formulae) \
		$(filter %.cpp,$(allreduce_sources) $(mpi_transport_sources)) $(FMT_LIBS)
bench-allreduce: $(bench_allreduce_programs)
	$(srcdir)/tests/bench/allreduce/run tests/bench/allreduce/allreduce grid $(RANKS)
	$(srcdir)/tests/bench/allreduce/run tests/bench/allreduce/allreduce fusion $(RANKS)
	$(srcdir)/tests/bench/allreduce/run tests/bench/allreduce/late late $(RANKS)
	$(srcdir)/tests/bench/allreduce/run tests/bench/allreduce/hierarchy hierarchy $(RANKS)
# `make bench-sampling`: what sampled gradients save, as tests/bench/sampling/run says. Needs 16 GB of memory and minutes.
sampling_sources = $(gradient_exchange_sources) contrib/language-model/text.cpp \
	contrib/trainer/data_file.cpp contrib/language-model/word_network.cpp \
	plugins/mpi/sampling/packed_rows.cpp plugins/mpi/sampling/row_choice.cpp \
	libplanner/cost/exchange.cpp libplanner/cost/sampled_gradient.cpp \
	$(allreduce_sources) $(mpi_transport_sources)
tests/bench/sampling/sampling: tests/bench/sampling/sampling.cpp $(sampling_sources)
	$(MKDIR_P) tests/bench/sampling
	cd $(srcdir) && $(SMPICXX) -std=c++20 -O2 -I. $(EIGEN_CFLAGS) -o $(abs_builddir)/$@ \
		$@.cpp $(filter %.cpp,$(sampling_sources)) $(FMT_LIBS) $(ZLIB_LIBS)
bench-sampling: bench-sampling-needs tests/bench/sampling/sampling
	PYTHONDONTWRITEBYTECODE=1 $(srcdir)/tests/bench/sampling/run tests/bench/sampling/sampling
if HAVE_EIGEN
bench-sampling-needs:
else
bench-sampling-needs:
	@echo 'make bench-sampling: install libeigen3-dev, run configure again' >&2
	@exit 1
endif
else
bench-sampling:
	@echo 'make bench-sampling: install libsimgrid-dev, run configure again' >&2
	@exit 1
bench-allreduce:
	@echo 'make bench-allreduce: install libsimgrid-dev, run configure again' >&2
	@exit 1
endif

# `make bench-perplexity [SIZES="--words 1000000 --vocabulary 49036"]`: what sampled gradients cost in
# perplexity, at equal steps and at equal seconds on P4's links, as tests/bench/sampling/perplexity
# says, and beside PowerSGD in PyTorch, as torch_perplexity does; three seeds. SIZES are options of
# both. The seconds need libsimgrid-dev. Takes a quarter of an hour on two cores.
if HAVE_SMPI
perplexity_links = tests/bench/sampling/sampling
endif
if HAVE_LANGUAGE_MODEL
bench-perplexity: contrib/language-model/hora-train-language $(perplexity_links)
	@/usr/bin/python3 -c 'import torch' || \
		{ echo 'make bench-perplexity: install python3-torch' >&2; exit 1; }
	PYTHONDONTWRITEBYTECODE=1 $(srcdir)/tests/bench/sampling/perplexity \
		contrib/language-model/hora-train-language $(perplexity_links:%=--smpi %) $(SIZES)
	PYTHONDONTWRITEBYTECODE=1 $(srcdir)/tests/bench/sampling/torch_perplexity \
		$(srcdir)/contrib/pytorch $(SIZES)
else
bench-perplexity:
	@echo 'make bench-perplexity: install libopenmpi-dev and libeigen3-dev, run configure again' >&2
	@exit 1
endif
.PHONY: bench-perplexity

# `make bench-truth [NETWORKS=FOLDER]`: predicted steps against published ones, with the shipped
# efficiencies and with those fitted without a family of networks, or without a type of GPU.
# NETWORKS has NETWORK.onnx for those that Hora does not know by name. Takes minutes.
#
# Then against h200.csv, whose steps nothing was fitted to, measured on one H200: PyTorch 2.11 as
# its users have it (torchvision and transformers, autocast, channels_last, cuDNN's own choice of
# algorithms), the median of at least eight steps, and torch.cuda.max_memory_allocated().
EXTRA_DIST += tests/bench/truth/truth.py tests/bench/truth/throughput.csv \
	tests/bench/truth/held_out.py tests/bench/truth/h200.csv
bench-truth: hora
	@/usr/bin/python3 -c 'import scipy' || \
		{ echo 'make bench-truth: install python3-scipy' >&2; exit 1; }
	/usr/bin/python3 $(srcdir)/tests/bench/truth/truth.py $(abs_builddir)/hora \
		$(srcdir)/libplanner/read/machine/devices.toml \
		$(srcdir)/tests/bench/truth/throughput.csv $(NETWORKS:%=--networks %)
	@printf '\nheld out: measured on an H200\n'
	/usr/bin/python3 $(srcdir)/tests/bench/truth/held_out.py $(abs_builddir)/hora \
		$(srcdir)/tests/bench/truth/h200.csv

# `make bench-speed DATA=FOLDER`: models of a step's speed against published measurements.
EXTRA_PROGRAMS += tests/bench/speed_models/speed_models
tests_bench_speed_models_speed_models_SOURCES = \
	tests/bench/speed_models/baselines.cpp \
	tests/bench/speed_models/baselines.hpp \
	tests/bench/speed_models/error_table.cpp \
	tests/bench/speed_models/error_table.hpp \
	tests/bench/speed_models/held_out.cpp \
	tests/bench/speed_models/held_out.hpp \
	tests/bench/speed_models/hora_model.cpp \
	tests/bench/speed_models/hora_model.hpp \
	tests/bench/speed_models/main.cpp \
	tests/bench/speed_models/series.cpp \
	tests/bench/speed_models/series.hpp
tests_bench_speed_models_speed_models_LDADD = libplanner/libelastic.la libplanner/libplanner.la
CLEANFILES += tests/bench/speed_models/speed_models

bench-speed: tests/bench/speed_models/speed_models
	tests/bench/speed_models/speed_models $(DATA)
.PHONY: bench-speed

# So that a benchmark that is not run today still compiles tomorrow.
bench-programs: $(EXTRA_PROGRAMS)
.PHONY: bench-programs
