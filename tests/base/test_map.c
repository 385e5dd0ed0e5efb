/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/map.h"
#include "reader/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void test_names_count_up_and_stay(void **state)
{
    (void)state;
    struct sm_names *t = sm_names_new();
    char text[64];
    for (uint32_t i = 0; i < 20000; i++) {
        size_t n = (size_t)snprintf(text, sizeof text, "layer%u/kernel:%u", i / 2, i % 2);
        assert_int_equal(sm_names_add(t, text, n), i);
    }
    const char *first = sm_names_text(t, 0);
    for (uint32_t i = 0; i < 20000; i++) {
        size_t n = (size_t)snprintf(text, sizeof text, "layer%u/kernel:%u", i / 2, i % 2);
        assert_int_equal(sm_names_add(t, text, n), i);
        assert_int_equal(sm_names_find(t, text, n), i);
        assert_string_equal(sm_names_text(t, i), text);
        assert_int_equal(sm_names_length(t, i), n);
    }
    assert_ptr_equal(sm_names_text(t, 0), first);
    assert_int_equal(sm_names_count(t), 20000);
    assert_int_equal(sm_names_find(t, "layer", 5), SM_NAME_NONE);
    assert_true(sm_names_bytes(t) > 20000 * 16);
    sm_names_free(t);
    sm_names_free(NULL);
}

static void test_names_are_bytes(void **state)
{
    (void)state;
    struct sm_names *t = sm_names_new();
    assert_int_equal(sm_names_find(t, "", 0), SM_NAME_NONE);
    assert_int_equal(sm_names_add(t, "a", 1), 0);
    assert_int_equal(sm_names_add(t, "a\0", 2), 1); /* padding must not make them equal */
    assert_int_equal(sm_names_add(t, "a\0\0", 3), 2);
    assert_int_equal(sm_names_add(t, NULL, 0), 3);
    assert_int_equal(sm_names_add(t, "", 0), 3);
    assert_int_equal(sm_names_length(t, 1), 2);
    assert_memory_equal(sm_names_text(t, 1), "a\0", 3);
    assert_string_equal(sm_names_text(t, 3), "");
    char sixteen[33] = "0123456789abcdef0123456789abcdef";
    for (size_t n = 14; n <= 32; n++) /* around the hash's block size */
        assert_int_equal(sm_names_add(t, sixteen, n), 4 + n - 14);
    assert_int_equal(sm_names_find(t, sixteen, 16), 6);
    sm_names_free(t);
}

static void test_names_survive_every_failure(void **state)
{
    (void)state;
    bool failed = true;
    for (unsigned long at = 1; failed; at++) {
        assert_true(at < 1000);
        sm_mem_fail_at(at);
        struct sm_names *t = sm_names_new();
        failed = !t;
        for (int i = 0; t && i < 300; i++) {
            char text[16];
            size_t n = (size_t)snprintf(text, sizeof text, "name%d", i);
            uint32_t id = sm_names_add(t, text, n);
            if (id == SM_NAME_NONE) {
                failed = true;
                assert_int_equal(sm_names_find(t, text, n), SM_NAME_NONE);
                id = sm_names_add(t, text, n); /* the next attempt succeeds */
            }
            assert_int_equal(id, i);
        }
        sm_names_free(t);
    }
    sm_mem_fail_at(0);
}

static void test_map(void **state)
{
    (void)state;
    struct sm_map m = {0};
    uint64_t v = 99;
    assert_false(sm_map_get(&m, 0, &v));
    assert_false(sm_map_remove(&m, 0));
    assert_true(sm_map_put(&m, 0, 5));
    assert_true(sm_map_put(&m, UINT64_MAX, 6));
    assert_true(sm_map_put(&m, 0, 7));
    assert_int_equal(m.count, 2);
    assert_true(sm_map_get(&m, 0, &v));
    assert_int_equal(v, 7);
    assert_true(sm_map_get(&m, UINT64_MAX, NULL));
    assert_false(sm_map_get(&m, 1, &v));
    assert_int_equal(v, 7);
    sm_map_clear(&m);
    assert_int_equal(m.count, 0);
    assert_false(sm_map_get(&m, 0, &v));
}

/* Compares the map with a plain array over many puts and removes, also in clusters. */
static void test_map_against_an_array(void **state)
{
    (void)state;
    enum { KEYS = 500 };
    struct sm_map m = {0};
    uint64_t value[KEYS] = {0}, x = 12345;
    size_t count = 0;
    for (int i = 0; i < 100000; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        size_t k = (x >> 33) % KEYS;
        if (x >> 63) {
            count += !value[k];
            value[k] = (uint64_t)i + 1;
            assert_true(sm_map_put(&m, k << 20, value[k]));
        } else {
            assert_int_equal(sm_map_remove(&m, k << 20), value[k] != 0);
            count -= value[k] != 0;
            value[k] = 0;
        }
        assert_int_equal(m.count, count);
        size_t look = (x >> 20) % KEYS;
        uint64_t got = 0;
        assert_int_equal(sm_map_get(&m, look << 20, &got), value[look] != 0);
        assert_int_equal(got, value[look]);
    }
    sm_map_clear(&m);
}

static void test_map_without_memory(void **state)
{
    (void)state;
    for (unsigned long at = 1; at <= 3; at++) {
        struct sm_map m = {0};
        sm_mem_fail_at(at);
        assert_false(sm_map_put(&m, 1, 1));
        assert_int_equal(m.count, 0);
        assert_true(sm_map_put(&m, 1, 1));
        sm_map_clear(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_count_up_and_stay),
        cmocka_unit_test(test_names_are_bytes),
        cmocka_unit_test(test_names_survive_every_failure),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_map_against_an_array),
        cmocka_unit_test(test_map_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
