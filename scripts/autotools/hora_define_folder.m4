# HORA_DEFINE_FOLDER(NAME, FOLDER, WHAT)
# Puts a folder of the installation into config.h, with the variables in it expanded.
AC_DEFUN([HORA_DEFINE_FOLDER], [
  AX_RECURSIVE_EVAL([$2], [hora_folder])
  AC_DEFINE_UNQUOTED([$1], ["$hora_folder"], [$3])
])
