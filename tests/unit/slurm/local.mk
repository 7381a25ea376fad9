check_PROGRAMS += tests/unit/slurm/slurm
tests_unit_slurm_slurm_SOURCES = \
	plugins/slurm/find_job.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/slurm/jobs/batch_word.cpp \
	tests/unit/slurm/jobs/charge.cpp \
	tests/unit/slurm/jobs/comment_word.cpp \
	tests/unit/slurm/jobs/job.cpp \
	tests/unit/slurm/jobs/plain_record.hpp \
	tests/unit/slurm/collect/collect_insides.cpp \
	tests/unit/slurm/collect/collect_limits.cpp \
	tests/unit/slurm/collect/collect_nodes.cpp \
	tests/unit/slurm/command_output.cpp \
	tests/unit/slurm/find_job.cpp \
	tests/unit/slurm/guarded_thread.cpp \
	tests/unit/slurm/report/line_exchange.cpp \
	tests/unit/slurm/store/plan_spool.cpp \
	tests/unit/slurm/store/put_file.cpp \
	tests/unit/slurm/store/random_key.cpp \
	tests/unit/slurm/store/restart_locks.cpp \
	tests/unit/slurm/report/report_client.cpp \
	tests/unit/slurm/report/report_credential.cpp \
	tests/unit/slurm/report/report_message.cpp \
	tests/unit/slurm/store/snapshot_file.cpp \
	tests/unit/slurm/snapshot_place.hpp \
	tests/unit/slurm/store/snapshot_store.cpp \
	tests/unit/slurm/start.cpp \
	tests/unit/slurm/system_user.cpp \
	tests/unit/slurm/tres.cpp \
	tests/unit/slurm/version.cpp
tests_unit_slurm_slurm_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_slurm_slurm_LDADD = plugins/slurm/libreport.la plugins/slurm/libstore.la plugins/slurm/libcollect.la \
	$(SLURM_LIBS) libplanner/libplanner.la $(unit_libraries)

# What asks slurmctld, with answers of the tests' own.
check_PROGRAMS += tests/unit/slurm/with_slurm
tests_unit_slurm_with_slurm_SOURCES = \
	plugins/slurm/jobs/as_owner.cpp \
	plugins/slurm/jobs/resize_job.cpp \
	tests/unit/slurm/collect/collect.cpp \
	tests/unit/slurm/collect/fake_controller.hpp \
	tests/unit/slurm/jobs/plain_record.hpp \
	tests/unit/slurm/jobs/resize_job.cpp \
	tests/unit/slurm/load_job.cpp \
	tests/unit/slurm/load_job.hpp \
	tests/unit/slurm/stand_ins.hpp
tests_unit_slurm_with_slurm_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_slurm_with_slurm_LDADD = plugins/slurm/libcollect.la $(SLURM_LIBS) \
	libplanner/libplanner.la $(unit_libraries)

# Likewise; each of these has answers of its own.
check_PROGRAMS += tests/unit/slurm/jobs_with_slurm
tests_unit_slurm_jobs_with_slurm_SOURCES = \
	plugins/slurm/jobs/as_owner.cpp \
	plugins/slurm/jobs/job_end.cpp \
	plugins/slurm/jobs/pending_job.cpp \
	plugins/slurm/jobs/resize_job.cpp \
	plugins/slurm/jobs/restart_reservation.cpp \
	tests/unit/slurm/jobs/job_end.cpp \
	tests/unit/slurm/jobs/pending_job.cpp \
	tests/unit/slurm/jobs/plain_record.hpp \
	tests/unit/slurm/jobs/restart_reservation.cpp \
	tests/unit/slurm/load_job.cpp \
	tests/unit/slurm/load_job.hpp \
	tests/unit/slurm/stand_ins.hpp
tests_unit_slurm_jobs_with_slurm_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_slurm_jobs_with_slurm_LDADD = plugins/slurm/libcollect.la $(SLURM_LIBS) \
	libplanner/libplanner.la $(unit_libraries)

# Likewise; these share theirs.
check_PROGRAMS += tests/unit/slurm/messages
tests_unit_slurm_messages_SOURCES = \
	plugins/slurm/controller_start.cpp \
	plugins/slurm/newest_slurmd.cpp \
	tests/unit/slurm/answers.cpp \
	tests/unit/slurm/answers.hpp \
	tests/unit/slurm/controllers.cpp \
	tests/unit/slurm/jobs/plain_record.hpp \
	tests/unit/slurm/load_job.cpp \
	tests/unit/slurm/load_job.hpp \
	tests/unit/slurm/messages.cpp \
	tests/unit/slurm/newest_slurmd.cpp \
	tests/unit/slurm/stand_ins.hpp
tests_unit_slurm_messages_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_slurm_messages_LDADD = plugins/slurm/libcollect.la $(SLURM_LIBS) \
	libplanner/libplanner.la $(unit_libraries)

# Likewise, of the switches.
check_PROGRAMS += tests/unit/slurm/switches
tests_unit_slurm_switches_SOURCES = \
	tests/unit/slurm/collect/topology_message.cpp \
	tests/unit/slurm/stand_ins.hpp
tests_unit_slurm_switches_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_slurm_switches_LDADD = plugins/slurm/libtopology.la $(SLURM_LIBS) $(unit_libraries)

dist_check_SCRIPTS += tests/unit/slurm/check-compat
EXTRA_DIST += tests/unit/slurm/compat_use.cpp
clean-local:
	rm -rf slurm-headers
