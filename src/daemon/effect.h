/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * effect.h: what rules would change: which items match, and what the resources that depend on them
 * would answer.
 *
 *   127.0.0.11/web: UP/MAX -> DRAIN/MAX
 *   multifo!www: 127.0.0.11 127.0.0.12 -> 127.0.0.12
 *
 * Thread rule: [main], once the monitor is ready.
 */
#ifndef DAEMON_EFFECT_H
#define DAEMON_EFFECT_H

#include "base/attrs.h"
#include "base/buf.h"
#include "health/admin.h"
#include "plug/plugs.h"

struct effect;

/* Of going from one list to another, on the items that `glob` matches. The lists are borrowed. */
struct effect *effect_new(struct plugs *p, const char *glob, const struct admin *before,
                          const struct admin *after);
void effect_free(struct effect *e);
size_t effect_item_count(const struct effect *e);
/* Items and resources, a line each. */
void effect_print(struct effect *e, struct buf *out);
/* Resources that would answer a matched item's address although the list `after` drains it: a line
 * each. How many. */
size_t effect_print_lifted(struct effect *e, struct buf *out);

#endif
