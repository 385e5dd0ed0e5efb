/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/hook/replay.h"

#include "reader/base/mem.h"
#include "reader/format/location.h"
#include "reader/hook/writer.h"
#include "reader/trial.h"

#include <errno.h>
#include <string.h>
#include <time.h>

enum { COLLECTIONS_MAX = 256 << 20 };
#define PAUSE_MAX_US ((int64_t)3600 * 1000000)

struct replay {
    const struct sm_replay_options *o;
    struct sm_source *source;
    struct sm_trial *trial;
    struct sm_writer **writers; /* one per worker */
    bool *has_collections;
    size_t n_writers;
    const char *dst;
    struct sm_index index;
};

static bool sleep_us(void *ctx, int64_t us)
{
    (void)ctx;
    struct timespec ts = {us / 1000000, us % 1000000 * 1000};
    while (nanosleep(&ts, &ts) != 0 && errno == EINTR)
        ;
    return true;
}

static bool open_writers(struct replay *r, struct sm_err *err)
{
    r->n_writers = sm_trial_worker_count(r->trial);
    r->writers = sm_alloc_zero(r->n_writers, sizeof *r->writers);
    r->has_collections = sm_alloc_zero(r->n_writers, sizeof *r->has_collections);
    if (!r->writers || !r->has_collections)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to replay");
    for (size_t w = 0; w < r->n_writers; w++)
        if (!sm_writer_open(r->dst, sm_trial_worker(r->trial, (uint16_t)w), &r->writers[w], err))
            return false;
    return true;
}

static bool read_source_file(struct replay *r, const struct sm_str *path, struct sm_str *out,
                             struct sm_err *err)
{
    if (path->failed)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to replay");
    return sm_source_slurp(r->source, sm_str_text(path), COLLECTIONS_MAX, out, err);
}

/* The collections file is written after the worker's first step, as in the original library. */
static bool copy_collections(struct replay *r, uint16_t worker, struct sm_err *err)
{
    struct sm_str path = {0}, text = {0};
    struct sm_arena arena = {0};
    struct sm_collections_def def;
    if (r->has_collections[worker])
        return true;
    r->has_collections[worker] = true;
    sm_location_collections(&path, sm_trial_worker(r->trial, worker));
    bool ok = read_source_file(r, &path, &text, err);
    bool missing = !ok && err->code == SM_ERR_MISSING;
    ok = ok && sm_collections_parse(sm_str_text(&text), text.len, &arena, &def, err) &&
         sm_writer_collections(r->writers[worker], &def, err);
    sm_str_clear(&path);
    sm_str_clear(&text);
    sm_arena_clear(&arena);
    return ok || missing;
}

static bool copy_values(struct replay *r, struct sm_writer *w, struct sm_err *err)
{
    struct sm_str bytes = {0};
    const struct sm_index *x = &r->index;
    bool ok = !x->event_file.n ||
              sm_source_slurp(r->source, x->event_file.p, (size_t)1 << 34, &bytes, err);
    for (size_t i = 0; ok && i < x->n_payloads; i++) {
        const struct sm_index_payload *p = &x->payloads[i];
        if (p->offset > bytes.len || p->length > bytes.len - p->offset)
            ok = sm_err_set(err, SM_ERR_DATA, "%s is shorter than its index says", x->event_file.p);
        else
            ok = sm_writer_record(
                w, p->name, (struct sm_bytes){(const uint8_t *)bytes.data + p->offset, p->length},
                err);
    }
    for (size_t i = 0; ok && i < x->n_shapes; i++)
        ok = sm_writer_shape(w, x->shapes[i].name, x->shapes[i].original, x->shapes[i].dims,
                             x->shapes[i].n_dims, err);
    sm_str_clear(&bytes);
    return ok;
}

static bool copy_part(struct replay *r, const struct sm_part *p, struct sm_err *err)
{
    struct sm_str path = {0}, text = {0};
    struct sm_writer *w = r->writers[p->worker];
    sm_location_index(&path, p->step.n, sm_trial_worker(r->trial, p->worker));
    bool ok = read_source_file(r, &path, &text, err) &&
              sm_index_parse(sm_str_text(&text), text.len, &r->index, err) &&
              sm_writer_begin_step(w, p->step.n, r->index.mode, r->index.mode_step, err) &&
              copy_values(r, w, err) && sm_writer_end_step(w, err) &&
              copy_collections(r, p->worker, err);
    sm_str_clear(&path);
    sm_str_clear(&text);
    return ok;
}

/* The wall time in the first record of the step: file times are lost when files are copied. */
static double step_time_s(struct replay *r, const struct sm_part *p)
{
    uint8_t head[SM_FRAME_HEADER + 9];
    size_t got;
    const char *path = sm_trial_event_path(r->trial, p);
    if (!path || !sm_source_read(r->source, path, 0, head, sizeof head, &got, NULL) ||
        got < sizeof head || head[SM_FRAME_HEADER] != 9)
        return (double)p->time_us / 1e6;
    uint64_t bits = sm_get_u64(head + SM_FRAME_HEADER + 1);
    double t;
    memcpy(&t, &bits, sizeof t);
    return t;
}

static int64_t pause_before(struct replay *r, size_t i)
{
    if (i == 0)
        return 0;
    if (r->o->interval_ms > 0)
        return (int64_t)r->o->interval_ms * 1000;
    double before = step_time_s(r, sm_trial_step_part(r->trial, i - 1, 0)),
           now = step_time_s(r, sm_trial_step_part(r->trial, i, 0));
    double us = (now - before) * 1e6 / (r->o->speed > 0 ? r->o->speed : 1);
    return us > 0 && us < (double)PAUSE_MAX_US ? (int64_t)us : 0;
}

static bool copy_steps(struct replay *r, struct sm_err *err)
{
    for (size_t i = 0; i < sm_trial_step_count(r->trial); i++) {
        const struct sm_part *p;
        if (!(r->o->pause ? r->o->pause : sleep_us)(r->o->ctx, pause_before(r, i)))
            return true;
        for (p = sm_trial_step_part(r->trial, i, 0); p; p = sm_trial_next_part(r->trial, p))
            if (!copy_part(r, p, err))
                return sm_err_prefix(err, "step %lld", (long long)p->step.n);
    }
    for (size_t w = 0; w < r->n_writers; w++)
        if (!copy_collections(r, (uint16_t)w, err))
            return false;
    return sm_trial_state(r->trial) != SM_TRIAL_ENDED || !r->n_writers ||
           sm_writer_end_job(r->writers[0], err);
}

static bool open_source(struct replay *r, const char *src, struct sm_pool *pool, struct sm_err *err)
{
    struct sm_trial_options o = {0};
    struct sm_source *dir = sm_source_dir_new(src, err);
    r->source = dir ? sm_source_packed_new(dir, err) : NULL;
    sm_source_unref(dir);
    if (!r->source || !sm_trial_open(r->source, &o, pool, &r->trial, err))
        return false;
    while (!sm_trial_scanned(r->trial)) {
        sm_pool_collect(pool, 1);
        sm_trial_pump(r->trial);
    }
    const struct sm_problems *p = sm_trial_problems(r->trial);
    for (size_t i = 0; i < p->n; i++) /* I/O or memory errors: steps are missing */
        if (p->items[i].code == SM_ERR_MEMORY || p->items[i].code == SM_ERR_IO)
            return sm_err_set(err, p->items[i].code, "%s", p->items[i].message);
    return sm_trial_step_count(r->trial) ||
           sm_err_set(err, SM_ERR_MISSING, "%s: no steps to replay", src);
}

bool sm_replay(const char *src, const char *dst, const struct sm_replay_options *o,
               struct sm_err *err)
{
    struct replay r = {.o = o, .dst = dst};
    struct sm_pool *pool = sm_pool_new(0, 0, err);
    bool ok = pool &&
              (sm_writer_dir_is_free(dst) ||
               sm_err_set(err, SM_ERR_REFUSED, "%s: directory is not empty", dst)) &&
              open_source(&r, src, pool, err) && open_writers(&r, err) && copy_steps(&r, err);
    for (size_t w = 0; r.writers && w < r.n_writers; w++)
        sm_writer_close(r.writers[w]);
    sm_free(r.writers);
    sm_free(r.has_collections);
    sm_index_clear(&r.index);
    sm_trial_close(r.trial);
    sm_pool_free(pool);
    sm_source_unref(r.source);
    return ok;
}
