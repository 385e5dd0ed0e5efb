/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU time of commands for n and for 2n of what their cost should be in proportion to: steps,
 * values of a record, collections, bytes of names, labels. Floor: the time for n; a ratio of 4
 * means that the cost grows with the square. */
#include "tests/bench/bench.h"

#include "reader/base/crc32c.h"
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "reader/hook/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ROUNDS = 3, RATIO = 3 };
enum { STEPS = 10000, VALUES = 400, COLLECTIONS = 10000, NAME_BYTES = 15000, LABELS = 40000 };

/* Writes a trial of size n at the path. */
typedef bool write_trial(const char *path, size_t n);

/* ---- event files ---- */

static bool put_record(FILE *f, const struct sm_event *e)
{
    struct sm_str s = {0};
    struct sm_err err;
    uint8_t header[SM_FRAME_HEADER], footer[SM_FRAME_FOOTER];
    bool ok = sm_event_write(&s, e, &err);
    sm_put_u64(header, s.len);
    sm_put_u32(header + 8, sm_crc32c_mask(sm_crc32c(header, 8)));
    sm_put_u32(footer, sm_crc32c_mask(sm_crc32c(sm_str_text(&s), s.len)));
    ok = ok && fwrite(header, sizeof header, 1, f) == 1 && fwrite(s.data, s.len, 1, f) == 1 &&
         fwrite(footer, sizeof footer, 1, f) == 1;
    sm_str_clear(&s);
    return ok;
}

static bool write_scalars(const char *path, size_t steps, size_t tags)
{
    char name[300];
    struct sm_event_value *values = calloc(tags, sizeof *values);
    char(*names)[24] = calloc(tags, sizeof *names);
    struct sm_event version = {.wall_time = 1e9, .file_version = SM_TEXT("brain.Event:2")};
    snprintf(name, sizeof name, "%s/events.out.tfevents.1000000000.host", path);
    FILE *f = values && names && mkdir(path, 0777) == 0 ? fopen(name, "wb") : NULL;
    bool ok = f && put_record(f, &version);
    for (size_t i = 0; ok && i < tags; i++)
        snprintf(names[i], sizeof names[i], i ? "m%zu" : "loss", i);
    for (size_t s = 0; ok && s < steps; s++) {
        for (size_t i = 0; i < tags; i++)
            values[i] = (struct sm_event_value){.tag = sm_text(names[i]),
                                                .kind = SM_VALUE_SCALAR,
                                                .simple = 1 + (float)((s * 7 + i) % 13) / 100};
        struct sm_event e = {
            .wall_time = 1e9 + (double)s, .step = (int64_t)s, .values = values, .n_values = tags};
        ok = put_record(f, &e);
    }
    ok = (!f || fclose(f) == 0) && ok;
    free(values);
    free(names);
    return ok;
}

static bool write_steps(const char *path, size_t n)
{
    return write_scalars(path, n, 1);
}

static bool write_values(const char *path, size_t n)
{
    return write_scalars(path, 100, n);
}

/* ---- trials ---- */

static bool put_floats(struct sm_writer *w, const char *name, const float *x, size_t n,
                       struct sm_err *err)
{
    struct sm_event_value v = {.tag = sm_text(name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_dims = 1,
                               .dims = {n},
                               .n_elements = n,
                               .content = {(const uint8_t *)x, n * sizeof *x}};
    return sm_writer_tensor(w, &v, 1e9, err);
}

static bool report_failure(const struct sm_err *err)
{
    fprintf(stderr, "bench_doubling: %s\n", err->msg);
    return false;
}

static bool write_collections(const char *path, size_t n)
{
    static const char regex[] = "^no such name$";
    const char *regexes[] = {regex};
    struct sm_collection_def *items = calloc(n, sizeof *items);
    char(*names)[24] = calloc(n, sizeof *names);
    struct sm_err err = {0};
    struct sm_writer *w;
    const float one = 1;
    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "c%zu", i * 7919 % n);
        items[i] = (struct sm_collection_def){
            .name = names[i], .regexes = regexes, .n_regexes = 1, .reductions = ""};
    }
    struct sm_collections_def all = {items, n, 1};
    bool ok = sm_writer_open(path, "worker_0", &w, &err) && sm_writer_collections(w, &all, &err) &&
              sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err) &&
              put_floats(w, "loss", &one, 1, &err) && sm_writer_end_step(w, &err);
    sm_writer_close(w);
    free(items);
    free(names);
    return ok || report_failure(&err);
}

static bool write_names(const char *path, size_t bytes)
{
    enum { NAMES = 100 };
    char *name = malloc(bytes + 16);
    struct sm_err err = {0};
    struct sm_writer *w;
    const float one = 1;
    memset(name, 'a', bytes);
    bool ok = sm_writer_open(path, "worker_0", &w, &err) &&
              sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err);
    for (int i = 0; ok && i < NAMES; i++) {
        snprintf(name + bytes, 16, "loss%d", i);
        ok = put_floats(w, name, &one, 1, &err);
    }
    ok = ok && sm_writer_end_step(w, &err);
    sm_writer_close(w);
    free(name);
    return ok || report_failure(&err);
}

static bool write_labels(const char *path, size_t n)
{
    float *x = malloc(n * sizeof *x);
    struct sm_err err = {0};
    struct sm_writer *w;
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(i * 7919 % n);
    bool ok = sm_writer_open(path, "worker_0", &w, &err) &&
              sm_writer_begin_step(w, 0, SM_MODE_GLOBAL, 0, &err) &&
              put_floats(w, "labels", x, n, &err) && put_floats(w, "predictions", x, n, &err) &&
              sm_writer_end_step(w, &err);
    sm_writer_close(w);
    free(x);
    return ok || report_failure(&err);
}

/* ---- commands ---- */

static const struct group {
    const char *of;
    write_trial *write;
    size_t n;
    const char *const commands[12]; /* pairs of a name and the command */
} groups[] = {
    {"steps",
     write_steps,
     STEPS,
     {"rule_ema", "rule test expr expr='loss > 3 * ema(loss,0.9)' -csv", "rule_window",
      "rule test expr expr='z(loss,500) > 50 || slope(loss,100000) > 5' -csv", "rule_before",
      "rule test expr expr='loss > 9 + loss@-1 + steps(loss)' -csv", "plot", "spark loss", "series",
      "series loss -csv"}},
    {"values", write_values, VALUES, {"spark", "spark *", "tensors", "tensors"}},
    {"collections",
     write_collections,
     COLLECTIONS,
     {"info", "info collections -csv", "tensors", "tensors"}},
    {"name_bytes",
     write_names,
     NAME_BYTES,
     {"tensors", "tensors", "plot", "plot *", "complete", "complete tensor aaaa", "report",
      "report"}},
    {"labels",
     write_labels,
     LABELS,
     {"class_imbalance", "rule test class_imbalance -csv", "stat", "stat labels"}},
};

static double cpu_ms(const struct rusage *u)
{
    return ((double)u->ru_utime.tv_sec + (double)u->ru_stime.tv_sec) * 1e3 +
           ((double)u->ru_utime.tv_usec + (double)u->ru_stime.tv_usec) / 1e3;
}

static bool measure_command(const struct group *g, const char *name, const char *command,
                            const char *one, const char *two)
{
    double once[ROUNDS], twice[ROUNDS];
    char figure[64];
    struct rusage use;
    for (int i = 0; i < ROUNDS; i++) {
        sm_bench_run_program(command, one, &use);
        once[i] = cpu_ms(&use);
        sm_bench_run_program(command, two, &use);
        twice[i] = cpu_ms(&use);
    }
    snprintf(figure, sizeof figure, "double_%s_%s_ms", g->of, name);
    sm_bench_report(&(struct sm_bench_figure){figure, sm_bench_median(twice, ROUNDS),
                                              sm_bench_median(once, ROUNDS), SM_BENCH_RATIO_AT_MOST,
                                              RATIO});
    return true;
}

static bool measure_group(const struct group *g)
{
    char one[300], two[300];
    snprintf(one, sizeof one, "%s/%s_1", sm_bench_path("SCRATCH"), g->of);
    snprintf(two, sizeof two, "%s/%s_2", sm_bench_path("SCRATCH"), g->of);
    bool ok = g->write(one, g->n) && g->write(two, 2 * g->n);
    size_t most = sizeof g->commands / sizeof *g->commands;
    for (size_t i = 0; ok && i < most && g->commands[i]; i += 2)
        ok = measure_command(g, g->commands[i], g->commands[i + 1], one, two);
    return ok;
}

int main(void)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        ok = measure_group(&groups[i]) && ok;
    return !ok;
}
