/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/why.h"

#include "reader/analysis/similar_tensor.h"
#include "reader/format/location.h"
#include "reader/nearest.h"

#include <inttypes.h>
#include <string.h>

static void add_name(struct sm_str *out, const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    sm_str_add_escaped(out, sm_names_text(sm_trial_names(t), x->name),
                       sm_names_length(sm_trial_names(t), x->name));
}

/* The step on disk with this number, or NULL. */
static const struct sm_trial_step *find_step(const struct sm_trial *t, struct sm_step step)
{
    size_t i = sm_trial_step_at(t, step);
    if (i < sm_trial_step_count(t) && sm_trial_step(t, i)->step.n == step.n)
        return sm_trial_step(t, i);
    return NULL;
}

static void add_nearest(struct sm_str *out, const struct sm_trial *t,
                        const struct sm_trial_tensor *x, struct sm_step step, uint16_t worker)
{
    struct sm_nearest near;
    sm_nearest_find(t, x, SM_MODE_ANY, worker, step.n, &near);
    if (!near.below.found && !near.above.found)
        return;
    sm_str_add(out, " Nearest: ");
    sm_nearest_format(&near, out);
    sm_str_addc(out, '.');
}

/* ---- save rules of collections ---- */

void sm_why_save_rule(struct sm_str *out, const struct sm_save_rule *r, const char *mode)
{
    if (r->n_steps) {
        sm_str_add(out, r->n_steps == 1 ? "step " : "steps ");
        for (size_t i = 0; i < r->n_steps && i < 8; i++)
            sm_str_printf(out, "%s%" PRId64, i ? ", " : "", r->steps[i]);
        sm_str_add(out, r->n_steps > 8 ? ", ..." : "");
    } else if (r->interval == 1) {
        sm_str_add(out, "every step");
    } else {
        sm_str_printf(out, "every %" PRId64 " steps", r->interval);
    }
    sm_str_printf(out, " of %s", mode);
    if (!r->n_steps && r->start > 0)
        sm_str_printf(out, " from step %" PRId64, r->start);
    if (!r->n_steps && r->end >= 0)
        sm_str_printf(out, " before step %" PRId64, r->end);
}

/* The collection whose save rule applies to the tensor: the first one with a rule; "all" and
 * "default" only if no other has one. */
static const struct sm_collection_def *find_collection(const struct sm_trial *t,
                                                       const struct sm_trial_tensor *x)
{
    const struct sm_collection_def *last_resort = NULL;
    for (size_t i = 0; i < sm_trial_collection_count(t); i++) {
        const struct sm_collection_def *c = sm_trial_collection(t, i);
        if (!c->has_save || !sm_trial_in_collection(t, i, x->name))
            continue;
        if (strcmp(c->name, "all") != 0 && strcmp(c->name, "default") != 0)
            return c;
        last_resort = c;
    }
    return last_resort;
}

/* The mode whose rule is reported: the step's own mode, else the first one with a rule. */
static enum sm_mode reported_mode(const struct sm_collection_def *c, enum sm_mode mode)
{
    if (mode != SM_MODE_ANY && c->save[mode].given)
        return mode;
    for (enum sm_mode m = SM_MODE_TRAIN; m < SM_MODES; m++)
        if (c->save[m].given)
            return m;
    return SM_MODE_ANY;
}

static bool add_interval(struct sm_str *out, const struct sm_trial *t,
                         const struct sm_trial_tensor *x, const struct sm_trial_step *at)
{
    const struct sm_collection_def *c = find_collection(t, x);
    enum sm_mode mode = c ? reported_mode(c, (enum sm_mode)at->mode) : SM_MODE_ANY;
    if (mode == SM_MODE_ANY)
        return false;
    if ((uint8_t)mode == at->mode && sm_save_rule_matches(&c->save[mode], at->mode_step.n))
        return false;
    sm_str_add(out, "collection ");
    sm_str_add_escaped(out, c->name, strlen(c->name));
    sm_str_add(out, " saves ");
    sm_why_save_rule(out, &c->save[mode], sm_mode_name((int)mode));
    sm_str_printf(out, ", and step %" PRId64 " is %s %" PRId64 ".", at->step.n,
                  sm_mode_name(at->mode), at->mode_step.n);
    return true;
}

/* ---- reasons, the most certain first ---- */

/* The index file of the step that could not be read, or NULL. */
static const struct sm_problem *find_damage(const struct sm_trial *t, struct sm_step step)
{
    const struct sm_problems *problems = sm_trial_problems(t);
    const struct sm_problem *found = NULL;
    struct sm_str worker = {0};
    for (size_t i = 0; i < problems->n && !found; i++) {
        const char *slash = strrchr(problems->items[i].file, '/');
        int64_t n;
        sm_str_truncate(&worker, 0);
        if (slash && sm_location_parse(slash + 1, ".json", &n, &worker) && n == step.n)
            found = &problems->items[i];
    }
    sm_str_clear(&worker);
    return found;
}

static enum sm_why_reason explain_missing_step(struct sm_str *out, const struct sm_trial *t,
                                               struct sm_step step)
{
    size_t n = sm_trial_step_count(t);
    const struct sm_problem *damage = find_damage(t, step);
    if (damage) {
        sm_str_add(out, "its index file cannot be read (");
        sm_str_add_escaped(out, damage->file, strlen(damage->file));
        sm_str_printf(out, ": %s).", damage->message);
    } else if (!n)
        sm_str_add(out, "no step has been saved yet.");
    else if (step.n > sm_trial_step(t, n - 1)->step.n)
        sm_str_printf(out, "the newest step is %" PRId64 "%s.", sm_trial_step(t, n - 1)->step.n,
                      sm_trial_claimed(t) && sm_trial_state(t) != SM_TRIAL_ENDED
                          ? "; claim.smd exists, so a step may be incomplete (see \"doctor\")"
                          : "");
    else if (step.n < sm_trial_step(t, 0)->step.n)
        sm_str_printf(out, "the first step is %" PRId64 ".", sm_trial_step(t, 0)->step.n);
    else
        sm_str_add(out, "nothing was saved at that step.");
    return damage ? SM_WHY_DAMAGED : SM_WHY_NO_STEP;
}

/* The entries of a tensor at a step: values, reductions, shapes, and another worker's. */
struct present {
    bool value, shape;
    uint32_t reductions;
    uint16_t other; /* a worker with an entry, other than the named one */
};

static struct present find_present(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                   struct sm_step step, uint16_t worker)
{
    struct present p = {.other = SM_WORKER_ANY};
    size_t from, to;
    if (!sm_trial_entries_at(t, x, step, &from, &to))
        return p;
    for (size_t i = from; i < to; i++) {
        uint16_t w = sm_tensor_part(t, x, i)->worker;
        if (worker != SM_WORKER_ANY && w != worker) {
            p.other = w;
            continue;
        }
        p.value = p.value || sm_tensor_entry(t, x, i).kind == SM_ENTRY_VALUE;
        p.shape = p.shape || sm_tensor_entry(t, x, i).kind == SM_ENTRY_SHAPE;
        p.reductions += sm_tensor_entry(t, x, i).kind == SM_ENTRY_REDUCTION;
    }
    return p;
}

static void add_reductions(struct sm_str *out, const struct sm_trial_tensor *x)
{
    unsigned n = 0;
    for (int abs = 0; abs < 2; abs++)
        for (int op = SM_REDUCE_MIN; op < SM_REDUCE_OPS; op++)
            if (x->reductions[abs] >> op & 1)
                sm_str_printf(out, "%s%s", n++ ? ", " : "",
                              sm_reduction_name(op | (abs ? SM_REDUCE_ABS : 0)));
}

/* For example, gradients exist only in training, although the collection may have rules for other
 * modes. */
static bool add_modes(struct sm_str *out, const struct sm_trial_tensor *x,
                      const struct sm_trial_step *at)
{
    unsigned n = 0;
    if (!x->modes || x->modes >> at->mode & 1)
        return false;
    sm_str_add(out, "it was saved in ");
    for (unsigned m = SM_MODE_TRAIN; m < SM_MODES; m++)
        if (x->modes >> m & 1)
            sm_str_printf(out, "%s%s", n++ ? ", " : "", sm_mode_name((int)m));
    sm_str_printf(out, " steps only, and step %" PRId64 " is %s %" PRId64 ".", at->step.n,
                  sm_mode_name(at->mode), at->mode_step.n);
    return true;
}

static enum sm_why_reason explain_absent(struct sm_str *out, const struct sm_trial *t,
                                         const struct sm_trial_tensor *x,
                                         const struct sm_trial_step *at, uint16_t worker,
                                         struct present p)
{
    if (p.reductions) {
        sm_str_add(out, "only reductions were saved (");
        add_reductions(out, x);
        sm_str_add(out, ").");
        return SM_WHY_REDUCTIONS;
    }
    if (p.shape) {
        sm_str_add(out, "only its shape was saved.");
        return SM_WHY_SHAPE;
    }
    if (p.other != SM_WORKER_ANY) {
        const char *named = sm_trial_worker(t, worker), *other = sm_trial_worker(t, p.other);
        sm_str_add_escaped(out, named, strlen(named));
        sm_str_add(out, " did not save it there, ");
        sm_str_add_escaped(out, other, strlen(other));
        sm_str_add(out, " did.");
        return SM_WHY_WORKER;
    }
    if (add_interval(out, t, x, at))
        return SM_WHY_INTERVAL;
    if (add_modes(out, x, at))
        return SM_WHY_MODE;
    sm_str_printf(out, "step %" PRId64 " (%s %" PRId64 ") was written without it%s.", at->step.n,
                  sm_mode_name(at->mode), at->mode_step.n,
                  at->complete ? "" : ", and is incomplete");
    return SM_WHY_WITHOUT;
}

const char *sm_why_reason_name(enum sm_why_reason r)
{
    static const char *const names[] = {
        [SM_WHY_SAVED] = "saved",
        [SM_WHY_REDUCTIONS] = "reductions-only",
        [SM_WHY_SHAPE] = "shape-only",
        [SM_WHY_WORKER] = "other-worker",
        [SM_WHY_INTERVAL] = "save-interval",
        [SM_WHY_MODE] = "mode",
        [SM_WHY_WITHOUT] = "written-without",
        [SM_WHY_DAMAGED] = "damaged",
        [SM_WHY_NO_STEP] = "no-step",
    };
    return names[r];
}

enum sm_why_reason sm_why(const struct sm_trial *t, const struct sm_trial_tensor *x,
                          struct sm_step step, uint16_t worker, struct sm_str *out)
{
    const struct sm_trial_step *at = find_step(t, step);
    struct present p = find_present(t, x, step, worker);
    if (p.value) {
        add_name(out, t, x);
        sm_str_printf(out, " has a value at step %" PRId64 ".", step.n);
        return SM_WHY_SAVED;
    }
    sm_str_add(out, "No value of ");
    add_name(out, t, x);
    sm_str_printf(out, " at step %" PRId64 ": ", step.n);
    enum sm_why_reason reason =
        at ? explain_absent(out, t, x, at, worker, p) : explain_missing_step(out, t, step);
    add_nearest(out, t, x, step, worker);
    return reason;
}

/* ---- names that do not exist ---- */

bool sm_why_not_saved(const struct sm_place *p, struct sm_err *err)
{
    struct sm_str text = {0};
    sm_why(p->trial, sm_place_tensor(p), p->step, p->worker, &text);
    sm_err_set(err, SM_ERR_MISSING, "%s", sm_str_text(&text));
    sm_str_clear(&text);
    return false;
}

bool sm_why_no_tensor(const struct sm_trial *t, struct sm_text name, struct sm_err *err)
{
    const char *similar = sm_similar_tensor(t, name);
    if (similar)
        sm_err_set(err, SM_ERR_MISSING, "No tensor \"%.*s\". Did you mean \"%s\"?", (int)name.n,
                   name.p, similar);
    else
        sm_err_set(err, SM_ERR_MISSING, "No tensor \"%.*s\"%s", (int)name.n, name.p,
                   sm_trial_tensor_count(t) ? ". Try \"tensors\"."
                                            : ": the trial has no tensors yet.  Try \"doctor\".");
    return sm_err_kind(err, SM_ERR_IS_NO_TENSOR);
}
