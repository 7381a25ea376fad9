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
	contrib/nccl/ring_check.cpp \
	contrib/nccl/ring_check.hpp \
	contrib/nccl/secret.cpp \
	contrib/nccl/secret.hpp \
	contrib/nccl/socket.cpp \
	contrib/nccl/socket.hpp \
	contrib/nccl/tcp_exchange.cpp \
	contrib/nccl/tcp_exchange.hpp
contrib_nccl_libranks_la_CPPFLAGS = $(AM_CPPFLAGS)
contrib_nccl_libranks_la_LIBADD = contrib/trainer/libtrainer.la

if HAVE_NCCL_TRAINER
noinst_PROGRAMS += contrib/nccl/hora-train-digits-nccl
endif
nccl_trainer_sources = \
	contrib/nccl/communicator.cpp \
	contrib/nccl/communicator.hpp \
	contrib/nccl/gpu.cpp \
	contrib/nccl/gpu.hpp \
	contrib/nccl/gpu_learner.cpp \
	contrib/nccl/gpu_learner.hpp \
	contrib/nccl/gpu_queue.hpp \
	contrib/nccl/kernel_check.cpp \
	contrib/nccl/kernel_check.hpp \
	contrib/nccl/main.cpp
contrib_nccl_hora_train_digits_nccl_SOURCES = $(nccl_trainer_sources) contrib/nccl/passes.cu
contrib_nccl_hora_train_digits_nccl_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(CUDA_CPPFLAGS)
contrib_nccl_hora_train_digits_nccl_LDADD = contrib/nccl/libranks.la $(CUDA_LIBS) $(FMT_LIBS)

# automake knows neither the suffix nor which headers such a file includes.
SUFFIXES = .cu
.cu.o:
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(NVCC) $(HORA_NVCCFLAGS) -I$(top_srcdir) $(NVCCFLAGS) -MD -MP -MF $@.d -c -o $@ $<
-include contrib/nccl/passes.o.d
MOSTLYCLEANFILES += contrib/nccl/passes.o.d
