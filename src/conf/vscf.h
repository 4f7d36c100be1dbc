/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vscf.h: the configuration language, gdnsd's vscf, read whole (docs: thresh.config(5)).
 *
 *   file   = "[" values "]" | { key ("=" | "=>") value | include } with optional single commas
 *   value  = text | "[" values "]" | "{" pairs "}" | include
 *   text   = bare word, or "quoted"; \DDD and \X escapes; # and ; start comments
 *   include= $include{path}    relative to the including file; directories and globs in hashes
 *
 * On purpose different: CR LF ends a line, a last comment needs no newline, a key holds no NUL
 * byte, a file that includes itself is refused, and nesting has limits.
 * Thread rule: [loader].
 */
#ifndef CONF_VSCF_H
#define CONF_VSCF_H

#include "base/attrs.h"
#include "base/diag.h"
#include "conf/vtree.h"

struct source_calls;

/* Arrays and hashes within each other: nobody writes more than ten by hand, and the parser calls
 * itself for each. Included files within each other: each holds its whole text. */
#define VSCF_NEST_MAX    64
#define VSCF_INCLUDE_MAX 32
/* Files read for one tree: a chain of files that each include the next twice doubles at each step,
 * and would never end. */
#define VSCF_FILES_MAX 65536

/* 0 and *out, or negative with reasons in d; ERR_NOTFOUND, and nothing in d, if the top file does
 * not exist (whether that is a fault is the caller's to say). */
int vscf_parse_file(const char *path, struct diag *d, struct vtree **out) must_check;
/* `name` stands for the file name in messages and for relative includes. */
int vscf_parse_mem(const char *text, size_t len, const char *name, struct diag *d,
                   struct vtree **out) must_check;

/* A text whose includes come from elsewhere than the file system. */
struct vscf_input {
    const char *text;
    size_t len;
    const char *name;
    const struct source_calls *files;
};

int vscf_parse_input(const struct vscf_input *in, struct diag *d, struct vtree **out) must_check;

#endif
