/* SPDX-License-Identifier: Apache-2.0 */
/* Key bindings of the user, and the names of keys, contexts and actions. */
#include "tui/panes/key_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_bindings(void **state)
{
    struct sm_keymap m = {0};
    (void)state;
    assert_null(sm_keymap_line(&m, 'X', SM_CTX_LIST));
    sm_keymap_bind(&m, 'X', SM_CTX_ALL, "layout rules");
    sm_keymap_bind(&m, 'X', SM_CTX_PLOT, "act zoom");
    sm_keymap_bind(&m, 'Y', SM_CTX_ALL, "info steps");
    assert_string_equal(sm_keymap_line(&m, 'X', SM_CTX_LIST), "layout rules");
    assert_string_equal(sm_keymap_line(&m, 'X', SM_CTX_PLOT), "act zoom");
    sm_keymap_bind(&m, 'X', SM_CTX_PLOT, "act up");
    assert_string_equal(sm_keymap_line(&m, 'X', SM_CTX_PLOT), "act up");
    sm_keymap_bind(&m, 'X', SM_CTX_PLOT, "");
    assert_string_equal(sm_keymap_line(&m, 'X', SM_CTX_PLOT), "layout rules");
    sm_keymap_bind(&m, 'X', SM_CTX_ALL, "");
    assert_null(sm_keymap_line(&m, 'X', SM_CTX_PLOT));
    assert_string_equal(sm_keymap_line(&m, 'Y', SM_CTX_VALUE), "info steps");
    sm_keymap_bind(&m, 'Z', SM_CTX_ALL, "");
    sm_keymap_clear(&m);
}

static void test_names(void **state)
{
    (void)state;
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++)
        assert_int_equal(sm_action_of_name(sm_action_row((enum sm_key_action)a)->name), a);
    assert_int_equal(sm_action_of_name("nosuch"), SM_ACT_NONE);
    for (int c = 0; c < SM_CONTEXTS; c++)
        assert_int_equal(sm_context_of_name(sm_context_name((enum sm_context)c)), c);
    assert_int_equal(sm_context_of_name("nosuch"), SM_CONTEXTS);
}

static void test_names_of_keys(void **state)
{
    static const char *const names[] = {"Tab", "S-Tab", "Esc", "Space", "PgDn",    "C-d",
                                        "C-z", "F1",    "F12", "X",     "\xc3\xa4"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sm_str name = {0};
        sm_key_name(sm_key_of_name(names[i], strlen(names[i])), &name);
        assert_string_equal(sm_str_text(&name), names[i]);
        sm_str_clear(&name);
    }
}

static void test_help_lists_keys_of_the_user(void **state)
{
    static const struct sm_pane_ops ops = {
        .name = "list", .title = "list", .help = "A list.", .context = SM_CTX_LIST};
    struct sm_keymap m = {0};
    struct sm_str text = {0};
    size_t n, ours;
    (void)state;
    struct sm_key_help *all = sm_key_help_rows(NULL, &ours);
    sm_key_help_free(all, ours);
    sm_keymap_bind(&m, 4, SM_CTX_ALL, "layout rules");
    sm_keymap_bind(&m, 'X', SM_CTX_PLOT, "act zoom");
    sm_key_help_text(&ops, &m, &text);
    assert_non_null(strstr(sm_str_text(&text), "Your keys:\nC-d                layout rules\n\n"));
    assert_null(strstr(sm_str_text(&text), "act zoom"));
    struct sm_key_help *rows = sm_key_help_rows(&m, &n);
    assert_int_equal(n, ours + 2);
    assert_string_equal(rows[1].keys, "X");
    assert_string_equal(rows[1].context, "plots");
    assert_string_equal(rows[1].help, "act zoom");
    sm_key_help_free(rows, n);
    sm_keymap_clear(&m);
    sm_str_clear(&text);
}

/* Help names the keys that a pane has, and lets none of 80 columns be missed. */
static void test_help_of_panes(void **state)
{
    static const enum sm_key_action sorts[] = {SM_ACT_SORT_NEXT, SM_ACT_NONE},
                                    none[] = {SM_ACT_NONE};
    struct sm_pane_ops ops = {
        .name = "list", .title = "list", .help = "A list.", .context = SM_CTX_LIST, .own = sorts};
    const struct sm_keymap m = {0};
    struct sm_str text = {0}, less = {0};
    (void)state;
    sm_key_help_text(&ops, &m, &text);
    assert_non_null(strstr(sm_str_text(&text), "> F6               sort by the next column\n"));
    assert_null(strstr(sm_str_text(&text), "untag"));
    assert_false(sm_pane_has(&ops, SM_ACT_UNTAG));
    ops.own = none;
    sm_key_help_text(&ops, &m, &less);
    assert_null(strstr(sm_str_text(&less), "order by"));
    ops.own = NULL;
    sm_str_truncate(&text, 0);
    sm_key_help_text(&ops, &m, &text);
    assert_non_null(strstr(sm_str_text(&text), "untag"));
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 76 || strncmp(line, "After", 5) == 0);
    sm_str_clear(&text);
    sm_str_clear(&less);
}

static void filter_nothing(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)p;
    (void)v;
    (void)text;
}

/* Each key is named once, by what it does in the pane. */
static void test_help_names_a_key_once(void **state)
{
    struct sm_pane_ops ops = {.name = "list",
                              .title = "list",
                              .help = "A list.",
                              .context = SM_CTX_LIST,
                              .filter = filter_nothing};
    struct sm_keymap m = {0};
    struct sm_str text = {0};
    (void)state;
    sm_keymap_bind(&m, 'z', SM_CTX_ALL, "layout rules");
    sm_key_help_text(&ops, &m, &text);
    assert_non_null(strstr(sm_str_text(&text), "/ F3 \\ F4          filter as you type\n"));
    assert_null(strstr(sm_str_text(&text), "search in the pane"));
    assert_non_null(strstr(sm_str_text(&text), "PgDn C-f           a page down\n"));
    assert_non_null(strstr(sm_str_text(&text), "\nO                  zoom the pane\n"));
    unsigned seen[128] = {0};
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
        if (strlen(line) > 19 && line[1] == ' ' && line[17] == ' ')
            assert_int_equal(seen[(unsigned char)line[0] & 127]++, 0);
    sm_keymap_clear(&m);
    sm_str_clear(&text);
}

/* No key means two things in one pane type. */
static void test_no_key_means_two_things(void **state)
{
    (void)state;
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++) {
        const struct sm_action_row *row = sm_action_row((enum sm_key_action)a);
        for (const char *k = row->keys; *k; k += strspn(k, " ")) {
            size_t n = strcspn(k, " ");
            int key = sm_key_of_name(k, n);
            assert_int_not_equal(key, 0);
            assert_int_equal(sm_keymap_find(key, row->context), a);
            k += n;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bindings),
        cmocka_unit_test(test_help_of_panes),
        cmocka_unit_test(test_help_names_a_key_once),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_of_keys),
        cmocka_unit_test(test_help_lists_keys_of_the_user),
        cmocka_unit_test(test_no_key_means_two_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
