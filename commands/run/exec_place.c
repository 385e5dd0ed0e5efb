/* SPDX-License-Identifier: Apache-2.0 */
/* An exec with a place of its own: what it runs neither sees nor changes the current trial, tensor,
 * step, mode and worker of the session. The place is exchanged with the session's at the start and
 * the end of each sm_exec_run, so that commands that run in between see theirs. */
#include "commands/place/place.h"
#include "commands/run/exec_state.h"
#include "commands/session/trial_list.h"

static char *copy(const char *text)
{
    return text ? sm_xstrdup(text) : NULL;
}

void sm_exec_set_place(struct sm_exec *x, const struct sm_exec_place *place)
{
    sm_exec_clear_place(x);
    x->place = sm_xalloc_zero(1, sizeof *x->place);
    x->place->given = (struct sm_exec_place){copy(place->trial), copy(place->step),
                                             copy(place->mode), copy(place->worker)};
}

void sm_exec_clear_place(struct sm_exec *x)
{
    struct own_place *p = x->place;
    if (!p)
        return;
    sm_free((void *)(uintptr_t)p->given.trial);
    sm_free((void *)(uintptr_t)p->given.step);
    sm_free((void *)(uintptr_t)p->given.mode);
    sm_free((void *)(uintptr_t)p->given.worker);
    sm_free(p);
    x->place = NULL;
}

/* ---- exchanging ---- */

static void use(struct sm_session *s, const struct session_place *p)
{
    for (size_t i = 0; i < s->n_trials; i++)
        if (s->trials[i].trial == p->trial) {
            s->current = i;
            s->at = p->at;
        }
}

static struct session_place used(const struct sm_session *s)
{
    return (struct session_place){sm_session_trial(s), s->at};
}

void sm_exec_enter_place(struct sm_exec *x)
{
    struct own_place *p = x->place;
    if (!p)
        return;
    p->outer = used(x->session);
    if (p->state == PLACE_READY)
        use(x->session, &p->own);
}

void sm_exec_leave_place(struct sm_exec *x)
{
    struct own_place *p = x->place;
    if (!p)
        return;
    p->own = used(x->session);
    use(x->session, &p->outer); /* unless the request has closed that trial */
}

/* ---- from texts to a place ---- */

static bool choose_trial(struct sm_session *s, const char *name, struct sm_err *err)
{
    size_t i;
    if (!name)
        return sm_session_trial(s) || sm_session_no_trial(err);
    if (!sm_trials_named(s, sm_text(name), &i, err))
        return false;
    s->current = i;
    return true;
}

/* Without a step, a mode means its newest step. */
static bool choose_step(struct sm_call *c, const struct sm_exec_place *given, struct sm_place *at,
                        struct sm_err *err)
{
    enum sm_mode mode = SM_MODE_ANY;
    if (given->worker && !sm_place_find_worker(at->trial, sm_text(given->worker), &at->worker, err))
        return false;
    if (given->mode && !sm_place_find_mode(sm_text(given->mode), &mode, err))
        return false;
    if (!given->step && !given->mode)
        return true;
    const struct sm_place from = *at;
    bool ok =
        sm_place_parse_step(c, &from, mode, sm_text(given->step ? given->step : "last"), at, err);
    at->follow = at->follow && !given->mode;
    return ok;
}

/* PLACE_WAITS until the trial is scanned. */
static enum place_state find_place(struct sm_exec *x, struct sm_err *err)
{
    struct sm_session *s = x->session;
    struct sm_call call = {.session = s, .exec = x};
    if (!choose_trial(s, x->place->given.trial, err))
        return err->code == SM_ERR_WAIT ? PLACE_WAITS : PLACE_WRONG;
    struct sm_trial *t = sm_session_trial(s);
    if (!sm_trial_scanned(t))
        return PLACE_WAITS;
    s->at = sm_place_of_trial(t);
    bool ok = choose_step(&call, &x->place->given, &s->at, err);
    sm_arena_clear(&call.arena);
    return ok ? PLACE_READY : err->code == SM_ERR_WAIT ? PLACE_WAITS : PLACE_WRONG;
}

bool sm_exec_place_waits(const struct sm_exec *x)
{
    return x->place && x->place->state == PLACE_WAITS;
}

bool sm_exec_find_place(struct sm_exec *x, struct sm_err *err)
{
    struct own_place *p = x->place;
    err->code = SM_OK;
    p->state = find_place(x, err);
    return p->state == PLACE_READY;
}
