/* SPDX-License-Identifier: Apache-2.0 */
/* What holds a run up: measures from numbers worked out by hand, and causes on small profiles in
 * which only one is true. */
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "rules/speed/speed.h"
#include "rules/speed/speed_loop.h"
#include "rules/speed/speed_machine.h"
#include "tests/bench/profile_tree.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MS ((int64_t)1000000)

/* ---- the loop ---- */

struct loop_place {
    struct sm_event_store events;
    struct sm_speed_loop loop;
};

static int setup_loop(void **state)
{
    struct loop_place *t = calloc(1, sizeof *t);
    t->events.names = sm_names_new();
    *state = t;
    return 0;
}

static int teardown_loop(void **state)
{
    struct loop_place *t = *state;
    struct sm_names *names = t->events.names;
    sm_loop_clear(&t->loop);
    sm_event_store_clear(&t->events);
    sm_names_free(names);
    free(t);
    return 0;
}

static uint32_t id_of(struct sm_names *names, const char *name)
{
    return sm_names_add(names, name, strlen(name));
}

static void put_named(struct loop_place *t, uint16_t node, const char *phase, const char *name,
                      int64_t start_ms, int64_t ms, int32_t step)
{
    struct sm_names *names = sm_names_new();
    struct sm_profile_event e = {.start_ns = start_ms * MS,
                                 .duration_ns = ms * MS,
                                 .name = id_of(names, name),
                                 .phase = id_of(names, phase),
                                 .detail = SM_NAME_NONE,
                                 .step = step};
    struct sm_event_batch b = {.names = names, .events = &e, .n = 1};
    struct sm_event_merge at = {0};
    size_t work = 1;
    bool done;
    assert_true(sm_event_store_merge(&t->events, &b, node, &at, &work, &done));
    sm_names_free(names);
}

static void put(struct loop_place *t, uint16_t node, const char *phase, int64_t start_ms,
                int64_t ms, int32_t step)
{
    put_named(t, node, phase, phase, start_ms, ms, step);
}

#define TRAIN "Step:ModeKeys.TRAIN"
#define EVAL  "Step:ModeKeys.EVAL"

/* Cycle i: a wait of 30 ms, a forward pass of 10 ms in a step of 70 ms. */
static void put_cycles(struct loop_place *t, int from, int to)
{
    for (int i = from; i < to; i++) {
        put(t, 0, "DataLoaderIter", 100 * i, 30, i);
        put(t, 0, "Forward", 100 * i + 30, 10, i);
        put(t, 0, TRAIN, 100 * i + 30, 70, i);
    }
}

static struct sm_loop_sums update(struct loop_place *t)
{
    assert_true(sm_loop_update(&t->loop, &t->events, SM_MODE_TRAIN));
    return sm_loop_total(&t->loop.processes[0], 0);
}

static void waits_are_a_share_of_step_and_wait(void **state)
{
    struct loop_place *t = *state;
    put_cycles(t, 0, 23);
    struct sm_loop_sums s = update(t);
    assert_int_equal(s.steps, 20); /* without the first three */
    assert_int_equal(s.step_ns, 20 * 70 * MS);
    assert_int_equal(s.wait_ns, 20 * 30 * MS);
    assert_int_equal(s.covered_ns, 20 * 100 * MS);
    assert_int_equal(s.forward_ns, 20 * 10 * MS);
    /* (600 - 30) / (2000 - 30), without the longest wait */
    assert_true(fabs(sm_loop_wait_share(&s) - 570.0 / 1970) < 1e-12);
    assert_true(fabs(sm_loop_own_ns(&t->loop.processes[0], &s) - 40e6) < 1);
}

static void news_give_the_same_as_all_at_once(void **state)
{
    struct loop_place *t = *state;
    put_cycles(t, 0, 7);
    update(t);
    put_cycles(t, 7, 600);
    struct sm_loop_sums s = update(t);
    assert_int_equal(s.steps, 597);
    assert_int_equal(s.wait_ns, 597 * 30 * MS);
    assert_int_equal(t->loop.taken, 3 * 600);
    assert_in_range(t->loop.processes[0].n_spans, 1, SM_LOOP_SPANS);
    assert_int_equal(t->loop.processes[0].spans[0].first, 3);
}

static void evaluation_and_checkpoints_are_no_waits(void **state)
{
    struct loop_place *t = *state;
    put_cycles(t, 0, 8);
    put(t, 0, "DataLoaderIter", 900, 5000, 0);
    put(t, 0, "Forward", 5900, 100, 0);
    put(t, 0, EVAL, 5900, 100, 0);
    put(t, 0, "Checkpoint", 6000, 900, 8);
    put(t, 0, TRAIN, 7000, 70, 8);
    struct sm_loop_sums s = update(t);
    assert_int_equal(s.steps, 6);
    assert_int_equal(s.covered, 5); /* no wait is known of the last */
    assert_int_equal(s.wait_ns, 5 * 30 * MS);
    assert_int_equal(s.forward_ns, 5 * 10 * MS);
}

static void a_wait_inside_of_a_step_counts_once(void **state)
{
    struct loop_place *t = *state;
    for (int i = 0; i < 13; i++) {
        put(t, 0, "DataLoaderIter", 100 * i + 5, 40, i);
        put(t, 0, TRAIN, 100 * i, 100, i);
    }
    struct sm_loop_sums s = update(t);
    assert_int_equal(s.covered_ns, 10 * 100 * MS);
    assert_int_equal(s.wait_ns, 10 * 40 * MS);
}

/* 40 of each 100 ms, in a process of its own; the first fills a buffer; a Prefetch is no wait. */
static void waits_of_tensorflow_are_a_share_of_the_time(void **state)
{
    struct loop_place *t = *state;
    put_named(t, 1, "DataIterator", "dataset::GetNext", 0, 5000, -1);
    for (int i = 0; i < 20; i++) {
        put_named(t, 1, "DataIterator", "dataset::GetNext", 5060 + 100 * i, 40, -1);
        put_named(t, 1, "DataIterator", "IteratorPrefetch::GetNext", 5000 + 100 * i, 100, -1);
        put(t, 0, TRAIN, 5000 + 100 * i, 100, i);
    }
    update(t);
    assert_true(isnan(sm_loop_iterator_share(&t->loop.processes[0])));
    assert_true(fabs(sm_loop_iterator_share(&t->loop.processes[1]) - 0.4) < 1e-12);
}

static void few_cycles_say_nothing(void **state)
{
    struct loop_place *t = *state;
    put_cycles(t, 0, 12);
    struct sm_loop_sums s = update(t);
    assert_int_equal(s.covered, 9);
    assert_true(isnan(sm_loop_wait_share(&s)));
    assert_true(isnan(sm_loop_own_ns(&t->loop.processes[0], &s)));
}

/* [0, 60) and [50, 80) of each 100 ms. */
static void communication_that_overlaps_counts_once(void **state)
{
    struct loop_place *t = *state;
    for (int i = 0; i < 20; i++) {
        put(t, 0, "NCCL_ALLREDUCE", 100 * i, 60, -1);
        put(t, 0, "ncclKernel_AllGather", 100 * i + 50, 30, -1);
        put(t, 0, TRAIN, 100 * i, 100, i);
    }
    update(t);
    const struct sm_loop_process *p = &t->loop.processes[0];
    assert_int_equal(p->communication.ns, 20 * 80 * MS);
    assert_true(fabs(sm_loop_communication_share(p, 100e6) - 1600.0 / 1980) < 1e-12);
    assert_true(isnan(sm_loop_communication_share(p, 1e9)));
}

static void an_onset_is_where_values_stay_beyond(void **state)
{
    (void)state;
    const double x[] = {1, 9, 1, 1, 9, NAN, 9, 1, 9, 9};
    assert_int_equal(sm_loop_onset(x, 10, 5, true), 4); /* four of five that are known */
    assert_int_equal(sm_loop_onset(x, 10, 9, true), 10);
    assert_int_equal(sm_loop_onset(x, 8, 5, false), 7);
    assert_int_equal(sm_loop_onset(x, 4, 2, false), 0); /* three of four */
    assert_int_equal(sm_loop_onset(x, 3, 2, false), 2);
    assert_int_equal(sm_loop_onset(x, 0, 5, true), 0);
}

/* What is slow now and then is so from the first time on, not from the last. */
static void an_onset_of_what_comes_and_goes(void **state)
{
    double x[40] = {0};
    (void)state;
    for (int i = 2; i < 40; i += 5)
        x[i] = 90;
    assert_int_equal(sm_loop_onset(x, 40, 10, true), 0);
    for (int i = 0; i < 40; i++)
        x[i] = i < 24 ? 1 : i % 3 ? 0 : 90;
    size_t first = sm_loop_onset(x, 40, 10, true);
    assert_true(first >= 20 && first <= 24);
}

/* ---- profiles in files ---- */

/* A job of two minutes, with a sample a second. Negative: not recorded. */
struct scene {
    const char *cause;         /* expected */
    long since;                /* expected step; -1: not looked at */
    double cpu, tree, io_wait; /* %, %, % of all cores */
    double gpus[4];            /* %; 0 of them: the first is negative */
    double io_some, memory_some, memory, killed, throttled, read; /* %, %, %, 1, %, MB/s */
    double grows; /* the memory of the program, MB/s, and of the machine, 0.01 % for each of them */
    double swap_grows;      /* points of the swap space in a second, from 20 % on */
    int killed_at;          /* second; 0: 60 */
    double limit;           /* % of the memory limit; 0: none */
    int heat_from, heat_to; /* seconds in which a GPU is slowed down */
    int steps;              /* of 100 ms each with its wait; 0: none */
    int workers;            /* 0: one */
    double wait[4];         /* share of the 100 ms, of each worker; negative: no events of waits */
    double late[4];         /* by how many times a worker's step is longer */
    int late_from;          /* first step of a late worker that is longer */
    int wait_from;          /* first step with waits; 1 % before */
    int pause_every;        /* steps, after which evaluation takes 20 times as long */
    double communication;   /* share of the time */
    int seconds;            /* 0: 120 */
    double iterator;        /* share of the time in which TensorFlow's iterator is waited for */
    /* share of the 100 ms that a worker works between its steps, while the others wait for it at
     * the end of theirs */
    double between[4];
    bool waits_known; /* these waits are recorded */
    int guilty;       /* the worker that the first line of evidence must name, from 1 on */
};
#define NO_GPU   .gpus = {-1}
#define NO_TREE  .tree = -1
#define NO_PSI   .io_some = -1, .memory_some = -1
#define NO_WAITS .wait = {-1}

struct place {
    char dir[64], path[256];
    struct sm_pool *pool;
    struct sm_profile *profile;
};

static FILE *create(struct place *t, const char *name)
{
    char part[256];
    snprintf(t->path, sizeof t->path, "%s/%s", t->dir, name);
    for (const char *slash = t->path + 1; (slash = strchr(slash, '/')); slash++) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - t->path), t->path);
        mkdir(part, 0777);
    }
    FILE *f = fopen(t->path, "w");
    assert_non_null(f);
    return f;
}

#define START 1600000020L

static void put_row(FILE *f, int second, const char *type, const char *name, const char *dimension,
                    double value)
{
    if (value >= 0)
        fprintf(f,
                "{\"Type\":\"%s\",\"Name\":\"%s\",\"Dimension\":\"%s\",\"Value\":%g,\"NodeId\":"
                "\"algo-1\",\"Timestamp\":%ld}\n",
                type, name, dimension, value, START + second);
}

static void put_second(FILE *f, const struct scene *x, int i)
{
    char name[16];
    for (int core = 0; core < 4; core++) {
        snprintf(name, sizeof name, "cpu%d", core);
        put_row(f, i, "cpu", name, "CPUUtilization", x->cpu);
        put_row(f, i, "cpu", name, "I/OWaitPercentage", x->io_wait);
    }
    for (int gpu = 0; gpu < 4 && x->gpus[0] >= 0; gpu++) {
        snprintf(name, sizeof name, "gpu%d", gpu);
        put_row(f, i, "gpu", name, "GPUUtilization", x->gpus[gpu]);
    }
    put_row(f, i, "memory", "MemoryUsedPercent", "",
            (x->memory > 0 ? x->memory : 40) + i * x->grows / 100);
    put_row(f, i, "memory", "SwapUsedPercent", "", x->swap_grows > 0 ? 20 + i * x->swap_grows : -1);
    put_row(f, i, "process", "tree", "ResidentBytes", x->grows > 0 ? 1e9 + i * x->grows * 1e6 : -1);
    put_row(f, i, "pressure", "io", "SomePercent", x->io_some);
    put_row(f, i, "pressure", "memory", "SomePercent", x->memory_some);
    put_row(f, i, "process", "tree", "CPUPercent", x->tree);
    put_row(f, i, "process", "tree", "ReadBytesPerSecond", x->tree >= 0 ? 1e6 * x->read : -1);
    put_row(f, i, "cgroup", "cgroup", "ThrottledPercent", x->throttled > 0 ? x->throttled : -1);
    put_row(f, i, "cgroup", "cgroup", "MemoryUsedPercent", x->limit > 0 ? x->limit : -1);
    if (x->killed > 0 && i == (x->killed_at ? x->killed_at : 60))
        put_row(f, i, "event", "cgroup", "OomKills", x->killed);
    if (x->heat_to && (i == x->heat_from || i == x->heat_to))
        put_row(f, i, "event", "gpu0", "HwThermalSlowdown", i == x->heat_from);
}

static void put_event(FILE *f, int phase, double at_ms, double ms, int step)
{
    fprintf(f,
            ",\n{\"name\":\"e%d\",\"pid\":%d,\"ph\":\"X\",\"ts\":%.0f,\"dur\":%.0f,\"args\":{"
            "\"step_num\":\"%d\"}}",
            phase, phase, 1000 * at_ms, 1000 * ms, step);
}

static double longest_between(const struct scene *x)
{
    double longest = 0;
    for (int i = 0; i < 4; i++)
        longest = x->between[i] > longest ? x->between[i] : longest;
    return 100 * longest;
}

static void put_worker(FILE *f, const struct scene *x, int worker)
{
    static const char *const phases[] = {
        TRAIN, EVAL, "DataLoaderIter", "Forward", "NCCL_ALLREDUCE", "Communication"};
    double between = 100 * x->between[worker], idle = longest_between(x) - between;
    double at = 0;
    fprintf(f,
            "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{"
            "\"start_time_since_epoch_in_micros\":%ld000000}}",
            START);
    for (int i = 0; i < 6; i++)
        fprintf(f,
                ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"%s\"}}",
                i, phases[i]);
    for (int i = 0; i < x->steps; i++) {
        double wait = 100 * (i < x->wait_from ? 0.01 : x->wait[worker]),
               step = (100 - (wait > 0 ? wait : 0)) *
                      (x->late[worker] > 0 && i >= x->late_from ? x->late[worker] : 1);
        if (wait >= 0)
            put_event(f, 2, at, wait, i);
        at += wait > 0 ? wait : 0;
        put_event(f, 3, at, step / 3, i);
        if (x->communication > 0)
            put_event(f, 4, at, 100 * x->communication, i);
        if (x->waits_known)
            put_event(f, 5, at + step, idle, i);
        put_event(f, 0, at, step + idle, i);
        at += step + idle + between;
        if (x->pause_every && i % x->pause_every == x->pause_every - 1) {
            put_event(f, 2, at, 1500, i);
            put_event(f, 1, at + 1500, 500, i);
            at += 2000;
        }
    }
    fprintf(f, "]\n");
}

/* In a file of its own, as TensorFlow's are. */
static void put_iterator(struct place *t, const struct scene *x)
{
    FILE *f = create(t, "framework/pevents/2020091312/1600000140000001_90-algo-1_model_timeline"
                        ".json");
    fprintf(f,
            "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{"
            "\"start_time_since_epoch_in_micros\":%ld000000}},\n{\"name\":\"process_name\","
            "\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"DataIterator\"}}",
            START);
    for (int i = 0; i < x->steps; i++)
        fprintf(f,
                ",\n{\"ph\":\"X\",\"name\":\"dataset::GetNext\",\"ts\":%d,\"pid\":1,"
                "\"dur\":%.0f}",
                i * 100000, 1e5 * x->iterator);
    fprintf(f, "]\n");
    fclose(f);
}

static void write_scene(struct place *t, const struct scene *x)
{
    char name[96];
    FILE *f = create(t, "system/incremental/1600000020.algo-1.json");
    for (int i = 0; i < (x->seconds ? x->seconds : 120) && x->cpu >= 0; i++)
        put_second(f, x, i);
    fclose(f);
    for (int i = 0; x->steps && i < (x->workers ? x->workers : 1); i++) {
        snprintf(name, sizeof name,
                 "framework/pevents/2020091312/1600000140000000_%d-algo-1_pythontimeline.json",
                 50 + i);
        f = create(t, name);
        put_worker(f, x, i);
        fclose(f);
    }
    if (x->iterator > 0)
        put_iterator(t, x);
}

static void open_place(struct place *t)
{
    struct sm_err err;
    assert_non_null(make_scratch(t->dir, sizeof t->dir));
    t->pool = sm_pool_new(0, 0, &err);
}

static void read_profile(struct place *t)
{
    struct sm_err err;
    sm_clock_freeze(1000, sm_clock_wall_us());
    t->profile = sm_profile_new(t->dir, t->pool, false, &err);
    assert_non_null(t->profile);
    do {
        while (sm_pool_collect(t->pool, 1))
            ;
        sm_profile_pump(t->profile);
    } while (!sm_profile_is_read(t->profile));
}

static void close_place(struct place *t)
{
    sm_profile_close(t->profile);
    sm_pool_free(t->pool);
    sm_clock_thaw();
    assert_int_equal(remove_tree(t->dir), 0);
}

static struct sm_speed speed_of(struct place *t)
{
    struct sm_speed s;
    struct sm_speed_watch *w = sm_speed_watch_new();
    assert_true(sm_speed_find(w, t->profile, &s));
    sm_speed_watch_free(w);
    return s;
}

static void expect_scene(const struct scene *x, size_t i)
{
    struct place t = {0};
    char name[32];
    open_place(&t);
    write_scene(&t, x);
    read_profile(&t);
    struct sm_speed s = speed_of(&t);
    if (strcmp(s.cause->id, x->cause) != 0)
        fail_msg("scene %zu: %s instead of %s: %s", i, s.cause->id, x->cause,
                 s.n_evidence ? s.evidence[0].text : "no evidence");
    if (x->since >= 0 && labs(s.since_step - x->since) > (x->since ? 10 : 0))
        fail_msg("scene %zu: since %d instead of %ld", i, s.since_step, x->since);
    snprintf(name, sizeof name, "algo-1-%d", 49 + x->guilty);
    if (x->guilty)
        assert_string_equal(s.evidence[0].node, name);
    assert_int_equal(s.slow, strcmp(x->cause, "balanced") != 0 && !s.unknown);
    assert_true(!s.slow || s.n_evidence);
    close_place(&t);
}

static const struct scene scenes[] = {
    /* GPUs, without events of a framework */
    {"balanced", -1, .cpu = 30, NO_TREE, NO_PSI, .gpus = {95, 90, 93, 94}},
    {"gpu_underused", -1, .cpu = 30, NO_TREE, NO_PSI, .gpus = {20, 25, 22, 21}},
    {"gpu_underused", -1, .cpu = 30, NO_TREE, NO_PSI, .gpus = {98, 98, 98, 0}},
    {"cpu_bound", -1, .cpu = 96, NO_TREE, NO_PSI, .gpus = {20, 25, 22, 21}},
    {"cpu_bound", -1, .cpu = 30, .tree = 99, .gpus = {20, -1, -1, -1}},
    {"gpu_underused", -1, .cpu = 30, .tree = 99, .gpus = {20, 20, 20, 20}},
    {"io_bound", -1, .cpu = 10, .io_wait = 40, NO_TREE, NO_PSI, .gpus = {20, 25, 22, 21}},
    {"balanced", -1, .cpu = 10, .io_wait = 40, NO_TREE, NO_PSI, .gpus = {95, 90, 93, 94}},
    /* neither GPUs nor events */
    {"unknown", -1, .cpu = 30, NO_TREE, NO_PSI, NO_GPU},
    {"unknown", -1, .cpu = 30, .tree = 100, NO_GPU},
    {"cpu_bound", -1, .cpu = 97, .tree = 390, NO_GPU},
    {"unknown", -1, .cpu = 97, .tree = 100, NO_GPU}, /* others use the machine */
    {"io_bound", -1, .cpu = 10, .tree = 30, .io_some = 70, .io_wait = 20, .read = 90, NO_GPU},
    {"unknown", -1, .cpu = 10, .tree = 30, .io_some = 70, .io_wait = 20, .read = 0, NO_GPU},
    {"memory_pressure", -1, .cpu = 30, .tree = 30, .memory_some = 45, .io_some = 70, .read = 90,
     .memory = 92, NO_GPU},
    {"memory_pressure", -1, .cpu = 30, .tree = 30, .memory_some = 45, .io_some = 70, .read = 90,
     .swap_grows = 0.05, NO_GPU},
    /* other programs press, each within a limit of its own */
    {"unknown", -1, .cpu = 30, .tree = 30, .memory_some = 45, .memory = 9, NO_GPU},
    {"input_bound", 0, .cpu = 99, .tree = 20, .memory_some = 41, .io_some = 60, .memory = 9, NO_GPU,
     .steps = 600, .wait = {0.77}},
    {"input_bound", 0, .cpu = 99, .tree = 20, .memory_some = 41, .memory = 96, NO_GPU, .steps = 600,
     .wait = {0.77}},
    {"memory_pressure", 0, .cpu = 75, .tree = 20, .memory_some = 41, .limit = 95, .read = 90,
     NO_GPU, .steps = 600, .wait = {0.77}}, /* its own limit */
    {"memory_pressure", -1, .cpu = 30, .tree = 30, .killed = 1, NO_GPU},
    /* the training itself, after its last step; and before much was recorded */
    {"memory_pressure", 299, .cpu = 97, .tree = 50, .killed = 1, .killed_at = 40, NO_GPU,
     .steps = 300, .wait = {0.05}},
    {"memory_pressure", -1, .cpu = 97, .tree = 50, .killed = 1, .killed_at = 2, .seconds = 3,
     NO_GPU, .steps = 12, .wait = {0.05}},
    {"memory_pressure", -1, .cpu = 75, .tree = 50, .memory_some = 7, .io_some = 49, .limit = 95,
     .read = 700, NO_GPU},
    {"unknown", -1, .cpu = 75, .tree = 50, .memory_some = 1, .limit = 99, NO_GPU}, /* a cache */
    {"memory_pressure", -1, .cpu = 30, NO_TREE, NO_PSI, .memory = 99, NO_GPU},
    {"throttled", -1, .cpu = 30, .tree = 100, .throttled = 60, NO_GPU},
    {"throttled", -1, .cpu = 30, NO_TREE, NO_PSI, .gpus = {95, 90, 93, 94}, .heat_from = 50,
     .heat_to = 119},
    {"balanced", -1, .cpu = 30, NO_TREE, NO_PSI, .gpus = {95, 90, 93, 94}, .heat_from = 50,
     .heat_to = 55},
    {"balanced", -1, .cpu = 30, .throttled = 60, NO_TREE, .gpus = {95, 90, 93, 94}},
    /* a framework on cores alone */
    {"input_bound", 0, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, .wait = {0.7}},
    {"input_bound", 0, .cpu = 97, .tree = 390, NO_GPU, .steps = 600, .wait = {0.7}},
    {"input_bound", 300, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, .wait = {0.7},
     .wait_from = 300},
    {"input_bound", 540, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, .wait = {0.7},
     .wait_from = 540}, /* only lately */
    {"balanced", -1, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, .wait = {0.05}},
    {"balanced", -1, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, .wait = {0.05},
     .pause_every = 50},
    {"unknown", -1, .cpu = 30, NO_TREE, NO_PSI, NO_GPU, .steps = 600, .wait = {0.05}},
    {"unknown", -1, .cpu = 30, NO_TREE, NO_PSI, NO_GPU, .steps = 600, NO_WAITS},
    {"io_bound", -1, .cpu = 30, .tree = 40, .io_some = 60, .io_wait = 15, .read = 90, NO_GPU,
     .steps = 600, .wait = {0.7}},
    {"balanced", -1, .cpu = 30, .tree = 100, .io_some = 60, .io_wait = 15, .read = 90, NO_GPU,
     .steps = 600, .wait = {0.05}}, /* read ahead by others */
    {"cpu_bound", 0, .cpu = 99, .tree = 60, NO_GPU, .steps = 600, .wait = {0.05}}, /* others */
    {"cpu_bound", 0, .cpu = 99, .tree = 120, NO_GPU, .steps = 600, .workers = 4,
     .wait = {0.05, 0.05, 0.05, 0.05}},
    {"unknown", -1, .cpu = 30, .tree = 40, NO_GPU, .steps = 600, .wait = {0.05}},
    {"balanced", -1, .cpu = 30, .tree = 40, NO_GPU, .steps = 600, .wait = {0.05},
     .pause_every = 10}, /* steps are a third of the time */
    /* a worker that is late for a second or two */
    {"balanced", -1, .cpu = 30, .tree = 390, NO_GPU, .steps = 150, .workers = 2, .seconds = 15,
     .wait = {0.05, 0.05}, .late = {1, 1.7}, .late_from = 135},
    /* reads, and computes little while it waits; computes; waits for a core */
    {"io_bound", 0, .cpu = 60, .tree = 50, .io_some = 10, .read = 100, NO_GPU, .steps = 600,
     .wait = {0.8}},
    {"input_bound", 0, .cpu = 60, .tree = 80, .io_some = 10, .read = 100, NO_GPU, .steps = 600,
     .wait = {0.8}},
    {"input_bound", 0, .cpu = 99, .tree = 50, .io_some = 10, .read = 100, NO_GPU, .steps = 600,
     .wait = {0.8}},
    {"input_bound", 0, .cpu = 60, .tree = 50, .io_some = 10, .read = 1, NO_GPU, .steps = 600,
     .wait = {0.8}},
    /* TensorFlow: another process writes the waits */
    {"input_bound", 0, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, NO_WAITS, .iterator = 0.6},
    {"balanced", -1, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, NO_WAITS, .iterator = 0.05},
    /* events without metrics */
    {"input_bound", 0, .cpu = -1, .steps = 600, .wait = {0.7}},
    {"unknown", -1, .cpu = -1, .steps = 600, .wait = {0.05}},
    /* short runs */
    {"unknown", -1, .cpu = 30, .tree = 100, NO_GPU, .steps = 8, .wait = {0.7}},
    {"unknown", -1, .cpu = 10, NO_TREE, NO_PSI, .gpus = {0, 0, 0, 0}, .seconds = 4},
    /* workers */
    {"straggling_worker", 0, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 4,
     .wait = {0.05, 0.05, 0.05, 0.05}, .late = {1, 1, 1.6, 1}},
    {"straggling_worker", 0, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 2,
     .wait = {0.05, 0.6}},
    {"straggling_worker", 0, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 4,
     .wait = {0.05, 0.05, 0.05, 0.05}, .late = {1, 1, 1.2, 1}},
    {"cpu_bound", -1, .cpu = 97, .tree = 390, NO_GPU, .steps = 300, .workers = 4,
     .wait = {0.05, 0.05, 0.05, 0.05}, .late = {1, 1, 1.2, 1}},
    /* one works between its steps: the steps of those that wait for it are longer */
    {"straggling_worker", 0, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 2,
     .wait = {0.05, 0.05}, .between = {0.01, 0.9}, .waits_known = true, .guilty = 2},
    {"straggling_worker", 0, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 4,
     .wait = {0.05, 0.05, 0.05, 0.05}, .between = {0.5, 0, 0.01, 0.02}, .waits_known = true,
     .guilty = 1},
    {"balanced", -1, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 2,
     .wait = {0.05, 0.05}, .between = {0.01, 0.9}},
    {"input_bound", 0, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 2,
     .wait = {0.6, 0.6}},
    {"balanced", -1, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 4,
     .wait = {0.05, 0.05, 0.05, 0.05}, .late = {1, 1.1, 0.9, 1}},
    {"communication", -1, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 2,
     .wait = {0.01, 0.01}, .communication = 0.7},
    /* most of the time lies between steps; the cores that others keep busy are not the reason */
    {"between_steps", 0, .cpu = 30, .tree = 40, NO_GPU, .steps = 300, .wait = {0.05},
     .between = {2}},
    {"between_steps", 0, .cpu = 99, .tree = 40, NO_GPU, .steps = 300, .wait = {0.05},
     .between = {2}},
    {"between_steps", 0, .cpu = 30, .tree = 10, NO_GPU, .steps = 50, .wait = {0.05},
     .between = {20}}, /* long, but as long each time: no pauses */
    {"between_steps", 0, .cpu = 30, .tree = 40, .gpus = {20, 20, 20, 20}, .steps = 300, NO_WAITS,
     .between = {2}},
    {"balanced", -1, .cpu = 30, .tree = 40, .gpus = {95, 90, 93, 94}, .steps = 300, .wait = {0.05},
     .between = {2}},
    {"balanced", -1, .cpu = 30, .tree = 100, NO_GPU, .steps = 300, .wait = {0.05},
     .between = {0.5}},
};

static void every_scene_has_its_cause(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        expect_scene(&scenes[i], i);
}

static void evidence_says_where_and_when(void **state)
{
    struct place t = {0};
    const struct scene x = {"input_bound", 0, .cpu = 30, .tree = 100, NO_GPU, .steps = 200,
                            .wait = {0.6}};
    struct sm_str scope = {0};
    (void)state;
    open_place(&t);
    write_scene(&t, &x);
    read_profile(&t);
    struct sm_speed s = speed_of(&t);
    assert_string_equal(s.evidence[0].text,
                        "the data loader is waited for in 60 % of the time of a step: 60.0 ms of "
                        "100 ms");
    assert_true(fabs(s.evidence[0].value - 0.6) < 1e-9);
    assert_string_equal(s.evidence[0].node, "algo-1-50");
    assert_int_equal(s.evidence[0].from_ns, START * 1000000000 + 300 * MS);
    assert_int_equal(s.evidence[0].to_ns, START * 1000000000 + 20000 * MS);
    sm_speed_scope(&s.evidence[0], &scope);
    assert_string_equal(sm_str_text(&scope), "algo-1-50, steps 3 to 199");
    assert_string_equal(s.evidence[1].text,
                        "the program uses 1.0 of 4 cores, all programs use 1.2");
    assert_int_equal(s.n_missing, 1);
    assert_string_equal(s.missing[0], "GPU metrics");
    sm_str_clear(&scope);
    close_place(&t);
}

/* What can be tried depends on what was seen. */
static void what_can_be_tried_fits(void **state)
{
    static const struct {
        struct scene scene;
        const char *first, *second; /* how they begin; NULL: none */
    } of[] = {
        {{"throttled", -1, .cpu = 30, .tree = 100, .throttled = 60, NO_GPU}, "Raise the CPU", NULL},
        {{"throttled", -1, .cpu = 30, NO_TREE, NO_PSI, .gpus = {95, 90, 93, 94}, .heat_from = 50,
          .heat_to = 119},
         "Look at cooling",
         NULL},
        {{"cpu_bound", 0, .cpu = 99, .tree = 60, NO_GPU, .steps = 600, .wait = {0.05}},
         "Stop the other programs",
         "Reserve"},
        {{"cpu_bound", -1, .cpu = 97, .tree = 390, NO_GPU}, "Do less in Python", "Use more cores"},
        {{"straggling_worker", 0, .cpu = 30, .tree = 390, NO_GPU, .steps = 300, .workers = 2,
          .wait = {0.05, 0.05}, .between = {0.01, 0.9}, .waits_known = true},
         "Look at what this worker does between",
         "Give each"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct place t = {0};
        open_place(&t);
        write_scene(&t, &of[i].scene);
        read_profile(&t);
        struct sm_speed s = speed_of(&t);
        const char *const expected[] = {of[i].first, of[i].second};
        for (int k = 0; k < 2; k++)
            if (!expected[k]
                    ? s.attempt[k] != NULL
                    : !s.attempt[k] || strncmp(s.attempt[k], expected[k], strlen(expected[k])) != 0)
                fail_msg("%zu: %s instead of %s", i, s.attempt[k] ? s.attempt[k] : "nothing",
                         expected[k] ? expected[k] : "nothing");
        close_place(&t);
    }
}

/* Before it is full. */
static void memory_that_grows_is_said(void **state)
{
    static const struct scene of[] = {
        {"balanced", -1, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, .wait = {0.05}, .grows = 20},
        {"balanced", -1, .cpu = 30, .tree = 100, NO_GPU, .steps = 600, .wait = {0.05}, .grows = 2}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct place t = {0};
        open_place(&t);
        write_scene(&t, &of[i]);
        read_profile(&t);
        struct sm_speed s = speed_of(&t);
        assert_string_equal(s.cause->id, "balanced");
        const char *last = s.evidence[s.n_evidence - 1].text;
        assert_int_equal(strstr(last, "memory of the program grows all the time") != NULL, !i);
        /* by 0.2 % a second, from 40 %: five minutes less the one that is over */
        assert_int_equal(strstr(last, "is full in 4m") != NULL, !i);
        close_place(&t);
    }
}

/* A GPU whose few samples are of another time is not one that was not recorded. */
static void a_gpu_of_another_time_is_not_missing(void **state)
{
    struct place t = {0};
    const struct scene x = {"unknown", -1,           .cpu = 30,     .tree = 20,
                            NO_GPU,    .steps = 200, .wait = {0.01}};
    (void)state;
    open_place(&t);
    write_scene(&t, &x);
    FILE *f = create(&t, "system/incremental/1500000000.algo-1.json");
    fputs("{\"Type\":\"gpu\",\"Name\":\"gpu0\",\"Dimension\":\"GPUUtilization\",\"Value\":50,"
          "\"NodeId\":\"algo-1\",\"Timestamp\":1500000000.5}\n",
          f);
    fclose(f);
    read_profile(&t);
    struct sm_speed s = speed_of(&t);
    assert_string_equal(s.cause->title, "cannot tell: too little was recorded");
    assert_int_equal(s.n_missing, 1);
    assert_string_equal(s.missing[0], "more samples of GPUs");
    close_place(&t);
}

/* The loads of tests/bench: with events of a framework, and without. */
static void scripted_loads_have_their_verdicts(void **state)
{
    static const char *const expected[SM_LOADS][2] = {
        [SM_LOAD_BALANCED] = {"balanced", "balanced"},
        [SM_LOAD_IDLE] = {"gpu_underused", "gpu_underused"},
        [SM_LOAD_INPUT_BOUND] = {"input_bound", "cpu_bound"},
        [SM_LOAD_IO_BOUND] = {"io_bound", "io_bound"},
        [SM_LOAD_FLUCTUATING] = {"balanced", "balanced"},
        [SM_LOAD_UNBALANCED] = {"gpu_underused", "gpu_underused"},
        [SM_LOAD_LEAKING] = {"memory_pressure", "memory_pressure"},
        [SM_LOAD_STRAGGLER] = {"straggling_worker", "balanced"},
    };
    (void)state;
    for (int load = 0; load < 2 * SM_LOADS; load++) {
        struct place t = {0};
        open_place(&t);
        assert_true(sm_bench_profile_write(
            t.dir, &(struct sm_bench_profile){.load = (enum sm_bench_load)(load / 2),
                                              .nodes = 2,
                                              .cores = 4,
                                              .gpus = 4,
                                              .seconds = 40,
                                              .interval_ms = 500,
                                              .step_ms = load % 2 ? 0 : 200}));
        read_profile(&t);
        struct sm_speed s = speed_of(&t);
        if (strcmp(s.cause->id, expected[load / 2][load % 2]) != 0)
            fail_msg("%s: %s", sm_bench_load_name((enum sm_bench_load)(load / 2)), s.cause->id);
        close_place(&t);
    }
}

/* ---- the machines ---- */

static void machines_are_measured_over_a_range(void **state)
{
    struct place t = {0};
    const struct scene x = {NULL,
                            .cpu = 30,
                            .io_wait = 10,
                            .tree = 150,
                            .gpus = {80, 2, 40, 38},
                            .heat_from = 20,
                            .heat_to = 30,
                            .killed = 2};
    struct sm_machine *m;
    size_t n;
    (void)state;
    open_place(&t);
    write_scene(&t, &x);
    read_profile(&t);
    int64_t from = (START + 10) * 1000000000, to = (START + 110) * 1000000000;
    assert_true(sm_machines_read(sm_profile_metrics(t.profile), from, from, to, &m, &n));
    assert_int_equal(n, 1);
    assert_int_equal(m[0].cores, 4);
    assert_int_equal(m[0].gpus, 4);
    assert_int_equal(m[0].idle_gpus, 1);
    assert_int_equal(m[0].samples, 100);
    assert_true(fabs(m[0].mean[SM_MACHINE_GPU] - 40) < 1e-9);
    assert_true(fabs(m[0].most_gpu - 80) < 1e-9 && fabs(m[0].least_gpu - 2) < 1e-9);
    assert_true(fabs(sm_machine_cores(&m[0], SM_MACHINE_CPU) - 1.2) < 1e-9);
    assert_true(fabs(sm_machine_cores(&m[0], SM_MACHINE_TREE_CPU) - 1.5) < 1e-9);
    assert_true(fabs(sm_machine_cores(&m[0], SM_MACHINE_IO_WAIT) - 0.4) < 1e-9);
    assert_true(fabs(m[0].slowed - 0.1) < 1e-9);
    assert_true(fabs(m[0].killed - 2) < 1e-9);
    assert_true(isnan(m[0].mean[SM_MACHINE_THROTTLED]));
    sm_free(m);
    /* only four samples: nothing is said */
    assert_true(sm_machines_read(sm_profile_metrics(t.profile), to, to, to + 4000 * MS, &m, &n));
    assert_int_equal(m[0].samples, 0);
    assert_true(isnan(m[0].mean[SM_MACHINE_CPU]));
    sm_free(m);
    close_place(&t);
}

int main(void)
{
#define LOOP(f) cmocka_unit_test_setup_teardown(f, setup_loop, teardown_loop)
    const struct CMUnitTest tests[] = {
        LOOP(waits_are_a_share_of_step_and_wait),
        LOOP(news_give_the_same_as_all_at_once),
        LOOP(evaluation_and_checkpoints_are_no_waits),
        LOOP(a_wait_inside_of_a_step_counts_once),
        LOOP(waits_of_tensorflow_are_a_share_of_the_time),
        LOOP(few_cycles_say_nothing),
        LOOP(communication_that_overlaps_counts_once),
        cmocka_unit_test(an_onset_is_where_values_stay_beyond),
        cmocka_unit_test(an_onset_of_what_comes_and_goes),
        cmocka_unit_test(every_scene_has_its_cause),
        cmocka_unit_test(scripted_loads_have_their_verdicts),
        cmocka_unit_test(evidence_says_where_and_when),
        cmocka_unit_test(what_can_be_tried_fits),
        cmocka_unit_test(memory_that_grows_is_said),
        cmocka_unit_test(a_gpu_of_another_time_is_not_missing),
        cmocka_unit_test(machines_are_measured_over_a_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
