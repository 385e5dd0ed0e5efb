/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of profiles, on trees written here: the values follow from RULES.md 6 by hand. */
#include "reader/base/clock.h"
#include "reader/base/json.h"
#include "rules/private.h"
#include "rules/profiler/profiler_rules.h"
#include "tests/bench/profile_tree.h"
#include "tests/rules/judge.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

enum { START = 1600000000 };

static FILE *open_file(struct live *l, const char *folder, const char *name, const char *mode)
{
    mkdir(l->path, 0777);
    char path[512], part[512];
    snprintf(path, sizeof path, "%s", in(l, "%s/%s", folder, name));
    for (char *slash = path + strlen(l->path) + 1; (slash = strchr(slash, '/')); slash++) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0777);
    }
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    return f;
}

static FILE *open_metrics(struct live *l)
{
    return open_file(l, "system/incremental", "1600000000.algo-1.json", "a");
}

static void put(FILE *f, const char *node, const char *name, const char *dimension, double seconds,
                double value)
{
    fprintf(f,
            "{\"Type\":\"%.3s\",\"Name\":\"%s\",\"Dimension\":\"%s\",\"Value\":%.17g,\"NodeId\":"
            "\"%s\",\"Timestamp\":%.6f}\n",
            name, name, dimension, value, node, START + seconds);
}

static void put_gpu(FILE *f, const char *name, double seconds, double value)
{
    put(f, "algo-1", name, "GPUUtilization", seconds, value);
}

/* A timeline of one process; phases have the numbers 1, 2, ... */
static FILE *open_events(struct live *l, const char *const *phases)
{
    FILE *f = open_file(l, "framework/pevents/2020091312",
                        "1600001000000000_41-algo-1_"
                        "pythontimeline.json",
                        "w");
    fprintf(f,
            "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_"
            "epoch_in_micros\":%d000000}}",
            START);
    for (int i = 0; phases[i]; i++)
        fprintf(f,
                ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"%s\"}}",
                i + 1, phases[i]);
    return f;
}

static void put_event(FILE *f, int phase, const char *name, double seconds, double length, int pid)
{
    fprintf(f,
            ",\n{\"name\":\"%s\",\"pid\":%d,\"ph\":\"X\",\"ts\":%.0f,\"dur\":%.0f,\"args\":{"
            "\"pid\":%d,\"step_num\":\"%.0f\"}}",
            name, phase, seconds * 1e6, length * 1e6, pid, seconds * 1000);
}

static void close_events(FILE *f)
{
    fputs("\n]\n", f);
    fclose(f);
}

static struct sm_rule_instance *judged(struct live *l, struct sm_rules **r, const char *rule,
                                       const char *a, const char *b, const char *c)
{
    live_open_path(l, l->path, (struct sm_trial_options){0});
    *r = new_rules(l);
    struct sm_rule_instance *i = attach(*r, rule, a, a ? b : NULL, a && b ? c : NULL, NULL);
    settle_rules(l, *r);
    return i;
}

static void assert_counts(const struct sm_rule_instance *i, uint64_t datapoints,
                          uint64_t violations, uint64_t triggered)
{
    assert_int_equal(i->datapoints, datapoints);
    assert_int_equal(i->violations, violations);
    assert_int_equal(i->triggered, triggered);
    assert_int_equal(i->status, triggered ? SM_RULE_ISSUES : SM_RULE_NO_ISSUES);
}

static char *details(struct live *l, const struct sm_rule_instance *i)
{
    struct sm_str text = {0};
    struct sm_json_writer *w = sm_json_writer_new(&text);
    sm_profiler_rule_json(i, sm_trial_profile(l->trial), w);
    sm_json_writer_free(w);
    char *copy = sm_xstrdup(sm_str_text(&text));
    sm_str_clear(&text);
    return copy;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no %s in %s", part, text);
}

/* RULES.md 10.1: d is the double next to 2.8 - 25/9 */
static void test_gpu_memory_increase(void **state)
{
    static const double values[] = {3, 2, 3, 3, 3, 3, 3, 3, 3, 2, 2, 3};
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_metrics(l);
    for (int i = 0; i < 12; i++)
        put(f, "algo-1", "gpu0", "GPUMemoryUtilization", i / 2.0, values[i]);
    fclose(f);
    struct sm_rule_instance *i =
        judged(l, &r, "GPUMemoryIncrease", "increase=0", "patience=0", "window=10");
    assert_counts(i, 12, 1, 1);
    assert_true(i->findings[0].value == 0.022222222222222143);
    assert_string_equal(i->findings[0].node, "algo-1");
    assert_true(i->findings[0].from_ns == START * INT64_C(1000000000));
    assert_true(i->findings[0].to_ns == (START + 60) * INT64_C(1000000000));
    assert_int_equal(i->findings[0].step, -1);
    char *text = details(l, i);
    assert_has(text, "\"algo-1\":{\"gpu0\":{\"increase\":0.022222222222222143,\"gpu_max\":3,");
    assert_has(text, "\"RuleParameters\":\"increase:0\\npatience:0\\nwindow:10\"");
    sm_free(text);
    close_rules(l, r);
}

/* gpu0 is low, gpu1 swings, gpu2 is at the limit, gpu3 is busy. */
static void write_gpus(struct live *l)
{
    FILE *f = open_metrics(l);
    for (int i = 0; i < 10; i++) {
        put_gpu(f, "gpu0", i / 2.0, 50);
        put_gpu(f, "gpu1", i / 2.0, i % 2 ? 100 : 0);
        put_gpu(f, "gpu2", i / 2.0, 70);
        put_gpu(f, "gpu3", i / 2.0, 90);
        put_gpu(f, "gpu4", i / 2.0, i == 7 ? 72 : 60 + 30 * (i < 6)); /* p95: 70.2, p90: 68.4 */
    }
    fclose(f);
}

static void test_low_gpu_utilization(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_gpus(l);
    struct sm_rule_instance *i = judged(l, &r, "LowGPUUtilization", "window=4", "patience=4", NULL);
    assert_counts(i, 10, 2, 2);
    assert_true(i->findings[0].value == 50);
    assert_has(i->findings[0].text, "gpu0: p95 of the last 4 points is 50 % < 70 %");
    assert_has(i->findings[1].text, "gpu1 swings");
    close_rules(l, r);
    live_close(l);
    /* windows of a second have 2, 4, 6, 8 and 10 points: three have more than 4 */
    i = judged(l, &r, "low_gpu_utilization", "window=4", "patience=4", "scan_interval_us=1000000");
    assert_counts(i, 10, 6, 6);
    assert_int_equal(i->first_fired, -1);
    assert_true(i->first_fired_ns == (START + 2) * INT64_C(1000000000));
    close_rules(l, r);
}

/* Ticks [from, to) of 2 a second. */
static void write_ticks(struct live *l, const char *dimension, double later, int from, int to)
{
    FILE *f = open_metrics(l);
    for (int i = from; i < to; i++) {
        put(f, "algo-1", "cpu0", dimension, i / 2.0, 20);
        put(f, "algo-1", "cpu1", dimension, i / 2.0, i < 6 ? 95 : 30);
        put_gpu(f, "gpu0", i / 2.0 + later, i < 6 ? 5 : 60);
    }
    fclose(f);
}

/* In 6 of 10 ticks the GPU is low and one of two cores busy; the GPU is sampled later. */
static void write_bottleneck(struct live *l, const char *dimension, double later)
{
    write_ticks(l, dimension, later, 0, 10);
}

static void test_cpu_bottleneck(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_bottleneck(l, "CPUUtilization", 0.005);
    struct sm_rule_instance *i = judged(l, &r, "CPUBottleneck", "patience=9", NULL, NULL);
    assert_counts(i, 10, 6, 1);
    assert_true(i->findings[0].value == 60);
    char *text = details(l, i);
    assert_has(text, "{\"bottlenecks\":{\"1600000000.000000\":{\"GPUs\":1,\"CPUs\":1},");
    assert_has(text, "\"low_gpu_utilization\":6");
    sm_free(text);
    close_rules(l, r);
    live_close(l);
    /* the limits are strict: 10 datapoints are not more than 10, 60 % not more than 60 % */
    i = judged(l, &r, "CPUBottleneck", "patience=10", NULL, NULL);
    assert_counts(i, 10, 6, 0);
    close_rules(l, r);
    live_close(l);
    i = judged(l, &r, "CPUBottleneck", "patience=9", "threshold=60", NULL);
    assert_counts(i, 10, 6, 0);
    close_rules(l, r);
}

static void test_snapshots_are_of_20_ms(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_bottleneck(l, "CPUUtilization", 0.025);
    struct sm_rule_instance *i = judged(l, &r, "CPUBottleneck", "patience=0", NULL, NULL);
    assert_counts(i, 20, 0, 0);
    close_rules(l, r);
}

static void test_io_bottleneck(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_bottleneck(l, "I/OWaitPercentage", 0.001);
    struct sm_rule_instance *i = judged(l, &r, "IOBottleneck", "patience=0", NULL, NULL);
    assert_counts(i, 10, 6, 1);
    char *text = details(l, i);
    assert_has(text, "\"threshold:50\\nio_threshold:50\\ngpu_threshold:10\\npatience:0\"");
    sm_free(text);
    close_rules(l, r);
}

/* Node algo-1 has a mean of 50 %, algo-2 one of 80 %. */
static void test_batch_size(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_metrics(l);
    for (int i = 0; i < 10; i++)
        for (int node = 0; node < 2; node++) {
            const char *name = node ? "algo-2" : "algo-1";
            put(f, name, "cpu0", "CPUUtilization", i / 2.0, node ? 70 : 40);
            put(f, name, "cpu1", "CPUUtilization", i / 2.0, node ? 90 : 60);
            put(f, name, "gpu0", "GPUUtilization", i / 2.0, 20);
            put(f, name, "gpu0", "GPUMemoryUtilization", i / 2.0, 30);
            put(f, name, "gpu1", "GPUUtilization", i / 2.0, 20);
            put(f, name, "gpu1", "GPUMemoryUtilization", i / 2.0, 80);
        }
    fclose(f);
    struct sm_rule_instance *i = judged(l, &r, "BatchSize", "window=4", "patience=4", NULL);
    assert_counts(i, 10, 1, 1);
    assert_string_equal(i->findings[0].node, "algo-1");
    assert_has(i->findings[0].text, "CPU 50 % < 70 %, GPU 20 % < 70 %, GPU memory 30 % < 70 %");
    char *text = details(l, i);
    assert_has(text,
               "{\"algo-1\":{\"cpu\":{\"p25\":50,\"p50\":50,\"p75\":50,\"p95\":50,\"upper\":50,"
               "\"lower\":50},\"gpu0\":{\"p25\":20,");
    assert_has(text, "\"gpu0_memory\":{\"p25\":30,");
    sm_free(text);
    close_rules(l, r);
}

/* gpu0 is at 10 %, gpu1 at 100 %, gpu2 half of the time each: sqrt(ln 2) and
 * sqrt((ln(4/3) + ln(2/3)/2 + ln(2)/2) / 2) = 0.4645 */
static void test_load_balancing(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_metrics(l);
    for (int i = 0; i < 10; i++) {
        put_gpu(f, "gpu0", i / 2.0, 10);
        put_gpu(f, "gpu1", i / 2.0, 100);
        put_gpu(f, "gpu2", i / 2.0, i % 2 ? 10 : 100);
    }
    fclose(f);
    struct sm_rule_instance *i = judged(l, &r, "LoadBalancing", "patience=9", NULL, NULL);
    assert_counts(i, 10, 1, 1);
    assert_true(fabs(i->findings[0].value - sqrt(log(2))) < 1e-12);
    close_rules(l, r);
    live_close(l);
    i = judged(l, &r, "LoadBalancing", "patience=9", "threshold=0.464", NULL);
    assert_counts(i, 10, 3, 3);
    assert_true(fabs(i->findings[1].value - 0.46450140) < 1e-8);
    close_rules(l, r);
    live_close(l);
    i = judged(l, &r, "LoadBalancing", "patience=10", NULL, NULL);
    assert_counts(i, 10, 0, 0);
    close_rules(l, r);
}

/* Of nodes a <= b, the GPU of a has a name before that of b's: of 4 pairs of different names the
 * one of gpu1 of the first and gpu0 of the second node is none. */
static void test_load_balancing_of_nodes(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_metrics(l);
    for (int i = 0; i < 4; i++)
        for (int node = 0; node < 2; node++) {
            put(f, node ? "algo-2" : "algo-1", "gpu0", "GPUUtilization", i / 2.0, 10);
            put(f, node ? "algo-2" : "algo-1", "gpu1", "GPUUtilization", i / 2.0, 90);
        }
    fclose(f);
    struct sm_rule_instance *i = judged(l, &r, "LoadBalancing", "patience=0", NULL, NULL);
    assert_counts(i, 4, 3, 3);
    close_rules(l, r);
}

static const char *const step_phases[] = {"Step:ModeKeys.TRAIN", "cpu_functions",
                                          "Forward-SubModuleInternal", "Backward-SubModuleInternal",
                                          NULL};

/* 200 steps of 0.1 s and some of 1 s: with 11 the limit is 0.1469 + 3 * 0.2001 s */
static void write_steps(struct live *l, int outliers)
{
    FILE *f = open_events(l, step_phases);
    double at = 0;
    for (int i = 0; i < 200 + outliers; i++) {
        bool slow = i % 10 == 5 && i / 10 < outliers;
        put_event(f, 1, "Step:ModeKeys.TRAIN", at, slow ? 1 : 0.1, 41);
        put_event(f, 2, slow ? "slow" : "fast", at + 0.01, 0.05, 41);
        at += slow ? 1.1 : 0.2;
    }
    close_events(f);
}

static void test_step_outlier(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_steps(l, 11);
    struct sm_rule_instance *i = judged(l, &r, "StepOutlier", NULL, NULL, NULL);
    assert_counts(i, 211, 11, 1); /* 60 s have more than 100 steps, of which 11 or fewer */
    assert_has(i->findings[0].text, "11 of 211 TRAIN steps take longer than 0.7471 s");
    assert_string_equal(i->findings[0].node, "algo-1-41");
    char *text = details(l, i);
    assert_has(text, "\"number_of_outliers\":11,\"phase\":\"Step:ModeKeys.TRAIN\",\"stddev\":0.2");
    assert_has(text, "\"CPU\":{\"slow\":100}");
    sm_free(text);
    close_rules(l, r);
    live_close(l);
    i = judged(l, &r, "StepOutlier", "mode=EVAL", NULL, NULL);
    assert_counts(i, 0, 0, 0);
    close_rules(l, r);
}

static void test_few_outliers(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_steps(l, 10);
    struct sm_rule_instance *i = judged(l, &r, "StepOutlier", NULL, NULL, NULL);
    assert_counts(i, 210, 0, 0);
    close_rules(l, r);
}

/* In the first window 1,000,001 short steps, in the second one 150, of which 15 take ten times as
 * long: these are outliers only among themselves, as the rule has forgotten the others. */
static void test_steps_are_forgotten(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_events(l, step_phases);
    for (int i = 0; i <= 1000000; i++)
        fprintf(f, ",\n{\"name\":\"s\",\"pid\":1,\"ph\":\"X\",\"ts\":%d,\"dur\":9}", 50 * i);
    for (int i = 0; i < 150; i++)
        fprintf(f, ",\n{\"name\":\"s\",\"pid\":1,\"ph\":\"X\",\"ts\":%d,\"dur\":%d}",
                61000000 + 20000 * i, i % 10 ? 1000 : 10000);
    close_events(f);
    struct sm_rule_instance *i = judged(l, &r, "StepOutlier", "stddev=2", NULL, NULL);
    assert_counts(i, 1000151, 15, 1);
    char *text = details(l, i);
    assert_has(text, "\"min\":0.001}");
    sm_free(text);
    close_rules(l, r);
}

/* Cores: 4. In each of 12 seconds so many processes load data. */
static void write_loaders(struct live *l, int processes)
{
    static const char *const phases[] = {"DataLoaderIter", "DataLoaderIterInitialize", NULL};
    FILE *f = open_metrics(l);
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "cpu%d", i);
        put(f, "algo-1", name, "CPUUtilization", 0, 10);
    }
    fclose(f);
    f = open_events(l, phases);
    fprintf(f,
            ",\n{\"name\":\"Init\",\"pid\":2,\"ph\":\"X\",\"ts\":0,\"dur\":5,\"args\":{\"num_"
            "workers\":%d,\"pin_memory\":\"True\"}}",
            processes);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < processes; k++)
            put_event(f, 1, "load", i + 0.1 * k, 0.25, 70 + k);
    close_events(f);
}

static void test_dataloader(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_loaders(l, 2);
    struct sm_rule_instance *i = judged(l, &r, "Dataloader", NULL, NULL, NULL);
    assert_counts(i, 24, 1, 1);
    assert_true(i->findings[0].value == 2 && i->findings[0].limit == 2.8);
    char *text = details(l, i);
    assert_has(text, "{\"pin_memory\":true,\"num_workers\":2,\"prefetch\":false,\"cores\":4,"
                     "\"dataloaders\":2,\"dataloading_time\":{\"p25\":0.25,");
    sm_free(text);
    close_rules(l, r);
    live_close(l);
    /* again in the next window: fired once, two violations */
    i = judged(l, &r, "Dataloader", "scan_interval_us=11000000", NULL, NULL);
    assert_counts(i, 24, 2, 1);
    close_rules(l, r);
}

static void test_enough_loaders(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_loaders(l, 3);
    struct sm_rule_instance *i = judged(l, &r, "Dataloader", NULL, NULL, NULL);
    assert_counts(i, 36, 0, 0);
    close_rules(l, r);
}

/* The first step begins after 190 s. */
static void test_max_initialization_time(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_metrics(l);
    for (int i = 0; i < 400; i++)
        put_gpu(f, "gpu0", i / 2.0, 50);
    fclose(f);
    struct sm_rule_instance *i = judged(l, &r, "MaxInitializationTime", "threshold=1", NULL, NULL);
    assert_counts(i, 0, 0, 0);
    assert_string_equal(i->skips[0].why, "no framework metrics");
    close_rules(l, r);
    live_close(l);
    f = open_events(l, step_phases);
    put_event(f, 1, "Step:ModeKeys.TRAIN", 190, 0.5, 41);
    put_event(f, 1, "Step:ModeKeys.TRAIN", 195, 0.5, 41);
    close_events(f);
    i = judged(l, &r, "MaxInitializationTime", "threshold=1", NULL, NULL);
    assert_counts(i, 2, 1, 1); /* the window from 120 s on; that from 60 s on is not later */
    assert_true(i->findings[0].value == 2);
    char *text = details(l, i);
    assert_has(text, "{\"job_start\":1600000000,\"job_end\":1600000199.5,\"step_num\":{\"first\":"
                     "1600000190000000,\"last\":1600000195000000}}");
    sm_free(text);
    close_rules(l, r);
}

/* Steps take 0.2 of 0.3 s; of the operators conv takes 98 %, relu, which is dropped, 2 %. */
static void test_overall_framework_metrics(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_events(l, step_phases);
    put_event(f, 1, "Step:ModeKeys.TRAIN", 0, 0.1, 41);
    put_event(f, 1, "Step:ModeKeys.TRAIN", 0.2, 0.1, 41);
    put_event(f, 2, "conv", 0, 0.098, 41);
    put_event(f, 2, "relu", 0.2, 0.002, 41);
    put_event(f, 3, "net", 0, 0.025, 41);
    put_event(f, 4, "net", 0.05, 0.075, 41);
    close_events(f);
    struct sm_rule_instance *i = judged(l, &r, "OverallFrameworkMetrics", NULL, NULL, NULL);
    assert_counts(i, 6, 0, 0);
    char *text = details(l, i);
    assert_has(text,
               "\"phase\":{\"Step:ModeKeys.TRAIN\":66.666666666666671,\"others\":33.3333333333"
               "3333");
    assert_has(text, "\"ratio\":{\"cpu_functions\":100},\"CPU\":{\"conv\":100},\"CPU_total\":{"
                     "\"conv\":98000},\"forward_backward\":{\"Forward pass\":25,\"Backward pass\":"
                     "75}}");
    sm_free(text);
    close_rules(l, r);
}

static void test_overall_system_usage(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_metrics(l);
    for (int i = 0; i < 5; i++) {
        put(f, "algo-1", "cpu0", "CPUUtilization", i, 10 * i);
        put(f, "algo-1", "cpu1", "CPUUtilization", i, 20 * i);
    }
    fclose(f);
    struct sm_rule_instance *i = judged(l, &r, "OverallSystemUsage", NULL, NULL, NULL);
    assert_counts(i, 5, 0, 0);
    char *text = details(l, i);
    assert_has(text,
               "\"CPU\":{\"algo-1\":{\"max\":60,\"p99\":59.399999999999999,\"p95\":57,\"p50\":"
               "30,\"min\":0}}");
    sm_free(text);
    close_rules(l, r);
}

static bool has_rule(const struct sm_rules *r, const char *name)
{
    return sm_rules_find(r, name) < sm_rules_count(r);
}

static void test_auto(void **state)
{
    struct live *l = *state;
    write_gpus(l);
    live_open_path(l, l->path, (struct sm_trial_options){0});
    struct sm_rules *r = new_rules(l);
    sm_rules_auto(r, sm_rule_table);
    settle_rules(l, r);
    assert_true(has_rule(r, "CPUBottleneck") && has_rule(r, "LowGPUUtilization"));
    assert_true(has_rule(r, "LoadBalancing") && has_rule(r, "OverallSystemUsage"));
    assert_false(has_rule(r, "StepOutlier") || has_rule(r, "Dataloader"));
    assert_false(has_rule(r, "GPUMemoryIncrease") || has_rule(r, "ProfilerReport"));
    assert_true(sm_rules_finished(r));
    close_rules(l, r);
}

/* What fires of each load of tests/bench follows from RULES.md 6: steps of the generator have
 * outliers, and one process that loads data for four cores. */
static void test_scripted_loads(void **state)
{
    static const char *const expected[SM_LOADS] = {
        [SM_LOAD_BALANCED] = "",
        [SM_LOAD_IDLE] = "LowGPUUtilization BatchSize ",
        [SM_LOAD_INPUT_BOUND] = "CPUBottleneck LowGPUUtilization ",
        [SM_LOAD_IO_BOUND] = "IOBottleneck LowGPUUtilization ",
        [SM_LOAD_FLUCTUATING] = "LowGPUUtilization ",
        [SM_LOAD_UNBALANCED] = "LowGPUUtilization BatchSize LoadBalancing ",
        [SM_LOAD_LEAKING] = "GPUMemoryIncrease ",
        [SM_LOAD_STRAGGLER] = "StepOutlier Dataloader ",
    };
    struct live *l = *state;
    for (int load = 0; load < SM_LOADS; load++) {
        struct sm_str fired = {0};
        char dir[512];
        snprintf(dir, sizeof dir, "%s", in(l, "load%d", load));
        mkdir(l->path, 0777);
        assert_true(sm_bench_profile_write(
            dir, &(struct sm_bench_profile){.load = (enum sm_bench_load)load,
                                            .nodes = 1,
                                            .cores = 4,
                                            .gpus = 2,
                                            .seconds = 700,
                                            .interval_ms = 500,
                                            .step_ms = load == SM_LOAD_STRAGGLER ? 500 : 0}));
        live_open_path(l, dir, (struct sm_trial_options){0});
        struct sm_rules *r = new_rules(l);
        struct sm_rule_instance *i = attach(r, "ProfilerReport", NULL);
        settle_rules(l, r);
        for (size_t k = 0; k < 11; k++)
            if (sm_profiler_report_part(i, k)->triggered)
                sm_str_printf(&fired, "%s ", sm_profiler_report_part(i, k)->name);
        assert_string_equal(sm_str_text(&fired), expected[load]);
        sm_str_clear(&fired);
        close_rules(l, r);
        live_close(l);
    }
}

/* A window is judged when there are data after it. */
static void test_live(void **state)
{
    struct live *l = *state;
    FILE *f = open_metrics(l);
    for (int i = 0; i < 5; i++)
        put_gpu(f, "gpu0", i / 2.0, 50);
    fclose(f);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i =
        attach(r, "LowGPUUtilization", "window=1", "patience=0", "scan_interval_us=1000000", NULL);
    settle_rules(l, r);
    assert_int_equal(i->triggered, 2); /* the third window has but one of its points */
    assert_int_equal(i->status, SM_RULE_IN_PROGRESS);
    f = open_metrics(l);
    for (int k = 5; k < 8; k++)
        put_gpu(f, "gpu0", k / 2.0, k < 6 ? 50 : 90);
    fclose(f);
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(i->triggered, 3);
    sm_rules_finite(r, true);
    settle_rules(l, r);
    assert_int_equal(i->triggered, 3);
    assert_int_equal(i->datapoints, 8);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    close_rules(l, r);
}

/* Ticks [from, to) of 2 a second, of node algo-2 too if it is not late. */
static void put_nodes(struct live *l, int from, int to, int first, int last)
{
    FILE *f = open_metrics(l);
    for (int i = from; i < to; i++)
        for (int node = first; node <= last; node++)
            put(f, node ? "algo-2" : "algo-1", "gpu0", "GPUUtilization", i / 2.0, node ? 20 : 50);
    fclose(f);
}

static size_t count_fired;
static void count(void *ctx, const struct sm_rule_instance *i, const struct sm_finding *f)
{
    (void)ctx, (void)i, (void)f;
    count_fired++;
}

/* What comes after its window was judged is counted; a firing is not reported twice. */
static void test_late(void **state)
{
    struct live *l = *state;
    put_nodes(l, 0, 9, 0, 0);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    count_fired = 0;
    sm_rules_on_fire(r, count, NULL);
    struct sm_rule_instance *i =
        attach(r, "LowGPUUtilization", "window=1", "patience=0", "scan_interval_us=1000000", NULL);
    attach(r, "ProfilerReport", "LowGPUUtilization_window=1", "LowGPUUtilization_patience=0",
           "scan_interval_us=1000000", NULL);
    settle_rules(l, r);
    assert_int_equal(i->triggered, 4);
    assert_int_equal(count_fired, 4);
    put_nodes(l, 0, 5, 1, 1);
    live_beat(l);
    settle_rules(l, r);
    put_nodes(l, 5, 9, 1, 1);
    live_beat(l);
    sm_rules_finite(r, true);
    settle_rules(l, r);
    assert_int_equal(i->triggered, 10);
    assert_int_equal(i->datapoints, 9);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    assert_int_equal(count_fired, 6); /* the fifth window, and the report */
    put_nodes(l, 9, 11, 0, 1);        /* the last window again, and one more */
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(i->triggered, 12);
    assert_int_equal(i->status, SM_RULE_ISSUES);
    close_rules(l, r);
}

static void set_time(struct live *l, const char *name, time_t seconds)
{
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, in(l, "%s", name), times, 0), 0);
}

static void set_tree_time(struct live *l, time_t seconds)
{
    set_time(l, "system/incremental/1600000000.algo-1.json", seconds);
    set_time(l, "system/incremental", seconds);
    set_time(l, "system", seconds);
}

/* What a job that stalls has written is judged, also its last window; if the job goes on, that
 * window is judged again with what it got. */
static void test_stalled(void **state)
{
    struct live *l = *state;
    write_ticks(l, "CPUUtilization", 0.005, 0, 7);
    set_tree_time(l, START);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i = attach(r, "CPUBottleneck", "patience=0", NULL),
                            *report = attach(r, "ProfilerReport", "CPUBottleneck_patience=6", NULL);
    settle_rules(l, r);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_STALLED);
    assert_counts(i, 7, 6, 1);
    assert_int_equal(report->status, SM_RULE_ISSUES);
    assert_true(sm_rules_windows_judged(r));
    write_ticks(l, "CPUUtilization", 0.005, 7, 10);
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    assert_int_equal(i->status, SM_RULE_IN_PROGRESS);
    assert_int_equal(i->datapoints, 0); /* its only window is not full */
    assert_int_equal(report->status, SM_RULE_IN_PROGRESS);
    sm_rules_finite(r, true);
    settle_rules(l, r);
    assert_counts(i, 10, 6, 1);
    write_ticks(l, "CPUUtilization", 0.005, 10, 14); /* after all: 6 of 14 are not enough */
    live_beat(l);
    settle_rules(l, r);
    assert_counts(i, 14, 6, 0);
    assert_int_equal(report->status, SM_RULE_NO_ISSUES);
    close_rules(l, r);
}

/* A second of ticks, and news of it. */
static void go_on(struct live *l, struct sm_rules *r, int second)
{
    put_nodes(l, 2 * second, 2 * second + 2, 0, 0);
    live_beat(l);
    sm_clock_freeze(sm_clock_mono_us(), sm_trial_newest_us(l->trial));
    settle_rules(l, r);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
}

/* A job that stalls again and again is not judged from its beginning each time that it goes on. */
static void test_stalls_often(void **state)
{
    enum { TIMES = 40 };
    struct live *l = *state;
    put_nodes(l, 0, 8, 0, 0);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i =
        attach(r, "LowGPUUtilization", "window=1", "patience=0", "scan_interval_us=1000000", NULL);
    for (int k = 0; k < TIMES; k++) {
        go_on(l, r, 4 + k);
        assert_int_equal(i->status, SM_RULE_IN_PROGRESS);
        sm_clock_advance(3600 * INT64_C(1000000));
        live_beat(l);
        settle_rules(l, r);
        assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_STALLED);
        assert_int_equal(i->status, SM_RULE_ISSUES);
        assert_true(i->triggered == 4 + (uint64_t)k || i->triggered == 5 + (uint64_t)k);
    }
    assert_true(r->windows_done <= 4 * (4 + TIMES));
    sm_rules_finite(r, true);
    settle_rules(l, r);
    assert_int_equal(i->triggered, 4 + TIMES);
    sm_clock_thaw();
    close_rules(l, r);
}

/* A file that grows is the newest that there is, though its folder does not change. */
static void test_newest(void **state)
{
    struct live *l = *state;
    put_nodes(l, 0, 2, 0, 0);
    set_tree_time(l, START);
    set_time(l, "system/incremental/1600000000.algo-1.json", START + 50);
    live_open_path(l, l->path, (struct sm_trial_options){0});
    live_settle(l);
    assert_true(sm_trial_newest_us(l->trial) == (START + 50) * INT64_C(1000000));
    live_close(l);
}

/* A year without data does not take a year's windows. */
static void test_gap(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    FILE *f = open_metrics(l);
    for (int i = 0; i < 4; i++)
        put_gpu(f, "gpu0", i % 2 + (i < 2 ? 0 : 365 * 86400.0), 50);
    fclose(f);
    struct sm_rule_instance *i =
        judged(l, &r, "LowGPUUtilization", "window=1", "patience=0", "scan_interval_us=1000000");
    assert_int_equal(i->datapoints, 4);
    assert_int_equal(i->triggered, 4);
    close_rules(l, r);
}

/* Nor do events, which are kept in blocks of some that span it. */
static void test_gap_of_events(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    static const char *const phases[] = {"Forward", NULL};
    FILE *f = open_events(l, phases);
    for (int i = 0; i < 4; i++)
        put_event(f, 1, "net", i % 2 * 60.0 + (i < 2 ? 0 : 365 * 86400.0), 0.1, 41);
    close_events(f);
    struct sm_rule_instance *i = judged(l, &r, "MaxInitializationTime", NULL, NULL, NULL);
    assert_int_equal(i->triggered, 2); /* after the year, no step has begun */
    close_rules(l, r);
}

static void test_no_profile(void **state)
{
    struct live *l = *state;
    open_shipped(l, "tiny");
    struct sm_rules *r = new_rules(l);
    struct sm_rule_instance *i = attach(r, "CPUBottleneck", NULL);
    settle_rules(l, r);
    assert_int_equal(i->status, SM_RULE_ERROR);
    assert_string_equal(i->reason, "the run has no profile");
    close_rules(l, r);
}

static void test_profiler_report(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    write_gpus(l);
    struct sm_rule_instance *i = judged(l, &r, "ProfilerReport", "LowGPUUtilization_patience=4",
                                        "lowgpuutilization_window=4", "scan_interval_us=1000000");
    assert_counts(i, 5, 1, 1); /* at the end, of five windows */
    assert_has(i->findings[0].text, "LowGPUUtilization fired 6 times: gpu0");
    assert_null(sm_profiler_report_part(i, 11));
    assert_string_equal(sm_profiler_report_part(i, 0)->name, "CPUBottleneck");
    assert_string_equal(sm_profiler_report_part(i, 10)->name, "OverallFrameworkMetrics");
    struct sm_rule_instance *bad = attach(r, "ProfilerReport", "CPUBottleneck_threshold=101", NULL);
    assert_int_equal(bad->status, SM_RULE_ERROR);
    assert_has(bad->reason, "threshold");
    bad = attach(r, "ProfilerReport", "CPUBottleneck_window=1", NULL);
    assert_int_equal(bad->status, SM_RULE_ERROR);
    close_rules(l, r);
}

/* A rule that is attached beside the report is judged once, whichever of them is attached first. */
static void test_report_shares(void **state)
{
    struct live *l = *state;
    write_gpus(l);
    live_open_path(l, l->path, (struct sm_trial_options){0});
    for (int first = 0; first < 2; first++) {
        struct sm_rules *r = new_rules(l);
        struct sm_rule_instance *rule = NULL, *other;
        if (first)
            rule = attach(r, "LowGPUUtilization", "patience=4", "window=4",
                          "scan_interval_us=1000000", NULL);
        struct sm_rule_instance *report =
            attach(r, "ProfilerReport", "LowGPUUtilization_patience=4",
                   "LowGPUUtilization_window=4", "scan_interval_us=1000000", NULL);
        if (!first)
            rule = attach(r, "LowGPUUtilization", "window=4.0", "patience=4",
                          "scan_interval_us=1e6", NULL);
        other = attach(r, "BatchSize", "patience=3", NULL);
        settle_rules(l, r);
        assert_ptr_equal(sm_profiler_report_part(report, 2), rule);
        assert_int_equal(rule->triggered, 6);
        assert_counts(report, 5, 1, 1);
        assert_ptr_not_equal(sm_profiler_report_part(report, 5), other);
        sm_rules_remove(r, sm_rules_find(r, rule->name));
        assert_string_equal(sm_profiler_report_part(report, 2)->name, "LowGPUUtilization");
        close_rules(l, r);
    }
}

/* What asks for a rule of the profile gets the one that judges it already. */
static void test_judged_already(void **state)
{
    struct live *l = *state;
    write_gpus(l);
    live_open_path(l, l->path, (struct sm_trial_options){0});
    struct sm_rules *r = new_rules(l), *asked = new_rules(l);
    struct sm_rule_instance *like = attach(asked, "LowGPUUtilization", NULL),
                            *doc = attach(asked, "StepOutlier", "stddev=5", NULL);
    assert_null(sm_profiler_judged(r, 2, like));
    struct sm_rule_instance *report = attach(r, "ProfilerReport", NULL);
    settle_rules(l, r);
    assert_true(sm_rules_windows_judged(r));
    assert_ptr_equal(sm_profiler_judged(r, 2, like), sm_profiler_report_part(report, 2));
    assert_null(sm_profiler_judged(r, 3, doc));
    struct sm_rule_instance *one = attach(r, "LowGPUUtilization", "patience=1000", NULL);
    assert_false(sm_rules_windows_judged(r));
    settle_rules(l, r);
    assert_ptr_equal(sm_profiler_judged(r, 2, like), one);
    attach(asked, "LowGPUUtilization", "policy=once", NULL);
    assert_null(sm_profiler_judged(asked, 2, attach(r, "LowGPUUtilization", "patience=1", NULL)));
    close_rules(l, asked);
    close_rules(l, r);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_gpu_memory_increase),
        TEST(test_low_gpu_utilization),
        TEST(test_cpu_bottleneck),
        TEST(test_snapshots_are_of_20_ms),
        TEST(test_io_bottleneck),
        TEST(test_batch_size),
        TEST(test_load_balancing),
        TEST(test_load_balancing_of_nodes),
        TEST(test_step_outlier),
        TEST(test_few_outliers),
        TEST(test_steps_are_forgotten),
        TEST(test_dataloader),
        TEST(test_enough_loaders),
        TEST(test_max_initialization_time),
        TEST(test_overall_framework_metrics),
        TEST(test_overall_system_usage),
        TEST(test_auto),
        TEST(test_scripted_loads),
        TEST(test_live),
        TEST(test_late),
        TEST(test_stalled),
        TEST(test_stalls_often),
        TEST(test_newest),
        TEST(test_gap),
        TEST(test_gap_of_events),
        TEST(test_no_profile),
        TEST(test_profiler_report),
        TEST(test_report_shares),
        TEST(test_judged_already),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
