# What needs no GPU, and has unit tests.
if HAVE_ZLIB
noinst_LTLIBRARIES += contrib/nccl/libranks.la
endif
contrib_nccl_libranks_la_SOURCES = \
	contrib/nccl/arrays.hpp \
	contrib/nccl/buckets.cpp \
	contrib/nccl/buckets.hpp \
	contrib/nccl/host_queue.hpp \
	contrib/nccl/join.cpp \
	contrib/nccl/join.hpp \
	contrib/nccl/operations.hpp \
	contrib/nccl/passes.hpp \
	contrib/nccl/socket.cpp \
	contrib/nccl/socket.hpp \
	contrib/nccl/tcp_exchange.cpp \
	contrib/nccl/tcp_exchange.hpp
contrib_nccl_libranks_la_CPPFLAGS = $(AM_CPPFLAGS)
contrib_nccl_libranks_la_LIBADD = contrib/trainer/libtrainer.la
