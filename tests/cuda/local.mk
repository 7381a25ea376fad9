# A driver that stands in for CUDA's; -rpath makes libtool build a shared library of it.
check_LTLIBRARIES += tests/cuda/libcuda.la
tests_cuda_libcuda_la_SOURCES = tests/cuda/stub.cpp
tests_cuda_libcuda_la_LDFLAGS = -module -shared -avoid-version -rpath /nonexistent
dist_check_SCRIPTS += tests/cuda/check-measure

# The NCCL trainer over devices that stand in for CUDA's and NCCL's.
if HAVE_NCCL_TRAINER
check_DATA = tests/cuda/train-digits-without-gpu
endif
EXTRA_PROGRAMS += tests/cuda/train-digits-without-gpu
tests_cuda_train_digits_without_gpu_SOURCES = $(nccl_trainer_sources) tests/cuda/devices.cpp
tests_cuda_train_digits_without_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(CUDA_CPPFLAGS)
tests_cuda_train_digits_without_gpu_LDADD = contrib/nccl/libranks.la $(FMT_LIBS)
CLEANFILES += tests/cuda/train-digits-without-gpu
dist_check_SCRIPTS += tests/cuda/check-trainer
