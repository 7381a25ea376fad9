check_PROGRAMS += tests/unit/sim/sim
tests_unit_sim_sim_SOURCES = \
	tests/unit/sim/active_job.cpp \
	tests/unit/sim/answer_check.cpp \
	tests/unit/sim/daemon_play.cpp \
	tests/unit/sim/daemon_view.cpp \
	tests/unit/sim/even_room.cpp \
	tests/unit/sim/learned.cpp \
	tests/unit/sim/naive.cpp \
	tests/unit/sim/naive.hpp \
	tests/unit/sim/node_types.cpp \
	tests/unit/sim/placement.cpp \
	tests/unit/sim/random_trace.hpp \
	tests/unit/sim/replay.cpp \
	tests/unit/sim/result.cpp \
	tests/unit/sim/simulate.cpp \
	tests/unit/sim/simulation.cpp \
	tests/unit/sim/some_trace.hpp \
	tests/unit/sim/time_limit.cpp \
	tests/unit/sim/workload/generator.cpp \
	tests/unit/sim/workload/noise_scale.cpp \
	tests/unit/sim/workload/true_speed.cpp \
	tests/unit/sim/workload/user_input.cpp
tests_unit_sim_sim_CPPFLAGS = $(unit_cppflags)
tests_unit_sim_sim_LDADD = $(up_to_sim) $(unit_libraries)
