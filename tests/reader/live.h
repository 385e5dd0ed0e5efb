/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by tests of trials: a scratch directory, a pool without threads, frozen clocks, and
 * writing a step in one call. Nothing sleeps: `live_settle` runs every job that is due and returns
 * when nothing is left to do. */
#ifndef SM_TEST_LIVE_H
#define SM_TEST_LIVE_H

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/fetch/fetch.h"
#include "reader/hook/writer.h"
#include "reader/source/watch.h"
#include "reader/trial.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* cmocka.h needs these included before it */
#include <setjmp.h>
#include <stddef.h>

#include <cmocka.h>

enum { HEARTBEAT_US = 1000000, STALL_US = 600 * 1000000 };

struct live {
    char dir[64];   /* scratch, created for each test */
    char path[256]; /* of the trial */
    struct sm_pool *pool;
    struct sm_source *source;
    struct sm_trial *trial;
    struct sm_fetch *fetch;
};

static inline const char *in(const struct live *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static inline const char *in(const struct live *l, const char *fmt, ...) /* a path below the trial;
                                                                            until the next call but
                                                                            three */
{
    static char ring[4][512];
    static int turn;
    char *out = ring[turn++ % 4];
    va_list ap;
    int n = snprintf(out, sizeof ring[0], "%s/", l->path);
    va_start(ap, fmt);
    vsnprintf(out + n, sizeof ring[0] - (size_t)n, fmt, ap);
    va_end(ap);
    return out;
}

static inline int live_setup(void **state)
{
    struct live *l = calloc(1, sizeof *l);
    struct sm_err err;
    if (!make_scratch(l->dir, sizeof l->dir))
        return -1;
    snprintf(l->path, sizeof l->path, "%s/trial", l->dir);
    l->pool = sm_pool_new(0, 0, &err);
    l->fetch = sm_fetch_new(l->pool, 64 << 20, &err);
    sm_clock_freeze(1000 * HEARTBEAT_US, sm_clock_wall_us());
    *state = l;
    return l->pool && l->fetch ? 0 : -1;
}

static inline void live_close(struct live *l)
{
    if (l->trial)
        sm_fetch_forget(l->fetch, l->trial);
    sm_trial_close(l->trial);
    l->trial = NULL;
    while (sm_pool_pending(l->pool))
        sm_pool_collect(l->pool, 1);
    sm_source_unref(l->source);
    l->source = NULL;
}

static inline int live_teardown(void **state)
{
    struct live *l = *state;
    live_close(l);
    sm_fetch_free(l->fetch);
    sm_pool_free(l->pool);
    remove_tree(l->dir);
    sm_clock_thaw();
    free(l);
    return 0;
}

/* True if something changed. */
static inline bool live_settle(struct live *l)
{
    sm_watch_pump();
    bool changed = sm_trial_pump(l->trial);
    changed = sm_fetch_pump(l->fetch) || changed;
    while (sm_pool_pending(l->pool) || sm_trial_deadline_us(l->trial) <= sm_clock_mono_us()) {
        sm_pool_collect(l->pool, sm_pool_pending(l->pool) > 0);
        sm_watch_pump();
        changed = sm_trial_pump(l->trial) || changed;
        changed = sm_fetch_pump(l->fetch) || changed;
    }
    return changed;
}

/* Advances the clock to the next heartbeat, as if inotify had reported nothing. */
static inline bool live_beat(struct live *l)
{
    sm_clock_advance(6 * HEARTBEAT_US);
    return live_settle(l);
}

/* A late file is proved by a later step, but not before it has had some time to come. */
static inline void live_give_time(struct live *l)
{
    for (int i = 0; i < 12; i++)
        live_beat(l);
}

static inline void live_open_path(struct live *l, const char *path, struct sm_trial_options o)
{
    struct sm_err err;
    struct sm_source *dir = sm_source_dir_new(path, &err);
    assert_non_null(dir);
    l->source = sm_source_packed_new(dir, &err);
    sm_source_unref(dir);
    assert_non_null(l->source);
    assert_true(sm_trial_open(l->source, &o, l->pool, &l->trial, &err));
    live_settle(l);
    for (int i = 0; i < 10000 && !sm_trial_scanned(l->trial); i++) /* patterns, part by part */
        live_settle(l);
    assert_true(sm_trial_scanned(l->trial));
}

static inline void live_open(struct live *l)
{
    live_open_path(l, l->path, (struct sm_trial_options){.follow = true});
}

static inline void open_shipped(struct live *l, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "tests/trials/%s", name);
    live_open_path(l, path, (struct sm_trial_options){0});
}

/* ---- writing ---- */

static inline struct sm_writer *writer(struct live *l, const char *worker)
{
    struct sm_writer *w;
    struct sm_err err;
    if (!sm_writer_open(l->path, worker, &w, &err))
        fail_msg("%s", err.msg);
    return w;
}

static inline void write_collections(struct live *l, const char *worker, int num_workers)
{
    struct sm_writer *w = writer(l, worker);
    struct sm_err err;
    const char *regex = "loss";
    struct sm_collection_def losses = {
        .name = "losses", .regexes = &regex, .n_regexes = 1, .reductions = ""};
    struct sm_collections_def all = {&losses, 1, num_workers};
    assert_true(sm_writer_collections(w, &all, &err));
    sm_writer_close(w);
}

/* The times in records: each is later than the one before, as those of a job are. */
static inline double next_wall_time(void)
{
    static double now = 1e9;
    return now += 1;
}

/* One float32 vector of n elements, all `value`. */
static inline void put_tensor(struct sm_writer *w, const char *name, float value, size_t n)
{
    struct sm_err err;
    float *x = malloc((n + 1) * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = value;
    struct sm_event_value v = {.tag = sm_text(name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_dims = 1,
                               .dims = {n},
                               .n_elements = n,
                               .content = {(const uint8_t *)x, n * sizeof *x}};
    if (!sm_writer_tensor(w, &v, next_wall_time(), &err))
        fail_msg("%s", err.msg);
    free(x);
}

/* A step with two tensors: loss (one element, the step's number) and weight (6 elements). */
static inline void write_mode_step(struct live *l, const char *worker, int64_t step, int mode,
                                   int64_t mode_step)
{
    struct sm_writer *w = writer(l, worker);
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, mode, mode_step, &err));
    put_tensor(w, "loss", (float)step, 1);
    put_tensor(w, "weight", 0.5f, 6);
    if (!sm_writer_end_step(w, &err))
        fail_msg("%s", err.msg);
    sm_writer_close(w);
}

static inline void write_step(struct live *l, const char *worker, int64_t step)
{
    write_mode_step(l, worker, step, SM_MODE_TRAIN, step);
}

static inline void write_end(struct live *l)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_end_job(w, &err));
    sm_writer_close(w);
}

static inline void put_file(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static inline void *get_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("%s cannot be opened", path);
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    char *p = malloc(*n + 1);
    assert_int_equal(fread(p, 1, *n, f), *n);
    p[*n] = 0;
    fclose(f);
    return p;
}

/* ---- reading ---- */

static inline const struct sm_trial_tensor *tensor(const struct live *l, const char *name)
{
    const struct sm_trial_tensor *x = sm_trial_find(l->trial, name, strlen(name));
    if (!x)
        fail_msg("no tensor %s", name);
    return x;
}

/* "0 2 4!": the steps on disk, incomplete ones with a mark; in static memory. */
static inline const char *steps_text(const struct live *l)
{
    static char text[4096];
    size_t n = 0;
    text[0] = 0;
    for (size_t i = 0; i < sm_trial_step_count(l->trial); i++) {
        const struct sm_trial_step *s = sm_trial_step(l->trial, i);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%lld%s", i ? " " : "",
                              (long long)s->step.n, s->complete ? "" : "!");
    }
    return text;
}

static inline struct sm_entry value_at(const struct live *l, const char *name, int64_t step)
{
    return sm_trial_entry(l->trial, tensor(l, name), (struct sm_step){step}, SM_WORKER_ANY,
                          SM_ENTRY_VALUE, 0);
}

/* The mean of a value at a step, requested as a pane would; false with the reason in *err. */
static inline bool mean_at(struct live *l, const char *name, int64_t step, double *out,
                           struct sm_err *err)
{
    struct sm_entry e = value_at(l, name, step);
    const struct sm_facts *facts;
    if (!sm_entry_exists(&e))
        return sm_err_set(err, SM_ERR_MISSING, "no entry");
    for (int i = 0; i < 3; i++) {
        if (sm_fetch_stats(l->fetch, l->trial, &e, &facts, err)) {
            *out = facts->stats.mean;
            return true;
        }
        if (err->code != SM_ERR_WAIT)
            return false;
        live_settle(l);
        e = value_at(l, name, step);
    }
    return false;
}

static inline bool has_problem(const struct live *l, const char *file, const char *words)
{
    const struct sm_problems *p = sm_trial_problems(l->trial);
    for (size_t i = 0; i < p->n; i++)
        if (strstr(p->items[i].file, file) && strstr(p->items[i].message, words))
            return true;
    return false;
}

#endif
