check_PROGRAMS += tests/unit/plan/plan
tests_unit_plan_plan_SOURCES = \
	tests/unit/plan/shares.cpp
tests_unit_plan_plan_CPPFLAGS = $(unit_cppflags)
tests_unit_plan_plan_LDADD = $(unit_ldadd)
