/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/tensor_pane/step_window.h"

#include "reader/base/clock.h"
#include "reader/base/grow.h"
#include "reader/base/mem.h"

#include <string.h>

enum { BINS = 60, FRAME_US = 15000 };

static void clear_step(struct sm_step_window_step *x)
{
    sm_histogram_clear(&x->histogram);
}

void sm_step_window_clear(struct sm_step_window *o)
{
    for (size_t i = 0; i < o->n; i++)
        clear_step(&o->items[i]);
    sm_free(o->items);
    sm_free(o->steps);
    *o = (struct sm_step_window){.of = SM_NAME_NONE};
}

/* ---- the choice ---- */

static bool same_slice(const struct sm_slice *a, const struct sm_slice *b)
{
    struct sm_str x = {0}, y = {0};
    sm_slice_text(&x, a);
    sm_slice_text(&y, b);
    bool same = strcmp(sm_str_text(&x), sm_str_text(&y)) == 0;
    sm_str_clear(&x);
    sm_str_clear(&y);
    return same;
}

/* Clears the values if they are of another tensor or slice. */
static void select_values(struct sm_step_window *o, const struct sm_trial *t, uint32_t of,
                          const struct sm_slice *slice)
{
    static const struct sm_slice whole = {.n = 0};
    slice = slice ? slice : &whole;
    if (o->trial == t && o->of == of && same_slice(&o->slice, slice))
        return;
    sm_step_window_clear(o);
    o->trial = t;
    o->of = of;
    o->slice = *slice;
}

static bool is_step_value(const struct sm_trial *t, const struct sm_entry *e, enum sm_mode mode,
                          int64_t before)
{
    const struct sm_part *p = sm_trial_part(t, e->part);
    return e->kind == SM_ENTRY_VALUE && !p->replaced && p->step.n != before &&
           (mode == SM_MODE_ANY || p->mode == mode);
}

/* The entries of the steps that may still change are listed again: those of the newest step, and
 * all after a restart or a step that something was added to later. */
static void forget_steps(struct sm_step_window *o, const struct sm_trial *t,
                         const struct sm_trial_tensor *x, enum sm_mode mode)
{
    uint64_t opened = sm_trial_version(t) >> 32; /* of each trial another number */
    bool same = o->opened == opened && o->mode == mode &&
                o->sessions == sm_trial_session_count(t) && o->late <= sm_trial_late_count(t) &&
                o->listed <= x->n_entries;
    size_t keep = same && x->n_entries ? o->listed : 0;
    for (; same && o->late < sm_trial_late_count(t); o->late++) {
        size_t from = sm_trial_entries_from(t, x, sm_trial_late_step(t, o->late));
        keep = from < keep ? from : keep;
    }
    int64_t last = keep ? sm_tensor_part(t, x, keep - 1)->step.n : 0;
    while (keep && sm_tensor_part(t, x, keep - 1)->step.n == last)
        keep--;
    last = keep ? sm_tensor_part(t, x, keep - 1)->step.n : -1;
    while (o->all && o->steps[o->all - 1] > last)
        o->all--;
    o->listed = keep;
    o->opened = opened;
    o->mode = mode;
    o->sessions = sm_trial_session_count(t);
    o->late = sm_trial_late_count(t);
}

/* Lists the distinct steps. */
static void list_steps(struct sm_step_window *o, const struct sm_trial *t,
                       const struct sm_trial_tensor *x, enum sm_mode mode)
{
    forget_steps(o, t, x, mode);
    for (; o->listed < x->n_entries; o->listed++) {
        int64_t before = o->all ? o->steps[o->all - 1] : -1;
        o->looked_at++;
        struct sm_entry e = sm_tensor_entry(t, x, o->listed);
        if (!is_step_value(t, &e, mode, before))
            continue;
        SM_GROW(o->steps, o->all, o->cap);
        o->steps[o->all++] = sm_trial_part(t, e.part)->step.n;
    }
}

/* Moves the step out of `from` if its value is the same, else returns an unread one. */
static struct sm_step_window_step take_step(struct sm_step_window *from, size_t *at, int64_t step,
                                            const struct sm_entry *e)
{
    while (*at < from->n && from->items[*at].step < step)
        clear_step(&from->items[(*at)++]);
    if (*at < from->n && from->items[*at].step == step && sm_entry_same(&from->items[*at].entry, e))
        return from->items[(*at)++];
    return (struct sm_step_window_step){.step = step, .entry = *e};
}

void sm_step_window_choose(struct sm_step_window *o, const struct sm_session *s,
                           const struct sm_trial_tensor *x, enum sm_mode mode,
                           const struct sm_slice *slice, size_t most)
{
    const struct sm_trial *t = sm_session_trial(s);
    select_values(o, t, x->name, slice);
    list_steps(o, t, x, mode);
    size_t all = o->all, stride = 1, at = 0, n = 0, next;
    while (all / stride + 1 > most)
        stride *= 2;
    o->stride = stride;
    struct sm_step_window_step *items = sm_xalloc_zero(all / stride + 2, sizeof *items);
    for (size_t i = 0; i < all; i = next) {
        struct sm_entry e = sm_trial_entry(t, x, (struct sm_step){o->steps[i]}, s->at.worker,
                                           SM_ENTRY_VALUE, SM_REDUCE_NONE);
        if (sm_entry_exists(&e))
            items[n++] = take_step(o, &at, o->steps[i], &e);
        next = i + stride < all || i + 1 == all ? i + stride : all - 1;
    }
    while (at < o->n)
        clear_step(&o->items[at++]);
    sm_free(o->items);
    o->items = items;
    o->n = n;
}

/* ---- reading ---- */

/* Of the whole value: those of a number that was read once are at hand. */
static void read_stats(struct sm_step_window_step *x, struct sm_session *s)
{
    const struct sm_facts *facts;
    struct sm_err err = {0};
    x->has_stats = sm_fetch_number(s->fetch, sm_session_trial(s), &x->entry, &facts, &err);
    if (x->has_stats)
        x->stats = facts->stats;
    else
        x->failed = err.code != SM_ERR_WAIT;
}

static void read_step(struct sm_step_window *o, struct sm_step_window_step *x, struct sm_session *s,
                      bool histogram)
{
    if (!histogram && !o->slice.n) {
        read_stats(x, s);
        return;
    }
    struct sm_summary_spec spec = {.slice = o->slice.n ? &o->slice : NULL,
                                   .want = histogram ? SM_SUMMARY_HISTOGRAM : SM_SUMMARY_STATS,
                                   .bins = BINS};
    struct sm_summary summary;
    struct sm_err err = {0};
    if (!sm_summary_read(s->summaries, sm_session_trial(s), &x->entry, &spec, &summary, &err)) {
        x->failed = err.code != SM_ERR_WAIT;
        return;
    }
    if (histogram) {
        x->histogram = summary.histogram;
        summary.histogram = (struct sm_histogram){0};
    } else {
        x->stats = summary.stats;
    }
    *(histogram ? &x->has_histogram : &x->has_stats) = true;
    sm_summary_clear(&summary);
}

static bool is_known(const struct sm_step_window_step *x, bool histogram)
{
    return x->failed || (histogram ? x->has_histogram : x->has_stats);
}

bool sm_step_window_read(struct sm_step_window *o, struct sm_session *s, bool histograms)
{
    int64_t until = sm_clock_mono_us() + FRAME_US;
    size_t i = 0;
    for (; i < o->n && sm_clock_mono_us() < until; i++)
        if (!is_known(&o->items[i], histograms))
            read_step(o, &o->items[i], s, histograms);
    o->unread = 0;
    for (size_t k = 0; k < o->n; k++)
        o->unread += !is_known(&o->items[k], histograms);
    return i < o->n && o->unread;
}
