if HAVE_SLURM
check_PROGRAMS += tests/unit/job_submit/job_submit
tests_unit_job_submit_job_submit_SOURCES = \
	scripts/hora/plan/submission_options.cpp \
	scripts/hora/plan/submission_options.hpp \
	tests/unit/comes_true.hpp \
	tests/unit/job_submit/apply.cpp \
	tests/unit/job_submit/daemon_log.cpp \
	tests/unit/job_submit/daemon_log.hpp \
	tests/unit/job_submit/daemon_memory.cpp \
	tests/unit/job_submit/daemon_memory.hpp \
	tests/unit/job_submit/job.hpp \
	tests/unit/job_submit/known_workloads.cpp \
	tests/unit/job_submit/modify.cpp \
	tests/unit/job_submit/recent.cpp \
	tests/unit/job_submit/reply.cpp \
	tests/unit/job_submit/same_answer.cpp \
	tests/unit/job_submit/set_meanwhile.cpp \
	tests/unit/job_submit/submission_reader.cpp \
	tests/unit/job_submit/token.cpp
tests_unit_job_submit_job_submit_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_job_submit_job_submit_LDADD = plugins/job_submit/libdecision.la \
	plugins/slurm/libstore.la plugins/slurm/libtres.la libplanner/libplanner.la $(unit_libraries)

# The plugin as a whole, as slurmctld calls it.
check_PROGRAMS += tests/unit/job_submit/handle
tests_unit_job_submit_handle_SOURCES = \
	plugins/job_submit/entry.cpp \
	tests/bench/submissions.hpp \
	tests/unit/comes_true.hpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/job_submit/budget.cpp \
	tests/unit/job_submit/daemon_log.cpp \
	tests/unit/job_submit/daemon_log.hpp \
	tests/unit/job_submit/daemon_memory.cpp \
	tests/unit/job_submit/daemon_memory.hpp \
	tests/unit/job_submit/doubling.cpp \
	tests/unit/job_submit/entry.cpp \
	tests/unit/job_submit/forged.cpp \
	tests/unit/job_submit/handle.cpp \
	tests/unit/job_submit/job.hpp \
	tests/unit/job_submit/place.hpp \
	tests/unit/job_submit/processor_time.hpp \
	tests/unit/job_submit/site.cpp \
	tests/unit/job_submit/together.cpp
tests_unit_job_submit_handle_CPPFLAGS = $(unit_cppflags) $(SLURM_CPPFLAGS)
tests_unit_job_submit_handle_LDADD = plugins/job_submit/libdecision.la \
	plugins/slurm/libstore.la plugins/slurm/libtres.la libplanner/libplanner.la $(unit_libraries)
endif
