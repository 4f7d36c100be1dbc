/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * admin_file.h: STATE_DIR/admin_state, gdnsd's file of forced states, as rules.
 *
 *   192.0.2.1/web => DOWN/33        state by its beginning in any case, then perhaps a TTL
 *   "192.0.2.*"   => DRAIN          DRAIN and MAINT are ours
 *
 * Thread rule: [main].
 */
#ifndef DAEMON_ADMIN_FILE_H
#define DAEMON_ADMIN_FILE_H

#include "base/attrs.h"
#include "base/diag.h"
#include "conf/vtree.h"
#include "health/admin.h"

struct admin_file {
    const char *path;
    bool gdnsd;          /* compat: UP and DOWN only, numbers as strtoul reads them */
    bool is_syntax_only; /* nothing is monitored: as gdnsd, values are not looked at */
    struct wall since;
    struct mono at;
};

/* Append the file's rules to *out. 0, ERR_NOTFOUND and nothing in d, or ERR_REFUSED. */
int admin_file_read(const struct admin_file *f, struct diag *d, struct admin *out) must_check;
/* "DOWN/33" into state and ttl_s of the rule; at: its place, whose text it is. */
int admin_file_parse_state(const char *text, struct diag_loc at, bool gdnsd, struct diag *d,
                           struct admin_rule *out) must_check;

#endif
