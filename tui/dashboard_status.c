/* The dashboard's first line: which trial, its state, where the person stands, rules, ages. */
#include "tui/dashboard.h"

#include "commands/describe.h"
#include "plot/table.h"

#include <math.h>
#include <string.h>

enum { ROOMY = 50, WIDE = 100 };

/* Appends a part of the status line where it fits whole into `room` columns. */
static void add_part(struct sm_str *out, int room, const struct sm_str *part)
{
    size_t w = sm_text_width(sm_str_text(out), out->len) + 3 + sm_text_width(sm_str_text(part), part->len);
    if (part->len && w <= (size_t)room)
        sm_str_printf(out, "   %s", sm_str_text(part));
}

static void add_rune(struct sm_str *out, uint32_t rune)
{
    char bytes[4];
    sm_str_addn(out, bytes, sm_utf8_encode(rune, bytes));
}

/* "rules 1▲ 12✓" */
static void add_rules(const struct sm_dashboard *d, struct sm_str *out)
{
    const struct sm_rules *r = d->session->trials[d->session->current].rules;
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
    add_rune(out, d->view.glyphs->ok);
}

static const char *state_word(const struct sm_trial *t)
{
    if (!sm_trial_scanned(t))
        return "reading";
    return sm_trial_emptied(t) ? "waiting, deleted" : sm_trial_state_name(sm_trial_state(t));
}

/* "live  cnn_run" */
static void begin_state(const struct sm_dashboard *d, const struct sm_trial *t, int room, struct sm_str *out)
{
    const struct sm_glyphs *g = d->view.glyphs;
    const uint32_t marks[] = {[SM_TRIAL_WAITING] = g->waiting, [SM_TRIAL_LIVE] = g->live, [SM_TRIAL_STALLED] = g->stalled, [SM_TRIAL_ENDED] = g->ended};
    struct sm_str name = {0};
    add_rune(out, marks[sm_trial_state(t)]);
    sm_str_printf(out, " %s%s  ", d->view.paused ? "paused, " : "", state_word(t));
    sm_str_add_escaped(&name, sm_trial_name(t), strlen(sm_trial_name(t)));
    sm_elide_middle(out, sm_str_text(&name), room > ROOMY ? room * 3 / 10 : room, g);
    sm_str_clear(&name);
}

/* Where the person stands: "step 4210 (train 4200)", with room "following"; or "at step 10 (train 10), newest 4210". */
static void add_point(const struct sm_session *s, const struct sm_trial *t, int room, struct sm_str *out)
{
    size_t n = sm_trial_step_count(t), i = sm_trial_step_at(t, sm_session_step(s));
    struct sm_str part = {0};
    if (!n)
        return;
    const struct sm_trial_step *at = sm_trial_step(t, i < n ? i : n - 1);
    sm_str_add(&part, s->at.follow ? "" : "at ");
    if (room < ROOMY)
        sm_str_printf(&part, "step %lld", (long long)at->step.n);
    else
        sm_describe_step(&part, at->step, at->mode, at->mode_step);
    if (!s->at.follow)
        sm_str_printf(&part, ", newest %lld", (long long)sm_trial_step(t, n - 1)->step.n);
    else if (room >= WIDE)
        sm_str_add(&part, ", following");
    add_part(out, room, &part);
    sm_str_clear(&part);
}

/* What matters most comes first: the last parts are left out where room ends. Ages and sizes differ from run to run, so a key
 * script has none. Returns the column where the rules begin; what follows them has none of their signs. */
static int add_state(const struct sm_dashboard *d, const struct sm_trial *t, int room, struct sm_str *out)
{
    char text[32];
    struct sm_str part = {0};
    double rate = sm_trial_steps_per_second(t);
    begin_state(d, t, room, out);
    add_point(d->session, t, room, out);
    if (sm_trial_newest_us(t) && !d->script.text) {
        int64_t age = d->view.now_us - sm_trial_newest_us(t);
        sm_format_duration(age < 10000000 ? age : age / 1000000 * 1000000, text);
        sm_str_printf(&part, "newest %s", text);
    }
    add_part(out, room, &part);
    sm_str_truncate(&part, 0);
    add_rules(d, &part);
    int rules = (int)sm_text_width(sm_str_text(out), out->len);
    add_part(out, room, &part);
    sm_str_truncate(&part, 0);
    if (isfinite(rate) && sm_trial_state(t) == SM_TRIAL_LIVE)
        sm_str_printf(&part, "%.2g/s", rate);
    add_part(out, room, &part);
    sm_str_truncate(&part, 0);
    if (!d->script.text) {
        sm_format_bytes(sm_trial_memory(t) + sm_fetch_memory(d->session->fetch), text);
        sm_str_printf(&part, "memory %s", text);
    }
    add_part(out, room, &part);
    sm_str_clear(&part);
    return rules;
}

/* The counts of the rules from column x on take the colour of the sign behind them. */
static void color_rules(struct sm_dashboard *d, int x)
{
    const struct sm_glyphs *g = d->view.glyphs;
    int from = x;
    for (struct sm_cell *c; (c = sm_grid_at(&d->grid, x, 0)); x++) {
        if (c->rune == ' ')
            from = x + 1;
        if (c->rune == g->warn || c->rune == g->ok)
            for (int i = from; i <= x; i++)
                sm_grid_at(&d->grid, i, 0)->role = c->rune == g->warn ? SM_ROLE_PROBLEM : SM_ROLE_OK;
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

void sm_dashboard_draw_status(struct sm_dashboard *d, int w)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    struct sm_str text = {0};
    if (!t) {
        sm_grid_text(&d->grid, 1, 0, w - 1, SM_ROLE_TEXT, SM_ATTR_BOLD, "no trial is open: \"open PATH\"");
        return;
    }
    int room = w - 1 - draw_errors(d, t, w);
    int rules = 1 + add_state(d, t, room, &text);
    enum sm_trial_state state = sm_trial_state(t);
    enum sm_role role = state == SM_TRIAL_LIVE ? SM_ROLE_OK : state == SM_TRIAL_STALLED ? SM_ROLE_WARN : SM_ROLE_TEXT;
    sm_grid_text(&d->grid, 1, 0, room, SM_ROLE_TEXT, SM_ATTR_BOLD, sm_str_text(&text));
    struct sm_cell *mark = sm_grid_at(&d->grid, 1, 0);
    if (mark)
        mark->role = role;
    color_rules(d, rules);
    sm_str_clear(&text);
}
