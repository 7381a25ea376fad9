dist_check_SCRIPTS += tests/unit/plugins/check-linkage tests/unit/plugins/check-steps
