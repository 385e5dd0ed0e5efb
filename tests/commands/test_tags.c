/* SPDX-License-Identifier: Apache-2.0 */
/* Tags are in the order in which they were added. */
#include "commands/session/tags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_toggle(void **state)
{
    struct sm_tags t = {0};
    (void)state;
    assert_false(sm_tags_has(&t, 3));
    for (uint32_t i = 0; i < 20; i++)
        assert_true(sm_tags_toggle(&t, 100 - i));
    assert_false(sm_tags_toggle(&t, 99));
    assert_int_equal(t.n, 19);
    assert_int_equal(t.names[0], 100);
    assert_int_equal(t.names[1], 98);
    assert_int_equal(t.names[18], 81);
    assert_true(sm_tags_has(&t, 81));
    assert_false(sm_tags_has(&t, 99));
    sm_tags_clear(&t);
    assert_false(sm_tags_has(&t, 81));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_toggle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
