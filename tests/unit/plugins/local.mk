dist_check_SCRIPTS += tests/unit/plugins/check-linkage
