check_PROGRAMS += tests/unit/request/request
tests_unit_request_request_SOURCES = \
	tests/unit/request/scope/available_gpus.cpp \
	tests/unit/request/cluster.hpp \
	tests/unit/request/scope/cluster_subset.cpp \
	tests/unit/request/contract.cpp \
	tests/unit/request/contradiction.cpp \
	tests/unit/request/scope/cpu_need.cpp \
	tests/unit/request/decide.cpp \
	tests/unit/request/scope/features.cpp \
	tests/unit/request/scope/limits.cpp \
	tests/unit/request/scope/narrowing.cpp \
	tests/unit/request/rewrite/placement.cpp \
	tests/unit/request/planned.cpp \
	tests/unit/request/rewrite/plain_request.cpp \
	tests/unit/request/rewrite/rewrite.cpp \
	tests/unit/request/rewrite/shape.cpp \
	tests/unit/request/rewrite/sockets.cpp \
	tests/unit/request/scene.hpp \
	tests/unit/request/scope/partition.cpp \
	tests/unit/request/scope/scope.cpp \
	tests/unit/request/stated_options.cpp \
	tests/unit/request/without_plan.cpp
tests_unit_request_request_CPPFLAGS = $(unit_cppflags)
tests_unit_request_request_LDADD = libplanner/report/libreport.la $(up_to_request) $(unit_libraries)
