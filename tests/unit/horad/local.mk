check_PROGRAMS += tests/unit/horad/horad
tests_unit_horad_horad_SOURCES = \
	tests/unit/horad/actor.cpp \
	tests/unit/horad/fake_queue.hpp \
	tests/unit/horad/fake_slurm.hpp \
	tests/unit/horad/given_sizes.cpp \
	tests/unit/horad/journal.cpp \
	tests/unit/horad/raised_priority.cpp \
	tests/unit/horad/resize_desk.cpp \
	tests/unit/horad/resize_shape.cpp \
	tests/unit/horad/resize_sight.cpp \
	tests/unit/horad/way_back.cpp
tests_unit_horad_horad_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_horad_horad_LDADD = $(horad_libraries) $(SLURM_LIBS) $(unit_ldadd)
tests_unit_horad_horad_SOURCES += \
	tests/unit/horad/allowed_sizes.cpp \
	tests/unit/horad/as_owner.cpp \
	tests/unit/horad/chronicle.cpp \
	tests/unit/horad/daemon.cpp \
	tests/unit/horad/forgotten_requeues.cpp \
	tests/unit/horad/forgotten_starts.cpp \
	tests/unit/horad/found_limits.cpp \
	tests/unit/horad/gpu_map.cpp \
	tests/unit/horad/plans.cpp \
	tests/unit/horad/pools.cpp \
	tests/unit/horad/replaced_plans.cpp \
	tests/unit/horad/replan.cpp \
	tests/unit/horad/lost_time.cpp \
	tests/unit/horad/prediction.cpp \
	tests/unit/horad/relaxing.cpp \
	tests/unit/horad/report_server.cpp \
	tests/unit/horad/reports.cpp \
	tests/unit/horad/retention.cpp \
	tests/unit/horad/role.cpp \
	tests/unit/horad/same_changes.cpp \
	tests/unit/horad/state_files.cpp \
	tests/unit/horad/together.cpp \
	tests/unit/horad/wish.cpp
