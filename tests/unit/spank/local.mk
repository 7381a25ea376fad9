check_PROGRAMS += tests/unit/spank/spank
tests_unit_spank_spank_SOURCES = \
	tests/unit/comes_true.hpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/spank/folder.cpp \
	tests/unit/spank/job/compute_settings.cpp \
	tests/unit/spank/job/environment.cpp \
	tests/unit/spank/job/job_record.cpp \
	tests/unit/spank/job/job_variables.cpp \
	tests/unit/spank/job/master_port.cpp \
	tests/unit/spank/job/node_facts.cpp \
	tests/unit/spank/job/step_layout.cpp \
	tests/unit/spank/machine.hpp \
	tests/unit/spank/manual.cpp \
	tests/unit/spank/model_reader.cpp \
	tests/unit/spank/process/bounded_run.cpp \
	tests/unit/spank/process/detached.cpp \
	tests/unit/spank/process/left_processes.cpp \
	tests/unit/spank/process/process_list.cpp \
	tests/unit/spank/ring/cpu_mask.cpp \
	tests/unit/spank/ring/gpu_order.cpp \
	tests/unit/spank/ring/host_order.cpp \
	tests/unit/spank/ring/node_ring.cpp \
	tests/unit/spank/ring/ring_place.cpp \
	tests/unit/spank/ring/visible_gpus.cpp \
	tests/unit/spank/some_variables.hpp \
	tests/unit/spank/srun/srun_words.cpp \
	tests/unit/spank/srun/step_request.cpp \
	tests/unit/spank/variables/gpu_speeds.cpp \
	tests/unit/spank/variables/mpi_library.cpp \
	tests/unit/spank/variables/start_batch.cpp \
	tests/unit/spank/variables/step_variables.cpp \
	tests/unit/spank/variables/task_environment.cpp \
	tests/unit/spank/variables/tf_config.cpp \
	tests/unit/spank/variables/watch_call.cpp
tests_unit_spank_spank_CPPFLAGS = $(unit_cppflags)
tests_unit_spank_spank_LDADD = plugins/spank/libtask.la libplanner/libplanner.la $(unit_libraries)

# What asks Slurm, with answers of the tests' own.
check_PROGRAMS += tests/unit/spank/with_slurm
tests_unit_spank_with_slurm_SOURCES = \
	plugins/spank/cluster_facts.cpp \
	plugins/spank/compute_side.cpp \
	plugins/spank/settings_source.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/slurm/load_job.cpp \
	tests/unit/slurm/load_job.hpp \
	tests/unit/slurm/stand_ins.hpp \
	tests/unit/spank/cluster_facts.cpp \
	tests/unit/spank/compute_side.cpp \
	tests/unit/spank/settings_source.cpp
tests_unit_spank_with_slurm_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_spank_with_slurm_LDADD = plugins/spank/libtask.la plugins/slurm/libtres.la \
	libplanner/libplanner.la $(unit_libraries)

# Likewise; it has sbatch's answers.
check_PROGRAMS += tests/unit/spank/submit_with_slurm
tests_unit_spank_submit_with_slurm_SOURCES = \
	plugins/spank/settings_source.cpp \
	plugins/spank/submit_side.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/spank/submit_side.cpp
tests_unit_spank_submit_with_slurm_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_spank_submit_with_slurm_LDADD = plugins/spank/libtask.la libplanner/libplanner.la \
	$(unit_libraries)

# Likewise; it runs itself as srun.
check_PROGRAMS += tests/unit/spank/as_srun
tests_unit_spank_as_srun_SOURCES = \
	plugins/spank/rank_order.cpp \
	plugins/spank/settings_source.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/spank/rank_order.cpp \
	tests/unit/spank/some_variables.hpp
tests_unit_spank_as_srun_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_spank_as_srun_LDADD = plugins/spank/libtask.la libplanner/libplanner.la $(unit_libraries)

# The plugin as a whole, as Slurm calls it.
check_PROGRAMS += tests/unit/spank/plugin
tests_unit_spank_plugin_SOURCES = \
	plugins/spank/compute_side.cpp \
	plugins/spank/entry.cpp \
	plugins/spank/settings_source.cpp \
	plugins/spank/submit_side.cpp \
	tests/unit/spank/entry.cpp
tests_unit_spank_plugin_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_spank_plugin_LDADD = plugins/spank/libtask.la plugins/slurm/libtres.la \
	libplanner/libplanner.la $(unit_libraries)
