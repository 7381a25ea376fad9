noinst_LTLIBRARIES += libplanner/base/libbase.la
libplanner_base_libbase_la_SOURCES = \
	libplanner/base/blocked_signals.hpp \
	libplanner/base/error.hpp \
	libplanner/base/mixed.hpp \
	libplanner/base/nearest.cpp \
	libplanner/base/nearest.hpp \
	libplanner/base/units.hpp \
	libplanner/base/written_output.hpp
libplanner_base_libbase_la_SOURCES += libplanner/base/cholesky.hpp libplanner/base/non_negative.hpp
libplanner_base_libbase_la_SOURCES += libplanner/base/counted.hpp
libplanner_base_libbase_la_SOURCES += libplanner/base/median.hpp
libplanner_base_libbase_la_SOURCES += libplanner/base/lower_case.hpp
