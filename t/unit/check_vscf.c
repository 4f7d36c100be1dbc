/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration language: every rule of its lexis, grammar and includes, and every refusal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/source.h"
#include "unit/conf_text.h"
#include "unit/run.h"

Suite *vtree_suite(void);

/* Print a value so that two trees can be compared: texts in <>, bytes below blank as \DDD. */
static void print_text(struct buf *b, const char *text, size_t len)
{
    buf_adds(b, "<");
    for (size_t i = 0; i < len; i++)
        buf_printf(b, (unsigned char)text[i] < ' ' ? "\\%03d" : "%c", text[i]);
    buf_adds(b, ">");
}

static void print_node(struct buf *b, const struct th_conf *n)
{
    switch (vnode_kind(n)) {
    case VNODE_TEXT: print_text(b, vnode_text(n), vnode_text_len(n)); return;
    case VNODE_ARRAY:
        buf_adds(b, "[");
        for (size_t i = 0; i < vnode_list_count(n); i++)
            print_node(b, vnode_list_at(n, i));
        buf_adds(b, "]");
        return;
    case VNODE_HASH:
        buf_adds(b, "{");
        for (size_t i = 0; i < vnode_pair_count(n); i++) {
            buf_printf(b, "%s:", vnode_pair_key(n, i));
            print_node(b, vnode_pair_at(n, i));
        }
        buf_adds(b, "}");
        return;
    }
}

static char *print_tree(const struct vtree *t)
{
    struct buf b = {0};
    print_node(&b, vtree_root(t));
    return buf_take(&b);
}

#define TEXT(s) s, sizeof(s) - 1

static const struct {
    const char *text;
    size_t len;
    const char *tree;
} good[] = {
    /* whole files */
    {TEXT(""), "{}"},
    {TEXT(" \t\n# only a remark\n"), "{}"},
    {TEXT("[]"), "[]"},
    {TEXT("\n[ a b ]\n; end"), "[<a><b>]"},
    {TEXT("a = b"), "{a:<b>}"},
    {TEXT("a = {}"), "{a:{}}"},
    {TEXT("a = []"), "{a:[]}"},
    /* comments */
    {TEXT("a = b # remark"), "{a:<b>}"},
    {TEXT("a = b ; remark without end"), "{a:<b>}"},
    {TEXT("a = b#c\nd = e;f\n"), "{a:<b>d:<e>}"},
    {TEXT("a # 1\n = # 2\n b # 3\n"), "{a:<b>}"},
    {TEXT("a = \"#;\""), "{a:<#;>}"},
    {TEXT("# { [ \" \\\na = b"), "{a:<b>}"},
    /* line ends */
    {TEXT("a = b\r\nc = [\r\n d\r\n]\r\n"), "{a:<b>c:[<d>]}"},
    {TEXT("# x\r\na = b\r\n"), "{a:<b>}"},
    {TEXT("a = b\rc"), "{a:<b\\013c>}"},
    {TEXT("a = b\r"), "{a:<b\\013>}"},
    {TEXT("a = \"b\r\nc\""), "{a:<b\\013\\010c>}"},
    /* arrows */
    {TEXT("a=b c=>d e =>f g= h"), "{a:<b>c:<d>e:<f>g:<h>}"},
    {TEXT("a = >b"), "{a:<>b>}"},
    {TEXT("a=>>b"), "{a:<>b>}"},
    {TEXT("a>=b"), "{a>:<b>}"},
    {TEXT("a\n=>\nb"), "{a:<b>}"},
    /* commas */
    {TEXT("a = b, c = d,"), "{a:<b>c:<d>}"},
    {TEXT("a = [ b, c d , e, ]"), "{a:[<b><c><d><e>]}"},
    {TEXT("a = { b = c, }, d = e"), "{a:{b:<c>}d:<e>}"},
    {TEXT("a = [b]\n,\nc = d"), "{a:[<b>]c:<d>}"},
    /* unquoted texts */
    {TEXT("/:!%@.*>()'`|~^&+-_?<$ = x$y$"), "{/:!%@.*>()'`|~^&+-_?<$:<x$y$>}"},
    {TEXT("a = \303\251t\303\251"), "{a:<\303\251t\303\251>}"},
    {TEXT("a = 2001:db8::1"), "{a:<2001:db8::1>}"},
    {TEXT("a = b\001c"), "{a:<b\\001c>}"},
    {TEXT("a = b\000c"), "{a:<b\\000c>}"},
    {TEXT("a = [x{y=z}\"q\"\"r\"s[t]]"), "{a:[<x>{y:<z>}<q><r><s>[<t>]]}"},
    {TEXT("a={b=c}d=e"), "{a:{b:<c>}d:<e>}"},
    /* quoted texts */
    {TEXT("a = \"\""), "{a:<>}"},
    {TEXT("\"\" = a"), "{:<a>}"},
    {TEXT("\"a b\" = \"c } { ; # , = ] [ $d\""), "{a b:<c } { ; # , = ] [ $d>}"},
    {TEXT("a = \"b\nc\""), "{a:<b\\010c>}"},
    {TEXT("a = \"$include{x}\""), "{a:<$include{x}>}"},
    /* escapes */
    {TEXT("a\\ b = c"), "{a b:<c>}"},
    {TEXT("a = \\065\\000\\255"), "{a:<A\\000\377>}"},
    {TEXT("a = \"\\065\\\"\\\\\\q\""), "{a:<A\"\\q>}"},
    {TEXT("a = b\\\nc"), "{a:<b\\010c>}"},
    {TEXT("a = \\$b"), "{a:<$b>}"},
    {TEXT("a = \\{\\}\\[\\]\\=\\,\\;\\#\\\"\\\\"), "{a:<{}[]=,;#\"\\>}"},
    {TEXT("a = \\0651"), "{a:<A1>}"},
    {TEXT("\\061 = a"), "{=:<a>}"},
    /* order is kept */
    {TEXT("z = 1 y = 2 x = { w = 3 v = 4 } a = 5"), "{z:<1>y:<2>x:{w:<3>v:<4>}a:<5>}"},
    {TEXT("a = { k = 1 } b = { k = 2 } k = 3"), "{a:{k:<1>}b:{k:<2>}k:<3>}"},
};

START_TEST(reads)
{
    struct vtree *t = conf_tree(good[_i].text, good[_i].len);
    char *printed = print_tree(t);
    ck_assert_str_eq(printed, good[_i].tree);
    mem_free(printed);
    vtree_free(t);
}
END_TEST

#define ARROW(key, read)                                                                           \
    "key \"" key "\": read " read ", expected \"=>\" or \"=\"; several values are written as an "  \
    "array: [ a, b ]"
#define VALUE "expected a value: a text, [ an array ], { a hash } or $include{path}"
#define COMMA "; one comma may follow a value, none may stand alone"
#define ESCAPE                                                                                     \
    " is no escape; write \\ and three digits from 000 to 255, or \\ and the character itself"
#define KEY "expected a key, as in key => value"

static const struct {
    const char *text;
    size_t len;
    const char *message;
} bad[] = {
    {TEXT("a"), "c:1:1: " ARROW("a", "end of file")},
    {TEXT("a{b=c}"), "c:1:1: " ARROW("a", "\"{\"")},
    {TEXT("x = 127.0.0.1 127.0.0.2\ny = z"), "c:1:15: " ARROW("127.0.0.2", "\"y\"")},
    {TEXT("\n\n  key value = x"), "c:3:3: " ARROW("key", "\"value\"")},
    {TEXT("a ="), "c:1:4: read end of file, " VALUE},
    {TEXT("a = , b = c"), "c:1:5: read \",\", " VALUE COMMA},
    {TEXT("a = ]"), "c:1:5: read \"]\", " VALUE},
    {TEXT("a = = b"), "c:1:5: read \"=\", " VALUE},
    {TEXT("a => = b"), "c:1:6: read \"=\", " VALUE},
    {TEXT("a = b,, c = d"), "c:1:7: read \",\", " KEY COMMA},
    {TEXT(", a = b"), "c:1:1: read \",\", " KEY COMMA},
    {TEXT("a = [,]"), "c:1:6: read \",\", " VALUE COMMA},
    {TEXT("a = [b,,]"), "c:1:8: read \",\", " VALUE COMMA},
    {TEXT("a = { , }"), "c:1:7: read \",\", " KEY COMMA},
    {TEXT("a = [ b = c ]"), "c:1:9: read \"=\", " VALUE},
    {TEXT("= b"), "c:1:1: read \"=\", " KEY},
    {TEXT("{ a = b }"), "c:1:1: read \"{\", " KEY},
    {TEXT("a = b }"), "c:1:7: read \"}\", " KEY},
    {TEXT("a = { ]"), "c:1:7: read \"]\", " KEY},
    {TEXT("a = [ }"), "c:1:7: read \"}\", " VALUE},
    {TEXT("[ a ] b"), "c:1:7: read \"b\", expected end of file after the array"},
    {TEXT("[ a ],"), "c:1:6: read \",\", expected end of file after the array" COMMA},
    {TEXT("\na = {\n b = c\n"), "c:2:5: the hash that starts here is not closed before the end of "
                                "the file; expected \"}\""},
    {TEXT("a = [ b"), "c:1:5: the array that starts here is not closed before the end of the file; "
                      "expected \"]\""},
    {TEXT("[ [ ]"), "c:1:1: the array that starts here is not closed before the end of the file; "
                    "expected \"]\""},
    {TEXT("a = \"b\nc"), "c:1:5: the quoted text that starts here never ends; expected '\"'"},
    {TEXT("a = \"\\\""), "c:1:5: the quoted text that starts here never ends; expected '\"'"},
    {TEXT("a = b\\256"), "c:1:6: \"\\256\"" ESCAPE},
    {TEXT("a = \"\\999\""), "c:1:6: \"\\999\"" ESCAPE},
    {TEXT("a = \\12"), "c:1:5: \"\\12\"" ESCAPE},
    {TEXT("a = \\1x3"), "c:1:5: \"\\1x3\"" ESCAPE},
    {TEXT("a = \\"), "c:1:5: \"\\\"" ESCAPE},
    {TEXT("a = \"\\"), "c:1:6: \"\\\"" ESCAPE},
    {TEXT("a = $b"), "c:1:5: an unquoted \"$\" here can only start $include{path}; write \\$ or "
                     "quote the text"},
    {TEXT("$a = b"), "c:1:1: an unquoted \"$\" here can only start $include{path}; write \\$ or "
                     "quote the text"},
    {TEXT("$include {x}"), "c:1:1: an unquoted \"$\" here can only start $include{path}; write \\$ "
                           "or quote the text"},
    {TEXT("$include{}"), "c:1:10: read \"}\", expected the path of a file in $include{path}"},
    {TEXT("$include{\"\"}"), "c:1:1: the path in $include{path} is empty or holds a NUL byte"},
    {TEXT("$include{a\000b}"), "c:1:1: the path in $include{path} is empty or holds a NUL byte"},
    {TEXT("$include{a b}"), "c:1:12: read \"b\", expected \"}\" after the path in $include{path}"},
    {TEXT("$include{a"), "c:1:11: read end of file, expected \"}\" after the path in "
                         "$include{path}"},
    {TEXT("a\\000b = c"), "c:1:1: a key cannot hold a NUL byte"},
    {TEXT("a = b\na = c"), "c:2:1: duplicate key \"a\"; the first is at c:1:1: remove one"},
    {TEXT("a = b\n\\097 = c\n \"a\" = d"), /* every duplicate is reported */
     "c:2:1: duplicate key \"a\"; the first is at c:1:1: remove one\n"
     "c:3:2: duplicate key \"a\"; the first is at c:1:1: remove one"},
    {TEXT("a = { b = 1, b = 2 }, a = }"),
     "c:1:14: duplicate key \"b\"; the first is at c:1:7: remove one\n"
     "c:1:27: read \"}\", " VALUE},
    {TEXT("a = \001\002 \003"), "c:1:8: " ARROW("\\003", "end of file")},
};

START_TEST(refuses)
{
    struct diag d = {0};
    struct vtree *t = NULL;
    int e = vscf_parse_mem(bad[_i].text, bad[_i].len, "c", &d, &t);
    char *messages = conf_messages(&d);
    ck_assert_str_eq(messages, bad[_i].message);
    ck_assert_int_lt(e, 0);
    ck_assert_ptr_null(t);
    mem_free(messages);
}
END_TEST

/* One text of `count` openers; NULL or the message of its refusal. */
static char *parse_nested(const char *start, const char *open, const char *close, size_t count)
{
    struct buf b = {0};
    struct diag d = {0};
    struct vtree *t;
    buf_adds(&b, start);
    for (size_t i = 0; i < count; i++)
        buf_adds(&b, open);
    for (size_t i = 0; *close && i < count; i++)
        buf_adds(&b, close);
    int e = vscf_parse_mem(b.data, b.len, "c", &d, &t);
    buf_fini(&b);
    if (e)
        return conf_messages(&d);
    vtree_free(t);
    return NULL;
}

START_TEST(nesting_is_limited)
{
    static const char *const message = "arrays and hashes are nested deeper than 64";
    ck_assert_ptr_null(parse_nested("", "[", "]", 64));
    ck_assert_ptr_null(parse_nested("a=", "[", "]", 64));
    char *deep = parse_nested("", "[", "]", 65);
    ck_assert_str_eq(deep, "c:1:65: arrays and hashes are nested deeper than 64");
    mem_free(deep);
    deep = parse_nested("", "[", "", 100000);
    ck_assert_ptr_nonnull(strstr(deep, message));
    mem_free(deep);
    deep = parse_nested("x=", "{x=", "", 100000);
    ck_assert_ptr_nonnull(strstr(deep, message));
    mem_free(deep);
}
END_TEST

/* ---- includes, in a folder of their own ---- */

static char root[64];

static void folder_open(void)
{
    strcpy(root, "/tmp/check_vscf.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void folder_close(void)
{
    char *command = mem_printf("rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
    mem_free(command);
}

static void put_file(const char *name, const char *text)
{
    char *path = mem_printf("%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        ck_assert(mkdir(path, 0755) == 0 || errno == EEXIST);
    }
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_ge(fputs(text, f), 0);
    ck_assert_int_eq(fclose(f), 0);
    mem_free(path);
}

/* Drop every mention of the folder, which differs from run to run. */
static void drop_root(char *text)
{
    size_t len = strlen(root) + 1;
    for (char *p; (p = strstr(text, root));)
        memmove(p, p + len, strlen(p + len) + 1);
}

/* Parse the file "c" of the folder; the printed tree, or the messages. */
static char *read_folder(void)
{
    struct diag d = {0};
    struct vtree *t;
    char *path = mem_printf("%s/c", root), *result;
    if (vscf_parse_file(path, &d, &t) == 0) {
        result = print_tree(t);
        vtree_free(t);
    } else {
        result = conf_messages(&d);
    }
    drop_root(result);
    mem_free(path);
    return result;
}

static void make_folder(void)
{
    put_file("pairs", "p = 1\nq = 2\n");
    put_file("array", "[ 1, 2 ]");
    put_file("empty", "");
    put_file("broken", "a = b\nc =\n");
    put_file("d/20", "k20 = v");
    put_file("d/10", "k10 = v");
    put_file("d/.hidden", "hidden = v");
    put_file("one/only", "o = 1");
    put_file("a b", "blank = 1");
    put_file("sub/deep", "x = $include{inner}\n$include{../pairs}");
    put_file("sub/inner", "[ in ]");
    put_file("w[1]/c2", "$include{x*}");
    put_file("w[1]/xy", "w = 1");
    put_file("self", "$include{self}");
    put_file("loop1", "a = $include{loop2}");
    put_file("loop2", "b = { $include{sub/../loop1} }");
    put_file("dup", "p = 3");
    put_file("nest/dir/file", "n = 1");
    char *none = mem_printf("%s/none", root), *fifo = mem_printf("%s/fifo", root);
    ck_assert_int_eq(mkdir(none, 0755), 0);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    mem_free(none);
    mem_free(fifo);
}

static const struct {
    const char *text, *result;
} includes[] = {
    /* where a key may stand */
    {"a = 0 $include{pairs} z = 9", "{a:<0>p:<1>q:<2>z:<9>}"},
    {"a = 0, $include{pairs}, z = 9", "{a:<0>p:<1>q:<2>z:<9>}"},
    {"h = { $include{ \"pairs\" } }", "{h:{p:<1>q:<2>}}"},
    {"$include{empty}", "{}"},
    {"$include{d}", "{k10:<v>k20:<v>}"},
    {"$include{d/}", "{k10:<v>k20:<v>}"},
    {"$include{d/*}", "{k10:<v>k20:<v>}"},
    {"$include{d/2?}", "{k20:<v>}"},
    {"$include{\"d/[13]0\"}", "{k10:<v>}"},
    {"$include{none}", "{}"},
    {"$include{\"a b\"}", "{blank:<1>}"},
    {"$include{a\\ b}", "{blank:<1>}"}, /* raw, and glob knows the escape */
    {"$include{sub/deep}", "{x:[<in>]p:<1>q:<2>}"},
    {"$include{w\\[1\\]/c2}", "{w:<1>}"}, /* the folder's own name is no pattern */
    {"$include{\"w[1]/c2\"}", "{w:<1>}"}, /* a pattern without a match is a path */
    {"$include{pairs}\n$include{dup}",
     "dup:1:1: duplicate key \"p\"; the first is at pairs:1:1: remove one"},
    {"p = 0\n$include{pairs}", "pairs:1:1: duplicate key \"p\"; the first is at c:1:1: remove one"},
    {"$include{array}", "array:1:1: read \"[\", expected pairs: this file is included where a key "
                        "may stand, so it cannot be an array"},
    {"$include{absent}", "c:1:1: cannot read \"absent\": No such file or directory"},
    {"$include{abs*}", "c:1:1: cannot read \"abs*\": No such file or directory"},
    {"\n $include{broken}", "broken:3:1: read end of file, " VALUE},
    {"$include{fifo}", "c:1:1: cannot read \"fifo\": not a regular file"},
    {"$include{nest}", "c:1:1: cannot read \"nest/dir\": not a regular file"},
    /* as a value */
    {"a = $include{pairs} b = 1", "{a:{p:<1>q:<2>}b:<1>}"},
    {"a => $include{array}", "{a:[<1><2>]}"},
    {"a = [ $include{array}, $include{pairs} ]", "{a:[[<1><2>]{p:<1>q:<2>}]}"},
    {"a = $include{empty}", "{a:{}}"},
    {"a = $include{one}", "{a:{o:<1>}}"},
    {"[ $include{array} ]", "[[<1><2>]]"},
    {"a = $include{d}", "c:1:5: as a value exactly one file can be included, this names 2"},
    {"a = $include{none}", "c:1:5: as a value exactly one file can be included, this names 0"},
    {"a = $include{absent}", "c:1:5: cannot read \"absent\": No such file or directory"},
    /* loops */
    {"$include{c}", "c:1:1: a file includes itself: c -> c"},
    {"x = 1\n $include{self}", "self:1:1: a file includes itself: c -> self -> self"},
    {"$include{loop1}", "loop2:1:7: a file includes itself: c -> loop1 -> loop2 -> sub/../loop1"},
    {"a = $include{pairs} b = $include{pairs}", "{a:{p:<1>q:<2>}b:{p:<1>q:<2>}}"},
};

START_TEST(includes_files)
{
    make_folder();
    put_file("c", includes[_i].text);
    char *result = read_folder();
    ck_assert_str_eq(result, includes[_i].result);
    mem_free(result);
}
END_TEST

START_TEST(include_depth_is_limited)
{
    char name[16], text[64];
    for (int i = 0; i <= VSCF_INCLUDE_MAX; i++) {
        (void)snprintf(name, sizeof name, i ? "f%d" : "c", i); /* fits */
        (void)snprintf(text, sizeof text, i < VSCF_INCLUDE_MAX ? "$include{f%d}" : "end = %d",
                       i + 1);
        put_file(name, text);
    }
    char *result = read_folder();
    ck_assert_str_eq(result, "{end:<33>}");
    mem_free(result);
    put_file("f32", "$include{f33}");
    put_file("f33", "end = 1");
    result = read_folder();
    ck_assert_str_eq(result, "f32:1:1: includes are nested deeper than 32");
    mem_free(result);
}
END_TEST

/* 16 files, each included twice by the one before: 131,070 readings. */
START_TEST(include_count_is_limited)
{
    char name[16], text[64];
    put_file("c", "[ $include{f1} $include{f1} ]");
    for (int i = 1; i < 16; i++) {
        (void)snprintf(name, sizeof name, "f%d", i); /* fits */
        (void)snprintf(text, sizeof text, "[ $include{f%d} $include{f%d} ]", i + 1, i + 1);
        put_file(name, text);
    }
    put_file("f16", "[]");
    char *result = read_folder(); /* 2^17 - 2 are too many, 2^16 - 2 are not */
    ck_assert_ptr_nonnull(strstr(result, ": more than 65536 files are included"));
    mem_free(result);
    put_file("f15", "[]");
    result = read_folder();
    ck_assert_int_eq(result[0], '[');
    mem_free(result);
}
END_TEST

START_TEST(absolute_paths_and_memory)
{
    struct diag d = {0};
    struct vtree *t;
    put_file("pairs", "p = 1");
    char *text = mem_printf("$include{%s/pairs}", root), *name = mem_printf("%s/any", root);
    ck_assert_int_eq(vscf_parse_mem(text, strlen(text), "elsewhere/x", &d, &t), 0);
    ck_assert_str_eq(vnode_text(vnode_find(vtree_root(t), "p")), "1");
    vtree_free(t);
    ck_assert_int_eq(vscf_parse_mem("$include{pairs}", 15, name, &d, &t), 0);
    ck_assert_str_eq(vnode_text(vnode_find(vtree_root(t), "p")), "1");
    vtree_free(t);
    mem_free(text);
    mem_free(name);
}
END_TEST

START_TEST(top_file_faults)
{
    struct diag d = {0};
    struct vtree *t;
    char *path = mem_printf("%s/absent", root);
    ck_assert_int_eq(vscf_parse_file(path, &d, &t), ERR_NOTFOUND);
    ck_assert_uint_eq(d.count, 0);
    mem_free(path);
    ck_assert_int_eq(vscf_parse_file(root, &d, &t), ERR_REFUSED);
    char *message = conf_messages(&d);
    ck_assert_ptr_nonnull(strstr(message, ": not a regular file"));
    ck_assert_ptr_nonnull(strstr(message, root));
    mem_free(message);
}
END_TEST

START_TEST(large_file_is_read_whole)
{
    struct buf b = {0};
    for (int i = 0; i < 100000; i++)
        buf_printf(&b, "key%d = \"a value of some length\"\n", i);
    ck_assert_uint_gt(b.len, (size_t)3 << 20);
    put_file("c", b.data);
    buf_fini(&b);
    struct diag d = {0};
    struct vtree *t;
    char *path = mem_printf("%s/c", root);
    ck_assert_int_eq(vscf_parse_file(path, &d, &t), 0);
    ck_assert_uint_eq(vnode_pair_count(vtree_root(t)), 100000);
    ck_assert_uint_eq(vnode_loc(vnode_find(vtree_root(t), "key99999")).line, 100000);
    vtree_free(t);
    mem_free(path);
}
END_TEST

static Suite *vscf_suite(void)
{
    Suite *s = suite_create("vscf");
    TCase *t = tcase_create("language");
    tcase_add_loop_test(t, reads, 0, array_len(good));
    tcase_add_loop_test(t, refuses, 0, array_len(bad));
    tcase_add_test(t, nesting_is_limited);
    suite_add_tcase(s, t);
    TCase *files = tcase_create("files");
    tcase_set_timeout(files, 60);
    tcase_add_checked_fixture(files, folder_open, folder_close);
    tcase_add_loop_test(files, includes_files, 0, array_len(includes));
    tcase_add_test(files, include_depth_is_limited);
    tcase_add_test(files, include_count_is_limited);
    tcase_add_test(files, absolute_paths_and_memory);
    tcase_add_test(files, top_file_faults);
    tcase_add_test(files, large_file_is_read_whole);
    suite_add_tcase(s, files);
    return s;
}

int main(void)
{
    SRunner *runner = srunner_create(vscf_suite());
    srunner_add_suite(runner, vtree_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
