# HORA_CHECK_SLURM: the plugins need headers only; nothing is run, because a
# program linked with libslurm looks for a controller as soon as it starts.
# Commands that ask the controller link libslurm itself.
AC_DEFUN([HORA_CHECK_SLURM], [
  AC_ARG_WITH([slurm],
    [AS_HELP_STRING([--with-slurm=PREFIX], [Slurm installation to build the plugins for])],
    [AS_CASE([$withval],
      [no], [SLURM_CPPFLAGS=; SLURM_LIBS=],
      [yes], [SLURM_CPPFLAGS=; SLURM_LIBS=-lslurm],
      [SLURM_CPPFLAGS="-isystem $withval/include"; SLURM_LIBS="-L$withval/lib -lslurm"])],
    [with_slurm=check; SLURM_CPPFLAGS=; SLURM_LIBS=-lslurm])
  AC_ARG_WITH([slurm-plugindir],
    [AS_HELP_STRING([--with-slurm-plugindir=DIR],
      [where Slurm looks for plugins @<:@found beside libslurm, else LIBDIR/slurm@:>@])])
  have_slurm=no
  AS_IF([test "x$with_slurm" != xno], [
    hora_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $SLURM_CPPFLAGS"
    have_slurm=yes
    AC_CHECK_HEADERS([slurm/slurm.h slurm/spank.h], [], [have_slurm=no])
    CPPFLAGS=$hora_save_CPPFLAGS
    # The user who reports on a job is known from munge, as between Slurm's own daemons.
    PKG_CHECK_MODULES([MUNGE], [munge], [], [have_slurm=no
      AC_MSG_WARN([libmunge was not found: install libmunge-dev for all that has to do with Slurm])])
    AS_IF([test "$have_slurm$with_slurm" = noyes],
      [AC_MSG_ERROR([Slurm was asked for but its headers or munge's were not found: install libslurm-dev libmunge-dev])])
  ])
  AC_MSG_CHECKING([for the folder of Slurm's plugins])
  slurmplugindir=$with_slurm_plugindir
  AS_IF([test -z "$slurmplugindir"], [
    slurmplugindir='${libdir}/slurm'
    for hora_dir in "${with_slurm%/}/lib/slurm" /usr/lib/*-linux-gnu/slurm-wlm /usr/lib64/slurm \
        /usr/lib/slurm; do
      AS_IF([test -e "$hora_dir/auth_munge.so"], [slurmplugindir=$hora_dir; break])
    done
  ])
  AC_MSG_RESULT([$slurmplugindir])
  AC_SUBST([SLURM_CPPFLAGS])
  AC_SUBST([SLURM_LIBS])
  AC_SUBST([slurmplugindir])
  AM_CONDITIONAL([HAVE_SLURM], [test "$have_slurm" = yes])
  AS_IF([test "$have_slurm" = yes],
    [AC_DEFINE([HAVE_SLURM], [1], [Slurm's headers are present])])
])
