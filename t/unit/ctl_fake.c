/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/ctl_fake.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"

char fake_states_at(size_t i)
{
    return (char)('a' + i % 23);
}

static void fake_stats(void *arg, struct buf *out)
{
    (void)arg;
    buf_adds(out, FAKE_STATS);
}

static void fake_states(void *arg, struct buf *out)
{
    struct fake *f = arg;
    for (size_t i = 0; i < f->states_len; i++)
        buf_add(out, &(char){fake_states_at(i)}, 1);
}

/* Written down as "name,name," or "all", with "!" if forced. */
static void note_reload(struct fake *f, const struct ctl_reload *what)
{
    buf_clear(&f->reloads);
    for (size_t i = 0; i < what->count; i++)
        buf_printf(&f->reloads, "%s,", what->names[i]);
    buf_printf(&f->reloads, "%s%s", what->count ? "" : "all", what->force ? "!" : "");
}

const char *fake_reloads(struct fake *f)
{
    buf_add(&f->reloads, "", 1);
    f->reloads.len--;
    return f->reloads.data;
}

static void fake_reload(void *arg, const struct ctl_reload *what, struct ctl_request *r)
{
    struct fake *f = arg;
    note_reload(f, what);
    if (f->answer_at_once) {
        const char *text = f->why ? f->why : "";
        ctl_request_done(r, f->answer_at_once > 0, text, strlen(text));
        return;
    }
    ck_assert_uint_lt(f->waiting_count, FAKE_WAITING);
    f->waiting[f->waiting_count++] = r;
}

static void fake_zones(void *arg, struct ctl_request *r)
{
    (void)arg;
    ctl_request_done(r, true, FAKE_ZONES, strlen(FAKE_ZONES));
}

static void fake_why(void *arg, struct buf *out)
{
    struct fake *f = arg;
    buf_adds(out, f->why ? f->why : "");
}

static void fake_stop(void *arg)
{
    struct fake *f = arg;
    f->stop_count++;
    if (!f->close_on_stop)
        return;
    ctl_server_close(f->server);
    f->server = NULL;
}

static bool fake_challenges(void *arg, const uint8_t *data, size_t len, unsigned count)
{
    struct fake *f = arg;
    (void)data;
    (void)len;
    f->challenge_count = count;
    return !f->refuse_challenges;
}

static void fake_flush(void *arg)
{
    struct fake *f = arg;
    f->flush_count++;
}

/* Written down as "STATE glob ttl life reason uid", with "!" if forced, "?" if only asked. */
static bool fake_order(void *arg, const struct ctl_order *o, struct buf *out)
{
    struct fake *f = arg;
    (void)snprintf(f->order, sizeof f->order, "%s|%s|%s|%s|%s|%u%s%s", o->state, o->glob, o->ttl,
                   o->life, o->reason, o->uid, o->force ? "!" : "", o->dry_run ? "?" : "");
    buf_adds(out, FAKE_ORDER_SAID);
    return !f->refuse_order;
}

static void fake_orders(void *arg, struct buf *out)
{
    (void)arg;
    buf_adds(out, FAKE_ZONES);
}

void fake_open(struct fake *f)
{
    *f = (struct fake){.dir = "/tmp/check_ctl.XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(f->dir));
    (void)snprintf(f->run_dir, sizeof f->run_dir, "%s/run", f->dir); /* fits */
    f->calls = (struct ctl_calls){.arg = f,
                                  .version = FAKE_VERSION,
                                  .stats = fake_stats,
                                  .states = fake_states,
                                  .reload_zones = fake_reload,
                                  .zones = fake_zones,
                                  .why = fake_why,
                                  .add_challenges = fake_challenges,
                                  .flush_challenges = fake_flush,
                                  .order = fake_order,
                                  .orders = fake_orders,
                                  .stop = fake_stop};
    f->loop = ev_loop_new(EVFLAG_AUTO);
    ck_assert_int_eq(ctl_server_open(f->loop, f->run_dir, &f->calls, &f->d, &f->server), 0);
}

void fake_close(struct fake *f)
{
    static const char *const names[] = {"run/control.lock", "run/control.sock", "config", "run",
                                        ""};
    char path[128];
    if (f->server)
        ctl_server_close(f->server);
    ev_loop_destroy(f->loop);
    diag_fini(&f->d);
    buf_fini(&f->reloads);
    for (size_t i = 0; i < array_len(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", f->dir, names[i]); /* fits */
        (void)remove(path);                                           /* need not be there */
    }
}

int fake_connect(const struct fake *f)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    (void)snprintf(a.sun_path, sizeof a.sun_path, "%s/control.sock", f->run_dir); /* fits */
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&a, sizeof a), 0);
    return fd;
}

void fake_turn_until(struct fake *f, bool (*is_done)(void *arg), void *arg)
{
    struct mono end = mono_add_ms(mono_now(), 30000);
    while (!is_done(arg)) {
        ck_assert_int_gt(mono_diff_ms(end, mono_now()), 0);
        ev_run(f->loop, EVRUN_NOWAIT);
    }
}
