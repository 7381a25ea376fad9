# What is pure, apart from what calls Slurm, so that unit tests link it.
noinst_LTLIBRARIES += plugins/spank/libtask.la
plugins_spank_libtask_la_SOURCES = \
	plugins/spank/folder.cpp \
	plugins/spank/folder.hpp \
	plugins/spank/job/compute_settings.cpp \
	plugins/spank/job/compute_settings.hpp \
	plugins/spank/job/environment.cpp \
	plugins/spank/job/environment.hpp \
	plugins/spank/job/job_record.cpp \
	plugins/spank/job/job_record.hpp \
	plugins/spank/job/job_variables.cpp \
	plugins/spank/job/job_variables.hpp \
	plugins/spank/job/master_port.cpp \
	plugins/spank/job/master_port.hpp \
	plugins/spank/job/node_facts.cpp \
	plugins/spank/job/node_facts.hpp \
	plugins/spank/job/step_layout.cpp \
	plugins/spank/job/step_layout.hpp \
	plugins/spank/job/task_facts.hpp \
	plugins/spank/model_reader.cpp \
	plugins/spank/model_reader.hpp \
	plugins/spank/process/bounded_run.cpp \
	plugins/spank/process/bounded_run.hpp \
	plugins/spank/process/detached.cpp \
	plugins/spank/process/detached.hpp \
	plugins/spank/process/left_processes.cpp \
	plugins/spank/process/left_processes.hpp \
	plugins/spank/process/process_descriptor.hpp \
	plugins/spank/process/process_list.cpp \
	plugins/spank/process/process_list.hpp \
	plugins/spank/ring/cpu_mask.cpp \
	plugins/spank/ring/cpu_mask.hpp \
	plugins/spank/ring/gpu_order.cpp \
	plugins/spank/ring/gpu_order.hpp \
	plugins/spank/ring/host_order.cpp \
	plugins/spank/ring/host_order.hpp \
	plugins/spank/ring/node_ring.cpp \
	plugins/spank/ring/node_ring.hpp \
	plugins/spank/ring/ring_place.cpp \
	plugins/spank/ring/ring_place.hpp \
	plugins/spank/ring/visible_gpus.cpp \
	plugins/spank/ring/visible_gpus.hpp \
	plugins/spank/srun/srun_words.cpp \
	plugins/spank/srun/srun_words.hpp \
	plugins/spank/srun/step_request.cpp \
	plugins/spank/srun/step_request.hpp \
	plugins/spank/variables/gpu_speeds.cpp \
	plugins/spank/variables/gpu_speeds.hpp \
	plugins/spank/variables/mpi_library.cpp \
	plugins/spank/variables/mpi_library.hpp \
	plugins/spank/variables/start_batch.cpp \
	plugins/spank/variables/start_batch.hpp \
	plugins/spank/variables/step_variables.cpp \
	plugins/spank/variables/step_variables.hpp \
	plugins/spank/variables/task_environment.cpp \
	plugins/spank/variables/task_environment.hpp \
	plugins/spank/variables/tf_config.cpp \
	plugins/spank/variables/tf_config.hpp \
	plugins/spank/variables/watch_call.cpp \
	plugins/spank/variables/watch_call.hpp

# The plugin leaves slurm_* and spank_* undefined: sbatch and slurmstepd have them.
slurmplugin_LTLIBRARIES += plugins/spank/spank_hora.la
plugins_spank_spank_hora_la_SOURCES = \
	plugins/spank/cluster_facts.cpp \
	plugins/spank/cluster_facts.hpp \
	plugins/spank/compute_side.cpp \
	plugins/spank/compute_side.hpp \
	plugins/spank/entry.cpp \
	plugins/spank/guard.hpp \
	plugins/spank/rank_order.cpp \
	plugins/spank/rank_order.hpp \
	plugins/spank/settings_source.cpp \
	plugins/spank/settings_source.hpp \
	plugins/spank/slurm_spank.hpp \
	plugins/spank/submit_side.cpp \
	plugins/spank/submit_side.hpp
plugins_spank_spank_hora_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
plugins_spank_spank_hora_la_LDFLAGS = $(plugin_ldflags) \
	-Wl,--version-script=$(srcdir)/plugins/spank/exports.map
spank_libraries = plugins/spank/libtask.la plugins/slurm/libtres.la \
	plugins/slurm/libtopology.la libplanner/libplanner.la
plugins_spank_spank_hora_la_LIBADD = $(spank_libraries) $(HORA_PLUGIN_LIBS)
plugins_spank_spank_hora_la_DEPENDENCIES = $(spank_libraries) \
	plugins/spank/exports.map
EXTRA_DIST += plugins/spank/exports.map
dist_man_MANS += plugins/spank/spank_hora.8
