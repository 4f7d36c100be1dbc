/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/ctl_order.h"

#include <string.h>

#include "base/err.h"
#include "base/log.h"

static void add_word(struct buf *b, const char *text)
{
    buf_add(b, text, strlen(text) + 1);
}

static void add_seconds(struct buf *b, uint32_t s)
{
    if (s != UINT32_MAX)
        buf_printf(b, "%u", (unsigned)s);
    buf_add(b, "", 1);
}

/* Each line to where it belongs: what is done is information, what is not an error. */
static int show_lines(struct link *l, enum log_level level, uint32_t len)
{
    struct buf text = {0};
    int e = len ? link_receive(l, len, &text) : 0;
    buf_add(&text, "", 1);
    for (char *line = text.data, *end; !e && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        log_line(level, "%s", line);
    }
    buf_fini(&text);
    return e;
}

static int show_answer(struct link *l, const struct ctl_options *o, const struct proto_header *ack)
{
    if (ack->key == PROTO_FAILED) {
        int e = show_lines(l, LOG_LEVEL_ERROR, ack->d);
        return e ? e : ERR_REFUSED;
    }
    int e = link_not_done(ack);
    if (!e)
        e = show_lines(l, LOG_LEVEL_INFO, ack->d);
    if (!e && o->dry_run)
        log_info("dry run: nothing was done");
    return e;
}

int ctl_order(struct link *l, const struct ctl_options *o)
{
    struct buf data = {0};
    struct proto_header ack;
    add_word(&data, o->state);
    add_word(&data, o->glob);
    add_seconds(&data, o->ttl_s);
    add_seconds(&data, o->life_s);
    add_word(&data, o->reason);
    const struct proto_header h = {.key = PROTO_ORDER,
                                   .v = (o->force ? PROTO_FORCE : 0) |
                                        (o->dry_run ? PROTO_DRY_RUN : 0),
                                   .d = (uint32_t)data.len};
    int e = ERR_REFUSED;
    if (data.len > PROTO_ORDER_MAX)
        log_error("pattern and reason are longer than %d bytes", PROTO_ORDER_MAX);
    else
        e = link_send(l, &h, data.data, &ack);
    buf_fini(&data);
    return e ? e : show_answer(l, o, &ack);
}
