/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vtree.h: a read configuration as a tree of values.
 *
 *   options => { listen => [ 192.0.2.1, "::1" ] }
 *
 *   hash { options: hash { listen: array [ text "192.0.2.1", text "::1" ] } }
 *
 * Hashes keep the order of the file; look-up by key is by hash table from 9 pairs on.  Every node
 * knows its file, line and column.  A node is the public API's struct th_conf.
 *
 * Life: vscf_parse_* makes a tree -> borrowed nodes are read -> vtree_free.
 * Thread rule: built by one thread; read-only afterwards, then [any].
 */
#ifndef CONF_VTREE_H
#define CONF_VTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <thresh/conf.h>
#include "base/diag.h"

struct vtree; /* the whole: arena, file names, root */

enum vnode_kind { VNODE_TEXT, VNODE_ARRAY, VNODE_HASH };

const struct th_conf *vtree_root(const struct vtree *t);
void vtree_free(struct vtree *t);
/* compat => gdnsd3: numbers and addresses are read as strtoul and getaddrinfo do. */
void vtree_set_lax(struct vtree *t, bool lax);

enum vnode_kind vnode_kind(const struct th_conf *n);
struct diag_loc vnode_loc(const struct th_conf *n);
bool vnode_is_lax(const struct th_conf *n);
/* Unescaped, NUL-terminated; NULL unless VNODE_TEXT. */
const char *vnode_text(const struct th_conf *n);
/* As written, escapes kept (domain names are parsed from this); NULL unless VNODE_TEXT. */
const char *vnode_raw(const struct th_conf *n);
/* Bytes of vnode_text: more than strlen if it holds NUL bytes. */
size_t vnode_text_len(const struct th_conf *n);
/* Array items, hash pairs; a text or a hash taken as a list is 1 and its own item 0. */
size_t vnode_list_count(const struct th_conf *n);
const struct th_conf *vnode_list_at(const struct th_conf *n, size_t i);
/* Pairs of a hash; 0 for others. */
size_t vnode_pair_count(const struct th_conf *n);
const char *vnode_pair_key(const struct th_conf *n, size_t i);
struct diag_loc vnode_pair_loc(const struct th_conf *n, size_t i);
const struct th_conf *vnode_pair_at(const struct th_conf *n, size_t i);
/* NULL = absent, or n is no hash. */
const struct th_conf *vnode_find(const struct th_conf *n, const char *key);

#endif
