/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.h: where the text of $include{path} comes from.  The parser asks through a table of two
 * calls, so that it can be driven without a file system (the fuzzer does).
 *
 *   $include{geo/nets}   -> list: "/etc/thresh/geo/nets"           (one file)
 *   $include{conf.d}     -> list: all of "/etc/thresh/conf.d/" in order of name, without dot files
 *   $include{conf.d/a*}  -> list: what the pattern matches; the path itself if nothing does
 *
 * Thread rule: [loader].
 */
#ifndef CONF_SOURCE_H
#define CONF_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include "base/attrs.h"

/* A file's identity, to see that it includes itself. {0} = none. */
struct source_id {
    uint64_t dev, ino;
};

struct source {
    char *text; /* mem_free; not NUL-terminated */
    size_t len;
    struct source_id id;
};

struct source_names {
    char **items; /* each mem_free, as is the array */
    size_t count, cap;
};

struct source_calls {
    /* Paths that `path`, relative to `dir` ("" or ending in /), stands for. 0, or ERR_IO and errno.
     */
    int (*list)(void *arg, const char *dir, const char *path, struct source_names *out);
    /* Read one whole regular file. 0, ERR_IO and errno, or ERR_REFUSED if it is no regular file,
     * ERR_RANGE if it is larger than SOURCE_BYTES_MAX. */
    int (*read)(void *arg, const char *path, struct source *out);
    void *arg;
};

/* Lengths and lines are 32 bits; 1 GiB of configuration is a mistake. */
#define SOURCE_BYTES_MAX ((size_t)1 << 30)

extern const struct source_calls source_file_system;

void source_names_add(struct source_names *names, const char *name);
void source_names_fini(struct source_names *names);

#endif
