# SPDX-License-Identifier: GPL-3.0-or-later
# THRESH_PKG(VAR, MODULE-SPEC, DEBIAN-PACKAGE): pkg-config, or an error that names the package
AC_DEFUN([THRESH_PKG], [
  PKG_CHECK_MODULES([$1], [$2], [],
    [AC_MSG_ERROR([$2 not found: install Debian's package $3])])
])
# THRESH_LIB(VAR, LIB, HEADER, FUNCTION, DEBIAN-PACKAGE): for libraries that ship no .pc file
AC_DEFUN([THRESH_LIB], [
  AC_CHECK_HEADER([$3], [], [AC_MSG_ERROR([$3 not found: install Debian's package $5])])
  thresh_saved_libs=$LIBS
  AC_CHECK_LIB([$2], [$4], [$1_LIBS=-l$2],
    [AC_MSG_ERROR([lib$2 not found: install Debian's package $5])])
  LIBS=$thresh_saved_libs
  AC_SUBST([$1_LIBS])
])
