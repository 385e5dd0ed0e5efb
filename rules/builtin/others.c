/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/others.h"

#include "reader/trial_kinds.h"

/* NULL on failure, which ends the rule. */
static struct sm_trial *open_other(struct sm_rule_at *x, const char *path,
                                   struct sm_source **source)
{
    struct sm_err err;
    struct sm_trial *t = NULL;
    struct sm_trial_options options = {.follow = false};
    *source = sm_source_of_path(path, &err);
    if (!*source || !sm_trial_open(*source, &options, sm_rule_pool(x), &t, &err))
        sm_rule_fail(x, "%s: %s", path, err.msg);
    return t;
}

static void open_all(struct sm_rule_at *x, struct sm_others *o, const struct sm_rule_value *paths)
{
    o->opened = true;
    o->fetch = x->fetch;
    o->n = paths->n;
    o->trials = sm_xalloc_zero(o->n + 1, sizeof(struct sm_trial *));
    o->sources = sm_xalloc_zero(o->n + 1, sizeof(struct sm_source *));
    for (size_t i = 0; i < o->n; i++)
        o->trials[i] = open_other(x, paths->items[i], &o->sources[i]);
}

/* A path that does not exist opens as a trial that waits for its first step. */
static bool has_steps(struct sm_rule_at *x, const struct sm_trial *t, const char *path)
{
    struct sm_err why;
    if (sm_trial_unreadable(t, &why))
        sm_rule_fail(x, "%s: %s", path, why.msg);
    else if (!sm_trial_step_count(t))
        sm_rule_fail(x, "%s: no steps of a run are there", path);
    else
        return true;
    return false;
}

bool sm_others_open(struct sm_rule_at *x, struct sm_others *o, const struct sm_rule_value *paths)
{
    bool ready = true;
    if (!o->opened)
        open_all(x, o, paths);
    for (size_t i = 0; i < o->n; i++) {
        if (!o->trials[i])
            return false;
        if (!x->ahead)
            sm_trial_pump(o->trials[i]);
        ready = ready && sm_trial_scanned(o->trials[i]);
    }
    if (!ready)
        sm_rule_poll(x);
    for (size_t i = 0; ready && i < o->n; i++)
        ready = has_steps(x, o->trials[i], paths->items[i]);
    return ready;
}

void sm_others_clear(struct sm_others *o)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->trials[i]) {
            sm_fetch_forget(o->fetch, o->trials[i]);
            sm_trial_close(o->trials[i]);
        }
        sm_source_unref(o->sources[i]);
    }
    sm_free(o->trials);
    sm_free(o->sources);
}
