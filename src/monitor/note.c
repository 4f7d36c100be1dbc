/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/note.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"

struct note {
    struct mail mail;
    struct results *results;
    void (*fn)(void *arg);
    void *arg;
    struct slot *dead;
    enum log_level level;
    char text[256]; /* "" = nothing to log */
};

static void deliver(struct mail *mail)
{
    struct note *n = container_of(mail, struct note, mail);
    results_drain(n->results);
    if (n->text[0])
        log_line(n->level, "%s", n->text);
    if (n->fn)
        n->fn(n->arg);
    for (struct slot *s = n->dead, *next; s; s = next) {
        next = s->next;
        slot_free(s);
    }
    results_unref(n->results);
    mem_free(n);
}

static struct note *note_new(struct results *r)
{
    struct note *n = mem_new(struct note);
    n->mail.deliver = deliver;
    n->results = results_ref(r);
    return n;
}

void note_call(struct results *r, struct mbox *main_mbox, void (*fn)(void *arg), void *arg,
               struct slot *dead)
{
    struct note *n = note_new(r);
    n->fn = fn;
    n->arg = arg;
    n->dead = dead;
    mbox_post(main_mbox, &n->mail);
}

void note_log(struct results *r, struct mbox *main_mbox, enum log_level level, const char *fmt, ...)
{
    struct note *n = note_new(r);
    va_list args;
    va_start(args, fmt);
    vsnprintf(n->text, sizeof n->text, fmt, args);
    va_end(args);
    n->level = level;
    mbox_post(main_mbox, &n->mail);
}
