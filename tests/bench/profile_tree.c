/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/profile_tree.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define START_S 1600000020L
enum { SLOW_STEPS = 20, SLOW_FIRST = 10, SLOW_TIMES = 4, FILE_S = 60 };

static const char *const names[SM_LOADS] = {
    [SM_LOAD_BALANCED] = "balanced",       [SM_LOAD_IDLE] = "idle",
    [SM_LOAD_INPUT_BOUND] = "input-bound", [SM_LOAD_IO_BOUND] = "io-bound",
    [SM_LOAD_FLUCTUATING] = "fluctuating", [SM_LOAD_UNBALANCED] = "unbalanced",
    [SM_LOAD_LEAKING] = "leaking",         [SM_LOAD_STRAGGLER] = "straggler",
};

const char *sm_bench_load_name(enum sm_bench_load load)
{
    return names[load];
}

/* ---- the script ---- */

/* 0 to less than most, of a tick and a device. */
static double noise(long tick, long device, double most)
{
    uint64_t x = ((uint64_t)tick << 20 ^ (uint64_t)device) + 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (double)(x >> 40) / (double)(1 << 24) * most;
}

static double cpu_of(const struct sm_bench_profile *x, long tick, long core)
{
    if (x->load == SM_LOAD_IDLE)
        return 1 + noise(tick, core, 5);
    if (x->load == SM_LOAD_INPUT_BOUND)
        return 92 + noise(tick, core, 7);
    return 45 + noise(tick, core, 10);
}

static double wait_of(const struct sm_bench_profile *x, long tick, long core)
{
    return x->load == SM_LOAD_IO_BOUND ? 60 + noise(tick, core, 20) : noise(tick, core, 1);
}

static double gpu_of(const struct sm_bench_profile *x, long tick, long gpu)
{
    switch (x->load) {
    case SM_LOAD_IDLE:
        return noise(tick, gpu, 8);
    case SM_LOAD_INPUT_BOUND:
    case SM_LOAD_IO_BOUND:
        return tick % 4 ? noise(tick, gpu, 9) : 85 + noise(tick, gpu, 10);
    case SM_LOAD_FLUCTUATING:
        return tick % 8 ? 94 + noise(tick, gpu, 3) : 1 + noise(tick, gpu, 2);
    case SM_LOAD_UNBALANCED:
        return gpu ? 18 + noise(tick, gpu, 4) : 93 + noise(tick, gpu, 4);
    default:
        return 90 + noise(tick, gpu, 6);
    }
}

static double gpu_memory_of(const struct sm_bench_profile *x, long tick, long gpu)
{
    long ticks = x->seconds * 1000 / x->interval_ms;
    if (x->load != SM_LOAD_LEAKING)
        return 60 + noise(tick, gpu + 100, 1);
    return 10 + 55 * (double)tick / (double)ticks + (tick * 4 > 3 * ticks ? 30 : 0);
}

/* ---- metrics ---- */

static void put_row(FILE *f, const char *type, const char *name, const char *dimension, double v,
                    long node, long ms, long late_us)
{
    fprintf(f,
            "{\"Type\":\"%s\",\"Name\":\"%s\",\"Dimension\":\"%s\",\"Value\":%.2f,\"NodeId\":"
            "\"algo-%ld\","
            "\"Timestamp\":%ld.%06ld}\n",
            type, name, dimension, v, node + 1, START_S + ms / 1000, ms % 1000 * 1000 + late_us);
}

static void put_tick(FILE *f, const struct sm_bench_profile *x, long node, long tick)
{
    long ms = tick * x->interval_ms;
    char name[24];
    for (long i = 0; i < x->cores; i++) {
        snprintf(name, sizeof name, "cpu%ld", i);
        put_row(f, "cpu", name, "CPUUtilization", cpu_of(x, tick, i), node, ms, 120);
        put_row(f, "cpu", name, "I/OWaitPercentage", wait_of(x, tick, i), node, ms, 120);
    }
    for (long i = 0; i < x->gpus; i++) {
        snprintf(name, sizeof name, "gpu%ld", i);
        put_row(f, "gpu", name, "GPUUtilization", gpu_of(x, tick, i), node, ms, 2310);
        put_row(f, "gpu", name, "GPUMemoryUtilization", gpu_memory_of(x, tick, i), node, ms, 2310);
    }
    put_row(f, "memory", "MemoryUsedPercent", "", 30 + noise(tick, 1, 1), node, ms, 700);
    put_row(f, "i/o", "IOPS", "", noise(tick, 2, 900), node, ms, 900);
    put_row(f, "i/o", "ReadThroughputInBytesPerSecond", "", noise(tick, 3, 9e7), node, ms, 900);
    put_row(f, "i/o", "WriteThroughputInBytesPerSecond", "", noise(tick, 4, 9e6), node, ms, 900);
    for (int k = 0; k < 4; k++)
        put_row(f, "network", k % 2 ? "TransmitBytesPerSecond" : "ReceiveBytesPerSecond",
                k < 2 ? "Algorithm" : "Platform", noise(tick, 5 + k, 9e6), node, ms, 1100);
}

/* Creates the file with its folders, of which the last is the hour of the time. */
static FILE *create(const char *dir, const char *below, long seconds, const char *name)
{
    char path[1024], part[1024];
    struct tm tm;
    time_t when = (time_t)(START_S + seconds);
    size_t n = (size_t)snprintf(path, sizeof path, "%s/%s/", dir, below);
    gmtime_r(&when, &tm);
    n += strftime(path + n, sizeof path - n, "%Y%m%d%H", &tm);
    snprintf(path + n, sizeof path - n, "/%s", name);
    for (const char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0777);
    }
    return fopen(path, "wb");
}

static bool put_metrics(const char *dir, const struct sm_bench_profile *x, long node)
{
    long ticks = x->seconds * 1000 / x->interval_ms, per_file = FILE_S * 1000 / x->interval_ms;
    char name[64];
    for (long from = 0; from < ticks; from += per_file) {
        long seconds = from * x->interval_ms / 1000;
        snprintf(name, sizeof name, "%ld.algo-%ld.json", START_S + seconds, node + 1);
        FILE *f = create(dir, "system/incremental", seconds, name);
        for (long i = from; f && i < ticks && i < from + per_file; i++)
            put_tick(f, x, node, i);
        if (!f || fclose(f) != 0)
            return false;
    }
    return true;
}

/* ---- timelines ---- */

enum { PHASES = 6 };
static const char *const phases[PHASES] = {"Step:ModeKeys.TRAIN",    "Forward",
                                           "Backward(post-forward)", "DataLoaderIter",
                                           "cpu_functions",          "gpu_functions-dev:0"};

static void put_names(FILE *f)
{
    fprintf(f,
            "[\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": "
            "{\"start_time_since_epoch_in_micros\": %ld000000}}",
            START_S);
    for (int i = 0; i < PHASES; i++)
        fprintf(f,
                ",\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %d, \"args\": {\"name\": "
                "\"%s\"}}",
                i + 1, phases[i]);
}

static void put_event(FILE *f, int phase, const char *name, long at_us, long us, long step)
{
    fprintf(
        f,
        ",\n{\"name\": \"%s\", \"pid\": %d, \"ph\": \"X\", \"ts\": %ld, \"dur\": %ld, \"args\": "
        "{\"pid\": 41, \"step_num\": \"%ld\"}}",
        name, phase + 1, at_us, us, step);
}

/* Returns how long the step takes, with its loader. */
static long put_step(FILE *f, const struct sm_bench_profile *x, long node, long step, long at_us)
{
    bool slow = step % SLOW_STEPS == SLOW_FIRST, last = node == x->nodes - 1;
    long us = x->step_ms * 1000 * (slow ? SLOW_TIMES : 1);
    long load = x->load == SM_LOAD_INPUT_BOUND ? us * 3 / 4 : us / 50, own = us - load;
    long work = x->load == SM_LOAD_STRAGGLER && !last ? own / 2 : own;
    long forward = work / 3, at = at_us + load;
    put_event(f, 3, "DataLoaderIter", at_us, load, step);
    put_event(f, 1, "Net", at, forward, step);
    put_event(f, 4, "conv2d", at, forward / 2, step);
    put_event(f, 5, "sgemm", at, forward / 3, step);
    put_event(f, 2, "Net", at + forward, work - forward, step);
    put_event(f, 4, "conv2d_backward", at + forward, (work - forward) / 2, step);
    put_event(f, 0, phases[0], at, work, step);
    return us;
}

static bool put_timelines(const char *dir, const struct sm_bench_profile *x, long node)
{
    long at_us = 200000, step = 0;
    char name[96];
    while (at_us / 1000000 < x->seconds) {
        long seconds = at_us / 1000000, until = (seconds / FILE_S + 1) * FILE_S * 1000000;
        snprintf(name, sizeof name, "%ld_%ld-algo-%ld_pythontimeline.json",
                 START_S * 1000000 + until, 41 + node, node + 1);
        FILE *f = create(dir, "framework/pevents", seconds, name);
        if (!f)
            return false;
        put_names(f);
        for (; at_us < until && at_us / 1000000 < x->seconds; step++)
            at_us += put_step(f, x, node, step, at_us);
        fputs("\n]\n", f);
        if (fclose(f) != 0)
            return false;
    }
    return true;
}

bool sm_bench_profile_write(const char *dir, const struct sm_bench_profile *x)
{
    mkdir(dir, 0777);
    for (long node = 0; node < x->nodes; node++)
        if (!put_metrics(dir, x, node) || (x->step_ms && !put_timelines(dir, x, node)))
            return false;
    return true;
}
