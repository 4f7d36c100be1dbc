/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lex.h: the characters of one configuration file: blanks, comments, texts, escapes, and the line
 * and column of each.
 *
 *   a\ b = "x\034y"   # remark
 *   ----   -------
 *   text   text, raw `x\034y`
 *
 * Thread rule: [loader].
 */
#ifndef CONF_LEX_H
#define CONF_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include "base/attrs.h"
#include "base/diag.h"
#include "conf/quote.h"
#include "conf/vnode.h"

#define LEX_END (-1)

struct lex {
    const struct vfile *file;
    const char *next, *end;
    const char *line_start;
    uint32_t line;
};

/* A text as written, escapes checked; borrowed from the file's text. */
struct lex_text {
    const char *raw;
    size_t raw_len;
};

void lex_init(struct lex *l, const struct vfile *file, const char *text, size_t len);
struct vplace lex_place(const struct lex *l);
struct diag_loc lex_loc(const struct lex *l);
/* Pass spaces, tabs, line ends and comments. */
void lex_skip_blank(struct lex *l);
/* The next byte, or LEX_END. */
int lex_peek(const struct lex *l);
/* Pass `word` if it comes next. */
bool lex_take(struct lex *l, const char *word);
/* A text may start here. */
bool lex_is_text(const struct lex *l);
/* Read the text that starts here. ERR_REFUSED with the reason in d. */
int lex_text(struct lex *l, struct diag *d, struct lex_text *out) must_check;
/* What comes next, for "read ...": `"]"`, `end of file`; returns buf. */
const char *lex_describe(const struct lex *l, char buf[QUOTE_BYTES]);

#endif
