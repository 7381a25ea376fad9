if HAVE_ZLIB
check_PROGRAMS += tests/unit/contrib/contrib tests/unit/contrib/nccl/nccl
endif
tests_unit_contrib_contrib_SOURCES = \
	tests/unit/contrib/checkpoint.cpp \
	tests/unit/contrib/digits.cpp \
	tests/unit/contrib/network.cpp \
	tests/unit/contrib/progress.cpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/contrib/shares.cpp
tests_unit_contrib_contrib_CPPFLAGS = $(unit_cppflags)
tests_unit_contrib_contrib_LDADD = contrib/trainer/libtrainer.la libplanner/libreaders.la $(up_to_read) \
	$(ZLIB_LIBS) $(unit_libraries)

# What the NCCL trainer does without a GPU.
tests_unit_contrib_nccl_nccl_SOURCES = \
	tests/unit/contrib/nccl/buckets.cpp \
	tests/unit/contrib/nccl/join.cpp \
	tests/unit/contrib/nccl/passes.cpp \
	tests/unit/contrib/nccl/processes.hpp \
	tests/unit/contrib/nccl/ring_check.cpp \
	tests/unit/contrib/nccl/tcp_exchange.cpp
tests_unit_contrib_nccl_nccl_CPPFLAGS = $(unit_cppflags)
tests_unit_contrib_nccl_nccl_LDADD = contrib/nccl/libranks.la $(unit_libraries)
