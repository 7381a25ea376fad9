check_PROGRAMS += tests/unit/model/model
tests_unit_model_model_SOURCES = \
	tests/unit/model/networks/builtin.cpp \
	tests/unit/model/links/channel_search.cpp \
	tests/unit/model/convolution.cpp \
	tests/unit/model/forward_pass.cpp \
	tests/unit/model/layer.cpp \
	tests/unit/model/meshes.hpp \
	tests/unit/model/network_builder.cpp \
	tests/unit/model/links/path.cpp \
	tests/unit/model/links/ring_pace.cpp \
	tests/unit/model/sequence.cpp \
	tests/unit/model/links/set_bandwidth.cpp \
	tests/unit/model/window.cpp \
	tests/unit/model/workload.cpp
tests_unit_model_model_CPPFLAGS = $(unit_cppflags)
tests_unit_model_model_LDADD = $(up_to_model) $(unit_libraries)
