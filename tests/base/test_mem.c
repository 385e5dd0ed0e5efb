/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_nth_allocation_fails_once(void **state)
{
    (void)state;
    sm_mem_fail_at(3);
    void *a = sm_alloc(1), *b = sm_alloc_zero(2, 8), *c = sm_alloc(1), *d = sm_alloc(1);
    assert_non_null(a);
    assert_non_null(b);
    assert_null(c);
    assert_non_null(d);
    sm_mem_fail_at(1);
    assert_null(sm_realloc(a, 10, 10));
    sm_mem_fail_at(1);
    assert_null(sm_strdup("x"));
    sm_mem_fail_at(1);
    sm_mem_fail_at(0);
    void *e = sm_realloc(a, 10, 10);
    assert_non_null(e);
    sm_free(e);
    sm_free(b);
    sm_free(d);
}

static void test_allocations_are_counted(void **state)
{
    (void)state;
    unsigned long before = sm_mem_count();
    sm_free(sm_alloc(0));
    sm_free(sm_strndup("abc", 2));
    assert_int_equal(sm_mem_count() - before, 2);
}

static void test_overflow_is_refused(void **state)
{
    (void)state;
    volatile size_t huge = SIZE_MAX / 2 + 1;
    char *p = sm_alloc(8);
    assert_null(sm_alloc_zero(huge, 2));
    assert_null(sm_realloc(p, huge, 2));
    assert_null(sm_strndup("", SIZE_MAX));
    strcpy(p, "still"); /* p stays valid */
    assert_string_equal(p, "still");
    sm_free(p);
}

static void test_pages_begin_at_a_page(void **state)
{
    (void)state;
    volatile size_t huge = SIZE_MAX / 2 - 1;
    const size_t sizes[] = {0, 1, 4096, 70000, 5 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *p = sm_alloc_pages(sizes[i]);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 4096, 0);
        memset(p, 1, sizes[i]);
        sm_free(p);
    }
    assert_null(sm_alloc_pages(huge));
    sm_mem_fail_at(1);
    assert_null(sm_alloc_pages(1));
}

static void test_size_zero_is_a_pointer(void **state)
{
    (void)state;
    void *p = sm_alloc(0), *q = sm_alloc_zero(0, 8), *r = sm_realloc(NULL, 0, 0);
    assert_non_null(p);
    assert_non_null(q);
    assert_non_null(r);
    r = sm_realloc(r, 0, 8);
    assert_non_null(r);
    sm_free(p);
    sm_free(q);
    sm_free(r);
}

static void test_copies(void **state)
{
    (void)state;
    char *a = sm_strndup("ab\0cd", 5), *b = sm_xstrdup("xyz"), *c = sm_strndup(NULL, 0);
    assert_memory_equal(a, "ab\0cd", 6);
    assert_string_equal(b, "xyz");
    assert_string_equal(c, "");
    sm_free(a);
    sm_free(b);
    sm_free(c);
}

static void test_arena_is_aligned_zeroed_and_apart(void **state)
{
    (void)state;
    struct sm_arena a = {0};
    unsigned char *before = NULL;
    for (size_t i = 0; i < 3000; i++) {
        size_t n = i % 97;
        unsigned char *p = sm_arena_alloc(&a, n);
        assert_non_null(p);
        assert_ptr_not_equal(p, before);
        assert_int_equal((uintptr_t)p % sizeof(max_align_t) % 16, 0);
        for (size_t k = 0; k < n; k++)
            assert_int_equal(p[k], 0);
        memset(p, 0xaa, n);
        before = p;
    }
    sm_arena_clear(&a);
    assert_null(a.blocks);
    assert_int_equal(a.total_bytes, 0);
}

static void test_arena_reset_reuses_a_block(void **state)
{
    (void)state;
    struct sm_arena a = {0};
    for (int i = 0; i < 1000; i++)
        sm_arena_xalloc(&a, 64);
    size_t grown = a.total_bytes;
    sm_arena_reset(&a);
    assert_int_equal(a.used_bytes, 0);
    assert_true(a.total_bytes > 0 && a.total_bytes < grown);
    unsigned long before = sm_mem_count();
    unsigned char *p = sm_arena_alloc(&a, 64);
    assert_int_equal(sm_mem_count(), before);
    assert_int_equal(p[0], 0);
    sm_arena_alloc(&a, 10 << 20);
    sm_arena_reset(&a); /* a giant block is not kept */
    assert_true(a.total_bytes <= 1 << 20);
    sm_arena_clear(&a);
}

static void test_arena_without_memory(void **state)
{
    (void)state;
    struct sm_arena a = {0};
    assert_null(sm_arena_alloc(&a, SIZE_MAX));
    assert_null(sm_arena_alloc(&a, SIZE_MAX - 64));
    assert_null(sm_arena_strndup(&a, "", SIZE_MAX));
    sm_mem_fail_at(1);
    assert_null(sm_arena_alloc(&a, 8));
    assert_non_null(sm_arena_alloc(&a, 8));
    sm_arena_clear(&a);
}

static void test_arena_text(void **state)
{
    (void)state;
    struct sm_arena a = {0};
    assert_string_equal(sm_arena_strndup(&a, "abcdef", 3), "abc");
    assert_string_equal(sm_arena_xstrndup(&a, "", 0), "");
    char big[5000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = 0;
    char *text = sm_arena_xprintf(&a, "%s-%d", big, 42);
    assert_int_equal(strlen(text), sizeof big - 1 + 3);
    assert_string_equal(text + sizeof big - 1, "-42");
    sm_arena_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nth_allocation_fails_once),
        cmocka_unit_test(test_allocations_are_counted),
        cmocka_unit_test(test_overflow_is_refused),
        cmocka_unit_test(test_pages_begin_at_a_page),
        cmocka_unit_test(test_size_zero_is_a_pointer),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_arena_is_aligned_zeroed_and_apart),
        cmocka_unit_test(test_arena_reset_reuses_a_block),
        cmocka_unit_test(test_arena_without_memory),
        cmocka_unit_test(test_arena_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
