/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 'O' of the control protocol: whole orders are handed on, anything else ends the connection. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/attrs.h"
#include "ctl/proto.h"
#include "unit/ctl_fake.h"
#include "unit/run.h"

struct reply {
    int fd;
    char bytes[PROTO_HEADER_BYTES + 64];
    size_t len, wanted;
    bool is_end;
};

static bool reply_is_there(void *arg)
{
    struct reply *r = arg;
    ssize_t n = recv(r->fd, r->bytes + r->len, r->wanted - r->len, MSG_DONTWAIT);
    if (n > 0)
        r->len += (size_t)n;
    r->is_end = n == 0 && r->len < r->wanted;
    return r->is_end || r->len == r->wanted;
}

/* Ask, and read a whole reply; false: the connection has ended instead. */
static bool ask(struct fake *f, int fd, uint32_t v, const char *data, uint32_t len, char *key)
{
    uint8_t head[PROTO_HEADER_BYTES];
    proto_print(&(struct proto_header){PROTO_ORDER, v, len}, head);
    ck_assert_int_eq(send(fd, head, sizeof head, 0), sizeof head);
    if (data)
        ck_assert_int_eq(send(fd, data, len, 0), len);
    struct reply r = {.fd = fd, .wanted = PROTO_HEADER_BYTES};
    fake_turn_until(f, reply_is_there, &r);
    if (r.is_end)
        return false;
    struct proto_header ack;
    proto_parse((const uint8_t *)r.bytes, &ack);
    *key = (char)ack.key;
    r.wanted += ack.d;
    ck_assert_uint_le(r.wanted, sizeof r.bytes);
    fake_turn_until(f, reply_is_there, &r);
    return true;
}

#define WHOLE "DRAIN\0a*\0\0007\0why"

START_TEST(whole_orders)
{
    struct fake f;
    char key, wanted[64];
    fake_open(&f);
    int fd = fake_connect(&f);
    ck_assert(ask(&f, fd, 0, WHOLE, sizeof WHOLE, &key));
    ck_assert_int_eq(key, PROTO_OK);
    (void)snprintf(wanted, sizeof wanted, "DRAIN|a*||7|why|%u", (unsigned)getuid()); /* fits */
    ck_assert_str_eq(f.order, wanted);
    f.refuse_order = true;
    ck_assert(ask(&f, fd, PROTO_FORCE | PROTO_DRY_RUN, "\0\0\0\0", 5, &key));
    ck_assert_int_eq(key, PROTO_FAILED);
    (void)snprintf(wanted, sizeof wanted, "|||||%u!?", (unsigned)getuid()); /* fits */
    ck_assert_str_eq(f.order, wanted);
    ck_assert(ask(&f, fd, 0, NULL, 0, &key)); /* the list */
    ck_assert_int_eq(key, PROTO_OK);
    close(fd);
    fake_close(&f);
}
END_TEST

static const struct {
    const char *data;
    uint32_t len;
} bad[] = {
    {"DRAIN\0a\0\0\0", 11 - 1}, /* four words */
    {"DRAIN\0a\0\0\0why", 13},  /* the last one does not end */
    {"D\0a\0\0\0\0\0", 9},      /* six words */
    {"x", 1},
    {"", 1},
    {NULL, PROTO_ORDER_MAX + 1},
    {NULL, UINT32_MAX},
};

START_TEST(anything_else_ends_it)
{
    struct fake f;
    char key;
    fake_open(&f);
    int fd = fake_connect(&f);
    ck_assert(!ask(&f, fd, 0, bad[_i].data, bad[_i].len, &key));
    ck_assert_str_eq(f.order, "");
    close(fd);
    fake_close(&f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("order");
    TCase *t = tcase_create("order");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, whole_orders);
    tcase_add_loop_test(t, anything_else_ends_it, 0, (int)array_len(bad));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
