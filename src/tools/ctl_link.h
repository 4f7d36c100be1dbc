/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctl_link.h: the tool's end of one connection to the control socket.  Nothing here blocks beyond
 * the deadline, which holds for the whole run of the tool.
 *
 *   0              done
 *   ERR_NOTFOUND   nobody listens there
 *   ERR_BUSY       broken, full or out of time: a new connection may do better
 *   ERR_REFUSED    it will not get better; the reason is logged
 *
 * Life: link_open -> link_ask, link_receive ... -> link_close.
 */
#ifndef TOOLS_CTL_LINK_H
#define TOOLS_CTL_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include "base/attrs.h"
#include "base/buf.h"
#include "base/clock.h"
#include "ctl/proto.h"

struct link {
    int fd;
    struct mono deadline;
};

int link_open(const char *path, struct mono deadline, struct link *out) must_check;
/* Send a request; *ack is the header of its answer. */
int link_ask(struct link *l, enum proto_request key, struct proto_header *ack) must_check;
/* The same with v, and h->d bytes of data behind the header. */
int link_send(struct link *l, const struct proto_header *h, const char *data,
              struct proto_header *ack) must_check;
/* What an answer that is not 'A' means; logs it. 0, ERR_BUSY, ERR_REFUSED. */
int link_not_done(const struct proto_header *ack) must_check;
/* The data that follows an ack. */
int link_receive(struct link *l, uint32_t len, struct buf *out) must_check;
/* Wait until the other side ends. 0, or ERR_BUSY: out of time. */
int link_wait_end(struct link *l) must_check;
void link_close(struct link *l);

/* Milliseconds left, for poll; 0: none. */
int deadline_left_ms(struct mono deadline);

#endif
