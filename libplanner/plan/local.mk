libplanner_libplanner_la_SOURCES += \
	libplanner/plan/choose.cpp \
	libplanner/plan/choose.hpp
libplanner_libplanner_la_SOURCES += \
	libplanner/plan/shares.cpp \
	libplanner/plan/shares.hpp
libplanner_libplanner_la_SOURCES += \
	libplanner/plan/request.cpp \
	libplanner/plan/request.hpp
