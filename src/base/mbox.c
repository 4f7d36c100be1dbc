/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/mbox.h"

#include <stddef.h>

#include "base/attrs.h"

static void mbox_drain(struct mbox *b)
{
    pthread_mutex_lock(&b->lock);
    struct mail *m = b->first;
    b->first = NULL;
    b->last = &b->first;
    pthread_mutex_unlock(&b->lock);
    for (struct mail *next; m; m = next) {
        next = m->next;
        m->deliver(m);
    }
}

static void on_wake(struct ev_loop *loop, ev_async *w, int revents)
{
    (void)loop;
    (void)revents;
    mbox_drain(container_of(w, struct mbox, wake));
}

void mbox_init(struct mbox *b, struct ev_loop *loop)
{
    pthread_mutex_init(&b->lock, NULL);
    b->first = NULL;
    b->last = &b->first;
    b->loop = loop;
    ev_async_init(&b->wake, on_wake);
    ev_async_start(loop, &b->wake);
}

void mbox_post(struct mbox *b, struct mail *m)
{
    m->next = NULL;
    pthread_mutex_lock(&b->lock);
    *b->last = m;
    b->last = &m->next;
    pthread_mutex_unlock(&b->lock);
    ev_async_send(b->loop, &b->wake);
}

void mbox_fini(struct mbox *b)
{
    mbox_drain(b);
    ev_async_stop(b->loop, &b->wake);
    pthread_mutex_destroy(&b->lock);
}
