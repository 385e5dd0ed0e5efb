/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/drift_inputs.h"

#include <string.h>

enum { AT_ONCE = 16 }; /* values of another run that are asked for together */

void sm_drift_inputs_clear(struct sm_drift_inputs *s)
{
    for (size_t i = 0; i < s->inputs.n; i++) {
        struct sm_drift_input *in = s->inputs.items[i];
        for (size_t g = 0; g < in->n_groups; g++)
            sm_distinct_clear(&in->groups[g].samples);
        sm_free(in->groups);
    }
    sm_memory_clear(&s->inputs);
    sm_others_clear(&s->others);
}

/* The group of a step; SM_DRIFT_GROUPS: none. Steps without a mode are TRAIN if the trial has no
 * TRAIN. */
static size_t group_of(const struct sm_trial *t, int mode)
{
    switch (mode) {
    case SM_MODE_TRAIN:
        return SM_DRIFT_TRAIN;
    case SM_MODE_EVAL:
        return SM_DRIFT_EVAL;
    case SM_MODE_PREDICT:
        return SM_DRIFT_PREDICT;
    default:
        return sm_trial_has_mode(t, SM_MODE_TRAIN) ? SM_DRIFT_GROUPS : SM_DRIFT_TRAIN;
    }
}

/* One for all workers. */
static struct sm_drift_input *input_of(struct sm_drift_inputs *s, const struct sm_rule_item *it)
{
    struct sm_rule_item any = *it;
    any.worker = 0;
    struct sm_drift_input *in = sm_rule_record_of(&s->inputs, &any, sizeof *in);
    if (!in->groups) {
        in->n_groups = SM_DRIFT_GROUPS * (1 + s->others.n);
        in->groups = sm_xalloc_zero(in->n_groups, sizeof *in->groups);
    }
    in->item = *it;
    return in;
}

static void add_samples(struct sm_rule_at *x, struct sm_drift_input *in, size_t group,
                        const struct sm_numbers *r)
{
    struct sm_input_samples s = sm_input_samples_of(r);
    if (!s.features) {
        sm_rule_skip(x, "no samples of real numbers");
        return;
    }
    if (in->shape.features && (s.channels != in->shape.channels || s.spread != in->shape.spread)) {
        sm_rule_skip(x, "the number of features has changed");
        return;
    }
    in->shape = s;
    if (!in->groups[group].samples.cap)
        sm_distinct_init(&in->groups[group].samples, s.features);
    if (!sm_input_samples_add(&s, &in->groups[group].samples))
        sm_rule_skip(x, "out of memory");
}

/* ---- reading ---- */

static bool measure_samples(struct sm_rule_at *x, struct sm_trial *t, const struct sm_entry *e,
                            const struct sm_distinct *known, const struct sm_numbers **out)
{
    const double args[] = {x->p[SM_DRIFT_CHANNEL].number, known ? known->level : 0};
    return sm_rule_measure_across(x, sm_measure_input_samples, args, 2, &t, e, 1, out);
}

bool sm_drift_inputs_add_step(struct sm_rule_at *x, struct sm_drift_inputs *s)
{
    size_t group = group_of(x->trial, x->step.mode), n = x->picks[0].n;
    const struct sm_numbers **all = sm_xalloc_zero(n + 1, sizeof *all);
    for (size_t i = 0; i < n && group < SM_DRIFT_GROUPS; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        if (sm_entry_exists(&it->value) && !measure_samples(x, x->trial, &it->value, NULL, &all[i]))
            all[i] = NULL;
    }
    for (size_t i = 0; i < n && !x->waiting; i++)
        if (all[i])
            add_samples(x, input_of(s, &x->picks[0].items[i]), group, all[i]);
    sm_free(all);
    return !x->waiting;
}

/* The next value of the tensor in the other run; none at its end. */
static struct sm_entry next_entry(const struct sm_trial *other, const char *name, size_t *at)
{
    const struct sm_trial_tensor *t = sm_trial_find(other, name, strlen(name));
    for (; t && *at < t->n_entries; ++*at) {
        struct sm_entry e = sm_tensor_entry(other, t, *at);
        if (e.kind == SM_ENTRY_VALUE && !sm_trial_part(other, e.part)->replaced) {
            ++*at;
            return e;
        }
    }
    return sm_entry_none();
}

/* Adds the next values of the input in the other run. True if there are none. */
static bool add_next_of_other(struct sm_rule_at *x, struct sm_drift_input *in,
                              struct sm_trial *other)
{
    const struct sm_numbers *all[AT_ONCE] = {NULL};
    size_t groups[AT_ONCE], n = 0, at = in->at;
    while (n < AT_ONCE) {
        struct sm_entry e = next_entry(other, in->item.name, &at);
        if (!sm_entry_exists(&e))
            break;
        groups[n] = group_of(other, sm_trial_part(other, e.part)->mode);
        if (groups[n] == SM_DRIFT_GROUPS)
            continue;
        groups[n] += SM_DRIFT_GROUPS * (1 + in->other);
        if (!measure_samples(x, other, &e, &in->groups[groups[n]].samples, &all[n]))
            all[n] = NULL;
        n++;
    }
    for (size_t i = 0; i < n && !x->waiting; i++)
        if (all[i])
            add_samples(x, in, groups[i], all[i]);
    in->at = x->waiting ? in->at : at;
    return !n;
}

bool sm_drift_inputs_read_others(struct sm_rule_at *x, struct sm_drift_inputs *s,
                                 struct sm_drift_input *in)
{
    while (in->other < s->others.n) {
        bool end = add_next_of_other(x, in, s->others.trials[in->other]);
        if (!end && !x->waiting)
            sm_rule_poll(x);
        if (!end)
            return false;
        in->other++;
        in->at = 0;
    }
    return true;
}
