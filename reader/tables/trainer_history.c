#include "reader/tables/trainer_history.h"

#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/tables/column_name.h"
#include "reader/tables/yaml.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

struct reading {
    struct sm_trainer_history *h;
    struct sm_json_row *row;
    struct sm_err *err;
    bool found, ok; /* the history; what it holds */
};

static void add_point(struct sm_trainer_history *h, struct sm_json_row *row,
                      const struct sm_json_item *x, int64_t step)
{
    if (!SM_VEC_ROOM(h->points, h->n, h->cap))
        row->failed = true;
    else
        h->points[h->n++] = (struct sm_trainer_point){step, x->number, x->key};
}

static bool is_step(const struct sm_json_row *row, const struct sm_json_item *x)
{
    return row->keys[x->key].rank == SM_STEP_STEP &&
           strcmp(sm_names_text(row->names, x->key), "step") == 0;
}

/* An entry of the history. One without a step is of the step before. */
static bool take_entry(struct reading *r, const char *p, size_t n)
{
    struct sm_trainer_history *h = r->h;
    int64_t step = h->n ? h->points[h->n - 1].step : 0;
    if (!sm_json_row_read(r->row, p, n, r->err))
        return false;
    for (size_t i = 0; i < r->row->n; i++)
        if (r->row->items[i].type == SM_LOG_NUMBER && is_step(r->row, &r->row->items[i]))
            sm_step_value(r->row->items[i].number, &step);
    for (size_t i = 0; i < r->row->n && !r->row->failed; i++)
        if (r->row->items[i].type == SM_LOG_NUMBER && !is_step(r->row, &r->row->items[i]))
            add_point(h, r->row, &r->row->items[i], step);
    return !r->row->failed || sm_err_set(r->err, SM_ERR_MEMORY, "no memory for a history");
}

/* The end of the text whose opening quote is at p, in JSON that was parsed before. */
static const char *text_end(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\';
    return p < end ? p + 1 : end;
}

/* Takes the objects of an array. */
static bool take_entries(struct reading *r, const char *p, const char *end)
{
    const char *begin = p;
    size_t depth = 0;
    while (p < end) {
        if (*p == '"') {
            p = text_end(p, end);
            continue;
        }
        if (*p == '{' && depth++ == 0)
            begin = p;
        if (*p++ == '}' && --depth == 0 && !take_entry(r, begin, (size_t)(p - begin)))
            return false;
    }
    return true;
}

static void on_top(void *ctx, const struct sm_log_value *v)
{
    struct reading *r = ctx;
    int64_t n;
    if (v->type == SM_LOG_ARRAY && strcmp(v->name, "log_history") == 0) {
        r->found = true;
        r->ok = take_entries(r, v->text, v->text + v->text_n);
    }
    if (v->type == SM_LOG_NUMBER && sm_step_value(v->number, &n)) {
        if (strcmp(v->name, "global_step") == 0)
            r->h->step = n;
        if (strcmp(v->name, "max_steps") == 0)
            r->h->last = n;
    }
    if (v->type == SM_LOG_BOOL && v->number != 0 && strstr(v->name, "should_training_stop"))
        r->h->stopped = true;
}

bool sm_trainer_history_read(struct sm_trainer_history *h, struct sm_str *text,
                             struct sm_json_row *row, struct sm_err *err)
{
    struct reading r = {h, row, err, false, false};
    struct sm_err parse;
    h->text = *text;
    *text = (struct sm_str){0};
    h->step = h->last = -1;
    if (!sm_log_json_leaves(sm_str_text(&h->text), h->text.len, '.', on_top, &r, &parse)) {
        *err = parse;
        return false;
    }
    return r.found ? r.ok : sm_err_set(err, SM_ERR_DATA, "has no log_history");
}

uint32_t sm_trainer_history_crc(const struct sm_trainer_history *h, size_t n)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        const struct sm_trainer_point *x = &h->points[i];
        crc = sm_crc32c_more(crc, &x->step, sizeof x->step);
        crc = sm_crc32c_more(crc, &x->value, sizeof x->value);
        crc = sm_crc32c_more(crc, &x->item, sizeof x->item);
    }
    return crc;
}

void sm_trainer_history_clear(struct sm_trainer_history *h)
{
    sm_free(h->points);
    sm_str_clear(&h->text);
    *h = (struct sm_trainer_history){0};
}

/* ---- handing on ---- */

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void tell_value(void *ctx, const struct sm_log_value *v)
{
    static const char *const settings[] = {"max_steps",       "num_train_epochs", "logging_steps",
                                           "eval_steps",      "save_steps",       "trial_name",
                                           "train_batch_size"};
    static const char *const results[] = {
        "best_metric", "best_model_checkpoint", "best_global_step", "global_step", "epoch",
        "total_flos",  "num_input_tokens_seen"};
    static const char trial[] = "trial_params.";
    struct sm_str text = {0};
    const char *json = v->text;
    size_t n = v->text_n, skip = strncmp(v->name, trial, sizeof trial - 1) ? 0 : sizeof trial - 1;
    if (v->type == SM_LOG_TEXT) {
        sm_json_quote(&text, v->text, v->text_n);
        json = sm_str_text(&text);
        n = text.len;
    }
    if (v->type != SM_LOG_NULL && (skip || is_one_of(v->name, settings, 7)))
        sm_log_config(ctx, v->name + skip, v->name_n - skip, json, n);
    else if (v->type != SM_LOG_NULL && is_one_of(v->name, results, 7))
        sm_log_summary(ctx, v->name, v->name_n, json, n);
    sm_str_clear(&text);
}

void sm_trainer_history_tell(const struct sm_trainer_history *h, struct sm_log_sink *sink)
{
    struct sm_err err;
    sm_log_json_leaves(sm_str_text(&h->text), h->text.len, '.', tell_value, sink, &err);
    sm_log_ended(sink, (h->last > 0 && h->step >= h->last) || h->stopped, 0);
}
