/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vscf.h: the configuration language, gdnsd's vscf, read whole (docs: thresh.config(5)).
 *
 *   file   = "[" values "]" | { key ("=" | "=>") value | include } with optional single commas
 *   value  = text | "[" values "]" | "{" pairs "}" | include
 *   text   = bare word, or "quoted"; \DDD and \X escapes; # and ; start comments
 *   include= $include{path}    relative to the including file; directories and globs in hashes
 *
 * On purpose different: CR LF ends a line, and a last comment needs no newline.
 * Thread rule: [loader].
 */
#ifndef CONF_VSCF_H
#define CONF_VSCF_H

#include "base/attrs.h"
#include "base/diag.h"
#include "conf/vtree.h"

/* 0 and *out, or negative with reasons in d; ERR_NOTFOUND if the top file does not exist. */
int vscf_parse_file(const char *path, struct diag *d, struct vtree **out) must_check;
/* `name` stands for the file name in messages and for relative includes. */
int vscf_parse_mem(const char *text, size_t len, const char *name, struct diag *d,
                   struct vtree **out) must_check;

#endif
