/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declared keys: what each type reads and refuses, strict and lax, and what the messages say. */
#include <stddef.h>
#include <thresh/types.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/netaddr.h"
#include "conf/schema.h"
#include "unit/conf_text.h"
#include "unit/run.h"

struct all {
    bool flag;
    uint32_t port, any_uint, interval_ms, delay_ms, ttl_s;
    double thresh, any_float;
    const char *name, *path;
    struct th_addr addr;
    int mode;
    struct th_list listen, few;
    const struct th_conf *any;
};

#define AT(f) .offset = offsetof(struct all, f)

static const struct th_key all_keys[] = {
    {.name = "flag", .type = TH_BOOL, AT(flag), .def = "true"},
    {.name = "port", .type = TH_UINT, AT(port), .min = 1, .max = 65535, .def = "80"},
    {.name = "any_uint", .type = TH_UINT, AT(any_uint)},
    {.name = "interval",
     .type = TH_DURATION,
     AT(interval_ms),
     .min = 0.3,
     .max = 3600,
     .def = "2.5"},
    {.name = "delay", .type = TH_DURATION, AT(delay_ms), .def = "500ms"},
    {.name = "ttl", .type = TH_TTL, AT(ttl_s), .min = 1, .max = 2147483647, .def = "1h30m"},
    {.name = "thresh",
     .type = TH_FLOAT,
     AT(thresh),
     .max = 1,
     .def = "0.5",
     .flags = TH_KEY_MIN_EXCLUSIVE},
    {.name = "any_float", .type = TH_FLOAT, AT(any_float)},
    {.name = "name", .type = TH_STRING, AT(name), .min = 1, .max = 5, .def = "anna"},
    {.name = "path", .type = TH_STRING, AT(path)},
    {.name = "addr", .type = TH_ADDR, AT(addr), .def = "2001:db8::1"},
    {.name = "mode", .type = TH_ENUM, AT(mode), .choices = "up|down|drain", .def = "drain"},
    {.name = "listen", .type = TH_LIST, AT(listen), .def = "any"},
    {.name = "few", .type = TH_LIST, AT(few), .min = 2, .max = 3, .unit = "datacenters"},
    {.name = "any", .type = TH_ANY, AT(any)},
    {0},
};

START_TEST(defaults)
{
    static const struct th_key empty[] = {{.name = "l", .type = TH_LIST, .def = ""}, {0}};
    struct all a = {.any_uint = 7};
    struct th_list none;
    struct th_addr addr;
    schema_defaults(all_keys, &a);
    ck_assert(a.flag);
    ck_assert_uint_eq(a.port, 80);
    ck_assert_uint_eq(a.any_uint, 7); /* no default: left */
    ck_assert_uint_eq(a.interval_ms, 2500);
    ck_assert_uint_eq(a.delay_ms, 500);
    ck_assert_uint_eq(a.ttl_s, 5400);
    ck_assert_double_eq(a.thresh, 0.5);
    ck_assert_str_eq(a.name, "anna");
    ck_assert_ptr_null(a.path);
    ck_assert_int_eq(netaddr_parse_addr("2001:db8::1", &addr), 0);
    ck_assert(th_addr_equal(&a.addr, &addr));
    ck_assert_int_eq(a.mode, 2);
    ck_assert_uint_eq(a.listen.count, 1);
    ck_assert_str_eq(a.listen.items[0], "any");
    ck_assert_ptr_null(a.listen.nodes);
    ck_assert_uint_eq(a.few.count, 0);
    schema_defaults(empty, &none);
    ck_assert_uint_eq(none.count, 0);
}
END_TEST

static const char full[] = "flag = FaLsE port = 0x1F90 any_uint = 4294967295 interval = 0.3\n"
                           "delay = 1d ttl = 1w2d3h4m5s thresh = 1 any_float = -2.5e-1\n"
                           "name = \"b c\" path = /a\\.b addr = 192.0.2.1 mode = up\n"
                           "listen = [ x, \"y\", z ] few = [ 1 2 ] any = { k = v }";

START_TEST(every_type_is_read)
{
    struct vtree *t = conf_tree_of(full);
    struct diag d = {0};
    struct all a = {0};
    struct th_addr addr;
    ck_assert_int_eq(schema_read(all_keys, vtree_root(t), "all", SCHEMA_REFUSE_REST, &a, &d), 0);
    ck_assert_uint_eq(d.count, 0);
    ck_assert(!a.flag);
    ck_assert_uint_eq(a.port, 8080);
    ck_assert_uint_eq(a.any_uint, 4294967295u);
    ck_assert_uint_eq(a.interval_ms, 300);
    ck_assert_uint_eq(a.delay_ms, 86400000);
    ck_assert_uint_eq(a.ttl_s, 604800 + 2 * 86400 + 3 * 3600 + 4 * 60 + 5);
    ck_assert_double_eq(a.thresh, 1);
    ck_assert_double_eq(a.any_float, -0.25);
    ck_assert_str_eq(a.name, "b c");
    ck_assert_str_eq(a.path, "/a.b");
    ck_assert_int_eq(netaddr_parse_addr("192.0.2.1", &addr), 0);
    ck_assert(th_addr_equal(&a.addr, &addr));
    ck_assert_int_eq(a.mode, 0);
    ck_assert_uint_eq(a.listen.count, 3);
    ck_assert_str_eq(a.listen.items[1], "y");
    ck_assert_str_eq(vnode_text(a.listen.nodes[2]), "z");
    ck_assert_uint_eq(a.few.count, 2);
    ck_assert_ptr_eq(a.any, vnode_find(vtree_root(t), "any"));
    vtree_free(t);
}
END_TEST

START_TEST(one_text_is_a_list)
{
    struct vtree *t = conf_tree_of("listen = x");
    struct diag d = {0};
    struct all a = {0};
    ck_assert_int_eq(schema_read(all_keys, vtree_root(t), "all", SCHEMA_REFUSE_REST, &a, &d), 0);
    ck_assert_uint_eq(a.listen.count, 1);
    ck_assert_str_eq(a.listen.items[0], "x");
    ck_assert_ptr_eq(a.listen.nodes[0], vnode_find(vtree_root(t), "listen"));
    vtree_free(t);
    t = conf_tree_of("listen = []");
    ck_assert_int_eq(schema_read(all_keys, vtree_root(t), "all", SCHEMA_REFUSE_REST, &a, &d), 0);
    ck_assert_uint_eq(a.listen.count, 0);
    vtree_free(t);
}
END_TEST

START_TEST(absent_keys_are_inherited)
{
    struct vtree *t = conf_tree_of("port = 81 rest = 1");
    struct diag d = {0};
    struct all parent, child;
    memset(&parent, 0, sizeof parent);
    schema_defaults(all_keys, &parent);
    parent.ttl_s = 17;
    child = parent;
    ck_assert_int_eq(schema_read(all_keys, vtree_root(t), "all", SCHEMA_LEAVE_REST, &child, &d), 0);
    ck_assert_uint_eq(child.port, 81);
    ck_assert_uint_eq(child.ttl_s, 17);
    ck_assert_uint_eq(child.interval_ms, 2500);
    vtree_free(t);
}
END_TEST

#define UINT     "a whole number, decimal or 0x hexadecimal, without sign or leading zero"
#define DURATION "a duration such as 5, 2.5, 500ms, 2s, 5m, 1h or 1d (a bare number is seconds)"
#define TTL      "whole seconds such as 3600, or with units w d h m s such as 1h30m"
#define NUMBER   "a number such as 1, 0.5 or 1e-3"
#define LIST     "a text or an array of texts, without NUL bytes"

static const struct {
    const char *conf, *message;
} faults[] = {
    {"flag = yes", "c:1:8: all: flag: read \"yes\", allowed: true or false"},
    {"flag = 1", "c:1:8: all: flag: read \"1\", allowed: true or false"},
    {"flag = [ true ]", "c:1:8: all: flag: read an array, allowed: true or false"},
    {"flag = true\\000", "c:1:8: all: flag: read \"true\\000\", allowed: true or false"},
    {"port = 0", "c:1:8: all: port: read \"0\", allowed: " UINT ", 1 to 65535"},
    {"port = 65536", "c:1:8: all: port: read \"65536\", allowed: " UINT ", 1 to 65535"},
    {"port = 080", "c:1:8: all: port: read \"080\", allowed: " UINT ", 1 to 65535"},
    {"port = {}", "c:1:8: all: port: read a hash, allowed: " UINT ", 1 to 65535"},
    {"any_uint = 4294967296", "c:1:12: all: any_uint: read \"4294967296\", allowed: " UINT},
    {"interval = 0.299",
     "c:1:12: all: interval: read \"0.299\", allowed: " DURATION ", 0.3 to 3600 seconds"},
    {"interval = 61m",
     "c:1:12: all: interval: read \"61m\", allowed: " DURATION ", 0.3 to 3600 seconds"},
    {"delay = 0.0005", "c:1:9: all: delay: read \"0.0005\", allowed: " DURATION},
    {"ttl = 1.5", "c:1:7: all: ttl: read \"1.5\", allowed: " TTL ", 1 to 2147483647 seconds"},
    {"thresh = 0", "c:1:10: all: thresh: read \"0\", allowed: " NUMBER ", more than 0 up to 1"},
    {"thresh = 1.01",
     "c:1:10: all: thresh: read \"1.01\", allowed: " NUMBER ", more than 0 up to 1"},
    {"any_float = nan", "c:1:13: all: any_float: read \"nan\", allowed: " NUMBER},
    {"name = \"\"", "c:1:8: all: name: read \"\", allowed: a text without NUL bytes, 1 to 5 bytes"},
    {"name = 123456",
     "c:1:8: all: name: read \"123456\", allowed: a text without NUL bytes, 1 to 5 bytes"},
    {"path = a\\000b", "c:1:8: all: path: read \"a\\000b\", allowed: a text without NUL bytes"},
    {"addr = 1", "c:1:8: all: addr: read \"1\", allowed: an address such as 192.0.2.1 or "
                 "2001:db8::1"},
    {"mode = Down", "c:1:8: all: mode: read \"Down\", allowed: up, down or drain; did you mean "
                    "\"down\"?"},
    {"mode = rain", "c:1:8: all: mode: read \"rain\", allowed: up, down or drain; did you mean "
                    "\"drain\"?"},
    {"mode = dr", "c:1:8: all: mode: read \"dr\", allowed: up, down or drain"},
    {"mode = drian", "c:1:8: all: mode: read \"drian\", allowed: up, down or drain; did you mean "
                     "\"drain\"?"},
    {"mode = \"\"", "c:1:8: all: mode: read \"\", allowed: up, down or drain"},
    {"mode = \"up|down\"", "c:1:8: all: mode: read \"up|down\", allowed: up, down or drain"},
    {"listen = { a = b }", "c:1:10: all: listen: read a hash, allowed: " LIST},
    {"listen = [ a, [ b ] ]", "c:1:10: all: listen: read an array, allowed: " LIST},
    {"listen = [ a, b\\000 ]", "c:1:10: all: listen: read an array, allowed: " LIST},
    {"listen = b\\000", "c:1:10: all: listen: read \"b\\000\", allowed: " LIST},
    {"few = 1", "c:1:7: all: few: read \"1\", allowed: " LIST ", 2 to 3 datacenters"},
    {"few = [1 2 3 4]", "c:1:7: all: few: read an array, allowed: " LIST ", 2 to 3 datacenters"},
    {"prot = 1", "c:1:1: all: unknown key \"prot\"; did you mean \"port\"?"},
    {"LISTEN = 1", "c:1:1: all: unknown key \"LISTEN\"; did you mean \"listen\"?"},
    {"zzz = 1", "c:1:1: all: unknown key \"zzz\"; see thresh.config(5)"},
    /* all of them are reported, in the order of the file */
    {"port = x\nzzz = 1\nttl = 5\nflag = 2",
     "c:1:8: all: port: read \"x\", allowed: " UINT ", 1 to 65535\n"
     "c:2:1: all: unknown key \"zzz\"; see thresh.config(5)\n"
     "c:4:8: all: flag: read \"2\", allowed: true or false"},
};

START_TEST(faults_are_reported)
{
    struct vtree *t = conf_tree_of(faults[_i].conf);
    struct diag d = {0};
    struct all a = {.port = 9};
    int e = schema_read(all_keys, vtree_root(t), "all", SCHEMA_REFUSE_REST, &a, &d);
    char *messages = conf_messages(&d);
    ck_assert_str_eq(messages, faults[_i].message);
    ck_assert_int_eq(e, ERR_REFUSED);
    ck_assert_uint_eq(a.port, 9); /* a refused value is not written */
    mem_free(messages);
    vtree_free(t);
}
END_TEST

START_TEST(required_and_known)
{
    static const struct th_key keys[] = {
        {.name = "one", .type = TH_ANY, .flags = TH_KEY_REQUIRED},
        {.name = "two", .type = TH_ANY, .flags = TH_KEY_REQUIRED},
        {0},
    };
    static const struct th_key none[] = {{0}};
    const struct th_conf *out;
    struct diag d = {0};
    struct vtree *t = conf_tree_of("h = { zzzzzz = 1 } a = [ x ]");
    const struct th_conf *hash = vnode_find(vtree_root(t), "h");
    const struct th_conf *array = vnode_find(vtree_root(t), "a");
    ck_assert_int_eq(schema_read(keys, hash, "x y", SCHEMA_REFUSE_REST, &out, &d), ERR_REFUSED);
    ck_assert_int_eq(schema_read(none, hash, "n", SCHEMA_REFUSE_REST, &out, &d), ERR_REFUSED);
    ck_assert_int_eq(schema_read(none, array, "n", SCHEMA_LEAVE_REST, &out, &d), ERR_REFUSED);
    char *messages = conf_messages(&d);
    ck_assert_str_eq(messages, "c:1:5: x y: the key \"one\" is required\n"
                               "c:1:5: x y: the key \"two\" is required\n"
                               "c:1:7: x y: unknown key \"zzzzzz\"; known keys: one, two\n"
                               "c:1:7: n: unknown key \"zzzzzz\"; no key is known here\n"
                               "c:1:24: n: read an array, expected a hash: { key => value }");
    mem_free(messages);
    vtree_free(t);
}
END_TEST

START_TEST(lax_reads_as_gdnsd)
{
    struct vtree *t = conf_tree_of("port = 010 any_uint = \" +0x10\" interval = 012 ttl = 017\n"
                                   "any_float = 0x1p3 addr = 0x7f000001 delay = 500ms");
    struct diag d = {0};
    struct all a = {0};
    struct th_addr addr;
    const struct th_conf *root = vtree_root(t);
    ck_assert_int_eq(schema_addr(vnode_find(root, "addr"), &addr), ERR_SYNTAX);
    ck_assert_int_eq(schema_read(all_keys, root, "all", SCHEMA_REFUSE_REST, &a, &d), ERR_REFUSED);
    ck_assert_uint_eq(d.error_count, 6);
    diag_fini(&d);
    vtree_set_lax(t, true);
    ck_assert_int_eq(schema_read(all_keys, root, "all", SCHEMA_REFUSE_REST, &a, &d), 0);
    ck_assert_uint_eq(a.port, 8);
    ck_assert_uint_eq(a.any_uint, 16);
    ck_assert_uint_eq(a.interval_ms, 10000);
    ck_assert_uint_eq(a.ttl_s, 15);
    ck_assert_uint_eq(a.delay_ms, 500);
    ck_assert_double_eq(a.any_float, 8);
    ck_assert_int_eq(schema_addr(vnode_find(root, "addr"), &addr), 0);
    ck_assert(th_addr_equal(&a.addr, &addr));
    ck_assert_uint_eq(addr.bytes[0], 127);
    ck_assert_int_eq(schema_addr(root, &addr), ERR_SYNTAX);
    vtree_free(t);
    t = conf_tree_of("port = -1"); /* wraps, then fails the range */
    vtree_set_lax(t, true);
    ck_assert_int_eq(schema_read(all_keys, vtree_root(t), "all", SCHEMA_REFUSE_REST, &a, &d),
                     ERR_REFUSED);
    diag_fini(&d);
    vtree_free(t);
}
END_TEST

enum parser { UINT_, TTL_, MS_, UINT_LAX };

static const struct {
    enum parser parser;
    const char *text;
    int e;
    uint32_t value;
} numbers[] = {
    {UINT_, "0", 0, 0},
    {UINT_, "42", 0, 42},
    {UINT_, "0x2a", 0, 42},
    {UINT_, "0XfF", 0, 255},
    {UINT_, "0x00ff", 0, 255},
    {UINT_, "4294967295", 0, 4294967295u},
    {UINT_, "4294967296", ERR_RANGE, 0},
    {UINT_, "0x100000000", ERR_RANGE, 0},
    {UINT_, "99999999999999999999999999999999999999999", ERR_RANGE, 0},
    {UINT_, "", ERR_SYNTAX, 0},
    {UINT_, "0x", ERR_SYNTAX, 0},
    {UINT_, "010", ERR_SYNTAX, 0},
    {UINT_, "00", ERR_SYNTAX, 0},
    {UINT_, "-1", ERR_SYNTAX, 0},
    {UINT_, "+1", ERR_SYNTAX, 0},
    {UINT_, " 1", ERR_SYNTAX, 0},
    {UINT_, "1 ", ERR_SYNTAX, 0},
    {UINT_, "1.0", ERR_SYNTAX, 0},
    {UINT_, "1a", ERR_SYNTAX, 0},
    {UINT_, "ff", ERR_SYNTAX, 0},
    {UINT_LAX, "010", 0, 8},
    {UINT_LAX, "0x10", 0, 16},
    {UINT_LAX, " 1", 0, 1},
    {UINT_LAX, "+1", 0, 1},
    {UINT_LAX, "-1", ERR_RANGE, 0},
    {UINT_LAX, "99999999999999999999999", ERR_RANGE, 0},
    {UINT_LAX, "", ERR_SYNTAX, 0},
    {UINT_LAX, "1x", ERR_SYNTAX, 0},
    {MS_, "0", 0, 0},
    {MS_, "5", 0, 5000},
    {MS_, "2.5", 0, 2500},
    {MS_, "0.001", 0, 1},
    {MS_, "0.0010000000000000", 0, 1},
    {MS_, "0.0001", ERR_RANGE, 0},
    {MS_, "0.12345678901", ERR_RANGE, 0},
    {MS_, "500ms", 0, 500},
    {MS_, "0.5ms", ERR_RANGE, 0},
    {MS_, "2s", 0, 2000},
    {MS_, "5m", 0, 300000},
    {MS_, "5M", 0, 300000},
    {MS_, "1.5h", 0, 5400000},
    {MS_, "0.00001d", 0, 864},
    {MS_, "49d", 0, 4233600000u},
    {MS_, "50d", ERR_RANGE, 0},
    {MS_, "4294967.295", 0, 4294967295u},
    {MS_, "4294967.296", ERR_RANGE, 0},
    {MS_, "99999999999999999999d", ERR_RANGE, 0},
    {MS_, "9007199254740992.999999999d", ERR_RANGE, 0},
    {MS_, "", ERR_SYNTAX, 0},
    {MS_, "s", ERR_SYNTAX, 0},
    {MS_, ".5", ERR_SYNTAX, 0},
    {MS_, "5.", ERR_SYNTAX, 0},
    {MS_, "05", ERR_SYNTAX, 0},
    {MS_, "-5", ERR_SYNTAX, 0},
    {MS_, "5 s", ERR_SYNTAX, 0},
    {MS_, "5x", ERR_SYNTAX, 0},
    {MS_, "5w", ERR_SYNTAX, 0},
    {MS_, "1h30m", ERR_SYNTAX, 0},
    {MS_, "1e3", ERR_SYNTAX, 0},
    {TTL_, "0", 0, 0},
    {TTL_, "3600", 0, 3600},
    {TTL_, "1h", 0, 3600},
    {TTL_, "1H30M", 0, 5400},
    {TTL_, "1d12h", 0, 129600},
    {TTL_, "1w1s", 0, 604801},
    {TTL_, "90s", 0, 90},
    {TTL_, "4294967295", 0, 4294967295u},
    {TTL_, "4294967296", ERR_RANGE, 0},
    {TTL_, "7102w", ERR_RANGE, 0},
    {TTL_, "99999999999999999999w1s", ERR_RANGE, 0},
    {TTL_, "", ERR_SYNTAX, 0},
    {TTL_, "h", ERR_SYNTAX, 0},
    {TTL_, "1h30", ERR_SYNTAX, 0},
    {TTL_, "30m1h", ERR_SYNTAX, 0},
    {TTL_, "1h1h", ERR_SYNTAX, 0},
    {TTL_, "1.5h", ERR_SYNTAX, 0},
    {TTL_, "500ms", ERR_SYNTAX, 0},
    {TTL_, "010", ERR_SYNTAX, 0},
    {TTL_, "1h05m", ERR_SYNTAX, 0},
    {TTL_, "-1", ERR_SYNTAX, 0},
    {TTL_, "1y", ERR_SYNTAX, 0},
};

static int parse_number(enum parser parser, const char *text, uint32_t *out)
{
    switch (parser) {
    case UINT_: return schema_parse_uint(text, false, out);
    case UINT_LAX: return schema_parse_uint(text, true, out);
    case MS_: return schema_parse_duration_ms(text, out);
    case TTL_: return schema_parse_ttl_s(text, false, out);
    }
    return 0;
}

START_TEST(numbers_are_read)
{
    uint32_t v = 99;
    ck_assert_int_eq(parse_number(numbers[_i].parser, numbers[_i].text, &v), numbers[_i].e);
    ck_assert_uint_eq(v, numbers[_i].e ? 99 : numbers[_i].value);
}
END_TEST

static const struct {
    const char *text;
    int e, lax_e;
    double value;
} floats[] = {
    {"0", 0, 0, 0},
    {"0.5", 0, 0, 0.5},
    {".5", 0, 0, 0.5},
    {"1.", 0, 0, 1},
    {"-1.25", 0, 0, -1.25},
    {"1e3", 0, 0, 1000},
    {"1E+3", 0, 0, 1000},
    {"125e-3", 0, 0, 0.125},
    {"1e999", ERR_RANGE, ERR_RANGE, 0},
    {"01", ERR_SYNTAX, 0, 1},
    {"+1", ERR_SYNTAX, 0, 1},
    {" 1", ERR_SYNTAX, 0, 1},
    {"0x1p3", ERR_SYNTAX, 0, 8},
    {"inf", ERR_SYNTAX, ERR_RANGE, 0},
    {"nan", ERR_SYNTAX, ERR_RANGE, 0},
    {"", ERR_SYNTAX, ERR_SYNTAX, 0},
    {".", ERR_SYNTAX, ERR_SYNTAX, 0},
    {"-", ERR_SYNTAX, ERR_SYNTAX, 0},
    {"1e", ERR_SYNTAX, ERR_SYNTAX, 0},
    {"1e+", ERR_SYNTAX, ERR_SYNTAX, 0},
    {"1,5", ERR_SYNTAX, ERR_SYNTAX, 0},
    {"1 ", ERR_SYNTAX, ERR_SYNTAX, 0},
};

START_TEST(floats_are_read)
{
    double v = 99;
    ck_assert_int_eq(schema_parse_float(floats[_i].text, false, &v), floats[_i].e);
    ck_assert_double_eq(v, floats[_i].e ? 99 : floats[_i].value);
    v = 99;
    ck_assert_int_eq(schema_parse_float(floats[_i].text, true, &v), floats[_i].lax_e);
    ck_assert_double_eq(v, floats[_i].lax_e ? 99 : floats[_i].value);
}
END_TEST

static const struct {
    const char *name, *near;
} names[] = {
    {"listen", "listen"},
    {"lisetn", "listen"},
    {"liste", "listen"},
    {"listenn", "listen"},
    {"lis", NULL},
    {"Port", "port"},
    {"pt", NULL},
    {"xort", "port"},
    {"up", NULL},
    {"any_flot", "any_float"},
    {"intervall_ms", NULL},
    {"intrevl", "interval"},
    {"", NULL},
    {"an", "any"},
};

START_TEST(nearest_names)
{
    const char *near = schema_near(all_keys, names[_i].name);
    if (!names[_i].near)
        ck_assert_ptr_null(near);
    else
        ck_assert_str_eq(near, names[_i].near);
}
END_TEST

START_TEST(nearest_words)
{
    static const char *const words[] = {"multifo", "simplefo", "metafo"};
    char huge[5000];
    memset(huge, 'm', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    ck_assert_str_eq(schema_near_word(words, 3, "mutlifo"), "multifo");
    ck_assert_str_eq(schema_near_word(words, 3, "metaf"), "metafo");
    ck_assert_ptr_null(schema_near_word(words, 3, "geoip"));
    ck_assert_ptr_null(schema_near_word(words, 3, huge));
    ck_assert_ptr_null(schema_near_word(words, 0, "multifo"));
    ck_assert_ptr_eq(schema_find(all_keys, "port"), &all_keys[1]);
    ck_assert_ptr_null(schema_find(all_keys, "Port"));
}
END_TEST

static Suite *schema_suite(void)
{
    Suite *s = suite_create("schema");
    TCase *t = tcase_create("schema");
    tcase_add_test(t, defaults);
    tcase_add_test(t, every_type_is_read);
    tcase_add_test(t, one_text_is_a_list);
    tcase_add_test(t, absent_keys_are_inherited);
    tcase_add_loop_test(t, faults_are_reported, 0, array_len(faults));
    tcase_add_test(t, required_and_known);
    tcase_add_test(t, lax_reads_as_gdnsd);
    tcase_add_loop_test(t, numbers_are_read, 0, array_len(numbers));
    tcase_add_loop_test(t, floats_are_read, 0, array_len(floats));
    tcase_add_loop_test(t, nearest_names, 0, array_len(names));
    tcase_add_test(t, nearest_words);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(schema_suite)
