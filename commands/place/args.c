#include "commands/place/args.h"

#include "commands/answer/typed_number.h"
#include "commands/language/tokens.h"
#include "commands/place/place_at.h"
#include "commands/place/place_point.h"
#include "commands/place/why.h"
#include "reader/tensor/slice.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const struct sm_arg sm_place_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    SM_PLACE_ROWS,
    {0},
};

bool sm_args_mode(const struct sm_word *w, enum sm_mode *out, struct sm_err *err)
{
    static const char *const names[SM_MODES] = {"any", "train", "eval", "predict", "global"};
    for (size_t m = 0; m < SM_MODES; m++) {
        if (w->text.n && strncasecmp(names[m], w->text.p, w->text.n) == 0 &&
            w->text.n <= strlen(names[m])) {
            *out = (enum sm_mode)m;
            return true;
        }
    }
    return sm_err_set(err, SM_ERR_USAGE,
                      "Undefined mode \"%.*s\".  Choose one of: train, eval, predict, global.",
                      (int)w->text.n, w->text.p);
}

bool sm_args_mode_given(const struct sm_call *c, enum sm_mode *out, struct sm_err *err)
{
    const struct sm_word *mode = sm_call_keyword(c, "mode");
    *out = SM_MODE_ANY;
    return !mode || sm_args_mode(mode, out, err);
}

bool sm_args_worker(const struct sm_trial *t, const struct sm_word *w, uint16_t *out,
                    struct sm_err *err)
{
    int64_t number;
    *out = sm_trial_find_worker(t, w->text.p);
    if (*out == SM_WORKER_ANY && sm_number_int(w->text, &number)) {
        struct sm_str name = {0};
        sm_str_printf(&name, "worker_%lld", (long long)number);
        *out = sm_trial_find_worker(t, sm_str_text(&name));
        sm_str_clear(&name);
    }
    if (*out != SM_WORKER_ANY)
        return true;
    struct sm_str all = {0};
    for (uint16_t i = 0; i < sm_trial_worker_count(t) && i < 8; i++)
        sm_str_printf(&all, "%s%s", i ? ", " : "", sm_trial_worker(t, i));
    sm_err_set(err, SM_ERR_MISSING, "No worker \"%.*s\".  Workers: %s%s.", (int)w->text.n,
               w->text.p, sm_str_text(&all), sm_trial_worker_count(t) > 8 ? ", ..." : "");
    sm_str_clear(&all);
    return false;
}

/* ---- a tensor at a place ---- */

/* The words of a target once they are told apart. */
struct parts {
    const struct sm_word *name;        /* NULL: the current tensor */
    struct sm_text step, mode, worker; /* n == 0: none given */
    const struct sm_trial_tensor *tensor;
};

static bool is_step(const struct sm_word *w)
{
    static const char *const words[] = {"first", "last", "all", "."};
    if (w->quoted || w->slice.n)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sm_text_is(w->text, words[i]))
            return true;
    return sm_reader_looks_like_step(w->text.p);
}

/* "conv0_weight@100": a name and a place in one word, when no tensor is called so. */
static bool split_at(struct sm_call *c, struct sm_trial *t, const struct sm_word *w,
                     struct parts *p)
{
    struct sm_at place;
    const char *at = memrchr(w->text.p, '@', w->text.n);
    if (w->quoted || !at || at == w->text.p)
        return false;
    p->tensor = sm_trial_find(t, w->text.p, (size_t)(at - w->text.p));
    if (!p->tensor ||
        !sm_at_read((struct sm_text){at, w->text.n - (size_t)(at - w->text.p)}, &place))
        return false;
    p->step = place.step;
    p->mode = place.mode;
    p->worker.n = place.worker.n; /* names are looked up as C strings */
    p->worker.p =
        sm_arena_xstrndup(&c->arena, place.worker.n ? place.worker.p : "", place.worker.n);
    return true;
}

static bool find_tensor(struct sm_call *c, struct sm_trial *t, struct parts *p, struct sm_err *err)
{
    const struct sm_word *first = c->n_words ? &c->words[0] : NULL;
    if (first && (p->tensor = sm_trial_find(t, first->text.p, first->text.n))) {
        p->name = first;
    } else if (first && !is_step(first)) {
        p->name = first;
        return split_at(c, t, first, p) || sm_why_no_tensor(t, first->text, err);
    } else if (c->session->at.tensor == SM_NAME_NONE) {
        return sm_err_set(err, SM_ERR_USAGE,
                          "Argument required (the name of a tensor).  Try \"help %s\".",
                          c->cmd->name);
    } else {
        const struct sm_names *names = sm_trial_names(t);
        uint32_t id = c->session->at.tensor;
        p->tensor = sm_trial_find(t, sm_names_text(names, id), sm_names_length(names, id));
        if (!p->tensor)
            return sm_why_no_tensor(t, sm_text(sm_names_text(names, id)), err);
    }
    return true;
}

static bool find_parts(struct sm_call *c, struct sm_trial *t, struct parts *p, struct sm_err *err)
{
    const struct sm_word *keyword = sm_call_keyword(c, "step"), *mode = sm_call_keyword(c, "mode");
    const struct sm_word *worker = sm_call_keyword(c, "worker");
    *p = (struct parts){0};
    if (!find_tensor(c, t, p, err))
        return false;
    p->mode = mode ? mode->text : p->mode;
    p->worker = worker ? worker->text : p->worker;
    if (!p->name && c->n_words)
        p->step = c->words[0].text;
    else if (c->n_words > 1 && is_step(&c->words[1]))
        p->step = c->words[1].text;
    if (keyword && p->step.n)
        return sm_err_set(err, SM_ERR_USAGE, "A step is given twice: \"%s\".", keyword->text.p);
    if (keyword)
        p->step = keyword->text;
    return true;
}

static bool find_slice(struct sm_call *c, const struct parts *p, struct sm_target *out,
                       struct sm_err *err)
{
    size_t used;
    if (!p->name || !p->name->slice.n)
        return true;
    out->slice = sm_arena_xalloc(&c->arena, sizeof *out->slice);
    return sm_slice_parse(p->name->slice.p, p->name->slice.n, out->slice, &used, err);
}

static bool find_who(struct sm_call *c, const struct parts *p, struct sm_target *out,
                     struct sm_err *err)
{
    out->mode = c->session->at.mode;
    out->worker = p->worker.n ? SM_WORKER_ANY : c->session->at.worker;
    return (!p->mode.n || sm_args_mode(&(struct sm_word){.text = p->mode}, &out->mode, err)) &&
           (!p->worker.n ||
            sm_args_worker(out->trial, &(struct sm_word){.text = p->worker}, &out->worker, err));
}

static bool find_step(struct sm_call *c, const struct parts *p, struct sm_target *out,
                      struct sm_err *err)
{
    const struct sm_point_at *at = &c->session->at;
    enum sm_mode counted = p->mode.n ? out->mode : SM_MODE_ANY;
    out->has_step = true;
    if (p->step.n)
        return sm_args_step(c, counted, p->step, out->tensor, &out->step, err);
    if (p->mode.n)
        return sm_args_step(c, counted, SM_TEXT("last"), out->tensor, &out->step, err);
    if (at->step.n >= 0 && !at->follow) {
        out->step = at->step;
    } else {
        out->has_step = false;
        out->step = out->tensor->last;
    }
    return true;
}

static bool is_saved(const struct sm_target *t, struct sm_err *err)
{
    size_t from, to;
    struct sm_str text = {0};
    if (sm_trial_entries_at(t->trial, t->tensor, t->step, &from, &to)) {
        if (t->worker == SM_WORKER_ANY)
            return true;
        for (size_t i = from; i < to; i++)
            if (sm_trial_part(t->trial, t->tensor->entries[i].part)->worker == t->worker)
                return true;
    }
    sm_why(t->trial, t->tensor, t->step, t->worker, &text);
    sm_err_set(err, SM_ERR_MISSING, "%s", sm_str_text(&text));
    sm_str_clear(&text);
    return false;
}

static void move_there(struct sm_call *c, const struct parts *p, const struct sm_target *t)
{
    struct sm_point_at *at = &c->session->at;
    at->tensor = t->tensor->name;
    if (t->has_step) {
        at->step = t->step;
        at->follow = sm_text_is(p->step, "last");
        sm_point_leave_mode(c->session);
    }
    if (p->mode.n)
        at->mode = t->mode;
    if (p->worker.n)
        at->worker = t->worker;
}

/* The tensor, slice, mode and worker; the step comes after. */
static bool begin(struct sm_call *c, struct parts *p, struct sm_target *out, struct sm_err *err)
{
    *out = (struct sm_target){
        .trial = sm_session_trial(c->session), .step = {-1}, .worker = SM_WORKER_ANY};
    if (!out->trial)
        return sm_session_no_trial(err);
    if (!find_parts(c, out->trial, p, err))
        return false;
    out->tensor = p->tensor;
    out->name = sm_trial_tensor_name(out->trial, p->tensor);
    return find_slice(c, p, out, err) && find_who(c, p, out, err);
}

bool sm_args_target(struct sm_call *c, struct sm_target *out, struct sm_err *err)
{
    struct parts p;
    if (!begin(c, &p, out, err) || !find_step(c, &p, out, err) || !is_saved(out, err))
        return false;
    move_there(c, &p, out);
    return true;
}

/* Each step of the spec that the worker saved. */
static bool find_steps(struct sm_call *c, const struct parts *p, const struct sm_target *at,
                       struct sm_targets *out, struct sm_err *err)
{
    struct sm_steps steps;
    if (!sm_args_steps(c, p->mode.n ? at->mode : SM_MODE_ANY, p->step, at->tensor, &steps, err))
        return false;
    out->items = sm_arena_xalloc(&c->arena, (steps.n + 1) * sizeof *out->items);
    for (size_t i = 0; i < steps.n; i++) {
        struct sm_target *t = &out->items[out->n];
        *t = *at;
        t->step = steps.items[i];
        t->has_step = true;
        if (is_saved(t, NULL))
            out->n++;
    }
    return out->n || sm_err_set(err, SM_ERR_MISSING, "%s was not saved at any of the steps %.*s.",
                                at->name, (int)p->step.n, p->step.p);
}

bool sm_args_targets(struct sm_call *c, struct sm_targets *out, struct sm_err *err)
{
    struct parts p;
    struct sm_target at;
    *out = (struct sm_targets){0};
    if (!begin(c, &p, &at, err))
        return false;
    if (sm_args_several(p.step)) {
        if (!find_steps(c, &p, &at, out, err))
            return false;
    } else {
        if (!find_step(c, &p, &at, err) || !is_saved(&at, err))
            return false;
        out->items = sm_arena_xalloc(&c->arena, sizeof at);
        out->items[out->n++] = at;
    }
    move_there(c, &p, &out->items[out->n - 1]);
    return true;
}

bool sm_args_entry(struct sm_call *c, const struct sm_target *t, const struct sm_entry **out,
                   struct sm_err *err)
{
    (void)c;
    *out = sm_trial_entry(t->trial, t->tensor, t->step, t->worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    if (*out)
        return true;
    struct sm_str text = {0};
    sm_why(t->trial, t->tensor, t->step, t->worker, &text);
    sm_err_set(err, SM_ERR_MISSING, "%s", sm_str_text(&text));
    sm_str_clear(&text);
    return false;
}
