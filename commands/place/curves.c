/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/curves.h"

#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/place/series_args.h"
#include "commands/session/trial_list.h"
#include "reader/trial_place.h"

#include <stdlib.h>
#include <string.h>

const struct sm_arg sm_curves_args[] = {
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .required = true, .repeats = true},
    {.name = "REDUCTION", .kind = SM_ARG_TEXT, .keyword = "reduce", .words = sm_statistic_names},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};

/* ---- selecting ---- */

static void add_curve_per_mode(struct sm_curves *out, const struct sm_curve *of)
{
    for (int mode = SM_MODE_ANY + 1; mode < SM_MODES; mode++) {
        if (!(of->tensor->modes >> mode & 1))
            continue;
        out->items[out->n] = *of;
        out->items[out->n++].mode = (enum sm_mode)mode;
    }
}

/* Adds a curve for each mode in which the tensor was saved, if they are to be told apart; for each
 * TensorBoard run; and for each worker, if all are asked for. */
static void add_curves(struct sm_call *c, const struct sm_trial *t, bool by_mode,
                       struct sm_curves *out, struct sm_curve of)
{
    bool any_worker = !sm_call_keyword(c, "worker"),
         modes = by_mode && !sm_call_keyword(c, "mode") && !sm_trial_traits(t)->runs,
         workers =
             sm_args_all_workers(c) ||
             (by_mode && any_worker && !sm_call_keyword(c, "mode") && sm_trial_traits(t)->runs);
    modes = modes && (any_worker || workers);
    for (size_t w = 0; w < (workers ? sm_trial_worker_count(t) : 1); w++) {
        of.run = workers ? (uint16_t)w : SM_WORKER_ANY;
        if (modes)
            add_curve_per_mode(out, &of);
        else
            out->items[out->n++] = of;
    }
}

/* Copies the words that match a tensor of this trial; the other words may match in other trials.
 * With one trial, copies all words. */
static size_t matching_words(struct sm_call *c, struct sm_trial *t, const struct sm_curves *of,
                             struct sm_word *words, struct sm_err *err)
{
    struct sm_selection sel;
    size_t n = 0;
    for (size_t i = 0; i < c->n_words; i++) {
        words[n] = c->words[i];
        n += of->trials.n == 1 || sm_select(c->session, t, &c->arena, &c->words[i], 1, &sel, err) ||
             err->code != SM_ERR_MISSING;
    }
    return n;
}

/* Adds the curves of one of the session's trials. */
static bool select_in_trial(struct sm_call *c, size_t trial, bool by_mode, struct sm_curves *out,
                            struct sm_err *err)
{
    struct sm_trial *t = c->session->trials[trial].trial;
    struct sm_selection sel;
    struct sm_word *words = sm_arena_xalloc(&c->arena, (c->n_words + 1) * sizeof *words);
    size_t n_words = matching_words(c, t, out, words, err);
    if (!n_words && c->n_words)
        return true;
    if (!sm_select(c->session, t, &c->arena, words, n_words, &sel, err))
        return false;
    size_t each = SM_MODES * (sm_args_all_workers(c) ? sm_trial_worker_count(t) : 1) +
                  sm_trial_worker_count(t);
    struct sm_curve *items =
        sm_arena_xalloc(&c->arena, (out->n + sel.n * each + 1) * sizeof *items);
    if (out->n)
        memcpy(items, out->items, out->n * sizeof *items);
    out->items = items;
    for (size_t i = 0; i < sel.n; i++) {
        struct sm_curve x = {.trial = trial,
                             .tensor = sel.items[i],
                             .run = SM_WORKER_ANY,
                             .name = sm_trial_tensor_name(t, sel.items[i])};
        add_curves(c, t, by_mode, out, x);
    }
    return true;
}

/* By name, then by trial, run and mode. */
static int curve_cmp(const void *left, const void *right)
{
    const struct sm_curve *a = left, *b = right;
    int d = sm_natural_cmp(a->name, b->name);
    if (!d)
        d = (a->trial > b->trial) - (a->trial < b->trial);
    if (!d)
        d = (a->run > b->run) - (a->run < b->run);
    return d ? d : (int)a->mode - (int)b->mode;
}

static bool select_all(struct sm_call *c, bool by_mode, struct sm_curves *out, struct sm_err *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < out->trials.n; i++)
        ok = select_in_trial(c, out->trials.items[i], by_mode, out, err);
    if (out->trials.n > 1 && out->n)
        qsort(out->items, out->n, sizeof *out->items, curve_cmp);
    if (!ok || out->n || !c->n_words)
        return ok;
    struct sm_place place; /* its error explains why no tensor matches */
    return sm_place_read(c, &place, err) && sm_err_set(err, SM_ERR_MISSING, "No tensor matches.");
}

/* ---- values ---- */

static bool read_curve(struct sm_call *c, struct sm_curve *x, struct sm_err *err)
{
    struct sm_trial *t = c->session->trials[x->trial].trial;
    bool ok = sm_args_series(c, t, x->tensor, &x->spec, err);
    if (x->mode != SM_MODE_ANY)
        x->spec.mode = x->mode;
    if (x->run != SM_WORKER_ANY)
        x->spec.worker = x->run;
    ok = ok && sm_series_read(c->session->fetch, t, &x->spec, &x->series, err);
    sm_step_range_cut(c->session, &x->series);
    return ok;
}

/* Reads all curves. SM_ERR_WAIT until all are read. Tensors without numbers are omitted. */
static bool read_all(struct sm_call *c, struct sm_curves *x, struct sm_err *err)
{
    bool waiting = false;
    size_t n = x->n;
    x->n = 0;
    for (size_t i = 0; i < n; i++) {
        struct sm_curve one = x->items[i];
        bool ok = read_curve(c, &one, err);
        if (ok)
            x->items[x->n++] = one;
        else
            sm_series_clear(&one.series);
        if (!ok && err->code == SM_ERR_USAGE)
            return false;
        waiting = waiting || (!ok && err->code == SM_ERR_WAIT);
    }
    return waiting ? sm_err_set(err, SM_ERR_WAIT, "reading series") : true;
}

/* Of several trials, those without the worker are left out. */
static bool check_worker(struct sm_call *c, const struct sm_curves *x, struct sm_err *err)
{
    const struct sm_word *worker = sm_call_keyword(c, "worker");
    uint16_t found;
    return !worker || x->trials.n != 1 || sm_args_all_workers(c) ||
           sm_place_find_worker(c->session->trials[x->trials.items[0]].trial, worker->text, &found,
                                err);
}

bool sm_curves_read(struct sm_call *c, bool by_mode, struct sm_curves *out, struct sm_err *err)
{
    *out = (struct sm_curves){0};
    if (!sm_trial_set_read(c, &out->trials, err) || !check_worker(c, out, err) ||
        !select_all(c, by_mode, out, err))
        return false;
    bool ok = read_all(c, out, err);
    if (!ok)
        sm_curves_clear(out);
    return ok;
}

void sm_curves_clear(struct sm_curves *x)
{
    for (size_t i = 0; i < x->n; i++)
        sm_series_clear(&x->items[i].series);
    x->n = 0;
}

/* ---- labels ---- */

bool sm_curves_share_name(const struct sm_curves *x)
{
    for (size_t i = 1; i < x->n; i++)
        if (strcmp(x->items[i].name, x->items[0].name) != 0)
            return false;
    return true;
}

static void add_word(struct sm_str *out, const char *word)
{
    sm_str_add(out, out->len ? " " : "");
    sm_str_add_escaped(out, word, strlen(word));
}

const char *sm_curve_label(const struct sm_session *s, struct sm_result *out,
                           const struct sm_curves *all, const struct sm_curve *x)
{
    const struct sm_trial *t = s->trials[x->trial].trial;
    struct sm_str label = {0};
    if (all->trials.n > 1 && sm_curves_share_name(all))
        sm_trials_label(s, x->trial, &label);
    else if (all->trials.n > 1)
        sm_str_printf(&label, "%zu", x->trial + 1);
    if (x->run != SM_WORKER_ANY && sm_trial_worker_count(t) > 1)
        add_word(&label, sm_trial_worker(t, x->run));
    if (x->mode != SM_MODE_ANY && x->tensor->modes != 1U << x->mode)
        add_word(&label, sm_mode_name((int)x->mode));
    if (all->trials.n == 1 || !sm_curves_share_name(all))
        add_word(&label, x->name);
    const char *kept = sm_arena_xstrndup(&out->arena, sm_str_text(&label), label.len);
    sm_str_clear(&label);
    return kept;
}

void sm_curves_note_saved(struct sm_result *out, const struct sm_curves *all)
{
    enum { NAMED = 3 };
    struct sm_str text = {0};
    size_t n = 0;
    const char *before = "";
    for (size_t i = 0; i < all->n; i++) {
        const struct sm_curve *x = &all->items[i];
        if (!x->spec.saved || !x->spec.reduction || strcmp(x->name, before) == 0)
            continue;
        before = x->name;
        if (n++ >= NAMED)
            continue;
        sm_str_printf(&text, "%sthe %s of ", n > 1 ? ", " : "", x->spec.reduction->key);
        sm_str_add_escaped(&text, x->name, strlen(x->name));
    }
    if (n > NAMED)
        sm_str_printf(&text, " and of %zu more", n - NAMED);
    if (n)
        sm_result_dim(out, "Saved by the job, not computed: %s.", sm_str_text(&text));
    sm_str_clear(&text);
}
