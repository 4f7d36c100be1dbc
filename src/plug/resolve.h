/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resolve.h: runs a plugin's resolve() and keeps what it chose.  Internal to this folder, but for
 * the calls that host.c puts into the API's table.
 * Thread rule: [monitor]; resolve_run for a preview [main].
 */
#ifndef PLUG_RESOLVE_H
#define PLUG_RESOLVE_H

#include <thresh/plugin.h>

struct plugs;
struct preview;

/* What resolve() pushes. The monitor has one per generation, since it resolves one at a time. */
struct resolve_scratch {
    unsigned n4, n6;
    uint8_t v4[TH_ADDRS_MAX * 4];
    uint8_t v6[TH_ADDRS_MAX * 16];
};

struct th_ctx {
    struct plugs *plugs;
    struct resolve_scratch *out;
    struct preview *preview; /* NULL: slots and answers as they are */
};

void resolve_host_fill(struct th_host *host);
/* The resource's word; what it answers is in ctx->out. */
struct th_word resolve_run(struct th_ctx *ctx, uint32_t handle);

#endif
