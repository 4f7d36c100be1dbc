/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reader.h: what one thread needs to turn zone files into zones: its build, its text buffer, its
 * faults.  Used for one file after another, so that memory is had once.
 *
 * Life: reader_init -> reader_file, reader_text ... -> reader_fini.
 * Thread rule: [loader] and the threads it starts; each has its own.
 */
#ifndef ZONE_READER_H
#define ZONE_READER_H

#include <sys/stat.h>
#include "base/attrs.h"
#include "zone/build.h"
#include "zone/crew.h"

/* Places in a build are 32-bit numbers; gdnsd cut such files silently (known fault B116). */
#define FILE_MAX_BYTES ((uint64_t)2 << 30)

struct reader {
    struct diag d;
    struct build b;
    struct crew *crew; /* whose spare threads read pieces of large files */
    char *text;        /* of the file that is being read */
    size_t text_cap;
    struct stat st; /* of that file */
};

/* seed: of the hashes of names. */
void reader_init(struct reader *w, const struct zone_options *o, uint64_t seed, struct crew *crew);
/* Faults that are still here go to d. */
void reader_fini(struct reader *w, struct diag *d);
/* The zone of file `name` in the directory dir_fd, which is called `dir`. NULL = the file is not a
 * regular one, or is refused: then w->d.error_count has grown. */
struct zone *reader_file(struct reader *w, const char *dir, int dir_fd, const char *name);
/* The same of a text in memory. */
struct zone *reader_text(struct reader *w, const char *name, const char *text, size_t len);

/* The name of a zone from the name of its file (gdnsd's rules: '@' stands for '/', ROOT_ZONE for
 * the root, final dot optional, escapes). Length of apex, or ERR_REFUSED with a reason in d. */
int reader_zone_name(const char *text, const char *path, struct diag *d,
                     uint8_t apex[DNAME_MAX]) must_check;
/* The same without words: 0 = it is none. */
size_t reader_find_name(const char *text, uint8_t apex[DNAME_MAX]);

#endif
