check_PROGRAMS += tests/unit/elastic/elastic
tests_unit_elastic_elastic_SOURCES = \
	tests/unit/elastic/core_programme.cpp \
	tests/unit/elastic/deadline.cpp \
	tests/unit/elastic/fcfs.cpp \
	tests/unit/elastic/grouped_knapsack.cpp \
	tests/unit/elastic/hora_policy.cpp \
	tests/unit/elastic/knapsack.cpp \
	tests/unit/elastic/plain_knapsack.cpp \
	tests/unit/elastic/plain_knapsack.hpp \
	tests/unit/elastic/policy.cpp \
	tests/unit/elastic/promise.cpp \
	tests/unit/elastic/published.cpp \
	tests/unit/elastic/rigid_schedule.cpp \
	tests/unit/elastic/sizes.cpp \
	tests/unit/elastic/states.cpp \
	tests/unit/elastic/states.hpp
tests_unit_elastic_elastic_CPPFLAGS = $(unit_cppflags)
tests_unit_elastic_elastic_LDADD = $(up_to_elastic) $(unit_libraries)
tests_unit_elastic_elastic_SOURCES += \
	tests/unit/elastic/speed_model.cpp \
	tests/unit/elastic/speed_residual.cpp
tests_unit_elastic_elastic_SOURCES += \
	tests/unit/elastic/decide.cpp \
	tests/unit/elastic/held_back.cpp \
	tests/unit/elastic/seen_jobs.hpp \
	tests/unit/elastic/speed_prior.cpp \
	tests/unit/elastic/state_of_jobs.cpp
tests_unit_elastic_elastic_SOURCES += tests/unit/elastic/size_rule.cpp
