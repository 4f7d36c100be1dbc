/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cookies.h: where keys of DNS cookies come from.
 *
 *   cookie_key_file     32 raw bytes, of which gdnsd's and our keys are derived
 *   cookie_secret_file  one secret of RFC 9018 per line, 32 hexadecimal digits: the first makes
 *                       cookies, all verify.  NSD's and Unbound's files are read too: a line may
 *                       begin with "active:" or "staging:"
 *   neither             RUN_DIR/cookie.autokey, made where missing
 *
 * Thread rule: [main].
 */
#ifndef DAEMON_COOKIES_H
#define DAEMON_COOKIES_H

#include "answer/cookie.h"
#include "base/diag.h"
#include "daemon/options.h"

/* Read the files that are named; *out is NULL if none is, or cookies are off. ERR_REFUSED with the
 * reason in d. */
int cookies_read(const struct cookie_files *f, struct diag *d, struct cookie_keys **out) must_check;
/* Keys of our own, from RUN_DIR/cookie.autokey. What cannot be read or kept is a warning: keys are
 * then lost with the process. */
struct cookie_keys *cookies_auto(const char *run_dir, bool gdnsd);

#endif
