dist_check_SCRIPTS += tests/manual/check-manual
