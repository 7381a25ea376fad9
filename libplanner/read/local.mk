noinst_LTLIBRARIES += libplanner/read/libread.la
libplanner_read_libread_la_SOURCES = \
	libplanner/read/state/alike_nodes.cpp \
	libplanner/read/state/alike_nodes.hpp \
	libplanner/read/settings/job_options.cpp \
	libplanner/read/settings/job_options.hpp \
	libplanner/read/character_cut.hpp \
	libplanner/read/quoted.cpp \
	libplanner/read/quoted.hpp \
	libplanner/read/index_ranges.cpp \
	libplanner/read/index_ranges.hpp \
	libplanner/read/format/json_object.cpp \
	libplanner/read/format/json_object.hpp \
	libplanner/read/slurm/slurm_time.cpp \
	libplanner/read/slurm/slurm_time.hpp \
	libplanner/read/state/snapshot.cpp \
	libplanner/read/state/snapshot.hpp \
	libplanner/read/state/snapshot_cluster.cpp \
	libplanner/read/state/snapshot_cluster.hpp \
	libplanner/read/whole_number.cpp \
	libplanner/read/whole_number.hpp \
	libplanner/read/model/workload_text.cpp \
	libplanner/read/model/workload_text.hpp

libplanner_libreaders_la_SOURCES += \
	libplanner/read/model/layer_table.cpp \
	libplanner/read/model/layer_table.hpp \
	libplanner/read/model/layer_type.cpp \
	libplanner/read/model/layer_type.hpp \
	libplanner/read/model/model_file.cpp \
	libplanner/read/model/model_file.hpp \
	libplanner/read/onnx/onnx_model.hpp
if HAVE_ONNX
libplanner_libreaders_la_CPPFLAGS += $(ONNX_CPPFLAGS) $(PROTOBUF_CFLAGS)
libplanner_libreaders_la_LIBADD += $(ONNX_LIBS)
libplanner_libreaders_la_SOURCES += \
	libplanner/read/onnx/onnx_arithmetic.cpp \
	libplanner/read/onnx/onnx_attention.cpp \
	libplanner/read/onnx/onnx_attention.hpp \
	libplanner/read/onnx/onnx_batch.cpp \
	libplanner/read/onnx/onnx_batch.hpp \
	libplanner/read/onnx/onnx_bodies.cpp \
	libplanner/read/onnx/onnx_bodies.hpp \
	libplanner/read/onnx/onnx_branches.cpp \
	libplanner/read/onnx/onnx_branches.hpp \
	libplanner/read/onnx/onnx_einsum.cpp \
	libplanner/read/onnx/onnx_einsum.hpp \
	libplanner/read/onnx/onnx_folding.cpp \
	libplanner/read/onnx/onnx_folding.hpp \
	libplanner/read/onnx/onnx_functions.cpp \
	libplanner/read/onnx/onnx_functions.hpp \
	libplanner/read/onnx/onnx_graph.cpp \
	libplanner/read/onnx/onnx_graph.hpp \
	libplanner/read/onnx/onnx_indices.cpp \
	libplanner/read/onnx/onnx_inference.cpp \
	libplanner/read/onnx/onnx_inference.hpp \
	libplanner/read/onnx/onnx_model.cpp \
	libplanner/read/onnx/onnx_moves.cpp \
	libplanner/read/onnx/onnx_newer.cpp \
	libplanner/read/onnx/onnx_newer.hpp \
	libplanner/read/onnx/onnx_node.cpp \
	libplanner/read/onnx/onnx_node.hpp \
	libplanner/read/onnx/onnx_numbers.cpp \
	libplanner/read/onnx/onnx_numbers.hpp \
	libplanner/read/onnx/onnx_operator.cpp \
	libplanner/read/onnx/onnx_operator.hpp \
	libplanner/read/onnx/onnx_parameters.cpp \
	libplanner/read/onnx/onnx_parameters.hpp \
	libplanner/read/onnx/onnx_reshapes.cpp \
	libplanner/read/onnx/onnx_shapes.cpp \
	libplanner/read/onnx/onnx_shapes.hpp \
	libplanner/read/onnx/onnx_sources.cpp
else
libplanner_libreaders_la_SOURCES += libplanner/read/onnx/onnx_absent.cpp
endif

libplanner_read_libread_la_SOURCES += \
	libplanner/read/file.cpp \
	libplanner/read/file.hpp \
	libplanner/read/quantity.cpp \
	libplanner/read/quantity.hpp \
	libplanner/read/format/toml_document.cpp \
	libplanner/read/format/toml_document.hpp \
	libplanner/read/format/toml_library.hpp \
	libplanner/read/format/toml_table.cpp \
	libplanner/read/format/toml_table.hpp \
	libplanner/read/format/toml_value.cpp \
	libplanner/read/format/toml_value.hpp

libplanner_read_libread_la_SOURCES += \
	libplanner/read/machine/device_catalog.cpp \
	libplanner/read/machine/device_catalog.hpp \
	libplanner/read/machine/device_names.cpp \
	libplanner/read/machine/device_names.hpp \
	libplanner/read/machine/devices_text.hpp \
	libplanner/read/machine/efficiency_catalog.cpp \
	libplanner/read/machine/efficiency_catalog.hpp \
	libplanner/read/slurm/hostlist.cpp \
	libplanner/read/slurm/hostlist.hpp

# The catalogue is kept as data that a person can read, and compiled in as one string.
nodist_libplanner_read_libread_la_SOURCES = libplanner/read/machine/devices_text.cpp
dist_pkgdata_DATA += libplanner/read/machine/devices.toml
CLEANFILES += libplanner/read/machine/devices_text.cpp
libplanner/read/machine/devices_text.cpp: libplanner/read/machine/devices.toml
	$(AM_V_GEN)$(MKDIR_P) libplanner/read/machine && { \
		echo '#include "libplanner/read/machine/devices_text.hpp"'; \
		echo 'const std::string_view hora::read::devices_text = R"toml('; \
		cat $(srcdir)/libplanner/read/machine/devices.toml; \
		echo ')toml";'; } >$@.new && mv $@.new $@

libplanner_read_libread_la_SOURCES += \
	libplanner/read/slurm/gres_conf.cpp \
	libplanner/read/slurm/gres_conf.hpp \
	libplanner/read/slurm/gres_fields.cpp \
	libplanner/read/slurm/gres_fields.hpp \
	libplanner/read/leading_number.hpp \
	libplanner/read/pci_address.cpp \
	libplanner/read/pci_address.hpp

libplanner_read_libread_la_SOURCES += \
	libplanner/read/trace/progress.cpp \
	libplanner/read/trace/progress.hpp

libplanner_read_libread_la_SOURCES += \
	libplanner/read/settings/checkpoint_path.cpp \
	libplanner/read/settings/checkpoint_path.hpp \
	libplanner/read/trace/speeds.cpp \
	libplanner/read/trace/speeds.hpp

libplanner_read_libread_la_SOURCES += \
	libplanner/read/cluster/cluster_builder.cpp \
	libplanner/read/cluster/cluster_builder.hpp \
	libplanner/read/cluster/gpu_layout.cpp \
	libplanner/read/cluster/gpu_layout.hpp \
	libplanner/read/cluster/switch_order.cpp \
	libplanner/read/cluster/switch_order.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/cluster/node_inside.cpp libplanner/read/cluster/node_inside.hpp
libplanner_read_libread_la_SOURCES += \
	libplanner/read/cluster/site_layout.cpp \
	libplanner/read/cluster/site_layout.hpp \
	libplanner/read/cluster/site_nodes.cpp \
	libplanner/read/cluster/site_nodes.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/settings/setting_table.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/settings/setting_text.cpp libplanner/read/settings/setting_text.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/settings/settings.cpp libplanner/read/settings/settings.hpp

libplanner_read_libread_la_SOURCES += libplanner/read/slurm/conf_line.cpp libplanner/read/slurm/conf_line.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/cluster/fabric_text.cpp libplanner/read/cluster/fabric_text.hpp
libplanner_read_libread_la_SOURCES += \
	libplanner/read/state/decision_token.cpp \
	libplanner/read/state/decision_token.hpp
libplanner_libreaders_la_SOURCES += libplanner/read/cluster/cluster_file.cpp libplanner/read/cluster/cluster_file.hpp
libplanner_read_libread_la_SOURCES += \
	libplanner/read/nccl/measured_links.cpp \
	libplanner/read/nccl/measured_links.hpp \
	libplanner/read/cluster/node_layout.cpp \
	libplanner/read/cluster/node_layout.hpp \
	libplanner/read/machine/pci_device.cpp \
	libplanner/read/machine/pci_device.hpp \
	libplanner/read/machine/pcie_links.cpp \
	libplanner/read/machine/pcie_links.hpp \
	libplanner/read/pci_address.hpp \
	libplanner/read/cluster/topology_bounds.hpp \
	libplanner/read/cluster/topology_json.cpp \
	libplanner/read/cluster/topology_json.hpp \
	libplanner/read/cluster/topology_json_fields.hpp
libplanner_libreaders_la_SOURCES += \
	libplanner/read/machine/hwloc_file.cpp \
	libplanner/read/machine/hwloc_file.hpp \
	libplanner/read/machine/hwloc_machine.cpp \
	libplanner/read/machine/hwloc_machine.hpp \
	libplanner/read/machine/hwloc_nvlinks.cpp \
	libplanner/read/machine/hwloc_nvlinks.hpp \
	libplanner/read/machine/hwloc_object.cpp \
	libplanner/read/machine/hwloc_object.hpp \
	libplanner/read/machine/hwloc_parts.cpp \
	libplanner/read/machine/hwloc_parts.hpp \
	libplanner/read/reading_limits.cpp \
	libplanner/read/reading_limits.hpp \
	libplanner/read/survival.cpp \
	libplanner/read/survival.hpp \
	libplanner/read/cluster/topology.cpp \
	libplanner/read/cluster/topology.hpp
libplanner_libreaders_la_CPPFLAGS += $(HWLOC_CFLAGS)
libplanner_libreaders_la_LIBADD += $(HWLOC_LIBS)
# Topology files may be by NCCL.
libplanner_libreaders_la_LIBADD += libplanner/libnccl.la
libplanner_read_libread_la_SOURCES += libplanner/read/nccl/nccl_line.cpp libplanner/read/nccl/nccl_line.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/nccl/nccl_log.cpp libplanner/read/nccl/nccl_log.hpp

# NCCL's own files of a machine; what reads topologies reads them too.
noinst_LTLIBRARIES += libplanner/libnccl.la
libplanner_libnccl_la_SOURCES = \
	libplanner/read/nccl/nccl_dump.cpp \
	libplanner/read/nccl/nccl_dump.hpp \
	libplanner/read/nccl/nccl_xml.cpp \
	libplanner/read/nccl/nccl_xml.hpp \
	libplanner/read/format/xml_text.cpp \
	libplanner/read/format/xml_text.hpp
libplanner_libnccl_la_CPPFLAGS = $(AM_CPPFLAGS) $(PUGIXML_CFLAGS)
libplanner_libnccl_la_LIBADD = $(PUGIXML_LIBS)
libplanner_libreaders_la_SOURCES += libplanner/read/machine/device_files.cpp libplanner/read/machine/device_files.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/state/status.cpp libplanner/read/state/status.hpp
libplanner_libreaders_la_SOURCES += \
	libplanner/read/trace/job_trace.cpp \
	libplanner/read/trace/job_trace.hpp \
	libplanner/read/trace/node_types.cpp \
	libplanner/read/trace/node_types.hpp \
	libplanner/read/trace/rank_record.cpp \
	libplanner/read/trace/rank_record.hpp \
	libplanner/read/trace/speed_table.cpp \
	libplanner/read/trace/speed_table.hpp \
	libplanner/read/format/table_field.cpp \
	libplanner/read/format/table_field.hpp \
	libplanner/read/format/table_text.cpp \
	libplanner/read/format/table_text.hpp
libplanner_libreaders_la_SOURCES += \
	libplanner/read/trace/elastic_sizes.cpp \
	libplanner/read/trace/elastic_sizes.hpp \
	libplanner/read/trace/elastic_state.cpp \
	libplanner/read/trace/elastic_state.hpp \
	libplanner/read/format/json_document.cpp \
	libplanner/read/format/json_document.hpp
libplanner_libreaders_la_SOURCES += libplanner/read/slurm/sacct.cpp libplanner/read/slurm/sacct.hpp
libplanner_libreaders_la_SOURCES += libplanner/read/slurm/sacct_field.cpp libplanner/read/slurm/sacct_field.hpp
libplanner_read_libread_la_SOURCES += \
	libplanner/read/settings/size_rule.cpp \
	libplanner/read/settings/size_rule.hpp \
	libplanner/read/words.cpp \
	libplanner/read/words.hpp
