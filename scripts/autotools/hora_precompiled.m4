# HORA_PRECOMPILED_HEADERS: reading the standard library again for each source is more than a third
# of a build, so g++ reads it once. Needs GNU make, for what it takes to have the headers ready
# before the first object; other compilers keep their own forms of precompiled headers.
AC_DEFUN([HORA_PRECOMPILED_HEADERS], [
  AC_ARG_ENABLE([precompiled-headers], [AS_HELP_STRING([--disable-precompiled-headers],
    [read the standard library anew for each source])])
  AC_MSG_CHECKING([whether headers can be precompiled])
  have_precompiled=no
  AS_IF([test "$enable_precompiled_headers" != no && test "x$am__include" = xinclude], [
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[
#if !defined __GNUC__ || defined __clang__
#error "not g++"
#endif
]])], [have_precompiled=yes])
  ])
  AC_MSG_RESULT([$have_precompiled])
  AS_IF([test "$have_precompiled" = yes], [
    # One header serves libraries and programs only if their code is of the same kind.
    AX_APPEND_FLAG([-fPIC], [HORA_CXXFLAGS])
    AS_IF([test "$enable_werror" = yes], [AX_APPEND_FLAG([-Winvalid-pch], [HORA_CXXFLAGS])])
  ])
  # In variables, since automake takes GNU make's functions for a mistake.
  OBJECT_FILES='$(foreach variable,$(filter %_OBJECTS,$(.VARIABLES)),$($(variable)))'
  UNIT_TEST_FILES='$(filter tests/unit/%,$(OBJECT_FILES))'
  # A source of ours that a unit test compiles anew is named after the test.
  UNIT_BUILDS_OF_OURS='$(foreach file,$(filter-out tests/unit/%,$(OBJECT_FILES)),$(if $(findstring /tests_unit_,$(file)),$(file)))'
  AC_SUBST([OBJECT_FILES])
  AC_SUBST([UNIT_TEST_FILES])
  AC_SUBST([UNIT_BUILDS_OF_OURS])
  AM_CONDITIONAL([PRECOMPILED], [test "$have_precompiled" = yes])
])
