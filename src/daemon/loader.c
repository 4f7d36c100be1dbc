/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "daemon/loader.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "base/mem.h"

/* Loading gives way to answering and probing. */
#define LOADER_NICE 10

struct loader {
    struct mbox *main_mbox;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct loader_job *first, **last;
    bool stopping;
};

/* The next job, or NULL when stopping and nothing is left. */
static struct loader_job *loader_take(struct loader *l)
{
    pthread_mutex_lock(&l->lock);
    while (!l->first && !l->stopping)
        pthread_cond_wait(&l->changed, &l->lock);
    struct loader_job *j = l->first;
    if (j) {
        l->first = j->next;
        if (!l->first)
            l->last = &l->first;
    }
    pthread_mutex_unlock(&l->lock);
    return j;
}

static void deliver(struct mail *m)
{
    struct loader_job *j = container_of(m, struct loader_job, mail);
    j->done(j);
}

static void *loader_run(void *arg)
{
    struct loader *l = arg;
    (void)setpriority(PRIO_PROCESS, 0, LOADER_NICE); /* of this thread; best effort */
    for (struct loader_job *j; (j = loader_take(l));) {
        j->run(j);
        if (j->done) {
            j->mail.deliver = deliver;
            mbox_post(l->main_mbox, &j->mail);
        }
    }
    return NULL;
}

struct loader *loader_start(struct mbox *main_mbox)
{
    struct loader *l = mem_new(struct loader);
    sigset_t all, saved;
    l->main_mbox = main_mbox;
    l->last = &l->first;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    int e = pthread_create(&l->thread, NULL, loader_run, l);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (e == 0)
        return l;
    mem_free(l);
    return NULL;
}

void loader_submit(struct loader *l, struct loader_job *j)
{
    j->next = NULL;
    pthread_mutex_lock(&l->lock);
    *l->last = j;
    l->last = &j->next;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

void loader_stop(struct loader *l)
{
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    l->stopping = true;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
    pthread_join(l->thread, NULL);
    pthread_mutex_destroy(&l->lock);
    pthread_cond_destroy(&l->changed);
    mem_free(l);
}
