# HORA_BUILD_HARDENED: what makes a bug harder to use, each where the compiler and the linker know it.
# Sets HORA_HARDENING to what the build has, for a test to compare: names of features, or no.
# Called before HORA_PRECOMPILED_HEADERS, whose headers need the same flags as the sources.
AC_DEFUN([HORA_BUILD_HARDENED], [
  AC_ARG_ENABLE([hardening], [AS_HELP_STRING([--disable-hardening],
    [no stack protector, no _FORTIFY_SOURCE, no read-only relocations])])
  HORA_HARDENING=no
  HORA_FORTIFY_FLAG=
  AS_IF([test "$enable_hardening" != no], [
    HORA_HARDENING=
    HORA_HARDEN_COMPILER([stack-protector], [-fstack-protector-strong])
    HORA_HARDEN_COMPILER([stack-clash], [-fstack-clash-protection])
    HORA_HARDEN_COMPILER([control-flow], [-fcf-protection])
    HORA_FORTIFY
    HORA_HARDEN_LINKER([relro], [-Wl,-z,relro], [HORA_LDFLAGS])
    HORA_HARDEN_LINKER([now], [-Wl,-z,now], [HORA_PROGRAM_LDFLAGS])
    HORA_POSITION_INDEPENDENT
    # Slurm's daemons and commands load plugins lazily, as not all of them have every symbol; some
    # compilers and some LDFLAGS say now to whatever they link.
    AX_APPEND_LINK_FLAGS([-Wl,-z,lazy], [HORA_PLUGIN_LIBS])
  ])
  AC_SUBST([HORA_HARDENING])
  AC_SUBST([HORA_FORTIFY_FLAG])
  AC_SUBST([HORA_PROGRAM_LDFLAGS])
  AC_SUBST([HORA_PLUGIN_LIBS])
])

# HORA_HARDEN_COMPILER(FEATURE, FLAG)
AC_DEFUN([HORA_HARDEN_COMPILER], [
  AX_CHECK_COMPILE_FLAG([$2], [
    AX_APPEND_FLAG([$2], [HORA_CXXFLAGS])
    AS_VAR_APPEND([HORA_HARDENING], [" $1"])], [], [-Werror])
])

# HORA_HARDEN_LINKER(FEATURE, FLAG, VARIABLE)
AC_DEFUN([HORA_HARDEN_LINKER], [
  AX_CHECK_LINK_FLAG([$2], [
    AX_APPEND_FLAG([$2], [$3])
    AS_VAR_APPEND([HORA_HARDENING], [" $1"])])
])

# HORA_FORTIFY: the C library's checks need an optimiser, and get in the way of sanitizers, which
# check the same calls. A level that the compiler or the person who builds has set stands. Sets
# HORA_FORTIFY_FLAG to what a build without sanitizers has of it; with UNIT_CXXFLAGS, to what the unit
# tests' sources have.
AC_DEFUN([HORA_FORTIFY], [
  hora_fortified_CXXFLAGS=$CXXFLAGS
  AM_COND_IF([PLAIN_UNITS], [hora_fortified_CXXFLAGS=$UNIT_CXXFLAGS])
  HORA_TRY_FORTIFY([of the compiler or the caller], [], [
#if !defined _FORTIFY_SOURCE
#error "not set"
#endif])
  AS_IF([test $hora_fortify = yes], [
    HORA_TRY_FORTIFY([that has an effect], [], [
#if !defined __OPTIMIZE__ || _FORTIFY_SOURCE < 1
#error "it has none"
#endif])
  ], [
    HORA_TRY_FORTIFY_LEVEL([3])
    AS_IF([test $hora_fortify = no], [HORA_TRY_FORTIFY_LEVEL([2])])
    AS_IF([test "x$enable_sanitizers" != xyes], [HORA_CHECKS=$HORA_FORTIFY_FLAG])
  ])
  AS_IF([test "x$enable_sanitizers" = xyes], [hora_fortify=no])
  AS_IF([test $hora_fortify = yes], [AS_VAR_APPEND([HORA_HARDENING], [" fortify"])])
])

# HORA_TRY_FORTIFY_LEVEL(LEVEL)
AC_DEFUN([HORA_TRY_FORTIFY_LEVEL], [
  HORA_TRY_FORTIFY([$1], [-D_FORTIFY_SOURCE=$1], [
#include <stdlib.h>
#if !defined __OPTIMIZE__ || __USE_FORTIFY_LEVEL < $1
#error "not kept"
#endif])
  AS_IF([test $hora_fortify = yes], [HORA_FORTIFY_FLAG=-D_FORTIFY_SOURCE=$1])
])

# HORA_TRY_FORTIFY(WHAT, FLAG, LINES): sets hora_fortify to whether the lines compile with the flag.
AC_DEFUN([HORA_TRY_FORTIFY], [
  AC_MSG_CHECKING([for _FORTIFY_SOURCE $1])
  hora_save_CXXFLAGS=$CXXFLAGS
  CXXFLAGS="$hora_fortified_CXXFLAGS $2"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[$3]])], [hora_fortify=yes], [hora_fortify=no])
  CXXFLAGS=$hora_save_CXXFLAGS
  AC_MSG_RESULT([$hora_fortify])
])

# HORA_POSITION_INDEPENDENT: programs can be loaded anywhere; most compilers see to it themselves.
AC_DEFUN([HORA_POSITION_INDEPENDENT], [
  AC_MSG_CHECKING([whether programs are position independent by themselves])
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#if !defined __PIE__
#error "not by themselves"
#endif]])], [hora_pie=yes], [hora_pie=no])
  AC_MSG_RESULT([$hora_pie])
  AS_IF([test $hora_pie = yes], [AS_VAR_APPEND([HORA_HARDENING], [" pie"])], [
    AX_CHECK_COMPILE_FLAG([-fPIE], [
      AX_APPEND_FLAG([-fPIE], [HORA_CXXFLAGS])
      AX_APPEND_FLAG([-pie], [HORA_PROGRAM_LDFLAGS])
      AS_VAR_APPEND([HORA_HARDENING], [" pie"])])
  ])
])
