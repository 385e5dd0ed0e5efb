/* SPDX-License-Identifier: Apache-2.0 */
/* Requests for one file are taken together, by offset; urgent ones do not wait for that. */
#include "reader/base/mem.h"
#include "reader/fetch/fetch_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 4096, MOST = 512 };

struct given {
    struct sm_fetch_queue queue;
    struct sm_cache_node nodes[NODES], *taken[MOST];
    size_t n;
    char trials[2]; /* only their addresses are used */
};

static int setup(void **state)
{
    *state = sm_alloc_zero(1, sizeof(struct given));
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    struct given *g = *state;
    sm_fetch_queue_clear(&g->queue);
    sm_free(g);
    return 0;
}

static struct sm_cache_node *request_value(struct given *g, int trial, uint32_t part,
                                           uint64_t offset, uint64_t length)
{
    struct sm_cache_node *x = &g->nodes[g->n++];
    *x = (struct sm_cache_node){.trial = (struct sm_trial *)(void *)&g->trials[trial],
                                .part = part,
                                .offset = offset,
                                .length = length,
                                .queued = SM_WANT_STATS};
    sm_fetch_queue_add(&g->queue, x);
    return x;
}

/* The next job as "part:offset part:offset ..." */
static const char *next_job(struct given *g)
{
    static char text[1024];
    size_t n = sm_fetch_queue_take(&g->queue, g->taken, MOST), len = 0;
    text[0] = 0;
    for (size_t i = 0; i < n && len < sizeof text - 32; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%u:%llu", i ? " " : "",
                                g->taken[i]->part, (unsigned long long)g->taken[i]->offset);
    return text;
}

static void test_an_empty_queue(void **state)
{
    struct given *g = *state;
    assert_int_equal(sm_fetch_queue_take(&g->queue, g->taken, MOST), 0);
}

static void test_files_in_the_order_of_asking_their_values_by_offset(void **state)
{
    struct given *g = *state;
    for (uint64_t offset = 300; offset > 0; offset -= 100)
        for (uint32_t part = 9; part > 6; part--)
            request_value(g, 0, part, offset, 100);
    assert_string_equal(next_job(g), "9:100 9:200 9:300 8:100 8:200 8:300 7:100 7:200 7:300");
    assert_int_equal(g->queue.n, 0);
    assert_null(g->queue.first);
    assert_null(g->queue.last);
    assert_int_equal(g->queue.files.count, 0);
}

static void test_one_that_leaves_is_not_taken(void **state)
{
    struct given *g = *state;
    struct sm_cache_node *first = request_value(g, 0, 1, 10, 10);
    request_value(g, 0, 2, 20, 10);
    request_value(g, 0, 1, 30, 10);
    struct sm_cache_node *third = request_value(g, 0, 1, 40, 10);
    sm_fetch_queue_remove(&g->queue, first);
    sm_fetch_queue_remove(&g->queue, third);
    assert_string_equal(next_job(g), "2:20 1:30");
}

static void test_trials_do_not_share_a_job(void **state)
{
    struct given *g = *state;
    request_value(g, 0, 1, 10, 10);
    request_value(g, 1, 1, 20, 10);
    request_value(g, 0, 1, 30, 10);
    assert_string_equal(next_job(g), "1:10 1:30");
    assert_string_equal(next_job(g), "1:20");
}

static void test_large_ones_go_alone(void **state)
{
    struct given *g = *state;
    request_value(g, 0, 1, 10, 100 << 20);
    request_value(g, 0, 1, 20, 5 << 20);
    request_value(g, 0, 1, 30, 2 << 20);
    request_value(g, 0, 2, 40, 5 << 20);
    assert_string_equal(next_job(g), "1:10");
    assert_string_equal(next_job(g), "1:20 1:30");
    assert_string_equal(next_job(g), "2:40");
}

static void test_heads_cost_nothing(void **state)
{
    struct given *g = *state;
    for (uint64_t i = 0; i < 4; i++)
        request_value(g, 0, 1, i, 100 << 20)->queued = SM_WANT_HEAD;
    assert_string_equal(next_job(g), "1:0 1:1 1:2 1:3");
}

static void test_many_files_and_many_values_are_several_jobs(void **state)
{
    struct given *g = *state;
    for (uint32_t part = 0; part < 40; part++)
        request_value(g, 0, part, 0, 10);
    assert_int_equal(sm_fetch_queue_take(&g->queue, g->taken, MOST), 32);
    assert_int_equal(sm_fetch_queue_take(&g->queue, g->taken, MOST), 8);
    for (uint64_t i = 0; i < 1000; i++)
        request_value(g, 0, 7, i, 10);
    assert_int_equal(sm_fetch_queue_take(&g->queue, g->taken, MOST), MOST);
    assert_int_equal(g->taken[MOST - 1]->offset, MOST - 1);
    assert_int_equal(sm_fetch_queue_take(&g->queue, g->taken, MOST), 1000 - MOST);
}

/* Without memory requests are taken in order, each once. */
static void test_no_memory_for_the_files(void **state)
{
    struct given *g = *state;
    for (unsigned long fail = 1; fail < 12; fail++) {
        size_t taken = 0, n;
        g->n = 0;
        sm_fetch_queue_clear(&g->queue);
        sm_mem_fail_at(fail);
        for (uint64_t offset = 0; offset < 10; offset++)
            for (uint32_t part = 0; part < 100; part++)
                request_value(g, 0, part, offset, 10);
        sm_mem_fail_at(0);
        while ((n = sm_fetch_queue_take(&g->queue, g->taken, MOST)) > 0)
            taken += n;
        assert_int_equal(taken, 1000);
        assert_int_equal(g->queue.files.count, 0);
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_an_empty_queue),
        T(test_files_in_the_order_of_asking_their_values_by_offset),
        T(test_one_that_leaves_is_not_taken),
        T(test_trials_do_not_share_a_job),
        T(test_large_ones_go_alone),
        T(test_heads_cost_nothing),
        T(test_many_files_and_many_values_are_several_jobs),
        T(test_no_memory_for_the_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
