/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text that is read in pieces gives what it gives when read in one go: the same zone, the same
 * faults in the same order.  Pieces of a few bytes, in one and in several threads, over texts by
 * hand, the corpus of the fuzz target, and random ones (THRESH_LONG=1: many).
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/prng.h"
#include "unit/run.h"
#include "unit/zone_lib.h"
#include "zone/parse.h"
#include "zone/table.h"

#define CORPUS TH_SRCDIR "/t/fuzz/corpus/zone"

/* ---- what a load gave, as text -------------------------------------------------------------- */

static void print_hex(struct buf *out, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        buf_printf(out, "%02x", bytes[i]);
}

static void print_set(struct buf *out, const struct node *n, const struct rrset *s)
{
    buf_printf(out, "  %u x%u ttl=%u ", s->type, s->count, s->ttl_s);
    if (rrtype_is_address(s->type)) {
        for (unsigned i = 0; i < s->count; i++)
            print_hex(out, addrset_at(&s->addrs, i), s->addrs.addr_bytes);
    } else {
        print_hex(out, s->rrs.plain, s->rrs.plain_len);
        if (!rrset_is_ready(n, s)) {
            buf_adds(out, " as ");
            print_hex(out, s->rrs.block, s->rrs.block_len);
        }
    }
    buf_adds(out, "\n");
}

static void print_node(struct buf *out, const struct node *n)
{
    char text[DNAME_TEXT_MAX];
    buf_printf(out, "%s flags=%u labels=%u hash=%x", dname_print(n->name, text), n->flags,
               n->labels, n->hash_hi);
    if (n->cut)
        buf_printf(out, " cut=%s", dname_print(n->cut->name, text));
    if (n->wild)
        buf_printf(out, " wild=%s", dname_print(n->wild->name, text));
    if (n->dyn)
        buf_printf(out, " dyn=%u %u/%u", n->dyn->handle, n->dyn->ttl_max_s, n->dyn->ttl_min_s);
    buf_adds(out, "\n");
    for (unsigned i = 0; i < n->set_count; i++)
        print_set(out, n, &n->sets[i]);
}

static void print_zone(struct buf *out, const struct zone *z)
{
    size_t glue = z->glue ? z->glue->count : 0;
    buf_printf(out, "digest=%llx rrs=%zu nodes=%zu glue=%zu serial=%u negative=%u files=",
               (unsigned long long)z->content_hash, z->rr_count, z->node_count, glue, z->serial,
               z->neg_ttl_s);
    for (size_t i = 0; i < z->file_count; i++)
        buf_printf(out, "%s ", z->files[i].path);
    buf_adds(out, "\n");
    for (const struct node *n = z->apex_node; n < z->apex_node + z->node_count + glue; n++)
        print_node(out, n);
}

static void print_diag(struct buf *out, const struct diag *d)
{
    buf_printf(out, "%zu errors, %zu told\n", d->error_count, d->count);
    for (size_t i = 0; i < d->count; i++)
        buf_printf(out, "%s %s\n", d->entries[i].severity == DIAG_ERROR ? "error" : "warning",
                   d->entries[i].text);
}

static char *print_load(int e, struct zone_set *s, struct diag *d)
{
    struct buf out = {0};
    buf_printf(&out, "%d\n", e);
    print_diag(&out, d);
    if (s)
        print_zone(&out, lib_zone(s));
    zone_set_unref(s);
    diag_fini(d);
    return buf_take(&out);
}

/* ---- loading both ways ---------------------------------------------------------------------- */

static const size_t sizes[] = {1, 2, 3, 7, 16, 31, 64, 200};
static const unsigned threads[] = {1, 2, 4};

static char *load_text(const char *text, size_t len, const struct zone_options *o)
{
    struct diag d = {.strict = o->strict};
    struct zone_set *s = NULL;
    int e = zone_load_text("example", text, len, o, &d, &s);
    return print_load(e, s, &d);
}

static char *load_dir(const char *dir, const struct zone_options *o)
{
    struct diag d = {.strict = o->strict};
    struct zone_set *s = NULL;
    int e = zone_load_dir(dir, o, &d, &s);
    return print_load(e, s, &d);
}

static void compare(char *got, const char *wanted, const char *what, const struct zone_options *o)
{
    ck_assert_msg(strcmp(got, wanted) == 0,
                  "pieces of %zu bytes, %u threads, strict %d, gdnsd %d, of:\n%s\n--- whole:\n%s"
                  "--- in pieces:\n%s",
                  o->piece_bytes, o->threads, o->strict, o->gdnsd, what, wanted, got);
    mem_free(got);
}

static struct zone_options options_of(unsigned variant)
{
    struct zone_options o = lib_options();
    o.generate_max = 50;
    o.strict = variant & 1;
    o.gdnsd = variant & 2;
    return o;
}

/* The text in a block of its own size, so that a sanitizer sees one byte too many. */
static void check_text(const char *bytes, size_t len, size_t size_step)
{
    char *text = mem_alloc(len ? len : 1), *shown = mem_printf("%.*s", (int)len, bytes);
    memcpy(text, bytes, len);
    for (unsigned variant = 0; variant < 4; variant++) {
        struct zone_options o = options_of(variant);
        char *wanted = load_text(text, len, &o);
        for (size_t i = 0; i < array_len(sizes) * array_len(threads); i += size_step) {
            o.piece_bytes = sizes[i % array_len(sizes)];
            o.threads = threads[i / array_len(sizes)];
            compare(load_text(text, len, &o), wanted, shown, &o);
        }
        mem_free(wanted);
    }
    mem_free(shown);
    mem_free(text);
}

/* ---- texts by hand -------------------------------------------------------------------------- */

/* Each goes behind an apex, and once more behind one without $TTL. */
static const char *const nasty[] = {
    "",
    "a A 192.0.2.1",
    "a A 192.0.2.1\n\n\n\nb A 192.0.2.2\n",
    /* owners carried over lines, comments, blank lines */
    "a A 192.0.2.1\n A 192.0.2.2\n; comment\n\tA 192.0.2.3\n\n  TXT x\nb AAAA ::1\n AAAA ::2\n",
    "a 60 A 192.0.2.1\n;c\n TXT \"1\"\n;c\n;c\n TXT \"2\"\n;c\n TXT \"3\"\nb TXT ;c\n TXT x\n",
    "; c1\n TXT apex\n; c2\n TXT apex2\n",
    /* the last explicit TTL */
    "a 60 A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\nd 70 A 192.0.2.1\ne A 192.0.2.1\nf TXT x\n",
    "a A 192.0.2.1\nb A 192.0.2.1\nc 50 A 192.0.2.1\nd A 192.0.2.1\n$TTL 90\ne A 192.0.2.1\nf A "
    "192.0.2.1\n$TTL 1h\ng A 192.0.2.1\n",
    "a 60 A 192.0.2.1\nb 70 A 192.0.2.1\n$TTL 0\nc 80 A 192.0.2.1\nd A 192.0.2.1\ne 90 A 192.0.2.1"
    "\nf A 192.0.2.1\n",
    /* TTLs that are clamped: from $TTL told once, written ones each time */
    "$TTL 1\na A 192.0.2.1\nb A 192.0.2.1\nc 2 A 192.0.2.1\nd 3 A 192.0.2.1\ne A 192.0.2.1\n"
    "$TTL 600\nf A 192.0.2.1\n$TTL 4\ng A 192.0.2.1\n",
    /* $ORIGIN, its faults, names that are relative to it */
    "$ORIGIN sub\na A 192.0.2.1\n@ A 192.0.2.2\n$ORIGIN sub2\nb A 192.0.2.1\nc.@Z A 192.0.2.9\n"
    "d.@F A 192.0.2.9\n$ORIGIN example.\ne A 192.0.2.1\n$ORIGIN @F\nf A 192.0.2.1\n",
    "$ORIGIN x junk\na A 192.0.2.1\n$ORIGIN y junk\nb A 192.0.2.1\n$ORIGIN z )\nc A 192.0.2.1\n"
    "$ORIGIN ..\nd A 192.0.2.1\n$ORIGIN\ne A 192.0.2.1\n$ORIGIN (\nu )\nf A 192.0.2.1\n",
    "( $ORIGIN\nv junk )\na A 192.0.2.1\n( $TTL\n77 )\nb A 192.0.2.1\n",
    "$TTL 55 junk\na A 192.0.2.1\n$TTL\nb A 192.0.2.1\n$TTL 9999999999\nc A 192.0.2.1\n$NOSUCH 1\n"
    "d A 192.0.2.1\n$ttl 66\ne A 192.0.2.1\n",
    /* parentheses over any number of lines, with lines that look like records */
    "a TXT ( \"1\"\nb A 192.0.2.1\n; ) in a comment\n\"2\" \")\"\n) ; end\nb A 192.0.2.2\n",
    "a TXT (\nx\ny\nz\nx A 1\nw 60 A 192.0.2.1\n\n\n) (\nlast\n)\n TXT again\n",
    "a TXT ( one\n ( two )\nb A 192.0.2.1\n ) three\nc A 192.0.2.1\nd TXT ( never\ne A 192.0.2.1\n"
    "f A 192.0.2.1\n",
    "(\na A 192.0.2.1 )\n(\n\n) b A ( 192.0.2.1\n)\n ( TXT\n x )\n",
    /* quotes over lines, with what looks like records, comments, parentheses, the end of a quote */
    "a TXT \"one\nb A 192.0.2.1\nc A 192.0.2.2\n\"\nd A 192.0.2.3\n",
    "a TXT \"x\n; \\\" no end ( \n$ORIGIN q\n\" \"y\nz 5 TXT \\\\\"\nb TXT \"1\" \"2\" ; \"3\n",
    "a TXT \"one\nb TXT two\" three\nc TXT \"four\"five\nd TXT \"six\"\"seven\"\ne A 192.0.2.1\n",
    "a TXT \"never closed\nb A 192.0.2.1\nc A 192.0.2.2\nd TXT x\n\n\ne A 192.0.2.1\n",
    "\"q\nr\" A 192.0.2.1\n A 192.0.2.2\n\"s\" A 192.0.2.1\n",
    /* escapes before line ends */
    "a TXT x\\\nb A 192.0.2.1\nc TXT \"x\\\ny\"\nd TXT \\\"\ne\\.f A 192.0.2.1\n\\$x A 192.0.2.1\n",
    /* CR LF, lone CR, no line end at the end, control characters, NUL is in the random ones */
    "a A 192.0.2.1\r\nb A 192.0.2.2\r\n\r\n A 192.0.2.3\r\n; c\r\nc TXT \"x\r\ny\"\r\nd TXT (\r\n"
    "x )\r\ne A 192.0.2.1\r",
    "a A 192.0.2.1\rb A 192.0.2.2\n\rc A 192.0.2.1\nd A 192.0.2.2\x01\ne A \x7f\n\x02\nf A "
    "192.0.2.1",
    "a A 192.0.2.1\n ",
    "a A 192.0.2.1\n ; comment",
    "a A 192.0.2.1\nb",
    /* $GENERATE: its owner, its faults */
    "$GENERATE 1-3 g$ A 192.0.2.$\n A 192.0.2.9\n$GENERATE 1-9/4 h${0,3,d} 60 TXT \"$ x\"\n TXT y\n"
    "$GENERATE 1-99 i$ A 192.0.2.$\n$GENERATE 250-260 j$ A 192.0.2.$\nk A 192.0.2.1\n",
    /* faults of all kinds between good lines: places, order */
    "a A x\nb A 192.0.2.1\nc CH A 192.0.2.1\nd NOSUCH 1\n\ne 60/30 A 192.0.2.1\nf A 192.0.2.1 y\n"
    "a..b A 192.0.2.1\n A 192.0.2.7\ng A\nh\ni 60\nj 60 IN\nk IN 60 A 192.0.2.1\n) A 192.0.2.1\n",
    /* faults that are found when everything is read: duplicates, TTLs, CNAMEs, glue, occlusion */
    "a 60 A 192.0.2.1\nb CNAME a\nA 70 A 192.0.2.1\na 80 A 192.0.2.2\nb TXT x\nc CNAME c\nd CNAME "
    "nowhere\na A 192.0.2.1\nsub NS ns.sub\nx.sub TXT hidden\nns.sub A 192.0.2.1\nsub NS ns.other\n"
    "ns.outside. A 192.0.2.1\nd2 DNAME e.\nx.d2 A 192.0.2.1\n*.w MX 1 ns1\n* NS y\nz. TXT out\n",
    "c A 192.0.2.3\na A 192.0.2.1\nb A 192.0.2.2\na A 192.0.2.9\nc A 192.0.2.1\nb TXT z\nb TXT y\n"
    "b A 192.0.2.1\nc A 192.0.2.3\na AAAA ::1\nx.y.z A 192.0.2.1\ny.z TXT x\n",
    /* dynamic records, told where they stand */
    "a DYNA p!r\nb 60/30 DYNA p!s\nc DYNA q!r\nd DYNA p!x\ne 60 DYNC p!r\nf 10/60 DYNA p!r\ng DYNA "
    "p!r y\n",
    "@ SOA ns1 admin ( 2\n3600 ; refresh\n600\n)\n@ SOA ns1 admin 3 1 1 1 1\n",
    "$INCLUDE nothing\na A 192.0.2.1\n$INCLUDE\nb A 192.0.2.1\n",
};

static const char *const heads[] = {
    APEX,
    "@ SOA ns1 admin 1 7200 900 86400 300\n@ NS ns1\nns1 A 192.0.2.1\n",
    "@ 30 SOA ns1 admin (\n 1 7200 900\n86400 300 ) ; here\n NS ns1\n A 192.0.2.1\nns1 A "
    "192.0.2.1\n",
};

START_TEST(by_hand)
{
    const char *tail = nasty[_i];
    for (size_t h = 0; h < array_len(heads); h++) {
        char *text = mem_printf("%s%s", heads[h], tail);
        check_text(text, strlen(text), 1);
        mem_free(text);
    }
}
END_TEST

/* More texts than are kept, warnings before errors and between them. */
START_TEST(more_faults_than_are_kept)
{
    struct buf b = {0};
    buf_adds(&b, APEX);
    for (unsigned i = 0; i < 260; i++)
        buf_printf(&b, i % 7 == 3 && i > 120 ? "n%u A x\n" : "n%u 1 A 192.0.2.1\n", i);
    check_text(b.data, b.len, 1);
    buf_fini(&b);
}
END_TEST

/* Long enough that several threads do read ahead of one another. */
START_TEST(long_text)
{
    struct buf b = {0};
    buf_adds(&b, APEX);
    for (unsigned i = 0; i < 3000; i++) {
        if (i % 500 == 250)
            buf_printf(&b, "$ORIGIN s%u\n$TTL %u\n", i % 3, 300 + i);
        if (i % 700 == 350)
            buf_printf(&b, "t%u 2 TXT (\"x\n\"\ny )\n", i);
        buf_printf(&b, i % 5 ? "n%u A 192.0.2.%u\n TXT x\n" : " TXT \"%u\" %u\n", i % 900, i % 250);
    }
    struct zone_options o = lib_options();
    char *wanted = load_text(b.data, b.len, &o);
    ck_assert_int_eq(strncmp(wanted, "0\n", 2), 0);
    for (size_t i = 0; i < array_len(threads); i++) {
        o.threads = threads[i];
        for (o.piece_bytes = 50; o.piece_bytes < 20000; o.piece_bytes *= 3)
            compare(load_text(b.data, b.len, &o), wanted, "long_text", &o);
    }
    mem_free(wanted);
    buf_fini(&b);
}
END_TEST

/* ---- texts that others wrote, and random ones ----------------------------------------------- */

struct text {
    char *data;
    size_t len;
};

static struct text read_file(const char *dir, const char *name)
{
    struct buf b = {0};
    char *path = mem_printf("%s/%s", dir, name);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    for (size_t n = 1; n; b.len += n)
        n = fread(buf_reserve(&b, 65536), 1, 65536, f);
    fclose(f);
    mem_free(path);
    struct text t = {.len = b.len};
    t.data = buf_take(&b);
    return t;
}

static size_t read_corpus(struct text *texts, size_t max)
{
    size_t n = 0;
    DIR *dir = opendir(CORPUS);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *e; n < max && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            texts[n++] = read_file(CORPUS, e->d_name);
    closedir(dir);
    return n;
}

#define CORPUS_MAX 64

START_TEST(corpus)
{
    struct text texts[CORPUS_MAX];
    size_t count = read_corpus(texts, CORPUS_MAX);
    ck_assert_uint_gt(count, 5);
    for (size_t i = 0; i < count; i++) {
        check_text(texts[i].data, texts[i].len, 1);
        mem_free(texts[i].data);
    }
}
END_TEST

/* Lines and parts of lines; a random text is a chain of them. */
static const char *const parts[] = {
    "a A 192.0.2.1\n",
    "b 60 A 192.0.2.2\n",
    " A 192.0.2.3\n",
    "\tTXT x\n",
    "c IN 70 TXT \"",
    "\"\n",
    "\"",
    "(",
    ")",
    "\n",
    "\r\n",
    ";",
    "; c\n",
    "$ORIGIN d\n",
    "$ORIGIN example.\n",
    "$TTL 80\n",
    "$TTL 1\n",
    "d 1 A 192.0.2.4\n",
    "\\",
    "\\\n",
    "e CNAME a\n",
    "f NS a\n",
    "g.f A 192.0.2.5\n",
    " ",
    "$GENERATE 1-2 h$ A 192.0.2.$\n",
    "i TXT ( x\ny )\n",
    "j TXT \"x\ny\"\n",
    "k DYNA p!r\n",
    "@ A 192.0.2.6\n",
    "l.@Z A 192.0.2.7\n",
    "$TTL 90 x\n",
    "m NOSUCH\n",
    "n A 192.0.2.8",
    "$ORIGIN x y\n",
    "a A 192.0.2.1\n A 192.0.2.9\n",
    "\x01",
    "*.o MX 1 a\n",
    "p",
    "@",
    "$",
};

static void add_random(struct buf *b, struct prng *r, const struct text *texts, size_t count)
{
    const struct text *t = &texts[prng_below(r, (uint32_t)count)];
    uint32_t kind = prng_below(r, 100);
    if (kind < 3 && t->len) { /* some of another's text */
        size_t from = prng_below(r, (uint32_t)t->len);
        size_t left = t->len - from;
        buf_add(b, t->data + from, left < 150 ? left : 150);
    } else if (kind < 5) {
        char c = (char)prng_below(r, 256);
        buf_add(b, &c, 1);
    } else if (kind < 50) { /* the first few are good lines */
        buf_adds(b, parts[prng_below(r, 4)]);
    } else {
        buf_adds(b, parts[prng_below(r, array_len(parts))]);
    }
}

START_TEST(at_random)
{
    struct text texts[CORPUS_MAX];
    struct prng r;
    size_t count = read_corpus(texts, CORPUS_MAX);
    unsigned rounds = getenv("THRESH_LONG") ? 5000 : 60;
    prng_init_from(&r, 11 + (uint64_t)_i);
    for (unsigned i = 0; i < rounds; i++) {
        struct buf b = {0};
        buf_adds(&b, prng_below(&r, 8) ? heads[prng_below(&r, array_len(heads))] : "");
        for (uint32_t n = prng_below(&r, 60); n > 0; n--)
            add_random(&b, &r, texts, count);
        check_text(b.data ? b.data : "", b.len, 1 + prng_below(&r, 5));
        buf_fini(&b);
    }
    for (size_t i = 0; i < count; i++)
        mem_free(texts[i].data);
}
END_TEST

/* ---- files that include others -------------------------------------------------------------- */

static char dir[64];

START_TEST(includes)
{
    strcpy(dir, "check_split.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    lib_write(dir, ".inc",
              "x A 192.0.2.1\n TXT y\n$ORIGIN deep\n$TTL 44\nz 5000000 A 192.0.2.1\n"
              "w A bad\n");
    lib_write(dir, ".good", "x A 192.0.2.1\n TXT y\n$ORIGIN deep\n$TTL 44\nz A 192.0.2.1\n");
    static const char *const tails[] = {
        "a A 192.0.2.1\n$INCLUDE .good\n A 192.0.2.2\nb TXT x\n$INCLUDE .good sub\nc TXT x\n",
        "a 50 A 192.0.2.1\n$INCLUDE .inc\n A 192.0.2.2\nb A x\n$INCLUDE .inc sub\nc 1 A 192.0.2.1\n"
        "$INCLUDE .missing\n$INCLUDE example\n$INCLUDE .good sub more\nd A 192.0.2.1\n",
    };
    for (unsigned i = 0; i < array_len(tails) * array_len(heads); i++) {
        char *text = mem_printf("%s%s", heads[i / array_len(tails)], tails[i % array_len(tails)]);
        lib_write(dir, "example", text);
        struct zone_options o = options_of(0);
        char *wanted = load_dir(dir, &o);
        for (size_t k = 0; k < array_len(sizes) * array_len(threads); k++) {
            o.piece_bytes = sizes[k % array_len(sizes)];
            o.threads = threads[k / array_len(sizes)];
            compare(load_dir(dir, &o), wanted, text, &o);
        }
        mem_free(wanted);
        mem_free(text);
    }
    char *command = mem_printf("rm -rf '%s'", dir);
    ck_assert_int_eq(system(command), 0);
    mem_free(command);
}
END_TEST

/* ---- how far reading ahead goes ------------------------------------------------------------- */

/* `|`: where it has to stop; none: it reads all. Without it nothing above would test anything. */
static const char *const reaches[] = {
    "a A 192.0.2.1\n A 192.0.2.2\n; c\n\nb 60 TXT ( x\n\"y\nz\" )\n TXT z\n",
    "$TTL 50\na A 192.0.2.1\n$ORIGIN b\n@ A 192.0.2.1\n",
    "; c\n| A 192.0.2.1\nb A 192.0.2.1\n",              /* whose? */
    "a A 192.0.2.1\n|b A x\nc A 192.0.2.1\n",           /* an error */
    "a A 192.0.2.1\n|b 1 A 192.0.2.1\nc A 192.0.2.1\n", /* a warning */
    "a A 192.0.2.1\n|$GENERATE 1-2 b$ A 192.0.2.1\n",   /* brings text */
    "a A 192.0.2.1\n|$INCLUDE b\n",                     /* likewise */
    "a A 192.0.2.1\n|b TXT ( x\n",                      /* goes on behind the piece */
    "a A 192.0.2.1\n|b TXT \"x\n",                      /* likewise */
    "a A 192.0.2.1\n|$ORIGIN x y\n",
};

static void begin_build(struct build *b, struct diag *d, const struct zone_options *o)
{
    static const uint8_t apex[] = "\7example";
    *b = (struct build){.seed = 1, .options = o, .d = d};
    build_start(b, apex, 100);
    build_add_source(b, "text", NULL);
}

START_TEST(reach)
{
    const char *from = reaches[_i], *bar = strchr(from, '|');
    size_t stop = bar ? (size_t)(bar - from) : strlen(from);
    char *text = mem_printf("%.*s%s", (int)stop, from, bar ? bar + 1 : "");
    struct zone_options o = lib_options();
    struct diag d = {0}, ahead_d = {0};
    struct build b, ahead_b;
    struct parse_file source;
    struct parse p;
    begin_build(&b, &d, &o);
    begin_build(&ahead_b, &ahead_d, &o);
    parse_start(&p, &source, &b, "text");
    p.has_ttl = true;
    p.ttl_s = 300;
    parse_guess(&p, &ahead_b, text, text + strlen(text));
    parse_ahead(&p);
    ck_assert_uint_eq((size_t)(p.scan.p - text), stop);
    build_fini(&b);
    build_fini(&ahead_b);
    diag_fini(&d);
    diag_fini(&ahead_d);
    mem_free(text);
}
END_TEST

/* Without $TTL and before any TTL was read, only the lines before know a record's. */
START_TEST(reach_without_ttl)
{
    const char *text = "a 60 A 192.0.2.1\nb A 192.0.2.1\n", *second = "b A 192.0.2.1\n";
    struct zone_options o = lib_options();
    struct diag d = {0};
    struct build b;
    struct parse_file source;
    struct parse p;
    begin_build(&b, &d, &o);
    parse_start(&p, &source, &b, "text");
    p.told_default = true; /* else the warning alone would stop it */
    parse_guess(&p, &b, text, text + strlen(text));
    parse_ahead(&p);
    ck_assert_ptr_eq(p.scan.p, text + strlen(text));
    parse_guess(&p, &b, second, second + strlen(second));
    parse_ahead(&p);
    ck_assert_ptr_eq(p.scan.p, second);
    build_fini(&b);
    diag_fini(&d);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("split");
    TCase *t = tcase_create("split");
    tcase_set_timeout(t, getenv("THRESH_LONG") ? 600 : 60);
    tcase_add_loop_test(t, reach, 0, array_len(reaches));
    tcase_add_test(t, reach_without_ttl);
    tcase_add_loop_test(t, by_hand, 0, array_len(nasty));
    tcase_add_test(t, more_faults_than_are_kept);
    tcase_add_test(t, long_text);
    tcase_add_test(t, corpus);
    tcase_add_loop_test(t, at_random, 0, 4);
    tcase_add_test(t, includes);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
