# One program a folder of the sources, so that a change rebuilds and reruns little.
unit_cppflags = -I$(top_srcdir) $(unit_include) $(GTEST_CFLAGS)
unit_libraries = $(FMT_LIBS) $(GTEST_LIBS) -lrapidcheck
# With all of libplanner; a test of one of its folders links those up to that folder instead.
unit_ldadd = libplanner/libreaders.la libplanner/libelastic.la libplanner/libplanner.la \
	$(unit_libraries)

# Run by scripts/check beside the tests with sanitizers; needs what `make` and `make check` build.
dist_noinst_SCRIPTS += tests/unit/check-threads
check-threads:
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/unit/check-threads

include tests/unit/base/local.mk
include tests/unit/plugins/local.mk
include tests/unit/read/local.mk
if HAVE_SLURM
include tests/unit/slurm/local.mk
include tests/unit/horad/local.mk
include tests/unit/spank/local.mk
include tests/unit/watch_job/local.mk
endif
include tests/unit/model/local.mk
include tests/unit/plan/local.mk
include tests/unit/report/local.mk
include tests/unit/cost/local.mk
include tests/unit/request/local.mk
include tests/unit/job_submit/local.mk
include tests/unit/contrib/local.mk
include tests/unit/elastic/local.mk
include tests/unit/sim/local.mk
include tests/unit/trace/local.mk
include tests/unit/hora/local.mk
include tests/unit/history/local.mk
include tests/unit/mpi/local.mk
