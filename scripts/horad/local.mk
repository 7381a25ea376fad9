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
horad_SOURCES = scripts/horad/main.cpp scripts/hora/command.cpp
horad_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(SLURM_CPPFLAGS) $(SQLITE_CFLAGS)
horad_LDADD = $(horad_libraries) $(SLURM_LIBS)

scripts_horad_libhorad_la_SOURCES += \
	scripts/horad/allowed_sizes.cpp \
	scripts/horad/allowed_sizes.hpp \
	scripts/horad/begin_resize.cpp \
	scripts/horad/begin_resize.hpp \
	scripts/horad/bounded_call.cpp \
	scripts/horad/bounded_call.hpp \
	scripts/horad/chronicle.cpp \
	scripts/horad/chronicle.hpp \
	scripts/horad/controller_age.cpp \
	scripts/horad/controller_age.hpp \
	scripts/horad/daemon.cpp \
	scripts/horad/daemon.hpp \
	scripts/horad/duty.cpp \
	scripts/horad/duty.hpp \
	scripts/horad/elasticity.cpp \
	scripts/horad/elasticity.hpp \
	scripts/horad/forgotten_requeues.cpp \
	scripts/horad/forgotten_requeues.hpp \
	scripts/horad/forgotten_starts.cpp \
	scripts/horad/forgotten_starts.hpp \
	scripts/horad/found_limits.cpp \
	scripts/horad/found_limits.hpp \
	scripts/horad/gpu_map.cpp \
	scripts/horad/gpu_map.hpp \
	scripts/horad/headroom.cpp \
	scripts/horad/headroom.hpp \
	scripts/horad/history_row.cpp \
	scripts/horad/history_row.hpp \
	scripts/horad/instance.cpp \
	scripts/horad/instance.hpp \
	scripts/horad/ledger.cpp \
	scripts/horad/ledger.hpp \
	scripts/horad/log.cpp \
	scripts/horad/log.hpp \
	scripts/horad/lost_time.cpp \
	scripts/horad/lost_time.hpp \
	scripts/horad/metrics.cpp \
	scripts/horad/metrics.hpp \
	scripts/horad/observation.cpp \
	scripts/horad/observation.hpp \
	scripts/horad/plans.cpp \
	scripts/horad/plans.hpp \
	scripts/horad/pools.cpp \
	scripts/horad/pools.hpp \
	scripts/horad/own_restarts.cpp \
	scripts/horad/own_restarts.hpp \
	scripts/horad/own_request.cpp \
	scripts/horad/own_request.hpp \
	scripts/horad/prediction.cpp \
	scripts/horad/prediction.hpp \
	scripts/horad/stated_work.cpp \
	scripts/horad/stated_work.hpp \
	scripts/horad/relaxer.cpp \
	scripts/horad/relaxer.hpp \
	scripts/horad/restarter.cpp \
	scripts/horad/restarter.hpp \
	scripts/horad/replaced_plans.cpp \
	scripts/horad/replaced_plans.hpp \
	scripts/horad/replan.cpp \
	scripts/horad/replan.hpp \
	scripts/horad/replanner.cpp \
	scripts/horad/replanner.hpp \
	scripts/horad/report_connection.cpp \
	scripts/horad/report_connection.hpp \
	scripts/horad/report_desk.cpp \
	scripts/horad/report_desk.hpp \
	scripts/horad/report_server.cpp \
	scripts/horad/report_server.hpp \
	scripts/horad/reports.cpp \
	scripts/horad/reports.hpp \
	scripts/horad/retention.cpp \
	scripts/horad/retention.hpp \
	scripts/horad/role.cpp \
	scripts/horad/role.hpp \
	scripts/horad/role_watch.cpp \
	scripts/horad/role_watch.hpp \
	scripts/horad/sender_limits.cpp \
	scripts/horad/sender_limits.hpp \
	scripts/horad/signals.cpp \
	scripts/horad/signals.hpp \
	scripts/horad/site.cpp \
	scripts/horad/site.hpp \
	scripts/horad/snapshot_writer.cpp \
	scripts/horad/snapshot_writer.hpp \
	scripts/horad/spool_folder.cpp \
	scripts/horad/spool_folder.hpp \
	scripts/horad/state_list.cpp \
	scripts/horad/state_list.hpp \
	scripts/horad/status.cpp \
	scripts/horad/status.hpp \
	scripts/horad/supervisor.cpp \
	scripts/horad/supervisor.hpp \
	scripts/horad/take_back.cpp \
	scripts/horad/take_back.hpp \
	scripts/horad/told_file.cpp \
	scripts/horad/told_file.hpp \
	scripts/horad/wall_time.hpp \
	scripts/horad/watch.cpp \
	scripts/horad/watch.hpp
scripts_horad_libhorad_la_SOURCES += \
	plugins/slurm/as_owner.cpp \
	plugins/slurm/as_owner.hpp \
	plugins/slurm/controller_start.cpp \
	plugins/slurm/controller_start.hpp \
	plugins/slurm/pending_reason.hpp \
	plugins/slurm/resize_job.cpp \
	plugins/slurm/resize_job.hpp \
	plugins/slurm/rest_of_limit.hpp \
	plugins/slurm/restart_time.hpp \
	plugins/slurm/waiting_job.cpp \
	plugins/slurm/waiting_job.hpp \
	scripts/horad/act_edge.hpp \
	scripts/horad/act_slurm.cpp \
	scripts/horad/act_slurm.hpp \
	scripts/horad/actor.cpp \
	scripts/horad/actor.hpp \
	scripts/horad/given_sizes.cpp \
	scripts/horad/given_sizes.hpp \
	scripts/horad/journal.cpp \
	scripts/horad/journal.hpp \
	scripts/horad/next_limit.cpp \
	scripts/horad/next_limit.hpp \
	scripts/horad/node_fit.cpp \
	scripts/horad/node_fit.hpp \
	scripts/horad/pending_step.cpp \
	scripts/horad/pending_step.hpp \
	scripts/horad/priority_sweep.cpp \
	scripts/horad/priority_sweep.hpp \
	scripts/horad/raised_priority.cpp \
	scripts/horad/raised_priority.hpp \
	scripts/horad/resize.hpp \
	scripts/horad/resize_desk.cpp \
	scripts/horad/resize_desk.hpp \
	scripts/horad/resize_json.cpp \
	scripts/horad/resize_json.hpp \
	scripts/horad/resize_rules.cpp \
	scripts/horad/resize_rules.hpp \
	scripts/horad/resize_shape.cpp \
	scripts/horad/resize_shape.hpp \
	scripts/horad/resize_sight.cpp \
	scripts/horad/resize_sight.hpp \
	scripts/horad/resize_step.cpp \
	scripts/horad/resize_step.hpp \
	scripts/horad/restart_step.cpp \
	scripts/horad/restart_step.hpp \
	scripts/horad/way_back.cpp \
	scripts/horad/way_back.hpp \
	scripts/horad/wish.cpp \
	scripts/horad/wish.hpp
dist_man_MANS += scripts/horad/horad.8
