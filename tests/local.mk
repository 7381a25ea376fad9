if HAVE_TESTS
include tests/unit/local.mk
endif
