/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/ctl_acme.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/log.h"
#include "wire/dname.h"

/* ACME clients name the record or the name that it is for. */
static const char *without_label(const char *name)
{
    static const char label[] = "_acme-challenge.";
    return strncasecmp(name, label, sizeof label - 1) == 0 ? name + sizeof label - 1 : name;
}

static int add_name(const char *text, struct buf *out)
{
    uint8_t name[DNAME_MAX];
    const char *bare = without_label(text);
    int len = dname_parse(bare, strlen(bare), NULL, name);
    if (len <= 0 || len >= PROTO_CHALLENGE_NAME_MAX) {
        log_error("\"%s\" is no name, or too long for _acme-challenge before it", text);
        return ERR_REFUSED;
    }
    dname_lower(name, (size_t)len);
    buf_add(out, &(char){(char)len}, 1);
    buf_add(out, (const char *)name, (size_t)len);
    return 0;
}

static int add_payload(const char *text, struct buf *out)
{
    if (strlen(text) != PROTO_CHALLENGE_PAYLOAD || text[strspn(text, PROTO_CHALLENGE_CHARS)]) {
        log_error("\"%s\" is no payload: %d characters of A-Z a-z 0-9 - _ are wanted", text,
                  PROTO_CHALLENGE_PAYLOAD);
        return ERR_REFUSED;
    }
    buf_add(out, text, PROTO_CHALLENGE_PAYLOAD + 1); /* its NUL too */
    return 0;
}

static int send_some(struct link *l, char *const *pairs, size_t count)
{
    struct buf data = {0};
    struct proto_header ack;
    int e = 0;
    for (size_t i = 0; i < count && !e; i++) {
        e = add_name(pairs[2 * i], &data);
        if (!e)
            e = add_payload(pairs[2 * i + 1], &data);
    }
    const struct proto_header h = {PROTO_CHALLENGES, (uint32_t)count, (uint32_t)data.len};
    if (!e)
        e = link_send(l, &h, data.data, &ack);
    buf_fini(&data);
    return e ? e : link_not_done(&ack);
}

int ctl_acme_add(struct link *l, const struct ctl_options *o)
{
    for (size_t done = 0; done < o->challenge_count;) {
        size_t count = o->challenge_count - done;
        if (count > PROTO_CHALLENGES_COUNT)
            count = PROTO_CHALLENGES_COUNT;
        int e = send_some(l, o->challenges + 2 * done, count);
        if (e)
            return e;
        done += count;
    }
    log_info("ACME DNS-01 challenges accepted");
    return 0;
}

int ctl_acme_flush(struct link *l, const struct ctl_options *o)
{
    struct proto_header ack;
    (void)o;
    int e = link_ask(l, PROTO_CHALLENGES_FLUSH, &ack);
    if (!e)
        e = link_not_done(&ack);
    if (!e)
        log_info("ACME DNS-01 challenges flushed");
    return e;
}
