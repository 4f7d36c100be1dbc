/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctl_fake.h: a control server in a directory of its own, over calls that only write down what
 * they were asked.  One thread: the test turns the loop itself (fake_turn_until).
 */
#ifndef T_UNIT_CTL_FAKE_H
#define T_UNIT_CTL_FAKE_H

#include <ev.h>
#include <stdbool.h>
#include "base/diag.h"
#include "ctl/server.h"

#define FAKE_VERSION    0x010203u
#define FAKE_STATS      "{\"stats\": 1}\n"
#define FAKE_ZONES      "[]\n"
#define FAKE_WAITING    8
#define FAKE_ORDER_SAID "one\ntwo\n"

struct fake {
    char dir[64]; /* temporary; run_dir is dir/run */
    char run_dir[80];
    struct ev_loop *loop;
    struct ctl_server *server;
    struct ctl_calls calls;
    struct diag d;
    size_t states_len;  /* of the text that `states` gives */
    const char *why;    /* text of W, and of reloads that are answered with one */
    struct buf reloads; /* what the last reload was asked to read */
    int answer_at_once; /* of reload_zones: 1 ok, -1 failed, 0 waits */
    struct ctl_request *waiting[FAKE_WAITING];
    unsigned waiting_count, stop_count;
    bool close_on_stop;
    size_t challenge_count, flush_count; /* of the last request; of all */
    bool refuse_challenges;
    char order[8192]; /* the last one */
    bool refuse_order;
};

void fake_open(struct fake *f);
void fake_close(struct fake *f);
/* Connects to the server's socket; close-on-exec, blocking. */
int fake_connect(const struct fake *f);
/* Turn the loop until is_done(arg); fails the test after 30 s. */
void fake_turn_until(struct fake *f, bool (*is_done)(void *arg), void *arg);
/* What the last reload was asked to read: "name,name," or "all", with "!" if forced. */
const char *fake_reloads(struct fake *f);
/* Byte i of the text of `states`. */
char fake_states_at(size_t i);

#endif
