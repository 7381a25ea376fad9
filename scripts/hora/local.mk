bin_PROGRAMS += hora
# What the command and the daemon need of a site alike: its settings, and files of its own.
noinst_LTLIBRARIES += scripts/hora/libsite.la
scripts_hora_libsite_la_SOURCES = \
	scripts/hora/atomic_file.cpp \
	scripts/hora/atomic_file.hpp \
	scripts/hora/site.cpp \
	scripts/hora/state_files.cpp \
	scripts/hora/state_files.hpp \
	scripts/hora/site.hpp
hora_SOURCES = \
	scripts/hora/calibrate.cpp \
	scripts/hora/calibrate.hpp \
	scripts/hora/command.cpp \
	scripts/hora/command.hpp \
	scripts/hora/main.cpp \
	scripts/hora/model.cpp \
	scripts/hora/model.hpp \
	scripts/hora/plan.cpp \
	scripts/hora/plan.hpp \
	scripts/hora/plan_submission.cpp \
	scripts/hora/plan_submission.hpp \
	scripts/hora/submission_options.cpp \
	scripts/hora/submission_options.hpp \
	scripts/hora/topology.cpp \
	scripts/hora/topology.hpp \
	scripts/hora/topology_output.hpp
dist_man_MANS += scripts/hora/hora.1 scripts/hora/hora-model.1
hora_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(SLURM_CPPFLAGS)
hora_LDADD = scripts/hora/libsite.la libplanner/libelastic.la libplanner/libreaders.la \
	libplanner/libplanner.la
hora_SOURCES += scripts/hora/config.cpp scripts/hora/config.hpp
dist_man_MANS += scripts/hora/hora.toml.5 scripts/hora/hora-cluster.5
if HAVE_SLURM
hora_SOURCES += \
	plugins/slurm/find_job.cpp \
	plugins/slurm/find_job.hpp \
	scripts/hora/site_plans.cpp \
	scripts/hora/site_plans.hpp \
	scripts/hora/explain.cpp \
	scripts/hora/explain.hpp
# What the command and the daemon do alike.
noinst_LTLIBRARIES += scripts/hora/librelaxing.la
scripts_hora_librelaxing_la_SOURCES = \
	plugins/slurm/pending_job.cpp \
	plugins/slurm/pending_job.hpp \
	scripts/hora/find_plan.cpp \
	scripts/hora/find_plan.hpp \
	scripts/hora/relaxing.cpp \
	scripts/hora/relaxing.hpp
scripts_hora_librelaxing_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(SQLITE_CFLAGS)
hora_LDADD += scripts/hora/librelaxing.la
hora_SOURCES += \
	scripts/hora/relax.cpp \
	scripts/hora/relax.hpp
dist_man_MANS += scripts/hora/hora-relax.1
hora_SOURCES += scripts/hora/resize.cpp scripts/hora/resize.hpp
dist_man_MANS += scripts/hora/hora-resize.1
hora_LDADD += plugins/slurm/libreport.la
hora_LDADD += $(SLURM_LIBS)
dist_man_MANS += scripts/hora/hora-explain.1
hora_SOURCES += \
	scripts/hora/cluster.cpp \
	scripts/hora/cluster.hpp \
	scripts/hora/site_privacy.hpp
hora_LDADD += plugins/slurm/libstore.la plugins/slurm/libcollect.la
dist_man_MANS += scripts/hora/hora-cluster-snapshot.1
endif
dist_man_MANS += scripts/hora/hora-plan.1 scripts/hora/hora-topology.1
dist_man_MANS += scripts/hora/hora-ring.1
hora_SOURCES += \
	scripts/hora/cluster_source.cpp \
	scripts/hora/cluster_source.hpp \
	scripts/hora/gpu_choice.cpp \
	scripts/hora/gpu_choice.hpp \
	scripts/hora/ring.cpp \
	scripts/hora/ring.hpp
hora_SOURCES += \
	scripts/hora/cuda_driver.cpp \
	scripts/hora/cuda_driver.hpp \
	scripts/hora/link_test.cpp \
	scripts/hora/link_test.hpp \
	scripts/hora/measure.cpp \
	scripts/hora/measure.hpp
EXTRA_DIST += scripts/hora/topology.svg
hora_SOURCES += scripts/hora/slurm_lines.cpp scripts/hora/slurm_lines.hpp
hora_SOURCES += scripts/hora/check_gres.cpp scripts/hora/check_gres.hpp
hora_SOURCES += \
	scripts/hora/policy_options.cpp \
	scripts/hora/policy_options.hpp \
	scripts/hora/policy_runs.cpp \
	scripts/hora/policy_runs.hpp \
	scripts/hora/simulate.cpp \
	scripts/hora/simulated_jobs.cpp \
	scripts/hora/simulated_jobs.hpp \
	scripts/hora/simulate.hpp
hora_SOURCES += scripts/hora/elastic.cpp scripts/hora/elastic.hpp
dist_man_MANS += scripts/hora/hora-elastic.1
hora_SOURCES += \
	scripts/hora/refresh.cpp \
	scripts/hora/refresh.hpp \
	scripts/hora/daemon_status.cpp \
	scripts/hora/daemon_status.hpp \
	scripts/hora/status.cpp \
	scripts/hora/status.hpp
dist_man_MANS += scripts/hora/hora-status.1
hora_SOURCES += \
	scripts/hora/history.cpp \
	scripts/hora/history.hpp \
	scripts/hora/past.cpp \
	scripts/hora/past.hpp
hora_CPPFLAGS += $(SQLITE_CFLAGS)
hora_LDADD += scripts/history/libhistory.la
dist_man_MANS += scripts/hora/hora-history.1
hora_SOURCES += \
	scripts/hora/html_file.cpp \
	scripts/hora/html_file.hpp \
	scripts/hora/input.cpp \
	scripts/hora/input.hpp \
	scripts/hora/report.cpp \
	scripts/hora/report.hpp
dist_man_MANS += scripts/hora/hora-report.1
hora_SOURCES += scripts/hora/replay.cpp scripts/hora/replay.hpp
dist_man_MANS += scripts/hora/hora-replay.1 scripts/hora/hora-simulate.1
