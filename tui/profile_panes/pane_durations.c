/* SPDX-License-Identifier: Apache-2.0 */
/* How long steps take: of each node and mode, as a histogram, and those that take too long. */
#include "commands/place/describe.h"
#include "plot/table.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

#include <math.h>
#include <string.h>

enum { BINS_MOST = 200, TOP_H = 4, HIST_H = 6, LIST_H = 4, STDDEV = 3 };

struct state {
    struct sm_answer_rows groups, outliers;
    int top;          /* lines above the outliers */
    uint64_t version; /* of the bins: that of the groups */
    double edges[BINS_MOST + 1];
    uint64_t counts[BINS_MOST];
    size_t bins;
};

/* ---- rows ---- */

/* One group: what it holds of steps is valid for one frame only. */
static bool add_part(struct sm_answer_making *m, const struct sm_profile *p, bool singly)
{
    struct sm_step_one x;
    if (!sm_profile_step_one(p, m->part, STDDEV, &x))
        return false;
    if (x.group.n && singly)
        sm_profile_step_rows(&m->result, m->list, p, &x.group, false);
    else if (x.group.n)
        sm_profile_group_row(&m->result, m->list, p, &x.group);
    sm_profile_step_one_clear(&x);
    return true;
}

static bool add_groups(struct sm_answer_making *m, const struct sm_profile *p)
{
    return add_part(m, p, false);
}

static bool add_outliers(struct sm_answer_making *m, const struct sm_profile *p)
{
    return add_part(m, p, true);
}

/* Of the steps of the mode of the summary, on all nodes. */
static void fill_bins(struct state *s, const struct sm_profile *p, int w)
{
    double *ns, least = HUGE_VAL, most = 0;
    size_t n, bins = w < 1 ? 1 : w < BINS_MOST ? (size_t)w : BINS_MOST;
    if ((s->version == s->groups.version && s->bins == bins) ||
        !sm_profile_step_durations(p, sm_profile_main_mode(p), &ns, &n))
        return;
    memset(s->counts, 0, sizeof s->counts);
    for (size_t i = 0; i < n; i++) {
        least = ns[i] < least ? ns[i] : least;
        most = ns[i] > most ? ns[i] : most;
    }
    double width = n && most > least ? (most - least) / (double)bins : 1;
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)((ns[i] - least) / width);
        s->counts[k < bins ? k : bins - 1]++;
    }
    for (size_t i = 0; i <= bins; i++)
        s->edges[i] = ((n ? least : 0) + width * (double)i) / 1e6;
    sm_free(ns);
    s->bins = bins;
    s->version = s->groups.version;
}

/* ---- drawing ---- */

static void draw_groups(struct state *s, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r)
{
    struct sm_str note = {0};
    sm_answer_rows_draw(&s->groups, sm_profile_group_columns(), NULL, v, g, r, false, &note);
    sm_str_clear(&note);
}

static void draw_durations(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                           struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    const struct sm_answer_look look = {add_groups, sm_profile_group_columns(), NULL,
                                        "no steps in this profile: no phase Step:ModeKeys.MODE",
                                        "framework profiling was not enabled: there are no steps"};
    const struct sm_profile *x = sm_answer_rows_ask(&s->groups, p, v, &look, g, r);
    if (!x || !s->groups.table.n)
        return;
    sm_answer_rows_read(&s->outliers, x, add_outliers, v->timeless, &p->unfinished);
    int h = (int)(s->groups.table.n < TOP_H ? s->groups.table.n : TOP_H) + 1;
    s->top = h < r.h / 2 ? h : r.h / 2;
    draw_groups(s, v, g, (struct sm_rect){r.x, r.y, r.w, s->top});
    if (r.h - s->top >= HIST_H + LIST_H) {
        fill_bins(s, x, r.w - 2);
        sm_grid_text(g, r.x + 1, r.y + s->top, r.w - 1, SM_ROLE_DIM, 0, "steps by their ms");
        sm_hist_draw(g, (struct sm_rect){r.x + 1, r.y + s->top + 1, r.w - 2, HIST_H - 1}, s->edges,
                     s->counts, s->bins, false, v->glyphs);
        s->top += HIST_H;
    }
    r.y += s->top;
    r.h -= s->top;
    if (s->outliers.table.n)
        sm_answer_rows_draw(&s->outliers, sm_profile_step_columns(), "duration_ns", v, g, r,
                            focused, note);
    else if (s->outliers.made)
        sm_profile_say(v, g, r, "no step takes longer than the mean and 3 standard deviations");
    sm_str_printf(note, "%s%zu outlier%s", note->len ? "  " : "", s->outliers.table.n,
                  s->outliers.table.n == 1 ? "" : "s");
    sm_profile_note(x, note);
}

/* ---- what it can do ---- */

static enum sm_mode mode_of_name(const struct sm_text name)
{
    for (int m = 0; m < SM_MODES; m++)
        if (sm_text_is(name, sm_mode_name((uint8_t)m)))
            return (enum sm_mode)m;
    return SM_MODE_ANY;
}

/* The step under the cursor becomes current, in the charts, too. */
static const struct sm_node *go_to_row(const struct state *s, struct sm_view *v)
{
    const char *why;
    const struct sm_profile *p = sm_profile_shown(v, &why);
    const struct sm_node *row = sm_node_rows_chosen(&s->outliers.table);
    if (!p || !row)
        return NULL;
    sm_profile_go_to(v, p, sm_node_get(row, "start_ns")->i, sm_node_get(row, "duration_ns")->i);
    return row;
}

/* To the tensors of the step. */
static void open_row(const struct state *s, struct sm_view *v)
{
    const char *why;
    const struct sm_profile *p = sm_profile_shown(v, &why);
    const struct sm_node *row = go_to_row(s, v);
    const struct sm_node *step = row ? sm_node_get(row, "step") : NULL;
    if (!row)
        return;
    if (step->type != SM_NODE_INT)
        v->notice = "the profile does not say which step this is";
    else if (sm_profile_go_to_step(v, p, mode_of_name(sm_node_get(row, "mode")->text),
                                   (int32_t)step->i))
        sm_view_run(v, "layout main");
    else
        v->notice = "the run has no tensors: only the time is marked";
}

static bool act_on_durations(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    if (a == SM_ACT_OPEN) {
        open_row(s, v);
        return true;
    }
    if (!sm_node_rows_act(&s->outliers.table, a))
        return false;
    go_to_row(s, v);
    return true;
}

static void click_durations(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    if (sm_rows_click(&s->outliers.table.rows, s->outliers.table.n, y - s->top - 1))
        go_to_row(s, v);
}

static void clear_durations(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_answer_rows_clear(&s->groups);
    sm_answer_rows_clear(&s->outliers);
    s->bins = 0;
}

const struct sm_pane_ops sm_pane_durations = {
    .name = "durations",
    .title = "steps",
    .help =
        "How long the steps of each node and mode take, and the steps that take longer than "
        "the mean and three standard deviations. The cursor chooses a step: its time is marked "
        "in the charts. Enter goes to the tensors of that step, or of the nearest step that was "
        "saved. The command: profile steps.",
    .context = SM_CTX_LIST,
    .own = sm_answer_pane_keys,
    .hints = {"? help", ": command", "j k step", "Enter tensors", "< > sort"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 5,
    .clear = clear_durations,
    .forget = clear_durations,
    .draw = draw_durations,
    .act = act_on_durations,
    .click = click_durations,
};
