/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.h: what the monitor tells main: a fixed ring of results, one writer, one reader.
 *
 *   monitor: results_push ... results_wake (once per batch)
 *                 |                  \-- mail --> main: results_drain -> on_result
 *                 +-- ring full: transitions go to the spill list, the rest is counted and lost
 *
 * While the spill list is not empty nothing enters the ring, so order is kept: the reader empties
 * the ring, then the list.
 *
 * Life: results_new -> results_ref for each mail under way -> results_close (main, after the
 * monitor ended) -> the last results_unref frees.
 * Thread rule: push and wake [monitor]; drain and close [main]; ref and unref [any].
 */
#ifndef MONITOR_RESULTS_H
#define MONITOR_RESULTS_H

#include "base/mbox.h"
#include "monitor/monitor.h"

/* Results in the ring. 4,096 is 0.4 s of 10,000 probes a second, and main's work is bounded by
 * 10 ms; a smaller one loses history on a busy main, a larger one only costs memory. */
#define RESULTS_CAP 4096u

struct results;

struct results *results_new(struct mbox *main_mbox,
                            void (*on_result)(void *arg, const struct monitor_result *r),
                            void *arg);
struct results *results_ref(struct results *r);
void results_unref(struct results *r);
/* Did the state change (or come to be known) by this result? */
bool result_is_transition(const struct monitor_result *r);
void results_push(struct results *r, const struct monitor_result *result);
/* Tell main that there is something, unless it was told and has not looked yet. */
void results_wake(struct results *r);
void results_drain(struct results *r);
/* No result is delivered after this. */
void results_close(struct results *r);
/* Results that found the ring full and were no transition. [any] */
uint64_t results_lost(const struct results *r);

#endif
