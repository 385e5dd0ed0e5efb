/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool names(const char *list, const char *id)
{
    size_t n = strlen(id);
    for (const char *p = list; (p = strstr(p, id)); p += n)
        if ((p == list || p[-1] == ' ') && (!p[n] || p[n] == ' '))
            return true;
    return strcmp(list, "*") == 0;
}

static bool is_explained(const struct sm_verdict *v, size_t i)
{
    for (size_t k = 0; sm_cause_table[k]; k++)
        if (v->claims[k].made && sm_cause_table[k]->last_resort < sm_cause_table[i]->last_resort)
            return true;
    for (size_t k = 0; sm_cause_table[k]; k++)
        if (k != i && v->claims[k].made && v->claims[k].since <= v->claims[i].since &&
            names(sm_cause_table[k]->explains, sm_cause_table[i]->id) &&
            !(names(sm_cause_table[i]->explains, sm_cause_table[k]->id) && i < k))
            return true;
    return false;
}

/* The earliest claim that no other explains; of equal ones the first in the list. */
static void choose(struct sm_verdict *v)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; sm_cause_table[i]; i++)
        if (v->claims[i].made && !is_explained(v, i) &&
            (best == SIZE_MAX || v->claims[i].since < v->claims[best].since))
            best = i;
    if (best == SIZE_MAX)
        return;
    v->claim = &v->claims[best];
    v->unknown = v->claim->doubtful;
    v->cause = v->unknown ? NULL : sm_cause_table[best];
}

static int compare_effects(const void *a, const void *b)
{
    const struct sm_effect *x = a, *y = b;
    if (x->claim->since != y->claim->since)
        return x->claim->since < y->claim->since ? -1 : 1;
    return (x->claim > y->claim) - (x->claim < y->claim);
}

static void list_effects(struct sm_verdict *v)
{
    for (size_t i = 0; sm_cause_table[i]; i++)
        if (v->claims[i].made && &v->claims[i] != v->claim &&
            sm_cause_table[i]->last_resort <= (v->cause ? v->cause->last_resort : 0))
            v->effects[v->n_effects++] = (struct sm_effect){sm_cause_table[i], &v->claims[i]};
    qsort(v->effects, v->n_effects, sizeof *v->effects, compare_effects);
}

static bool has_role(const struct sm_signals *g, enum sm_signal_role r)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->tracks[i].role == r)
            return true;
    return false;
}

/* Whether there are weights, but nobody can say how they moved: of statistics and reductions. */
static bool values_are_missing(const struct sm_run_case *c)
{
    size_t known = 0;
    for (size_t i = 0; i < c->n_weights; i++)
        for (size_t k = 0; k < c->weights[i]->n; k++)
            known += !isnan(c->weights[i]->points[k].own[SM_OWN_CHANGE]);
    return c->n_weights && !known && c->weights[0]->n > 1;
}

/* Without losses and weights nothing can be said to be well. */
static void list_missing(struct sm_verdict *v)
{
    static const struct {
        enum sm_signal_role role;
        const char *name;
        bool needed;
    } wanted[] = {{SM_LOSS, "losses", true},
                  {SM_WEIGHT, "weights", true},
                  {SM_GRADIENT, "gradients", false},
                  {SM_INPUT, "inputs", false},
                  {SM_LABELS, "labels", false}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (has_role(v->of.signals, wanted[i].role))
            continue;
        v->missing[v->n_missing++] = wanted[i].name;
        v->unknown = v->unknown || (wanted[i].needed && !v->claim);
    }
    if (values_are_missing(&v->of))
        v->missing[v->n_missing++] = "values";
}

static void count_tensors(struct sm_verdict *v)
{
    const struct sm_signals *g = v->of.signals;
    struct sm_map seen = {0};
    for (size_t i = 0; i < g->n; i++)
        sm_map_put(&seen, g->tracks[i].name, 1);
    v->n_tensors = seen.count;
    sm_map_clear(&seen);
}

void sm_verdict_find(const struct sm_signals *g, int64_t now_us, struct sm_verdict *out)
{
    *out = (struct sm_verdict){0};
    sm_run_case_init(&out->of, g, now_us);
    for (size_t i = 0; sm_cause_table[i]; i++)
        sm_cause_table[i]->look(&out->of, &out->claims[i]);
    choose(out);
    list_effects(out);
    list_missing(out);
    count_tensors(out);
}

/* The global step of a step of the profile, or of the first one after it that was saved; of a trial
 * without steps the number itself. -1: none. */
static int64_t global_step(const struct sm_verdict *v, int32_t step)
{
    const struct sm_trial *t = v->of.signals->trial;
    size_t n = sm_trial_step_count(t);
    if (step < 0 || !n)
        return step;
    for (size_t i = 0; i < n; i++) {
        const struct sm_trial_step *s = sm_trial_step(t, i);
        if (s->mode == v->speed.mode && s->mode_step.n >= step)
            return s->step.n;
    }
    return -1;
}

static void claim_speed(struct sm_verdict *v)
{
    sm_claim_make(&v->speed_claim, NULL, global_step(v, v->speed.since_step), -1);
    for (size_t i = 0; i < v->speed.n_evidence; i++) {
        const struct sm_speed_evidence *e = &v->speed.evidence[i];
        struct sm_str scope = {0};
        sm_speed_scope(e, &scope);
        sm_claim_add(&v->speed_claim, e->command, NULL, global_step(v, e->first), e->value,
                     "%s (%s)", e->text, sm_str_text(&scope));
        sm_str_clear(&scope);
    }
}

void sm_verdict_join(struct sm_verdict *v, const struct sm_speed *s)
{
    v->speed = *s;
    v->has_speed = true;
    if (s->alone && !s->slow && !v->claim)
        v->unknown = s->unknown;
    if (v->claim || !s->slow)
        return;
    v->speed_cause = (struct sm_cause){.id = s->cause->id, .title = s->cause->title};
    for (size_t i = 0; i < SM_ATTEMPTS && i < SM_SPEED_ATTEMPTS; i++)
        v->speed_cause.attempt[i] = s->attempt[i];
    claim_speed(v);
    v->cause = &v->speed_cause;
    v->claim = &v->speed_claim;
    v->unknown = false;
}

void sm_verdict_clear(struct sm_verdict *v)
{
    sm_run_case_clear(&v->of);
    *v = (struct sm_verdict){0};
}

const char *sm_verdict_id(const struct sm_verdict *v)
{
    return v->cause ? v->cause->id : v->unknown ? "unknown" : "none";
}

const char *sm_verdict_title(const struct sm_verdict *v)
{
    if (v->cause)
        return v->cause->title;
    return !v->unknown ? "nothing wrong was found"
           : v->claim  ? "unknown: the origin of NaN or infinity was not saved"
                       : "unknown: not enough was saved";
}
