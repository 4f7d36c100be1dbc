/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zone_lib.h: what the tests of src/zone share: options, a bind callback, loading a text. */
#ifndef T_UNIT_ZONE_LIB_H
#define T_UNIT_ZONE_LIB_H

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/mem.h"
#include "zone/load.h"

/* Every apex that a test needs but is not about. */
#define APEX                                                                                       \
    "$TTL 300\n@ SOA ns1 admin 1 7200 900 86400 300\n@ NS ns1\n@ NS ns2\nns1 A 192.0.2.1\n"        \
    "ns2 A 192.0.2.2\n"
#define APEX_LINES 6

/* Knows plugin "p" with the resources "r" (7) and "s" (8). */
static inline int lib_bind(void *arg, const struct zone_bind_ask *ask, struct diag *d,
                           uint32_t *handle)
{
    (void)arg;
    if (strcmp(ask->plugin, "p") != 0)
        return diag_error(d, ask->loc, "no plugin \"%s\"", ask->plugin);
    if (strcmp(ask->resource, "r") != 0 && strcmp(ask->resource, "s") != 0)
        return diag_error(d, ask->loc, "no resource \"%s\"", ask->resource);
    *handle = ask->resource[0] == 'r' ? 7 : 8;
    return 0;
}

static inline struct zone_options lib_options(void)
{
    return (struct zone_options){
        .default_ttl_s = 3600,
        .max_ttl_s = 2419200,
        .min_ttl_s = 5,
        .max_ncache_ttl_s = 900,
        .threads = 1,
        .seed = 12345,
        .bind = lib_bind,
    };
}

static inline int lib_load(const char *name, const char *text, const struct zone_options *o,
                           struct diag *d, struct zone_set **s)
{
    *s = NULL;
    return zone_load_text(name, text, strlen(text), o, d, s);
}

/* A file DIR/NAME with this text. */
static inline void lib_write(const char *dir, const char *name, const char *text)
{
    char *path = mem_printf("%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    mem_free(path);
}

/* The zone of a set of one. */
static inline struct zone *lib_zone(const struct zone_set *s)
{
    struct zone_walk w = {0};
    return zone_set_next(s, &w);
}

/* The node of a name written with its final dot, by the look-up that queries use. */
static inline struct zone_match lib_find(const struct zone_set *s, const char *text)
{
    uint8_t name[DNAME_MAX];
    struct qname q;
    if (dname_parse(text, strlen(text), NULL, name) < 0)
        return (struct zone_match){0};
    qname_set(&q, name, s->seed, s->max_depth);
    const struct zone *z = zone_set_find(s, &q);
    return z ? zone_find(z, &q) : (struct zone_match){0};
}

#endif
