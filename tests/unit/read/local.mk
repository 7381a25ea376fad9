check_PROGRAMS += tests/unit/read/read
tests_unit_read_read_SOURCES = \
	tests/unit/read/job_options.cpp
tests_unit_read_read_CPPFLAGS = $(unit_cppflags)
tests_unit_read_read_LDADD = libplanner/libreaders.la libplanner/report/libformats.la \
	$(up_to_read) $(unit_libraries)
tests_unit_read_read_SOURCES += \
	tests/unit/read/layer_table.cpp \
	tests/unit/read/workload_text.cpp
if HAVE_ONNX
tests_unit_read_read_SOURCES += tests/unit/read/onnx_model.cpp tests/unit/read/onnx_nodes.cpp
tests_unit_read_read_CPPFLAGS += $(ONNX_CPPFLAGS) $(PROTOBUF_CFLAGS)
tests_unit_read_read_LDADD += $(ONNX_LIBS)
endif
tests_unit_read_read_SOURCES += \
	tests/unit/read/quantity.cpp \
	tests/unit/read/slurm_time.cpp \
	tests/unit/read/toml_table.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/device_catalog.cpp \
	tests/unit/read/hostlist.cpp
tests_unit_read_read_SOURCES += tests/unit/read/progress.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/checkpoint_path.cpp \
	tests/unit/read/speeds.cpp
tests_unit_read_read_SOURCES += tests/unit/read/cluster_builder.cpp tests/unit/read/switch_order.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/snapshot.cpp \
	tests/unit/read/some_snapshot.hpp
tests_unit_read_read_SOURCES += tests/unit/read/settings.cpp
tests_unit_read_read_SOURCES += tests/unit/read/cluster_file.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/measured_links.cpp \
	tests/unit/read/pcie_links.cpp \
	tests/unit/read/some_topology.hpp \
	tests/unit/read/topology.cpp \
	tests/unit/read/topology_json.cpp
tests_unit_read_read_SOURCES += tests/unit/read/gres_conf.cpp
tests_unit_read_read_SOURCES += tests/unit/read/fabric_text.cpp
tests_unit_read_read_SOURCES += tests/unit/read/site_layout.cpp tests/unit/read/site_nodes.cpp
tests_unit_read_read_SOURCES += tests/unit/read/nccl_log.cpp
tests_unit_read_read_SOURCES += tests/unit/read/nccl_dump.cpp tests/unit/read/xml_tags.cpp
tests_unit_read_read_SOURCES += tests/unit/read/device_files.cpp
tests_unit_read_read_SOURCES += tests/unit/read/nccl_xml.cpp
tests_unit_read_read_SOURCES += tests/unit/read/some_status.hpp tests/unit/read/status.cpp
tests_unit_read_read_SOURCES += tests/unit/read/elastic_state.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/job_trace.cpp \
	tests/unit/read/sacct_field.cpp \
	tests/unit/read/table_text.cpp
