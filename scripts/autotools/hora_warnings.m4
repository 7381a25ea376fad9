# HORA_WARNINGS: our own flags live in HORA_CXXFLAGS; CXXFLAGS belongs to the
# person who builds.
AC_DEFUN([HORA_WARNINGS], [
  AC_REQUIRE([AC_PROG_CXX])
  HORA_CXXFLAGS=""
  AX_APPEND_COMPILE_FLAGS([-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual], [HORA_CXXFLAGS])
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [turn warnings into errors])])
  AS_IF([test "$enable_werror" = yes], [AX_APPEND_FLAG([-Werror], [HORA_CXXFLAGS])])
  AC_SUBST([HORA_CXXFLAGS])
])

# HORA_SANITIZERS: --enable-sanitizers builds everything with ASan and UBSan.
AC_DEFUN([HORA_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers], [build with AddressSanitizer and UBSan])])
  AS_IF([test "$enable_sanitizers" = yes], [
    AX_APPEND_FLAG([-fsanitize=address,undefined], [HORA_CXXFLAGS])
    AX_APPEND_FLAG([-fno-sanitize-recover=undefined], [HORA_CXXFLAGS])
    AX_APPEND_FLAG([-fno-omit-frame-pointer], [HORA_CXXFLAGS])
    HORA_LDFLAGS="-fsanitize=address,undefined"
  ])
  dnl Coverage in everything, so that the fuzzers see the parsers' branches.
  AS_IF([test "$enable_fuzzers" = yes],
    [AX_APPEND_COMPILE_FLAGS([-fsanitize=fuzzer-no-link], [HORA_CXXFLAGS], [-Werror])])
  AC_SUBST([HORA_LDFLAGS])
])
