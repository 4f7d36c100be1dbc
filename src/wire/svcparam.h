/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * svcparam.h: the parameters of SVCB and HTTPS records (RFC 9460), as they stand in rdata:
 *
 *   key 2 bytes | length 2 bytes | value | next key ...       keys ascending, each once
 *
 *   svcparam_find("alpn", 4)                -> 1
 *   svcparam_fault(params, len, is_alias)   -> NULL, or what is wrong with them
 *
 * Thread rule: [any]; nothing allocates.
 */
#ifndef WIRE_SVCPARAM_H
#define WIRE_SVCPARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

enum svcparam_key {
    SVCPARAM_MANDATORY,
    SVCPARAM_ALPN,
    SVCPARAM_NO_DEFAULT_ALPN,
    SVCPARAM_PORT,
    SVCPARAM_IPV4HINT,
    SVCPARAM_ECH,
    SVCPARAM_IPV6HINT,
    SVCPARAM_DOHPATH,
    SVCPARAM_OHTTP,
    SVCPARAM_COUNT,           /* keys with a name */
    SVCPARAM_INVALID = 65535, /* reserved (RFC 9460 section 14.3.2) */
};

/* Number of a key by name ("port", "key667"), letter case matters; ERR_NOTFOUND. */
int svcparam_find(const char *name, size_t len) must_check;
/* The fault of these parameters as part of a sentence ("key 3 is there twice"), or NULL. */
const char *svcparam_fault(const uint8_t *params, size_t len, bool is_alias);

#endif
