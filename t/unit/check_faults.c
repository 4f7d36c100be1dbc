/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults that users of other servers met, by their number in the project's list: what a small zone
 * has to answer, with CNAMEs followed and not.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "lib/bare.h"
#include "unit/run.h"

#define HEAD "$TTL 60\n@ SOA ns1.x. h.x. 1 60 60 60 60\n@ NS ns1.x.\n"

#define SIGNED "a CNAME b\na RRSIG CNAME 8 2 60 1 1 1 z. AAAA\na NSEC z. CNAME RRSIG NSEC\n"

static const struct {
    const char *fault, *zone, *qname;
    uint16_t qtype;
    const char *alone, *chained; /* "rcode aa answers authorities additionals"; NULL: the same */
} rows[] = {
    {"B001", "b CNAME c\nc CNAME d\n", "b.z.", 1, "0 1 1 0 0", "3 1 2 1 0"},
    {"B002", "x CNAME y\ny TXT t\n", "x.z.", 1, "0 1 1 0 0", "0 1 1 1 0"},
    {"B004", "*.foo CNAME bar.foo\n", "z.foo.z.", 1, "0 1 1 0 0", "0 1 2 0 0"},
    {"B005", "*.t CNAME *.t\n", "a.t.z.", 1, "0 1 1 0 0", "0 1 2 0 0"},
    {"B007", "*.d A 192.0.2.1\nr.c.d A 192.0.2.2\n", "s.r.c.d.z.", 1, "3 1 0 1 0", NULL},
    {"B007", "*.d A 192.0.2.1\nr.c.d A 192.0.2.2\n", "x.c.d.z.", 1, "3 1 0 1 0", NULL},
    {"B007", "*.d A 192.0.2.1\nr.c.d A 192.0.2.2\n", "x.d.z.", 1, "0 1 1 0 0", NULL},
    {"B008", "* A 192.0.2.1\nssh.git A 192.0.2.2\n", "git.z.", 1, "0 1 0 1 0", NULL},
    {"B008", "* A 192.0.2.1\nssh.git A 192.0.2.2\n", "games.z.", 1, "0 1 1 0 0", NULL},
    {"B008", "* A 192.0.2.1\nssh.git A 192.0.2.2\n", "g.z.", 1, "0 1 1 0 0", NULL},
    {"B010", "foo CNAME www.*.q\nq TXT t\n", "foo.z.", 1, "0 1 1 0 0", "3 1 1 1 0"},
    {"B011", "* A 192.0.2.1\ncampus.* NS x.\n", "campus.email.z.", 1, "0 1 1 0 0", NULL},
    {"B013", "b.g NS n.b.g\nn.b.g A 192.0.2.1\n", "n.b.g.z.", 1, "0 0 0 1 1", NULL},
    {"B014", "sub NS sub\nsub A 192.0.2.1\n", "sub.z.", 1, "0 0 0 1 1", NULL},
    {"B017", "b NS x.\n", "b.z.", 43, "0 1 0 1 0", NULL},
    {"B017", "b NS x.\n", "c.b.z.", 43, "0 0 0 1 0", NULL},
    {"B019", "a CNAME b\nb A 192.0.2.1\n", "a.z.", 255, "0 1 1 0 0", NULL},
    {"B022", "d DNAME e\nf.e NS x.\n", "a.f.d.z.", 1, "0 1 2 0 0", "0 1 2 1 0"},
    {"B022", "d DNAME d\n", "a.d.z.", 1, "0 1 2 0 0", NULL},
    {"B022", "d DNAME a.d\n", "a.d.z.", 1, "0 1 2 0 0", NULL},
    {"DNAME for CNAME", "d DNAME t\n", "x.d.z.", 5, "0 1 2 0 0", NULL},
    {"DNAME at its owner", "d DNAME t\nd A 192.0.2.1\n", "d.z.", 1, "0 1 1 0 0", NULL},
    /* RFC 4035 sections 2.5 and 3.1: the signature by its type, the CNAME by all others */
    {"signed CNAME", SIGNED "b A 192.0.2.1\n", "a.z.", 46, "0 1 1 0 0", NULL},
    {"signed CNAME", SIGNED "b A 192.0.2.1\n", "a.z.", 47, "0 1 1 0 0", NULL},
    {"signed CNAME", SIGNED "b A 192.0.2.1\n", "a.z.", 5, "0 1 1 0 0", NULL},
    {"signed CNAME", SIGNED "b A 192.0.2.1\n", "a.z.", 255, "0 1 1 0 0", NULL},
    {"signed CNAME", SIGNED "b A 192.0.2.1\n", "a.z.", 1, "0 1 1 0 0", "0 1 2 0 0"},
    {"signed CNAME", SIGNED "b A 192.0.2.1\n", "a.z.", 25, "0 1 1 0 0", "0 1 1 1 0"},
    /* RFC 4592 section 4.2: no delegation of other names than its own */
    {"NS at a wildcard", "* NS x.\n", "*.z.", 1, "0 0 0 1 0", NULL},
    {"NS at a wildcard", "* NS x.\n", "a.z.", 2, "0 1 1 0 0", NULL},
    {"NS at a wildcard", "* NS x.\n", "a.z.", 1, "0 1 0 1 0", NULL},
    {"NS at a wildcard", "* NS x.\n", "a.*.z.", 1, "0 0 0 1 0", NULL},
    {"B028", "t TXT a\nt TXT a\nt TXT a\n", "t.z.", 16, "0 1 1 0 0", NULL},
};

static void ask(struct bare *b, int row, bool chained, char out[32])
{
    const struct zone_options zo = {.default_ttl_s = 60, .threads = 1};
    struct request rq = {0};
    static uint8_t m[65535];
    uint8_t q[300] = {0, 1, 0, 0, 0, 1};
    char *text = mem_printf("%s%s", HEAD, rows[row].zone);
    struct snapshot *s = bare_load(b, "z", text, &zo, chained);
    if (!s)
        ck_abort_msg("%s: %s", rows[row].fault, b->d.entries[0].text);
    int n = dname_parse(rows[row].qname, strlen(rows[row].qname), NULL, q + 12);
    ck_assert_int_gt(n, 0);
    q[12 + n + 1] = (uint8_t)rows[row].qtype;
    q[12 + n + 3] = 1;
    b->a.tcp = true;
    ck_assert_uint_gt(answer_one(&b->a, &rq, s, q, (size_t)n + 16, m, sizeof m), 12);
    (void)snprintf(out, 32, "%d %d %d %d %d", m[3] & 15, m[2] >> 2 & 1, m[7], m[9], m[11]);
    snapshot_free(s);
    mem_free(text);
}

START_TEST(answers_as_it_should)
{
    struct bare b;
    char alone[32], chained[32];
    bare_open(&b);
    ask(&b, _i, false, alone);
    ask(&b, _i, true, chained);
    ck_assert_msg(strcmp(alone, rows[_i].alone) == 0, "%s %s alone: %s", rows[_i].fault,
                  rows[_i].qname, alone);
    const char *want = rows[_i].chained ? rows[_i].chained : rows[_i].alone;
    ck_assert_msg(strcmp(chained, want) == 0, "%s %s chained: %s", rows[_i].fault, rows[_i].qname,
                  chained);
    bare_close(&b);
}
END_TEST

static Suite *faults_suite(void)
{
    Suite *s = suite_create("faults");
    TCase *t = tcase_create("faults");
    tcase_add_loop_test(t, answers_as_it_should, 0, (int)(sizeof rows / sizeof *rows));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(faults_suite)
