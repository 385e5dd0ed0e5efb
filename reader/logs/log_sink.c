/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/vec.h"
#include "reader/format/dtype.h"
#include "reader/logs/log_json.h"
#include "reader/logs/log_source.h"
#include "reader/logs/log_state.h"

#include <string.h>

/* A run has one worker; it is called as that of a directory of TensorBoard. */
static const char worker[] = ".";
static const char no_step[] = "points with a negative step are left out";

void sm_log_sink_clear(struct sm_log_sink *s)
{
    sm_names_free(s->series);
    sm_free(s->local);
    sm_batch_free(s->batch);
    sm_problems_clear(&s->problems);
    sm_run_info_clear(&s->info);
    *s = (struct sm_log_sink){0};
}

void sm_log_sink_next(struct sm_log_sink *s)
{
    if (s->local)
        memset(s->local, 0, s->cap_local * sizeof *s->local);
}

/* ---- points ---- */

uint32_t sm_log_series(struct sm_log_sink *s, const char *name, size_t n)
{
    size_t before = s->cap_local;
    if (!s->series)
        s->series = sm_names_new();
    uint32_t id = s->series && n ? sm_names_add(s->series, name, n) : SM_NAME_NONE;
    bool ok = id != SM_NAME_NONE &&
              sm_vec_reserve((void **)&s->local, &s->cap_local, (size_t)id + 1, sizeof *s->local);
    if (ok && s->cap_local > before)
        memset(s->local + before, 0, (s->cap_local - before) * sizeof *s->local);
    s->failed = s->failed || !ok;
    return ok ? id : SM_NAME_NONE;
}

static bool begin_batch(struct sm_log_sink *s)
{
    if (s->batch)
        return true;
    s->batch = sm_batch_new(0, 1);
    return s->batch;
}

/* The series' id in the batch, plus 1; 0 if there is no memory. */
static uint32_t local_name(struct sm_log_sink *s, uint32_t series)
{
    if (!s->local[series])
        s->local[series] = sm_names_add(s->batch->names, sm_names_text(s->series, series),
                                        sm_names_length(s->series, series)) +
                           1;
    return s->local[series];
}

/* The part of the step: the last one, or a new one. */
static struct sm_batch_part *part_of(struct sm_log_sink *s, int64_t step, double time)
{
    struct sm_batch *b = s->batch;
    if (b->n_parts && b->parts[b->n_parts - 1].step == step)
        return &b->parts[b->n_parts - 1];
    uint32_t name = sm_names_add(b->names, worker, sizeof worker - 1);
    if (name == SM_NAME_NONE || !SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts))
        return NULL;
    bool known = isfinite(time) && fabs(time) < 1e12;
    b->parts[b->n_parts] = (struct sm_batch_part){
        .step = step,
        .mode_step = step,
        .mode = SM_MODE_GLOBAL,
        .time_us = known ? (int64_t)(time * 1e6) : s->written_us,
        .adds = true,
        .worker = name,
        .event_file = SM_NAME_NONE,
        .first_scalar = b->n_scalars,
        .first_value = b->n_values,
    };
    return &b->parts[b->n_parts++];
}

void sm_log_point(struct sm_log_sink *s, uint32_t series, int64_t step, double time, double value)
{
    if (step < 0) {
        struct sm_err err;
        if (!s->negative++)
            sm_problems_add(&s->problems, ".", -1, (sm_err_set(&err, SM_ERR_DATA, no_step), &err));
        return;
    }
    if (series == SM_NAME_NONE)
        return;
    uint32_t name = begin_batch(s) ? local_name(s, series) : 0;
    struct sm_batch_part *p = name ? part_of(s, step, time) : NULL;
    struct sm_batch *b = s->batch;
    if (!p || !SM_VEC_ROOM(b->scalars, b->n_scalars, b->cap_scalars)) {
        s->failed = true;
        return;
    }
    b->scalars[b->n_scalars++] = (struct sm_batch_scalar){
        .time = time, .number = value, .name = name - 1, .dtype = SM_DTYPE_FLOAT64};
    p->n_scalars++;
}

static void add_value(struct sm_log_sink *s, uint32_t series, int64_t step, double time,
                      const struct sm_batch_value *v)
{
    uint32_t name = begin_batch(s) ? local_name(s, series) : 0;
    struct sm_batch_part *p = name ? part_of(s, step, time) : NULL;
    struct sm_batch *b = s->batch;
    if (p && p->event_file == SM_NAME_NONE)
        p->event_file = sm_names_add(b->names, SM_LOG_VALUES, sizeof SM_LOG_VALUES - 1);
    if (!p || p->event_file == SM_NAME_NONE ||
        !SM_VEC_ROOM(b->values, b->n_values, b->cap_values)) {
        s->failed = true;
        return;
    }
    b->values[b->n_values] = *v;
    b->values[b->n_values++].name = name - 1;
    p->n_values++;
}

void sm_log_value(struct sm_log_sink *s, struct sm_source *source, uint32_t series, int64_t step,
                  double time, const struct sm_event_value *v, const struct sm_log_origin *from)
{
    struct sm_batch_value x = {.form = (uint8_t)sm_value_form_of(v)};
    if (step < 0 || series == SM_NAME_NONE)
        return;
    struct sm_log_record r = {
        .tag = {sm_names_text(s->series, series), sm_names_length(s->series, series)},
        .step = step,
        .time = time,
        .from = *from};
    if (sm_log_source_add(source, &r, v, &x.offset, &x.length))
        add_value(s, series, step, time, &x);
}

void sm_log_unshown(struct sm_log_sink *s, const char *what)
{
    bool ok = sm_run_info_ignore(&s->info, what);
    s->failed = s->failed || !ok;
    s->informed = true;
}

void sm_log_restart(struct sm_log_sink *s)
{
    sm_batch_free(s->batch);
    s->batch = NULL;
    sm_log_sink_next(s);
    sm_run_info_clear(&s->info);
    s->ended = false;
    s->exit_code = 0;
    s->negative = 0;
    s->informed = s->restarted = true;
}

void sm_log_written(struct sm_log_sink *s, int64_t mtime_us)
{
    s->written_us = mtime_us > s->written_us ? mtime_us : s->written_us;
}

/* ---- what is said of the run ---- */

void sm_log_name(struct sm_log_sink *s, const char *name, size_t n)
{
    sm_free(s->info.name);
    s->info.name = n ? sm_strndup(name, n) : NULL;
    s->failed = s->failed || (n && !s->info.name);
    s->informed = true;
}

/* Where the leaves of a JSON value go. */
struct leaf_target {
    struct sm_log_sink *sink;
    struct sm_run_fields *fields;
    const char *key;
    size_t n;
};

static void set_field(const struct leaf_target *to, const char *key, size_t n, const char *json,
                      size_t m)
{
    bool ok = sm_run_fields_set(to->fields, key, n, json, m);
    to->sink->failed = to->sink->failed || !ok;
    to->sink->informed = true;
}

static void set_string(const struct leaf_target *to, const char *key, size_t n, const char *p,
                       size_t m)
{
    struct sm_str json = {0};
    struct sm_json_writer *w = sm_json_writer_new(&json);
    sm_json_text(w, p, m);
    sm_json_writer_free(w);
    set_field(to, key, n, json.data, json.len);
    sm_str_clear(&json);
}

static void on_leaf(void *ctx, const struct sm_log_value *v)
{
    const struct leaf_target *to = ctx;
    struct sm_str name = {0};
    sm_str_addn(&name, to->key, to->n);
    if (v->name_n)
        sm_str_add(&name, ".");
    sm_str_addn(&name, v->name, v->name_n);
    if (name.failed)
        to->sink->failed = true;
    else if (v->type == SM_LOG_TEXT)
        set_string(to, name.data, name.len, v->text, v->text_n);
    else
        set_field(to, name.data, name.len, v->text, v->text_n);
    sm_str_clear(&name);
}

static void set_fields(struct sm_log_sink *s, struct sm_run_fields *fields, const char *key,
                       size_t n, const char *json, size_t m)
{
    struct leaf_target to = {s, fields, key, n};
    struct sm_err err = {0};
    if (sm_log_json_leaves(json, m, '.', on_leaf, &to, &err))
        return;
    if (err.code == SM_ERR_MEMORY)
        s->failed = true;
    else
        set_string(&to, key, n, json, m);
}

void sm_log_config(struct sm_log_sink *s, const char *key, size_t n, const char *json, size_t m)
{
    set_fields(s, &s->info.config, key, n, json, m);
}

void sm_log_summary(struct sm_log_sink *s, const char *key, size_t n, const char *json, size_t m)
{
    set_fields(s, &s->info.summary, key, n, json, m);
}

void sm_log_kinds(struct sm_log_sink *s, const char *series, size_t n, const char *kinds)
{
    const struct leaf_target to = {s, &s->info.sources, series, n};
    set_string(&to, series, n, kinds, strlen(kinds));
}

void sm_log_config_text(struct sm_log_sink *s, const char *key, size_t n, const char *text,
                        size_t m)
{
    const struct leaf_target to = {s, &s->info.config, key, n};
    double v;
    if (sm_log_number(text, m, &v) && isfinite(v))
        set_field(&to, key, n, text, m);
    else
        set_string(&to, key, n, text, m);
}

void sm_log_began(struct sm_log_sink *s, double time)
{
    s->info.began = time;
    s->informed = true;
}

void sm_log_ended(struct sm_log_sink *s, bool ended, int exit_code)
{
    if (s->ended == ended && s->exit_code == exit_code)
        return;
    s->informed = true;
    s->info.ended = s->ended = ended;
    s->info.goes_on = !ended;
    s->info.exit_code = s->exit_code = exit_code;
}

void sm_log_console(struct sm_log_sink *s, const char *p, size_t n)
{
    bool ok = sm_run_info_print(&s->info, p, n);
    s->failed = s->failed || !ok;
    s->informed = s->informed || n;
}

void sm_log_alert(struct sm_log_sink *s, const char *text, size_t n, int64_t step, double time)
{
    bool ok = sm_run_info_alert(&s->info, text, n, isfinite(time) ? time : 0, step);
    s->failed = s->failed || !ok;
    s->informed = true;
}

void sm_log_system(struct sm_log_sink *s, const char *name, size_t n, double time, double value)
{
    bool ok = sm_run_info_sample(&s->info, name, n, time, value);
    s->failed = s->failed || !ok;
    s->informed = true;
}

void sm_log_problem(struct sm_log_sink *s, const char *file, int64_t offset,
                    const struct sm_err *err)
{
    sm_problems_add(&s->problems, file, offset, err);
}
