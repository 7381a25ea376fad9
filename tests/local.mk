# Without what is installed, which no test program needs; scripts/check builds so with sanitizers.
check-programs: $(check_PROGRAMS)

if HAVE_TESTS
include tests/unit/local.mk
else
check-local:
	@echo 'make check: the unit tests were left out; install $(missing_for_tests), run configure again' >&2
	@exit 1
endif
dist_check_SCRIPTS += tests/check-left-out
include tests/topologies/local.mk
include tests/golden/local.mk
include tests/cuda/local.mk
include tests/e2e/local.mk
include tests/fuzz/local.mk
include tests/manual/local.mk
include tests/bench/local.mk
include tests/bench/submissions.mk
