/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/queries.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* A name of 255 bytes has at most 253 characters and a dot; no escapes here. */
#define NAME_TEXT    255
#define NAME_TEXT_IN "255"
#define LINE_TEXT    400

/* Returns the bytes written, 0 for a name that is none. */
static size_t write_name(uint8_t *to, const char *name)
{
    size_t at = 0;
    while (*name) {
        size_t len = strcspn(name, ".");
        if (len == 0 || len > 63 || at + len + 2 > 255)
            return 0;
        to[at++] = (uint8_t)len;
        memcpy(to + at, name, len);
        at += len;
        name += len + (name[len] == '.');
    }
    to[at++] = 0;
    return at;
}

static void write_header(uint8_t *to)
{
    memset(to, 0, QUERY_HEADER);
    to[5] = 1;  /* one question */
    to[11] = 1; /* one additional record: OPT */
}

/* Returns the length of the question, 0 for a bad name. */
static size_t write_question(uint8_t *to, const char *name, unsigned type)
{
    size_t len = write_name(to, name);
    const uint8_t tail[] = {(uint8_t)(type >> 8), (uint8_t)type, 0, 1};
    if (len == 0)
        return 0;
    memcpy(to + len, tail, sizeof tail);
    return len + sizeof tail;
}

static size_t write_opt(uint8_t *to)
{
    static const uint8_t opt[] = {0, 0, 41, 1232 >> 8, 1232 & 255, 0, 0, 0, 0, 0, 0};
    memcpy(to, opt, sizeof opt);
    return sizeof opt;
}

static int add_line(struct queries *q, const char *text)
{
    char name[NAME_TEXT + 1];
    unsigned type, rcode, answer_count;
    if (sscanf(text, "%" NAME_TEXT_IN "s %u %u %u", name, &type, &rcode, &answer_count) != 4 ||
        type > 65535 || rcode > 15 || answer_count > 65535)
        return ERR_SYNTAX;
    q->bytes = mem_grow(q->bytes, q->byte_count + QUERY_BYTES, 1);
    q->list = mem_grow(q->list, q->count + 1, sizeof *q->list);
    uint8_t *to = q->bytes + q->byte_count;
    write_header(to);
    size_t question_len = write_question(to + QUERY_HEADER, name, type);
    if (question_len == 0)
        return ERR_SYNTAX;
    size_t len = QUERY_HEADER + question_len;
    len += write_opt(to + len);
    q->list[q->count++] = (struct bench_query){.at = q->byte_count,
                                               .len = (uint16_t)len,
                                               .question_len = (uint16_t)question_len,
                                               .answer_count = (uint16_t)answer_count,
                                               .rcode = (uint8_t)rcode};
    q->byte_count += len;
    return 0;
}

int queries_read(const char *path, struct queries *out, unsigned *line)
{
    struct queries q = {0};
    char text[LINE_TEXT];
    FILE *f = fopen(path, "re");
    int e = 0;
    *line = 0;
    if (!f)
        return ERR_IO;
    while (e == 0 && fgets(text, sizeof text, f)) {
        ++*line;
        if (text[0] != '#' && text[0] != '\n')
            e = add_line(&q, text);
    }
    fclose(f);
    if (e == 0 && q.count == 0) {
        *line = 0;
        e = ERR_SYNTAX;
    }
    if (e)
        queries_fini(&q);
    *out = q;
    return e;
}

void queries_fini(struct queries *q)
{
    mem_free(q->list);
    mem_free(q->bytes);
    *q = (struct queries){0};
}
