/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/resolver.h"

#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unbound.h>

#include "lib/netns.h"
#include "lib/program.h"

#define MUST(call)                                                                                 \
    do {                                                                                           \
        int must_e = (call);                                                                       \
        ck_assert_msg(must_e == 0, "%s: %s", #call, ub_strerror(must_e));                          \
    } while (0)

/* ---- context ------------------------------------------------------------------------------- */

/* Everything but 127.0.0.0/8. */
static void refuse_the_world(struct ub_ctx *ctx)
{
    static const char *const nets[] = {"0.0.0.0/2",   "64.0.0.0/3",  "96.0.0.0/4",
                                       "112.0.0.0/5", "120.0.0.0/6", "124.0.0.0/7",
                                       "126.0.0.0/8", "128.0.0.0/1", "::/0"};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        MUST(ub_ctx_set_option(ctx, "do-not-query-address:", nets[i]));
}

static struct ub_ctx *open_context(uint16_t port)
{
    struct ub_ctx *ctx = ub_ctx_create();
    char at[32];
    ck_assert_ptr_nonnull(ctx);
    (void)snprintf(at, sizeof at, "127.0.0.1@%u", port); /* fits */
    MUST(ub_ctx_set_option(ctx, "do-not-query-localhost:", "no"));
    MUST(ub_ctx_set_option(ctx, "do-ip6:", "no"));
    MUST(ub_ctx_set_option(ctx, "module-config:", "iterator"));
    MUST(ub_ctx_set_option(ctx, "target-fetch-policy:", "0 0 0 0 0"));
    MUST(ub_ctx_set_option(ctx, "so-rcvbuf:", "0"));
    MUST(ub_ctx_set_option(ctx, "so-sndbuf:", "0"));
    if (!netns_is_own())
        refuse_the_world(ctx);
    MUST(ub_ctx_set_stub(ctx, "example.", at, 0));
    MUST(ub_ctx_async(ctx, 1));
    return ctx;
}

/* ---- one look-up --------------------------------------------------------------------------- */

struct pending {
    int done, error;
    struct ub_result *result;
};

static void on_result(void *arg, int error, struct ub_result *result)
{
    struct pending *p = arg;
    *p = (struct pending){1, error, result};
}

static void wait_for(struct ub_ctx *ctx, struct pending *p)
{
    struct pollfd fd = {.fd = ub_fd(ctx), .events = POLLIN};
    while (!p->done) {
        ck_assert_int_eq(poll(&fd, 1, PATIENCE_MS), 1);
        MUST(ub_process(ctx));
    }
    MUST(p->error);
    ck_assert_ptr_nonnull(p->result);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void join_addrs(const ldns_rr_list *answer, struct resolved *out)
{
    char *texts[64], *end = out->addrs;
    size_t n = 0;
    for (size_t i = 0; i < ldns_rr_list_rr_count(answer); i++) {
        const ldns_rr *rr = ldns_rr_list_rr(answer, i);
        ldns_rr_type type = ldns_rr_get_type(rr);
        ck_assert_uint_lt(n, 64);
        if (type == LDNS_RR_TYPE_A || type == LDNS_RR_TYPE_AAAA)
            texts[n++] = ldns_rdf2str(ldns_rr_rdf(rr, 0));
    }
    qsort(texts, n, sizeof *texts, compare_texts);
    for (size_t i = 0; i < n; i++) {
        size_t room = sizeof out->addrs - (size_t)(end - out->addrs);
        int len = snprintf(end, room, "%s%s", i ? " " : "", texts[i]);
        ck_assert_uint_lt((size_t)len, room);
        end += len;
        free(texts[i]);
    }
}

ldns_pkt *resolver_packet(uint16_t port, const char *name, int type)
{
    struct ub_ctx *ctx = open_context(port);
    struct pending p = {0};
    ldns_pkt *packet = NULL;
    int id;
    MUST(ub_resolve_async(ctx, name, type, 1, &p, on_result, &id));
    wait_for(ctx, &p);
    if (p.result->answer_packet)
        ck_assert_int_eq(
            ldns_wire2pkt(&packet, p.result->answer_packet, (size_t)p.result->answer_len),
            LDNS_STATUS_OK);
    ub_resolve_free(p.result);
    ub_ctx_delete(ctx);
    return packet;
}

void resolver_ask(uint16_t port, const char *name, int type, struct resolved *out)
{
    ldns_pkt *p = resolver_packet(port, name, type);
    ck_assert_msg(p != NULL, "%s type %d: no packet", name, type);
    const ldns_rr_list *answer = ldns_pkt_answer(p);
    *out = (struct resolved){.rcode = (int)ldns_pkt_get_rcode(p),
                             .count = (unsigned)ldns_rr_list_rr_count(answer)};
    for (size_t i = 0; i < out->count; i++) {
        uint32_t ttl_s = ldns_rr_ttl(ldns_rr_list_rr(answer, i));
        ck_assert(i == 0 || ttl_s == out->ttl_s);
        out->ttl_s = ttl_s;
    }
    join_addrs(answer, out);
    ldns_pkt_free(p);
}

void resolver_await(uint16_t port, const char *name, int type, const char *addrs, uint32_t ttl_s)
{
    struct resolved r;
    for (int left_ms = PATIENCE_MS;; left_ms -= 20) {
        resolver_ask(port, name, type, &r);
        if (r.rcode == 0 && r.ttl_s == ttl_s && strcmp(r.addrs, addrs) == 0)
            return;
        ck_assert_msg(left_ms > 0, "%s type %d: wanted \"%s\" ttl %u, still rcode %d \"%s\" ttl %u",
                      name, type, addrs, ttl_s, r.rcode, r.addrs, r.ttl_s);
        poll(NULL, 0, 20);
    }
}
