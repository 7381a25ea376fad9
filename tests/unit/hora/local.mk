check_PROGRAMS += tests/unit/hora/hora
tests_unit_hora_hora_SOURCES = \
	scripts/hora/command/command.cpp \
	scripts/hora/command/html_file.cpp \
	scripts/hora/command/input.cpp \
	scripts/hora/elastic/policy_options.cpp \
	scripts/hora/elastic/policy_runs.cpp \
	scripts/hora/elastic/simulate.cpp \
	scripts/hora/elastic/simulated_jobs.cpp \
	scripts/hora/history/past.cpp \
	scripts/hora/history/report.cpp \
	scripts/hora/jobs/refresh.cpp \
	scripts/hora/machine/calibrate.cpp \
	scripts/hora/machine/check_gres.cpp \
	scripts/hora/machine/cuda_driver.cpp \
	scripts/hora/machine/gpu_choice.cpp \
	scripts/hora/machine/link_test.cpp \
	scripts/hora/machine/slurm_lines.cpp \
	scripts/hora/plan/plan_submission.cpp \
	scripts/hora/plan/submission_options.cpp \
	scripts/hora/site/cluster_source.cpp \
	scripts/hora/site/daemon_status.cpp \
	scripts/hora/site/watch.cpp \
	scripts/hora/timeline/trace_folder.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/hora/call.hpp \
	tests/unit/hora/site_folder.hpp \
	tests/unit/hora/command/atomic_file.cpp \
	tests/unit/hora/command/command.cpp \
	tests/unit/hora/command/input.cpp \
	tests/unit/hora/elastic/policy_options.cpp \
	tests/unit/hora/elastic/policy_runs.cpp \
	tests/unit/hora/elastic/simulated_jobs.cpp \
	tests/unit/hora/history/report.cpp \
	tests/unit/hora/site/daemon_status.cpp \
	tests/unit/hora/jobs/refresh.cpp \
	tests/unit/hora/machine/calibrate.cpp \
	tests/unit/hora/machine/check_gres.cpp \
	tests/unit/hora/machine/cuda_driver.cpp \
	tests/unit/hora/machine/gpu_choice.cpp \
	tests/unit/hora/machine/link_test.cpp \
	tests/unit/hora/machine/stub_driver.hpp \
	tests/unit/hora/machine/slurm_lines.cpp \
	tests/unit/hora/plan/plan_submission.cpp \
	tests/unit/hora/plan/submission_options.cpp \
	tests/unit/hora/site/cluster_source.cpp \
	tests/unit/hora/site/watch.cpp \
	tests/unit/hora/timeline/trace_folder.cpp
tests_unit_hora_hora_CPPFLAGS = $(unit_cppflags) $(SQLITE_CFLAGS)
tests_unit_hora_hora_LDADD = scripts/hora/libsite.la scripts/history/libhistory.la \
	plugins/slurm/libtres.la $(unit_ldadd)
if HAVE_SLURM
# With answers of the tests' own in slurmctld's place.
tests_unit_hora_hora_SOURCES += \
	plugins/slurm/find_job.cpp \
	scripts/hora/jobs/explain.cpp \
	scripts/hora/jobs/job_folder.cpp \
	scripts/hora/jobs/relax.cpp \
	scripts/hora/jobs/resize.cpp \
	scripts/hora/jobs/site_plans.cpp \
	tests/unit/hora/jobs/explain.cpp \
	tests/unit/hora/jobs/find_plan.cpp \
	tests/unit/hora/jobs/relax.cpp \
	tests/unit/hora/jobs/resize.cpp \
	tests/unit/hora/jobs/site_plans.cpp \
	tests/unit/slurm/jobs/plain_record.hpp \
	tests/unit/slurm/load_job.cpp \
	tests/unit/slurm/load_job.hpp \
	tests/unit/slurm/stand_ins.hpp
tests_unit_hora_hora_CPPFLAGS += $(SLURM_CPPFLAGS)
tests_unit_hora_hora_LDADD += scripts/hora/librelaxing.la plugins/slurm/libreport.la \
	plugins/slurm/libstore.la plugins/slurm/libcollect.la $(SLURM_LIBS) $(unit_ldadd)
endif
