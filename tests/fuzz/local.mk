# One program a parser. With --enable-fuzzers (clang++) each is a libFuzzer target, to be started by
# hand with its corpus: tests/fuzz/layer_table tests/fuzz/corpus/layer_table. Without it each
# replays its corpus in `make check`. To add one: its name to fuzz_programs, its sources and
# fuzz_ldadd, and a folder tests/fuzz/corpus/NAME.
fuzz_programs = \
	tests/fuzz/cluster_file \
	tests/fuzz/fabric_text \
	tests/fuzz/hostlist \
	tests/fuzz/job_options \
	tests/fuzz/settings \
	tests/fuzz/snapshot \
	tests/fuzz/layer_table \
	tests/fuzz/nccl_dump \
	tests/fuzz/nccl_log \
	tests/fuzz/rank_record \
	tests/fuzz/topology_json \
	tests/fuzz/topology_xml \
	tests/fuzz/workload_text
fuzz_ldadd = libplanner/libnccl.la libplanner/libreaders.la libplanner/libplanner.la
if ENABLE_FUZZERS
fuzz_ldflags = $(AM_LDFLAGS) -fsanitize=fuzzer
fuzz_main =
noinst_PROGRAMS += $(fuzz_programs)
else
fuzz_ldflags = $(AM_LDFLAGS)
fuzz_main = tests/fuzz/replay.cpp
check_PROGRAMS += $(fuzz_programs)
endif
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/replay.cpp

tests_fuzz_layer_table_SOURCES = tests/fuzz/layer_table.cpp $(fuzz_main)
tests_fuzz_layer_table_LDADD = $(fuzz_ldadd)
tests_fuzz_layer_table_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_workload_text_SOURCES = tests/fuzz/workload_text.cpp $(fuzz_main)
tests_fuzz_workload_text_LDADD = $(fuzz_ldadd)
tests_fuzz_workload_text_LDFLAGS = $(fuzz_ldflags)

fuzz_programs += tests/fuzz/elastic_state
tests_fuzz_elastic_state_SOURCES = tests/fuzz/elastic_state.cpp $(fuzz_main)
tests_fuzz_elastic_state_LDADD = libplanner/libelastic.la $(fuzz_ldadd)
tests_fuzz_elastic_state_LDFLAGS = $(fuzz_ldflags)

if HAVE_ONNX
fuzz_programs += tests/fuzz/onnx_model
tests_fuzz_onnx_model_SOURCES = tests/fuzz/onnx_model.cpp $(fuzz_main)
tests_fuzz_onnx_model_CPPFLAGS = $(AM_CPPFLAGS) $(ONNX_CPPFLAGS) $(PROTOBUF_CFLAGS)
tests_fuzz_onnx_model_LDADD = $(fuzz_ldadd) $(ONNX_LIBS)
tests_fuzz_onnx_model_LDFLAGS = $(fuzz_ldflags)
endif

tests_fuzz_cluster_file_SOURCES = tests/fuzz/cluster_file.cpp $(fuzz_main)
tests_fuzz_cluster_file_LDADD = $(fuzz_ldadd)
tests_fuzz_cluster_file_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_hostlist_SOURCES = tests/fuzz/hostlist.cpp $(fuzz_main)
tests_fuzz_hostlist_LDADD = $(fuzz_ldadd)
tests_fuzz_hostlist_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_settings_SOURCES = tests/fuzz/settings.cpp $(fuzz_main)
tests_fuzz_settings_LDADD = $(fuzz_ldadd)
tests_fuzz_settings_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_job_options_SOURCES = tests/fuzz/job_options.cpp $(fuzz_main)
tests_fuzz_job_options_LDADD = $(fuzz_ldadd)
tests_fuzz_job_options_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_snapshot_SOURCES = tests/fuzz/snapshot.cpp $(fuzz_main)
tests_fuzz_snapshot_LDADD = $(fuzz_ldadd)
tests_fuzz_snapshot_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fabric_text_SOURCES = tests/fuzz/fabric_text.cpp $(fuzz_main)
tests_fuzz_fabric_text_LDADD = $(fuzz_ldadd)
tests_fuzz_fabric_text_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_nccl_log_SOURCES = tests/fuzz/nccl_log.cpp $(fuzz_main)
tests_fuzz_nccl_log_LDADD = $(fuzz_ldadd)
tests_fuzz_nccl_log_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_rank_record_SOURCES = tests/fuzz/rank_record.cpp $(fuzz_main)
tests_fuzz_rank_record_LDADD = $(fuzz_ldadd)
tests_fuzz_rank_record_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_nccl_dump_SOURCES = tests/fuzz/nccl_dump.cpp $(fuzz_main)
tests_fuzz_nccl_dump_LDADD = $(fuzz_ldadd)
tests_fuzz_nccl_dump_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_topology_json_SOURCES = tests/fuzz/topology_json.cpp $(fuzz_main)
tests_fuzz_topology_json_LDADD = $(fuzz_ldadd)
tests_fuzz_topology_json_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_topology_xml_SOURCES = tests/fuzz/topology_xml.cpp $(fuzz_main)
tests_fuzz_topology_xml_LDADD = $(fuzz_ldadd)
tests_fuzz_topology_xml_LDFLAGS = $(fuzz_ldflags)

if HAVE_SLURM
fuzz_programs += tests/fuzz/report_message
tests_fuzz_report_message_SOURCES = tests/fuzz/report_message.cpp $(fuzz_main)
tests_fuzz_report_message_LDADD = plugins/slurm/libreport.la $(fuzz_ldadd)
tests_fuzz_report_message_LDFLAGS = $(fuzz_ldflags)
endif
