/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard's first line: trial, state, current step, rules, ages. */
#include "commands/judge/session_rules.h"
#include "commands/runs/run_view.h"
#include "commands/stops/stops.h"
#include "tui/dashboard/dashboard.h"
#include "tui/panes/trial_mark.h"

#include "commands/place/describe.h"
#include "commands/stops/breakpoint.h"
#include "plot/table.h"

#include <math.h>
#include <string.h>

enum {
    ROOMY = 50,
    WIDE = 100,
    GAP = 3,
    SLACK = 8
}; /* SLACK: the width of the step of a live trial can change by this much */
/* In order of position and of importance; the first is always shown. */
enum part { NAME, POINT, RANGE, RULES, LOST, BREAKS, AGE, RATE, MEMORY, PARTS };

enum sweep_part { RUNS, LIVE, STALLED, ENDED, SICK, METRIC, STEPS, SORT, FILTER, SWEEP_PARTS };

static void add_rune(struct sm_str *out, uint32_t rune)
{
    char bytes[4];
    sm_str_addn(out, bytes, sm_utf8_encode(rune, bytes));
}

static void add_count(struct sm_str *out, size_t n, uint32_t rune, const char *what)
{
    if (!n)
        return;
    add_rune(out, rune);
    sm_str_printf(out, " %zu%s%s", n, *what ? " " : "", what);
}

static bool some_judged(const struct sm_rules *r)
{
    size_t i = 0;
    while (i < sm_rules_count(r) && !sm_rule_has_judged(sm_rules_item(r, i)))
        i++;
    return i < sm_rules_count(r);
}

/* "rules 1▲ 12✓", "rules 13○" before the first evaluation */
static void add_rules(const struct sm_dashboard *d, struct sm_str *out)
{
    const struct sm_rules *r = sm_session_rules_at(d->session, d->session->current);
    size_t n = r ? sm_rules_count(r) : 0, fired = n ? sm_rules_fired(r) : 0;
    if (!n)
        return;
    sm_str_add(out, "rules ");
    if (fired) {
        sm_str_printf(out, "%zu", fired);
        add_rune(out, d->view.glyphs->warn);
        sm_str_addc(out, ' ');
    }
    sm_str_printf(out, "%zu", n - fired);
    add_rune(out, fired || some_judged(r) ? d->view.glyphs->ok : d->view.glyphs->waiting);
}

static const char *state_word(const struct sm_trial *t)
{
    if (!sm_trial_scanned(t))
        return "reading";
    return sm_trial_emptied(t) ? "waiting, deleted" : sm_trial_state_word(t);
}

/* "live  cnn_run" */
static void add_name(const struct sm_dashboard *d, const struct sm_trial *t, int width,
                     struct sm_str *out)
{
    const struct sm_glyphs *g = d->view.glyphs;
    enum sm_role role;
    struct sm_str name = {0};
    add_rune(out, sm_trial_mark(t, g, &role));
    sm_str_printf(out, " %s%s  ", d->view.paused ? "paused, " : "", state_word(t));
    sm_str_add_escaped(&name, sm_trial_name(t), strlen(sm_trial_name(t)));
    sm_elide_middle(out, sm_str_text(&name), width > ROOMY ? width * 3 / 10 : width, g);
    sm_str_clear(&name);
}

/* The current step: "step 4210 (train 4200)", or "at step 10 (train 10), newest 4210"; brief:
 * without the mode. */
static void add_point(const struct sm_session *s, const struct sm_trial *t, bool brief,
                      struct sm_str *out)
{
    size_t n = sm_trial_step_count(t), i = sm_trial_step_at(t, sm_session_step(s));
    if (!n)
        return;
    const struct sm_trial_step *at = sm_trial_step(t, i < n ? i : n - 1);
    sm_str_add(out, s->at.follow ? "" : "at ");
    if (brief)
        sm_str_printf(out, "step %lld", (long long)at->step.n);
    else
        sm_describe_step(out, at->step, at->mode, at->mode_step);
    if (!s->at.follow)
        sm_str_printf(out, ", newest %lld", (long long)sm_trial_step(t, n - 1)->step.n);
}

/* "1 of 2 workers lost" */
static void add_lost(struct sm_dashboard *d, const struct sm_trial *t, int width,
                     struct sm_str *out)
{
    if (sm_trial_state(t) != SM_TRIAL_ENDED)
        return;
    sm_workers_read(t, &d->workers);
    if (d->workers.lost)
        sm_str_printf(out, width < WIDE ? "%zu/%zu workers lost" : "%zu of %zu workers lost",
                      d->workers.lost, d->workers.n);
}

/* "2 breaks": the enabled breakpoints. */
static void add_breaks(const struct sm_dashboard *d, struct sm_str *out)
{
    const struct sm_breakpoints *b = &sm_stops(d->session)->breakpoints;
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        n += b->items[i]->enabled;
    if (n)
        sm_str_printf(out, "%zu break%s", n, n == 1 ? "" : "s");
}

/* Ages and sizes differ between runs, so they are not shown with a key script. */
static void add_numbers(const struct sm_dashboard *d, const struct sm_trial *t,
                        struct sm_str parts[PARTS])
{
    char text[32];
    double rate = sm_trial_steps_per_second(t);
    if (sm_trial_newest_us(t) && !d->script.text) {
        int64_t age = d->view.now_us - sm_trial_newest_us(t);
        if (age < 10000000)
            sm_format_duration(age, text);
        else
            sm_format_age(age, text);
        sm_str_printf(&parts[AGE], "%s old", text);
    }
    if (isfinite(rate) && sm_trial_state(t) == SM_TRIAL_LIVE) {
        sm_format_rate(rate, text);
        sm_str_printf(&parts[RATE], "%s/s", text);
    }
    if (!d->script.text) {
        sm_format_bytes(sm_trial_memory(t) + sm_fetch_memory(d->session->fetch), text);
        sm_str_printf(&parts[MEMORY], "memory %s", text);
    }
}

static int width_of(const struct sm_str parts[PARTS], int n)
{
    int w = 0;
    for (int i = 0; i < n; i++)
        w += parts[i].len ? (int)sm_text_width(sm_str_text(&parts[i]), parts[i].len) + (i ? GAP : 0)
                          : 0;
    return w;
}

/* Drops parts that do not fit, least important first. "following" is more important than memory,
 * unless it would appear and disappear with the digits of the steps. */
static void drop_parts(struct sm_str parts[PARTS], bool follows, bool live, int width)
{
    static const char following[] = ", following";
    const int needed = (int)strlen(following) + (live ? SLACK : 0);
    for (int i = 1; i < PARTS; i++) {
        if (i == MEMORY && follows && parts[POINT].len && width_of(parts, i) + needed <= width)
            sm_str_add(&parts[POINT], following);
        if (width_of(parts, i + 1) > width)
            sm_str_truncate(&parts[i], 0);
    }
}

/* Colours the counts of rules in the columns from..to like the sign after them. */
static void color_rules(struct sm_dashboard *d, int from, int to)
{
    const struct sm_glyphs *g = d->view.glyphs;
    struct sm_cell *c;
    for (int x = from; x < to && (c = sm_grid_at(&d->grid, x, 0)); x++) {
        if (c->rune == ' ')
            from = x + 1;
        if (c->rune == g->warn || c->rune == g->ok)
            for (int i = from; i <= x; i++)
                sm_grid_at(&d->grid, i, 0)->role =
                    c->rune == g->warn ? SM_ROLE_PROBLEM : SM_ROLE_OK;
    }
}

static void draw_parts(struct sm_dashboard *d, const struct sm_str parts[PARTS], int end)
{
    int x = 1;
    for (int i = 0; i < PARTS; i++) {
        if (!parts[i].len)
            continue;
        x += i ? GAP : 0;
        int from = x;
        x += sm_grid_text(&d->grid, x, 0, end - x, i == LOST ? SM_ROLE_WARN : SM_ROLE_TEXT,
                          SM_ATTR_BOLD, sm_str_text(&parts[i]));
        if (i == RULES)
            color_rules(d, from, x);
    }
}

/* At the right end; returns the columns used. */
static int draw_errors(struct sm_dashboard *d, const struct sm_trial *t, int w)
{
    struct sm_str text = {0};
    uint64_t errors = sm_trial_problems(t)->total;
    if (!errors)
        return 0;
    add_rune(&text, d->view.glyphs->error);
    sm_str_printf(&text, " errors %llu", (unsigned long long)errors);
    int n = (int)sm_text_width(sm_str_text(&text), text.len);
    sm_grid_text(&d->grid, w - n - 1, 0, n, SM_ROLE_PROBLEM, SM_ATTR_BOLD, sm_str_text(&text));
    sm_str_clear(&text);
    return n + 2;
}

/* ---- of several runs ---- */

static void add_sweep_counts(const struct sm_run_view *v, const struct sm_glyphs *g, bool brief,
                             struct sm_str parts[])
{
    sm_str_printf(&parts[RUNS], "%zu runs", v->n);
    add_count(&parts[LIVE], v->live, g->live, brief ? "" : "live");
    add_count(&parts[STALLED], v->stalled, g->stalled, brief ? "" : "stalled");
    add_count(&parts[ENDED], v->ended, g->ended, brief ? "" : "ended");
    add_count(&parts[SICK], v->sick, g->warn, brief ? "" : "with issues");
}

static int sweep_width(const struct sm_str parts[])
{
    int w = 0;
    for (int i = 0; i < SWEEP_PARTS; i++)
        if (parts[i].len)
            w += GAP + (int)sm_text_width(sm_str_text(&parts[i]), parts[i].len);
    return w;
}

/* "12 runs   3 live   7 ended   2 with issues   val/loss   sort best   filter lr > 1e-4"; where
 * that has no room, the states are glyphs alone. */
static void draw_sweep(struct sm_dashboard *d, int w)
{
    static const enum sm_role roles[SWEEP_PARTS] = {
        [LIVE] = SM_ROLE_OK, [STALLED] = SM_ROLE_WARN, [SICK] = SM_ROLE_PROBLEM};
    struct sm_run_view *v = sm_run_view(d->session);
    struct sm_err err;
    struct sm_str parts[SWEEP_PARTS] = {0};
    sm_run_view_read(d->session, v, &err);
    add_sweep_counts(v, d->view.glyphs, false, parts);
    if (v->table.metric)
        sm_str_add_escaped(&parts[METRIC], v->table.metric, strlen(v->table.metric));
    sm_step_range_add(sm_view_range(&d->view), &parts[STEPS]);
    sm_str_add(&parts[SORT], v->sort ? "sort " : "");
    if (v->sort)
        sm_str_add_escaped(&parts[SORT], v->sort, strlen(v->sort));
    sm_str_add(&parts[FILTER], v->filter ? "filter " : "");
    if (v->filter)
        sm_str_add_escaped(&parts[FILTER], v->filter, strlen(v->filter));
    if (sweep_width(parts) - GAP > w - 1) {
        for (int i = 0; i <= SICK; i++)
            sm_str_truncate(&parts[i], 0);
        add_sweep_counts(v, d->view.glyphs, true, parts);
    }
    int x = 1;
    for (int i = 0; i < SWEEP_PARTS; i++) {
        const char *text = sm_str_text(&parts[i]);
        int n = (int)sm_text_width(text, parts[i].len), room = w - x;
        sm_cut_text(&d->grid, x, 0, room, roles[i], text, d->view.glyphs);
        sm_grid_attr(&d->grid, (struct sm_rect){x, 0, n < room ? n : room, 1}, SM_ATTR_BOLD);
        x += n ? GAP + n : 0;
        sm_str_clear(&parts[i]);
    }
    if (!v->filter && x + (int)strlen("/ filter") < w)
        sm_grid_text(&d->grid, x, 0, w - x, SM_ROLE_DIM, SM_ATTR_BOLD, "/ filter");
}

void sm_dashboard_draw_status(struct sm_dashboard *d, int w)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    struct sm_str parts[PARTS] = {0};
    if (t && d->view.sweep) {
        draw_sweep(d, w);
        return;
    }
    if (!t && *sm_exec_waits_for(d->exec)) {
        sm_grid_printf(&d->grid, 1, 0, w - 1, SM_ROLE_TEXT, SM_ATTR_BOLD, "%s ...",
                       sm_exec_waits_for(d->exec));
        return;
    }
    if (!t) {
        sm_grid_text(&d->grid, 1, 0, w - 1, SM_ROLE_TEXT, SM_ATTR_BOLD,
                     "no trial is open: \"open PATH\"");
        return;
    }
    int width = w - 1 - draw_errors(d, t, w);
    enum sm_trial_state state = sm_trial_state(t);
    enum sm_role role = state == SM_TRIAL_LIVE         ? SM_ROLE_OK
                        : state == SM_TRIAL_STALLED    ? SM_ROLE_WARN
                        : state == SM_TRIAL_UNREADABLE ? SM_ROLE_PROBLEM
                                                       : SM_ROLE_TEXT;
    add_name(d, t, width, &parts[NAME]);
    add_point(d->session, t, false, &parts[POINT]);
    sm_step_range_add(sm_view_range(&d->view), &parts[RANGE]);
    add_rules(d, &parts[RULES]);
    add_lost(d, t, width, &parts[LOST]);
    add_breaks(d, &parts[BREAKS]);
    add_numbers(d, t, parts);
    if (width < ROOMY || width_of(parts, AGE + 1) > width) {
        sm_str_truncate(&parts[POINT], 0);
        add_point(d->session, t, true, &parts[POINT]);
    }
    drop_parts(parts, d->session->at.follow, state == SM_TRIAL_LIVE, width);
    draw_parts(d, parts, 1 + width);
    struct sm_cell *mark = sm_grid_at(&d->grid, 1, 0);
    if (mark)
        mark->role = role;
    for (int i = 0; i < PARTS; i++)
        sm_str_clear(&parts[i]);
}
