/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h: is a text one JSON value (RFC 8259)?  Numbers, strings with escapes, nesting to 16. */
#ifndef T_LIB_JSON_H
#define T_LIB_JSON_H

#include <stdbool.h>

bool json_is_valid(const char *text);

#endif
