/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fake_monitor.h: a monitor plugin whose verdicts the test sets, address by address, and which
 * counts what the monitor asks of it.
 *
 *   struct fake fake;  fake_init(&fake, TH_PROBE_UP);
 *   struct service s = fake_service(&fake, interval_ms, timeout_ms);
 *   fake.verdict[2] = HANG;                      of 127.0.0.2, from now on
 *   fake_wait(&rig, &fake.starts, 5);
 *
 * Thread rule: the test writes verdicts, the monitor's thread counts; all are atomic.
 */
#ifndef T_UNIT_FAKE_MONITOR_H
#define T_UNIT_FAKE_MONITOR_H

#include <stdatomic.h>
#include "unit/monitor_rig.h"

#define HANG 0 /* no verdict: the deadline has to end it */

struct fake {
    _Atomic int verdict[256]; /* by the last byte of the address; enum th_verdict or HANG */
    _Atomic int refuse_open;  /* target_open fails */
    _Atomic int starts, cancels, running, running_max, opened, closed;
    _Atomic int burn_ms;  /* probe_start takes this long */
    _Atomic int connects; /* probe_start tells of a connection before it hangs */
};

/* DOWN is told with the cause REFUSED. Thresholds: up 2, ok 2, down 3; the first result decides. */
struct service fake_service(struct fake *fake, uint32_t interval_ms, uint32_t timeout_ms);
void fake_set(struct fake *fake, int verdict);
void fake_init(struct fake *fake, enum th_verdict v);
/* Until *counter is `wanted` at least. */
void fake_wait(struct rig *r, _Atomic int *counter, int wanted);

#endif
