# A driver that stands in for CUDA's; -rpath makes libtool build a shared library of it.
check_LTLIBRARIES += tests/cuda/libcuda.la
tests_cuda_libcuda_la_SOURCES = tests/cuda/stub.cpp
tests_cuda_libcuda_la_LDFLAGS = -module -shared -avoid-version -rpath /nonexistent
dist_check_SCRIPTS += tests/cuda/check-measure
