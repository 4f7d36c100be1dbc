/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "zone/split.h"

#include <string.h>

#include "base/mem.h"
#include "zone/parse.h"

/* Pieces that the taking thread wants to know read, or being read, before it takes one. */
#define AHEAD_WANTED 2

/* Pieces under way: for each thread enough that it need not wait for a slow one, but not so many
 * that they take as much memory as the zone. */
#define SLOTS_PER_THREAD 3
#define SLOTS_MAX        64

struct piece {
    struct build b; /* what was read ahead, emptied for the next piece */
    struct diag d;
    struct parse start, end; /* what was guessed, and what came of it */
    const char *from, *to;
    bool is_read;
};

struct split {
    struct parse *p; /* the taking thread's */
    struct crew *crew;
    struct crew_band band;
    struct piece *ring; /* piece n is at n % slots */
    size_t slots, piece_bytes;
    const char *end; /* of the text */

    pthread_mutex_t lock; /* for what follows, and is_read of the pieces */
    pthread_cond_t changed;
    size_t begun, taken; /* pieces */
    const char *next;    /* where the next one begins */
    struct parse guess;
    bool is_ended; /* the text is too large: nobody needs more */
};

/* ---- where pieces end ----------------------------------------------------------------------- */

/* A line that goes on with a blank is the tail of a record, or wants the owner of another. */
static bool may_begin_piece(char c)
{
    return c != ' ' && c != '\t' && c != '\n' && c != '\r';
}

/* Behind the first line end at or behind `bytes` that a record is likely to begin behind. */
static const char *piece_end(const struct split *s, const char *from)
{
    if ((size_t)(s->end - from) <= s->piece_bytes)
        return s->end;
    for (const char *p = from + s->piece_bytes - 1; (p = memchr(p, '\n', (size_t)(s->end - p)));
         p++)
        if (p + 1 == s->end || may_begin_piece(p[1]))
            return p + 1;
    return s->end;
}

/* ---- reading ahead -------------------------------------------------------------------------- */

static bool may_begin(const struct split *s)
{
    return !s->is_ended && s->next < s->end && s->begun - s->taken < s->slots;
}

/* Under the lock. */
static struct piece *begin_piece(struct split *s)
{
    struct piece *k = &s->ring[s->begun++ % s->slots];
    k->is_read = false;
    k->from = s->next;
    k->to = s->next = piece_end(s, k->from);
    k->start = s->guess;
    return k;
}

static void read_piece(struct split *s, struct piece *k)
{
    const struct build *whole = s->p->b;
    k->b.seed = whole->seed;
    k->b.options = whole->options;
    k->b.d = &k->d;
    k->d.strict = whole->d->strict;
    build_start(&k->b, k->start.apex, (size_t)(k->to - k->from));
    parse_guess(&k->start, &k->b, k->from, k->to);
    k->end = k->start;
    parse_ahead(&k->end);
    diag_fini(&k->d); /* will be told when the line is read again */
}

/* Under the lock, which is open meanwhile. */
static void read_next(struct split *s)
{
    struct piece *k = begin_piece(s);
    pthread_mutex_unlock(&s->lock);
    read_piece(s, k);
    pthread_mutex_lock(&s->lock);
    k->is_read = true;
    pthread_cond_broadcast(&s->changed);
}

static void *help(void *arg)
{
    struct split *s = arg;
    pthread_mutex_lock(&s->lock);
    while (!s->is_ended && s->next < s->end) {
        if (may_begin(s))
            read_next(s);
        else
            pthread_cond_wait(&s->changed, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    crew_give(s->crew);
    return NULL;
}

/* ---- taking --------------------------------------------------------------------------------- */

static bool is_read(const struct split *s)
{
    return s->taken < s->begun && s->ring[s->taken % s->slots].is_read;
}

/* Under the lock, which is open meanwhile. */
static void take_next(struct split *s)
{
    struct piece *k = &s->ring[s->taken % s->slots];
    bool is_more = may_begin(s);
    pthread_mutex_unlock(&s->lock);
    if (is_more)
        (void)crew_start(s->crew, &s->band, help, s); /* another may have become spare */
    parse_take(s->p, &k->start, &k->end);
    bool is_ended = parse_until(s->p, k->to) < 0; /* all of it, or nothing, or what is left */
    pthread_mutex_lock(&s->lock);
    s->taken++;
    s->guess = *s->p;
    s->is_ended = is_ended;
    pthread_cond_broadcast(&s->changed);
}

static void take_all(struct split *s)
{
    pthread_mutex_lock(&s->lock);
    while (!s->is_ended && (s->taken < s->begun || s->next < s->end)) {
        bool is_far = s->begun - s->taken >= AHEAD_WANTED;
        if (may_begin(s) && !(is_far && is_read(s)))
            read_next(s);
        else if (is_read(s))
            take_next(s);
        else
            pthread_cond_wait(&s->changed, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

static void read_pieces(struct split *s)
{
    size_t wanted = (size_t)s->p->options->threads * SLOTS_PER_THREAD + 1;
    s->slots = wanted < SLOTS_MAX ? wanted : SLOTS_MAX;
    s->ring = mem_array(s->slots, sizeof *s->ring);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    while (crew_start(s->crew, &s->band, help, s))
        ;
    take_all(s);
    crew_join(&s->band);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    for (size_t i = 0; i < s->slots; i++)
        build_fini(&s->ring[i].b);
    mem_free(s->ring);
}

bool split_is_worth(const struct zone_options *o, size_t len)
{
    return o->piece_bytes || (o->threads > 1 && len >= SPLIT_MIN_BYTES);
}

void split_text(struct build *b, struct crew *crew, const char *path, const char *text, size_t len)
{
    struct parse_file source;
    struct parse p;
    bool is_worth = split_is_worth(b->options, len);
    struct split s = {.p = &p, .crew = crew, .end = text + len};
    s.piece_bytes = b->options->piece_bytes ? b->options->piece_bytes : SPLIT_PIECE_BYTES;
    parse_start(&p, &source, b, path);
    p.scan = scan_on(text, len);
    if (parse_until(&p, is_worth ? piece_end(&s, text) : s.end) < 0 || p.scan.p == s.end)
        return;
    s.guess = p;
    s.next = p.scan.p;
    read_pieces(&s);
}
