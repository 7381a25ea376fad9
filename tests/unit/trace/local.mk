check_PROGRAMS += tests/unit/trace/trace
tests_unit_trace_trace_SOURCES = \
	tests/unit/trace/alignment.cpp \
	tests/unit/trace/collectives.cpp \
	tests/unit/trace/lateness.cpp \
	tests/unit/trace/robust_line.cpp \
	tests/unit/trace/synthetic_job.hpp \
	tests/unit/trace/timeline.cpp \
	tests/unit/trace/waiting.cpp
tests_unit_trace_trace_CPPFLAGS = $(unit_cppflags)
tests_unit_trace_trace_LDADD = $(up_to_trace) $(unit_libraries)
