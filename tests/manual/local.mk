dist_check_SCRIPTS += tests/manual/check-manual tests/manual/check-examples \
	tests/manual/check-units
