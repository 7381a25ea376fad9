libplanner_libplanner_la_SOURCES +=
