# What may a job have, and what does it ask Slurm for?
noinst_LTLIBRARIES += libplanner/request/librequest.la
libplanner_request_librequest_la_SOURCES = \
	libplanner/request/scope/available_gpus.cpp \
	libplanner/request/scope/available_gpus.hpp \
	libplanner/request/checkpoint_signal.hpp \
	libplanner/request/scope/cluster_subset.cpp \
	libplanner/request/scope/cluster_subset.hpp \
	libplanner/request/contract.cpp \
	libplanner/request/contract.hpp \
	libplanner/request/contradiction.cpp \
	libplanner/request/contradiction.hpp \
	libplanner/request/scope/cpu_need.cpp \
	libplanner/request/scope/cpu_need.hpp \
	libplanner/request/decide.cpp \
	libplanner/request/decide.hpp \
	libplanner/request/scope/features.cpp \
	libplanner/request/scope/features.hpp \
	libplanner/request/scope/limits.cpp \
	libplanner/request/scope/limits.hpp \
	libplanner/request/scope/narrowing.cpp \
	libplanner/request/scope/narrowing.hpp \
	libplanner/request/scope/partition.cpp \
	libplanner/request/scope/partition.hpp \
	libplanner/request/rewrite/placement.cpp \
	libplanner/request/rewrite/placement.hpp \
	libplanner/request/rewrite/plain_request.cpp \
	libplanner/request/rewrite/plain_request.hpp \
	libplanner/request/planned.cpp \
	libplanner/request/planned.hpp \
	libplanner/request/rewrite/request_fields.hpp \
	libplanner/request/rewrite/rewrite.cpp \
	libplanner/request/rewrite/rewrite.hpp \
	libplanner/request/scope/scope.cpp \
	libplanner/request/scope/scope.hpp \
	libplanner/request/rewrite/shape.cpp \
	libplanner/request/rewrite/shape.hpp \
	libplanner/request/rewrite/sockets.cpp \
	libplanner/request/rewrite/sockets.hpp \
	libplanner/request/rewrite/spelling.hpp \
	libplanner/request/stated_options.cpp \
	libplanner/request/stated_options.hpp \
	libplanner/request/scope/submission.hpp \
	libplanner/request/without_plan.cpp \
	libplanner/request/without_plan.hpp
