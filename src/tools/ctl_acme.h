/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctl_acme.h: threshctl acme-dns-01 and acme-dns-01-flush: challenges for the daemon to answer.
 *
 *   acme-dns-01 www.example.org PAYLOAD      PAYLOAD: 43 characters of base64url
 */
#ifndef TOOLS_CTL_ACME_H
#define TOOLS_CTL_ACME_H

#include "tools/ctl_link.h"
#include "tools/ctl_options.h"

int ctl_acme_add(struct link *l, const struct ctl_options *o) must_check;
int ctl_acme_flush(struct link *l, const struct ctl_options *o) must_check;

#endif
