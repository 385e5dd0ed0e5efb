/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_value.h"

#include "commands/runs/config_key.h"
#include "commands/runs/run_fields.h"
#include "reader/base/clock.h"
#include "reader/logs/log_json.h"

#include <math.h>
#include <string.h>

static bool set_text(struct sm_run_value *v, const char *text)
{
    *v = text ? (struct sm_run_value){.type = SM_RUN_TEXT, .text = {text, strlen(text)}}
              : (struct sm_run_value){.type = SM_RUN_MISSING};
    return true;
}

static bool set_number(struct sm_run_value *v, bool known, double number)
{
    *v = (struct sm_run_value){.type = known ? SM_RUN_NUMBER : SM_RUN_MISSING, .number = number};
    return true;
}

static bool state_value(const struct sm_trial *t, struct sm_text name, struct sm_run_value *v)
{
    bool known = sm_text_is(name, "failed");
    for (int state = SM_TRIAL_WAITING; !known && state <= SM_TRIAL_UNREADABLE; state++)
        known = sm_text_is(name, sm_trial_state_name((enum sm_trial_state)state));
    return known && set_number(v, true, sm_text_is(name, sm_trial_state_word(t)));
}

static bool text_value(const struct sm_trial *t, const struct sm_run_row *r, struct sm_text name,
                       struct sm_run_value *v)
{
    if (sm_text_is(name, "run") || sm_text_is(name, "name"))
        return set_text(v, r->name);
    if (sm_text_is(name, "path"))
        return set_text(v, r->path);
    if (sm_text_is(name, "kind"))
        return set_text(v, sm_trial_kind_name(t));
    if (sm_text_is(name, "state"))
        return set_text(v, sm_trial_state_word(t));
    if (sm_text_is(name, "trend"))
        return set_text(v, sm_run_trend_name(r->trend));
    if (sm_text_is(name, "worst_rule") || sm_text_is(name, "rules"))
        return set_text(v, r->worst_rule);
    return false;
}

static bool metric_value(const struct sm_run_row *r, struct sm_text name, struct sm_run_value *v)
{
    if (sm_text_is(name, "newest") || sm_text_is(name, "metric") ||
        (r->metric && sm_text_is(name, r->metric)))
        return set_number(v, r->has_metric, r->newest);
    if (sm_text_is(name, "best"))
        return set_number(v, r->has_metric && !isnan(r->best), r->best);
    if (sm_text_is(name, "best_step"))
        return set_number(v, r->best_step >= 0, (double)r->best_step);
    return false;
}

bool sm_run_value_field(const struct sm_session *s, const struct sm_run_row *r, struct sm_text name,
                        struct sm_run_value *v)
{
    const struct sm_trial *t = s->trials[r->trial].trial;
    struct sm_trial_range range = sm_trial_range(t);
    if (state_value(t, name, v) || text_value(t, r, name, v) || metric_value(r, name, v))
        return true;
    if (sm_text_is(name, "steps"))
        return set_number(v, true, (double)range.steps);
    if (sm_text_is(name, "step") || sm_text_is(name, "last_step"))
        return set_number(v, range.steps, (double)range.last);
    if (sm_text_is(name, "first_step"))
        return set_number(v, range.steps, (double)range.first);
    if (sm_text_is(name, "rate"))
        return set_number(v, isfinite(sm_trial_steps_per_second(t)), sm_trial_steps_per_second(t));
    if (sm_text_is(name, "age"))
        return set_number(v, sm_trial_newest_us(t),
                          (double)(sm_clock_wall_us() - sm_trial_newest_us(t)) / 1e6);
    if (sm_text_is(name, "hidden"))
        return set_number(v, true, s->trials[r->trial].unlisted);
    if (sm_text_is(name, "issues"))
        return set_number(v, true, (double)r->issues);
    if (sm_text_is(name, "errors"))
        return set_number(v, true, (double)sm_trial_problems(t)->total);
    if (sm_text_is(name, "current"))
        return set_number(v, true, r->trial == s->current);
    return false;
}

bool sm_run_value_config(const struct sm_session *s, const struct sm_run_row *row,
                         struct sm_text name, struct sm_arena *arena, struct sm_run_value *v)
{
    const struct sm_run_info *info = sm_trial_info(s->trials[row->trial].trial);
    const char *json = sm_config_get(&info->config, name.p);
    *v = (struct sm_run_value){.type = SM_RUN_MISSING};
    if (!json)
        return false;
    set_text(v, sm_run_field_text(arena, json));
    if (strcmp(json, "true") == 0 || strcmp(json, "false") == 0)
        set_number(v, true, *json == 't');
    else if (strcmp(json, "null") == 0)
        v->type = SM_RUN_MISSING;
    else if (*json != '"' && sm_log_number(json, strlen(json), &v->number))
        v->type = SM_RUN_NUMBER;
    return true;
}

/* The newest value of the tensor, if it is one number. */
static bool newest_value(const struct sm_session *s, struct sm_trial *t, const char *name,
                         struct sm_run_value *v, struct sm_err *err)
{
    const struct sm_trial_tensor *x = sm_trial_find(t, name, strlen(name));
    const struct sm_facts *f;
    struct sm_entry e =
        x && x->n_entries ? sm_tensor_entry(t, x, x->n_entries - 1) : sm_entry_none();
    set_number(v, false, 0);
    if (!sm_entry_exists(&e))
        return true;
    if (!sm_fetch_number(s->fetch, t, &e, &f, err))
        return err->code != SM_ERR_WAIT;
    if (f->has_stats && f->n == 1)
        set_number(v, true, sm_dtype_load(f->dtype, f->first));
    return true;
}

bool sm_run_value_series(const struct sm_session *s, const struct sm_run_row *row,
                         struct sm_text name, struct sm_run_value *v, struct sm_err *err)
{
    struct sm_trial *t = s->trials[row->trial].trial;
    const struct sm_glance *g = sm_trial_glance(t);
    const struct sm_glance_series *x = g ? sm_glance_find(g, name.p) : NULL;
    if (!g)
        return newest_value(s, t, name.p, v, err);
    return set_number(v, x && x->n, x ? x->newest : 0);
}

bool sm_run_value_any(const struct sm_session *s, const struct sm_run_row *row, struct sm_text name,
                      struct sm_arena *arena, struct sm_run_value *v)
{
    const struct sm_run_info *info = sm_trial_info(s->trials[row->trial].trial);
    bool by_its_name = sm_run_fields_get(&info->config, name.p);
    return (!by_its_name && sm_run_value_field(s, row, name, v)) ||
           sm_run_value_config(s, row, name, arena, v);
}
