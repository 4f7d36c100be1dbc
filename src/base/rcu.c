/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rcu.h"

#include <signal.h>

#ifdef __SANITIZE_THREAD__
char rcu_tsan_; /* only its address is used */
#endif

static void loop_release(struct ev_loop *loop) EV_NOEXCEPT
{
    (void)loop;
    rcu_offline();
}

static void loop_acquire(struct ev_loop *loop) EV_NOEXCEPT
{
    (void)loop;
    rcu_online();
}

void rcu_start(void)
{
    sigset_t all, saved;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    (void)urcu_qsbr_get_default_call_rcu_data(); /* creates it */
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
}

void rcu_loop(struct ev_loop *loop)
{
    ev_set_loop_release_cb(loop, loop_release, loop_acquire);
}

void rcu_wait(void)
{
    urcu_qsbr_synchronize_rcu();
    rcu_tsan_acquire_();
}

void rcu_later(struct rcu_head *head, void (*free_it)(struct rcu_head *))
{
    rcu_tsan_release_();
    urcu_qsbr_call_rcu(head, free_it);
}

void rcu_settle(void)
{
    urcu_qsbr_barrier();
    rcu_tsan_acquire_();
}
