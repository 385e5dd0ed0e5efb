/* What people let keys do, and the names of keys, contexts and actions. */
#include "tui/keymap.h"

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
        assert_int_equal(sm_action_of_name(sm_action_row((enum sm_action)a)->name), a);
    assert_int_equal(sm_action_of_name("nosuch"), SM_ACT_NONE);
    for (int c = 0; c < SM_CONTEXTS; c++)
        assert_int_equal(sm_context_of_name(sm_context_name((enum sm_context)c)), c);
    assert_int_equal(sm_context_of_name("nosuch"), SM_CONTEXTS);
}

/* No key means two things in one pane type. */
static void test_no_key_means_two_things(void **state)
{
    (void)state;
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++) {
        const struct sm_action_row *row = sm_action_row((enum sm_action)a);
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
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_no_key_means_two_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
