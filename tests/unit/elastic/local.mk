check_PROGRAMS += tests/unit/elastic/elastic
tests_unit_elastic_elastic_SOURCES = \
	tests/unit/elastic/worth/deadline.cpp \
	tests/unit/elastic/policies/fcfs.cpp \
	tests/unit/elastic/policies/grouped_knapsack.cpp \
	tests/unit/elastic/policies/hora_policy.cpp \
	tests/unit/elastic/policies/knapsack.cpp \
	tests/unit/elastic/policies/policy.cpp \
	tests/unit/elastic/policies/published.hpp \
	tests/unit/elastic/policies/rigid_schedule.cpp \
	tests/unit/elastic/worth/sizes.cpp \
	tests/unit/elastic/states.cpp \
	tests/unit/elastic/states.hpp
tests_unit_elastic_elastic_CPPFLAGS = $(unit_cppflags)
tests_unit_elastic_elastic_LDADD = $(up_to_elastic) $(unit_libraries)
tests_unit_elastic_elastic_SOURCES += \
	tests/unit/elastic/speed/slow_down.cpp \
	tests/unit/elastic/speed/speed_model.cpp \
	tests/unit/elastic/speed/speed_residual.cpp
tests_unit_elastic_elastic_SOURCES += \
	tests/unit/elastic/decide.cpp \
	tests/unit/elastic/free_nodes.cpp \
	tests/unit/elastic/held_back.cpp \
	tests/unit/elastic/idle_window.cpp \
	tests/unit/elastic/judge.cpp \
	tests/unit/elastic/same_size.cpp \
	tests/unit/elastic/seen_jobs.hpp \
	tests/unit/elastic/speed/speed_prior.cpp \
	tests/unit/elastic/state_of_jobs.cpp \
	tests/unit/elastic/suspension.cpp
tests_unit_elastic_elastic_SOURCES += tests/unit/elastic/size_rule.cpp
tests_unit_elastic_elastic_SOURCES += \
	tests/unit/elastic/policies/afs.cpp \
	tests/unit/elastic/policies/backfill.cpp \
	tests/unit/elastic/policies/earliest_finish.cpp \
	tests/unit/elastic/policies/greedy.cpp \
	tests/unit/elastic/policies/marginal_gain.cpp \
	tests/unit/elastic/policies/sjf_backfill.cpp \
	tests/unit/elastic/speed/speed_sizes.cpp \
	tests/unit/elastic/worth/work_left.cpp \
	tests/unit/elastic/worth/worth.cpp
