/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rcu.h: read-copy-update, quiescent-state flavour (liburcu-qsbr).  Readers pay nothing; a writer
 * publishes a new object, then waits (or lets call_rcu wait) until no reader can hold the old one.
 *
 *   thread start   rcu_thread_begin()
 *   sleeping       a thread is *offline while it may sleep*: rcu_offline() ... rcu_online()
 *                  around the system call, or rcu_loop() once for a libev loop
 *   reading        p = rcu_load(&pointer); valid until the thread goes offline
 *   writing        rcu_publish(&pointer, new); rcu_wait() [loader only, never while online];
 *                  or rcu_later(&obj->head, free_it)
 *   thread end     rcu_thread_end()
 *
 * A thread that blocks while online stalls every writer; that is the one mistake to avoid.
 */
#ifndef BASE_RCU_H
#define BASE_RCU_H

#include <ev.h>
#include <urcu/urcu-qsbr.h>

/* ThreadSanitizer does not see that a grace period orders readers before it and frees after it. */
#ifdef __SANITIZE_THREAD__
void __tsan_acquire(void *);
void __tsan_release(void *);
#define rcu_tsan_release_() __tsan_release(&rcu_tsan_)
#define rcu_tsan_acquire_() __tsan_acquire(&rcu_tsan_)
extern char rcu_tsan_;
#else
#define rcu_tsan_release_() ((void)0)
#define rcu_tsan_acquire_() ((void)0)
#endif

#define rcu_load(pp)          __atomic_load_n((pp), __ATOMIC_ACQUIRE)
#define rcu_publish(pp, newp) __atomic_store_n((pp), (newp), __ATOMIC_RELEASE)

/* Start the thread that frees what rcu_later was given, with all signals blocked. [main], once,
 * after any fork and before other threads. */
void rcu_start(void);

static inline void rcu_thread_begin(void)
{
    urcu_qsbr_register_thread();
}

static inline void rcu_thread_end(void)
{
    rcu_tsan_release_();
    urcu_qsbr_unregister_thread();
}

static inline void rcu_offline(void)
{
    rcu_tsan_release_();
    urcu_qsbr_thread_offline();
}

static inline void rcu_online(void)
{
    urcu_qsbr_thread_online();
    rcu_tsan_acquire_();
}

/* Make the calling thread's loop go offline whenever it polls. */
void rcu_loop(struct ev_loop *loop);
/* Wait for a grace period. The caller may be registered; it is offline meanwhile. */
void rcu_wait(void);
/* free_it(head) runs in the call_rcu thread after a grace period, and begins with rcu_later_begin.
 * [registered threads] */
void rcu_later(struct rcu_head *head, void (*free_it)(struct rcu_head *));
static inline void rcu_later_begin(void)
{
    rcu_tsan_acquire_();
}
/* Wait until everything passed to rcu_later so far was freed. [main, at stop] */
void rcu_settle(void);

#endif
