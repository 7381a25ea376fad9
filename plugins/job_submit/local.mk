# What decides is a library of its own, so that tests link it without a slurmctld.
noinst_LTLIBRARIES += plugins/job_submit/libdecision.la
plugins_job_submit_libdecision_la_SOURCES = \
	plugins/job_submit/apply.cpp \
	plugins/job_submit/apply.hpp \
	plugins/job_submit/daemon.hpp \
	plugins/job_submit/contract.cpp \
	plugins/job_submit/contract.hpp \
	plugins/job_submit/contradiction.cpp \
	plugins/job_submit/contradiction.hpp \
	plugins/job_submit/decision.cpp \
	plugins/job_submit/decision.hpp \
	plugins/job_submit/excerpt.cpp \
	plugins/job_submit/excerpt.hpp \
	plugins/job_submit/features.cpp \
	plugins/job_submit/features.hpp \
	plugins/job_submit/handle.cpp \
	plugins/job_submit/handle.hpp \
	plugins/job_submit/lending.cpp \
	plugins/job_submit/lending.hpp \
	plugins/job_submit/limits.cpp \
	plugins/job_submit/limits.hpp \
	plugins/job_submit/log.cpp \
	plugins/job_submit/log.hpp \
	plugins/job_submit/modify.cpp \
	plugins/job_submit/modify.hpp \
	plugins/job_submit/narrowing.cpp \
	plugins/job_submit/narrowing.hpp \
	plugins/job_submit/notice.cpp \
	plugins/job_submit/notice.hpp \
	plugins/job_submit/placement.cpp \
	plugins/job_submit/placement.hpp \
	plugins/job_submit/plain_request.cpp \
	plugins/job_submit/plain_request.hpp \
	plugins/job_submit/recent.cpp \
	plugins/job_submit/recent.hpp \
	plugins/job_submit/set_limits.cpp \
	plugins/job_submit/set_limits.hpp \
	plugins/job_submit/rewrite.cpp \
	plugins/job_submit/rewrite.hpp \
	plugins/job_submit/scope.cpp \
	plugins/job_submit/scope.hpp \
	plugins/job_submit/shape.cpp \
	plugins/job_submit/shape.hpp \
	plugins/job_submit/site.cpp \
	plugins/job_submit/site.hpp \
	plugins/job_submit/sockets.cpp \
	plugins/job_submit/sockets.hpp \
	plugins/job_submit/spelling.hpp \
	plugins/job_submit/submission.hpp \
	plugins/job_submit/submission_reader.cpp \
	plugins/job_submit/submission_reader.hpp \
	plugins/job_submit/wish.cpp \
	plugins/job_submit/wish.hpp \
	plugins/job_submit/without_plan.cpp \
	plugins/job_submit/without_plan.hpp
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
