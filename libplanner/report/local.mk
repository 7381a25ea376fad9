libplanner_libplanner_la_SOURCES += \
	libplanner/report/plan.cpp \
	libplanner/report/plan.hpp \
	libplanner/report/snapshot.hpp
