include scripts/hora/local.mk
dist_check_SCRIPTS += scripts/autotools/check-layers
EXTRA_DIST += scripts/autotools/hora_check_parts.m4
