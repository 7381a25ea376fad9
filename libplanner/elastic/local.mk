noinst_LTLIBRARIES += libplanner/elastic/libelastic.la
libplanner_elastic_libelastic_la_SOURCES = \
	libplanner/elastic/afs.cpp \
	libplanner/elastic/afs.hpp \
	libplanner/elastic/core_programme.cpp \
	libplanner/elastic/core_programme.hpp \
	libplanner/elastic/deadline.cpp \
	libplanner/elastic/deadline.hpp \
	libplanner/elastic/earliest_finish.cpp \
	libplanner/elastic/earliest_finish.hpp \
	libplanner/elastic/fcfs.cpp \
	libplanner/elastic/fcfs.hpp \
	libplanner/elastic/greedy.cpp \
	libplanner/elastic/greedy.hpp \
	libplanner/elastic/grouped_knapsack.cpp \
	libplanner/elastic/grouped_knapsack.hpp \
	libplanner/elastic/hora_policy.cpp \
	libplanner/elastic/hora_policy.hpp \
	libplanner/elastic/knapsack.cpp \
	libplanner/elastic/knapsack.hpp \
	libplanner/elastic/marginal_gain.cpp \
	libplanner/elastic/marginal_gain.hpp \
	libplanner/elastic/policy.cpp \
	libplanner/elastic/policy.hpp \
	libplanner/elastic/promise.cpp \
	libplanner/elastic/promise.hpp \
	libplanner/elastic/reachable_sums.cpp \
	libplanner/elastic/reachable_sums.hpp \
	libplanner/elastic/relaxation.cpp \
	libplanner/elastic/relaxation.hpp \
	libplanner/elastic/rigid_schedule.cpp \
	libplanner/elastic/rigid_schedule.hpp \
	libplanner/elastic/sizes.cpp \
	libplanner/elastic/sizes.hpp \
	libplanner/elastic/sjf_backfill.cpp \
	libplanner/elastic/sjf_backfill.hpp
libplanner_elastic_libelastic_la_SOURCES += \
	libplanner/elastic/speed_model.cpp \
	libplanner/elastic/speed_model.hpp \
	libplanner/elastic/speed_residual.cpp \
	libplanner/elastic/speed_residual.hpp \
	libplanner/elastic/speed_sizes.cpp \
	libplanner/elastic/speed_sizes.hpp
libplanner_elastic_libelastic_la_SOURCES += \
	libplanner/elastic/worth.cpp \
	libplanner/elastic/worth.hpp
libplanner_elastic_libelastic_la_SOURCES += \
	libplanner/elastic/decide.cpp \
	libplanner/elastic/decide.hpp \
	libplanner/elastic/held_back.cpp \
	libplanner/elastic/held_back.hpp \
	libplanner/elastic/speed_prior.cpp \
	libplanner/elastic/speed_prior.hpp \
	libplanner/elastic/state_of_jobs.cpp \
	libplanner/elastic/state_of_jobs.hpp
