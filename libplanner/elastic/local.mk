noinst_LTLIBRARIES += libplanner/elastic/libelastic.la
libplanner_elastic_libelastic_la_SOURCES = \
	libplanner/elastic/policies/afs.cpp \
	libplanner/elastic/policies/afs.hpp \
	libplanner/elastic/policies/backfill.cpp \
	libplanner/elastic/policies/backfill.hpp \
	libplanner/elastic/worth/deadline.cpp \
	libplanner/elastic/worth/deadline.hpp \
	libplanner/elastic/policies/earliest_finish.cpp \
	libplanner/elastic/policies/earliest_finish.hpp \
	libplanner/elastic/policies/fcfs.cpp \
	libplanner/elastic/policies/fcfs.hpp \
	libplanner/elastic/policies/greedy.cpp \
	libplanner/elastic/policies/greedy.hpp \
	libplanner/elastic/policies/grouped_knapsack.cpp \
	libplanner/elastic/policies/grouped_knapsack.hpp \
	libplanner/elastic/policies/hora_policy.cpp \
	libplanner/elastic/policies/hora_policy.hpp \
	libplanner/elastic/policies/knapsack.cpp \
	libplanner/elastic/policies/knapsack.hpp \
	libplanner/elastic/policies/marginal_gain.cpp \
	libplanner/elastic/policies/marginal_gain.hpp \
	libplanner/elastic/policies/policy.cpp \
	libplanner/elastic/policies/policy.hpp \
	libplanner/elastic/policies/rigid_schedule.cpp \
	libplanner/elastic/policies/rigid_schedule.hpp \
	libplanner/elastic/worth/sizes.cpp \
	libplanner/elastic/worth/sizes.hpp \
	libplanner/elastic/policies/sjf_backfill.cpp \
	libplanner/elastic/policies/sjf_backfill.hpp
libplanner_elastic_libelastic_la_SOURCES += \
	libplanner/elastic/speed/batch_range.hpp \
	libplanner/elastic/speed/slow_down.cpp \
	libplanner/elastic/speed/slow_down.hpp \
	libplanner/elastic/speed/speed_model.cpp \
	libplanner/elastic/speed/speed_model.hpp \
	libplanner/elastic/speed/speed_residual.cpp \
	libplanner/elastic/speed/speed_residual.hpp \
	libplanner/elastic/speed/speed_sizes.cpp \
	libplanner/elastic/speed/speed_sizes.hpp
libplanner_elastic_libelastic_la_SOURCES += \
	libplanner/elastic/worth/worth.cpp \
	libplanner/elastic/worth/gpu_time.hpp \
	libplanner/elastic/worth/work_left.hpp \
	libplanner/elastic/worth/worth.hpp
libplanner_elastic_libelastic_la_SOURCES += \
	libplanner/elastic/decide.cpp \
	libplanner/elastic/decide.hpp \
	libplanner/elastic/free_nodes.cpp \
	libplanner/elastic/free_nodes.hpp \
	libplanner/elastic/held_back.cpp \
	libplanner/elastic/held_back.hpp \
	libplanner/elastic/idle_window.cpp \
	libplanner/elastic/idle_window.hpp \
	libplanner/elastic/judge.cpp \
	libplanner/elastic/judge.hpp \
	libplanner/elastic/same_size.cpp \
	libplanner/elastic/same_size.hpp \
	libplanner/elastic/speed/speed_prior.cpp \
	libplanner/elastic/speed/speed_prior.hpp \
	libplanner/elastic/state_of_jobs.cpp \
	libplanner/elastic/state_of_jobs.hpp \
	libplanner/elastic/suspension.cpp \
	libplanner/elastic/suspension.hpp
