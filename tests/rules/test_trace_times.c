/* SPDX-License-Identifier: Apache-2.0 */
/* What one trace says: times of the GPU, gaps, kernels, launches, queues, operators, memory. Values
 * are counted by hand. */
#include "reader/base/mem.h"
#include "rules/trace/gap_causes.h"
#include "rules/trace/gpu_idle.h"
#include "rules/trace/gpu_time.h"
#include "rules/trace/kernel_sums.h"
#include "rules/trace/launches.h"
#include "rules/trace/trace_comms.h"
#include "rules/trace/trace_loader.h"
#include "rules/trace/trace_memory.h"
#include "rules/trace/trace_ops.h"
#include "tests/rules/trace_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

struct place {
    struct sm_trace_item item;
    struct sm_trace_view view;
};

static void view(struct place *p, struct sm_str *text, bool as_hta)
{
    trace_make(text, 4, &p->item);
    assert_int_equal(p->item.trace.bad, 0);
    sm_trace_view_make(&p->item, as_hta, &p->view);
}

static void clear(struct place *p)
{
    sm_trace_view_clear(&p->view);
    sm_trace_data_clear(&p->item.trace);
}

static void types_go_by_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum sm_kernel_type type;
    } names[] = {
        {"ncclDevKernel_AllReduce", SM_KERNEL_COMMUNICATION},
        {"void ncclKernel_x()", SM_KERNEL_COMMUNICATION},
        {"hcclAllReduce", SM_KERNEL_COMMUNICATION},
        {"Memcpy HtoD (Pinned -> Device)", SM_KERNEL_MEMORY},
        {"Memset (Device)", SM_KERNEL_MEMORY},
        {"dma_copy", SM_KERNEL_MEMORY},
        {"ampere_bf16_gemm", SM_KERNEL_COMPUTATION},
        {"void at::native::Memcpy2D", SM_KERNEL_OTHER},
        {"Context Sync", SM_KERNEL_OTHER},
        {"cudaLaunchKernel", SM_KERNEL_OTHER},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(sm_kernel_type_of(names[i].name), names[i].type);
}

/* Computation 0..10 and 5..20, communication 15..30, a copy 18..22, nothing until 40, to 50. */
static void overlapping(struct sm_str *s)
{
    trace_work(s, 1, "gemm", 7, -9, 0, 10, "");
    trace_work(s, 2, "gemm", 8, -8, 5, 15, "");
    trace_work(s, 3, "ncclDevKernel_AllReduce", 20, -7, 15, 15, "");
    trace_work(s, 4, "Memcpy HtoD (Pinned -> Device)", 7, -6, 18, 4, "");
    trace_work(s, 5, "gelu", 7, 35, 40, 10, "");
}

static void times_are_of_unions(void **state)
{
    (void)state;
    struct sm_str s = {0}, name = {0};
    struct sm_gpu_time g;
    struct place p;
    overlapping(&s);
    view(&p, &s, false);
    sm_gpu_time_find(&p.view, &g);
    assert_int_equal(g.kernel_ns, 50000);
    assert_int_equal(g.idle_ns, 10000);
    assert_int_equal(g.compute_ns, 30000);
    assert_int_equal(g.non_compute_ns, 10000);
    assert_int_equal(g.comm_ns, 15000);
    assert_int_equal(g.overlap_ns, 5000);
    assert_int_equal(g.mix_ns[1 << SM_KERNEL_COMPUTATION], 25000);
    assert_int_equal(g.mix_ns[1 << SM_KERNEL_COMPUTATION | 1 << SM_KERNEL_COMMUNICATION], 3000);
    assert_int_equal(g.mix_ns[7], 2000);
    assert_int_equal(g.mix_ns[0], 10000);
    sm_gpu_mix_name(7, &name);
    assert_string_equal(sm_str_text(&name),
                        "COMPUTATION overlapping COMMUNICATION overlapping MEMORY");
    sm_str_clear(&name);
    clear(&p);
}

static void gaps_are_by_what_ended_them(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct sm_gpu_idle *idle;
    struct place p;
    trace_work(&s, 1, "a", 7, -9, 0, 10, "");
    trace_work(&s, 2, "b", 7, -8, 12, 8, "");   /* waited 2 us */
    trace_work(&s, 3, "c", 7, -7, 60, 10, "");  /* waited 40 us for something else */
    trace_work(&s, 4, "d", 7, 90, 100, 10, ""); /* launched after c had ended */
    trace_work(&s, 5, "e", 7, 80, 105, 10, ""); /* overlaps d */
    trace_work(&s, 6, "f", 9, 80, 100, 1, "");
    view(&p, &s, false);
    assert_int_equal(sm_gpu_idle_find(&p.view, SM_GPU_IDLE_DELAY_NS, &idle), 2);
    assert_int_equal(idle[0].stream, 7);
    assert_int_equal(idle[0].ns[SM_IDLE_HOST], 30000);
    assert_int_equal(idle[0].ns[SM_IDLE_KERNEL], 2000 - 5000);
    assert_int_equal(idle[0].gaps[SM_IDLE_KERNEL], 2);
    assert_int_equal(idle[0].ns[SM_IDLE_OTHER], 40000);
    assert_int_equal(idle[1].gaps[SM_IDLE_HOST] + idle[1].gaps[SM_IDLE_OTHER], 0);
    sm_free(idle);
    sm_gpu_idle_find(&p.view, 50000, &idle);
    assert_int_equal(idle[0].ns[SM_IDLE_OTHER], 0);
    sm_free(idle);
    clear(&p);
}

static void kernels_are_summed_by_name(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct sm_kernel_sum *k;
    struct place p;
    overlapping(&s);
    view(&p, &s, false);
    assert_int_equal(sm_kernel_sums_find(&p.view, &k), 4);
    assert_string_equal(sm_trace_name(p.view.trace, k[0].name), "gemm");
    assert_int_equal(k[0].count, 2);
    assert_int_equal(k[0].sum_ns, 25000);
    assert_int_equal(k[0].min_ns, 10000);
    assert_int_equal(k[0].max_ns, 15000);
    assert_true(fabs(k[0].std_ns - 2500 * sqrt(2)) < 1e-6);
    assert_true(k[1].std_ns == 0);
    sm_free(k);
    clear(&p);
}

static void steps(struct sm_str *s)
{
    trace_event(s, "user_annotation", "ProfilerStep#5", 1, 0, 100, "");
    trace_event(s, "user_annotation", "ProfilerStep#6", 1, 100, 100, "");
    trace_work(s, 1, "in5", 7, 10, 120, 5, "");
    trace_work(s, 2, "in6", 7, 150, 155, 5, "");
    trace_event(s, "kernel", "unlinked", 7, 20, 1, "\"correlation\":99,\"stream\":7");
}

static void the_last_step_is_left_out_as_hta_does(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct place p;
    steps(&s);
    view(&p, &s, false);
    assert_int_equal(p.view.n_gpu, 2); /* what nothing in the trace launched does not count */
    assert_int_equal(p.view.n_steps, 2);
    assert_int_equal(sm_trace_step_at(&p.view, 99999)->number, 5);
    assert_int_equal(sm_trace_step_at(&p.view, 100000)->number, 6);
    assert_null(sm_trace_step_at(&p.view, 200000));
    assert_null(sm_trace_step_at(&p.view, -1));
    clear(&p);
    steps(&s);
    view(&p, &s, true);
    assert_int_equal(p.view.n_gpu, 1);
    assert_string_equal(sm_gpu_name(&p.view, &p.view.gpu[0]), "in5");
    clear(&p);
}

static void launches_are_joined_by_correlation(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct sm_launches x;
    struct sm_queue *q;
    struct place p;
    trace_work(&s, 1, "a", 7, 0, 10, 20, "");
    trace_work(&s, 2, "b", 7, 5, 30, 1, "");
    trace_work(&s, 3, "c", 7, 20, 20, 1, ""); /* begins before its call has ended */
    trace_event(&s, "cuda_driver", "cuLaunchKernel", 100, 40, 3, "\"correlation\":4");
    trace_event(&s, "kernel", "triton", 7, 50, 9, "\"correlation\":4,\"stream\":7");
    trace_event(&s, "cuda_runtime", "cudaStreamSynchronize", 100, 60, 900, "\"correlation\":5");
    view(&p, &s, false);
    sm_launches_find(&p.view, &x);
    assert_int_equal(x.call.n, 4);
    assert_int_equal(x.call.sum, 9000);
    assert_int_equal(x.delay.sum, 8000 + 23000 + 0 + 7000);
    assert_int_equal(x.shorter_than_call, 2);
    assert_true(x.delay.q50 == 7500);
    assert_int_equal(sm_queues_find(&p.view, &q), 1);
    /* 0:1 5:2 10:1 20:2,1 30:0 40:1 50:0 */
    assert_int_equal(q[0].length.n, 8);
    assert_int_equal(q[0].length.max, 2);
    assert_int_equal(q[0].length.sum, 8);
    assert_int_equal(q[0].full_ns, 0);
    sm_free(q);
    clear(&p);
    trace_event(&s, "cuda_driver", "cuLaunchKernel", 100, 40, 3, "\"correlation\":4");
    trace_event(&s, "kernel", "triton", 7, 50, 9, "\"correlation\":4,\"stream\":7");
    view(&p, &s, true);
    sm_launches_find(&p.view, &x);
    assert_int_equal(x.call.n, 0);
    clear(&p);
}

static void bandwidth_is_that_of_nccl_tests(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct sm_comm_sum *c;
    struct place p;
    trace_work(&s, 1, "ncclDevKernel_AllReduce", 20, 0, 10, 4,
               "\"Collective name\":\"allreduce\",\"In msg nelems\":1000,\"Out msg nelems\":1000,"
               "\"dtype\":\"BFloat16\",\"Group size\":4,\"Process Group Name\":\"0\"");
    /* its arguments are those of the operator with the same External id */
    trace_event(&s, "cpu_op", "record_param_comms", 100, 0, 4,
                "\"External id\":77,\"Collective name\":\"_allgather_base\",\"In msg nelems\":10,"
                "\"Out msg nelems\":40,\"dtype\":\"Float\",\"Group size\":4");
    trace_work(&s, 2, "ncclDevKernel_AllGather", 20, 0, 20, 8, "\"External id\":77");
    trace_work(&s, 3, "gemm", 7, 0, 20, 8, "\"External id\":77");
    view(&p, &s, false);
    assert_int_equal(sm_trace_comms_find(&p.view, &c), 2);
    assert_int_equal(c[0].bytes, 2000);
    assert_true(c[0].alg_gbps == 0.5);
    assert_true(c[0].bus_gbps == 0.75);
    assert_int_equal(c[1].bytes, 160);
    assert_int_equal(c[1].count, 1);
    assert_true(c[1].bus_gbps == 0.02 * 0.75);
    sm_free(c);
    clear(&p);
}

static void loader(struct sm_str *s, int step, double ts, double wait)
{
    char name[32];
    snprintf(name, sizeof name, "ProfilerStep#%d", step);
    trace_event(s, "user_annotation", name, 1, ts, 100, "");
    trace_event(s, "user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                1, ts, wait, "");
}

static void the_longest_wait_for_data_does_not_count(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct place p;
    uint64_t seen;
    loader(&s, 1, 0, 90);
    loader(&s, 2, 100, 30);
    loader(&s, 3, 200, 10);
    view(&p, &s, false);
    int64_t *ns = sm_trace_loader_find(&p.view, &seen);
    assert_int_equal(seen, 3);
    assert_int_equal(ns[0], 90000);
    assert_int_equal(ns[2], 10000);
    assert_true(sm_trace_loader_share(&p.view, ns) == 0.2);
    sm_free(ns);
    clear(&p);
}

static void operators_are_nested_by_time(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct sm_op_sum *o;
    struct place p;
    trace_event(&s, "user_annotation", "ProfilerStep#1", 1, 0, 100, "");
    trace_event(&s, "cpu_op", "aten::linear", 1, 10, 50, "");
    trace_event(&s, "cpu_op", "aten::mm", 1, 20, 30, "");
    trace_event(&s, "cpu_op", "aten::mm", 2, 20, 30, ""); /* another thread */
    trace_event(&s, "user_annotation", "ProfilerStep#2", 1, 100, 10, "");
    view(&p, &s, false);
    assert_int_equal(sm_op_sums_find(&p.view, &o), 3);
    assert_true(o[0].step || o[1].step);
    const struct sm_op_sum *step = o[0].step ? &o[0] : &o[1], *mm = o[0].step ? &o[1] : &o[0];
    assert_int_equal(step->count, 2);
    assert_int_equal(step->total_ns, 110000);
    assert_int_equal(step->self_ns, 60000);
    assert_int_equal(mm->self_ns, 60000);
    assert_int_equal(o[2].self_ns, 20000);
    sm_free(o);
    clear(&p);
}

static void memory_has_peaks(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct sm_device_memory d[2];
    struct place p;
    static const char *const rows[] = {"\"Bytes\":10,\"Total Allocated\":10",
                                       "\"Bytes\":30,\"Total Allocated\":40",
                                       "\"Bytes\":-10,\"Total Allocated\":30"};
    for (int i = 0; i < 3; i++)
        sm_str_printf(&s,
                      "%s{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":%d,\"args\":{%s,\"Device "
                      "Type\":1,\"Device Id\":0,\"Total Reserved\":64}}",
                      i ? "," : "", i, rows[i]);
    view(&p, &s, false);
    assert_int_equal(sm_trace_memory_find(&p.view, d, 2), 1);
    assert_int_equal(d[0].peak_allocated, 40);
    assert_int_equal(d[0].peak_ns, 1000);
    assert_int_equal(d[0].peak_reserved, 64);
    assert_int_equal(d[0].allocations, 2);
    assert_int_equal(d[0].frees, 1);
    assert_int_equal(d[0].last_allocated, 30);
    clear(&p);
}

static void idle_time_has_causes(void **state)
{
    (void)state;
    struct sm_str s = {0};
    struct sm_gap_causes g;
    struct place p;
    trace_work(&s, 1, "a", 7, 0, 10, 10, "");
    trace_event(&s, "cuda_runtime", "cudaStreamSynchronize", 100, 5, 20, "");
    trace_work(&s, 2, "b", 7, 30, 40, 10, ""); /* 20 us after a wait for a */
    trace_work(&s, 3, "c", 7, 70, 80, 10, ""); /* 30 us for no such reason */
    trace_event(&s, "user_annotation", "enumerate(DataLoader)#x.__next__", 100, 95, 15, "");
    trace_work(&s, 4, "d", 7, 112, 120, 10, ""); /* 15 us of loader, 15 us else */
    view(&p, &s, false);
    sm_gap_causes_find(&p.view, &g);
    assert_int_equal(g.all_ns, 80000);
    assert_int_equal(g.sync_ns, 20000);
    assert_int_equal(g.syncs, 1);
    assert_int_equal(g.loader_ns, 15000);
    assert_int_equal(g.launch_ns, 45000);
    assert_int_equal(g.idle_sync_ns, 5000);
    clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_go_by_names),
        cmocka_unit_test(times_are_of_unions),
        cmocka_unit_test(gaps_are_by_what_ended_them),
        cmocka_unit_test(kernels_are_summed_by_name),
        cmocka_unit_test(the_last_step_is_left_out_as_hta_does),
        cmocka_unit_test(launches_are_joined_by_correlation),
        cmocka_unit_test(bandwidth_is_that_of_nccl_tests),
        cmocka_unit_test(the_longest_wait_for_data_does_not_count),
        cmocka_unit_test(operators_are_nested_by_time),
        cmocka_unit_test(memory_has_peaks),
        cmocka_unit_test(idle_time_has_causes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
