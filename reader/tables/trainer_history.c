/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/trainer_history.h"

#include "reader/logs/yaml.h"
#include "reader/tables/column_name.h"
#include "reader/tables/json_doc.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

struct reading {
    struct sm_trainer_history *h;
    struct sm_json_row *row;
    struct sm_err *err;
    bool found, ok; /* the history; what it holds */
};

static bool is_step(const struct sm_json_row *row, const struct sm_json_item *x)
{
    return row->keys[x->key].rank == SM_STEP_STEP &&
           strcmp(sm_names_text(row->names, x->key), "step") == 0;
}

/* An entry of the history. One without a step is of the step before. */
static bool take_entry(void *ctx, const char *p, size_t n)
{
    struct reading *r = ctx;
    struct sm_point_list *points = &r->h->points;
    int64_t step = points->n ? points->items[points->n - 1].step : 0;
    if (!sm_json_row_read(r->row, p, n, r->err))
        return false;
    for (size_t i = 0; i < r->row->n; i++)
        if (r->row->items[i].type == SM_LOG_NUMBER && is_step(r->row, &r->row->items[i]))
            sm_step_value(r->row->items[i].number, &step);
    for (size_t i = 0; i < r->row->n; i++) {
        const struct sm_json_item *x = &r->row->items[i];
        if (x->type == SM_LOG_NUMBER && !is_step(r->row, x) &&
            !sm_point_list_add(points, x->key, step, x->number))
            return sm_err_set(r->err, SM_ERR_MEMORY, "no memory for a history");
    }
    return true;
}

static void on_top(void *ctx, const struct sm_log_value *v)
{
    struct reading *r = ctx;
    int64_t n;
    if (v->type == SM_LOG_ARRAY && strcmp(v->name, "log_history") == 0) {
        r->found = true;
        r->ok = sm_json_each_object(v->text, v->text + v->text_n, take_entry, r);
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

void sm_trainer_history_clear(struct sm_trainer_history *h)
{
    sm_point_list_clear(&h->points);
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
    struct sm_str json = {0};
    size_t skip = strncmp(v->name, trial, sizeof trial - 1) ? 0 : sizeof trial - 1;
    sm_log_value_json(v, &json);
    if (v->type != SM_LOG_NULL && (skip || is_one_of(v->name, settings, 7)))
        sm_log_config(ctx, v->name + skip, v->name_n - skip, sm_str_text(&json), json.len);
    else if (v->type != SM_LOG_NULL && is_one_of(v->name, results, 7))
        sm_log_summary(ctx, v->name, v->name_n, sm_str_text(&json), json.len);
    sm_str_clear(&json);
}

void sm_trainer_history_tell(const struct sm_trainer_history *h, struct sm_log_sink *sink)
{
    struct sm_err err;
    sm_log_json_leaves(sm_str_text(&h->text), h->text.len, '.', tell_value, sink, &err);
    sm_log_ended(sink, (h->last > 0 && h->step >= h->last) || h->stopped, 0);
}
