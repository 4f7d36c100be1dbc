/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/ctl_actions.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "tools/ctl_acme.h"
#include "tools/ctl_order.h"
#include "tools/ctl_link.h"

/* gdnsd's; a daemon that restarts is there again after one or two. */
#define RETRY_MS 1000

static int ask(struct link *l, enum proto_request key, struct proto_header *ack)
{
    int e = link_ask(l, key, ack);
    return e ? e : link_not_done(ack);
}

static int show_status(struct link *l, const struct ctl_options *o)
{
    (void)o;
    struct proto_header ack;
    int e = ask(l, PROTO_INFO, &ack);
    if (!e)
        log_info("version %u.%u.%u running at PID %u", ack.v >> 16, ack.v >> 8 & 0xff, ack.v & 0xff,
                 ack.d);
    return e;
}

/* stdout may be a pipe that nobody reads: a write of 4096 bytes does not block after POLLOUT. */
static int write_stdout(const struct link *l, const struct buf *text)
{
    struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
    for (size_t done = 0; done < text->len;) {
        int left_ms = deadline_left_ms(l->deadline);
        if (!left_ms)
            return ERR_BUSY;
        if (poll(&p, 1, left_ms) <= 0)
            continue;
        size_t piece = text->len - done < 4096 ? text->len - done : 4096;
        ssize_t n = write(STDOUT_FILENO, text->data + done, piece);
        if (n >= 0) {
            done += (size_t)n;
        } else if (errno != EINTR && errno != EAGAIN) {
            log_error("cannot write to stdout: %s", strerror(errno));
            return ERR_REFUSED;
        }
    }
    return 0;
}

static int show_json(struct link *l, enum proto_request key)
{
    struct proto_header ack;
    struct buf json = {0};
    int e = ask(l, key, &ack);
    if (!e)
        e = link_receive(l, ack.d, &json);
    if (!e)
        e = write_stdout(l, &json);
    buf_fini(&json);
    return e;
}

static int show_stats(struct link *l, const struct ctl_options *o)
{
    (void)o;
    return show_json(l, PROTO_STATS);
}

static int show_states(struct link *l, const struct ctl_options *o)
{
    (void)o;
    return show_json(l, PROTO_STATES);
}

static int show_zones(struct link *l, const struct ctl_options *o)
{
    (void)o;
    return show_json(l, PROTO_ZONES);
}

static int show_overrides(struct link *l, const struct ctl_options *o)
{
    (void)o;
    return show_json(l, PROTO_ORDER);
}

/* ---- reload-zones --------------------------------------------------------------------------- */

static void log_each_line(enum log_level level, char *text)
{
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        log_line(level, "%s", line);
}

/* Log the text that is announced, a line each. */
static void show_text(struct link *l, enum log_level level, uint32_t len)
{
    struct buf text = {0};
    if (len && link_receive(l, len, &text) == 0) {
        buf_add(&text, "", 1);
        log_each_line(level, text.data);
    }
    buf_fini(&text);
}

/* gdnsd does not know 'W'; then its log alone has the reasons. */
static void ask_why(struct link *l)
{
    struct proto_header ack;
    if (link_ask(l, PROTO_WHY, &ack) == 0 && ack.key == PROTO_OK)
        show_text(l, LOG_LEVEL_ERROR, ack.d);
}

static int ask_reload(struct link *l, const struct ctl_options *o, struct proto_header *ack)
{
    struct buf names = {0};
    if (!o->force && !o->zone_count)
        return link_ask(l, PROTO_RELOAD_ZONES, ack);
    for (size_t i = 0; i < o->zone_count; i++)
        buf_add(&names, o->zones[i], strlen(o->zones[i]) + 1);
    const struct proto_header h = {
        .key = PROTO_RELOAD_NAMED, .v = o->force ? PROTO_FORCE : 0, .d = (uint32_t)names.len};
    int e = ERR_REFUSED;
    if (names.len > PROTO_NAMES_MAX)
        log_error("these are too many names; reload all zones");
    else
        e = link_send(l, &h, names.data, ack);
    buf_fini(&names);
    return e;
}

static int reload_zones(struct link *l, const struct ctl_options *o)
{
    struct proto_header ack;
    int e = ask_reload(l, o, &ack);
    if (e)
        return e;
    if (ack.key == PROTO_FAILED) {
        log_error("Reload transaction failed: the zone data in use is unchanged");
        if (ack.d)
            show_text(l, LOG_LEVEL_ERROR, ack.d);
        else
            ask_why(l);
        return ERR_REFUSED;
    }
    e = link_not_done(&ack);
    if (e)
        return e;
    show_text(l, LOG_LEVEL_WARNING, ack.d);
    log_info("Zone data reloaded");
    return 0;
}

static int stop(struct link *l, const struct ctl_options *o)
{
    (void)o;
    struct proto_header ack;
    int e = ask(l, PROTO_STOP, &ack);
    if (e)
        return e;
    e = link_wait_end(l);
    if (e)
        log_error("the daemon has agreed to stop and still runs");
    else
        log_info("Stop command successful, daemon exited");
    return e;
}

static int run_once(const struct ctl_options *o, const char *path, struct mono deadline)
{
    static int (*const calls[])(struct link *, const struct ctl_options *) = {
        [ACTION_STATUS] = show_status,
        [ACTION_STATS] = show_stats,
        [ACTION_STATES] = show_states,
        [ACTION_RELOAD_ZONES] = reload_zones,
        [ACTION_STOP] = stop,
        [ACTION_ZONES] = show_zones,
        [ACTION_FORCE] = ctl_order,
        [ACTION_DRAIN] = ctl_order,
        [ACTION_MAINT] = ctl_order,
        [ACTION_CLEAR] = ctl_order,
        [ACTION_OVERRIDES] = show_overrides,
        [ACTION_ACME] = ctl_acme_add,
        [ACTION_ACME_FLUSH] = ctl_acme_flush,
    };
    struct link l;
    log_debug("connecting to %s", path);
    int e = link_open(path, deadline, &l);
    if (e)
        return e;
    e = calls[o->action](&l, o);
    link_close(&l);
    return e;
}

/* false: the time is over. */
static bool pause_before_retry(struct mono deadline)
{
    int left_ms = deadline_left_ms(deadline);
    (void)poll(NULL, 0, left_ms < RETRY_MS ? left_ms : RETRY_MS); /* a signal: try earlier */
    return deadline_left_ms(deadline) > 0;
}

static enum ctl_exit finish(int e, const char *path)
{
    if (e == ERR_REFUSED)
        return CTL_EXIT_FAILED;
    if (e == ERR_NOTFOUND)
        log_error("no daemon listens on %s", path);
    else if (e)
        log_error("no answer from %s in time", path);
    return e ? CTL_EXIT_NO_DAEMON : CTL_EXIT_OK;
}

enum ctl_exit ctl_action_run(const struct ctl_options *o, const char *run_dir, struct mono deadline)
{
    char *path = mem_printf("%s/control.sock", run_dir);
    int e = run_once(o, path, deadline);
    while (e == ERR_BUSY && pause_before_retry(deadline)) {
        log_debug("trying again");
        e = run_once(o, path, deadline);
    }
    enum ctl_exit result = finish(e, path);
    mem_free(path);
    return result;
}
