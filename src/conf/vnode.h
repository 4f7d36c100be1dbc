/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vnode.h: how the values of a tree lie in memory, and the calls that build them; for vscf and
 * schema only.  Everybody else reads through vtree.h.
 *
 *   th_conf (32 bytes)   text  -> "unescaped\0" ["raw\0" where the two differ]
 *                        array -> varray: items, and their texts if all are texts
 *                        hash  -> vhash: pairs in the order of the file, a map from 9 pairs on
 *
 * Life: vtree_new -> vnode_new_* ... -> vtree_set_root; all nodes die with the tree.
 * Thread rule: [loader].
 */
#ifndef CONF_VNODE_H
#define CONF_VNODE_H

#include "base/hashmap.h"
#include "conf/vtree.h"

/* Up to here a scan over the keys is cheaper than a map with its allocation. */
#define VHASH_SCAN_MAX 8

/* A column beyond this is shown as this; 29 bits keep a node at 32 bytes. */
#define VPLACE_COL_MAX ((1u << 29) - 1)

struct vfile {
    const char *name;
    struct vtree *tree;
};

struct vplace {
    const struct vfile *file;
    uint32_t line, col;
};

struct varray {
    const struct th_conf *const *nodes;
    const char *const *texts; /* NULL if an item is no text */
};

struct vpair {
    const struct th_conf *key; /* a text */
    const struct th_conf *value;
};

struct vhash {
    struct vhash *next; /* of the tree, for its end */
    const struct vpair *pairs;
    struct hashmap map; /* key -> index of its pair; empty up to VHASH_SCAN_MAX pairs */
};

struct th_conf {
    const struct vfile *file;
    uint32_t line;
    uint32_t col : 29, kind : 2, has_raw : 1;
    uint32_t count; /* text: bytes; array: items; hash: pairs */
    union {
        const char *text;
        const struct varray *array;
        const struct vhash *hash;
    };
};

/* A hash that is being read. {0} to start; pairs are borrowed nodes. */
struct vhash_draft {
    struct vpair *pairs;
    size_t count, cap;
    struct hashmap map;
};

struct vtree *vtree_new(void);
void vtree_set_root(struct vtree *t, const struct th_conf *root);
const struct vfile *vtree_add_file(struct vtree *t, const char *name);

/* raw: as written, with valid escapes. A literal NUL byte is kept as \000 in vnode_raw. */
const struct th_conf *vnode_new_text(struct vtree *t, struct vplace place, const char *raw,
                                     size_t raw_len);
const struct th_conf *vnode_new_array(struct vtree *t, struct vplace place,
                                      const struct th_conf *const *nodes, size_t count);
/* The draft is consumed. */
const struct th_conf *vnode_new_hash(struct vtree *t, struct vplace place,
                                     struct vhash_draft *draft);

/* 0, or ERR_EXISTS and *earlier = the key that is there. */
int vhash_draft_put(struct vhash_draft *h, const struct th_conf *key, const struct th_conf *value,
                    const struct th_conf **earlier) must_check;
void vhash_draft_fini(struct vhash_draft *h);

/* The pair itself: its value pointer is storage for a list of one. NULL unless a hash. */
const struct vpair *vnode_pairs(const struct th_conf *n);
/* The text holds no NUL byte, so that it can be read as a C string. */
bool vnode_is_plain(const struct th_conf *n);

#endif
