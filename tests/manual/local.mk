dist_check_SCRIPTS += tests/manual/check-manual tests/manual/check-examples
