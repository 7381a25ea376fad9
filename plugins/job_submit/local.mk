# The plugin leaves slurm_* undefined: slurmctld has them.
slurmplugin_LTLIBRARIES += plugins/job_submit/job_submit_hora.la

plugins_job_submit_job_submit_hora_la_SOURCES = \
	plugins/job_submit/daemon.hpp \
	plugins/job_submit/entry.cpp \
	plugins/job_submit/guard.hpp
plugins_job_submit_job_submit_hora_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
plugins_job_submit_job_submit_hora_la_LDFLAGS = $(plugin_ldflags) \
	-Wl,--version-script=$(srcdir)/plugins/job_submit/exports.map
plugins_job_submit_job_submit_hora_la_LIBADD = libplanner/libplanner.la
plugins_job_submit_job_submit_hora_la_DEPENDENCIES = libplanner/libplanner.la \
	plugins/job_submit/exports.map
EXTRA_DIST += plugins/job_submit/exports.map
