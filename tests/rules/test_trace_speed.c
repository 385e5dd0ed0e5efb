/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of traces: scripted loads, each with one cause. */
#include "rules/trace/trace_speed.h"
#include "tests/rules/trace_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { STEPS = 12, KERNELS = 10 };

/* What a step has; times in microseconds. */
struct load {
    double loader, between, sync, comm; /* between: idle time of the GPU before each kernel */
    double length;                      /* of a step; 0: 10 ms */
};

static void add_step(struct sm_str *s, const struct load *l, int step, int *correlation)
{
    double length = l->length > 0 ? l->length : 10000, at = length * step;
    char name[32], args[256];
    snprintf(name, sizeof name, "ProfilerStep#%d", step);
    trace_event(s, "user_annotation", name, 100, at, length, "");
    trace_event(s, "user_annotation", "enumerate(DataLoader)#x.__next__", 100, at, l->loader, "");
    at += l->loader;
    for (int i = 0; i < KERNELS; i++) {
        double room = (length - 100 - l->loader - l->comm) / KERNELS, wait = l->between;
        if (l->sync > 0)
            trace_event(s, "cuda_runtime", "cudaStreamSynchronize", 100, at - 20, 30, "");
        wait = l->sync > 0 ? l->sync : wait;
        trace_work(s, ++*correlation, "gemm", 7, at + wait - 5, at + wait, room - wait, "");
        at += room;
    }
    snprintf(args, sizeof args,
             "\"Collective name\":\"allreduce\",\"Process Group Name\":\"0\",\"Process Group "
             "Ranks\":\"[0, 1, 2]\",\"Seq\":%d",
             step + 1);
    trace_work(s, ++*correlation, "ncclDevKernel_AllReduce", 20, at - 5, at, l->comm + 50, args);
}

static void find(const struct load *loads, size_t ranks, struct sm_speed *out,
                 void (*check)(const struct sm_speed *))
{
    struct sm_err err;
    struct sm_source *source = sm_source_mem_new(&err);
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    for (size_t r = 0; r < ranks; r++) {
        struct sm_str s = {0}, text = {0};
        char name[32];
        int correlation = 0;
        for (int step = 0; step < STEPS; step++)
            add_step(&s, &loads[r], step, &correlation);
        snprintf(name, sizeof name, "rank%zu.json", r);
        sm_str_printf(&text, "{\"traceEvents\":[%s]}", sm_str_text(&s));
        sm_source_mem_put(source, name, text.data, text.len);
        sm_str_clear(&s);
        sm_str_clear(&text);
    }
    struct sm_trace_set *set = sm_trace_set_new(source, NULL, SM_TRACE_KINETO, pool);
    for (int i = 0; i < 100 && !sm_trace_set_is_read(set); i++) {
        sm_trace_set_pump(set);
        sm_pool_collect(pool, 1);
    }
    assert_int_equal(sm_trace_set_count(set), ranks);
    sm_trace_speed_find(set, out);
    check(out);
    sm_trace_set_close(set);
    sm_pool_free(pool);
    sm_source_unref(source);
}

static void check_balanced(const struct sm_speed *s)
{
    assert_string_equal(s->cause->id, "balanced");
    assert_false(s->slow);
    assert_false(s->unknown);
    assert_int_equal(s->steps, STEPS);
}

static void nothing_holds_up_a_busy_gpu(void **state)
{
    (void)state;
    struct sm_speed s;
    struct load l = {.loader = 100, .between = 5, .comm = 500};
    find(&l, 1, &s, check_balanced);
}

static void check_input(const struct sm_speed *s)
{
    assert_string_equal(s->cause->id, "input_bound");
    assert_null(s->worker);
    assert_non_null(strstr(s->evidence[0].text, "40 %"));
    assert_int_equal(s->evidence[0].last, STEPS - 1);
}

static void waits_for_data_are_input_bound(void **state)
{
    (void)state;
    struct sm_speed s;
    struct load l = {.loader = 4000, .between = 5, .comm = 500};
    find(&l, 1, &s, check_input);
}

static void check_short_waits(const struct sm_speed *s)
{
    assert_string_equal(s->cause->id, "balanced");
    assert_string_equal(s->evidence[1].text, "the data loader is waited for in 23 % of the time of "
                                             "its steps, but for less than 1 ms in each");
}

static void short_waits_for_data_say_why_they_do_not_count(void **state)
{
    (void)state;
    struct sm_speed s;
    struct load l = {.loader = 700, .between = 5, .comm = 100, .length = 3000};
    find(&l, 1, &s, check_short_waits);
}

static void check_launch(const struct sm_speed *s)
{
    assert_string_equal(s->cause->id, "launch_bound");
    assert_true(s->evidence[0].value > 0.4 && s->evidence[0].value < 0.6);
}

static void a_slow_host_is_launch_bound(void **state)
{
    (void)state;
    struct sm_speed s;
    struct load l = {.loader = 100, .between = 500, .comm = 500};
    find(&l, 1, &s, check_launch);
}

static void check_sync(const struct sm_speed *s)
{
    assert_string_equal(s->cause->id, "sync_bound");
}

static void waits_for_the_gpu_are_told_from_launches(void **state)
{
    (void)state;
    struct sm_speed s;
    struct load l = {.loader = 100, .sync = 500, .comm = 500};
    find(&l, 1, &s, check_sync);
}

static void check_communication(const struct sm_speed *s)
{
    assert_string_equal(s->cause->id, "communication");
}

static void exposed_communication_is_found(void **state)
{
    (void)state;
    struct sm_speed s;
    struct load l = {.loader = 100, .between = 5, .comm = 4000};
    find(&l, 1, &s, check_communication);
}

static void check_idle(const struct sm_speed *s)
{
    assert_string_equal(s->cause->id, "communication");
    assert_int_equal(s->n_evidence, 2);
    assert_string_equal(s->evidence[1].text, "the GPUs are idle in 2 to 16 % of the time");
    assert_null(s->evidence[1].node);
}

static void idle_gpus_are_evidence_beside_communication(void **state)
{
    (void)state;
    struct sm_speed s;
    struct load l[2] = {{.loader = 100, .between = 5, .comm = 4000},
                        {.loader = 100, .between = 150, .comm = 4000}};
    find(l, 2, &s, check_idle);
}

static void check_straggler(const struct sm_speed *s)
{
    assert_string_equal(s->cause->id, "straggling_worker");
    assert_string_equal(s->worker, "rank_1");
    assert_int_equal(s->n_evidence, 2);
    assert_non_null(strstr(s->evidence[1].text, "waits for the data loader"));
}

static void a_rank_that_waits_for_data_holds_up_the_others(void **state)
{
    (void)state;
    struct sm_speed s;
    struct load l[3] = {{.loader = 100, .between = 5, .comm = 3000},
                        {.loader = 2100, .between = 5, .comm = 1000},
                        {.loader = 100, .between = 5, .comm = 3000}};
    find(l, 3, &s, check_straggler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_holds_up_a_busy_gpu),
        cmocka_unit_test(waits_for_data_are_input_bound),
        cmocka_unit_test(short_waits_for_data_say_why_they_do_not_count),
        cmocka_unit_test(a_slow_host_is_launch_bound),
        cmocka_unit_test(waits_for_the_gpu_are_told_from_launches),
        cmocka_unit_test(exposed_communication_is_found),
        cmocka_unit_test(idle_gpus_are_evidence_beside_communication),
        cmocka_unit_test(a_rank_that_waits_for_data_holds_up_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
