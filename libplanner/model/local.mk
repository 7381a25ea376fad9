noinst_LTLIBRARIES += libplanner/model/libmodel.la
libplanner_model_libmodel_la_SOURCES = \
	libplanner/model/alexnet.cpp \
	libplanner/model/builtin.cpp \
	libplanner/model/builtin.hpp \
	libplanner/model/channel_search.cpp \
	libplanner/model/channel_search.hpp \
	libplanner/model/convolution.cpp \
	libplanner/model/count.hpp \
	libplanner/model/families.hpp \
	libplanner/model/forward_pass.cpp \
	libplanner/model/forward_pass.hpp \
	libplanner/model/inception.cpp \
	libplanner/model/language_model.cpp \
	libplanner/model/layer.cpp \
	libplanner/model/layer.hpp \
	libplanner/model/layer_spec.hpp \
	libplanner/model/measure.hpp \
	libplanner/model/network_builder.cpp \
	libplanner/model/network_builder.hpp \
	libplanner/model/path.cpp \
	libplanner/model/path.hpp \
	libplanner/model/resnet.cpp \
	libplanner/model/ring_pace.cpp \
	libplanner/model/ring_pace.hpp \
	libplanner/model/sequence.cpp \
	libplanner/model/set_bandwidth.cpp \
	libplanner/model/set_bandwidth.hpp \
	libplanner/model/transformer.cpp \
	libplanner/model/vgg.cpp \
	libplanner/model/window.cpp \
	libplanner/model/window.hpp \
	libplanner/model/workload.cpp \
	libplanner/model/workload.hpp
