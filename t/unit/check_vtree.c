/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of values: what each kind of node answers, look-up on both sides of the hash table. */
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "unit/conf_text.h"

Suite *vtree_suite(void);

START_TEST(kinds_answer_for_themselves)
{
    struct vtree *t = conf_tree_of("t = x\na = [ 1 [ 2 ] ]\nh = { k = v }");
    const struct th_conf *root = vtree_root(t), *text = vnode_find(root, "t"),
                         *array = vnode_find(root, "a"), *hash = vnode_find(root, "h");
    ck_assert_int_eq(vnode_kind(root), VNODE_HASH);
    ck_assert_int_eq(vnode_kind(text), VNODE_TEXT);
    ck_assert_int_eq(vnode_kind(array), VNODE_ARRAY);
    ck_assert_int_eq(vnode_kind(hash), VNODE_HASH);
    ck_assert_str_eq(vnode_text(text), "x");
    ck_assert_ptr_null(vnode_text(array));
    ck_assert_ptr_null(vnode_raw(hash));
    ck_assert_uint_eq(vnode_text_len(array), 0);
    ck_assert_uint_eq(vnode_list_count(array), 2);
    ck_assert_str_eq(vnode_text(vnode_list_at(array, 0)), "1");
    ck_assert_int_eq(vnode_kind(vnode_list_at(array, 1)), VNODE_ARRAY);
    ck_assert_ptr_null(vnode_list_at(array, 2));
    ck_assert_uint_eq(vnode_list_count(text), 1); /* a list of itself */
    ck_assert_ptr_eq(vnode_list_at(text, 0), text);
    ck_assert_ptr_null(vnode_list_at(text, 1));
    ck_assert_uint_eq(vnode_list_count(hash), 1);
    ck_assert_ptr_eq(vnode_list_at(hash, 0), hash);
    ck_assert_uint_eq(vnode_pair_count(hash), 1);
    ck_assert_uint_eq(vnode_pair_count(array), 0);
    ck_assert_uint_eq(vnode_pair_count(text), 0);
    ck_assert_ptr_null(vnode_find(text, "t"));
    ck_assert_ptr_null(vnode_find(array, "1"));
    ck_assert_ptr_null(vnode_find(root, "absent"));
    ck_assert_ptr_null(vnode_pair_key(hash, 1));
    ck_assert_ptr_null(vnode_pair_at(hash, 1));
    ck_assert_ptr_null(vnode_pair_loc(hash, 1).file);
    vtree_free(t);
}
END_TEST

START_TEST(places_are_known)
{
    struct vtree *t = conf_tree_of("a = b\n\n  key => {\n\t\"x\" = \"1\n2\" y = [ z ] }");
    const struct th_conf *root = vtree_root(t), *hash = vnode_find(root, "key");
    const struct {
        struct diag_loc loc;
        unsigned line, col;
    } places[] = {
        {vnode_loc(root), 1, 1},
        {vnode_pair_loc(root, 0), 1, 1},
        {vnode_loc(vnode_find(root, "a")), 1, 5},
        {vnode_pair_loc(root, 1), 3, 3},
        {vnode_loc(hash), 3, 10},
        {vnode_pair_loc(hash, 0), 4, 2},
        {vnode_loc(vnode_find(hash, "x")), 4, 8},
        {vnode_pair_loc(hash, 1), 5, 4}, /* the line end inside the quotes is counted */
        {vnode_loc(vnode_list_at(vnode_find(hash, "y"), 0)), 5, 10},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        ck_assert_str_eq(places[i].loc.file, "c");
        ck_assert_uint_eq(places[i].loc.line, places[i].line);
        ck_assert_uint_eq(places[i].loc.col, places[i].col);
    }
    vtree_free(t);
}
END_TEST

#define TEXT(s) s, sizeof(s) - 1

static const struct {
    const char *conf;
    size_t conf_len;
    const char *text;
    size_t text_len;
    const char *raw;
} texts[] = {
    {TEXT("x = plain"), TEXT("plain"), "plain"},
    {TEXT("x = \"in quotes\""), TEXT("in quotes"), "in quotes"},
    {TEXT("x = \"\""), TEXT(""), ""},
    {TEXT("x = a\\.b.example."), TEXT("a.b.example."), "a\\.b.example."},
    {TEXT("x = \"a\\046b\""), TEXT("a.b"), "a\\046b"},
    {TEXT("x = a\\000b"), TEXT("a\000b"), "a\\000b"},
    {TEXT("x = a\000b"), TEXT("a\000b"), "a\\000b"}, /* a literal NUL cannot end the raw text */
    {TEXT("x = a\\\000b"), TEXT("a\000b"), "a\\000b"},
    {TEXT("x = a\\\\\000b"), TEXT("a\\\000b"), "a\\\\\\000b"},
    {TEXT("x = \000\000\000"), TEXT("\000\000\000"), "\\000\\000\\000"},
    {TEXT("x = \\255\\\\"), TEXT("\377\\"), "\\255\\\\"},
};

START_TEST(text_and_raw)
{
    struct vtree *t = conf_tree(texts[_i].conf, texts[_i].conf_len);
    const struct th_conf *n = vnode_find(vtree_root(t), "x");
    ck_assert_uint_eq(vnode_text_len(n), texts[_i].text_len);
    ck_assert_mem_eq(vnode_text(n), texts[_i].text, texts[_i].text_len + 1);
    ck_assert_str_eq(vnode_raw(n), texts[_i].raw);
    vtree_free(t);
}
END_TEST

static struct vtree *numbered(uint32_t count)
{
    struct buf b = {0};
    for (uint32_t i = 0; i < count; i++)
        buf_printf(&b, "key%u = value%u\n", i, i);
    struct vtree *t = conf_tree(b.data ? b.data : "", b.len);
    buf_fini(&b);
    return t;
}

/* 9 is the first that has a table; 50,000 would not end by scanning. */
static const uint32_t sizes[] = {0, 1, 7, 8, 9, 10, 16, 100, 50000};

START_TEST(every_size_is_found)
{
    char key[16], value[16];
    struct vtree *t = numbered(sizes[_i]);
    const struct th_conf *root = vtree_root(t);
    ck_assert_uint_eq(vnode_pair_count(root), sizes[_i]);
    for (uint32_t i = 0; i < sizes[_i]; i++) {
        (void)snprintf(key, sizeof key, "key%u", i);       /* fits */
        (void)snprintf(value, sizeof value, "value%u", i); /* fits */
        ck_assert_str_eq(vnode_pair_key(root, i), key);
        ck_assert_ptr_eq(vnode_find(root, key), vnode_pair_at(root, i));
        ck_assert_str_eq(vnode_text(vnode_pair_at(root, i)), value);
    }
    ck_assert_ptr_null(vnode_find(root, "key"));
    ck_assert_ptr_null(vnode_find(root, ""));
    vtree_free(t);
}
END_TEST

/* A repeated key is seen whichever of the two ways finds it. */
START_TEST(duplicates_are_found_at_every_size)
{
    for (uint32_t count = 1; count <= 20; count++) {
        struct buf b = {0};
        struct diag d = {0};
        struct vtree *t;
        for (uint32_t i = 0; i < count; i++)
            buf_printf(&b, "key%u = v\n", i);
        buf_printf(&b, "key%u = v\nkey0 = v", count - 1);
        ck_assert_int_eq(vscf_parse_mem(b.data, b.len, "c", &d, &t), ERR_REFUSED);
        ck_assert_uint_eq(d.error_count, 2);
        ck_assert_ptr_nonnull(strstr(d.entries[1].text, "the first is at c:1:1"));
        diag_fini(&d);
        buf_fini(&b);
    }
}
END_TEST

START_TEST(lax_is_of_the_tree)
{
    struct vtree *t = conf_tree_of("a = { b = c }");
    const struct th_conf *b = vnode_find(vnode_find(vtree_root(t), "a"), "b");
    ck_assert(!vnode_is_lax(b));
    vtree_set_lax(t, true);
    ck_assert(vnode_is_lax(b));
    vtree_set_lax(t, false);
    ck_assert(!vnode_is_lax(b));
    vtree_free(t);
    vtree_free(NULL);
}
END_TEST

Suite *vtree_suite(void)
{
    Suite *s = suite_create("vtree");
    TCase *t = tcase_create("vtree");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, kinds_answer_for_themselves);
    tcase_add_test(t, places_are_known);
    tcase_add_loop_test(t, text_and_raw, 0, sizeof texts / sizeof *texts);
    tcase_add_loop_test(t, every_size_is_found, 0, sizeof sizes / sizeof *sizes);
    tcase_add_test(t, duplicates_are_found_at_every_size);
    tcase_add_test(t, lax_is_of_the_tree);
    suite_add_tcase(s, t);
    return s;
}
