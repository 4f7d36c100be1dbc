/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse.h: the text of one zone file -> records of a struct build: directives, owners, TTLs,
 * classes, types.  A fault is told with file:line:col, and reading goes on with the next record.
 *
 * Thread rule: one thread at a time [loader].
 */
#ifndef ZONE_PARSE_H
#define ZONE_PARSE_H

#include "zone/build.h"
#include "zone/scan.h"

/* A file that is being read, for $INCLUDE: where the next one is looked for, and its loops. */
struct parse_file {
    const char *path; /* as it is opened; NULL = the text is no file */
    dev_t dev;
    ino_t inode;
    unsigned depth; /* 0 = the zone's own */
    const struct parse_file *above;
};

/* What rdtext and parse share of one file that is being read. */
struct parse {
    struct scan scan;
    struct token t; /* the current token */
    struct build *b;
    struct diag *d;
    const struct zone_options *options;
    const char *path; /* for messages */
    const struct parse_file *source;
    uint16_t file;
    bool is_generated; /* the text is a line made by $GENERATE: columns mean nothing */
    uint8_t apex[DNAME_MAX], origin[DNAME_MAX], file_origin[DNAME_MAX];
    uint8_t owner_name[DNAME_MAX]; /* of the current record; a blank owner leaves it */
    size_t owner_len;              /* 0 = not known: the text before this piece says it */
    uint64_t owner_hash;
    uint8_t parent[DNAME_MAX]; /* of the last owner, and its hash: most owners share it */
    size_t parent_len;         /* 0 = none yet */
    uint64_t parent_hash;
    uint32_t owner;      /* its node; BUILD_NONE = not looked up yet */
    uint32_t ttl_s;      /* of $TTL */
    uint32_t last_ttl_s; /* the last that a record had */
    bool has_ttl, has_last_ttl, told_default, told_clamped;
    bool is_ahead; /* parse_ahead: what is not known, or has to be told, ends the reading */
};

/* One record that is being read. */
struct record {
    struct token at; /* its first token, for messages */
    struct token ttl;
    bool has_ttl, has_class;
    uint32_t ttl_s, ttl_min_s; /* ttl_min_s: DYNA and DYNC only, BUILD_NONE = not written */
    uint16_t type, rdata_len;
    uint8_t *rdata; /* UINT16_MAX bytes */
};

/* A zone's own text is read in one go, or in several (split.h). */
/* Ready to read the text of `path`; the caller sets p->scan. The build knows its source already. */
void parse_start(struct parse *p, struct parse_file *source, struct build *b, const char *path);
/* Read records until one ends at `stop` or behind it; faults go to b->d. Negative = the zone is too
 * large, and reading has ended. */
int parse_until(struct parse *p, const char *stop);

/* From a copy of the parse of what lies before: ready to read `from` to `to` ahead, into b. */
void parse_guess(struct parse *p, struct build *b, const char *from, const char *to);
/* Read until the end, or until before the line where reading ahead cannot go on. */
void parse_ahead(struct parse *p);
/* If p is where `start` was, and in the state that was guessed, append what was read from there to
 * `end`, and go on behind it. */
void parse_take(struct parse *p, const struct parse *start, const struct parse *end);

/* For directives that bring text of their own: read it as the record lines of p, which is a copy
 * of the including parse with scan, path, file and source set. */
void parse_lines(struct parse *p);
/* The owner that lines with a blank at their start get until another is written. */
void parse_reset_owner(struct parse *p);

static inline struct diag_loc parse_loc(const struct parse *p, const struct token *t)
{
    return (struct diag_loc){p->path, t->line, p->is_generated ? 0 : t->col};
}

/* The token as "%.*s" wants it, shortened to what a message can bear. */
#define TOKEN_ARG(t) (int)((t)->len > 80 ? 80 : (t)->len), (t)->at

#endif
