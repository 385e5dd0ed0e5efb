/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/chart_note.h"

#include "commands/runs/run_group.h"
#include "commands/runs/run_view.h"

#include <string.h>

enum { TITLE_W = 14 }; /* of the frame: its corners, blanks, and a few letters of the title */

static void add_gap(struct sm_str *out, bool brief)
{
    if (out->len)
        sm_str_add(out, brief ? " " : "  ");
}

static void add_word(struct sm_str *out, bool brief, const char *word, const char *short_word)
{
    add_gap(out, brief);
    sm_str_add(out, brief ? short_word : word);
}

static void add_escaped(struct sm_str *out, const char *before, const char *text)
{
    add_gap(out, false);
    sm_str_add(out, before);
    sm_str_add_escaped(out, text, strlen(text));
}

/* What changes the picture. */
static void add_options(const struct sm_scalar_options *o, const struct sm_step_range *range,
                        bool brief, struct sm_str *out)
{
    if (o->y_scale != SM_Y_LINEAR)
        add_word(out, brief, o->y_scale == SM_Y_LOG ? "log y" : "symlog y",
                 o->y_scale == SM_Y_LOG ? "log" : "sym");
    if (o->x_log && o->x_unit != SM_X_WALL)
        add_word(out, brief, "log x", "logx");
    if (o->x_unit != SM_X_STEP)
        add_word(out, brief, o->x_unit == SM_X_SECONDS ? "x relative" : "x wall time",
                 o->x_unit == SM_X_SECONDS ? "rel" : "wall");
    if (o->clip != SM_CLIP_DIVERGED)
        add_word(out, brief, o->clip == SM_CLIP_OUTLIERS ? "no outliers" : "clip off",
                 o->clip == SM_CLIP_OUTLIERS ? "cut" : "all");
    if (o->smoothing > 0) {
        add_word(out, brief, "smoothing ", "s");
        sm_str_printf(out, "%g", o->smoothing);
    }
    if (range->set) {
        add_word(out, brief, "steps ", "");
        sm_str_printf(out, "%lld..%lld", (long long)range->lo, (long long)range->hi);
    }
    if (o->zoom) {
        add_gap(out, brief);
        sm_str_printf(out, brief ? "1/%d" : "1/%d of the steps", 1 << o->zoom);
    }
}

static void add_page(const struct sm_chart_note *n, struct sm_str *out)
{
    size_t last = n->first + n->shown < n->charts ? n->first + n->shown : n->charts;
    if (n->charts <= n->shown)
        return;
    sm_str_printf(out, "%zu", n->first + 1);
    if (n->shown > 1)
        sm_str_printf(out, "-%zu", last);
    sm_str_printf(out, " of %zu", n->charts);
}

static size_t count_left_out(const struct sm_run_table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += sm_run_left_out(t, &t->rows[i]);
    return n;
}

/* Which charts there are, and of what. */
static void add_charts(const struct sm_chart_note *n, const struct sm_view *v, struct sm_str *out)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    uint16_t worker = v->session->at.worker;
    add_page(n, out);
    if (n->filter)
        add_escaped(out, "filter ", n->filter);
    if (n->order != SM_CHARTS_BY_KIND)
        add_escaped(out, "order ", sm_chart_order_words[n->order]);
    if (t && worker != SM_WORKER_ANY && sm_trial_worker_count(t) > 1)
        add_escaped(out, "", sm_trial_worker(t, worker));
    if (v->sweep && sm_run_view(v->session)->group) {
        add_escaped(out, "", sm_run_view(v->session)->group);
        sm_str_add(out, ": mean and range");
        size_t left_out = count_left_out(&sm_run_view(v->session)->table);
        if (left_out)
            sm_str_printf(out, ", %zu diverged", left_out);
    }
}

static int width_of(const struct sm_str *s)
{
    return (int)sm_text_width(sm_str_text(s), s->len);
}

void sm_chart_note_add(const struct sm_chart_note *n, const struct sm_view *v, int w,
                       struct sm_str *note)
{
    struct sm_str charts = {0}, options = {0};
    add_charts(n, v, &charts);
    add_options(n->options, sm_view_range(v), false, &options);
    int room = w - TITLE_W, gap = charts.len && options.len ? 2 : 0;
    if (width_of(&options) > room) {
        sm_str_truncate(&options, 0);
        add_options(n->options, sm_view_range(v), true, &options);
    }
    if (!options.len || width_of(&charts) + gap + width_of(&options) <= room)
        sm_str_addn(note, sm_str_text(&charts), charts.len);
    if (options.len)
        add_gap(note, false);
    sm_str_addn(note, sm_str_text(&options), options.len);
    sm_str_clear(&charts);
    sm_str_clear(&options);
}
