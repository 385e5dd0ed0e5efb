/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/place.h"

#include "commands/language/tokens.h"
#include "commands/place/select.h"
#include "commands/place/why.h"
#include "commands/session/trial_list.h"

#include <string.h>

const struct sm_arg sm_place_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    SM_PLACE_ROWS,
    {0},
};

bool sm_place_mode_given(const struct sm_call *c, enum sm_mode *out, struct sm_err *err)
{
    const struct sm_word *mode = sm_call_keyword(c, "mode");
    *out = SM_MODE_ANY;
    return !mode || sm_place_find_mode(mode->text, out, err);
}

/* Sets the mode and the worker of the place to those that are given. */
static bool apply_mode_and_worker(const struct sm_place_words *w, struct sm_place *p,
                                  struct sm_err *err)
{
    return (!w->mode.n || sm_place_find_mode(w->mode, &p->mode, err)) &&
           (!w->worker.n || sm_place_find_worker(p->trial, w->worker, &p->worker, err));
}

/* ---- the words of a call ---- */

struct place_words {
    const struct sm_word *name; /* NULL if the tensor is not named */
    struct sm_place_words at;
    bool of_range; /* no step is named: those of the range that is selected */
};

static bool is_step(const struct sm_word *w)
{
    static const char *const names[] = {"first", "last", "all", "."};
    if (w->quoted || w->slice.n)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sm_text_is(w->text, names[i]))
            return true;
    return sm_reader_looks_like_step(w->text.p);
}

/* "conv0_weight@100": a name and a place in one word. */
static bool split_word(const struct sm_word *w, struct place_words *out, struct sm_place *p)
{
    const char *at = memrchr(w->text.p, '@', w->text.n);
    if (w->quoted || !at || at == w->text.p)
        return false;
    size_t n = (size_t)(at - w->text.p);
    const struct sm_trial_tensor *x = sm_trial_find(p->trial, w->text.p, n);
    if (!x || !sm_place_split((struct sm_text){at, w->text.n - n}, &out->at))
        return false;
    p->tensor = x->name;
    return true;
}

/* The error for a word that names no tensor; it may be a pattern. */
static bool no_such_tensor(struct sm_call *c, const struct sm_place *p, const struct sm_word *w,
                           struct sm_err *err)
{
    struct sm_selection sel;
    bool pattern =
        !w->quoted && w->text.n && (strpbrk(w->text.p, "*?") || strchr("+/!", *w->text.p));
    if (!pattern || !sm_select(c->session, p->trial, &c->arena, w, 1, &sel, NULL) || !sel.n)
        return sm_why_no_tensor(p->trial, w->text, err);
    const char *first = sm_trial_tensor_name(p->trial, sel.items[0]);
    if (sel.n == 1)
        return sm_err_set(err, SM_ERR_USAGE, "One name is wanted: \"%s\" matches only \"%s\".",
                          w->text.p, first);
    return sm_err_set(err, SM_ERR_USAGE,
                      "One name is wanted: \"%s\" matches %zu tensors, such as \"%s\".", w->text.p,
                      sel.n, first);
}

static bool find_tensor(struct sm_call *c, struct place_words *w, struct sm_place *p,
                        struct sm_err *err)
{
    const struct sm_word *first = c->n_words ? &c->words[0] : NULL;
    const struct sm_trial_tensor *x =
        first ? sm_trial_find(p->trial, first->text.p, first->text.n) : NULL;
    if (x) {
        w->name = first;
        p->tensor = x->name;
        return true;
    }
    if (first && !is_step(first)) {
        w->name = first;
        return split_word(first, w, p) || no_such_tensor(c, p, first, err);
    }
    if (p->tensor == SM_NAME_NONE)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Argument required (the name of a tensor).  Try \"help %s\".",
                          c->cmd->name);
    return sm_place_tensor(p) || sm_why_no_tensor(p->trial, sm_text(sm_place_name(p)), err);
}

/* Every word after the name, or after the step if there is no name, must be the step. */
static bool check_words(const struct sm_call *c, const struct place_words *w, struct sm_err *err)
{
    size_t used = w->name && c->n_words > 1 && is_step(&c->words[1]) ? 2 : c->n_words > 0;
    if (c->n_words <= used)
        return true;
    return sm_err_set(err, SM_ERR_USAGE,
                      c->words[used].text.p[0] == '['
                          ? "Unexpected \"%s\": a slice is written at the name, as in NAME[0]."
                          : "Too many arguments: \"%s\" is not a step.  Try \"help %s\".",
                      c->words[used].text.p, c->cmd->name);
}

/* Finds the tensor, and the texts of step, mode and worker. */
static bool find_words(struct sm_call *c, struct place_words *w, struct sm_place *p,
                       struct sm_err *err)
{
    const struct sm_word *step = sm_call_keyword(c, "step"), *mode = sm_call_keyword(c, "mode"),
                         *worker = sm_call_keyword(c, "worker");
    *w = (struct place_words){0};
    if (!find_tensor(c, w, p, err) || !check_words(c, w, err))
        return false;
    w->at.mode = mode ? mode->text : w->at.mode;
    w->at.worker = worker ? worker->text : w->at.worker;
    if (!w->name && c->n_words)
        w->at.step = c->words[0].text;
    else if (c->n_words > 1 && is_step(&c->words[1]))
        w->at.step = c->words[1].text;
    if (step && w->at.step.n)
        return sm_err_set(err, SM_ERR_USAGE, "A step is given twice: \"%s\".", step->text.p);
    if (step)
        w->at.step = step->text;
    return true;
}

static bool find_slice(struct sm_call *c, const struct place_words *w, struct sm_place *p,
                       struct sm_err *err)
{
    size_t used;
    p->slice = NULL;
    if (!w->name || !w->name->slice.n)
        return true;
    struct sm_slice *slice = sm_arena_xalloc(&c->arena, sizeof *slice);
    p->slice = slice;
    return sm_slice_parse(w->name->slice.p, w->name->slice.n, slice, &used, err);
}

/* Sets everything except the step, which is copied from `from`. */
static bool parse_all_but_step(struct sm_call *c, const struct sm_place *from,
                               struct place_words *w, struct sm_place *p, struct sm_err *err)
{
    *p = *from;
    if (!p->trial)
        return sm_session_no_trial(err);
    return find_words(c, w, p, err) && find_slice(c, w, p, err) &&
           apply_mode_and_worker(&w->at, p, err);
}

/* The steps among which a number is looked up: those of the mode, if the words name one. */
static struct sm_place steps_of_mode(const struct place_words *w, const struct sm_place *p)
{
    struct sm_place steps = *p;
    steps.mode = w->at.mode.n ? p->mode : SM_MODE_ANY;
    return steps;
}

static bool find_step(struct sm_call *c, const struct place_words *w, struct sm_place *p,
                      struct sm_err *err)
{
    bool chosen = p->step.n >= 0 && !p->follow;
    struct sm_text spec = w->at.step.n ? w->at.step : w->at.mode.n ? SM_TEXT("last") : w->at.step;
    if (spec.n) {
        struct sm_place steps = steps_of_mode(w, p);
        p->follow = sm_text_is(w->at.step, "last");
        return sm_place_step(c, steps, spec, &p->step, err);
    }
    p->step = chosen ? p->step : sm_place_tensor(p)->last;
    p->follow = !chosen;
    return true;
}

/* The steps of the spec that the worker saved. */
static bool find_steps(struct sm_call *c, const struct place_words *w, const struct sm_place *p,
                       struct sm_places *out, struct sm_err *err)
{
    struct sm_steps steps;
    if (!sm_place_steps(c, steps_of_mode(w, p), w->at.step, &steps, err))
        return false;
    out->items = sm_arena_xalloc(&c->arena, (steps.n + 1) * sizeof *out->items);
    for (size_t i = 0; i < steps.n; i++) {
        struct sm_place *x = &out->items[out->n];
        *x = *p;
        x->step = steps.items[i];
        x->follow = false;
        out->n += sm_place_is_saved(x) &&
                  (!w->of_range || sm_step_range_has(c->session, steps.items[i].n));
    }
    if (!out->n && w->of_range)
        return sm_err_set(err, SM_ERR_MISSING,
                          "%s was not saved in steps %lld..%lld.  \"range off\" looks at all.",
                          sm_place_name(p), (long long)c->session->range.lo,
                          (long long)c->session->range.hi);
    return out->n || sm_err_set(err, SM_ERR_MISSING, "%s was not saved at any of the steps %.*s.",
                                sm_place_name(p), (int)w->at.step.n, w->at.step.p);
}

/* Sets the step, after parse_all_but_step. The place must be saved. */
static bool parse_step(struct sm_call *c, const struct place_words *w, struct sm_place *p,
                       struct sm_err *err)
{
    return find_step(c, w, p, err) && (sm_place_is_saved(p) || sm_why_not_saved(p, err));
}

static bool parse(struct sm_call *c, const struct sm_place *from, struct place_words *w,
                  struct sm_place *out, struct sm_err *err)
{
    return parse_all_but_step(c, from, w, out, err) && parse_step(c, w, out, err);
}

static bool parse_several(struct sm_call *c, const struct sm_place *from, struct place_words *w,
                          struct sm_places *out, struct sm_err *err)
{
    struct sm_place one;
    *out = (struct sm_places){0};
    if (!parse_all_but_step(c, from, w, &one, err))
        return false;
    if (c->session->range.set && !w->at.step.n) {
        struct place_words all = *w;
        all.at.step = SM_TEXT("all");
        all.of_range = w->of_range = true;
        return find_steps(c, &all, &one, out, err);
    }
    if (sm_place_several(w->at.step))
        return find_steps(c, w, &one, out, err);
    if (!parse_step(c, w, &one, err))
        return false;
    out->items = sm_arena_xalloc(&c->arena, sizeof one);
    out->items[out->n++] = one;
    return true;
}

bool sm_place_parse(struct sm_call *c, const struct sm_place *from, struct sm_place *out,
                    struct sm_err *err)
{
    struct place_words w;
    return parse(c, from, &w, out, err);
}

bool sm_places_parse(struct sm_call *c, const struct sm_place *from, struct sm_places *out,
                     struct sm_err *err)
{
    struct place_words w;
    return parse_several(c, from, &w, out, err);
}

/* ---- the current place ---- */

/* If the words choose no step, the current place keeps its own, or none. */
static void set_current_place(struct sm_session *s, const struct place_words *w,
                              const struct sm_place *to)
{
    struct sm_place *at = &s->at;
    bool chosen =
        !w->of_range && (w->at.step.n || w->at.mode.n || (at->step.n >= 0 && !at->follow));
    at->tensor = to->tensor;
    at->worker = to->worker;
    if (chosen) {
        at->step = to->step;
        at->follow = to->follow;
        sm_place_leave_mode(at);
    }
    if (w->at.mode.n)
        at->mode = to->mode;
}

bool sm_place_read(struct sm_call *c, struct sm_place *out, struct sm_err *err)
{
    struct place_words w;
    if (!parse(c, &c->session->at, &w, out, err))
        return false;
    set_current_place(c->session, &w, out);
    return true;
}

bool sm_places_read(struct sm_call *c, struct sm_places *out, struct sm_err *err)
{
    struct place_words w;
    if (!parse_several(c, &c->session->at, &w, out, err))
        return false;
    set_current_place(c->session, &w, &out->items[out->n - 1]);
    return true;
}

/* ---- a single text ---- */

static bool split_place(struct sm_text text, struct sm_place_words *out, struct sm_err *err)
{
    return sm_place_split(text, out) ||
           sm_err_set(err, SM_ERR_USAGE, "Expected a step after \"@\".");
}

static bool check_on_disk(const struct sm_trial *t, struct sm_step step, struct sm_err *err)
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

bool sm_place_parse_step(struct sm_call *c, const struct sm_place *from, enum sm_mode mode,
                         struct sm_text text, struct sm_place *out, struct sm_err *err)
{
    struct sm_place_words w = {.step = text};
    struct sm_place steps = *from;
    steps.tensor = SM_NAME_NONE;
    steps.mode = mode;
    if (!steps.trial)
        return sm_session_no_trial(err);
    if ((text.n && text.p[0] == '@' && !split_place(text, &w, err)) ||
        !apply_mode_and_worker(&w, &steps, err))
        return false;
    struct sm_text spec = w.step.n ? w.step : SM_TEXT("last");
    *out = *from;
    out->worker = steps.worker;
    out->mode = steps.mode != SM_MODE_ANY ? steps.mode : from->mode;
    out->follow = sm_text_is(spec, "last");
    return sm_place_step(c, steps, spec, &out->step, err) &&
           check_on_disk(out->trial, out->step, err);
}

/* The part of an operand before the "@". */
static bool apply_operand_head(struct sm_call *c, struct sm_text head, struct sm_place *p,
                               struct sm_err *err)
{
    size_t i;
    if (sm_trials_find(c->session, head, &i)) {
        p->trial = c->session->trials[i].trial;
        return true;
    }
    p->worker = sm_trial_find_worker(p->trial, sm_arena_xstrndup(&c->arena, head.p, head.n));
    if (p->worker != SM_WORKER_ANY || sm_place_find_mode(head, &p->mode, NULL))
        return true;
    sm_trials_named(c->session, head, &i, err);
    if (err->code == SM_ERR_WAIT)
        return false;
    return sm_err_set(err, SM_ERR_MISSING,
                      "No trial, worker or mode \"%.*s\".  Steps are written @100.", (int)head.n,
                      head.p);
}

bool sm_place_parse_operand(struct sm_call *c, const struct sm_place *from, struct sm_text text,
                            struct sm_place *out, struct sm_err *err)
{
    const char *at = memchr(text.p, '@', text.n);
    struct sm_text head = {text.p, at ? (size_t)(at - text.p) : text.n};
    struct sm_place_words w = {0};
    *out = sm_place_of_trial(from->trial);
    if (!out->trial)
        return sm_session_no_trial(err);
    if ((head.n && !apply_operand_head(c, head, out, err)) ||
        (at && !split_place((struct sm_text){at, text.n - head.n}, &w, err)) ||
        !apply_mode_and_worker(&w, out, err))
        return false;
    struct sm_place steps = *out;
    steps.step = from->step;
    steps.follow = from->follow;
    return !w.step.n || sm_place_step(c, steps, w.step, &out->step, err);
}
