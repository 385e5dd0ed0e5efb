/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/reader/live.h"

static void add_problem(struct sm_problems *p, const char *file, int64_t offset,
                        const char *message)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_DATA, "%s", message);
    sm_problems_add(p, file, offset, &err);
}

static void test_keeps_what_and_where(void **state)
{
    (void)state;
    struct sm_problems p = {0};
    sm_clock_freeze(0, 77);
    add_problem(&p, "index/a.json", 12, "too short");
    sm_clock_thaw();
    assert_int_equal(p.n, 1);
    assert_string_equal(p.items[0].file, "index/a.json");
    assert_string_equal(p.items[0].message, "too short");
    assert_int_equal(p.items[0].offset, 12);
    assert_int_equal(p.items[0].code, SM_ERR_DATA);
    assert_int_equal(p.items[0].first_seen_us, 77);
    sm_problems_clear(&p);
    assert_int_equal(p.n, 0);
    assert_null(p.items);
}

static void test_the_same_again_is_counted_once(void **state)
{
    (void)state;
    struct sm_problems p = {0};
    for (int i = 0; i < 3; i++)
        add_problem(&p, "a", 0, "x");
    add_problem(&p, "a", 1, "x");
    add_problem(&p, "b", 0, "x");
    add_problem(&p, "a", 0, "y");
    assert_int_equal(p.n, 4);
    assert_int_equal(p.total, 4);
    assert_int_equal(p.items[0].times, 3);
    assert_int_equal(p.items[1].times, 1);
    sm_problems_clear(&p);
}

static void test_a_message_does_not_say_the_file_again(void **state)
{
    (void)state;
    struct sm_problems p = {0};
    add_problem(&p, "index", -1, "index: Permission denied");
    assert_string_equal(p.items[0].message, "Permission denied");
    sm_problems_clear(&p);
}

static void test_beyond_the_bound_they_are_only_counted(void **state)
{
    (void)state;
    struct sm_problems p = {0};
    for (int i = 0; i < SM_PROBLEMS_KEPT + 50; i++)
        add_problem(&p, "a", i, "x");
    assert_int_equal(p.n, SM_PROBLEMS_KEPT);
    assert_int_equal(p.total, SM_PROBLEMS_KEPT + 50);
    sm_problems_clear(&p);
}

static void test_without_memory_they_are_only_counted(void **state)
{
    (void)state;
    for (unsigned long n = 1; n <= 3; n++) {
        struct sm_problems p = {0};
        sm_mem_fail_at(n);
        add_problem(&p, "a", 0, "x");
        sm_mem_fail_at(0);
        assert_int_equal(p.n, 0);
        assert_int_equal(p.total, 1);
        sm_problems_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_what_and_where),
        cmocka_unit_test(test_the_same_again_is_counted_once),
        cmocka_unit_test(test_a_message_does_not_say_the_file_again),
        cmocka_unit_test(test_beyond_the_bound_they_are_only_counted),
        cmocka_unit_test(test_without_memory_they_are_only_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
