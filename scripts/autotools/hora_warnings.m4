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

# HORA_SANITIZERS: --enable-sanitizers builds everything with ASan and UBSan; with UNIT_CXXFLAGS all
# but the unit tests' own sources, whose objects can then be those of a plain build. What that loses:
# an inline function of a header may be linked from a test's object, and arrays of the tests have no
# redzones. In HORA_CHECKS is what looks for mistakes at run time: these, or _FORTIFY_SOURCE
# (HORA_FORTIFY).
AC_DEFUN([HORA_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers], [build with AddressSanitizer and UBSan])])
  AC_ARG_VAR([UNIT_CXXFLAGS],
    [with --enable-sanitizers: CXXFLAGS of the unit tests' own sources, which are built without])
  HORA_CHECKS=
  AS_IF([test "$enable_sanitizers" = yes], [
    AX_APPEND_FLAG([-fsanitize=address,undefined], [HORA_CHECKS])
    AX_APPEND_FLAG([-fno-sanitize-recover=undefined], [HORA_CHECKS])
    AX_APPEND_FLAG([-fno-omit-frame-pointer], [HORA_CHECKS])
    HORA_LDFLAGS="-fsanitize=address,undefined"
  ])
  AC_SUBST([HORA_CHECKS])
  AS_IF([test -n "$UNIT_CXXFLAGS" && test "$enable_sanitizers" != yes],
    [AC_MSG_WARN([UNIT_CXXFLAGS is of no use without --enable-sanitizers])])
  AM_CONDITIONAL([PLAIN_UNITS],
    [test "$enable_sanitizers" = yes && test -n "$UNIT_CXXFLAGS"])
  dnl Coverage in everything, so that the fuzzers see the parsers' branches.
  AS_IF([test "$enable_fuzzers" = yes],
    [AX_APPEND_COMPILE_FLAGS([-fsanitize=fuzzer-no-link], [HORA_CXXFLAGS], [-Werror])])
  AC_SUBST([HORA_LDFLAGS])
])
