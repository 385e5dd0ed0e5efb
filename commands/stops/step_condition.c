/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/step_condition.h"

#include "commands/place/evaluate.h"
#include "commands/stops/stops.h"

#include <string.h>

static bool is_damage(const struct sm_err *err)
{
    return err->code == SM_ERR_DATA || err->code == SM_ERR_IO;
}

static void note_damage(struct sm_call *c, struct sm_step_damage *d, struct sm_step at,
                        const struct sm_err *err)
{
    if (d->n++)
        return;
    d->first = at;
    d->why = sm_arena_xstrndup(&c->arena, err->msg, strlen(err->msg));
}

const char *sm_step_damage_text(struct sm_arena *arena, const struct sm_step_damage *d)
{
    if (!d->n)
        return "";
    if (d->n < 2)
        return sm_arena_xprintf(arena, "Skipped step %lld: %s", (long long)d->first.n, d->why);
    return sm_arena_xprintf(arena, "Skipped step %lld and %zu more: %s", (long long)d->first.n,
                            d->n - 1, d->why);
}

bool sm_step_condition(struct sm_call *c, struct sm_step at, enum sm_step_answer *out,
                       struct sm_step_damage *damage, struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_value v;
    sm_evaluate_env(c, &env);
    env.step = at;
    env.step_by_step = true;
    env.memory = sm_stops_memory(c->session);
    if (!sm_evaluate_in(c, &env, c->raw, &v, err)) {
        if (!is_damage(err))
            return false;
        *out = SM_STEP_UNAVAILABLE;
        note_damage(c, damage, at, err);
        return true;
    }
    *out = v.type == SM_UNAVAILABLE ? SM_STEP_UNAVAILABLE
           : sm_expr_is_true(&v)    ? SM_STEP_YES
                                    : SM_STEP_NO;
    sm_value_clear(&v);
    sm_fetch_end(c->session->fetch); /* releases the values of this step */
    sm_fetch_begin(c->session->fetch);
    return true;
}

bool sm_step_of_current_mode(const struct sm_session *s, const struct sm_trial_step *step)
{
    return s->at.mode == SM_MODE_ANY || s->at.mode == SM_MODE_GLOBAL ||
           (enum sm_mode)step->mode == s->at.mode;
}
