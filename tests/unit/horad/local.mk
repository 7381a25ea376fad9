check_PROGRAMS += tests/unit/horad/horad
tests_unit_horad_horad_SOURCES = \
	tests/unit/small_disk.hpp \
	tests/unit/horad/resize/actor.cpp \
	tests/unit/horad/fake_queue.hpp \
	tests/unit/horad/fake_slurm.hpp \
	tests/unit/horad/full_journal.hpp \
	tests/unit/horad/one_elastic_job.hpp \
	tests/unit/horad/pending/pending_changes.cpp \
	tests/unit/horad/journal/journal_list.cpp \
	tests/unit/horad/journal/resize_journal.cpp \
	tests/unit/horad/journal/granted_limit.cpp \
	tests/unit/horad/journal/raised_priority.cpp \
	tests/unit/horad/progress/resize_requests.cpp \
	tests/unit/horad/resize/resize_shape.cpp \
	tests/unit/horad/resize/resize_context.cpp \
	tests/unit/horad/resize/restarter.cpp \
	tests/unit/horad/pending/rollback.cpp
tests_unit_horad_horad_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_horad_horad_LDADD = $(horad_libraries) $(SLURM_LIBS) $(unit_ldadd)
tests_unit_horad_horad_SOURCES += \
	tests/unit/horad/failover/active_daemon.cpp \
	tests/unit/horad/failover/failover.cpp \
	tests/unit/horad/failover/instance.cpp \
	tests/unit/horad/failover/supervisor.cpp \
	tests/unit/horad/failover/two_controllers.cpp \
	tests/unit/horad/failover/two_controllers.hpp \
	tests/unit/horad/daemon.cpp \
	tests/unit/horad/signals.cpp \
	tests/unit/horad/history/past_runs.cpp \
	tests/unit/horad/log/log.cpp \
	tests/unit/horad/observe/bounded_call.cpp \
	tests/unit/horad/observe/snapshot_writer.cpp \
	tests/unit/horad/progress/report_filter.cpp \
	tests/unit/horad/progress/some_report.hpp \
	tests/unit/horad/progress/sender_limits.cpp \
	tests/unit/horad/publish/logged_file.cpp \
	tests/unit/horad/publish/metrics.cpp \
	tests/unit/horad/publish/status.cpp \
	tests/unit/horad/history/history_row.cpp \
	tests/unit/horad/journal/earlier_list.cpp \
	tests/unit/horad/journal/job_complaints.cpp \
	tests/unit/horad/journal/journal_file.cpp \
	tests/unit/horad/journal/own_restarts.cpp \
	tests/unit/horad/journal/pending_change.cpp \
	tests/unit/horad/journal/resize_json.cpp \
	tests/unit/horad/observe/controller_age.cpp \
	tests/unit/horad/observe/observation.cpp \
	tests/unit/horad/observe/site.cpp \
	tests/unit/horad/observe/spool_folder.cpp \
	tests/unit/horad/pending/own_request.cpp \
	tests/unit/horad/pending/relaxer.cpp \
	tests/unit/horad/pending/replanner.cpp \
	tests/unit/horad/recovery/priority_sweep.cpp \
	tests/unit/horad/resize/begin_resize.cpp \
	tests/unit/horad/resize/next_batch.cpp \
	tests/unit/horad/resize/next_limit.cpp \
	tests/unit/horad/resize/node_fit.cpp \
	tests/unit/horad/resize/one_step.hpp \
	tests/unit/horad/resize/pending_step.cpp \
	tests/unit/horad/resize/planned_job.hpp \
	tests/unit/horad/resize/resize_rules.cpp \
	tests/unit/horad/resize/resize_step.cpp \
	tests/unit/horad/resize/restart_nodes.cpp \
	tests/unit/horad/resize/restart_step.cpp \
	tests/unit/horad/observe/allowed_sizes.cpp \
	tests/unit/horad/as_owner.cpp \
	tests/unit/horad/history/history_writer.cpp \
	tests/unit/horad/recovery/forgotten_requeues.cpp \
	tests/unit/horad/recovery/forgotten_starts.cpp \
	tests/unit/horad/elastic/elasticity.cpp \
	tests/unit/horad/elastic/failed_resizes.cpp \
	tests/unit/horad/elastic/found_limits.cpp \
	tests/unit/horad/elastic/limit_rule.cpp \
	tests/unit/horad/observe/gpu_map.cpp \
	tests/unit/horad/observe/reserved.cpp \
	tests/unit/horad/observe/headroom.cpp \
	tests/unit/horad/observe/job_request.cpp \
	tests/unit/horad/observe/plans.cpp \
	tests/unit/horad/elastic/pools.cpp \
	tests/unit/horad/journal/pending_journal.cpp \
	tests/unit/horad/pending/replan.cpp \
	tests/unit/horad/history/lost_time.cpp \
	tests/unit/horad/progress/prediction.cpp \
	tests/unit/horad/relaxing.cpp \
	tests/unit/horad/progress/report_connection.cpp \
	tests/unit/horad/progress/report_server.cpp \
	tests/unit/horad/progress/noise_scales.cpp \
	tests/unit/horad/progress/reports.cpp \
	tests/unit/horad/history/retention.cpp \
	tests/unit/horad/failover/controller_role.cpp \
	tests/unit/horad/same_changes.cpp \
	tests/unit/horad/progress/seen_speeds.cpp \
	tests/unit/horad/progress/stated_work.cpp \
	tests/unit/horad/state_files.cpp \
	tests/unit/horad/together.cpp \
	tests/unit/horad/elastic/resize_request.cpp

# What asks slurmctld, with answers of the tests' own.
check_PROGRAMS += tests/unit/horad/with_slurm
tests_unit_horad_with_slurm_SOURCES = \
	tests/unit/horad/observe/watch.cpp \
	tests/unit/horad/resize/act_slurm.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/slurm/collect/fake_controller.hpp
tests_unit_horad_with_slurm_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_horad_with_slurm_LDADD = $(horad_libraries) $(SLURM_LIBS) $(unit_ldadd)

# Likewise, with a list of jobs.
check_PROGRAMS += tests/unit/horad/relaxer_with_slurm
tests_unit_horad_relaxer_with_slurm_SOURCES = \
	tests/unit/enforced_placement.hpp \
	tests/unit/horad/pending/relaxer_rounds.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/slurm/jobs/plain_record.hpp \
	tests/unit/slurm/stand_ins.hpp
tests_unit_horad_relaxer_with_slurm_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_horad_relaxer_with_slurm_LDADD = $(horad_libraries) $(SLURM_LIBS) $(unit_ldadd)

dist_check_SCRIPTS += tests/unit/horad/check-start
