/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wire.c: conformance: hundreds of rows (bytes in -> header, sections, options), each with the text
 * that decides it, asked of the real daemon over UDP and TCP, IPv4 and IPv6.
 *
 * Whatever the row, a reply has its query's id, opcode, RD and question, zero elsewhere in the
 * header, one TTL in each rrset and no record twice, nothing behind its last record, no record at
 * all if it is truncated, and an OPT as RFC 6891 wants it.
 */
#include "e2e/wire.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "e2e/run.h"
#include "lib/daemon.h"
#include "lib/dns.h"
#include "lib/message.h"

/* Of a response: RFC 8467 section 4.1. */
enum { PAD_BLOCK = 468 };
enum { HEADER = 12, COOKIE = 10, CLIENT_COOKIE = 8, TEXT_MAX = 1024 };
/* tcp_timeout's default in 100 ms. */
#define KEEPALIVE_HEX "0172"

static const struct wire_table *const tables[] = {
    &wire_header,     &wire_question, &wire_names,        &wire_edns,
    &wire_ecs,        &wire_cookie,   &wire_no_nsid,      &wire_answers,
    &wire_chain,      &wire_sizes,    &wire_cookie_limit, &wire_chaos,
    &wire_sizes_4096, &wire_compat,   &wire_chaos_off,    &wire_padding,
};

/* One asking of one row. */
struct trial {
    const struct wire_table *table;
    const struct wire_row *row;
    size_t number; /* of the row, from 0 */
    struct dns_question route;
    struct message query;
    uint8_t reply[DNS_MAX];
    size_t len;
    ldns_pkt *packet;
    unsigned *failed; /* of the table */
};

#define FAIL(t, ...)                                                                               \
    (fprintf(stderr, "%s: row %d: %s: \"%s\" over %s, IPv%c: ", (t)->table->what,                  \
             (int)(t)->number + 1, (t)->row->law, (t)->row->query, (t)->route.tcp ? "TCP" : "UDP", \
             (t)->route.v6 ? '6' : '4'),                                                           \
     fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), ++*(t)->failed)

static unsigned get16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static bool has_word(const char *text, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += len)
        if ((at == text || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
            return true;
    return false;
}

/* ---- the header ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int code;
} rcodes[] = {{"NOERROR", 0}, {"FORMERR", 1}, {"SERVFAIL", 2}, {"NXDOMAIN", 3},
              {"NOTIMP", 4},  {"REFUSED", 5}, {"YXDOMAIN", 6}, {"BADVERS", 16}};

static int wanted_rcode(const char *head)
{
    for (size_t i = 0; i < sizeof rcodes / sizeof *rcodes; i++)
        if (has_word(head, rcodes[i].name))
            return rcodes[i].code;
    ck_abort_msg("no rcode: %s", head);
    return -1;
}

static void check_header(struct trial *t)
{
    const uint8_t *sent = t->query.bytes, *got = t->reply;
    const char *head = t->row->head;
    unsigned flags = 0x8000 | (get16(sent + 2) & 0x7900), questions = !has_word(head, "q0");
    int rcode = got[3] & 15, wanted = wanted_rcode(head);
    if (has_word(head, "aa"))
        flags |= 0x400;
    if (has_word(head, "tc"))
        flags |= 0x200;
    if (ldns_pkt_edns(t->packet))
        rcode |= ldns_pkt_edns_extended_rcode(t->packet) << 4;
    if (get16(got) != get16(sent))
        FAIL(t, "id %u, not %u", get16(got), get16(sent));
    if (rcode != wanted)
        FAIL(t, "rcode %d, not %d", rcode, wanted);
    if ((get16(got + 2) & 0xfff0) != flags)
        FAIL(t, "flags %04x, not %04x", get16(got + 2) & 0xfff0, flags);
    if (get16(got + 4) != questions)
        FAIL(t, "%u questions, not %u", get16(got + 4), questions);
    else if (questions && memcmp(got + HEADER, sent + HEADER, t->query.question_len) != 0)
        FAIL(t, "another question");
}

/* ---- the message's form -------------------------------------------------------------------- */

/* Past a name; len: it does not end. */
static size_t skip_name(const uint8_t *m, size_t len, size_t at)
{
    for (; at < len && m[at]; at += m[at] + 1u)
        if (m[at] >= 0xc0)
            return at + 2 < len ? at + 2 : len;
    return at < len ? at + 1 : len;
}

/* Every record that the header counts is there, then nothing; OPT's owner is the root. */
static void check_form(struct trial *t)
{
    const uint8_t *m = t->reply;
    size_t at = HEADER;
    for (unsigned i = get16(m + 4); i; i--)
        at = skip_name(m, t->len, at) + 4;
    for (unsigned i = get16(m + 6) + get16(m + 8) + get16(m + 10); i; i--) {
        size_t owner = at;
        at = skip_name(m, t->len, at);
        if (at + 10 > t->len)
            break;
        if (get16(m + at) == LDNS_RR_TYPE_OPT && m[owner])
            FAIL(t, "OPT has an owner");
        at += 10 + get16(m + at + 8);
    }
    if (at != t->len)
        FAIL(t, "records end at %zu of %zu bytes", at, t->len);
    if ((int)get16(m + 10) != (int)ldns_pkt_arcount(t->packet) + ldns_pkt_edns(t->packet))
        FAIL(t, "more than one OPT");
}

/* ---- sections ------------------------------------------------------------------------------ */

/* ldns's line in the words of a row. */
static void shorten(char *line)
{
    char *to = line;
    for (char *from = line; *from;) {
        size_t zone = strlen(MESSAGE_ZONE);
        if (strncmp(from, "\tIN\t", 4) == 0) {
            *to++ = ' ';
            from += 4;
        } else if (strncmp(from, MESSAGE_ZONE, zone) == 0 &&
                   (from == line || strchr(" .\t", from[-1]))) {
            if (from > line && from[-1] == '.')
                to--;
            else
                *to++ = '@';
            from += zone;
        } else {
            *to = *from == '\t' ? ' ' : *from;
            to++, from++;
        }
    }
    *to = '\0';
}

/* Is the line one of the records wanted? */
static bool is_wanted(const char *wanted, const char *line)
{
    size_t len = strlen(line);
    for (const char *at = wanted; *at; at += strcspn(at, ";"), at += *at == ';')
        if (strncmp(at, line, len) == 0 && (at[len] == ';' || !at[len]))
            return true;
    return false;
}

static size_t count_wanted(const char *wanted)
{
    size_t n = *wanted != 0;
    for (; *wanted; wanted++)
        n += *wanted == ';';
    return n;
}

static void check_set(struct trial *t, const char *what, const ldns_rr_list *got)
{
    for (size_t i = 0; i < ldns_rr_list_rr_count(got); i++)
        for (size_t k = 0; k < i; k++) {
            const ldns_rr *a = ldns_rr_list_rr(got, i), *b = ldns_rr_list_rr(got, k);
            if (ldns_rr_get_type(a) != ldns_rr_get_type(b) ||
                ldns_dname_compare(ldns_rr_owner(a), ldns_rr_owner(b)) != 0)
                continue;
            if (ldns_rr_ttl(a) != ldns_rr_ttl(b))
                FAIL(t, "%s: two TTLs in one rrset (RFC 2181 5.2)", what);
            if (ldns_rr_compare(a, b) == 0)
                FAIL(t, "%s: a record twice (RFC 2181 5)", what);
        }
}

static void check_section(struct trial *t, const char *what, const ldns_rr_list *got,
                          const char *wanted)
{
    size_t count = ldns_rr_list_rr_count(got);
    check_set(t, what, got);
    if (strcmp(wanted, ANY) == 0)
        return;
    size_t number = *wanted == '#' ? strtoul(wanted + 1, NULL, 10) : count_wanted(wanted);
    if (count != number)
        FAIL(t, "%s: %zu records, not %zu", what, count, number);
    char *text = dns_section_text(got), *left = text, *line;
    while (*wanted != '#' && (line = strsep(&left, "\n")) && *line) {
        shorten(line);
        if (!is_wanted(wanted, line))
            FAIL(t, "%s: \"%s\" is none of \"%s\"", what, line, wanted);
    }
    free(text);
}

static void check_sections(struct trial *t)
{
    check_section(t, "answer", ldns_pkt_answer(t->packet), t->row->answer);
    check_section(t, "authority", ldns_pkt_authority(t->packet), t->row->authority);
    check_section(t, "additional", ldns_pkt_additional(t->packet), t->row->additional);
}

/* ---- OPT ----------------------------------------------------------------------------------- */

/* The option's expected data among CODE=HEX words; NULL: it should not be there. */
static const char *wanted_option(const char *wanted, unsigned code, char out[TEXT_MAX])
{
    char key[16];
    (void)snprintf(key, sizeof key, "%u=", code); /* fits */
    for (const char *at = wanted; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, key, strlen(key)) == 0) {
            at += strlen(key);
            (void)snprintf(out, TEXT_MAX, "%.*s", (int)strcspn(at, " "), at); /* fits */
            return out;
        }
    return NULL;
}

static void check_options(struct trial *t, const char *wanted)
{
    char hex[TEXT_MAX];
    size_t seen = 0, number = 0;
    ldns_rdf *data = ldns_pkt_edns_data(t->packet);
    const uint8_t *at = data ? ldns_rdf_data(data) : NULL;
    const uint8_t *end = data ? at + ldns_rdf_size(data) : NULL;
    for (const char *p = wanted; *p; p++)
        number += *p == '=';
    while (end - at >= 4 && end - at - 4 >= (long)get16(at + 2)) {
        const char *want = wanted_option(wanted, get16(at), hex);
        if (!want)
            FAIL(t, "option %u is not wanted", get16(at));
        else if (!message_matches(want, at + 4, get16(at + 2)))
            FAIL(t, "option %u is not %s", get16(at), want);
        seen++;
        at += 4 + get16(at + 2);
    }
    if (at != end)
        FAIL(t, "options end inside of one");
    if (seen != number)
        FAIL(t, "%zu options, not %zu", seen, number);
}

static void check_opt(struct trial *t)
{
    char wanted[TEXT_MAX];
    const char *options = t->row->options;
    if (options && strcmp(options, ANY) == 0)
        return;
    if (ldns_pkt_edns(t->packet) != (options != NULL)) {
        FAIL(t, "%s OPT", options ? "no" : "an");
        return;
    }
    if (!options)
        return;
    (void)snprintf(wanted, sizeof wanted, "%s%s%s", options, /* fits */
                   t->route.tcp ? " 11=" KEEPALIVE_HEX : "",
                   t->route.tcp && t->table->pads ? " 12=*" : "");
    if (t->route.tcp && t->table->pads && t->len % PAD_BLOCK != 0)
        FAIL(t, "%zu bytes are no whole blocks", t->len);
    unsigned asked = t->query.opt_at ? get16(t->query.bytes + t->query.opt_at + 7) & 0x8000 : 0;
    unsigned flags = ldns_pkt_edns_z(t->packet) | (ldns_pkt_edns_do(t->packet) ? 0x8000 : 0);
    if (ldns_pkt_edns_version(t->packet) != 0)
        FAIL(t, "EDNS version %u", ldns_pkt_edns_version(t->packet));
    if (ldns_pkt_edns_udp_size(t->packet) != t->table->udp_size)
        FAIL(t, "size %u, not %u", ldns_pkt_edns_udp_size(t->packet), t->table->udp_size);
    if (flags != asked)
        FAIL(t, "flags of OPT %04x, not %04x", flags, asked);
    check_options(t, wanted);
}

/* ---- asking -------------------------------------------------------------------------------- */

static void check_reply(struct trial *t)
{
    ldns_status s = ldns_wire2pkt(&t->packet, t->reply, t->len);
    if (s != LDNS_STATUS_OK) {
        FAIL(t, "%s", ldns_get_errorstr_by_id(s));
        return;
    }
    check_header(t);
    check_form(t);
    check_sections(t);
    check_opt(t);
    ldns_pkt_free(t->packet);
    t->packet = NULL;
}

/* No reply: over UDP the next one is to a good query behind it, over TCP the connection ends. */
static void check_drop(struct trial *t, int fd)
{
    static struct message good;
    if (t->route.tcp) {
        if (dns_receive_tcp(fd, t->reply) >= 0)
            FAIL(t, "a reply");
        return;
    }
    message_parse(&good, (uint16_t)~get16(t->query.bytes), "q:www/A");
    ck_assert_int_eq(send(fd, good.bytes, good.len, 0), (ssize_t)good.len);
    (void)dns_receive_udp(fd, t->reply); /* checked by its id */
    if (get16(t->reply) != get16(good.bytes))
        FAIL(t, "a reply");
}

static void ask(struct trial *t)
{
    int fd = dns_connect(&t->route), n;
    if (t->route.tcp)
        dns_send_tcp(fd, t->query.bytes, t->query.len);
    else
        ck_assert_int_eq(send(fd, t->query.bytes, t->query.len, 0), (ssize_t)t->query.len);
    if (has_word(t->row->head, "DROP")) {
        check_drop(t, fd);
        close(fd);
        return;
    }
    n = t->route.tcp ? dns_receive_tcp(fd, t->reply) : (int)recv(fd, t->reply, DNS_MAX, 0);
    close(fd);
    if (n < HEADER) {
        FAIL(t, "no reply: %s", n < 0 ? strerror(errno) : "short");
        return;
    }
    t->len = (size_t)n;
    check_reply(t);
}

static void ask_text(struct trial *t, const char *text)
{
    message_parse(&t->query, (uint16_t)(0x1200 + t->number), text);
    ask(t);
}

/* What this server gives to the client's part 61*8 at this address, in hexadecimal. */
static void find_cookie(const struct dns_question *route, char out[2 * TEXT_MAX])
{
    static struct message query;
    static uint8_t reply[DNS_MAX];
    static const uint8_t client[CLIENT_COOKIE] = "aaaaaaaa";
    message_parse(&query, 1, "q:www/A o +10:61*8");
    size_t len = dns_exchange(route, query.bytes, query.len, reply);
    const uint8_t *at = memmem(reply, len, client, CLIENT_COOKIE);
    ck_assert_ptr_nonnull(at);
    ck_assert_uint_eq(get16(at - 4), COOKIE);
    for (unsigned i = 0; i < get16(at - 2); i++)
        (void)sprintf(out + 2 * i, "%02x", at[i]); /* fits: at most 40 bytes */
}

static void ask_row(struct trial *t)
{
    char text[4 * TEXT_MAX], cookie[2 * TEXT_MAX];
    const char *at = strstr(t->row->query, "COOKIE");
    if (!at) {
        ask_text(t, t->row->query);
        return;
    }
    find_cookie(&t->route, cookie);
    int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - t->row->query), t->row->query,
                     cookie, at + strlen("COOKIE"));
    ck_assert_int_lt(n, (int)sizeof text);
    ask_text(t, text);
}

/* The same row with OPT, and with a cookie: only OPT may differ. */
static void ask_again(struct trial *t)
{
    static const struct {
        const char *words, *options;
    } kinds[] = {{" o", ""}, {" o:1232/0/8000", ""}, {" o +10:61*8", "10=61*8_?*16"}};
    const struct wire_row *row = t->row;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char text[TEXT_MAX];
        struct wire_row with = *row;
        (void)snprintf(text, sizeof text, "%s%s", row->query, kinds[i].words); /* fits */
        with.query = text;
        with.options = strstr(row->head, "REFUSED") ? ANY : kinds[i].options;
        t->row = &with;
        ask_text(t, text);
    }
    t->row = row;
}

static void ask_every_way(struct trial *t)
{
    for (unsigned way = 0; way < 4; way++) {
        t->route.tcp = way & 1;
        t->route.v6 = way & 2;
        if (has_word(t->row->head, t->route.tcp ? "udp" : "tcp"))
            continue;
        ask_row(t);
        if (t->table->is_plain)
            ask_again(t);
    }
}

/* ---- tables -------------------------------------------------------------------------------- */

static void start(struct test_daemon *d, const struct wire_table *table)
{
    char *text;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(out);
    wire_put_zone(out, table->has_circles);
    ck_assert_int_eq(fclose(out), 0);
    const struct daemon_zone zones[] = {
        {"e2e.example", text}, {"child.e2e.example", wire_child}, {"low.example", wire_low}, {0}};
    const struct daemon_conf conf = {
        .listen = table->pads
                      ? "{ 127.0.0.1 => { tcp_pad => true } \"::1\" => { tcp_pad => true } }"
                      : NULL,
        .options = table->options,
        .sections =
            "plugins => { multifo => { web => { addrs_v4 => [ 192.0.2.60, 192.0.2.61 ] } } }",
        .zones = zones,
    };
    daemon_start(d, &conf);
    free(text);
}

START_TEST(every_row_over_every_way)
{
    static struct trial t;
    struct test_daemon d;
    unsigned failed = 0;
    t.table = tables[_i];
    t.failed = &failed;
    start(&d, t.table);
    t.route.port = d.port;
    for (size_t i = 0; i < t.table->row_count; i++) {
        t.number = i;
        t.row = &t.table->rows[i];
        ask_every_way(&t);
    }
    daemon_stop(&d);
    ck_assert_msg(failed == 0, "%s: %u checks failed", t.table->what, failed);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("wire");
    TCase *c = e2e_case(s, "rows");
    tcase_add_loop_test(c, every_row_over_every_way, 0, sizeof tables / sizeof *tables);
    return s;
}

E2E_MAIN(make_suite)
