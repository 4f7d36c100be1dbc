/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json.h: any bytes as a JSON string (RFC 8259, section 7), quotes included.
 *
 *   a"b\<LF>\xe9   ->   "a\"b\\\u000a\u00e9"
 *
 * Valid UTF-8 passes; a byte that is none is written as \u00XX, so that the result is valid
 * whatever the name of an item was.  Thread rule: [any].
 */
#ifndef STATS_JSON_H
#define STATS_JSON_H

#include <stddef.h>
#include "base/buf.h"

void json_add_text(struct buf *out, const char *text, size_t len);

#endif
