libplanner_libplanner_la_SOURCES += \
	libplanner/model/builtin.cpp \
	libplanner/model/builtin.hpp \
	libplanner/model/workload.cpp \
	libplanner/model/workload.hpp
