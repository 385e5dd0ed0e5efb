/* SPDX-License-Identifier: Apache-2.0 */
/* A frame of the dashboard: status line, panes or an overlay, prompt, key line. */
#include "commands/session/session_settings.h"
#include "commands/verdict/session_verdict.h"
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/keyline.h"
#include "tui/dashboard/layout.h"
#include "tui/dashboard/verdict_rows.h"
#include "tui/terminal/lineedit.h"
#include "tui/terminal/terminal_settings.h"

#include "plot/table.h"
#include "plot/wrap.h"
#include "reader/base/clock.h"

#include <string.h>

enum { HOLD_US = 100000, PANES_MIN_H = 14 }; /* lines of the panes above an answer */

/* ---- the prompt and the key line ---- */

/* Draws the prompt, filter, search or notice line. Returns the cursor's column, or -1. */
static int draw_prompt(struct sm_dashboard *d, int w, int y)
{
    const char *prompt = "", *line = "";
    int cursor = -1, at = 0;
    if (d->mode == SM_COMMAND) {
        sm_prompt_more(sm_exec_partial(d->exec), sm_exec_bodies(d->exec));
        sm_prompt_view(&prompt, &line, &cursor);
        at = sm_grid_text(&d->grid, 0, y, w, SM_ROLE_ACCENT, 0, prompt);
        int skip = cursor >= w ? cursor - w + 1 : 0; /* a long line shows its end */
        const char *from = line;
        for (uint32_t rune; skip > 0 && *from; skip--) {
            size_t n = sm_utf8_decode(from, strlen(from), &rune);
            from += n ? n : 1;
        }
        sm_grid_text(&d->grid, at, y, w - at, SM_ROLE_TEXT, 0, from);
        return cursor < w ? cursor : w - 1;
    }
    if (d->mode == SM_FILTER || d->mode == SM_SEARCH) {
        at = sm_grid_text(&d->grid, 0, y, w, SM_ROLE_ACCENT, 0,
                          d->mode == SM_FILTER ? "filter: " : "/");
        return at + sm_grid_text(&d->grid, at, y, w - at, SM_ROLE_TEXT, 0, sm_str_text(&d->input));
    }
    if (sm_exec_waiting(d->exec)) {
        sm_grid_printf(&d->grid, 0, y, w, SM_ROLE_DIM, 0, "running: %s (Ctrl-C cancels)",
                       sm_exec_running(d->exec));
        return -1;
    }
    if (d->notice.len)
        sm_cut_text(&d->grid, 0, y, w, d->notice_role, sm_str_text(&d->notice), d->view.glyphs);
    return -1;
}

static void draw_keys(struct sm_dashboard *d, int y)
{
    static const struct {
        const char *name;
        const char *hints[6];
    } modes[] = {
        [SM_COMMAND] = {"COMMAND",
                        {"Enter run", "Tab complete", "Up earlier lines", "C-r search them",
                         "Esc leave"}},
        [SM_FILTER] = {"FILTER",
                       {"Enter keep", "Esc undo", "* ? [ ] glob", "Tab regular expression"}},
        [SM_SEARCH] = {"SEARCH", {"Enter find", "Esc leave", "then n N next, previous"}},
    };
    static const char *const over[] = {"q close", "j k Space scroll", "h l pan", "g G ends", NULL};
    static const char *const more[] = {"Tab pane", "Q quit", NULL};
    const struct sm_pane_ops *ops = sm_panes_focused(&d->panes)->ops;
    const char *hints[SM_PANE_HINTS + 3];
    size_t n = 0;
    for (size_t i = 0; ops->hints[i]; i++)
        hints[n++] = ops->hints[i];
    memcpy(&hints[n], more, sizeof more);
    if (d->mode == SM_FILTER && ops->filter_hint)
        sm_keyline_draw(&d->grid, y, modes[d->mode].name,
                        (const char *const[]){"Enter keep", "Esc undo", ops->filter_hint, NULL},
                        NULL);
    else if (d->mode != SM_NORMAL)
        sm_keyline_draw(&d->grid, y, modes[d->mode].name, modes[d->mode].hints, NULL);
    else if (d->settings_form.shown)
        sm_keyline_draw(
            &d->grid, y, d->settings_form.editing ? "EDIT" : "NORMAL",
            d->settings_form.editing ? sm_settings_form_edit_hints : sm_settings_form_hints, NULL);
    else if (d->overlay.shown)
        sm_keyline_draw(&d->grid, y, "NORMAL", over, NULL);
    else
        sm_keyline_draw(&d->grid, y, "NORMAL", hints, ops);
}

/* ---- the frame ---- */

static void draw_wrapped(struct sm_dashboard *d, const char *text, struct sm_rect r,
                         enum sm_role role)
{
    struct sm_str line = {0};
    for (int y = r.y; *text && r.w > 0 && y < r.y + r.h; y++) {
        size_t n = sm_wrap_text(text, r.w);
        sm_str_truncate(&line, 0);
        sm_str_addn(&line, text, n);
        sm_grid_text(&d->grid, r.x, y, r.w, role, 0, sm_str_text(&line));
        text += n + strspn(text + n, " ");
    }
    sm_str_clear(&line);
}

/* In as many lines as it needs, the last one being that of answers. */
static void draw_too_small(struct sm_dashboard *d, int w, int h)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "terminal too small (%dx%d), need %dx%d", w, h, SM_SCREEN_MIN_W,
                  SM_SCREEN_MIN_H);
    draw_wrapped(d, sm_str_text(&text), (struct sm_rect){0, 0, w, h > 1 ? h - 1 : 1}, SM_ROLE_TEXT);
    sm_str_clear(&text);
}

int64_t sm_dashboard_hold_until(const struct sm_dashboard *d)
{
    return d->reading_since_us + HOLD_US;
}

/* New data is shown together with its values if they arrive within HOLD_US, without a frame of
 * "..." in between. Keys are answered at once. */
static bool hold_frame(struct sm_dashboard *d)
{
    int64_t now = sm_clock_mono_us();
    if (!sm_session_reading(d->session))
        d->reading_since_us = 0;
    else if (!d->reading_since_us)
        d->reading_since_us = now;
    d->held =
        d->reading_since_us && now < sm_dashboard_hold_until(d) && !d->urgent && !d->script.text;
    return d->held;
}

const struct sm_glyphs *sm_dashboard_glyphs(const struct sm_session *s)
{
    struct sm_print_options how;
    sm_session_print_options(s, &how);
    return s->term.utf8 ? how.glyphs : sm_glyphs(SM_SYMBOLS_ASCII);
}

/* Answers are drawn in a frame, 4 columns wider. */
void sm_dashboard_measure(struct sm_dashboard *d)
{
    int w, h;
    sm_screen_size(d->screen, &w, &h);
    d->session->term.on_tty = true; /* the screen of a key script too */
    d->session->term.w = w > 4 ? w - 4 : w;
    d->session->term.h = h;
}

/* A short answer is shown below the panes; a long answer covers them. */
static struct sm_rect split_for_overlay(struct sm_dashboard *d, struct sm_rect *main)
{
    struct sm_rect over = *main;
    int h = sm_overlay_height(&d->overlay, main->w);
    if (main->h - h >= PANES_MIN_H) {
        over = (struct sm_rect){main->x, main->y + main->h - h, main->w, h};
        main->h -= h;
    }
    return over;
}

/* Why nothing of the trial can be read, in the place of a verdict. False: something can. */
static bool draw_reason(struct sm_dashboard *d, const struct sm_trial *t, int w)
{
    const struct sm_glyphs *glyphs = d->view.glyphs;
    struct sm_err why;
    struct sm_str text = {0};
    if (!sm_trial_unreadable(t, &why))
        return false;
    sm_elide_middle(&text, why.msg, w - 4 > 0 ? w - 4 : 0, glyphs);
    sm_grid_put(&d->grid, 1, 1, glyphs->error, SM_ROLE_PROBLEM, SM_ATTR_BOLD);
    sm_grid_text(&d->grid, 3, 1, w - 4, SM_ROLE_PROBLEM, 0, sm_str_text(&text));
    sm_str_clear(&text);
    return true;
}

/* What a report is, in the place of a verdict: it has nothing that one could be found in. */
static bool draw_report(struct sm_dashboard *d, const struct sm_trial *t, int w)
{
    if (!sm_trial_scanned(t) || strcmp(sm_trial_kind_name(t), "profile_report") != 0)
        return false;
    sm_cut_text(&d->grid, 3, 1, w - 4, SM_ROLE_DIM,
                "a profiling report, without its profile: \"profile report\" shows it",
                d->view.glyphs);
    return true;
}

/* Draws the verdict below the status line and returns its rows. They do not become fewer while the
 * trial is shown, so that the panes stay where they are. */
static int draw_verdict(struct sm_dashboard *d, int w, int h)
{
    const struct sm_session *s = d->session;
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_verdict_space *space = &d->verdict;
    if (!t || d->view.sweep) {
        *space = (struct sm_verdict_space){0};
        return 0;
    }
    const struct sm_verdict_view *v = sm_session_verdict_view(s, s->current);
    if (space->of != t || space->h != h)
        *space = (struct sm_verdict_space){.of = t, .h = h};
    int rows = sm_verdict_rows_count(v, h);
    space->rows = rows > space->rows ? rows : space->rows;
    if (!space->rows || (!draw_reason(d, t, w) && !draw_report(d, t, w)))
        sm_verdict_rows_draw(v, &d->grid, (struct sm_rect){0, 1, w, space->rows}, d->view.glyphs,
                             d->view.timeless);
    return space->rows;
}

void sm_dashboard_draw(struct sm_dashboard *d)
{
    int w, h, cursor = -1;
    bool more = false;
    sm_screen_size(d->screen, &w, &h);
    sm_screen_configure(d->screen, sm_session_settings(d->session)->background == 1,
                        sm_terminal_settings(d->session)->tui_altscreen);
    sm_screen_mouse(d->screen, sm_terminal_settings(d->session)->mouse);
    sm_dashboard_measure(d);
    sm_grid_resize(&d->grid, w, h);
    d->view.glyphs = sm_dashboard_glyphs(d->session);
    d->view.sweep =
        d->session->n_trials > 1 && strcmp(d->layouts.items[d->layouts.current].name, "runs") == 0;
    d->view.now_us = sm_clock_wall_us();
    if (d->view.notice)
        sm_dashboard_say(d, d->view.notice);
    if (w < SM_SCREEN_MIN_W || h < SM_SCREEN_MIN_H) {
        draw_too_small(d, w, h);
        if (h > 1)
            cursor = draw_prompt(d, w, h - 1);
    } else {
        bool keys = h >= 14;
        int verdict = draw_verdict(d, w, h);
        struct sm_rect main = {0, 1 + verdict, w, h - 2 - keys - verdict},
                       over = d->overlay.shown && !d->settings_form.shown
                                  ? split_for_overlay(d, &main)
                                  : main;
        d->panes.aside = d->overlay.shown;
        sm_dashboard_draw_status(d, w);
        if (sm_session_trial(d->session))
            more = sm_panes_draw(&d->panes, &d->view, &d->grid, main);
        else /* why nothing was opened, and what can be */
            draw_wrapped(d, sm_str_text(&d->notice),
                         (struct sm_rect){main.x + 1, main.y + 1, main.w - 2, main.h - 1},
                         d->notice_role);
        if (d->settings_form.shown)
            sm_settings_form_draw(&d->settings_form, &d->session->settings, &d->grid, main,
                                  d->view.glyphs);
        else if (d->overlay.shown)
            sm_overlay_draw(&d->overlay, &d->grid, over, d->view.glyphs);
        size_t n = 0;
        const char *const *words = d->mode == SM_COMMAND ? sm_prompt_candidates(&n) : NULL;
        if (words)
            sm_keyline_candidates(&d->grid, (struct sm_rect){0, 1, w, h - 2 - keys}, words, n);
        cursor = draw_prompt(d, w, h - 1 - keys);
        if (keys)
            draw_keys(d, h - 1);
    }
    if (hold_frame(d))
        return;
    struct sm_print_options how;
    sm_session_print_options(d->session, &how);
    sm_styles_apply(&how.styles, &d->grid);
    struct sm_str title = {0};
    sm_title_update(&d->title, d->session, &title);
    sm_screen_say(d->screen, sm_str_text(&title));
    sm_str_clear(&title);
    if (sm_screen_show(d->screen, &d->grid, cursor, h - 1 - (h >= 14))) {
        d->dirty = more;
        d->urgent = false;
    }
    d->last_frame_us = sm_clock_mono_us();
}
