# What translates is a library of its own, so that tests link it without a slurmctld.
noinst_LTLIBRARIES += plugins/job_submit/libdecision.la
plugins_job_submit_libdecision_la_SOURCES = \
	plugins/job_submit/apply.cpp \
	plugins/job_submit/apply.hpp \
	plugins/job_submit/daemon.hpp \
	plugins/job_submit/handle.cpp \
	plugins/job_submit/handle.hpp \
	plugins/job_submit/known_workloads.cpp \
	plugins/job_submit/known_workloads.hpp \
	plugins/job_submit/latest.hpp \
	plugins/job_submit/log.cpp \
	plugins/job_submit/log.hpp \
	plugins/job_submit/modify.cpp \
	plugins/job_submit/modify.hpp \
	plugins/job_submit/recent.cpp \
	plugins/job_submit/recent.hpp \
	plugins/job_submit/reply.cpp \
	plugins/job_submit/reply.hpp \
	plugins/job_submit/restart_refusal.hpp \
	plugins/job_submit/set_meanwhile.cpp \
	plugins/job_submit/set_meanwhile.hpp \
	plugins/job_submit/site.cpp \
	plugins/job_submit/site.hpp \
	plugins/job_submit/submission_reader.cpp \
	plugins/job_submit/submission_reader.hpp
plugins_job_submit_libdecision_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)

# The plugin leaves slurm_* undefined: slurmctld has them.
slurmplugin_LTLIBRARIES += plugins/job_submit/job_submit_hora.la
plugins_job_submit_job_submit_hora_la_SOURCES = \
	plugins/job_submit/daemon.hpp \
	plugins/job_submit/entry.cpp \
	plugins/job_submit/guard.hpp
plugins_job_submit_job_submit_hora_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
plugins_job_submit_job_submit_hora_la_LDFLAGS = $(plugin_ldflags) \
	-Wl,--version-script=$(srcdir)/plugins/job_submit/exports.map
job_submit_libraries = plugins/job_submit/libdecision.la \
	plugins/slurm/libstore.la plugins/slurm/libtres.la libplanner/libplanner.la
plugins_job_submit_job_submit_hora_la_LIBADD = $(job_submit_libraries) $(HORA_PLUGIN_LIBS)
plugins_job_submit_job_submit_hora_la_DEPENDENCIES = $(job_submit_libraries) \
	plugins/job_submit/exports.map
EXTRA_DIST += plugins/job_submit/exports.map
dist_man_MANS += plugins/job_submit/job_submit_hora.8
