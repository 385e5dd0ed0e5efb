/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/scalars.h"

#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "reader/hook/writer.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Needs the headers above. */
#include "tests/reader/wandb_file.h"

enum { PATH_BYTES = 4096, FLUSH_BYTES = 1 << 20 };
#define BEGAN 1.7e9 /* of the first step, in seconds since 1970 */

/* ---- the numbers ---- */

static const char *name_of(long scalar, char out[32])
{
    if (scalar < 2)
        snprintf(out, 32, "%s/loss", scalar ? "val" : "train");
    else
        snprintf(out, 32, "metrics/m%03ld", scalar);
    return out;
}

static uint32_t noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 22;
}

static float value_of(long run, long step, uint32_t *state)
{
    return (float)(2 / (1 + 0.01 * (double)step) + 1e-4 * noise(state) + 1e-3 * (double)run);
}

static double time_of(long step)
{
    return BEGAN + 0.5 * (double)step;
}

/* ---- files ---- */

static bool put(FILE *f, struct sm_str *bytes, size_t more_than)
{
    bool ok = !bytes->failed;
    if (bytes->len > more_than || !ok) {
        ok = fwrite(bytes->data, 1, bytes->len, f) == bytes->len && ok;
        sm_str_truncate(bytes, 0);
    }
    return ok;
}

static bool finish(FILE *f, const char *path, bool ok, struct sm_err *err)
{
    ok = (!f || fclose(f) == 0) && f && ok;
    return ok || sm_err_errno(err, "%s", path);
}

static void add_scalar(struct sm_str *out, const char *name, long step, double wall_time, float v)
{
    struct sm_str payload = {0};
    struct sm_err err;
    struct sm_event_value x = {.tag = sm_text(name), .kind = SM_VALUE_SCALAR, .simple = v};
    struct sm_event e = {.wall_time = wall_time, .step = step, .values = &x, .n_values = 1};
    if (!sm_event_write(&payload, &e, &err))
        out->failed = true;
    sm_frame_write(out, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    sm_str_clear(&payload);
}

/* ---- TensorBoard ---- */

static const char *run_dir(const char *dir, const struct sm_bench_scalars *s, long run, char *out)
{
    if (s->runs > 1)
        snprintf(out, PATH_BYTES - 64, "%s/run_%04ld", dir, run);
    else
        snprintf(out, PATH_BYTES - 64, "%s", dir);
    return out;
}

const char *sm_bench_scalars_file(const char *dir, const struct sm_bench_scalars *s, long run,
                                  char *out, size_t n)
{
    char folder[PATH_BYTES];
    snprintf(out, n, "%s/events.out.tfevents.1700000000.host.1.%ld", run_dir(dir, s, run, folder),
             run);
    return out;
}

static bool write_board(const char *dir, const struct sm_bench_scalars *s, long run,
                        struct sm_err *err)
{
    char path[PATH_BYTES], name[32];
    uint32_t state = (uint32_t)run;
    struct sm_str bytes = {0};
    mkdir(run_dir(dir, s, run, path), 0777);
    FILE *f = fopen(sm_bench_scalars_file(dir, s, run, path, sizeof path), "w");
    struct sm_str version = {0};
    pb_double(&version, 1, BEGAN);
    pb_text(&version, 3, "brain.Event:2");
    sm_frame_write(&bytes, (struct sm_bytes){(const uint8_t *)version.data, version.len}, true);
    sm_str_clear(&version);
    bool ok = f;
    for (long i = 0; ok && i < s->steps; i++) {
        for (long k = 0; k < s->scalars; k++)
            add_scalar(&bytes, name_of(k, name), i, time_of(i) + 1e-5 * (double)k,
                       value_of(run, i, &state));
        ok = put(f, &bytes, FLUSH_BYTES);
    }
    ok = ok && put(f, &bytes, 0);
    sm_str_clear(&bytes);
    return finish(f, path, ok, err);
}

bool sm_bench_scalars_append(const char *file, long scalars, long step, double value,
                             struct sm_err *err)
{
    char name[32];
    struct sm_str bytes = {0};
    FILE *f = fopen(file, "a");
    for (long k = 0; k < scalars; k++)
        add_scalar(&bytes, name_of(k, name), step, time_of(step), (float)value);
    bool ok = f && put(f, &bytes, 0);
    sm_str_clear(&bytes);
    return finish(f, file, ok, err);
}

/* ---- W&B ---- */

static void add_run_record(struct sm_str *file, long run)
{
    char id[16];
    struct sm_str m = {0}, start = {0};
    snprintf(id, sizeof id, "bench%03ld", run);
    pb_text(&m, 1, id);
    pb_text(&m, 3, "bench");
    pb_text(&m, 8, id);
    pb_int(&start, 1, (uint64_t)BEGAN);
    pb_message(&m, 17, &start);
    wandb_message(file, 17, &m);
}

static void add_item(struct sm_str *history, const char *name, double v, int digits)
{
    char json[40];
    snprintf(json, sizeof json, "%.*g", digits, v);
    struct sm_str item = {0};
    pb_text(&item, 2, name);
    pb_text(&item, 16, json);
    pb_message(history, 1, &item);
}

static void add_step(struct sm_str *file, const struct sm_bench_scalars *s, long run, long step,
                     uint32_t *state)
{
    char name[32];
    struct sm_str m = {0}, number = {0};
    for (long k = 0; k < s->scalars; k++)
        add_item(&m, name_of(k, name), value_of(run, step, state), 9);
    add_item(&m, "_step", (double)step, 17);
    add_item(&m, "_timestamp", time_of(step), 17);
    add_item(&m, "_runtime", time_of(step) - BEGAN, 17);
    pb_int(&number, 1, (uint64_t)step);
    pb_message(&m, 2, &number);
    wandb_message(file, 2, &m);
}

static bool write_wandb(const char *dir, const struct sm_bench_scalars *s, long run,
                        struct sm_err *err)
{
    char path[PATH_BYTES];
    uint32_t state = (uint32_t)run;
    struct sm_str file = {0}, end = {0};
    snprintf(path, sizeof path, "%s/offline-run-20231114_221320-bench%03ld", dir, run);
    mkdir(path, 0777);
    snprintf(path + strlen(path), 64, "/run-bench%03ld.wandb", run);
    FILE *f = fopen(path, "w");
    wandb_begin(&file);
    add_run_record(&file, run);
    for (long i = 0; i < s->steps; i++)
        add_step(&file, s, run, i, &state);
    pb_int(&end, 2, 1);
    wandb_message(&file, 18, &end);
    bool ok = f && put(f, &file, 0);
    sm_str_clear(&file);
    return finish(f, path, ok, err);
}

/* ---- smdebug ---- */

static bool write_collections(struct sm_writer *w, struct sm_err *err)
{
    static const char *const names[] = {"all", "losses", "metrics"};
    const char *patterns[] = {".*", "loss", "metrics/"};
    enum { COLLECTIONS = sizeof names / sizeof *names };
    struct sm_collection_def defs[COLLECTIONS];
    for (size_t i = 0; i < COLLECTIONS; i++)
        defs[i] = (struct sm_collection_def){
            .name = names[i], .regexes = &patterns[i], .n_regexes = 1, .reductions = ""};
    return sm_writer_collections(w, &(struct sm_collections_def){defs, COLLECTIONS, 1}, err);
}

static bool write_trial_step(struct sm_writer *w, const struct sm_bench_scalars *s, long run,
                             long step, uint32_t *state, struct sm_err *err)
{
    char name[32];
    bool ok = sm_writer_begin_step(w, step, 1, step, err);
    for (long k = 0; ok && k < s->scalars; k++) {
        float x = value_of(run, step, state);
        struct sm_event_value v = {.tag = sm_text(name_of(k, name)),
                                   .kind = SM_VALUE_TENSOR,
                                   .dtype = SM_DTYPE_FLOAT32,
                                   .n_elements = 1,
                                   .content = {(const uint8_t *)&x, sizeof x}};
        ok = sm_writer_tensor(w, &v, time_of(step), err);
    }
    return ok && sm_writer_end_step(w, err);
}

static bool write_trial(const char *dir, const struct sm_bench_scalars *s, long run,
                        struct sm_err *err)
{
    char path[PATH_BYTES];
    uint32_t state = (uint32_t)run;
    struct sm_writer *w = NULL;
    bool ok = sm_writer_open(run_dir(dir, s, run, path), "worker_0", &w, err) &&
              write_collections(w, err);
    for (long i = 0; ok && i < s->steps; i++)
        ok = write_trial_step(w, s, run, i, &state, err);
    ok = ok && sm_writer_end_job(w, err);
    if (w)
        sm_writer_close(w);
    return ok;
}

/* ---- all ---- */

bool sm_bench_scalars_write(const char *format, const char *dir, const struct sm_bench_scalars *s,
                            struct sm_err *err)
{
    static const struct {
        const char *name;
        bool (*write)(const char *, const struct sm_bench_scalars *, long, struct sm_err *);
    } formats[] = {{"tensorboard", write_board}, {"wandb", write_wandb}, {"trial", write_trial}};
    if (mkdir(dir, 0777) != 0)
        return sm_err_errno(err, "%s", dir);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (strcmp(format, formats[f].name) != 0)
            continue;
        bool ok = true;
        for (long run = 0; ok && run < s->runs; run++)
            ok = formats[f].write(dir, s, run, err);
        return ok;
    }
    return sm_err_set(err, SM_ERR_USAGE, "no format \"%s\"", format);
}
