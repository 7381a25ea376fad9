# Shared by both plugins and by commands that ask Slurm; the only place that compares versions.
# libtres.la needs nothing of Slurm's at run time.
noinst_LTLIBRARIES += plugins/slurm/libtres.la
plugins_slurm_libtres_la_SOURCES = \
	plugins/slurm/compat.hpp \
	plugins/slurm/fields.hpp \
	plugins/slurm/store/lock_key.hpp \
	plugins/slurm/system_user.cpp \
	plugins/slurm/system_user.hpp \
	plugins/slurm/tres.cpp \
	plugins/slurm/tres.hpp \
	plugins/slurm/version.hpp
plugins_slurm_libtres_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
plugins_slurm_libtres_la_LIBADD = $(FMT_LIBS)

# Asks slurmctld, with slurm_* left undefined as in a plugin.
noinst_LTLIBRARIES += plugins/slurm/libtopology.la
plugins_slurm_libtopology_la_SOURCES = \
	plugins/slurm/command_output.cpp \
	plugins/slurm/command_output.hpp \
	plugins/slurm/collect/topology_message.cpp \
	plugins/slurm/collect/topology_message.hpp
plugins_slurm_libtopology_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)

# The files that the plugin shares with the daemon; what loads them links libplanner.la too.
noinst_LTLIBRARIES += plugins/slurm/libstore.la
plugins_slurm_libstore_la_SOURCES = \
	plugins/slurm/store/restart_locks.cpp \
	plugins/slurm/store/restart_locks.hpp \
	plugins/slurm/store/plan_spool.cpp \
	plugins/slurm/store/plan_spool.hpp \
	plugins/slurm/store/descriptor.hpp \
	plugins/slurm/store/error_text.hpp \
	plugins/slurm/store/put_file.cpp \
	plugins/slurm/store/put_file.hpp \
	plugins/slurm/store/random_key.cpp \
	plugins/slurm/store/random_key.hpp \
	plugins/slurm/store/read_start.hpp \
	plugins/slurm/store/shared_value.hpp \
	plugins/slurm/store/snapshot_file.cpp \
	plugins/slurm/store/snapshot_file.hpp \
	plugins/slurm/store/snapshot_store.cpp \
	plugins/slurm/store/snapshot_store.hpp \
	plugins/slurm/store/write_all.hpp

# What asks slurmctld: for commands and the daemon, which link libslurm; never for plugins.
noinst_LTLIBRARIES += plugins/slurm/libcollect.la
plugins_slurm_libcollect_la_SOURCES = \
	plugins/slurm/jobs/batch_word.cpp \
	plugins/slurm/jobs/batch_word.hpp \
	plugins/slurm/jobs/charge.cpp \
	plugins/slurm/jobs/charge.hpp \
	plugins/slurm/jobs/comment_word.cpp \
	plugins/slurm/jobs/comment_word.hpp \
	plugins/slurm/collect/collect.cpp \
	plugins/slurm/collect/collect.hpp \
	plugins/slurm/collect/collect_insides.cpp \
	plugins/slurm/collect/collect_insides.hpp \
	plugins/slurm/collect/collect_limits.cpp \
	plugins/slurm/collect/collect_limits.hpp \
	plugins/slurm/collect/collect_nodes.cpp \
	plugins/slurm/collect/collect_nodes.hpp \
	plugins/slurm/controllers.cpp \
	plugins/slurm/controllers.hpp \
	plugins/slurm/jobs/job.cpp \
	plugins/slurm/jobs/job.hpp \
	plugins/slurm/jobs/request_fields.hpp \
	plugins/slurm/jobs/restart_name.hpp \
	plugins/slurm/jobs/job_list.cpp \
	plugins/slurm/jobs/job_list.hpp \
	plugins/slurm/messages.cpp \
	plugins/slurm/messages.hpp \
	plugins/slurm/squeue_id.hpp \
	plugins/slurm/start.cpp \
	plugins/slurm/start.hpp
plugins_slurm_libcollect_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
plugins_slurm_libcollect_la_LIBADD = plugins/slurm/libtres.la plugins/slurm/libtopology.la \
	libplanner/libplanner.la $(SLURM_LIBS)

# What a job reports, and who says so: for the program beside the job and the daemon; not for
# plugins.
noinst_LTLIBRARIES += plugins/slurm/libreport.la
plugins_slurm_libreport_la_SOURCES = \
	plugins/slurm/guarded_thread.hpp \
	plugins/slurm/report/line_exchange.cpp \
	plugins/slurm/report/line_exchange.hpp \
	plugins/slurm/report/report_client.cpp \
	plugins/slurm/report/report_client.hpp \
	plugins/slurm/report/report_credential.cpp \
	plugins/slurm/report/report_credential.hpp \
	plugins/slurm/report/report_message.cpp \
	plugins/slurm/report/report_message.hpp
plugins_slurm_libreport_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(MUNGE_CFLAGS)
plugins_slurm_libreport_la_LIBADD = libplanner/libplanner.la $(MUNGE_LIBS)
