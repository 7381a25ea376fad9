check_PROGRAMS += tests/unit/read/read
tests_unit_read_read_SOURCES = \
	tests/unit/read/settings/job_options.cpp
tests_unit_read_read_CPPFLAGS = $(unit_cppflags) $(PUGIXML_CFLAGS)
tests_unit_read_read_LDADD = libplanner/libnccl.la libplanner/libreaders.la libplanner/report/libformats.la \
	$(up_to_read) $(unit_libraries)
tests_unit_read_read_SOURCES += \
	tests/unit/read/model/layer_table.cpp \
	tests/unit/read/model/layer_type.cpp \
	tests/unit/read/model/model_file.cpp \
	tests/unit/read/model/workload_text.cpp
if HAVE_ONNX
tests_unit_read_read_SOURCES += \
	tests/unit/read/onnx/model_writer.hpp \
	tests/unit/read/onnx/node_lines.hpp \
	tests/unit/read/onnx/onnx_arithmetic.cpp \
	tests/unit/read/onnx/onnx_attention.cpp \
	tests/unit/read/onnx/onnx_batch.cpp \
	tests/unit/read/onnx/onnx_bodies.cpp \
	tests/unit/read/onnx/onnx_branches.cpp \
	tests/unit/read/onnx/onnx_einsum.cpp \
	tests/unit/read/onnx/onnx_folding.cpp \
	tests/unit/read/onnx/onnx_functions.cpp \
	tests/unit/read/onnx/onnx_graph.cpp \
	tests/unit/read/onnx/onnx_indices.cpp \
	tests/unit/read/onnx/onnx_inference.cpp \
	tests/unit/read/onnx/onnx_model.cpp \
	tests/unit/read/onnx/onnx_moves.cpp \
	tests/unit/read/onnx/onnx_newer.cpp \
	tests/unit/read/onnx/onnx_node.cpp \
	tests/unit/read/onnx/onnx_nodes.cpp \
	tests/unit/read/onnx/onnx_numbers.cpp \
	tests/unit/read/onnx/onnx_operator.cpp \
	tests/unit/read/onnx/onnx_parameters.cpp \
	tests/unit/read/onnx/onnx_reshapes.cpp \
	tests/unit/read/onnx/onnx_shapes.cpp \
	tests/unit/read/onnx/onnx_sources.cpp \
	tests/unit/read/onnx/some_numbers.hpp
tests_unit_read_read_CPPFLAGS += $(ONNX_CPPFLAGS) $(PROTOBUF_CFLAGS)
tests_unit_read_read_LDADD += $(ONNX_LIBS)
endif
tests_unit_read_read_SOURCES += \
	tests/unit/read/index_ranges.cpp \
	tests/unit/read/format/json_object.cpp \
	tests/unit/read/quantity.cpp \
	tests/unit/read/quoted.cpp \
	tests/unit/read/slurm/slurm_time.cpp \
	tests/unit/read/format/toml_table.cpp \
	tests/unit/read/format/toml_value.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/machine/device_catalog.cpp \
	tests/unit/read/machine/device_names.cpp \
	tests/unit/read/machine/efficiency_catalog.cpp \
	tests/unit/read/machine/hwloc_file.cpp \
	tests/unit/read/machine/hwloc_machine.cpp \
	tests/unit/read/machine/hwloc_nvlinks.cpp \
	tests/unit/read/machine/hwloc_object.cpp \
	tests/unit/read/machine/hwloc_parts.cpp \
	tests/unit/read/machine/some_hwloc.hpp \
	tests/unit/read/slurm/hostlist.cpp
tests_unit_read_read_SOURCES += tests/unit/read/trace/progress.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/settings/checkpoint_path.cpp \
	tests/unit/read/trace/speeds.cpp
tests_unit_read_read_SOURCES += tests/unit/read/cluster/cluster_builder.cpp tests/unit/read/cluster/switch_order.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/state/snapshot.cpp \
	tests/unit/read/some_snapshot.hpp
tests_unit_read_read_SOURCES += tests/unit/read/settings/settings.cpp
tests_unit_read_read_SOURCES += tests/unit/read/cluster/cluster_file.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/nccl/measured_links.cpp \
	tests/unit/read/machine/pcie_links.cpp \
	tests/unit/read/some_topology.hpp \
	tests/unit/sanitized.hpp \
	tests/unit/read/survival.cpp \
	tests/unit/read/cluster/topology.cpp \
	tests/unit/read/cluster/topology_json.cpp
tests_unit_read_read_SOURCES += tests/unit/read/slurm/gres_conf.cpp
tests_unit_read_read_SOURCES += tests/unit/read/cluster/fabric_text.cpp
tests_unit_read_read_SOURCES += tests/unit/read/cluster/site_layout.cpp tests/unit/read/cluster/site_nodes.cpp
tests_unit_read_read_SOURCES += tests/unit/read/nccl/nccl_log.cpp
tests_unit_read_read_SOURCES += tests/unit/read/nccl/nccl_dump.cpp tests/unit/read/format/xml_text.cpp
tests_unit_read_read_SOURCES += tests/unit/read/machine/device_files.cpp
tests_unit_read_read_SOURCES += tests/unit/read/nccl/nccl_xml.cpp
tests_unit_read_read_SOURCES += tests/unit/read/some_status.hpp tests/unit/read/state/status.cpp
tests_unit_read_read_SOURCES += tests/unit/read/trace/elastic_sizes.cpp tests/unit/read/trace/elastic_state.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/trace/job_trace.cpp \
	tests/unit/read/trace/node_types.cpp \
	tests/unit/read/trace/rank_record.cpp \
	tests/unit/read/slurm/sacct_field.cpp \
	tests/unit/read/format/table_text.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/state/alike_nodes.cpp \
	tests/unit/read/state/decision_token.cpp \
	tests/unit/read/cluster/gpu_layout.cpp \
	tests/unit/read/file.cpp \
	tests/unit/read/nccl/nccl_line.cpp \
	tests/unit/read/pci_address.cpp \
	tests/unit/read/settings/size_rule.cpp \
	tests/unit/read/slurm/conf_line.cpp \
	tests/unit/read/slurm/gres_fields.cpp \
	tests/unit/read/slurm/sacct.cpp \
	tests/unit/read/trace/speed_table.cpp \
	tests/unit/read/whole_number.cpp \
	tests/unit/read/words.cpp
tests_unit_read_read_SOURCES += tests/unit/read/format/toml_document.cpp
tests_unit_read_read_SOURCES += tests/unit/read/cluster/node_inside.cpp \
	tests/unit/read/format/json_document.cpp tests/unit/read/machine/pci_device.cpp \
	tests/unit/read/settings/setting_text.cpp
tests_unit_read_read_SOURCES += \
	tests/unit/read/cluster/node_layout.cpp \
	tests/unit/read/state/snapshot_cluster.cpp \
	tests/unit/read/reading_limits.cpp \
	tests/unit/read/format/table_field.cpp

# What a build without the ONNX library has in its place.
check_PROGRAMS += tests/unit/read/without_onnx
tests_unit_read_without_onnx_SOURCES = \
	libplanner/read/onnx/onnx_absent.cpp \
	tests/unit/read/onnx/onnx_absent.cpp
tests_unit_read_without_onnx_CPPFLAGS = $(unit_cppflags)
tests_unit_read_without_onnx_LDADD = $(up_to_read) $(unit_libraries)
