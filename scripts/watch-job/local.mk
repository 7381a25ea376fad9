# Stands beside a job in its owner's name: reports progress, requeues at a checkpoint. Everything
# but main() is a library that its tests link too.
noinst_LTLIBRARIES += scripts/watch-job/libwatch.la
scripts_watch_job_libwatch_la_SOURCES = \
	libplanner/read/trace/rank_record.cpp \
	libplanner/read/trace/rank_record.hpp \
	plugins/slurm/jobs/as_owner.cpp \
	plugins/slurm/jobs/as_owner.hpp \
	plugins/slurm/controller_start.cpp \
	plugins/slurm/controller_start.hpp \
	plugins/slurm/newest_slurmd.cpp \
	plugins/slurm/newest_slurmd.hpp \
	plugins/slurm/jobs/job_end.cpp \
	plugins/slurm/jobs/job_end.hpp \
	plugins/slurm/jobs/pending_reason.hpp \
	plugins/slurm/jobs/resize_job.cpp \
	plugins/slurm/jobs/resize_job.hpp \
	plugins/slurm/jobs/rest_of_limit.hpp \
	plugins/slurm/jobs/restart_time.hpp \
	plugins/spank/process/process_list.cpp \
	plugins/spank/process/process_list.hpp \
	scripts/watch-job/clear_up.cpp \
	scripts/watch-job/clear_up.hpp \
	scripts/watch-job/report/event_log.cpp \
	scripts/watch-job/report/event_log.hpp \
	scripts/watch-job/report/folder_events.cpp \
	scripts/watch-job/report/folder_events.hpp \
	scripts/watch-job/report/late_ranks.cpp \
	scripts/watch-job/report/late_ranks.hpp \
	scripts/watch-job/requeue/frozen.cpp \
	scripts/watch-job/requeue/frozen.hpp \
	scripts/watch-job/requeue/held_script.cpp \
	scripts/watch-job/requeue/held_script.hpp \
	scripts/watch-job/job_folder.cpp \
	scripts/watch-job/job_folder.hpp \
	scripts/watch-job/options.hpp \
	scripts/watch-job/requeue/processes.cpp \
	scripts/watch-job/requeue/processes.hpp \
	scripts/watch-job/report/progress_tail.cpp \
	scripts/watch-job/report/progress_tail.hpp \
	scripts/watch-job/requeue/ready_file.cpp \
	scripts/watch-job/requeue/ready_file.hpp \
	scripts/watch-job/report/report_sender.hpp \
	scripts/watch-job/report/reporter.cpp \
	scripts/watch-job/report/reporter.hpp \
	scripts/watch-job/requeue/requeue.cpp \
	scripts/watch-job/requeue/requeue.hpp \
	scripts/watch-job/requeue/requeue_rules.cpp \
	scripts/watch-job/requeue/requeue_rules.hpp \
	scripts/watch-job/requeue/start_list.cpp \
	scripts/watch-job/requeue/start_list.hpp \
	scripts/watch-job/requeue/stop_guard.cpp \
	scripts/watch-job/requeue/stop_guard.hpp \
	scripts/watch-job/start_batch.cpp \
	scripts/watch-job/start_batch.hpp \
	scripts/watch-job/step_watch.cpp \
	scripts/watch-job/step_watch.hpp \
	scripts/watch-job/watch.cpp \
	scripts/watch-job/watch.hpp
scripts_watch_job_libwatch_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
scripts_watch_job_libwatch_la_LIBADD = plugins/slurm/libreport.la plugins/slurm/libcollect.la \
	libplanner/trace/libtrace.la libplanner/libplanner.la $(SLURM_LIBS)

pkglibexec_PROGRAMS += hora-watch-job
hora_watch_job_SOURCES = scripts/watch-job/main.cpp
hora_watch_job_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CLI11_CFLAGS)
hora_watch_job_LDADD = scripts/watch-job/libwatch.la
dist_man_MANS += scripts/watch-job/hora-watch-job.8
