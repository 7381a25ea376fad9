# Optional parts. Each macro sets have_NAME to yes or no and an automake conditional.

AC_DEFUN([HORA_CHECK_ONNX], [
  AC_ARG_WITH([onnx], [AS_HELP_STRING([--without-onnx], [do not read .onnx model files])])
  have_onnx=no
  AS_IF([test "x$with_onnx" != xno], [
    PKG_CHECK_MODULES([PROTOBUF], [protobuf], [have_protobuf=yes], [have_protobuf=no])
    ONNX_CPPFLAGS="-DONNX_ML=1 -DONNX_NAMESPACE=onnx"
    hora_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $ONNX_CPPFLAGS $PROTOBUF_CFLAGS"
    AS_IF([test "$have_protobuf" = yes],
      [AC_CHECK_HEADER([onnx/shape_inference/implementation.h], [have_onnx=yes])])
    CPPFLAGS=$hora_save_CPPFLAGS
    AS_IF([test "$have_onnx" = yes], [ONNX_LIBS="-lonnx -lonnx_proto $PROTOBUF_LIBS"],
      [AS_IF([test "x$with_onnx" = xyes],
        [AC_MSG_ERROR([ONNX was asked for but not found: install libonnx-dev libprotobuf-dev])])])
  ])
  AC_SUBST([ONNX_CPPFLAGS])
  AC_SUBST([ONNX_LIBS])
  AM_CONDITIONAL([HAVE_ONNX], [test "$have_onnx" = yes])
  AS_IF([test "$have_onnx" = yes], [AC_DEFINE([HAVE_ONNX], [1], [.onnx files can be read])])
])

# What the trainers read their images with.
AC_DEFUN([HORA_CHECK_ZLIB], [
  PKG_CHECK_MODULES([ZLIB], [zlib], [have_zlib=yes], [have_zlib=no])
  AM_CONDITIONAL([HAVE_ZLIB], [test "$have_zlib" = yes])
])

AC_DEFUN([HORA_CHECK_MPI], [
  AC_REQUIRE([HORA_CHECK_ZLIB])
  AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi=openmpi|mpich],
    [what the MPI trainer is built with, or --without-mpi @<:@the first that is found@:>@])])
  have_mpi=no
  AS_CASE([$with_mpi],
    [no], [mpi_modules=],
    [openmpi], [mpi_modules="ompi-cxx ompi"],
    [mpich], [mpi_modules=mpich],
    [yes|""], [mpi_modules="ompi-cxx ompi mpich"],
    [AC_MSG_ERROR([--with-mpi=$with_mpi is not known: specify openmpi or mpich])])
  for module in $mpi_modules; do
    AS_IF([test $have_mpi = no], [PKG_CHECK_MODULES([MPI], [$module], [have_mpi=yes], [:])])
  done
  AS_IF([test $have_mpi = no && test -n "$with_mpi" && test "x$with_mpi" != xno],
    [AC_MSG_ERROR([MPI was requested but not found: install libopenmpi-dev or libmpich-dev])])
  AS_IF([test $have_zlib = no], [have_mpi=no])
  AM_CONDITIONAL([HAVE_MPI], [test "$have_mpi" = yes])
])

# Matrix products of the language model, which learns by MPI. Its headers are no code of ours to warn
# of.
AC_DEFUN([HORA_CHECK_LANGUAGE_MODEL], [
  AC_REQUIRE([HORA_CHECK_MPI])
  PKG_CHECK_MODULES([EIGEN], [eigen3], [have_eigen=yes], [have_eigen=no])
  EIGEN_CFLAGS=`echo "$EIGEN_CFLAGS" | sed 's/-I */-isystem /g'`
  AM_CONDITIONAL([HAVE_EIGEN], [test "$have_eigen$have_zlib" = yesyes])
  AS_IF([test "$have_eigen$have_mpi" = yesyes], [have_language_model=yes], [have_language_model=no])
  AM_CONDITIONAL([HAVE_LANGUAGE_MODEL], [test "$have_language_model" = yes])
])

# Pages carry the chart library with them, so it is read when a page is written.
AC_DEFUN([HORA_CHECK_CHARTS], [
  AC_ARG_WITH([chart-js], [AS_HELP_STRING([--with-chart-js=FILE],
    [Chart.js 3 in one file, for --html @<:@/usr/share/javascript/chart.js/chart.min.js@:>@])])
  AS_CASE([$with_chart_js], [yes|no|""],
    [CHART_JS=/usr/share/javascript/chart.js/chart.min.js], [CHART_JS=$with_chart_js])
  AS_IF([test -f "$CHART_JS"], [have_charts=yes], [have_charts=no])
  AS_IF([test "$have_charts" = no && test -n "$with_chart_js" && test "x$with_chart_js" != xno],
    [AC_MSG_ERROR([Chart.js was asked for but $CHART_JS is not there: install libjs-chart.js])])
  AC_DEFINE_UNQUOTED([HORA_CHART_JS], ["$CHART_JS"], [where Chart.js is, for --html])
])

# The NCCL trainer needs nvcc with the CUDA runtime, NCCL, and zlib; without one of them it is left out.
AC_DEFUN([HORA_CHECK_NCCL_TRAINER], [
  AC_REQUIRE([HORA_CHECK_ZLIB])
  AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda@<:@=PREFIX@:>@],
    [build the NCCL trainer with this CUDA @<:@/usr/local/cuda, if it is there@:>@])])
  AC_ARG_WITH([nccl], [AS_HELP_STRING([--with-nccl@<:@=PREFIX@:>@],
    [build the NCCL trainer with this NCCL @<:@/usr/local/nccl or CUDA's, if it is there@:>@])])
  AC_ARG_VAR([NVCC], [compiler for CUDA])
  AC_ARG_VAR([NVCCFLAGS], [its flags; -gencode ones replace the architectures that are built for])
  have_cuda=no
  have_nccl=no
  AS_IF([test "x$with_cuda" != xno && test "x$with_nccl" != xno], [
    HORA_FIND_CUDA
    AS_IF([test $have_cuda = yes], [HORA_FIND_NCCL])
  ])
  missing_for_nccl=
  AS_IF([test $have_cuda = no], [AS_VAR_APPEND([missing_for_nccl], [" CUDA with nvcc"])],
    [test $have_nccl = no], [AS_VAR_APPEND([missing_for_nccl], [" NCCL 2.14 or later"])])
  AS_IF([test $have_zlib = no], [AS_VAR_APPEND([missing_for_nccl], [" zlib1g-dev"])])
  AS_IF([test -z "$missing_for_nccl"], [have_nccl_trainer=yes], [have_nccl_trainer=no])
  AS_CASE([$with_cuda:$with_nccl], [no:*|*:no], [],
    [:], [],
    [AS_IF([test $have_nccl_trainer = no],
      [AC_MSG_ERROR([the NCCL trainer was asked for but something is missing:$missing_for_nccl])])])
  AC_SUBST([CUDA_CPPFLAGS])
  AC_SUBST([CUDA_LIBS])
  AC_SUBST([HORA_NVCCFLAGS])
  AM_CONDITIONAL([HAVE_NCCL_TRAINER], [test "$have_nccl_trainer" = yes])
])

# HORA_TRY_CUDA(WHAT, PREFIX, LIBRARY, INCLUDES, BODY, IF-IT-LINKS): with the CUDA that was found so far
# and what stands below the prefix.
AC_DEFUN([HORA_TRY_CUDA], [
  AC_MSG_CHECKING([for $1 below $2])
  hora_try_CPPFLAGS="$CUDA_CPPFLAGS -isystem $2/include"
  hora_try_LIBS=
  for hora_folder in "$2/lib64" "$2/lib"; do
    AS_IF([test -z "$hora_try_LIBS" && ls "$hora_folder"/lib$3.so* >/dev/null 2>&1],
      [hora_try_LIBS="-L$hora_folder -l$3 -Wl,-rpath,$hora_folder $CUDA_LIBS"])
  done
  hora_try=no
  hora_save_CPPFLAGS=$CPPFLAGS
  hora_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $hora_try_CPPFLAGS"
  LIBS="$hora_try_LIBS $LIBS"
  AS_IF([test -n "$hora_try_LIBS"], [AC_LINK_IFELSE([AC_LANG_PROGRAM([$4], [$5])], [hora_try=yes])])
  CPPFLAGS=$hora_save_CPPFLAGS
  LIBS=$hora_save_LIBS
  AC_MSG_RESULT([$hora_try])
  AS_IF([test $hora_try = yes], [
    CUDA_CPPFLAGS=$hora_try_CPPFLAGS
    CUDA_LIBS=$hora_try_LIBS
    $6])
])

AC_DEFUN([HORA_FIND_CUDA], [
  AS_CASE([$with_cuda], [yes|""], [hora_cuda=/usr/local/cuda], [hora_cuda=$with_cuda])
  AC_PATH_PROG([NVCC], [nvcc], [], [$hora_cuda/bin$PATH_SEPARATOR$PATH])
  AS_IF([test -n "$NVCC"], [
    HORA_TRY_CUDA([CUDA], [$hora_cuda], [cudart],
      [[#include <cuda_runtime_api.h>]], [[int count; return cudaGetDeviceCount(&count);]],
      [HORA_TRY_NVCC])
  ])
])

# For the architectures that this nvcc knows: one each of those that still train, whose code later
# ones of the same generation run as well, and what a driver translates for yet later ones.
AC_DEFUN([HORA_TRY_NVCC], [
  for hora_word in $CXX; do
    AS_CASE([$hora_word], [-*|*ccache], [], [hora_host=$hora_word])
  done
  HORA_NVCCFLAGS="-std=c++20 -ccbin $hora_host -Xcompiler -fPIC"
  AS_CASE([$NVCCFLAGS], [*arch*], [], [
    hora_newest=
    for hora_arch in 75 80 90 100 120; do
      AS_IF([$NVCC --list-gpu-arch 2>/dev/null | grep -qx compute_$hora_arch], [
        AS_VAR_APPEND([HORA_NVCCFLAGS],
          [" -gencode arch=compute_$hora_arch,code=sm_$hora_arch"])
        hora_newest=$hora_arch])
    done
    AS_IF([test -n "$hora_newest"], [AS_VAR_APPEND([HORA_NVCCFLAGS],
      [" -gencode arch=compute_$hora_newest,code=compute_$hora_newest"])])
  ])
  AS_IF([test -z "$NVCCFLAGS"], [NVCCFLAGS=-O2])
  AC_MSG_CHECKING([whether $NVCC compiles C++20 with $hora_host])
  printf '%s\n' '#include <span>' '__global__ void f() {}' 'void g() { f<<<1, 1>>>(); }' >conftest.cu
  AS_IF([$NVCC $HORA_NVCCFLAGS $NVCCFLAGS -c conftest.cu -o conftest.o >&AS_MESSAGE_LOG_FD 2>&1],
    [have_cuda=yes])
  rm -f conftest.cu conftest.o
  AC_MSG_RESULT([$have_cuda])
])

AC_DEFUN([HORA_FIND_NCCL], [
  AS_CASE([$with_nccl], [yes|""], [hora_nccl="/usr/local/nccl $hora_cuda /usr"],
    [hora_nccl=$with_nccl])
  for hora_prefix in $hora_nccl; do
    AS_IF([test $have_nccl = no], [
      HORA_TRY_CUDA([NCCL], [$hora_prefix], [nccl], [[#include <nccl.h>]],
        [[ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
          ncclComm_t communicator;
          ncclUniqueId id;
          return ncclCommInitRankConfig(&communicator, 1, id, 0, &config);]],
        [have_nccl=yes])])
  done
])

AC_DEFUN([HORA_CHECK_TESTS], [
  PKG_CHECK_MODULES([GTEST], [gtest_main gmock], [have_gtest=yes], [have_gtest=no])
  AC_CHECK_HEADER([rapidcheck.h], [have_rapidcheck=yes], [have_rapidcheck=no])
  missing_for_tests=
  AS_IF([test "$have_gtest" = no], [missing_for_tests=" libgtest-dev libgmock-dev"])
  AS_IF([test "$have_rapidcheck" = no],
    [AS_VAR_APPEND([missing_for_tests], [" librapidcheck-dev"])])
  AS_IF([test -z "$missing_for_tests"], [have_tests=yes], [have_tests=no
    AC_MSG_WARN([no unit tests, and make check fails: install$missing_for_tests])])
  AC_SUBST([missing_for_tests])
  AM_CONDITIONAL([HAVE_TESTS], [test "$have_tests" = yes])
])

AC_DEFUN([HORA_CHECK_BENCHMARK], [
  PKG_CHECK_MODULES([BENCHMARK], [benchmark], [have_benchmark=yes], [have_benchmark=no])
  AM_CONDITIONAL([HAVE_BENCHMARK], [test "$have_benchmark" = yes])
])

# SimGrid's compiler for MPI programs in simulated networks.
AC_DEFUN([HORA_CHECK_SMPI], [
  AC_PATH_PROG([SMPICXX], [smpicxx])
  AS_IF([test -n "$SMPICXX"], [have_smpi=yes], [have_smpi=no])
  AM_CONDITIONAL([HAVE_SMPI], [test "$have_smpi" = yes])
])

# libFuzzer comes with clang only; without it the corpus is replayed by a plain main().
AC_DEFUN([HORA_CHECK_FUZZER], [
  AC_ARG_ENABLE([fuzzers],
    [AS_HELP_STRING([--enable-fuzzers], [build the parsers' libFuzzer targets (needs clang++)])])
  AM_CONDITIONAL([ENABLE_FUZZERS], [test "$enable_fuzzers" = yes])
  AS_IF([test "$enable_fuzzers" = yes], [FUZZER_LIBS=-fsanitize=fuzzer])
  AC_SUBST([FUZZER_LIBS])
])

# The table at the end of configure: what was found, and what is left out without it.
AC_DEFUN([HORA_SUMMARY], [
  hora_row() { printf '  %-15s %-4s %s\n' "$[]1" "$[]2" "$[]3"; }
  hora_absent() { test "$[]2" = yes && hora_row "$[]1" yes || hora_row "$[]1" no "$[]3"; }
  echo
  echo "hora $PACKAGE_VERSION will be built with"
  AS_IF([test "$have_slurm" = yes], [hora_row "Slurm" yes "plugins go to $slurmplugindir"],
    [hora_row "Slurm" no "left out: both plugins and the commands that ask Slurm (libslurm-dev libmunge-dev)"])
  hora_row "hwloc" yes
  hora_row "SQLite" yes
  hora_absent "ONNX" $have_onnx "left out: .onnx model files (libonnx-dev libprotobuf-dev)"
  hora_absent "MPI" $have_mpi "left out: the MPI trainer and --hora-allreduce (libopenmpi-dev or libmpich-dev, and zlib1g-dev)"
  hora_absent "language model" $have_language_model "left out: its trainer (MPI as above, and libeigen3-dev)"
  hora_absent "Chart.js" $have_charts "left out until it is there: pages, --html (libjs-chart.js)"
  hora_absent "NCCL trainer" $have_nccl_trainer "left out (needs$missing_for_nccl)"
  hora_absent "unit tests" $have_tests "left out, and make check fails: install$missing_for_tests"
  hora_absent "benchmarks" $have_benchmark "left out (libbenchmark-dev)"
  hora_absent "SMPI" $have_smpi "left out: make bench-allreduce (libsimgrid-dev)"
  echo
])
