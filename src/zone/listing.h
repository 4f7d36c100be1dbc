/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * listing.h: the names of zone files in a directory, and what became of each since the previous
 * set was made.
 *
 *   entry  name "example.org"   known  the zone that was read from it    is_changed  read it again
 *   gone   zones of the previous set that no file is left of
 *
 * Life: {0} -> listing_read or listing_find_zone ..., listing_look (any thread, each entry once),
 * listing_find_gone -> listing_fini.
 * Thread rule: [loader]; listing_look also in the threads it starts.
 */
#ifndef ZONE_LISTING_H
#define ZONE_LISTING_H

#include <dirent.h>
#include "zone/set.h"

/* Names looked up side by side, so that the memory they are found in comes at the same time. */
#define LISTING_BATCH 32u

struct listing_entry {
    size_t name_at;     /* in bytes */
    struct zone *known; /* of the previous set, borrowed; NULL = the file is new */
    bool is_changed;    /* or new */
};

struct listing {
    const struct zone_set *previous; /* NULL = there is none: every file is new */
    int dir_fd;
    char *bytes; /* all names, one after another */
    size_t byte_count, byte_cap;
    struct listing_entry *entries;
    size_t count, cap;
    struct zone **gone; /* borrowed from previous */
    size_t gone_count, gone_cap;
};

static inline const char *listing_name(const struct listing *l, size_t entry)
{
    return l->bytes + l->entries[entry].name_at;
}

/* Every file that may be a zone's, in the order of the directory. */
void listing_read(struct listing *l, DIR *dir);
/* Find the file of one zone, known or new; `name`: of the zone, or of its file. ERR_REFUSED with a
 * reason in d if there is no such zone. A zone that was found already is passed over. */
int listing_find_zone(struct listing *l, DIR *dir, const char *name, struct diag *d) must_check;
/* Compare entries with the previous set; at most LISTING_BATCH of them. */
void listing_look(struct listing *l, size_t first, size_t count);
/* After a whole directory: the zones of the previous set that no entry knows. A file that the
 * directory did not show but that is there becomes an entry. */
void listing_find_gone(struct listing *l);
void listing_fini(struct listing *l);

#endif
