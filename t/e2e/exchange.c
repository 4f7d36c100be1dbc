/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "e2e/exchange.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/dns.h"

#define array_len(a) (sizeof(a) / sizeof *(a))

static const struct {
    const char *group, *key;
} watched[] = {
    {"tcp", "conns"},        {"tcp", "close_c"},   {"tcp", "close_s_ok"},   {"tcp", "close_s_err"},
    {"tcp", "close_s_kill"}, {"tcp", "recvfail"},  {"tcp", "sendfail"},     {"tcp", "proxy"},
    {"tcp", "proxy_fail"},   {"tcp", "dso_estab"}, {"tcp", "dso_protoerr"}, {"tcp", "dso_typeni"},
    {"stats", "noerror"},    {"stats", "formerr"}, {"stats", "notimp"},     {"stats", "dropped"},
    {"stats", "v6"},
};

struct counts {
    unsigned long v[array_len(watched)];
};

static struct counts read_counts(const struct test_daemon *d)
{
    struct counts c;
    for (size_t i = 0; i < array_len(watched); i++)
        c.v[i] = daemon_counter(d, watched[i].group, watched[i].key);
    return c;
}

/* How much `words` says that key went up. */
static unsigned long wanted(const char *words, const char *key)
{
    size_t len = strlen(key);
    for (const char *p = words; *p; p += strcspn(p, " "), p += strspn(p, " "))
        if (strncmp(p, key, len) == 0 && strchr(" =", p[len]))
            return p[len] == '=' ? strtoul(p + len + 1, NULL, 10) : 1;
    return 0;
}

static void compare(const struct exchange *row, const struct counts *before,
                    const struct counts *after)
{
    for (size_t i = 0; i < array_len(watched); i++) {
        unsigned long up = after->v[i] - before->v[i], want = wanted(row->counted, watched[i].key);
        ck_assert_msg(up == want, "%s: %s went up by %lu, not %lu", row->name, watched[i].key, up,
                      want);
    }
}

static void do_step(int fd, const struct exchange *row, const struct exchange_step *s)
{
    uint8_t reply[DNS_MAX];
    if (s->how != MESSAGE && s->sent_len)
        ck_assert_int_eq(send(fd, s->sent, s->sent_len, MSG_NOSIGNAL), (ssize_t)s->sent_len);
    else if (s->how == MESSAGE)
        dns_send_tcp(fd, (const uint8_t *)s->sent, s->sent_len);
    if (s->how == RAW_UNHEARD)
        return;
    int len = dns_receive_tcp(fd, reply);
    if (!s->want) {
        ck_assert_msg(len == -2, "%s: %d bytes instead of a reset", row->name, len);
        return;
    }
    ck_assert_msg(len >= (int)s->want_len, "%s: a reply of %d bytes", row->name, len);
    ck_assert_msg(s->want_len < LDNS_HEADER_SIZE || len == (int)s->want_len,
                  "%s: a reply of %d bytes", row->name, len);
    ck_assert_msg(memcmp(reply, s->want, s->want_len) == 0, "%s: another reply", row->name);
}

static unsigned long closed(const struct test_daemon *d)
{
    return daemon_counter(d, "tcp", "close_c") + daemon_counter(d, "tcp", "close_s_ok") +
           daemon_counter(d, "tcp", "close_s_err") + daemon_counter(d, "tcp", "close_s_kill");
}

void exchange_run(const struct test_daemon *d, const struct exchange *row, bool v6)
{
    const struct dns_question route = {.port = d->port, .tcp = true, .v6 = v6};
    const struct counts before = read_counts(d);
    int fd = dns_connect(&route), left_ms = PATIENCE_MS;
    for (size_t i = 0; i < EXCHANGE_STEPS && row->steps[i].sent; i++)
        do_step(fd, row, &row->steps[i]);
    close(fd);
    daemon_await_counter(d, "tcp", "conns", before.v[0] + 1);
    while (closed(d) != daemon_counter(d, "tcp", "conns"))
        patience(&left_ms, "the end of the connection");
    const struct counts after = read_counts(d);
    compare(row, &before, &after);
}
