libplanner_libplanner_la_SOURCES += \
	libplanner/plan/choose.cpp \
	libplanner/plan/choose.hpp
