# Plays a trace through the policies, on a clock of its own.
noinst_LTLIBRARIES += libplanner/sim/libsim.la
libplanner_sim_libsim_la_SOURCES = \
	libplanner/sim/active_job.cpp \
	libplanner/sim/active_job.hpp \
	libplanner/sim/answer_check.cpp \
	libplanner/sim/answer_check.hpp \
	libplanner/sim/daemon_view.cpp \
	libplanner/sim/daemon_view.hpp \
	libplanner/sim/even_room.cpp \
	libplanner/sim/even_room.hpp \
	libplanner/sim/event_queue.hpp \
	libplanner/sim/knowledge.hpp \
	libplanner/sim/learned.cpp \
	libplanner/sim/learned.hpp \
	libplanner/sim/node_types.cpp \
	libplanner/sim/node_types.hpp \
	libplanner/sim/oracle.hpp \
	libplanner/sim/placement.cpp \
	libplanner/sim/placement.hpp \
	libplanner/sim/replay.cpp \
	libplanner/sim/replay.hpp \
	libplanner/sim/result.cpp \
	libplanner/sim/result.hpp \
	libplanner/sim/simulate.cpp \
	libplanner/sim/simulate.hpp \
	libplanner/sim/simulation.cpp \
	libplanner/sim/simulation.hpp \
	libplanner/sim/time_limit.cpp \
	libplanner/sim/time_limit.hpp
libplanner_sim_libsim_la_SOURCES += \
	libplanner/sim/workload/generator.cpp \
	libplanner/sim/workload/generator.hpp \
	libplanner/sim/workload/noise_scale.cpp \
	libplanner/sim/workload/noise_scale.hpp \
	libplanner/sim/workload/random.hpp \
	libplanner/sim/workload/true_speed.cpp \
	libplanner/sim/workload/true_speed.hpp \
	libplanner/sim/workload/user_input.cpp \
	libplanner/sim/workload/user_input.hpp
