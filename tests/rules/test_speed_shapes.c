/* SPDX-License-Identifier: Apache-2.0 */
/* What holds a run up, on runs of many shapes whose answer follows from how they are made: numbers
 * of cores, GPUs, nodes and workers, intervals, lengths, first steps that compile, epochs,
 * evaluation, checkpoints, sensors that are missing. A healthy run never gets a cause. */
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "rules/speed/speed.h"
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

#define START 1600000020L
enum { NO_TREE = 1, NO_PSI = 2, NO_DISKS = 4, NO_STEPS = 8, NO_WAITS = 16, NO_METRICS = 32 };

struct shape {
    const char *name;
    int cores, gpus, nodes, workers; /* workers of each node */
    int interval_ms, seconds;
    double step_ms;
    int init_s, compile_s;              /* before the first step, and of it */
    int epoch_steps, epoch_wait_s;      /* the first wait of each epoch */
    int eval_every, eval_steps;         /* steps; each takes half of one of training */
    int checkpoint_every, checkpoint_s; /* of the first worker; the others wait in their next step
                                         */
    int without;                        /* NO_... */
    double memory;                      /* %; 0: 40 */
};
#define RUN(NAME, CORES, GPUS, NODES, WORKERS, INTERVAL_MS, SECONDS, STEP_MS)                      \
    .name = NAME, .cores = CORES, .gpus = GPUS, .nodes = NODES, .workers = WORKERS,                \
    .interval_ms = INTERVAL_MS, .seconds = SECONDS, .step_ms = STEP_MS
static const struct shape shapes[] = {
    {RUN("one GPU", 8, 1, 1, 1, 500, 120, 100)},
    {RUN("a GPU of a small machine", 2, 1, 1, 1, 1000, 90, 250)},
    {RUN("eight GPUs", 96, 8, 1, 8, 1000, 120, 400)},
    {RUN("two nodes", 32, 4, 2, 4, 1000, 120, 300)},
    {RUN("four nodes", 8, 1, 4, 1, 1000, 90, 500)},
    {RUN("256 cores", 256, 2, 1, 2, 5000, 300, 700)},
    {RUN("every 100 ms", 4, 1, 1, 1, 100, 30, 40)},
    {RUN("every 5 s", 16, 2, 1, 2, 5000, 600, 900)},
    {RUN("every minute", 16, 4, 1, 4, 60000, 1800, 1500)},
    {RUN("long steps", 8, 1, 1, 1, 1000, 400, 12000)},
    {RUN("a short run", 8, 1, 1, 1, 500, 12, 100)},
    {RUN("very short", 8, 1, 1, 1, 500, 2, 100)},
    {RUN("data copied first", 8, 1, 1, 1, 1000, 300, 200), .init_s = 120},
    {RUN("compiled", 8, 1, 1, 1, 1000, 240, 100), .init_s = 5, .compile_s = 60},
    {RUN("short epochs", 8, 1, 1, 1, 500, 180, 100), .epoch_steps = 200, .epoch_wait_s = 2},
    {RUN("evaluation", 8, 1, 1, 1, 500, 180, 100), .eval_every = 200, .eval_steps = 80},
    {RUN("checkpoints", 8, 1, 1, 1, 500, 240, 100), .checkpoint_every = 400, .checkpoint_s = 8},
    {RUN("checkpoints of one of two", 16, 2, 1, 2, 500, 240, 100), .checkpoint_every = 300,
     .checkpoint_s = 9},
    {RUN("checkpoints of one of eight", 16, 8, 1, 8, 1000, 240, 200), .checkpoint_every = 150,
     .checkpoint_s = 9},
    {RUN("all of it", 32, 4, 2, 4, 1000, 300, 150), .init_s = 20, .compile_s = 30,
     .epoch_steps = 400, .epoch_wait_s = 3, .eval_every = 400, .eval_steps = 100,
     .checkpoint_every = 800, .checkpoint_s = 10},
    {RUN("only what the service records", 8, 1, 1, 1, 500, 120, 100), .without = NO_TREE | NO_PSI},
    {RUN("only metrics", 8, 2, 1, 1, 500, 120, 100), .without = NO_TREE | NO_PSI | NO_STEPS},
    {RUN("only a framework", 8, 0, 1, 1, 500, 60, 100), .without = NO_METRICS},
    {RUN("waits not recorded", 8, 1, 1, 1, 500, 120, 100), .without = NO_WAITS},
    {RUN("no disks", 8, 1, 1, 1, 500, 120, 100), .without = NO_DISKS},
    {RUN("cores alone", 4, 0, 1, 1, 500, 120, 100)},
    {RUN("cores alone, evaluation", 4, 0, 1, 1, 500, 180, 100), .eval_every = 300,
     .eval_steps = 60},
    {RUN("cores alone, checkpoints", 4, 0, 1, 1, 500, 180, 100), .checkpoint_every = 400,
     .checkpoint_s = 6},
    {RUN("cores alone, two nodes", 4, 0, 2, 1, 1000, 120, 200)},
    {RUN("cores alone, unknown program", 4, 0, 1, 1, 500, 120, 100), .without = NO_TREE | NO_PSI},
    {RUN("memory full of data", 8, 1, 1, 1, 500, 120, 100), .memory = 98.5},
    {RUN("memory full of data, cores alone", 8, 0, 1, 1, 500, 120, 100), .memory = 98.5},
};

/* What is wrong, and numbers that follow: % of a GPU, of a core for each worker, the share of a
 * cycle that is waited, and what disks and limits do. */
static const struct load {
    const char *cause;
    double gpu, tree, wait, read_mb, io_some, memory_some, throttled;
    double late, communication; /* of the last worker's own work; of the time */
    bool busy_core;
    double others; /* of a step: waited for other workers; 0: not recorded */
    int without;   /* shapes without one of these, of which the answer is not looked at */
} loads[] = {
    {"balanced", 93, 110, 0.03, 20, 2, 0, 0, 1, 0, false, 0, 0},
    {"balanced", 93, 110, 0.03, 20, 2, 0, 0, 1, 0, false, 0.1, 0},
    {"input_bound", 42, 130, 0.55, 5, 2, 0, 0, 1, 0, false, 0, NO_STEPS | NO_WAITS},
    {"io_bound", 30, 25, 0.65, 150, 70, 0, 0, 1, 0, false, 0, NO_STEPS | NO_WAITS | NO_METRICS},
    {"cpu_bound", 30, 120, 0.03, 5, 2, 0, 0, 1, 0, true, 0, NO_METRICS},
    {"gpu_underused", 30, 25, 0.03, 5, 2, 0, 0, 1, 0, false, 0, NO_METRICS},
    {"memory_pressure", 60, 60, 0.1, 150, 40, 30, 0, 1, 0, false, 0, NO_PSI | NO_METRICS},
    {"throttled", 40, 100, 0.1, 5, 2, 0, 60, 1, 0, false, 0, NO_TREE | NO_METRICS},
    {"straggling_worker", 80, 110, 0.03, 5, 2, 0, 0, 2, 0, false, 0, NO_STEPS},
    {"communication", 80, 110, 0.03, 5, 2, 0, 0, 1, 0.7, false, 0, NO_STEPS},
    {"communication", 80, 110, 0.03, 5, 2, 0, 0, 1, 0, false, 0.35, NO_STEPS},
    {"straggling_worker", 80, 110, 0.03, 5, 2, 0, 0, 1.2, 0, false, 0.05, NO_STEPS},
};
enum { LOADS = sizeof loads / sizeof *loads, HEALTHY = 2, SHAPES = sizeof shapes / sizeof *shapes };

/* ---- the run ---- */

enum state { INIT, TRAIN, EVALUATION, CHECKPOINT, OVER };
struct course {
    struct {
        double until_ms;
        enum state state;
    } items[100000];
    size_t n;
    long steps; /* of training */
};
struct place {
    char dir[64], path[256];
    const struct shape *x;
    const struct load *load;
    struct course course; /* of the first worker */
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

static void pass(struct course *c, double until_ms, enum state state)
{
    if (c->n && c->items[c->n - 1].state == state)
        c->n--;
    assert_true(c->n < sizeof c->items / sizeof *c->items);
    c->items[c->n].until_ms = until_ms;
    c->items[c->n++].state = state;
}

static enum state state_at(const struct course *c, double ms, size_t *at)
{
    while (*at < c->n && c->items[*at].until_ms <= ms)
        ++*at;
    return *at < c->n ? c->items[*at].state : OVER;
}

/* ---- the framework ---- */

enum { P_TRAIN, P_EVAL, P_WAIT, P_FORWARD, P_COMMUNICATION, P_CHECKPOINT, P_OTHERS, PHASES };

static void put_event(FILE *f, int phase, double at_ms, double ms, long step)
{
    fprintf(f,
            ",\n{\"name\":\"e%d\",\"pid\":%d,\"ph\":\"X\",\"ts\":%.0f,\"dur\":%.0f,\"args\":{"
            "\"step_num\":\"%ld\"}}",
            phase, phase, 1000 * at_ms, 1000 * ms, step);
}

static void put_wait(FILE *f, const struct place *t, double at_ms, double ms, long step)
{
    if (!(t->x->without & NO_WAITS))
        put_event(f, P_WAIT, at_ms, ms, step);
}

/* Evaluation after a step of training; returns when it is over. */
static double put_evaluation(FILE *f, const struct place *t, double at, long step)
{
    for (int k = 0; k < t->x->eval_steps; k++) {
        double ms = t->x->step_ms / 2;
        put_wait(f, t, at, k ? ms / 50 : 1000, step);
        at += k ? ms / 50 : 1000;
        put_event(f, P_EVAL, at, ms, k);
        at += ms;
    }
    return at;
}

static bool is_due(int every, long step)
{
    return every && step && step % every == 0;
}

/* Steps wait for the slowest worker; the worker whose own work is late does not wait. */
static void put_worker(FILE *f, struct place *t, int worker, bool last, struct course *c)
{
    const struct shape *x = t->x;
    const struct load *l = t->load;
    double at = 1000.0 * x->init_s, end = 1000.0 * x->seconds, pause = 0,
           others = l->others > 0 && !last ? 1 - (1 - l->others) / l->late : l->others;
    pass(c, at, INIT);
    for (long step = 0; at < end; step++, c->steps++) {
        double cycle = x->step_ms + (step ? 0 : 1000.0 * x->compile_s), wait = l->wait * x->step_ms,
               own = (x->step_ms - wait) / (l->late > 1 && !last ? 2 * l->late : 2);
        double extra = x->epoch_steps && step % x->epoch_steps == 0 ? 1000.0 * x->epoch_wait_s : 0;
        put_wait(f, t, at, wait + extra, step);
        at += wait + extra;
        double ms = cycle - wait + pause;
        put_event(f, P_FORWARD, at, own, step);
        if (l->communication > 0)
            put_event(f, P_COMMUNICATION, at + 0.25 * ms, l->communication * x->step_ms, step);
        if (others > 0)
            put_event(f, P_OTHERS, at + (1 - others) * (ms - pause), others * (ms - pause), step);
        put_event(f, P_TRAIN, at, ms, step);
        at += ms;
        pause = 0;
        pass(c, at, TRAIN);
        if (is_due(x->checkpoint_every, step)) {
            if (worker == 0) {
                put_event(f, P_CHECKPOINT, at, 1000.0 * x->checkpoint_s, step);
                at += 1000.0 * x->checkpoint_s;
                pass(c, at, CHECKPOINT);
            } else {
                pause = 1000.0 * x->checkpoint_s;
            }
        }
        if (is_due(x->eval_every, step)) {
            at = put_evaluation(f, t, at, step);
            pass(c, at, EVALUATION);
        }
    }
}

static void write_workers(struct place *t)
{
    static const char *const phases[PHASES] = {
        "Step:ModeKeys.TRAIN", "Step:ModeKeys.EVAL", "DataLoaderIter", "Forward",
        "NCCL_ALLREDUCE",      "Checkpoint",         "Communication"};
    static struct course other;
    int n = t->x->nodes * t->x->workers;
    for (int i = 0; i < n; i++) {
        char name[128];
        snprintf(name, sizeof name,
                 "framework/pevents/2020091312/1600009999000000_%d-algo-%d_pythontimeline.json",
                 50 + i, i / t->x->workers + 1);
        FILE *f = t->x->without & NO_STEPS ? fopen("/dev/null", "w") : create(t, name);
        fprintf(f,
                "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{"
                "\"start_time_since_epoch_in_micros\":%ld000000}}",
                START);
        for (int k = 0; k < PHASES; k++)
            fprintf(f,
                    ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":"
                    "\"%s\"}}",
                    k, phases[k]);
        other = (struct course){.n = 0};
        put_worker(f, t, i, i == n - 1, i ? &other : &t->course);
        fputs("]\n", f);
        fclose(f);
    }
}

/* ---- the machines ---- */

static double noise(long tick, long device)
{
    uint64_t x = ((uint64_t)tick << 20 ^ (uint64_t)device) + 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (double)(x >> 40) / (double)(1 << 24) * 2 - 1;
}

struct tick {
    FILE *f;
    int node;
    long tick;
    double ms;
};

static void put_row(const struct tick *k, const char *type, const char *name, const char *dimension,
                    double value)
{
    fprintf(k->f,
            "{\"Type\":\"%s\",\"Name\":\"%s\",\"Dimension\":\"%s\",\"Value\":%.2f,\"NodeId\":"
            "\"algo-%d\",\"Timestamp\":%.6f}\n",
            type, name, dimension, value, k->node + 1, (double)START + k->ms / 1000);
}

static double percent(double v)
{
    return v < 0 ? 0 : v > 100 ? 100 : v;
}

static void put_devices(const struct tick *k, const struct place *t, enum state s, double tree)
{
    char name[16];
    const struct shape *x = t->x;
    for (int i = 0; i < x->cores; i++) {
        bool busy = t->load->busy_core && i == 0 && s == TRAIN;
        double wait = s == CHECKPOINT ? 60.0 / x->cores : t->load->io_some / x->cores;
        snprintf(name, sizeof name, "cpu%d", i);
        put_row(k, "cpu", name, "CPUUtilization",
                busy ? 99 : percent(tree / x->cores + 2 * noise(k->tick, i)));
        if (!(x->without & NO_DISKS))
            put_row(k, "cpu", name, "I/OWaitPercentage", wait);
    }
    for (int i = 0; i < x->gpus; i++) {
        double use = s == TRAIN        ? percent(t->load->gpu + 6 * noise(k->tick, 1000 + i))
                     : s == EVALUATION ? 60
                                       : 0;
        snprintf(name, sizeof name, "gpu%d", i);
        put_row(k, "gpu", name, "GPUUtilization", use);
        put_row(k, "gpu", name, "GPUMemoryUtilization", 95);
    }
}

static void put_tick(const struct tick *k, const struct place *t, enum state s)
{
    const struct shape *x = t->x;
    const struct load *l = t->load;
    double tree = s == TRAIN || s == EVALUATION ? l->tree * x->workers : 60;
    if (x->gpus == 0 && strcmp(l->cause, "cpu_bound") == 0)
        tree = 98.0 * x->cores;
    put_devices(k, t, s, tree);
    put_row(k, "memory", "MemoryUsedPercent", "",
            (x->memory > 0        ? x->memory
             : l->memory_some > 0 ? 93
                                  : 40) +
                noise(k->tick, 2000) / 2);
    if (!(x->without & NO_DISKS)) {
        put_row(k, "i/o", "ReadThroughputInBytesPerSecond", "", 1e6 * l->read_mb);
        put_row(k, "i/o", "WriteThroughputInBytesPerSecond", "", s == CHECKPOINT ? 5e8 : 1e4);
    }
    if (!(x->without & NO_PSI)) {
        put_row(k, "pressure", "cpu", "SomePercent", 5);
        put_row(k, "pressure", "io", "SomePercent", s == CHECKPOINT ? 80 : l->io_some);
        put_row(k, "pressure", "memory", "SomePercent", l->memory_some);
    }
    if (!(x->without & NO_TREE)) {
        put_row(k, "process", "tree", "CPUPercent", tree);
        put_row(k, "process", "tree", "ReadBytesPerSecond", 1e6 * l->read_mb);
        put_row(k, "process", "tree", "WriteBytesPerSecond", s == CHECKPOINT ? 5e8 : 1e4);
        put_row(k, "cgroup", "cgroup", "ThrottledPercent", l->throttled);
    }
}

static long write_metrics(struct place *t)
{
    long ticks = 0;
    for (int node = 0; node < t->x->nodes && !(t->x->without & NO_METRICS); node++) {
        char name[96];
        size_t at = 0;
        snprintf(name, sizeof name, "system/incremental/1600000020.algo-%d.json", node + 1);
        FILE *f = create(t, name);
        for (long i = 0; i * (long)t->x->interval_ms < 1000L * t->x->seconds; i++) {
            struct tick k = {f, node, i, (double)i * t->x->interval_ms};
            enum state s = state_at(&t->course, k.ms, &at);
            put_tick(&k, t, s);
            ticks += node == 0 && s != INIT;
        }
        fclose(f);
    }
    return ticks;
}

/* ---- the answer ---- */

/* NULL: the shape says nothing of this load. */
static const char *expected(const struct place *t, long ticks)
{
    const struct shape *x = t->x;
    const char *cause = t->load->cause;
    bool steps = !(x->without & NO_STEPS) && t->course.steps >= 16, metrics = ticks > 8,
         healthy = t->load < loads + HEALTHY;
    if (healthy)
        return metrics && (x->gpus || (steps && !(x->without & NO_TREE))) ? "balanced" : "unknown";
    if (!steps || (t->load->without & x->without) || (!metrics && !(x->without & NO_METRICS)))
        return NULL;
    bool machine = strcmp(cause, "cpu_bound") == 0 || strcmp(cause, "throttled") == 0;
    if (strcmp(cause, "straggling_worker") == 0 && x->nodes * x->workers < 2)
        return NULL;
    if (strcmp(cause, "gpu_underused") == 0 && !x->gpus)
        return NULL;
    if (strcmp(cause, "io_bound") == 0 && (x->without & (NO_PSI | NO_DISKS)))
        return NULL;
    if (machine && !x->gpus && (x->without & NO_TREE))
        return NULL;
    return cause;
}

/* Returns whether the answer is the one that follows; prints the others. */
static bool check(const struct shape *x, const struct load *load)
{
    static struct place t;
    struct sm_speed s;
    struct sm_err err;
    t = (struct place){.x = x, .load = load};
    assert_non_null(make_scratch(t.dir, sizeof t.dir));
    sm_clock_freeze(1000000, 1700000000000000);
    write_workers(&t);
    long ticks = write_metrics(&t);
    const char *cause = expected(&t, ticks);
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    struct sm_profile *p = sm_profile_new(t.dir, pool, false, &err);
    assert_non_null(p);
    while (!sm_profile_is_read(p)) {
        sm_pool_collect(pool, 1);
        sm_profile_pump(p);
    }
    struct sm_speed_watch *w = sm_speed_watch_new();
    assert_true(sm_speed_find(w, p, &s));
    if (cause && strcmp(s.cause->id, cause) != 0)
        print_error("%s, %s: %s: %s\n", x->name, cause, s.cause->id,
                    s.n_evidence ? s.evidence[0].text : "no evidence");
    bool ok = !cause || strcmp(s.cause->id, cause) == 0;
    sm_speed_watch_free(w);
    sm_profile_close(p);
    sm_pool_free(pool);
    sm_clock_thaw();
    assert_int_equal(remove_tree(t.dir), 0);
    return ok;
}

static void check_loads(int from, int to)
{
    int wrong = 0;
    for (int l = from; l < to; l++)
        for (int i = 0; i < SHAPES; i++)
            wrong += !check(&shapes[i], &loads[l]);
    assert_int_equal(wrong, 0);
}

static void a_healthy_run_has_no_cause(void **state)
{
    (void)state;
    check_loads(0, HEALTHY);
}

static void a_slow_run_has_its_cause(void **state)
{
    (void)state;
    check_loads(HEALTHY, LOADS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_run_has_no_cause),
        cmocka_unit_test(a_slow_run_has_its_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
