check_PROGRAMS += tests/unit/watch_job/watch_job
tests_unit_watch_job_watch_job_SOURCES = \
	tests/unit/comes_true.hpp \
	tests/unit/sanitized.hpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/watch_job/requeue/frozen.cpp \
	tests/unit/watch_job/requeue/held_script.cpp \
	tests/unit/watch_job/job_folder.cpp \
	tests/unit/watch_job/requeue/processes.cpp \
	tests/unit/watch_job/report/event_log.cpp \
	tests/unit/watch_job/report/folder_events.cpp \
	tests/unit/watch_job/report/late_ranks.cpp \
	tests/unit/watch_job/report/progress_tail.cpp \
	tests/unit/watch_job/requeue/ready_file.cpp \
	tests/unit/watch_job/report/report_sender.cpp \
	tests/unit/watch_job/report/reporter.cpp \
	tests/unit/watch_job/requeue/requeue_rules.cpp \
	tests/unit/watch_job/shell.hpp \
	tests/unit/watch_job/requeue/start_list.cpp \
	tests/unit/watch_job/requeue/stop_guard.cpp
tests_unit_watch_job_watch_job_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_watch_job_watch_job_LDADD = scripts/watch-job/libwatch.la libplanner/libplanner.la \
	$(unit_libraries)

# What asks slurmctld, with answers of the tests' own.
check_PROGRAMS += tests/unit/watch_job/with_slurm
tests_unit_watch_job_with_slurm_SOURCES = \
	tests/unit/comes_true.hpp \
	tests/unit/sanitized.hpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/slurm/jobs/plain_record.hpp \
	tests/unit/slurm/load_job.cpp \
	tests/unit/slurm/load_job.hpp \
	tests/unit/slurm/stand_ins.hpp \
	tests/unit/watch_job/clear_up.cpp \
	tests/unit/watch_job/controller.cpp \
	tests/unit/watch_job/controller.hpp \
	tests/unit/watch_job/requeue/requeue.cpp \
	tests/unit/watch_job/shell.hpp \
	tests/unit/watch_job/step_watch.cpp \
	tests/unit/watch_job/watch.cpp
tests_unit_watch_job_with_slurm_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_watch_job_with_slurm_LDADD = scripts/watch-job/libwatch.la libplanner/libplanner.la \
	$(unit_libraries)

dist_check_SCRIPTS += tests/unit/watch_job/check-start
EXTRA_DIST += tests/unit/watch_job/traced.py
