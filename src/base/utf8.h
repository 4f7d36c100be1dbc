/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * utf8.h: is it UTF-8 (RFC 3629)?  Neither overlong forms nor surrogates are.  Thread rule: [any].
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character that starts at s, of which there is at least one; 0 = none starts here. */
size_t utf8_len(const uint8_t *s, size_t len);
bool utf8_is_valid(const uint8_t *s, size_t len);

#endif
