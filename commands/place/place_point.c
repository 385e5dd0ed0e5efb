#include "commands/place/place_point.h"

#include "commands/place/args.h"
#include "commands/place/place_at.h"

/* "train" and "worker_1" of "@train:12/worker_1". */
static bool take_place(struct sm_call *c, struct sm_text *spec, enum sm_mode *mode,
                       uint16_t *worker, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_at at;
    if (!spec->n || spec->p[0] != '@')
        return true;
    if (!sm_at_read(*spec, &at))
        return sm_err_set(err, SM_ERR_USAGE, "A step is expected behind \"@\".");
    *spec = at.step.n ? at.step : SM_TEXT("last");
    struct sm_word m = {.text = at.mode};
    struct sm_word w = {
        .text = {sm_arena_xstrndup(&c->arena, at.worker.n ? at.worker.p : "", at.worker.n),
                 at.worker.n}};
    return (!at.mode.n || sm_args_mode(&m, mode, err)) &&
           (!at.worker.n || sm_args_worker(t, &w, worker, err));
}

static bool on_disk(const struct sm_trial *t, struct sm_step step, struct sm_err *err)
{
    size_t i = sm_trial_step_at(t, step), n = sm_trial_step_count(t);
    if (i < n && sm_trial_step(t, i)->step.n == step.n)
        return true;
    if (!n)
        return sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
    int64_t below = i ? sm_trial_step(t, i - 1)->step.n : -1,
            above = i < n ? sm_trial_step(t, i)->step.n : -1;
    bool lower = below >= 0 && (above < 0 || step.n - below <= above - step.n);
    return sm_err_set(err, SM_ERR_MISSING, "There is no step %lld (nearest %lld).",
                      (long long)step.n, (long long)(lower ? below : above));
}

bool sm_point_find(struct sm_call *c, struct sm_text spec, enum sm_mode mode,
                   struct sm_point_at *out, struct sm_err *err)
{
    *out = c->session->at;
    if (!take_place(c, &spec, &mode, &out->worker, err) ||
        !sm_args_step(c, mode, spec, NULL, &out->step, err) ||
        !on_disk(sm_session_trial(c->session), out->step, err))
        return false;
    out->mode = mode != SM_MODE_ANY ? mode : out->mode;
    out->follow = sm_text_is(spec, "last");
    return true;
}

static bool is_live(const struct sm_session *s, const struct sm_trial *t)
{
    enum sm_trial_state state = sm_trial_state(t);
    return s->open_options.follow && (state == SM_TRIAL_LIVE || state == SM_TRIAL_WAITING);
}

bool sm_point_is_live(const struct sm_session *s)
{
    return is_live(s, sm_session_trial(s));
}

bool sm_point_may_look(const struct sm_session *s, const struct sm_trial *t, size_t i)
{
    size_t n = sm_trial_session_count(t);
    int64_t last = n ? sm_trial_session(t, n - 1)->last.n : INT64_MAX;
    bool counted = sm_trial_num_workers(t) >= 0;
    if (!is_live(s, t))
        return true;
    for (; i < sm_trial_step_count(t) && sm_trial_step(t, i)->step.n <= last; i++)
        if (!counted || sm_trial_step(t, i)->complete)
            return true;
    return false;
}

struct sm_step sm_point_behind(const struct sm_session *s)
{
    bool nowhere = s->at.step.n < 0 && !sm_point_is_live(s);
    return nowhere ? (struct sm_step){-1} : sm_session_step(s);
}

void sm_point_leave_mode(struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    size_t i = sm_trial_step_at(t, s->at.step);
    bool saved = i < sm_trial_step_count(t) && sm_trial_step(t, i)->step.n == s->at.step.n;
    if (saved && s->at.mode != SM_MODE_GLOBAL &&
        s->at.mode != (enum sm_mode)sm_trial_step(t, i)->mode)
        s->at.mode = SM_MODE_ANY;
}

bool sm_point_restarted(const struct sm_trial *t, size_t *sessions, struct sm_step *last)
{
    size_t n = sm_trial_session_count(t);
    bool again = n > *sessions && *sessions,
         lower = again && sm_trial_session(t, n - 1)->first.n <= last->n;
    *sessions = n;
    if (lower)
        last->n = sm_trial_session(t, n - 1)->first.n - 1;
    return lower;
}
