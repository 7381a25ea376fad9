if HAVE_TESTS
include tests/unit/local.mk
endif
include tests/topologies/local.mk
include tests/golden/local.mk
include tests/cuda/local.mk
include tests/e2e/local.mk
include tests/fuzz/local.mk
include tests/manual/local.mk
include tests/bench/local.mk
include tests/bench/submissions.mk
