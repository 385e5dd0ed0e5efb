/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about whole runs: comparison with other runs, and stalled training. */
#include "reader/base/clock.h"
#include "reader/tensor/statistic_list.h"
#include "rules/builtin/close.h"
#include "rules/builtin/others.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <string.h>

/* ---- SimilarAcrossRuns ---- */

enum { SIMILAR_TRIALS, SIMILAR_COLLECTIONS, SIMILAR_REGEX };

static void note_difference(struct sm_rule_at *x, const struct sm_rule_item *it,
                            const struct sm_trial *other, const struct sm_numbers *r,
                            const char *where)
{
    if (r->v[SM_CLOSE_SAME_SHAPE] == 0)
        sm_rule_note(x, it, 1, 0, true, "has a different shape in run %s", sm_trial_name(other));
    else
        sm_rule_note(x, it, r->v[SM_CLOSE_MAX], 0, r->v[SM_CLOSE_YES] == 0,
                     "differs from run %s: max |d| %.4g at %s, %.0f of %.0f elements, limits rtol "
                     "1e-5, atol 1e-8",
                     sm_trial_name(other), r->v[SM_CLOSE_MAX], where, r->v[SM_CLOSE_COUNT],
                     r->v[SM_CLOSE_N]);
}

/* NULL if it is not available yet, or unreadable. */
static const struct sm_numbers *compare_entries(struct sm_rule_at *x, struct sm_trial *other,
                                                const struct sm_entry *theirs,
                                                const struct sm_entry *ours)
{
    static const double tolerance[] = {1e-5, 1e-8, true};
    struct sm_trial *trials[] = {other, x->trial};
    const struct sm_entry entries[] = {*theirs, *ours};
    const struct sm_numbers *r;
    return sm_rule_measure_across(x, sm_measure_close, tolerance, 3, trials, entries, 2, &r) ? r
                                                                                             : NULL;
}

/* The reductions that both runs have saved. False if there are none. */
static bool compare_reductions(struct sm_rule_at *x, const struct sm_rule_item *it,
                               struct sm_trial *other, const struct sm_trial_tensor *t)
{
    bool some = false;
    for (int k = 0; k < 2 * SM_REDUCE_OPS; k++) {
        int reduction = k < SM_REDUCE_OPS ? k : (k - SM_REDUCE_OPS) | SM_REDUCE_ABS;
        struct sm_entry ours = sm_trial_entry(x->trial, it->tensor, x->step.step, it->worker,
                                              SM_ENTRY_REDUCTION, reduction),
                        theirs = sm_trial_entry(other, t, x->step.step, SM_WORKER_ANY,
                                                SM_ENTRY_REDUCTION, reduction);
        bool both = sm_entry_exists(&ours) && sm_entry_exists(&theirs);
        const struct sm_numbers *r = both ? compare_entries(x, other, &theirs, &ours) : NULL;
        some = some || both;
        if (r)
            note_difference(x, it, other, r, sm_reduction_name(reduction));
    }
    return some;
}

static void compare_item(struct sm_rule_at *x, const struct sm_rule_item *it,
                         struct sm_trial *other)
{
    const struct sm_trial_tensor *t = sm_trial_find(other, it->name, strlen(it->name));
    struct sm_entry e = t ? sm_trial_entry(other, t, x->step.step, SM_WORKER_ANY, SM_ENTRY_VALUE, 0)
                          : sm_entry_none();
    const struct sm_numbers *r;
    const struct sm_facts *f;
    if (!sm_entry_exists(&e) || !sm_entry_exists(&it->value)) {
        if (sm_entry_exists(&e) || sm_entry_exists(&it->value) || !t ||
            !compare_reductions(x, it, other, t))
            sm_rule_skip(x, "not saved in both runs");
        return;
    }
    r = compare_entries(x, other, &e, &it->value);
    if (!r || !sm_rule_facts(x, it, &f))
        return;
    struct sm_str index = {0};
    sm_str_add(&index, "[");
    sm_rule_add_index(&index, f, (uint64_t)r->v[SM_CLOSE_INDEX]);
    sm_str_add(&index, "]");
    note_difference(x, it, other, r, sm_str_text(&index));
    sm_str_clear(&index);
}

static void clear_similar(void *state)
{
    sm_others_clear(state);
}

static void judge_similar(struct sm_rule_at *x)
{
    struct sm_others *o = x->state;
    if (!sm_others_open(x, o, &x->p[SIMILAR_TRIALS]))
        return;
    for (size_t k = 0; k < o->n; k++)
        for (size_t i = 0; i < x->picks[0].n; i++)
            compare_item(x, &x->picks[0].items[i], o->trials[k]);
}

static const struct sm_rule_param similar_params[] = {
    {.name = "other_trials",
     .type = SM_RULE_NAMES,
     .required = true,
     .help = "directories or s3:// addresses of finished runs",
     .alias = "other_trial"},
    {.name = "collection_names", .type = SM_RULE_NAMES, .help = "collections to compare"},
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .help = "patterns of tensors to compare",
     .alias = "include_regex"},
    {0},
};
const struct sm_rule sm_rule_similar_across_runs = {
    .name = "similar_across_runs",
    .class_name = "SimilarAcrossRuns",
    .summary = "Tensors differ from those of another run",
    .fires = "a tensor saved at the same global step in both runs is not allclose (rtol 1e-5, atol "
             "1e-8, NaN equal) or has a different shape; saved reductions where neither run has "
             "the value",
    .advice = "Check seeds, the order of the data and non-deterministic kernels.",
    .saves = "the tensors to compare",
    .params = similar_params,
    .picks = {{.collections = "collection_names", .regex = "tensor_regex", .all = true}},
    .state_size = sizeof(struct sm_others),
    .forgets = true,
    .judge = judge_similar,
    .clear = clear_similar,
};

/* ---- StalledTrainingRule ---- */

enum { STALLED_THRESHOLD, STALLED_INITIAL_S = 1800 };

struct stalled_state {
    int64_t attached_us;
};

/* As `info trial` says, unless the user has another limit in mind. Runs of kinds without end marker
 * may be over: there the time before the rule was attached does not count. */
static void judge_stalled(struct sm_rule_at *x)
{
    struct stalled_state *w = x->state;
    int64_t now = sm_clock_wall_us(), since = sm_trial_newest_us(x->trial);
    bool ends = !sm_trial_traits(x->trial)->runs;
    double limit = x->p[STALLED_THRESHOLD].number;
    if (!w->attached_us)
        w->attached_us = now;
    if (since <= 0 || (!ends && since < w->attached_us))
        since = w->attached_us;
    if (ends && (int64_t)limit == STALLED_INITIAL_S && sm_trial_state(x->trial) == SM_TRIAL_STALLED)
        limit = fmin(limit, (double)sm_trial_stall_us(x->trial) / 1e6);
    double silent = (double)(now - since) / 1e6;
    if (silent > limit)
        sm_rule_note(x, NULL, silent, limit, true,
                     "no new tensor for %.0f s, limit %g s (last step %lld)", silent, limit,
                     (long long)x->step.step.n);
}

static const struct sm_rule_param stalled_params[] = {
    {.name = "threshold",
     .type = SM_RULE_INT,
     .initial = "1800",
     .min = 1,
     .max = 1e9,
     .unit = "s",
     .help = "longest time without a new tensor"},
    {.name = "stop_training_on_fire",
     .type = SM_RULE_BOOL,
     .initial = "False",
     .help = "run the stop action when it fires"},
    {.name = "training_job_name_prefix",
     .type = SM_RULE_TEXT,
     .help = "accepted for the service; ignored"},
    {0},
};
const struct sm_rule sm_rule_stalled_training_rule = {
    .name = "stalled_training_rule",
    .class_name = "StalledTrainingRule",
    .summary = "No new tensor has been saved for a long time",
    .fires =
        "the trial has not ended and no new tensor has been saved for threshold seconds; at the "
        "default threshold also as soon as info trial says stalled (set stall). Logs and tables, "
        "which may be over: only the time since the rule was attached counts, and after a day "
        "without news info trial says ended",
    .advice = "Check the data source, the network, deadlocks between workers, and whether the save "
              "interval is longer than the threshold.",
    .saves = "any tensor",
    .automatic = "",
    .params = stalled_params,
    .state_size = sizeof(struct stalled_state),
    .on_clock = true,
    .judge = judge_stalled,
};
