/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.h: the version as the control protocol tells it, major << 16 | minor << 8 | patch. */
#ifndef DAEMON_VERSION_H
#define DAEMON_VERSION_H

#include "config.h"

#define VERSION_NATIVE ((uint32_t)(0 << 16 | 1 << 8 | 0)) /* PACKAGE_VERSION */
#define VERSION_GDNSD  ((uint32_t)(3 << 16 | 8 << 8 | 2)) /* whose clients we answer as */

#endif
