/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/other_workers.h"

#include "commands/session/session.h"

#include "reader/analysis/worker_values.h"

#include <stdio.h>
#include <string.h>

/* More than this is not read only for a remark. */
enum { OTHERS_BYTES = 64 << 20, OTHERS_VALUES = 20000 };

struct others {
    struct sm_worker_values values;
    struct sm_worker_defects all;
    struct sm_step step; /* of the first defect */
    size_t looked_at;
    uint64_t bytes;
    bool too_much;
};

/* Looks at the values of a step but the first worker's. */
static void look_at_step(struct sm_call *c, struct sm_trial *t, const struct sm_trial_tensor *x,
                         struct sm_step step, struct others *o)
{
    struct sm_worker_defects d;
    sm_worker_values_read(&o->values, t, x, step, SM_WORKER_ANY);
    for (size_t i = 1; i < o->values.n; i++)
        o->bytes += o->values.items[i].length;
    o->looked_at += o->values.n;
    o->too_much = o->bytes > OTHERS_BYTES || o->looked_at > OTHERS_VALUES;
    if (o->too_much || o->values.n < 2)
        return;
    sm_worker_values_defects(&o->values, t, c->session->fetch, &o->values.items[0], &d);
    o->all.unknown += d.unknown;
    if (!sm_entry_exists(&d.first))
        return;
    if (!sm_entry_exists(&o->all.first)) {
        o->all.first = d.first;
        o->all.workers = d.workers;
        o->step = step;
    }
    o->all.nan += d.nan;
    o->all.infinite += d.infinite;
}

/* Says what was found. before: the sentence in front of it. */
static bool report_others(struct sm_trial *t, struct others *o, const char *before,
                          const char *after, struct sm_result *out, struct sm_err *err)
{
    struct sm_str text = {0};
    bool waits = o->all.unknown && !o->too_much;
    sm_worker_defects_describe(t, &o->all, &text);
    if (!waits && text.len)
        sm_result_dim(out, "%s%s%s.", before, sm_result_escape(out, sm_str_text(&text), text.len),
                      after);
    if (!waits && o->too_much)
        sm_result_dim(out, "The other workers were not looked at: too many values.");
    sm_str_clear(&text);
    sm_worker_values_clear(&o->values);
    return !waits || sm_err_set(err, SM_ERR_WAIT, "reading the values of other workers");
}

static bool is_text_of_one(const struct sm_call *c, const struct sm_trial *t, uint16_t worker)
{
    return c->output == SM_OUTPUT_TEXT && !c->fields && worker == SM_WORKER_ANY &&
           sm_trial_worker_count(t) > 1;
}

bool sm_other_workers_note(struct sm_call *c, struct sm_result *out, const struct sm_place *p,
                           const struct sm_entry *shown, struct sm_err *err)
{
    struct others o = {0};
    if (shown->kind != SM_ENTRY_VALUE || !is_text_of_one(c, p->trial, p->worker))
        return true;
    look_at_step(c, p->trial, sm_place_tensor(p), sm_trial_part(p->trial, shown->part)->step, &o);
    return report_others(p->trial, &o, "Not shown: ", "", out, err);
}

static void say_whose(struct sm_result *out, const struct sm_trial *t)
{
    sm_result_dim(out, "The values are of the first of %zu %s that has the step, by name.",
                  sm_trial_worker_count(t),
                  sm_traits_has_runs(sm_trial_traits(t)) ? "runs" : "workers");
}

static void look_at_steps(struct sm_call *c, struct sm_trial *t, const struct sm_series_spec *spec,
                          struct others *o)
{
    const struct sm_trial_tensor *x = sm_trial_tensor_of(t, spec->tensor);
    for (size_t i = 0; x && i < sm_trial_step_count(t) && !o->too_much; i++) {
        const struct sm_trial_step *s = sm_trial_step(t, i);
        if (spec->mode == SM_MODE_ANY || spec->mode == SM_MODE_GLOBAL || s->mode == spec->mode)
            look_at_step(c, t, x, s->step, o);
    }
}

bool sm_other_workers_note_curve(struct sm_call *c, struct sm_result *out, struct sm_trial *t,
                                 const struct sm_series_spec *spec, size_t k, size_t n,
                                 struct sm_err *err)
{
    struct others o = {.step = {-1}};
    struct sm_str before = {0};
    char after[64] = "";
    if (!is_text_of_one(c, t, spec->worker))
        return true;
    look_at_steps(c, t, spec, &o);
    if (o.step.n >= 0)
        snprintf(after, sizeof after, ", from step %lld on", (long long)o.step.n);
    if (!k && (!o.all.unknown || o.too_much))
        say_whose(out, t);
    sm_str_add(&before, "Not shown: ");
    if (n > 1) {
        sm_str_add_escaped(&before, sm_names_text(sm_trial_names(t), spec->tensor),
                           sm_names_length(sm_trial_names(t), spec->tensor));
        sm_str_add(&before, " of ");
    }
    bool ok = report_others(t, &o, sm_str_text(&before), after, out, err);
    sm_str_clear(&before);
    return ok;
}

bool sm_other_workers_note_series(struct sm_call *c, struct sm_result *out, struct sm_trial *t,
                                  const struct sm_series_spec *spec, struct sm_err *err)
{
    return sm_other_workers_note_curve(c, out, t, spec, 0, 1, err);
}

/* Looks at the other workers of each value of a list. What is found is that of the first with a
 * defect; returns how many more there are. */
static size_t look_at_list(struct sm_call *c, struct sm_trial *t,
                           const struct sm_listed_value *values, size_t n, struct others *o,
                           struct sm_str *before)
{
    struct sm_worker_defects first = {0};
    size_t with = 0;
    for (size_t i = 0; i < n && !o->too_much; i++) {
        struct sm_entry e = values[i].entry;
        o->all = (struct sm_worker_defects){.unknown = o->all.unknown};
        if (e.kind == SM_ENTRY_VALUE)
            look_at_step(c, t, values[i].tensor, sm_trial_part(t, e.part)->step, o);
        if (!sm_entry_exists(&o->all.first) || with++)
            continue;
        const char *name = sm_trial_tensor_name(t, values[i].tensor);
        first = o->all;
        sm_str_add_escaped(before, name, strlen(name));
        sm_str_printf(before, " at step %lld of ", (long long)o->step.n);
    }
    first.unknown = o->all.unknown;
    o->all = first;
    return with ? with - 1 : 0;
}

bool sm_other_workers_note_list(struct sm_call *c, struct sm_result *out, struct sm_trial *t,
                                const struct sm_listed_value *values, size_t n, struct sm_err *err)
{
    struct others o = {0};
    struct sm_str before = {0};
    char after[64] = "";
    if (!n || !is_text_of_one(c, t, SM_WORKER_ANY))
        return true;
    sm_str_add(&before, "Not shown: ");
    size_t more = look_at_list(c, t, values, n, &o, &before);
    if (more)
        snprintf(after, sizeof after, ", and of %zu more rows", more);
    if (!o.all.unknown || o.too_much)
        say_whose(out, t);
    bool ok = report_others(t, &o, sm_str_text(&before), after, out, err);
    sm_str_clear(&before);
    return ok;
}
