/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * monitor.h: the monitor thread: one libev loop that probes what attached generations watch,
 * turns results into state words, and prepares the answers that depend on them.
 *
 *   main --attach(plugs)--> monitor: slots, targets, first round, prepare --ready--> main
 *   probe done -> flap_step -> slot word -> plugs_mark -> plugs_prepare -> the next query sees it
 *                     \-> result ring --> main: log line, history
 *   main --rules--> what an administrator says of a slot --> its word, likewise
 *
 * Life: monitor_new -> monitor_start -> attach/detach ... -> monitor_stop (joins) -> monitor_free.
 * Thread rule: calls below are [main] unless said otherwise; everything inside runs on the
 * monitor's own thread.  ready() and done() run on main, through main's mailbox.
 */
#ifndef MONITOR_MONITOR_H
#define MONITOR_MONITOR_H

#include <stdbool.h>
#include <stdint.h>
#include "base/attrs.h"
#include "base/clock.h"
#include "base/mbox.h"
#include "health/registry.h"
#include "plug/plugs.h"
#include "stats/counters.h"

/* One finished probe attempt. slot is borrowed: main drains the ring before it acts on done(). */
struct monitor_result {
    const struct slot *slot;
    struct mono at;
    enum th_verdict verdict;
    enum th_cause cause;
    uint32_t latency_us;
    struct th_word before, after; /* what the probes found, whatever is forced */
    uint32_t fail, succ;          /* counters after the step */
    uint32_t counted, among;      /* of a transition: results that led to it, of how many */
    uint32_t rise;                /* successes that a way up needs now, if damped; else 0 */
    bool first;                   /* the item's first result */
    char text[80];
};

struct monitor_options {
    struct mbox *main_mbox;
    /* Called on main for each result, in order. */
    void (*on_result)(void *arg, const struct monitor_result *r);
    void *arg;
    /* What plugins are handed; copied, probing calls filled in. NULL: probing calls only. */
    const struct th_host *host;
    uint32_t max_in_flight; /* attempts under way at once; 0 = SCHED_IN_FLIGHT */
};

struct monitor;

/* Fill the probing calls of the plugin API's table. [any] */
void monitor_host_fill(struct th_host *host);

struct monitor *monitor_new(const struct monitor_options *options);
int monitor_start(struct monitor *m) must_check;
/* Make slots and targets for every watch of p, run the first round at once, prepare every answer.
 * ready(arg) is posted to main when no item of p is PENDING, or after wait_ms; with 0 when each
 * item was attempted once, so that what cannot be probed (NOTRUN) does not hold up for ever.
 * It is not called if p is detached, or the monitor stopped, before. */
void monitor_attach(struct monitor *m, struct plugs *p, uint32_t wait_ms, void (*ready)(void *arg),
                    void *arg);
/* Forget p: cancel probes nobody else wants; done(arg) is posted to main. No reader may hold p. */
void monitor_detach(struct monitor *m, struct plugs *p, void (*done)(void *arg), void *arg);
/* Force and drain items as these rules say, from now on; takes a reference of its own. Rules that
 * are set before an attach hold in its first answers. */
void monitor_set_rules(struct monitor *m, struct admin *rules);
/* Probes are cancelled, everything attached is detached, the thread has ended on return, and its
 * last results were passed to on_result. Words stay readable until monitor_free. */
void monitor_stop(struct monitor *m);
void monitor_free(struct monitor *m);
/* Nanoseconds (monotonic) of the loop's last turn; [any]. */
int64_t monitor_heartbeat_ns(const struct monitor *m);
/* What is counted of probes; [any] may read. */
const struct counters *monitor_counters(const struct monitor *m);
/* Pass what is in the result ring to on_result now. */
void monitor_drain_results(struct monitor *m);
/* Results that main was too late for; never one that changed a state. [any] */
uint64_t monitor_lost_results(const struct monitor *m);

#endif
