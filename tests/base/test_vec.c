/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/bytes.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_grows_and_keeps(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    size_t n = 0, cap = 0;
    unsigned long before = sm_mem_count();
    for (uint32_t i = 0; i < 100000; i++) {
        assert_true(SM_VEC_ROOM(items, n, cap));
        items[n++] = i;
    }
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(items[i], i);
    assert_true(sm_mem_count() - before < 40); /* grows by half, not one by one */
    sm_free(items);
}

static void test_reserve(void **state)
{
    (void)state;
    void *items = NULL;
    size_t cap = 0;
    assert_true(sm_vec_reserve(&items, &cap, 1000, 3));
    assert_true(cap >= 1000);
    void *before = items;
    assert_true(sm_vec_reserve(&items, &cap, 10, 3));
    assert_ptr_equal(items, before);
    sm_free(items);
}

static void test_failure_changes_nothing(void **state)
{
    (void)state;
    uint64_t *items = NULL;
    size_t n = 0, cap = 0;
    assert_true(SM_VEC_ROOM(items, n, cap));
    items[n++] = 7;
    uint64_t *before = items;
    size_t cap_before = cap;
    sm_mem_fail_at(1);
    assert_false(sm_vec_reserve((void **)&items, &cap, 1000, sizeof *items));
    assert_false(sm_vec_reserve((void **)&items, &cap, SIZE_MAX / 4, sizeof *items));
    assert_ptr_equal(items, before);
    assert_int_equal(cap, cap_before);
    assert_int_equal(items[0], 7);
    sm_free(items);
}

static void test_little_endian(void **state)
{
    (void)state;
    uint8_t bytes[9] = {0xff};
    sm_put_u64(bytes + 1, UINT64_C(0xf102030405060708)); /* at an odd address */
    assert_memory_equal(bytes, ((uint8_t[]){0xff, 8, 7, 6, 5, 4, 3, 2, 0xf1}), 9);
    assert_true(sm_get_u64(bytes + 1) == UINT64_C(0xf102030405060708));
    assert_int_equal(sm_get_u32(bytes + 5), 0xf1020304);
    sm_put_u32(bytes, 0x80000001);
    assert_int_equal(sm_get_u32(bytes), 0x80000001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_and_keeps),
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_failure_changes_nothing),
        cmocka_unit_test(test_little_endian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
