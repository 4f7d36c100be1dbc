/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schema_parse.h: one text -> one number.  Strict: what could be meant in two ways is refused.
 *
 *   whole number   0  42  0x2a            refused: 010  +1  -1  " 1"
 *   number         2.5  .5  1e3  -1       refused: 010  nan  0x1p3
 *   duration       5  2.5  500ms  1.5h    units ms s m h d; a bare number is seconds
 *   TTL            3600  1h  1d12h        units w d h m s, the larger first, each once
 *
 * lax (compat => gdnsd3): whole numbers, bare ones of durations and TTLs too, as strtoul with base
 * 0 reads them, numbers as strtod does.
 *
 * All: 0, ERR_SYNTAX, or ERR_RANGE if the text is understood but fits no uint32_t (for durations:
 * is no whole number of milliseconds). *out is only written on success. Thread rule: [any].
 */
#ifndef CONF_SCHEMA_PARSE_H
#define CONF_SCHEMA_PARSE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/attrs.h"

int schema_parse_bool(const char *text, bool *out) must_check;
int schema_parse_uint(const char *text, bool lax, uint32_t *out) must_check;
int schema_parse_float(const char *text, bool lax, double *out) must_check;
int schema_parse_duration_ms(const char *text, uint32_t *out) must_check;
int schema_parse_duration_ms_lax(const char *text, uint32_t *out) must_check;
int schema_parse_ttl_s(const char *text, bool lax, uint32_t *out) must_check;

#endif
