check_PROGRAMS += tests/unit/spank/spank
tests_unit_spank_spank_SOURCES = \
	tests/unit/spank/process/bounded_run.cpp \
	tests/unit/spank/cpu_mask.cpp \
	tests/unit/spank/detached.cpp \
	tests/unit/spank/folder.cpp \
	tests/unit/spank/gpu_order.cpp \
	tests/unit/spank/process/left_processes.cpp \
	tests/unit/spank/machine.hpp \
	tests/unit/spank/node_facts.cpp \
	tests/unit/spank/other_sruns.cpp \
	tests/unit/spank/ring_place.cpp \
	tests/unit/spank/ring_text.hpp \
	tests/unit/spank/gpu_speeds.cpp \
	tests/unit/spank/host_order.cpp \
	tests/unit/spank/job_record.cpp \
	tests/unit/spank/manual.cpp \
	tests/unit/spank/master_port.cpp \
	tests/unit/spank/model_reader.cpp \
	tests/unit/spank/node_ring.cpp \
	tests/unit/spank/srun_words.cpp \
	tests/unit/spank/step_layout.cpp \
	tests/unit/spank/step_request.cpp \
	tests/unit/spank/task_environment.cpp \
	tests/unit/spank/tf_config.cpp \
	tests/unit/spank/watch_call.cpp
tests_unit_spank_spank_CPPFLAGS = $(unit_cppflags)
tests_unit_spank_spank_LDADD = plugins/spank/libtask.la libplanner/libplanner.la $(unit_libraries)
