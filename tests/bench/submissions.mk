# `make bench-slurm`, as root: submissions a second on a real slurmctld. `make bench-handle`: how
# long the plugin takes for one of them.
if HAVE_SLURM
EXTRA_PROGRAMS += tests/bench/submitter
tests_bench_submitter_SOURCES = tests/bench/submitter.cpp tests/bench/submissions.hpp
tests_bench_submitter_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_bench_submitter_LDADD = libplanner/libplanner.la $(SLURM_LIBS)

bench-slurm: tests/bench/submitter plugins/job_submit/job_submit_hora.la
	$(srcdir)/tests/bench/submissions

if HAVE_BENCHMARK
EXTRA_PROGRAMS += tests/bench/handle
tests_bench_handle_SOURCES = \
	tests/bench/handle.cpp \
	tests/bench/submissions.hpp \
	tests/unit/job_submit/daemon_memory.cpp \
	tests/unit/job_submit/daemon_memory.hpp \
	tests/unit/job_submit/job.hpp \
	tests/unit/job_submit/place.hpp
tests_bench_handle_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(BENCHMARK_CFLAGS)
tests_bench_handle_LDADD = plugins/job_submit/libdecision.la plugins/slurm/libstore.la \
	plugins/slurm/libtres.la libplanner/libplanner.la $(BENCHMARK_LIBS)
CLEANFILES += tests/bench/handle

bench-handle: tests/bench/handle
	tests/bench/handle

# `make bench-replan`: how long one waiting job holds horad up.
EXTRA_PROGRAMS += tests/bench/replan
tests_bench_replan_SOURCES = tests/bench/clusters.hpp tests/bench/replan.cpp
tests_bench_replan_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(BENCHMARK_CFLAGS)
tests_bench_replan_LDADD = $(horad_libraries) $(SLURM_LIBS) $(BENCHMARK_LIBS)
CLEANFILES += tests/bench/replan

bench-replan: tests/bench/replan
	tests/bench/replan

# `make bench-round`: how long horad takes to look at all elastic jobs once.
EXTRA_PROGRAMS += tests/bench/round
tests_bench_round_SOURCES = tests/bench/clusters.hpp tests/bench/round.cpp
tests_bench_round_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(BENCHMARK_CFLAGS)
tests_bench_round_LDADD = $(horad_libraries) $(SLURM_LIBS) $(BENCHMARK_LIBS)
CLEANFILES += tests/bench/round

bench-round: tests/bench/round
	tests/bench/round
endif
endif
dist_noinst_SCRIPTS += tests/bench/submissions

# `make bench-restarts`, as root: how long a job stands still when it is resized on a real Slurm.
bench-restarts: all
	$(srcdir)/tests/bench/restarts
dist_noinst_SCRIPTS += tests/bench/restarts tests/bench/restart_times.py

# `make bench-volunteers [SEED=N]`, as root: jobs of which half are elastic, beside the same ones
# rigid, on two real Slurms, as tests/bench/volunteers/run says. Takes minutes.
bench-volunteers: all
	$(srcdir)/tests/bench/volunteers/run $(SEED:%=--seed %)
dist_noinst_SCRIPTS += tests/bench/volunteers/run tests/bench/volunteers/trainer.py
EXTRA_DIST += tests/bench/volunteers/nodes.toml
.PHONY: bench-slurm bench-handle bench-replan bench-round bench-restarts bench-volunteers
