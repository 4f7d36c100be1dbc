/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "zone/reader.h"

/* File systems stamp changes with a clock that ticks: two changes within one tick look the same. A
 * tick is 10 ms at most on ext4, a second or two on old file systems. */
#define YOUNG_NS 2000000000

/* ---- has a zone's file changed? ------------------------------------------------------------- */

static int64_t time_ns(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Was the file, when it was read, so young that a later change need not show? Asked of ctime, which
 * nobody can set: an mtime in the future would make a file young for ever. */
static bool was_young(const struct zone *z, const struct zone_file *f)
{
    return f->ctime_ns > z->loaded.ns - YOUNG_NS;
}

static bool is_same_file(const struct zone *z, const struct zone_file *f, int dir_fd,
                         const char *path)
{
    struct stat st;
    return !was_young(z, f) && fstatat(dir_fd, path, &st, 0) == 0 && st.st_ino == f->inode &&
           st.st_dev == f->dev && (uint64_t)st.st_size == f->size &&
           time_ns(st.st_mtim) == f->mtime_ns && time_ns(st.st_ctim) == f->ctime_ns;
}

static bool is_current(const struct zone *z, int dir_fd, const char *name)
{
    if (!is_same_file(z, &z->files[0], dir_fd, name))
        return false;
    for (size_t i = 1; i < z->file_count; i++)
        if (!is_same_file(z, &z->files[i], AT_FDCWD, z->files[i].path))
            return false;
    return true;
}

static const char *file_name(const struct zone *z)
{
    const char *slash = strrchr(z->file, '/');
    return slash ? slash + 1 : z->file;
}

/* A name that is being looked up. */
struct look {
    uint64_t hash;
    size_t len; /* 0 = the file's name is not a zone's */
    uint8_t apex[DNAME_MAX];
};

static void look_up(const struct listing *l, struct listing_entry *e, const struct look *look)
{
    const char *name = l->bytes + e->name_at;
    e->is_changed = true;
    if (!l->previous || !look->len)
        return;
    struct zone *z = zone_set_get_hashed(l->previous, look->hash, look->apex, look->len);
    if (!z || strcmp(file_name(z), name) != 0)
        return; /* new; or the zone comes from another file, and one of the two is too many */
    e->known = z;
    e->is_changed = !is_current(z, l->dir_fd, name);
}

void listing_look(struct listing *l, size_t first, size_t count)
{
    struct look looks[LISTING_BATCH];
    for (size_t i = 0; i < count && l->previous; i++) {
        struct look *k = &looks[i];
        k->len = reader_find_name(listing_name(l, first + i), k->apex);
        k->hash = k->len ? dname_hash(k->apex, l->previous->seed) : 0;
        zone_set_prefetch_slot(l->previous, k->hash);
    }
    for (size_t i = 0; i < count && l->previous; i++)
        zone_set_prefetch_zone(l->previous, looks[i].hash);
    for (size_t i = 0; i < count; i++)
        look_up(l, &l->entries[first + i], &looks[i]);
}

/* ---- a whole directory ---------------------------------------------------------------------- */

static void *grown(void *array, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return array;
    *cap = need > *cap * 2 ? need + 16 : *cap * 2;
    return mem_grow(array, *cap, size);
}

static void add_name(struct listing *l, const char *name)
{
    size_t len = strlen(name) + 1;
    l->bytes = grown(l->bytes, &l->byte_cap, l->byte_count + len, 1);
    l->entries = grown(l->entries, &l->cap, l->count + 1, sizeof *l->entries);
    memcpy(l->bytes + l->byte_count, name, len);
    l->entries[l->count++] = (struct listing_entry){.name_at = l->byte_count};
    l->byte_count += len;
}

static void add_gone(struct listing *l, struct zone *z)
{
    l->gone = grown(l->gone, &l->gone_cap, l->gone_count + 1, sizeof(struct zone *));
    l->gone[l->gone_count++] = z;
}

static bool may_be_zone(const struct dirent *e)
{
    return e->d_name[0] != '.' && e->d_type != DT_DIR;
}

void listing_read(struct listing *l, DIR *dir)
{
    for (struct dirent *e; (e = readdir(dir));)
        if (may_be_zone(e))
            add_name(l, e->d_name);
}

static bool is_file(const struct listing *l, const char *name)
{
    struct stat st;
    return name[0] != '.' && fstatat(l->dir_fd, name, &st, 0) == 0 && S_ISREG(st.st_mode);
}

static int compare_pointers(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (struct zone *const *)a, y = (uintptr_t) * (struct zone *const *)b;
    return x < y ? -1 : x > y;
}

/* Some file systems (tmpfs) show a name twice, or not at all, when a file is renamed over it while
 * the directory is read. Twice: once is enough. */
static void pass_over_second(struct listing *l, const struct zone *known)
{
    bool seen = false;
    for (size_t i = 0; i < l->count; i++) {
        if (l->entries[i].known != known)
            continue;
        if (seen)
            l->entries[i].is_changed = false;
        seen = true;
    }
}

/* Not shown at all: gone only if the file itself says so. */
static void take_missing(struct listing *l, struct zone *z)
{
    if (!is_file(l, file_name(z))) {
        add_gone(l, z);
        return;
    }
    add_name(l, file_name(z));
    struct listing_entry *e = &l->entries[l->count - 1];
    e->known = z;
    e->is_changed = !is_current(z, l->dir_fd, file_name(z));
}

void listing_find_gone(struct listing *l)
{
    if (!l->previous)
        return;
    struct zone **known = mem_array(l->count + 1, sizeof(struct zone *)), *z;
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].known)
            known[n++] = l->entries[i].known;
    qsort(known, n, sizeof *known, compare_pointers);
    for (size_t i = 1; i < n; i++)
        if (known[i] == known[i - 1])
            pass_over_second(l, known[i]);
    for (struct zone_walk w = {0}; (z = zone_set_next(l->previous, &w));)
        if (!bsearch(&z, known, n, sizeof *known, compare_pointers))
            take_missing(l, z);
    mem_free(known);
}

/* ---- one zone ------------------------------------------------------------------------------- */

/* The file that the previous set had; one that is called as the zone is; any whose name means the
 * zone ("A.example", "a.example."). false: there is none. */
static bool find_file(const struct listing *l, DIR *dir, const char *name, const uint8_t *apex,
                      const struct zone *known, char out[NAME_MAX + 1])
{
    uint8_t other[DNAME_MAX];
    out[0] = '\0';
    if (known && strlen(file_name(known)) <= NAME_MAX)
        strcpy(out, file_name(known));
    if (out[0] && is_file(l, out))
        return true;
    out[0] = '\0';
    if (strlen(name) <= NAME_MAX)
        strcpy(out, name);
    for (char *p = out; (p = strchr(p, '/'));)
        *p = '@';
    if (out[0] && is_file(l, out))
        return true;
    rewinddir(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        size_t len = may_be_zone(e) ? reader_find_name(e->d_name, other) : 0;
        if (len != dname_len(apex) || memcmp(apex, other, len) != 0 || !is_file(l, e->d_name))
            continue;
        strcpy(out, e->d_name);
        return true;
    }
    return false;
}

/* Named twice? A handful is the rule; a reload of many zones by name is better one of all. */
static bool is_listed(const struct listing *l, const char *file, const struct zone *known)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(listing_name(l, i), file) == 0)
            return true;
    for (size_t i = 0; i < l->gone_count; i++)
        if (l->gone[i] == known)
            return true;
    return false;
}

int listing_find_zone(struct listing *l, DIR *dir, const char *name, struct diag *d)
{
    uint8_t apex[DNAME_MAX];
    char file[NAME_MAX + 1];
    if (!reader_find_name(name, apex))
        return diag_error(d, DIAG_NOWHERE, "\"%s\" is not a zone's name", name);
    struct zone *known = l->previous ? zone_set_get(l->previous, apex) : NULL;
    bool has_file = dir && find_file(l, dir, name, apex, known, file);
    if (!has_file && !known)
        return diag_error(d, DIAG_NOWHERE, "zone \"%s\" has no file, and is not served", name);
    if (is_listed(l, has_file ? file : "", known))
        return 0;
    if (!has_file) {
        add_gone(l, known);
        return 0;
    }
    add_name(l, file);
    listing_look(l, l->count - 1, 1);
    if (known && !l->entries[l->count - 1].known) /* it has moved to another file */
        add_gone(l, known);
    return 0;
}

void listing_fini(struct listing *l)
{
    mem_free(l->bytes);
    mem_free(l->entries);
    mem_free(l->gone);
}
