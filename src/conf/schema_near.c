/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nearest known name: optimal string alignment, with letter case ignored. */
#include "conf/schema.h"

#include <ctype.h>
#include <string.h>

/* Longer names are no typing errors of keys (the longest has 30 letters). */
#define NAME_MAX_LEN 64

struct nearest {
    const char *name;
    size_t distance;
};

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Fill row i (the first i letters of a against all prefixes of b); the two rows before are known.
 */
static void fill_row(size_t rows[3][NAME_MAX_LEN + 1], size_t i, const char *a, const char *b)
{
    size_t *now = rows[i % 3];
    const size_t *before = rows[(i + 2) % 3], *swap = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; b[j - 1]; j++) {
        size_t change = before[j - 1] + !same(a[i - 1], b[j - 1]);
        now[j] = min_of(change, min_of(before[j], now[j - 1]) + 1);
        if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
            now[j] = min_of(now[j], swap[j - 2] + 1);
    }
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][NAME_MAX_LEN + 1], a_len = strlen(a), b_len = strlen(b);
    if (a_len > NAME_MAX_LEN || b_len > NAME_MAX_LEN)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_len; i++)
        fill_row(rows, i, a, b);
    return rows[a_len % 3][b_len];
}

static void consider(struct nearest *n, const char *known, const char *name)
{
    size_t limit = strlen(known) / 3 > 1 ? strlen(known) / 3 : 1;
    size_t distance = edit_distance(name, known);
    if (distance <= limit && (!n->name || distance < n->distance))
        *n = (struct nearest){known, distance};
}

const char *schema_near(const struct th_key *keys, const char *name)
{
    struct nearest n = {0};
    for (const struct th_key *k = keys; k->name; k++)
        consider(&n, k->name, name);
    return n.name;
}

const char *schema_near_word(const char *const *words, size_t count, const char *name)
{
    struct nearest n = {0};
    for (size_t i = 0; i < count; i++)
        consider(&n, words[i], name);
    return n.name;
}
