# What may a job have, and what does it ask Slurm for?
noinst_LTLIBRARIES += libplanner/request/librequest.la
libplanner_request_librequest_la_SOURCES = \
	libplanner/request/available_gpus.cpp \
	libplanner/request/available_gpus.hpp \
	libplanner/request/checkpoint_signal.hpp \
	libplanner/request/cluster_subset.cpp \
	libplanner/request/cluster_subset.hpp \
	libplanner/request/contract.cpp \
	libplanner/request/contract.hpp \
	libplanner/request/contradiction.cpp \
	libplanner/request/contradiction.hpp \
	libplanner/request/decide.cpp \
	libplanner/request/decide.hpp \
	libplanner/request/features.cpp \
	libplanner/request/features.hpp \
	libplanner/request/limits.cpp \
	libplanner/request/limits.hpp \
	libplanner/request/narrowing.cpp \
	libplanner/request/narrowing.hpp \
	libplanner/request/partition.cpp \
	libplanner/request/partition.hpp \
	libplanner/request/placement.cpp \
	libplanner/request/placement.hpp \
	libplanner/request/plain_request.cpp \
	libplanner/request/plain_request.hpp \
	libplanner/request/planned.cpp \
	libplanner/request/planned.hpp \
	libplanner/request/rewrite.cpp \
	libplanner/request/rewrite.hpp \
	libplanner/request/scope.cpp \
	libplanner/request/scope.hpp \
	libplanner/request/shape.cpp \
	libplanner/request/shape.hpp \
	libplanner/request/sockets.cpp \
	libplanner/request/sockets.hpp \
	libplanner/request/spelling.hpp \
	libplanner/request/stated_options.cpp \
	libplanner/request/stated_options.hpp \
	libplanner/request/submission.hpp \
	libplanner/request/without_plan.cpp \
	libplanner/request/without_plan.hpp
