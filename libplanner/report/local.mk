libplanner_libplanner_la_SOURCES += \
	libplanner/report/snapshot.hpp
