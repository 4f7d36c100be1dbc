/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rdfield.h: the readers of single fields of rdata, between rdtext and the files that hold them.
 * Each reads the current token (and more, where the field has more), appends to w, and leaves p->t
 * on the field's last token; those that run to the record's end leave it there.  On a fault they
 * tell it and return ERR_REFUSED.  What does not fit leaves w failed, which rdtext tells.
 *
 * Thread rule: one thread at a time [loader].
 */
#ifndef ZONE_RDFIELD_H
#define ZONE_RDFIELD_H

#include "wire/cursor.h"
#include "zone/parse.h"

/* --- rdtext --- */

/* Refuse the current token: what is here instead of `wanted`. */
int rdtext_refuse(struct parse *p, const char *wanted);
int rdtext_number(struct parse *p, uint32_t max, uint32_t *v) must_check;
/* ERR_SYNTAX; tells nothing. */
int rdtext_address(const char *text, size_t len, int family, uint8_t addr[16]) must_check;
int rdtext_put_name(struct parse *p, struct writer *w) must_check;
/* The token's bytes, escapes resolved; *len: how many. */
int rdtext_decode(struct parse *p, struct writer *w, size_t *len) must_check;

/* --- rdbin: numbers by name, hexadecimal, base64, sets of types --- */

/* Value of a hexadecimal digit, or -1. */
int rdbin_digit(char c);
int rdbin_time(struct parse *p, struct writer *w) must_check;
int rdbin_type(struct parse *p, struct writer *w) must_check;
int rdbin_cert(struct parse *p, struct writer *w) must_check;
int rdbin_algorithm(struct parse *p, struct writer *w) must_check;
int rdbin_scheme(struct parse *p, struct writer *w) must_check;
/* `groups` of `bytes` each in hexadecimal, with `mark` between them. */
int rdbin_groups(struct parse *p, struct writer *w, unsigned groups, unsigned bytes,
                 char mark) must_check;
int rdbin_hex(struct parse *p, struct writer *w) must_check;                   /* to the end */
int rdbin_base64(struct parse *p, struct writer *w, bool may_miss) must_check; /* to the end */
int rdbin_ipseckey(struct parse *p, struct writer *w) must_check; /* the key; to the end */
int rdbin_salt(struct parse *p, struct writer *w) must_check;
int rdbin_base32(struct parse *p, struct writer *w) must_check;
int rdbin_bitmap(struct parse *p, struct writer *w) must_check; /* to the end */
/* Base64 of one text, without blanks; ERR_SYNTAX. */
int rdbin_decode64(const char *text, size_t len, struct writer *w) must_check;

/* --- rdloc, rdnet, rdsvcb --- */

int rdloc_put(struct parse *p, struct writer *w) must_check; /* to the end */
int rdnet_apl(struct parse *p, struct writer *w) must_check; /* to the end */
int rdnet_gateway(struct parse *p, struct writer *w) must_check;
int rdnet_relay(struct parse *p, struct writer *w) must_check;
int rdsvcb_put(struct parse *p, struct writer *w) must_check; /* to the end */

#endif
