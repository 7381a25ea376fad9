bin_PROGRAMS += hora
# What the command and the daemon need of a site alike: its settings, and files of its own.
noinst_LTLIBRARIES += scripts/hora/libsite.la
scripts_hora_libsite_la_SOURCES = \
	scripts/hora/command/atomic_file.cpp \
	scripts/hora/command/atomic_file.hpp \
	scripts/hora/site/site.cpp \
	scripts/hora/site/state_files.cpp \
	scripts/hora/site/state_files.hpp \
	scripts/hora/site/site.hpp
hora_SOURCES = \
	scripts/hora/machine/calibrate.cpp \
	scripts/hora/machine/calibrate.hpp \
	scripts/hora/command/command.cpp \
	scripts/hora/command/command.hpp \
	scripts/hora/main.cpp \
	scripts/hora/plan/model.cpp \
	scripts/hora/plan/model.hpp \
	scripts/hora/plan/plan.cpp \
	scripts/hora/plan/plan.hpp \
	scripts/hora/plan/plan_submission.cpp \
	scripts/hora/plan/plan_submission.hpp \
	scripts/hora/plan/submission_options.cpp \
	scripts/hora/plan/submission_options.hpp \
	scripts/hora/machine/topology.cpp \
	scripts/hora/machine/topology.hpp \
	scripts/hora/machine/topology_output.hpp
dist_man_MANS += scripts/hora/hora.1 scripts/hora/plan/hora-model.1
hora_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(SLURM_CPPFLAGS)
hora_LDADD = scripts/hora/libsite.la libplanner/libnccl.la libplanner/libelastic.la libplanner/libreaders.la \
	libplanner/libplanner.la
hora_SOURCES += scripts/hora/site/config.cpp scripts/hora/site/config.hpp
dist_man_MANS += scripts/hora/site/hora.toml.5 scripts/hora/site/hora-cluster.5
if HAVE_SLURM
hora_SOURCES += \
	plugins/slurm/find_job.cpp \
	plugins/slurm/find_job.hpp \
	scripts/hora/jobs/site_plans.cpp \
	scripts/hora/jobs/site_plans.hpp \
	scripts/hora/jobs/job_folder.cpp \
	scripts/hora/jobs/job_folder.hpp \
	scripts/hora/jobs/explain.cpp \
	scripts/hora/jobs/explain.hpp
# What the command and the daemon do alike.
noinst_LTLIBRARIES += scripts/hora/librelaxing.la
scripts_hora_librelaxing_la_SOURCES = \
	plugins/slurm/jobs/pending_job.cpp \
	plugins/slurm/jobs/pending_job.hpp \
	scripts/hora/jobs/find_plan.cpp \
	scripts/hora/jobs/find_plan.hpp \
	scripts/hora/jobs/relaxing.cpp \
	scripts/hora/jobs/relaxing.hpp
scripts_hora_librelaxing_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(SQLITE_CFLAGS)
hora_LDADD += scripts/hora/librelaxing.la
hora_SOURCES += \
	scripts/hora/jobs/relax.cpp \
	scripts/hora/jobs/relax.hpp
dist_man_MANS += scripts/hora/jobs/hora-relax.1
hora_SOURCES += scripts/hora/jobs/resize.cpp scripts/hora/jobs/resize.hpp
dist_man_MANS += scripts/hora/jobs/hora-resize.1
hora_LDADD += plugins/slurm/libreport.la
hora_LDADD += $(SLURM_LIBS)
dist_man_MANS += scripts/hora/jobs/hora-explain.1
hora_SOURCES += \
	scripts/hora/site/cluster.cpp \
	scripts/hora/site/cluster.hpp \
	scripts/hora/site/site_privacy.hpp \
	scripts/hora/site/watch.cpp \
	scripts/hora/site/watch.hpp
hora_LDADD += plugins/slurm/libstore.la plugins/slurm/libcollect.la
dist_man_MANS += scripts/hora/site/hora-cluster-snapshot.1
endif
dist_man_MANS += scripts/hora/plan/hora-plan.1 scripts/hora/machine/hora-topology.1
dist_man_MANS += scripts/hora/machine/hora-ring.1
hora_SOURCES += \
	scripts/hora/site/cluster_source.cpp \
	scripts/hora/site/cluster_source.hpp \
	scripts/hora/machine/gpu_choice.cpp \
	scripts/hora/machine/gpu_choice.hpp \
	scripts/hora/machine/ring.cpp \
	scripts/hora/machine/ring.hpp
hora_SOURCES += \
	scripts/hora/machine/cuda_driver.cpp \
	scripts/hora/machine/cuda_driver.hpp \
	scripts/hora/machine/link_test.cpp \
	scripts/hora/machine/link_test.hpp \
	scripts/hora/machine/measure.cpp \
	scripts/hora/machine/measure.hpp
EXTRA_DIST += scripts/hora/machine/topology.svg
hora_SOURCES += scripts/hora/machine/slurm_lines.cpp scripts/hora/machine/slurm_lines.hpp
hora_SOURCES += scripts/hora/machine/check_gres.cpp scripts/hora/machine/check_gres.hpp
hora_SOURCES += \
	scripts/hora/elastic/policy_options.cpp \
	scripts/hora/elastic/policy_options.hpp \
	scripts/hora/elastic/policy_runs.cpp \
	scripts/hora/elastic/policy_runs.hpp \
	scripts/hora/elastic/simulate.cpp \
	scripts/hora/elastic/simulated_jobs.cpp \
	scripts/hora/elastic/simulated_jobs.hpp \
	scripts/hora/elastic/simulate.hpp
hora_SOURCES += scripts/hora/elastic/elastic.cpp scripts/hora/elastic/elastic.hpp
dist_man_MANS += scripts/hora/elastic/hora-elastic.1
hora_SOURCES += \
	scripts/hora/jobs/refresh.cpp \
	scripts/hora/jobs/refresh.hpp \
	scripts/hora/site/daemon_status.cpp \
	scripts/hora/site/daemon_status.hpp \
	scripts/hora/jobs/status.cpp \
	scripts/hora/jobs/status.hpp
dist_man_MANS += scripts/hora/jobs/hora-status.1
hora_SOURCES += \
	scripts/hora/history/history.cpp \
	scripts/hora/history/history.hpp \
	scripts/hora/history/past.cpp \
	scripts/hora/history/past.hpp
hora_CPPFLAGS += $(SQLITE_CFLAGS)
hora_LDADD += scripts/history/libhistory.la
dist_man_MANS += scripts/hora/history/hora-history.1
hora_SOURCES += \
	scripts/hora/command/html_file.cpp \
	scripts/hora/command/html_file.hpp \
	scripts/hora/command/input.cpp \
	scripts/hora/command/input.hpp \
	scripts/hora/history/report.cpp \
	scripts/hora/history/report.hpp
dist_man_MANS += scripts/hora/history/hora-report.1 scripts/hora/timeline/hora-trace.5
hora_SOURCES += \
	scripts/hora/timeline/timeline.cpp \
	scripts/hora/timeline/timeline.hpp \
	scripts/hora/timeline/trace_folder.cpp \
	scripts/hora/timeline/trace_folder.hpp
dist_man_MANS += scripts/hora/timeline/hora-timeline.1
hora_SOURCES += scripts/hora/elastic/replay.cpp scripts/hora/elastic/replay.hpp
dist_man_MANS += scripts/hora/elastic/hora-replay.1 scripts/hora/elastic/hora-simulate.1
