/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conf/vtree.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/vnode.h"

struct vtree {
    struct arena arena;
    const struct th_conf *root;
    struct vhash *hashes; /* those that own a map */
    bool is_lax;
};

_Static_assert(sizeof(struct th_conf) <= 32, "large configurations are mostly nodes");

struct vtree *vtree_new(void)
{
    struct vtree *t = mem_new(struct vtree);
    arena_init(&t->arena, 0);
    return t;
}

void vtree_free(struct vtree *t)
{
    if (!t)
        return;
    for (struct vhash *h = t->hashes; h; h = h->next)
        hashmap_fini(&h->map);
    arena_fini(&t->arena);
    mem_free(t);
}

void vtree_set_root(struct vtree *t, const struct th_conf *root)
{
    t->root = root;
}

const struct th_conf *vtree_root(const struct vtree *t)
{
    return t->root;
}

void vtree_set_lax(struct vtree *t, bool lax)
{
    t->is_lax = lax;
}

const struct vfile *vtree_add_file(struct vtree *t, const char *name)
{
    struct vfile *f = arena_new(&t->arena, struct vfile);
    *f = (struct vfile){arena_strdup(&t->arena, name), t};
    return f;
}

static struct th_conf *node_new(struct vtree *t, struct vplace place, enum vnode_kind kind,
                                size_t count)
{
    struct th_conf *n = arena_new(&t->arena, struct th_conf);
    n->file = place.file;
    n->line = place.line;
    n->col = (place.col < VPLACE_COL_MAX ? place.col : VPLACE_COL_MAX) & VPLACE_COL_MAX;
    n->kind = (unsigned)kind & 3u;
    n->count = (uint32_t)count;
    return n;
}

/* Write the meaning of `raw` to out (raw_len bytes are enough) and return its length. */
static size_t unescape(char *out, const char *raw, size_t raw_len)
{
    const char *start = out;
    for (size_t i = 0; i < raw_len; i++) {
        if (raw[i] != '\\') {
            *out++ = raw[i];
        } else if (raw[i + 1] >= '0' && raw[i + 1] <= '9') {
            int byte = (raw[i + 1] - '0') * 100 + (raw[i + 2] - '0') * 10 + (raw[i + 3] - '0');
            *out++ = (char)byte;
            i += 3;
        } else {
            *out++ = raw[++i];
        }
    }
    return (size_t)(out - start);
}

/* Write raw with its literal NUL bytes as \000, and a NUL behind it. */
static void put_raw(char *out, const char *raw, size_t raw_len)
{
    bool is_escaped = false; /* the byte before is a \ that escapes this one */
    for (size_t i = 0; i < raw_len; i++) {
        if (raw[i]) {
            *out++ = raw[i];
        } else {
            memcpy(out, is_escaped ? "000" : "\\000", is_escaped ? 3 : 4);
            out += is_escaped ? 3 : 4;
        }
        is_escaped = raw[i] == '\\' && !is_escaped;
    }
    *out = '\0';
}

const struct th_conf *vnode_new_text(struct vtree *t, struct vplace place, const char *raw,
                                     size_t raw_len)
{
    size_t nul_count = 0;
    bool has_escape = memchr(raw, '\\', raw_len) != NULL;
    for (const char *p = raw; (p = memchr(p, '\0', raw_len - (size_t)(p - raw))); p++)
        nul_count++;
    struct th_conf *n = node_new(t, place, VNODE_TEXT, raw_len);
    if (!has_escape && nul_count == 0) {
        n->text = arena_strndup(&t->arena, raw, raw_len);
        return n;
    }
    char *text = arena_alloc(&t->arena, 2 * raw_len + 3 * nul_count + 2, 1);
    n->count = (uint32_t)unescape(text, raw, raw_len);
    text[n->count] = '\0'; /* bytes behind it are the raw text */
    put_raw(text + n->count + 1, raw, raw_len);
    n->text = text;
    n->has_raw = 1;
    return n;
}

const struct th_conf *vnode_new_array(struct vtree *t, struct vplace place,
                                      const struct th_conf *const *nodes, size_t count)
{
    struct th_conf *n = node_new(t, place, VNODE_ARRAY, count);
    struct varray *a = arena_new(&t->arena, struct varray);
    a->nodes = arena_memdup(&t->arena, nodes, count * sizeof *nodes, _Alignof(void *));
    const char **texts = arena_array(&t->arena, count, const char *);
    a->texts = texts;
    for (size_t i = 0; i < count; i++) {
        if (vnode_kind(nodes[i]) != VNODE_TEXT)
            a->texts = NULL;
        texts[i] = vnode_text(nodes[i]);
    }
    n->array = a;
    return n;
}

const struct th_conf *vnode_new_hash(struct vtree *t, struct vplace place,
                                     struct vhash_draft *draft)
{
    struct th_conf *n = node_new(t, place, VNODE_HASH, draft->count);
    struct vhash *h = arena_new(&t->arena, struct vhash);
    h->pairs = arena_memdup(&t->arena, draft->pairs, draft->count * sizeof *draft->pairs,
                            _Alignof(struct vpair));
    if (draft->map.cap) {
        h->map = draft->map;
        draft->map = (struct hashmap){0};
        h->next = t->hashes;
        t->hashes = h;
    }
    vhash_draft_fini(draft);
    n->hash = h;
    return n;
}

static bool key_is(const struct th_conf *key, const char *text, size_t len)
{
    return key->count == len && memcmp(key->text, text, len) == 0;
}

static const struct th_conf *scan_keys(const struct vpair *pairs, size_t count, const char *text,
                                       size_t len, size_t *at)
{
    for (size_t i = 0; i < count; i++) {
        if (key_is(pairs[i].key, text, len)) {
            *at = i;
            return pairs[i].key;
        }
    }
    return NULL;
}

/* Find or enter the key at `index`. A draft enters all of its keys when it grows beyond a scan. */
static int draft_map_key(struct vhash_draft *h, const struct th_conf *key, uint32_t *index)
{
    if (h->map.cap == 0)
        for (uint32_t i = 0; i < h->count; i++)
            (void)hashmap_put(&h->map, h->pairs[i].key->text, h->pairs[i].key->count, i,
                              NULL); /* known to be different keys */
    return hashmap_put(&h->map, key->text, key->count, *index, index);
}

int vhash_draft_put(struct vhash_draft *h, const struct th_conf *key, const struct th_conf *value,
                    const struct th_conf **earlier)
{
    size_t at;
    uint32_t index = (uint32_t)h->count;
    if (h->count < VHASH_SCAN_MAX) {
        *earlier = scan_keys(h->pairs, h->count, key->text, key->count, &at);
        if (*earlier)
            return ERR_EXISTS;
    } else if (draft_map_key(h, key, &index) == ERR_EXISTS) {
        *earlier = h->pairs[index].key;
        return ERR_EXISTS;
    }
    if (h->count == h->cap) {
        h->cap = h->cap ? h->cap * 2 : 8;
        h->pairs = mem_grow(h->pairs, h->cap, sizeof *h->pairs);
    }
    h->pairs[h->count++] = (struct vpair){key, value};
    return 0;
}

void vhash_draft_fini(struct vhash_draft *h)
{
    mem_free(h->pairs);
    hashmap_fini(&h->map);
    *h = (struct vhash_draft){0};
}

enum vnode_kind vnode_kind(const struct th_conf *n)
{
    return (enum vnode_kind)n->kind;
}

struct diag_loc vnode_loc(const struct th_conf *n)
{
    return (struct diag_loc){n->file->name, n->line, n->col};
}

bool vnode_is_lax(const struct th_conf *n)
{
    return n->file->tree->is_lax;
}

const char *vnode_text(const struct th_conf *n)
{
    return vnode_kind(n) == VNODE_TEXT ? n->text : NULL;
}

const char *vnode_raw(const struct th_conf *n)
{
    if (vnode_kind(n) != VNODE_TEXT)
        return NULL;
    return n->has_raw ? n->text + n->count + 1 : n->text;
}

size_t vnode_text_len(const struct th_conf *n)
{
    return vnode_kind(n) == VNODE_TEXT ? n->count : 0;
}

bool vnode_is_plain(const struct th_conf *n)
{
    return vnode_kind(n) == VNODE_TEXT && strlen(n->text) == n->count;
}

size_t vnode_list_count(const struct th_conf *n)
{
    return vnode_kind(n) == VNODE_ARRAY ? n->count : 1;
}

const struct th_conf *vnode_list_at(const struct th_conf *n, size_t i)
{
    if (vnode_kind(n) != VNODE_ARRAY)
        return i == 0 ? n : NULL;
    return i < n->count ? n->array->nodes[i] : NULL;
}

const struct vpair *vnode_pairs(const struct th_conf *n)
{
    return vnode_kind(n) == VNODE_HASH ? n->hash->pairs : NULL;
}

size_t vnode_pair_count(const struct th_conf *n)
{
    return vnode_kind(n) == VNODE_HASH ? n->count : 0;
}

static const struct vpair *pair_at(const struct th_conf *n, size_t i)
{
    return i < vnode_pair_count(n) ? &n->hash->pairs[i] : NULL;
}

const char *vnode_pair_key(const struct th_conf *n, size_t i)
{
    const struct vpair *p = pair_at(n, i);
    return p ? p->key->text : NULL;
}

struct diag_loc vnode_pair_loc(const struct th_conf *n, size_t i)
{
    const struct vpair *p = pair_at(n, i);
    return p ? vnode_loc(p->key) : DIAG_NOWHERE;
}

const struct th_conf *vnode_pair_at(const struct th_conf *n, size_t i)
{
    const struct vpair *p = pair_at(n, i);
    return p ? p->value : NULL;
}

const struct th_conf *vnode_find(const struct th_conf *n, const char *key)
{
    size_t len = strlen(key), at = 0;
    uint32_t index;
    if (vnode_kind(n) != VNODE_HASH)
        return NULL;
    if (n->hash->map.cap == 0)
        return scan_keys(n->hash->pairs, n->count, key, len, &at) ? n->hash->pairs[at].value : NULL;
    return hashmap_find(&n->hash->map, key, len, &index) == 0 ? n->hash->pairs[index].value : NULL;
}
