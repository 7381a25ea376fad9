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

# HORA_CHECK_ACCELERATOR(NAME, name, header, what for)
AC_DEFUN([HORA_CHECK_ACCELERATOR], [
  AC_ARG_WITH([$2], [AS_HELP_STRING([--with-$2@<:@=PREFIX@:>@], [build $4])])
  have_$2=no
  AS_IF([test "x$with_$2" != xno], [
    AS_CASE([$with_$2], [yes|""], [hora_prefix=/usr/local/$2], [hora_prefix=$with_$2])
    hora_save_CPPFLAGS=$CPPFLAGS
    AS_IF([test -d "$hora_prefix/include"], [$1_CPPFLAGS="-isystem $hora_prefix/include"])
    CPPFLAGS="$CPPFLAGS $$1_CPPFLAGS"
    AC_CHECK_HEADER([$3], [have_$2=yes])
    CPPFLAGS=$hora_save_CPPFLAGS
    AS_IF([test "$have_$2" = no && test -n "$with_$2"],
      [AC_MSG_ERROR([$1 was asked for but $3 was not found below $hora_prefix])])
  ])
  AC_SUBST([$1_CPPFLAGS])
  AM_CONDITIONAL([HAVE_$1], [test "$have_$2" = yes])
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
  hora_absent "Chart.js" $have_charts "left out until it is there: pages, --html (libjs-chart.js)"
  hora_absent "CUDA" $have_cuda "not needed"
  hora_absent "NCCL" $have_nccl "not needed"
  hora_absent "unit tests" $have_tests "left out, and make check fails: install$missing_for_tests"
  hora_absent "benchmarks" $have_benchmark "left out (libbenchmark-dev)"
  hora_absent "SMPI" $have_smpi "left out: make bench-allreduce (libsimgrid-dev)"
  echo
])
