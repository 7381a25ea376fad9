noinst_LTLIBRARIES += libplanner/read/libread.la
libplanner_read_libread_la_SOURCES = \
	libplanner/read/alike_nodes.cpp \
	libplanner/read/alike_nodes.hpp \
	libplanner/read/job_options.cpp \
	libplanner/read/job_options.hpp \
	libplanner/read/quoted.cpp \
	libplanner/read/quoted.hpp \
	libplanner/read/index_ranges.cpp \
	libplanner/read/index_ranges.hpp \
	libplanner/read/json_object.cpp \
	libplanner/read/json_object.hpp \
	libplanner/read/slurm_time.cpp \
	libplanner/read/slurm_time.hpp \
	libplanner/read/snapshot.cpp \
	libplanner/read/snapshot.hpp \
	libplanner/read/snapshot_cluster.cpp \
	libplanner/read/snapshot_cluster.hpp \
	libplanner/read/whole_number.cpp \
	libplanner/read/whole_number.hpp \
	libplanner/read/workload_text.cpp \
	libplanner/read/workload_text.hpp

libplanner_libreaders_la_SOURCES += \
	libplanner/read/layer_table.cpp \
	libplanner/read/layer_table.hpp \
	libplanner/read/layer_type.cpp \
	libplanner/read/layer_type.hpp \
	libplanner/read/model_file.cpp \
	libplanner/read/model_file.hpp \
	libplanner/read/onnx_model.hpp
if HAVE_ONNX
libplanner_libreaders_la_CPPFLAGS += $(ONNX_CPPFLAGS) $(PROTOBUF_CFLAGS)
libplanner_libreaders_la_LIBADD += $(ONNX_LIBS)
libplanner_libreaders_la_SOURCES += \
	libplanner/read/onnx_graph.cpp \
	libplanner/read/onnx_graph.hpp \
	libplanner/read/onnx_model.cpp \
	libplanner/read/onnx_node.cpp \
	libplanner/read/onnx_node.hpp \
	libplanner/read/onnx_operator.cpp \
	libplanner/read/onnx_operator.hpp \
	libplanner/read/onnx_parameters.cpp \
	libplanner/read/onnx_parameters.hpp \
	libplanner/read/onnx_schemas.cpp \
	libplanner/read/onnx_schemas.hpp \
	libplanner/read/onnx_shapes.cpp \
	libplanner/read/onnx_shapes.hpp
else
libplanner_libreaders_la_SOURCES += libplanner/read/onnx_absent.cpp
endif

libplanner_read_libread_la_SOURCES += \
	libplanner/read/file.cpp \
	libplanner/read/file.hpp \
	libplanner/read/quantity.cpp \
	libplanner/read/quantity.hpp \
	libplanner/read/toml_document.cpp \
	libplanner/read/toml_document.hpp \
	libplanner/read/toml_library.hpp \
	libplanner/read/toml_table.cpp \
	libplanner/read/toml_table.hpp \
	libplanner/read/toml_value.cpp \
	libplanner/read/toml_value.hpp

libplanner_read_libread_la_SOURCES += \
	libplanner/read/device_catalog.cpp \
	libplanner/read/device_catalog.hpp \
	libplanner/read/devices_text.hpp \
	libplanner/read/hostlist.cpp \
	libplanner/read/hostlist.hpp

# The catalogue is kept as data that a person can read, and compiled in as one string.
nodist_libplanner_read_libread_la_SOURCES = libplanner/read/devices_text.cpp
dist_pkgdata_DATA += libplanner/read/devices.toml
CLEANFILES += libplanner/read/devices_text.cpp
libplanner/read/devices_text.cpp: libplanner/read/devices.toml
	$(AM_V_GEN)$(MKDIR_P) libplanner/read && { \
		echo '#include "libplanner/read/devices_text.hpp"'; \
		echo 'const std::string_view hora::read::devices_text = R"toml('; \
		cat $(srcdir)/libplanner/read/devices.toml; \
		echo ')toml";'; } >$@.new && mv $@.new $@

libplanner_read_libread_la_SOURCES += \
	libplanner/read/gres_conf.cpp \
	libplanner/read/gres_conf.hpp \
	libplanner/read/gres_fields.cpp \
	libplanner/read/gres_fields.hpp \
	libplanner/read/leading_number.hpp \
	libplanner/read/pci_address.cpp \
	libplanner/read/pci_address.hpp

libplanner_read_libread_la_SOURCES += \
	libplanner/read/progress.cpp \
	libplanner/read/progress.hpp

libplanner_read_libread_la_SOURCES += \
	libplanner/read/checkpoint_path.cpp \
	libplanner/read/checkpoint_path.hpp \
	libplanner/read/speeds.cpp \
	libplanner/read/speeds.hpp

libplanner_read_libread_la_SOURCES += \
	libplanner/read/cluster_builder.cpp \
	libplanner/read/cluster_builder.hpp \
	libplanner/read/gpu_layout.cpp \
	libplanner/read/gpu_layout.hpp \
	libplanner/read/switch_order.cpp \
	libplanner/read/switch_order.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/node_inside.cpp libplanner/read/node_inside.hpp
libplanner_read_libread_la_SOURCES += \
	libplanner/read/site_layout.cpp \
	libplanner/read/site_layout.hpp \
	libplanner/read/site_nodes.cpp \
	libplanner/read/site_nodes.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/setting_table.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/setting_text.cpp libplanner/read/setting_text.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/settings.cpp libplanner/read/settings.hpp

libplanner_read_libread_la_SOURCES += libplanner/read/conf_line.cpp libplanner/read/conf_line.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/fabric_text.cpp libplanner/read/fabric_text.hpp
libplanner_read_libread_la_SOURCES += \
	libplanner/read/decision_token.cpp \
	libplanner/read/decision_token.hpp
libplanner_libreaders_la_SOURCES += libplanner/read/cluster_file.cpp libplanner/read/cluster_file.hpp
libplanner_read_libread_la_SOURCES += \
	libplanner/read/measured_links.cpp \
	libplanner/read/measured_links.hpp \
	libplanner/read/node_layout.cpp \
	libplanner/read/node_layout.hpp \
	libplanner/read/pci_device.cpp \
	libplanner/read/pci_device.hpp \
	libplanner/read/pcie_links.cpp \
	libplanner/read/pcie_links.hpp \
	libplanner/read/pci_address.hpp \
	libplanner/read/topology_bounds.hpp \
	libplanner/read/topology_json.cpp \
	libplanner/read/topology_json.hpp \
	libplanner/read/topology_json_fields.hpp
libplanner_libreaders_la_SOURCES += \
	libplanner/read/hwloc_file.cpp \
	libplanner/read/hwloc_file.hpp \
	libplanner/read/hwloc_machine.cpp \
	libplanner/read/hwloc_machine.hpp \
	libplanner/read/hwloc_nvlinks.cpp \
	libplanner/read/hwloc_nvlinks.hpp \
	libplanner/read/hwloc_object.cpp \
	libplanner/read/hwloc_object.hpp \
	libplanner/read/hwloc_parts.cpp \
	libplanner/read/hwloc_parts.hpp \
	libplanner/read/survival.cpp \
	libplanner/read/survival.hpp \
	libplanner/read/topology.cpp \
	libplanner/read/topology.hpp
libplanner_libreaders_la_CPPFLAGS += $(HWLOC_CFLAGS)
libplanner_libreaders_la_LIBADD += $(HWLOC_LIBS)
libplanner_read_libread_la_SOURCES += libplanner/read/nccl_line.cpp libplanner/read/nccl_line.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/nccl_log.cpp libplanner/read/nccl_log.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/nccl_dump.cpp libplanner/read/nccl_dump.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/xml_tags.cpp libplanner/read/xml_tags.hpp
libplanner_libreaders_la_SOURCES += libplanner/read/device_files.cpp libplanner/read/device_files.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/nccl_xml.cpp libplanner/read/nccl_xml.hpp
libplanner_read_libread_la_SOURCES += libplanner/read/status.cpp libplanner/read/status.hpp
libplanner_libreaders_la_SOURCES += \
	libplanner/read/job_trace.cpp \
	libplanner/read/job_trace.hpp \
	libplanner/read/speed_table.cpp \
	libplanner/read/speed_table.hpp \
	libplanner/read/table_field.cpp \
	libplanner/read/table_field.hpp \
	libplanner/read/table_text.cpp \
	libplanner/read/table_text.hpp
libplanner_libreaders_la_SOURCES += \
	libplanner/read/elastic_sizes.cpp \
	libplanner/read/elastic_sizes.hpp \
	libplanner/read/elastic_state.cpp \
	libplanner/read/elastic_state.hpp \
	libplanner/read/json_document.cpp \
	libplanner/read/json_document.hpp
libplanner_libreaders_la_SOURCES += libplanner/read/sacct.cpp libplanner/read/sacct.hpp
libplanner_libreaders_la_SOURCES += libplanner/read/sacct_field.cpp libplanner/read/sacct_field.hpp
libplanner_read_libread_la_SOURCES += \
	libplanner/read/size_rule.cpp \
	libplanner/read/size_rule.hpp \
	libplanner/read/words.cpp \
	libplanner/read/words.hpp
