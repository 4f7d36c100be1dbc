/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thresh/conf.h: declared configuration keys.  Every key that thresh or a plugin reads is a row
 * of a table of struct th_key: name, type, unit, range, default, place of the value in a struct.
 * One reader (conf/schema) fills the struct, refuses what does not fit with file:line:col, the
 * text read, what is allowed and the nearest known key.
 *
 *   struct web { uint32_t port; const char *path; };
 *   static const struct th_key web_keys[] = {
 *       {.name = "port", .type = TH_UINT, .offset = offsetof(struct web, port),
 *        .min = 1, .max = 65535, .def = "80", .help = "port that is asked"},
 *       {.name = "url_path", .type = TH_STRING, .offset = offsetof(struct web, path), .def = "/"},
 *       {0},                                                     (end of the table)
 *   };
 *
 *   type          field in the struct         text in the configuration
 *   TH_BOOL       bool                        true | false, any letter case
 *   TH_UINT       uint32_t                    decimal or 0x hexadecimal; the word in `choices` is 0
 *   TH_FLOAT      double                      decimal, exponent allowed
 *   TH_DURATION   uint32_t, milliseconds      5  2.5  500ms  2s  5m  1h  1d; a bare number is
 * seconds TH_TTL        uint32_t, seconds           3600  1h  1d12h; whole seconds TH_STRING const
 * char *                any text without NUL TH_ADDR       struct th_addr              192.0.2.1 or
 * 2001:db8::1 TH_ENUM       int, index into choices     one of the words in `choices` TH_LIST
 * struct th_list              one text, or an array of texts TH_ANY        const struct th_conf *
 * anything; the owner reads it further
 *
 * Pointers put into the struct live as long as the configuration tree they came from.
 */
#ifndef THRESH_CONF_H
#define THRESH_CONF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value of the configuration: text, array or hash. Opaque; read it through calls. */
struct th_conf;

enum th_type {
    TH_BOOL = 1,
    TH_UINT,
    TH_FLOAT,
    TH_DURATION,
    TH_TTL,
    TH_STRING,
    TH_ADDR,
    TH_ENUM,
    TH_LIST,
    TH_ANY,
};

struct th_list {
    const char *const *items;
    const struct th_conf *const *nodes; /* the same items, for messages */
    size_t count;
};

#define TH_KEY_REQUIRED      1u /* absent is an error */
#define TH_KEY_MIN_EXCLUSIVE 2u /* the range is (min, max] */

struct th_key {
    const char *name;
    enum th_type type;
    size_t offset;       /* of the field in the struct that is filled */
    double min, max;     /* both 0 = no limit. UINT, FLOAT: the value; DURATION, TTL: seconds;
                            STRING: bytes; LIST: items */
    const char *def;     /* default, written as in the configuration; NULL = leave the field */
    const char *choices; /* ENUM: "up|down"; UINT: one word that means 0, "auto" */
    const char *unit;    /* for messages and documents; NULL where the type says it */
    unsigned flags;
    const char *help; /* one line for documents */
};

#ifdef __cplusplus
}
#endif
#endif
