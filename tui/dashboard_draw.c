/* A frame of the dashboard: status line, panels or what lies over them, prompt, key line. */
#include "tui/dashboard.h"
#include "tui/keyline.h"
#include "tui/layout.h"
#include "tui/lineedit.h"

#include "commands/describe.h"
#include "plot/table.h"
#include "reader/base/clock.h"

#include <math.h>
#include <string.h>

enum { HOLD_US = 100000, ROOMY = 50, WIDE = 100 };

/* ---- the status line ---- */

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

static void draw_status(struct sm_dashboard *d, int w)
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

/* ---- the prompt, and the keys below it ---- */

/* The prompt's line; returns the cursor's column, -1 when it is not there. */
static int draw_prompt(struct sm_dashboard *d, int w, int y)
{
    const char *prompt = "", *line = "";
    int cursor = -1, at = 0;
    if (d->mode == SM_COMMAND) {
        sm_prompt_more(sm_exec_partial(d->exec), sm_exec_bodies(d->exec));
        sm_prompt_view(&prompt, &line, &cursor);
        at = sm_grid_text(&d->grid, 0, y, w, SM_ROLE_ACCENT, 0, prompt);
        int skip = cursor >= w ? cursor - w + 1 : 0;       /* a long line shows its end */
        const char *from = line;
        for (uint32_t rune; skip > 0 && *from; skip--) {
            size_t n = sm_utf8_decode(from, strlen(from), &rune);
            from += n ? n : 1;
        }
        sm_grid_text(&d->grid, at, y, w - at, SM_ROLE_TEXT, 0, from);
        return cursor < w ? cursor : w - 1;
    }
    if (d->mode == SM_FILTER || d->mode == SM_SEARCH) {
        at = sm_grid_text(&d->grid, 0, y, w, SM_ROLE_ACCENT, 0, d->mode == SM_FILTER ? "filter: " : "/");
        return at + sm_grid_text(&d->grid, at, y, w - at, SM_ROLE_TEXT, 0, sm_str_text(&d->input));
    }
    if (sm_exec_waiting(d->exec)) {
        sm_grid_printf(&d->grid, 0, y, w, SM_ROLE_DIM, 0, "running: %s (Ctrl-C cancels)", sm_exec_running(d->exec));
        return -1;
    }
    if (d->notice.len)
        sm_grid_text(&d->grid, 0, y, w, d->notice_role, 0, sm_str_text(&d->notice));
    return -1;
}

static void draw_keys(struct sm_dashboard *d, int y)
{
    static const struct {
        const char *name;
        const char *hints[6];
    } modes[] = {
        [SM_COMMAND] = {"COMMAND", {"Enter run", "Tab complete", "Up earlier lines", "C-r search them", "Esc leave"}},
        [SM_FILTER] = {"FILTER", {"Enter keep", "Esc undo", "* ? [ ] glob", "Tab regular expression"}},
        [SM_SEARCH] = {"SEARCH", {"Enter find", "Esc leave", "then n N next, previous"}},
    };
    static const char *const over[] = {"q close", "j k Space scroll", "h l pan", "g G ends", NULL};
    static const char *const more[] = {"Tab pane", "Q quit", NULL};
    const struct sm_panel_ops *ops = sm_panels_focused(&d->panels)->ops;
    const char *hints[SM_PANEL_HINTS + 3];
    size_t n = 0;
    for (size_t i = 0; ops->hints[i]; i++)
        hints[n++] = ops->hints[i];
    memcpy(&hints[n], more, sizeof more);
    if (d->mode != SM_NORMAL)
        sm_keyline_draw(&d->grid, y, modes[d->mode].name, modes[d->mode].hints, SM_CTX_HELP);
    else if (d->overlay.shown)
        sm_keyline_draw(&d->grid, y, "NORMAL", over, SM_CTX_HELP);
    else
        sm_keyline_draw(&d->grid, y, "NORMAL", hints, ops->context);
}

/* ---- the frame ---- */

static void too_small(struct sm_dashboard *d, int w, int h)
{
    sm_grid_printf(&d->grid, 0, 0, w, SM_ROLE_TEXT, 0, "terminal too small (%dx%d), need %dx%d", w, h, SM_SCREEN_MIN_W, SM_SCREEN_MIN_H);
}

int64_t sm_dashboard_hold_until(const struct sm_dashboard *d)
{
    return d->awaited_us + HOLD_US;
}

/* What comes by itself is shown together with its values, if they come soon: "..." in between would be sent in vain. A
 * key is answered at once. */
static bool hold_back(struct sm_dashboard *d)
{
    int64_t now = sm_clock_mono_us();
    if (!sm_session_reading(d->session))
        d->awaited_us = 0;
    else if (!d->awaited_us)
        d->awaited_us = now;
    d->held = d->awaited_us && now < sm_dashboard_hold_until(d) && !d->urgent && !d->script.text;
    return d->held;
}

const struct sm_glyphs *sm_dashboard_glyphs(const struct sm_session *s)
{
    struct sm_print_options how;
    sm_session_print_options(s, &how);
    return s->utf8 ? how.glyphs : sm_glyphs(SM_SYMBOLS_ASCII);
}

/* Answers stand in a frame. */
void sm_dashboard_measure(struct sm_dashboard *d)
{
    int w, h;
    sm_screen_size(d->screen, &w, &h);
    d->session->on_tty = true;           /* the screen of a key script too */
    d->session->term_w = w > 4 ? w - 4 : w;
    d->session->term_h = h;
}

void sm_dashboard_draw(struct sm_dashboard *d)
{
    int w, h, cursor = -1;
    bool more = false;
    sm_screen_size(d->screen, &w, &h);
    sm_screen_configure(d->screen, d->session->settings.values[SM_SET_BACKGROUND].i == 1, d->session->settings.values[SM_SET_TUI_ALTSCREEN].b);
    sm_screen_mouse(d->screen, d->session->settings.values[SM_SET_MOUSE].b);
    sm_dashboard_measure(d);
    sm_grid_resize(&d->grid, w, h);
    d->view.glyphs = sm_dashboard_glyphs(d->session);
    d->view.now_us = sm_clock_wall_us();
    if (d->view.notice)
        sm_dashboard_say(d, d->view.notice);
    if (w < SM_SCREEN_MIN_W || h < SM_SCREEN_MIN_H) {
        too_small(d, w, h);
        if (h > 1)
            cursor = draw_prompt(d, w, h - 1);
    } else {
        bool keys = h >= 14;
        struct sm_rect main = {0, 1, w, h - 2 - keys};
        draw_status(d, w);
        if (sm_session_trial(d->session))
            more = sm_panels_draw(&d->panels, &d->view, &d->grid, main);
        if (d->overlay.shown)
            sm_overlay_draw(&d->overlay, &d->grid, main, d->view.glyphs);
        size_t n = 0;
        const char *const *words = d->mode == SM_COMMAND ? sm_prompt_candidates(&n) : NULL;
        if (words)
            sm_keyline_candidates(&d->grid, main, words, n);
        cursor = draw_prompt(d, w, h - 1 - keys);
        if (keys)
            draw_keys(d, h - 1);
    }
    if (hold_back(d))
        return;
    if (sm_screen_show(d->screen, &d->grid, cursor, h - 1 - (h >= 14))) {
        d->dirty = more;
        d->urgent = false;
    }
    d->last_frame_us = sm_clock_mono_us();
}
