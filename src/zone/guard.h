/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guard.h: may a zone be replaced by what was just read?  What a slip of a script does to a zone is
 * refused; what an operator means, he says with force.
 *
 *   the zone is gone                                            refused
 *   more than options->shrink_limit percent of its records are  refused
 *   no name server in the zone has an address any more          refused
 *   content changed, and the serial stayed or went back         a warning (RFC 1982)
 *
 * Thread rule: [loader].
 */
#ifndef ZONE_GUARD_H
#define ZONE_GUARD_H

#include "base/attrs.h"
#include "zone/load.h"

/* now NULL: the zone is to be dropped. force: refusals become warnings. 0, or ERR_REFUSED with the
 * reason in d. shrink_limit 0 = no guard is set, nothing is told. */
int guard_check(const struct zone_options *o, bool force, const struct zone *was,
                const struct zone *now, struct diag *d) must_check;

#endif
