# The daemon on the controller host. Everything but main() is a library that its tests link too.
sbin_PROGRAMS += horad
noinst_LTLIBRARIES += scripts/horad/libhorad.la
scripts_horad_libhorad_la_SOURCES =
scripts_horad_libhorad_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(SQLITE_CFLAGS)
# What it stands on; named by each program, since a library in a library is copied whole.
horad_libraries = scripts/horad/libhorad.la plugins/job_submit/libdecision.la \
	scripts/hora/librelaxing.la scripts/history/libhistory.la scripts/hora/libsite.la \
	plugins/slurm/libreport.la plugins/slurm/libstore.la plugins/slurm/libcollect.la \
	libplanner/libreaders.la libplanner/libelastic.la libplanner/libplanner.la
horad_SOURCES = scripts/horad/main.cpp scripts/hora/command/command.cpp
horad_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(SLURM_CPPFLAGS) $(SQLITE_CFLAGS)
horad_LDADD = $(horad_libraries) $(SLURM_LIBS)

scripts_horad_libhorad_la_SOURCES += \
	scripts/horad/observe/allowed_sizes.cpp \
	scripts/horad/observe/allowed_sizes.hpp \
	scripts/horad/resize/begin_resize.cpp \
	scripts/horad/resize/begin_resize.hpp \
	scripts/horad/observe/bounded_call.cpp \
	scripts/horad/observe/bounded_call.hpp \
	scripts/horad/history/history_writer.cpp \
	scripts/horad/history/history_writer.hpp \
	scripts/horad/observe/controller_age.cpp \
	scripts/horad/observe/controller_age.hpp \
	scripts/horad/daemon.cpp \
	scripts/horad/daemon.hpp \
	scripts/horad/failover/active_daemon.cpp \
	scripts/horad/failover/active_daemon.hpp \
	scripts/horad/elastic/elasticity.cpp \
	scripts/horad/elastic/elasticity.hpp \
	scripts/horad/recovery/forgotten_requeues.cpp \
	scripts/horad/recovery/forgotten_requeues.hpp \
	scripts/horad/recovery/forgotten_starts.cpp \
	scripts/horad/recovery/forgotten_starts.hpp \
	scripts/horad/elastic/found_limits.cpp \
	scripts/horad/elastic/found_limits.hpp \
	scripts/horad/observe/gpu_map.cpp \
	scripts/horad/observe/gpu_map.hpp \
	scripts/horad/observe/reserved.cpp \
	scripts/horad/observe/reserved.hpp \
	scripts/horad/observe/headroom.cpp \
	scripts/horad/observe/headroom.hpp \
	scripts/horad/observe/job_request.cpp \
	scripts/horad/observe/job_request.hpp \
	scripts/horad/history/history_row.cpp \
	scripts/horad/history/history_row.hpp \
	scripts/horad/failover/instance.cpp \
	scripts/horad/failover/instance.hpp \
	scripts/horad/history/past_runs.cpp \
	scripts/horad/history/past_runs.hpp \
	scripts/horad/log/log.cpp \
	scripts/horad/log/log.hpp \
	scripts/horad/history/lost_time.cpp \
	scripts/horad/history/lost_time.hpp \
	scripts/horad/publish/metrics.cpp \
	scripts/horad/publish/metrics.hpp \
	scripts/horad/observe/observation.cpp \
	scripts/horad/observe/observation.hpp \
	scripts/horad/observe/plans.cpp \
	scripts/horad/observe/plans.hpp \
	scripts/horad/elastic/limit_rule.cpp \
	scripts/horad/elastic/limit_rule.hpp \
	scripts/horad/elastic/pools.cpp \
	scripts/horad/elastic/pools.hpp \
	scripts/horad/journal/own_restarts.cpp \
	scripts/horad/journal/own_restarts.hpp \
	scripts/horad/journal/pending_change.cpp \
	scripts/horad/journal/pending_change.hpp \
	scripts/horad/journal/pending_journal.cpp \
	scripts/horad/journal/pending_journal.hpp \
	scripts/horad/pending/own_request.cpp \
	scripts/horad/pending/own_request.hpp \
	scripts/horad/pending/pending_changes.cpp \
	scripts/horad/pending/pending_changes.hpp \
	scripts/horad/progress/prediction.cpp \
	scripts/horad/progress/prediction.hpp \
	scripts/horad/progress/stated_work.cpp \
	scripts/horad/progress/stated_work.hpp \
	scripts/horad/pending/relaxer.cpp \
	scripts/horad/pending/relaxer.hpp \
	scripts/horad/resize/restarter.cpp \
	scripts/horad/resize/restarter.hpp \
	scripts/horad/recovery/released_row.cpp \
	scripts/horad/recovery/released_row.hpp \
	scripts/horad/pending/replan.cpp \
	scripts/horad/pending/replan.hpp \
	scripts/horad/pending/replanner.cpp \
	scripts/horad/pending/replanner.hpp \
	scripts/horad/pending/rollback.cpp \
	scripts/horad/pending/rollback.hpp \
	scripts/horad/progress/report_connection.cpp \
	scripts/horad/progress/report_connection.hpp \
	scripts/horad/progress/report_filter.cpp \
	scripts/horad/progress/report_filter.hpp \
	scripts/horad/progress/report_server.cpp \
	scripts/horad/progress/report_server.hpp \
	scripts/horad/progress/noise_scales.cpp \
	scripts/horad/progress/noise_scales.hpp \
	scripts/horad/progress/reports.cpp \
	scripts/horad/progress/reports.hpp \
	scripts/horad/history/retention.cpp \
	scripts/horad/history/retention.hpp \
	scripts/horad/failover/controller_role.cpp \
	scripts/horad/failover/controller_role.hpp \
	scripts/horad/failover/failover.cpp \
	scripts/horad/failover/failover.hpp \
	scripts/horad/progress/sender_limits.cpp \
	scripts/horad/progress/sender_limits.hpp \
	scripts/horad/progress/seen_speeds.cpp \
	scripts/horad/progress/seen_speeds.hpp \
	scripts/horad/signals.cpp \
	scripts/horad/signals.hpp \
	scripts/horad/observe/site.cpp \
	scripts/horad/observe/site.hpp \
	scripts/horad/observe/snapshot_writer.cpp \
	scripts/horad/observe/snapshot_writer.hpp \
	scripts/horad/observe/spool_folder.cpp \
	scripts/horad/observe/spool_folder.hpp \
	scripts/horad/journal/earlier_list.cpp \
	scripts/horad/journal/earlier_list.hpp \
	scripts/horad/journal/journal_file.cpp \
	scripts/horad/journal/journal_file.hpp \
	scripts/horad/journal/journal_list.hpp \
	scripts/horad/journal/list_journal.hpp \
	scripts/horad/publish/status.cpp \
	scripts/horad/publish/status.hpp \
	scripts/horad/failover/supervisor.cpp \
	scripts/horad/failover/supervisor.hpp \
	scripts/horad/publish/logged_file.cpp \
	scripts/horad/publish/logged_file.hpp \
	scripts/horad/log/host_name.hpp \
	scripts/horad/log/wall_time.hpp \
	scripts/horad/observe/watch.cpp \
	scripts/horad/observe/watch.hpp
scripts_horad_libhorad_la_SOURCES += \
	plugins/slurm/jobs/as_owner.cpp \
	plugins/slurm/jobs/as_owner.hpp \
	plugins/slurm/controller_start.cpp \
	plugins/slurm/controller_start.hpp \
	plugins/slurm/newest_slurmd.cpp \
	plugins/slurm/newest_slurmd.hpp \
	plugins/slurm/jobs/pending_reason.hpp \
	plugins/slurm/jobs/resize_job.cpp \
	plugins/slurm/jobs/resize_job.hpp \
	plugins/slurm/jobs/rest_of_limit.hpp \
	plugins/slurm/jobs/restart_time.hpp \
	scripts/horad/journal/act_edge.hpp \
	scripts/horad/resize/act_slurm.cpp \
	scripts/horad/resize/act_slurm.hpp \
	scripts/horad/resize/actor.cpp \
	scripts/horad/resize/actor.hpp \
	scripts/horad/journal/job_complaints.cpp \
	scripts/horad/journal/job_complaints.hpp \
	scripts/horad/journal/resize_journal.cpp \
	scripts/horad/journal/resize_journal.hpp \
	scripts/horad/resize/next_batch.cpp \
	scripts/horad/resize/next_batch.hpp \
	scripts/horad/resize/next_limit.cpp \
	scripts/horad/resize/next_limit.hpp \
	scripts/horad/resize/node_fit.cpp \
	scripts/horad/resize/node_fit.hpp \
	scripts/horad/resize/pending_step.cpp \
	scripts/horad/resize/pending_step.hpp \
	scripts/horad/recovery/priority_sweep.cpp \
	scripts/horad/recovery/priority_sweep.hpp \
	scripts/horad/journal/granted_limit.cpp \
	scripts/horad/journal/granted_limit.hpp \
	scripts/horad/journal/raised_priority.cpp \
	scripts/horad/journal/raised_priority.hpp \
	scripts/horad/journal/resize.hpp \
	scripts/horad/progress/resize_requests.cpp \
	scripts/horad/progress/resize_requests.hpp \
	scripts/horad/journal/resize_json.cpp \
	scripts/horad/journal/resize_json.hpp \
	scripts/horad/resize/resize_rules.cpp \
	scripts/horad/resize/resize_rules.hpp \
	scripts/horad/resize/resize_shape.cpp \
	scripts/horad/resize/resize_shape.hpp \
	scripts/horad/resize/resize_context.cpp \
	scripts/horad/resize/resize_context.hpp \
	scripts/horad/resize/resize_step.cpp \
	scripts/horad/resize/resize_step.hpp \
	scripts/horad/resize/restart_step.cpp \
	scripts/horad/resize/restart_step.hpp \
	scripts/horad/elastic/resize_request.cpp \
	scripts/horad/elastic/resize_request.hpp
dist_man_MANS += scripts/horad/horad.8
