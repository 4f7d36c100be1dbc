/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mbox.h: a mailbox: work handed to the thread that owns the mailbox and run there by its loop.
 *
 *   struct attach_mail { struct mail mail; ... };        mail first, or use container_of
 *   mbox_post(&monitor->mbox, &m->mail);                 [any]
 *   ... the owner's loop calls m->mail.deliver(&m->mail) [owner]
 *
 * Ownership of the mail moves to deliver().  Order is kept per sender.
 * Life: mbox_init [owner, before posts] -> mbox_post ... -> mbox_fini [owner, after posts],
 * which delivers what is still inside.
 */
#ifndef BASE_MBOX_H
#define BASE_MBOX_H

#include <ev.h>
#include <pthread.h>

struct mail {
    struct mail *next;
    void (*deliver)(struct mail *);
};

struct mbox {
    pthread_mutex_t lock;
    struct mail *first, **last;
    struct ev_loop *loop;
    ev_async wake;
};

void mbox_init(struct mbox *b, struct ev_loop *loop);
void mbox_post(struct mbox *b, struct mail *m);
void mbox_fini(struct mbox *b);

#endif
