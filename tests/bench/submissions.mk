# `make bench-slurm`, as root: submissions a second on a real slurmctld.
if HAVE_SLURM
EXTRA_PROGRAMS += tests/bench/submitter
tests_bench_submitter_SOURCES = tests/bench/submitter.cpp
tests_bench_submitter_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_bench_submitter_LDADD = libplanner/libplanner.la $(SLURM_LIBS)

bench-slurm: tests/bench/submitter plugins/job_submit/job_submit_hora.la
	$(srcdir)/tests/bench/submissions
endif
dist_noinst_SCRIPTS += tests/bench/submissions
.PHONY: bench-slurm
