/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a profiler's tree, followed while they grow. */
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/profile/profile.h"
#include "reader/profile/profile_name.h"
#include "reader/source/watch.h"
#include "reader/trial.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct place {
    char dir[64], path[256];
    struct sm_pool *pool;
    struct sm_profile *profile;
};

static const char *in(struct place *t, const char *name)
{
    snprintf(t->path, sizeof t->path, "%s%s%s", t->dir, *name ? "/" : "", name);
    return t->path;
}

static void make_folders(const char *path)
{
    char part[256];
    for (const char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0777);
    }
}

static void put(struct place *t, const char *name, const char *mode, const char *text)
{
    make_folders(in(t, name));
    FILE *f = fopen(t->path, mode);
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int setup(void **state)
{
    struct place *t = calloc(1, sizeof *t);
    struct sm_err err;
    if (!make_scratch(t->dir, sizeof t->dir))
        return -1;
    t->pool = sm_pool_new(0, 0, &err);
    *state = t;
    return t->pool ? 0 : -1;
}

static int teardown(void **state)
{
    struct place *t = *state;
    sm_profile_close(t->profile);
    sm_pool_free(t->pool);
    sm_clock_thaw();
    remove_tree(t->dir);
    free(t);
    return 0;
}

/* Runs all jobs that are due. */
static void settle(struct place *t)
{
    do {
        while (sm_pool_collect(t->pool, 1))
            ;
        sm_profile_pump(t->profile);
    } while (sm_pool_pending(t->pool) || sm_profile_deadline_us(t->profile) <= sm_clock_mono_us());
}

static void open_profile(struct place *t)
{
    struct sm_err err;
    sm_clock_freeze(1000, sm_clock_wall_us() + 3600 * (int64_t)1000000);
    t->profile = sm_profile_new(in(t, ""), t->pool, true, &err);
    assert_non_null(t->profile);
    assert_false(sm_profile_is_read(t->profile));
    settle(t);
    assert_true(sm_profile_is_read(t->profile));
}

static void beat(struct place *t)
{
    sm_watch_pump();
    sm_clock_advance(1000000);
    settle(t);
}

#define ROW(second, value)                                                                         \
    "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Dimension\":\"CPUUtilization\",\"NodeId\":\"algo-1\","  \
    "\"Timestamp\":" #second ",\"Value\":" #value "}\n"
#define BASE                                                                                       \
    "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{"                              \
    "\"start_time_since_epoch_in_micros\":1000}},\n"                                               \
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"Forward\"}},\n"
#define EVENT(ts) "{\"name\":\"m\",\"pid\":1,\"ph\":\"X\",\"ts\":" #ts ",\"dur\":1},\n"

static uint64_t rows(struct place *t)
{
    return sm_profile_counts(t->profile).rows;
}

static uint64_t events(struct place *t)
{
    return sm_profile_counts(t->profile).events;
}

static void growing_files_are_followed(void **state)
{
    struct place *t = *state;
    put(t, "system/incremental/2020091312/1600000020.algo-1.json", "w",
        ROW(1600000020.5, 1) ROW(1600000021, 2) "{\"Ty");
    open_profile(t);
    assert_int_equal(rows(t), 2);
    put(t, "system/incremental/2020091312/1600000020.algo-1.json", "a",
        "pe\":\"cpu\",\"Value\":3,\"Timestamp\":1600000022}\n");
    beat(t);
    assert_int_equal(rows(t), 3);
    put(t, "system/incremental/2020091312/1600000080.algo-1.json", "w", ROW(1600000080, 4));
    put(t, "system/incremental/2020091313/1600000140.algo-1.json", "w", ROW(1600000140, 5));
    beat(t);
    assert_int_equal(rows(t), 5);
    beat(t);
    assert_int_equal(rows(t), 5);
    assert_false(sm_profile_ended(t->profile));
    put(t, "system/training_job_end.ts", "w", "");
    beat(t);
    assert_true(sm_profile_ended(t->profile));
    assert_int_equal(sm_profile_problems(t->profile)->total, 0);
}

/* A timeline that was read as NAME.tmp is not read again under its final name, renamed or copied;
 * the next one has the name of the first. */
static void a_temporary_file_is_read_once(void **state)
{
    struct place *t = *state;
    char from[256];
    put(t, "framework/41-vm_pythontimeline.json.tmp", "w",
        BASE EVENT(5) EVENT(6) "{\"name\":\"m\",\"pid\":1,");
    open_profile(t);
    assert_int_equal(events(t), 2);
    put(t, "framework/41-vm_pythontimeline.json.tmp", "a", "\"ph\":\"X\",\"ts\":9,\"dur\":1},\n");
    beat(t);
    assert_int_equal(events(t), 3);
    put(t, "framework/41-vm_pythontimeline.json.tmp", "a", EVENT(12) "]");
    snprintf(from, sizeof from, "%s", in(t, "framework/41-vm_pythontimeline.json.tmp"));
    put(t, "framework/pevents/1970010100/x", "w", "");
    assert_int_equal(
        rename(from, in(t, "framework/pevents/1970010100/1013_41-vm_pythontimeline.json")), 0);
    put(t, "framework/41-vm_pythontimeline.json.tmp", "w", BASE EVENT(20));
    beat(t);
    assert_int_equal(events(t), 5);
    put(t, "framework/pevents/1970010100/1021_41-vm_pythontimeline.json", "w", BASE EVENT(20) "]");
    beat(t);
    assert_int_equal(events(t), 5);
    assert_int_equal(sm_event_phase(sm_profile_events(t->profile), "Forward")->sum.count, 5);
}

/* Looking for news reads and lists no more when the history is longer. */
static unsigned long lists_of_a_beat(struct place *t, int hours)
{
    char name[128];
    for (int hour = 0; hour < hours; hour++)
        for (int minute = 0; minute < 20; minute++) {
            snprintf(name, sizeof name, "system/incremental/20200913%02d/%d.algo-1.json", hour,
                     1600000020 + 3600 * hour + 60 * minute);
            put(t, name, "w", ROW(1600000020, 1));
        }
    open_profile(t);
    beat(t); /* looks at all files once more */
    unsigned long before = sm_source_read_count();
    snprintf(name, sizeof name, "system/incremental/20200913%02d/%d.algo-1.json", hours - 1,
             1600000020 + 3600 * (hours - 1) + 60 * 19);
    put(t, name, "a", ROW(1600000021, 1));
    beat(t);
    assert_int_equal(rows(t), 20 * hours + 1);
    sm_profile_close(t->profile);
    t->profile = NULL;
    return sm_source_read_count() - before;
}

static void a_beat_does_not_depend_on_history(void **state)
{
    unsigned long few = lists_of_a_beat(*state, 3);
    teardown(state);
    setup(state);
    assert_int_equal(lists_of_a_beat(*state, 20), few);
}

static void several_nodes_and_kinds_have_names(void **state)
{
    struct place *t = *state;
    put(t, "framework/pevents/1970010100/1013_151-algo-1_model_timeline.json", "w",
        BASE EVENT(5) "]");
    put(t, "framework/pevents/1970010100/1014_905-b88ab1bb8259_horovod_timeline.json", "w",
        BASE EVENT(5));
    put(t, "framework/pevents/1970010100/other.json", "w", "{");
    put(t, "system/note.json", "w", "{");
    open_profile(t);
    assert_int_equal(events(t), 2);
    assert_int_equal(sm_profile_node_count(t->profile), 2);
    assert_string_equal(sm_profile_node(t->profile, 0), "algo-1-151");
    assert_string_equal(sm_profile_node(t->profile, 1), "905-b88ab1bb8259");
    assert_true(sm_profile_same_node("algo-1", "algo-1-151"));
    assert_false(sm_profile_same_node("algo-1", "algo-11-151"));
    struct sm_event_walk w = {INT64_MIN, INT64_MAX, 0, 0};
    assert_int_equal(sm_event_next(sm_profile_events(t->profile), &w)->kind, SM_PEVENTS_MODEL);
    assert_int_equal(sm_event_next(sm_profile_events(t->profile), &w)->kind, SM_PEVENTS_HOROVOD);
}

static void time_and_steps_are_joined(void **state)
{
    struct place *t = *state;
    struct sm_str text = {0};
    int32_t first, last;
    int64_t from, to;
    sm_str_add(&text, BASE "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":2,\"args\":{\"name\":"
                           "\"Step:ModeKeys.TRAIN\"}},");
    for (int i = 0; i < 10; i++)
        sm_str_printf(&text,
                      "{\"name\":\"s\",\"pid\":2,\"ph\":\"X\",\"ts\":%d,\"dur\":%d,\"args\":{"
                      "\"step_num\":%d}},",
                      100 * i, i == 2 ? 350 : 50, i);
    put(t, "framework/pevents/1970010100/1013_1-vm_pythontimeline.json", "w", sm_str_text(&text));
    sm_str_clear(&text);
    open_profile(t);
    assert_true(sm_profile_steps_in(t->profile, SM_MODE_TRAIN, 1420000, 1620000, &first, &last));
    assert_int_equal(first, 2); /* from 1200 to 1550 us */
    assert_int_equal(last, 6);
    assert_false(sm_profile_steps_in(t->profile, SM_MODE_TRAIN, 1660000, 1690000, &first, &last));
    assert_false(sm_profile_steps_in(t->profile, SM_MODE_EVAL, 0, INT64_MAX, &first, &last));
    assert_true(sm_profile_step_time(t->profile, SM_MODE_TRAIN, 2, &from, &to));
    assert_int_equal(from, 1200000);
    assert_int_equal(to, 1550000);
    assert_false(sm_profile_step_time(t->profile, SM_MODE_TRAIN, 10, &from, &to));
    assert_int_equal(sm_profile_main_mode(t->profile), SM_MODE_TRAIN);
}

static const char *find(struct place *t, const char *run)
{
    static char found[256];
    struct sm_str root = {0};
    snprintf(found, sizeof found, "%s",
             sm_profile_find(in(t, run), &root) ? sm_str_text(&root) + strlen(t->dir) : "none");
    sm_str_clear(&root);
    return found;
}

static void the_tree_of_a_run_is_found(void **state)
{
    struct place *t = *state;
    put(t, "job/profiler-output/system/incremental/1600000020.algo-1.json", "w",
        ROW(1600000020, 1));
    put(t, "job/debug-output/index/x", "w", "");
    put(t, "other/system/notes.txt", "w", "");
    put(t, "flat/framework/1-vm_pythontimeline.json.tmp", "w", "");
    put(t, "kept/framework/1013_1-vm_pythontimeline.json", "w", "");
    assert_string_equal(find(t, "job/debug-output"), "/job/debug-output/../profiler-output");
    assert_string_equal(find(t, "job"), "/job/profiler-output");
    assert_string_equal(find(t, "job/profiler-output"), "/job/profiler-output");
    assert_string_equal(find(t, "flat"), "/flat");
    assert_string_equal(find(t, "other"), "none");
    assert_string_equal(find(t, "kept"), "none");
    assert_string_equal(find(t, "missing"), "none");
}

/* What somebody keeps beside the profiler's files is none of them. */
static void other_files_are_ignored(void **state)
{
    static const char *const others[] = {
        "system/1600000020.algo-x.json",     "system/1600000020.host-1.json",
        "system/1600000020.algo-1.json.bak", "system/160000002.algo-1.json",
        "system/1600000020.algo-.json",      "framework/old/1013_1-vm_pythontimeline.json"};
    struct place *t = *state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        put(t, others[i], "w", i < 5 ? ROW(1600000020, 1) : BASE EVENT(5));
    put(t, "system/a/b/1600000020.algo-12.json", "w", ROW(1600000020, 1));
    open_profile(t);
    assert_int_equal(events(t), 0);
    assert_int_equal(sm_profile_counts(t->profile).rows, 1);
    assert_int_equal(sm_profile_counts(t->profile).metric_files, 1);
}

/* The operators of a trace of torch.profiler in the tree are in the timeline beside it, too. */
static void traces_of_torch_are_not_read_again(void **state)
{
    struct place *t = *state;
    put(t, "framework/pevents/2020091312/1013_1-vm_pythontimeline.json", "w", BASE EVENT(5));
    put(t, "framework/pytorch/detailed_profiling/2020091312/000000005/vm_1.2.pt.trace.json", "w",
        BASE EVENT(5) EVENT(6));
    open_profile(t);
    assert_int_equal(events(t), 1);
    assert_int_equal(sm_profile_counts(t->profile).timeline_files, 1);
}

/* Jobs that run when a profile is closed end by themselves. */
static void a_profile_may_be_closed_at_any_time(void **state)
{
    struct place *t = *state;
    struct sm_err err;
    put(t, "framework/41-vm_pythontimeline.json.tmp", "w", BASE EVENT(5) EVENT(6));
    put(t, "system/1600000020.algo-1.json", "w", ROW(1600000020, 1));
    for (int turns = 0; turns < 8; turns++) {
        t->profile = sm_profile_new(in(t, ""), t->pool, true, &err);
        for (int i = 0; i < turns; i++) {
            sm_profile_pump(t->profile);
            sm_pool_collect(t->pool, i % 2 + 1);
        }
        sm_profile_close(t->profile);
        while (sm_pool_collect(t->pool, 1))
            ;
    }
    t->profile = NULL;
}

/* What the loop may ask while workers list and read: the thread sanitizer looks at it. */
static void the_loop_may_ask_while_workers_read(void **state)
{
    struct place *t = *state;
    struct sm_err err;
    struct sm_pool *pool = sm_pool_new(2, 0, &err);
    put(t, "system/2020091312/1600000020.algo-1.json", "w", ROW(1600000020, 1));
    put(t, "framework/41-vm_pythontimeline.json.tmp", "w", BASE EVENT(5));
    struct sm_profile *p = sm_profile_new(in(t, ""), pool, false, &err);
    for (int turns = 0; turns < 200; turns++) {
        while (!sm_profile_is_read(p)) {
            sm_profile_pump(p);
            int percent = sm_profile_percent(p);
            assert_true(percent >= 0 && percent <= 100);
            assert_true(sm_profile_node_count(p) <= 2);
            assert_true(sm_profile_counts(p).timeline_files <= 1);
            sm_pool_wait(pool);
            sm_pool_collect(pool, 1);
        }
        sm_profile_refresh(p);
    }
    assert_int_equal(sm_profile_counts(p).rows, 1);
    sm_profile_close(p);
    sm_pool_free(pool);
}

/* Opens, reads and closes a profile; returns the allocations that it took. */
static unsigned long read_once(struct place *t)
{
    struct sm_err err;
    unsigned long before = sm_mem_count();
    t->profile = sm_profile_new(in(t, ""), t->pool, false, &err);
    for (int i = 0; t->profile && i < 200; i++) {
        sm_pool_collect(t->pool, sm_pool_pending(t->pool) > 0);
        sm_profile_pump(t->profile);
    }
    if (t->profile)
        assert_true(sm_profile_is_read(t->profile));
    sm_profile_close(t->profile);
    t->profile = NULL;
    while (sm_pool_collect(t->pool, 1))
        ;
    return sm_mem_count() - before;
}

static void any_allocation_may_fail(void **state)
{
    struct place *t = *state;
    put(t, "system/2020091312/1600000020.algo-1.json", "w",
        ROW(1600000020, 1) ROW(1600000022, 2) ROW(1600000021, 3));
    put(t, "framework/41-vm_pythontimeline.json.tmp", "w",
        BASE EVENT(5) "{\"name\":\"x\",\"pid\":1,\"ph\":\"B\",\"ts\":2},"
                      "{\"pid\":1,\"ph\":\"E\",\"ts\":3},");
    unsigned long all = read_once(t);
    assert_true(all > 50);
    for (unsigned long n = 1; n <= all; n++) {
        sm_mem_fail_at(n);
        read_once(t);
    }
    sm_mem_fail_at(0);
}

/* The next look is far away until something is written, and then near. */
static void events_of_folders_ask_for_a_look(void **state)
{
    struct place *t = *state;
    put(t, "system/incremental/2020/1600000020.algo-1.json", "w", ROW(1600000020, 1));
    open_profile(t);
    beat(t);
    if (sm_watch_fd() < 0)
        skip();
    assert_true(sm_profile_deadline_us(t->profile) > sm_clock_mono_us() + 5000000);
    put(t, "system/incremental/2020/1600000020.algo-1.json", "a", ROW(1600000021, 2));
    sm_watch_pump();
    assert_true(sm_profile_deadline_us(t->profile) <= sm_clock_mono_us() + 100000);
    beat(t);
    assert_int_equal(sm_profile_counts(t->profile).rows, 2);
    assert_true(sm_profile_deadline_us(t->profile) > sm_clock_mono_us() + 5000000);
    put(t, "framework/pevents/2020/1600000030000000_1-algo-1_pythontimeline.json", "w",
        BASE EVENT(1) "]");
    beat(t); /* the folder framework */
    beat(t);
    assert_int_equal(sm_profile_counts(t->profile).events, 1);
}

static void the_earliest_since_a_version(void **state)
{
    static struct sm_earliest x;
    (void)state;
    assert_true(sm_earliest_since(&x, 0) == INT64_MAX);
    sm_earliest_add(&x, 1, 50);
    sm_earliest_add(&x, 1, 60);
    sm_earliest_add(&x, 2, 70);
    sm_earliest_add(&x, 3, 65);
    sm_earliest_add(&x, 4, 90);
    assert_int_equal(sm_earliest_since(&x, 0), 50);
    assert_int_equal(sm_earliest_since(&x, 1), 65);
    assert_int_equal(sm_earliest_since(&x, 2), 65);
    assert_int_equal(sm_earliest_since(&x, 3), 90);
    assert_true(sm_earliest_since(&x, 4) == INT64_MAX);
    for (int i = 5; i < 100000; i++)
        sm_earliest_add(&x, (uint64_t)i, 100 + i);
    assert_int_equal(sm_earliest_since(&x, 99998), 100099);
    assert_int_equal(sm_earliest_since(&x, 0), 50);
    for (uint64_t v = 1005; v < 99999; v += 1000)
        assert_in_range(sm_earliest_since(&x, v), v + 101 - 100000 / 250, v + 101);
    assert_in_range(x.n, 1, SM_EARLIEST_ITEMS);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(events_of_folders_ask_for_a_look),
        TEST(growing_files_are_followed),
        TEST(a_temporary_file_is_read_once),
        TEST(a_beat_does_not_depend_on_history),
        TEST(several_nodes_and_kinds_have_names),
        TEST(time_and_steps_are_joined),
        TEST(the_tree_of_a_run_is_found),
        TEST(other_files_are_ignored),
        TEST(traces_of_torch_are_not_read_again),
        TEST(a_profile_may_be_closed_at_any_time),
        TEST(the_loop_may_ask_while_workers_read),
        TEST(any_allocation_may_fail),
        cmocka_unit_test(the_earliest_since_a_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
