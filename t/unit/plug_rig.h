/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plug_rig.h: a generation of multifo, upward and a monitor plugin `nop` on the real host, from the
 * text of a configuration. Slots are made by hand, so every state can be set at will.
 */
#ifndef T_UNIT_PLUG_RIG_H
#define T_UNIT_PLUG_RIG_H

#include "base/diag.h"
#include "conf/vtree.h"
#include "health/registry.h"
#include "plug/plugs.h"

struct rig {
    struct th_host host;
    struct plug_options options;
    struct vtree *tree;
    struct diag d;
    struct plugs *plugs;
    struct slot *slots;
};

/* Negative: refused, with the reasons in r->d; rig_close all the same. */
int rig_open(struct rig *r, const char *text, bool lax);
/* Refused: the test fails. */
void rig_need(struct rig *r, const char *text);
void rig_close(struct rig *r);
size_t find_watch(struct rig *r, const char *desc);
void set_state(struct rig *r, const char *desc, bool down);
/* name: "plugin!resource" */
const struct prepared *answer(struct rig *r, const char *name);
bool says(const struct diag *d, const char *part);

#endif
