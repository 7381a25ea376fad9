# One program a parser. With --enable-fuzzers (clang++) each is a libFuzzer target, to be started by
# hand with its corpus: tests/fuzz/layer_table tests/fuzz/corpus/layer_table. Without it each
# replays its corpus in `make check`. To add one, NAME: tests/fuzz/NAME.cpp, a folder
# tests/fuzz/corpus/NAME, and its name and what it links here; its source needs no line.
AM_DEFAULT_SOURCE_EXT = .cpp
fuzz_programs =
fuzz_ldadd = $(fuzz_main) libplanner/libnccl.la libplanner/libreaders.la libplanner/libplanner.la
if ENABLE_FUZZERS
fuzz_main = $(FUZZER_LIBS)
noinst_PROGRAMS += $(fuzz_programs)
else
fuzz_main = tests/fuzz/libreplay.la
check_LTLIBRARIES += tests/fuzz/libreplay.la
check_PROGRAMS += $(fuzz_programs)
endif
tests_fuzz_libreplay_la_SOURCES = tests/fuzz/replay.cpp
.PHONY: fuzzers
fuzzers: $(fuzz_programs)
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/lines.hpp tests/fuzz/memory_file.hpp \
	tests/fuzz/tried_apart.hpp

fuzz_programs += \
	tests/fuzz/cluster_file \
	tests/fuzz/decision_token \
	tests/fuzz/fabric_text \
	tests/fuzz/gres_conf \
	tests/fuzz/hostlist \
	tests/fuzz/job_options \
	tests/fuzz/job_trace \
	tests/fuzz/layer_table \
	tests/fuzz/measured_links \
	tests/fuzz/nccl_dump \
	tests/fuzz/nccl_log \
	tests/fuzz/rank_record \
	tests/fuzz/sacct \
	tests/fuzz/settings \
	tests/fuzz/snapshot \
	tests/fuzz/status_file \
	tests/fuzz/topology_json \
	tests/fuzz/topology_xml \
	tests/fuzz/workload_text
tests_fuzz_cluster_file_LDADD = $(fuzz_ldadd)
tests_fuzz_decision_token_LDADD = $(fuzz_ldadd)
tests_fuzz_fabric_text_LDADD = $(fuzz_ldadd)
tests_fuzz_gres_conf_LDADD = $(fuzz_ldadd)
tests_fuzz_hostlist_LDADD = $(fuzz_ldadd)
tests_fuzz_job_options_LDADD = $(fuzz_ldadd)
tests_fuzz_job_trace_LDADD = $(fuzz_ldadd)
tests_fuzz_layer_table_LDADD = $(fuzz_ldadd)
tests_fuzz_measured_links_LDADD = $(fuzz_ldadd)
tests_fuzz_nccl_dump_LDADD = $(fuzz_ldadd)
tests_fuzz_nccl_log_LDADD = $(fuzz_ldadd)
tests_fuzz_rank_record_LDADD = $(fuzz_ldadd)
tests_fuzz_sacct_LDADD = $(fuzz_ldadd)
tests_fuzz_settings_LDADD = $(fuzz_ldadd)
tests_fuzz_snapshot_LDADD = $(fuzz_ldadd)
tests_fuzz_status_file_LDADD = $(fuzz_ldadd)
tests_fuzz_topology_json_LDADD = $(fuzz_ldadd)
tests_fuzz_topology_xml_LDADD = $(fuzz_ldadd)
tests_fuzz_workload_text_LDADD = $(fuzz_ldadd)

fuzz_programs += tests/fuzz/elastic_state
tests_fuzz_elastic_state_LDADD = libplanner/libelastic.la $(fuzz_ldadd)

if HAVE_ONNX
fuzz_programs += tests/fuzz/onnx_model
tests_fuzz_onnx_model_CPPFLAGS = $(AM_CPPFLAGS) $(ONNX_CPPFLAGS) $(PROTOBUF_CFLAGS)
tests_fuzz_onnx_model_LDADD = $(fuzz_ldadd) $(ONNX_LIBS)
endif

if HAVE_ZLIB
fuzz_programs += tests/fuzz/trainer_files
endif
tests_fuzz_trainer_files_SOURCES = tests/fuzz/trainer_files.cpp contrib/language-model/text.cpp
tests_fuzz_trainer_files_LDADD = contrib/trainer/libtrainer.la $(fuzz_ldadd)

if HAVE_SLURM
fuzz_programs += \
	tests/fuzz/job_folder \
	tests/fuzz/journal_entry \
	tests/fuzz/progress_lines \
	tests/fuzz/report_message \
	tests/fuzz/slurm_words \
	tests/fuzz/srun_words \
	tests/fuzz/step_words \
	tests/fuzz/submission \
	tests/fuzz/task_environment \
	tests/fuzz/tres
fuzz_slurm_cppflags = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
tests_fuzz_job_folder_CPPFLAGS = $(fuzz_slurm_cppflags)
tests_fuzz_job_folder_LDADD = scripts/watch-job/libwatch.la $(fuzz_ldadd)
tests_fuzz_journal_entry_CPPFLAGS = $(fuzz_slurm_cppflags)
tests_fuzz_journal_entry_LDADD = $(horad_libraries) $(SLURM_LIBS) $(fuzz_main)
tests_fuzz_progress_lines_SOURCES = tests/fuzz/progress_lines.cpp \
	plugins/mpi/record/progress_tail.cpp
tests_fuzz_progress_lines_CPPFLAGS = $(fuzz_slurm_cppflags)
tests_fuzz_progress_lines_LDADD = scripts/watch-job/libwatch.la $(fuzz_ldadd)
tests_fuzz_report_message_LDADD = plugins/slurm/libreport.la $(fuzz_ldadd)
tests_fuzz_slurm_words_SOURCES = tests/fuzz/slurm_words.cpp plugins/slurm/find_job.cpp
tests_fuzz_slurm_words_CPPFLAGS = $(fuzz_slurm_cppflags)
tests_fuzz_slurm_words_LDADD = plugins/slurm/libreport.la plugins/slurm/libcollect.la \
	$(fuzz_ldadd) $(SLURM_LIBS)
tests_fuzz_srun_words_LDADD = plugins/spank/libtask.la $(fuzz_ldadd)
tests_fuzz_step_words_LDADD = plugins/spank/libtask.la $(fuzz_ldadd)
tests_fuzz_submission_SOURCES = tests/fuzz/submission.cpp \
	tests/unit/job_submit/daemon_log.cpp \
	tests/unit/job_submit/daemon_memory.cpp
tests_fuzz_submission_CPPFLAGS = $(fuzz_slurm_cppflags)
tests_fuzz_submission_LDADD = plugins/job_submit/libdecision.la plugins/slurm/libstore.la \
	plugins/slurm/libtres.la $(fuzz_ldadd)
tests_fuzz_task_environment_LDADD = plugins/spank/libtask.la $(fuzz_ldadd)
tests_fuzz_tres_CPPFLAGS = $(fuzz_slurm_cppflags)
tests_fuzz_tres_LDADD = plugins/slurm/libcollect.la $(fuzz_ldadd) $(SLURM_LIBS)
endif
