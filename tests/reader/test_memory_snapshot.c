/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of CUDA memory: what is read of a pickle, damaged ones, and their folders. */
#include "reader/base/mem.h"
#include "reader/trace/trace_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define FOLDER "tests/samples/traces/snapshots"
#define LAST   "iteration_4/000000_step_4.pickle"

static void events_and_sums_are_read(void **state)
{
    (void)state;
    struct sm_err err = {0};
    struct sm_source *s = sm_source_dir_new(FOLDER, &err);
    struct sm_memory_snapshot x = {0};
    assert_true(sm_memory_snapshot_read(s, LAST, &x, &err));
    /* a segment, 4 weights, 4 steps of 4 allocations and 3 pairs of frees, and no memory */
    assert_int_equal(x.n, 1 + 4 + 4 * (4 + 6) + 1);
    assert_int_equal(x.others[0], 1);
    assert_int_equal(x.events[0].action, SM_MEMORY_RESERVED);
    assert_int_equal(x.events[1].action, SM_MEMORY_ALLOC);
    assert_int_equal(x.events[1].size, 8 << 20);
    assert_string_equal(sm_names_text(x.names, x.events[1].stack), "model.py:12:__init__");
    assert_int_equal(x.events[x.n - 1].action, SM_MEMORY_OOM);
    assert_int_equal(x.events[x.n - 1].device_free, (int64_t)7 << 30);
    assert_int_equal(x.ends[0].reserved, 256 << 20);
    assert_int_equal(x.ends[0].active, 40 << 20);
    assert_int_equal(x.ends[0].largest_free, 24 << 20);
    assert_int_equal(x.ends[0].blocks, 4 + 4 + 1);
    assert_int_equal(x.ends[1].segments, 0);
    sm_memory_snapshot_clear(&x);
    sm_source_unref(s);
}

/* Each beginning of the file is refused, and nothing but what it has is kept. */
static void a_torn_pickle_is_an_error(void **state)
{
    (void)state;
    struct sm_err err = {0};
    struct sm_source *dir = sm_source_dir_new(FOLDER, &err), *s = sm_source_mem_new(&err);
    struct sm_str bytes = {0};
    assert_true(sm_source_slurp(dir, LAST, 1 << 20, &bytes, &err));
    for (size_t n = 0; n < bytes.len; n += n < 64 ? 1 : 251) {
        struct sm_memory_snapshot x = {0};
        sm_source_mem_put(s, "x.pickle", bytes.data, n);
        err.code = SM_OK;
        assert_false(sm_memory_snapshot_read(s, "x.pickle", &x, &err));
        assert_int_not_equal(err.code, SM_OK);
        assert_true(x.n <= 46);
        sm_memory_snapshot_clear(&x);
    }
    sm_str_clear(&bytes);
    sm_source_unref(dir);
    sm_source_unref(s);
}

static void another_pickle_is_no_snapshot(void **state)
{
    (void)state;
    static const char list[] = "\x80\x02]q\x00K\x01"
                               "a.";
    struct sm_err err = {0};
    struct sm_source *s = sm_source_mem_new(&err);
    struct sm_memory_snapshot x = {0};
    sm_source_mem_put(s, "x.pickle", list, sizeof list - 1);
    assert_false(sm_memory_snapshot_looks_like(list, sizeof list - 1));
    assert_false(sm_memory_snapshot_read(s, "x.pickle", &x, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
    sm_memory_snapshot_clear(&x);
    sm_source_unref(s);
}

static void folders_of_steps_are_one_run(void **state)
{
    (void)state;
    struct sm_err err = {0};
    struct sm_source *s = sm_source_dir_new(FOLDER, &err);
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    struct sm_trace_set *set = sm_trace_set_new(s, NULL, SM_TRACE_SNAPSHOT, pool);
    for (int i = 0; i < 100 && !sm_trace_set_is_read(set); i++) {
        sm_trace_set_pump(set);
        sm_pool_collect(pool, 1);
    }
    assert_int_equal(sm_trace_set_count(set), 2);
    assert_int_equal(sm_trace_set_item(set, 0)->step, 2);
    assert_int_equal(sm_trace_set_item(set, 1)->step, 4);
    assert_int_equal(sm_trace_set_item(set, 1)->rank, 0);
    assert_string_equal(sm_trace_set_item(set, 1)->path, LAST);
    sm_trace_set_close(set);
    sm_pool_free(pool);
    sm_source_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_and_sums_are_read),
        cmocka_unit_test(a_torn_pickle_is_an_error),
        cmocka_unit_test(another_pickle_is_no_snapshot),
        cmocka_unit_test(folders_of_steps_are_one_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
