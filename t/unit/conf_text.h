/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conf_text.h: what the tests of conf share: parse a text, print a tree, compare messages. */
#ifndef T_UNIT_CONF_TEXT_H
#define T_UNIT_CONF_TEXT_H

#include <check.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "conf/vscf.h"

/* A tree that must parse. */
static inline struct vtree *conf_tree(const char *text, size_t len)
{
    struct diag d = {0};
    struct vtree *t = NULL;
    int e = vscf_parse_mem(text, len, "c", &d, &t);
    ck_assert_msg(e == 0, "%s: %s", text, d.count ? d.entries[0].text : "no message");
    ck_assert_uint_eq(d.count, 0);
    diag_fini(&d);
    return t;
}

static inline struct vtree *conf_tree_of(const char *text)
{
    return conf_tree(text, strlen(text));
}

/* Each message on a line; the diag is emptied. */
static inline char *conf_messages(struct diag *d)
{
    struct buf b = {0};
    for (size_t i = 0; i < d->count; i++)
        buf_printf(&b, "%s%s", i ? "\n" : "", d->entries[i].text);
    diag_fini(d);
    return buf_take(&b);
}

#endif
