# `make bench` prints how long a choice takes as the cluster grows, beside its baselines.
if HAVE_BENCHMARK
EXTRA_PROGRAMS += tests/bench/choose
tests_bench_choose_SOURCES = \
	tests/bench/choose.cpp \
	tests/bench/clusters.hpp \
	tests/unit/plan/brute_force.cpp \
	tests/unit/plan/brute_force.hpp
tests_bench_choose_CPPFLAGS = $(AM_CPPFLAGS) $(BENCHMARK_CFLAGS)
tests_bench_choose_LDADD = libplanner/libplanner.la $(BENCHMARK_LIBS)
CLEANFILES += tests/bench/choose

# The orders of GPUs inside a node and of nodes over the fabric.
EXTRA_PROGRAMS += tests/bench/ring
tests_bench_ring_SOURCES = tests/bench/ring.cpp
tests_bench_ring_CPPFLAGS = $(AM_CPPFLAGS) $(BENCHMARK_CFLAGS)
tests_bench_ring_LDADD = libplanner/libplanner.la $(BENCHMARK_LIBS)
CLEANFILES += tests/bench/ring

bench: tests/bench/choose tests/bench/ring
	tests/bench/choose --benchmark_min_time=0.2
	tests/bench/ring --benchmark_min_time=0.2
endif
