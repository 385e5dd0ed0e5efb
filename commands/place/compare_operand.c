#include "commands/place/compare_operand.h"

#include "commands/place/place_at.h"
#include "commands/session/trial_list.h"

#include <string.h>

static bool read_head(struct sm_call *c, struct sm_text head, struct sm_compare_operand *out,
                      struct sm_err *err)
{
    const struct sm_session *s = c->session;
    const struct sm_word word = {.text = {sm_arena_xstrndup(&c->arena, head.p, head.n), head.n}};
    uint16_t worker = sm_trial_find_worker(out->trial, word.text.p);
    struct sm_err no_mode;
    if (sm_trials_find(s, head, &out->index)) {
        out->trial = s->trials[out->index].trial;
        out->worker = SM_WORKER_ANY;
        return true;
    }
    out->index = s->current;
    if (worker != SM_WORKER_ANY) {
        out->worker = worker;
        return true;
    }
    if (sm_args_mode(&word, &out->mode, &no_mode))
        return true;
    return sm_err_set(err, SM_ERR_MISSING,
                      "No trial, worker or mode \"%s\".  Steps are written @100.", word.text.p);
}

/* Step specs are read of the current trial: the side's is so meanwhile. */
static bool read_place(struct sm_call *c, struct sm_text place, struct sm_compare_operand *out,
                       struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_at at;
    size_t current = s->current;
    if (!sm_at_read(place, &at))
        return sm_err_set(err, SM_ERR_USAGE, "A step is expected behind \"@\".");
    const struct sm_word mode = {.text = at.mode};
    const struct sm_word worker = {
        .text = {sm_arena_xstrndup(&c->arena, at.worker.n ? at.worker.p : "", at.worker.n),
                 at.worker.n}};
    if ((at.mode.n && !sm_args_mode(&mode, &out->mode, err)) ||
        (at.worker.n && !sm_args_worker(out->trial, &worker, &out->worker, err)))
        return false;
    out->has_step = at.step.n > 0;
    s->current = out->index;
    bool ok = !out->has_step || sm_args_step(c, out->mode, at.step, NULL, &out->step, err);
    s->current = current;
    return ok;
}

bool sm_compare_operand_read(struct sm_call *c, struct sm_text text, struct sm_compare_operand *out,
                             struct sm_err *err)
{
    const char *at = memchr(text.p, '@', text.n);
    size_t head = at ? (size_t)(at - text.p) : text.n;
    *out = (struct sm_compare_operand){.index = c->session->current,
                                       .trial = sm_session_trial(c->session),
                                       .worker = SM_WORKER_ANY};
    return (!head || read_head(c, (struct sm_text){text.p, head}, out, err)) &&
           (!at || read_place(c, (struct sm_text){at, text.n - head}, out, err));
}

void sm_compare_operand_text(const struct sm_session *s, const struct sm_compare_operand *x,
                             struct sm_str *out)
{
    const char *name = sm_trials_name(s, x->index);
    sm_str_add_escaped(out, name, strlen(name));
    if (x->has_step)
        sm_str_printf(out, " step %lld", (long long)x->step.n);
    if (x->mode != SM_MODE_ANY)
        sm_str_printf(out, " %s", sm_mode_name((int)x->mode));
    if (x->worker != SM_WORKER_ANY) {
        sm_str_addc(out, ' ');
        sm_str_add_escaped(out, sm_trial_worker(x->trial, x->worker),
                           strlen(sm_trial_worker(x->trial, x->worker)));
    }
}

/* ---- steps that belong together ---- */

const struct sm_trial_step *sm_compare_operand_step(const struct sm_trial *t, struct sm_step step)
{
    size_t i = sm_trial_step_at(t, step);
    return i < sm_trial_step_count(t) && sm_trial_step(t, i)->step.n == step.n ? sm_trial_step(t, i)
                                                                               : NULL;
}

bool sm_compare_operand_same_step(const struct sm_trial *t, enum sm_mode mode,
                                  const struct sm_trial_step *as, struct sm_step *out)
{
    if (sm_trial_step_of_mode(t, mode, as->mode_step, out))
        return true;
    const struct sm_trial_step *there = sm_compare_operand_step(t, as->step);
    *out = as->step;
    return there && (as->mode == SM_MODE_GLOBAL || there->mode == SM_MODE_GLOBAL);
}

static bool on_disk(const struct sm_session *s, const struct sm_compare_operand *x,
                    struct sm_err *err)
{
    if (!x->has_step || sm_compare_operand_step(x->trial, x->step))
        return true;
    return sm_err_set(err, SM_ERR_MISSING, "There is no step %lld of %s.", (long long)x->step.n,
                      sm_trials_name(s, x->index));
}

bool sm_compare_operands_match(const struct sm_session *s, struct sm_compare_operand *a,
                               struct sm_compare_operand *b, struct sm_err *err)
{
    struct sm_compare_operand *without = a->has_step ? b : a, *with = a->has_step ? a : b;
    bool elsewhere = a->trial != b->trial || a->worker != b->worker;
    if (!on_disk(s, a, err) || !on_disk(s, b, err))
        return false;
    if (a->has_step != b->has_step) {
        without->has_step = true;
        without->step = elsewhere ? with->step : sm_session_step(s);
        if (elsewhere)
            sm_compare_operand_same_step(
                without->trial,
                (enum sm_mode)sm_compare_operand_step(with->trial, with->step)->mode,
                sm_compare_operand_step(with->trial, with->step), &without->step);
    }
    return on_disk(s, without, err);
}
