# What records of calls say: which were one collective, on which clock, and who was late.
noinst_LTLIBRARIES += libplanner/trace/libtrace.la
libplanner_trace_libtrace_la_SOURCES = \
	libplanner/trace/alignment.cpp \
	libplanner/trace/alignment.hpp \
	libplanner/trace/collectives.cpp \
	libplanner/trace/collectives.hpp \
	libplanner/trace/lateness.cpp \
	libplanner/trace/lateness.hpp \
	libplanner/trace/robust_line.cpp \
	libplanner/trace/robust_line.hpp \
	libplanner/trace/timeline.cpp \
	libplanner/trace/timeline.hpp \
	libplanner/trace/waiting.cpp \
	libplanner/trace/waiting.hpp
