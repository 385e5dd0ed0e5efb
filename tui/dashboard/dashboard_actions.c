/* SPDX-License-Identifier: Apache-2.0 */
/* The actions of the dashboard's keys. */
#include "commands/session/session_settings.h"
#include "commands/session/trial_list.h"
#include "commands/stops/breakpoint.h"
#include "commands/stops/stops.h"
#include "reader/base/mem.h"
#include "tui/dashboard/dashboard.h"
#include "tui/panes/key_help.h"
#include "tui/panes/step_keys.h"
#include "tui/terminal/lineedit.h"
#include "tui/terminal/terminal_settings.h"
#include "tui/trace_panes/trace_table.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static void show_help(struct sm_dashboard *d, int arg)
{
    struct sm_str text = {0};
    const struct sm_pane *p = sm_panes_focused(&d->panes);
    (void)arg;
    sm_key_help_text(p->ops, &d->keymap, &text);
    sm_overlay_open(&d->overlay, p->ops->title, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

static void find_problem(struct sm_dashboard *d, int direction)
{
    static const char hint[] = "  (Enter explains)";
    struct sm_str message = {0};
    d->explains =
        sm_next_problem_go(d->session, &d->problem, direction, d->view.timeless, &message);
    if (d->explains &&
        sm_text_width(sm_str_text(&message), message.len) + sizeof hint <= (size_t)d->grid.w)
        sm_str_add(&message, hint);
    if (message.len)
        sm_dashboard_say(d, sm_str_text(&message));
    sm_str_clear(&message);
}

/* Enter after e: explains the problem. */
static void explain_problem(struct sm_dashboard *d)
{
    struct sm_str line = {0};
    sm_problem_place_explain(&d->problem, &line);
    sm_exec_line(d->exec, sm_str_text(&line), SM_FROM_PROMPT);
    sm_str_clear(&line);
}

/* Shows the whole verdict over the panes, or closes it. */
static void toggle_verdict(struct sm_dashboard *d, int arg)
{
    (void)arg;
    d->overlay.shown = false;
    if (strcmp(sm_panes_focused(&d->panes)->ops->name, "verdict") == 0 && d->panes.zoomed)
        d->panes.zoomed = false;
    else
        sm_panes_focus_name(&d->panes, "verdict");
}

static void toggle_pin(struct sm_dashboard *d, int arg)
{
    struct sm_session *s = d->session;
    const struct sm_trial *t = sm_session_trial(s);
    (void)arg;
    if (t && s->at.tensor < sm_trial_tensor_count(t))
        sm_dashboard_say(d, sm_tags_toggle(&s->trials[s->current].pinned, s->at.tensor)
                                ? "pinned to the charts"
                                : "no longer pinned");
}

static void toggle_baseline(struct sm_dashboard *d, int arg)
{
    struct sm_str text = {0};
    (void)arg;
    if (sm_session_trial(d->session))
        sm_dashboard_say(d, sm_trials_toggle_baseline(d->session, d->session->current, &text));
    sm_str_clear(&text);
}

/* Deletes the breakpoint on the current tensor alone, or sets one. */
static void toggle_breakpoint(struct sm_dashboard *d, int arg)
{
    const struct sm_session *s = d->session;
    char line[32] = "break", message[40];
    (void)arg;
    if (!sm_place_tensor(&s->at)) {
        sm_dashboard_say(d, "No current tensor to break at.");
        return;
    }
    const struct sm_breakpoint *b =
        sm_breakpoints_of_tensor(&sm_stops(s)->breakpoints, sm_place_name(&s->at));
    if (b)
        snprintf(line, sizeof line, "delete %u", b->number);
    snprintf(message, sizeof message, "deleted breakpoint %u", b ? b->number : 0);
    bool deleted = b != NULL;
    sm_exec_line(d->exec, line, SM_FROM_PROMPT);
    if (deleted)
        sm_dashboard_say(d, message);
}

static void open_input(struct sm_dashboard *d, int mode)
{
    const struct sm_pane_ops *ops = sm_panes_focused(&d->panes)->ops;
    if (mode == SM_SEARCH && !ops->search && ops->filter)
        mode = SM_FILTER;
    d->mode = (enum sm_dashboard_mode)mode;
    d->filter_tensor = d->session->at.tensor;
    d->filter_trial = sm_session_trial(d->session);
    sm_str_truncate(&d->input, 0);
    if (mode == SM_FILTER)
        sm_panes_focus_filter(&d->panes);
    d->filtered = sm_panes_focused(&d->panes);
}

static void cycle_symbols(struct sm_dashboard *d, int arg)
{
    static const char *const names[] = {"symbols: braille", "symbols: block", "symbols: ASCII"};
    enum sm_symbols next = (enum sm_symbols)((sm_dashboard_glyphs(d->session)->set + 1) % 3);
    struct sm_settings *all = &d->session->settings;
    const struct sm_setting *row = sm_setting_named(all, "symbols");
    (void)arg;
    sm_setting_set(all, row, row->words[next + 1], NULL);
    sm_dashboard_say(d, names[next]);
}

static void save_screen(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_exec_line(d->exec, "screen save smdbg-screen.txt", SM_FROM_PROMPT);
}

static void close_or_quit(struct sm_dashboard *d, int arg)
{
    (void)arg;
    if (d->panes.zoomed) {
        d->panes.zoomed = false;
    } else if (!sm_session_settings(d->session)->confirm || d->asked_quit) {
        sm_loop_stop(d->loop);
    } else {
        d->asked_quit = true;
        sm_dashboard_say(d, "Quit? q again to quit, any other key to stay.");
    }
}

static void search_again(struct sm_dashboard *d, int direction)
{
    struct sm_pane *p = sm_panes_focused(&d->panes);
    if (d->view.search && p->ops->search && !p->ops->search(p, &d->view, d->view.search, direction))
        sm_dashboard_say(d, "not found");
}

void sm_dashboard_suspend(struct sm_dashboard *d)
{
    sm_screen_suspend(d->screen);
    sm_loop_raise(d->loop, SIGTSTP); /* returns at once if no shell could continue the program */
    sm_screen_resume(d->screen);
}

/* Focuses the value pane, or zooms it if it has the focus. */
static void open_value(struct sm_dashboard *d, int arg)
{
    (void)arg;
    if (sm_panes_focused(&d->panes)->ops->context == SM_CTX_VALUE)
        d->panes.zoomed = !d->panes.zoomed;
    else
        sm_panes_focus_context(&d->panes, SM_CTX_VALUE);
}

/* ---- the table ---- */

static void open_prompt(struct sm_dashboard *d, int arg)
{
    (void)arg;
    d->mode = SM_COMMAND;
}

static void quit(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_loop_stop(d->loop);
}

/* Leaves the zoom and clears the filter. */
static void mark_range(struct sm_dashboard *d, int arg)
{
    (void)arg;
    if (sm_session_step(d->session).n >= 0)
        d->view.notice = sm_step_range_mark(d->session, sm_session_step(d->session).n);
}

/* A zoom is left first, then filter and range of steps. */
static void go_back(struct sm_dashboard *d, int arg)
{
    struct sm_pane *p = sm_panes_focused(&d->panes);
    (void)arg;
    if (!d->panes.zoomed && (d->session->range.set || d->session->range.begun))
        sm_step_range_clear(d->session);
    d->panes.zoomed = false;
    if (p->ops->filter)
        p->ops->filter(p, &d->view, "");
}

static void focus_next(struct sm_dashboard *d, int direction)
{
    sm_panes_next(&d->panes, direction > 0);
}

static void toggle_zoom(struct sm_dashboard *d, int arg)
{
    (void)arg;
    d->panes.zoomed = !d->panes.zoomed;
}

/* From the list of a run on to the table of runs. */
static void focus_list(struct sm_dashboard *d, int arg)
{
    const struct sm_pane *before = sm_panes_focused(&d->panes);
    bool zoomed = d->panes.zoomed;
    (void)arg;
    sm_panes_back(&d->panes);
    if (!zoomed && before == sm_panes_focused(&d->panes) && d->session->n_trials > 1 &&
        !d->view.sweep)
        sm_dashboard_show_layout(d, "runs", NULL);
}

static void continue_to_hit(struct sm_dashboard *d, int direction)
{
    sm_exec_line(d->exec, direction > 0 ? "continue" : "reverse-continue", SM_FROM_PROMPT);
}

/* The action needs the letter of a bookmark. */
static void ask_letter(struct sm_dashboard *d, int action)
{
    d->letter_action = (enum sm_key_action)action;
    sm_dashboard_say(d, action == SM_ACT_BOOKMARK ? "bookmark this step: type a letter"
                                                  : "jump to a bookmark: type its letter");
}

static void show_next_layout(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_dashboard_set_layout(d, (d->layouts.current + 1) % d->layouts.n, NULL);
}

/* system, profile, main in turn; system from any other. Of traces, or a report alone, their layout
 * and main. */
static void show_profile(struct sm_dashboard *d, int arg)
{
    const char *now = d->layouts.items[d->layouts.current].name;
    struct sm_trial *t = sm_session_trial(d->session);
    const char *traces = sm_trace_layout(t);
    (void)arg;
    if (t && strcmp(sm_trial_kind_name(t), "profile_report") == 0)
        traces = "report";
    if (traces) {
        sm_dashboard_show_layout(d, strcmp(now, traces) == 0 ? "main" : traces, NULL);
        return;
    }
    sm_dashboard_show_layout(d,
                             strcmp(now, "system") == 0    ? "profile"
                             : strcmp(now, "profile") == 0 ? "main"
                                                           : "system",
                             NULL);
}

static void toggle_pause(struct sm_dashboard *d, int arg)
{
    (void)arg;
    d->view.paused = !d->view.paused;
}

static void toggle_mouse(struct sm_dashboard *d, int arg)
{
    bool on = sm_terminal_settings(d->session)->mouse;
    (void)arg;
    sm_exec_line(d->exec, on ? "set mouse off" : "set mouse on", SM_FROM_PROMPT);
    sm_dashboard_say(d, sm_terminal_settings(d->session)->mouse
                            ? "mouse off"
                            : "mouse on: click, drag, wheel; Shift selects text");
}

static void redraw(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_screen_redraw(d->screen);
}

static void suspend(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_dashboard_suspend(d);
}

static void cancel(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_exec_cancel(d->exec);
}

static void copy(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_dashboard_copy(d);
}

static void print_pane(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_dashboard_print_pane(d);
}

static void open_settings(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_settings_form_open(&d->settings_form);
}

static void write_settings(struct sm_dashboard *d, int arg)
{
    (void)arg;
    sm_dashboard_write_settings(d);
}

/* The actions of the dashboard; others belong to panes. arg: a direction, a mode or an action. */
static const struct {
    void (*run)(struct sm_dashboard *d, int arg);
    int arg;
} actions[SM_ACT_COUNT] = {
    [SM_ACT_HELP] = {show_help, 0},
    [SM_ACT_COMMAND] = {open_prompt, 0},
    [SM_ACT_CLOSE] = {close_or_quit, 0},
    [SM_ACT_QUIT] = {quit, 0},
    [SM_ACT_BACK] = {go_back, 0},
    [SM_ACT_NEXT_PANE] = {focus_next, 1},
    [SM_ACT_PREV_PANE] = {focus_next, -1},
    [SM_ACT_ZOOM] = {toggle_zoom, 0},
    [SM_ACT_OPEN] = {open_value, 0},
    [SM_ACT_UPWARDS] = {focus_list, 0},
    [SM_ACT_SEARCH] = {open_input, SM_SEARCH},
    [SM_ACT_FILTER] = {open_input, SM_FILTER},
    [SM_ACT_NEXT_HIT] = {search_again, 1},
    [SM_ACT_PREV_HIT] = {search_again, -1},
    [SM_ACT_NEXT_PROBLEM] = {find_problem, 1},
    [SM_ACT_PREV_PROBLEM] = {find_problem, -1},
    [SM_ACT_VERDICT] = {toggle_verdict, 0},
    [SM_ACT_PIN] = {toggle_pin, 0},
    [SM_ACT_RANGE] = {mark_range, 0},
    [SM_ACT_BASELINE] = {toggle_baseline, 0},
    [SM_ACT_BREAK] = {toggle_breakpoint, 0},
    [SM_ACT_HIT_NEXT] = {continue_to_hit, 1},
    [SM_ACT_HIT_PREV] = {continue_to_hit, -1},
    [SM_ACT_BOOKMARK] = {ask_letter, SM_ACT_BOOKMARK},
    [SM_ACT_JUMP] = {ask_letter, SM_ACT_JUMP},
    [SM_ACT_NEXT_LAYOUT] = {show_next_layout, 0},
    [SM_ACT_PROFILE] = {show_profile, 0},
    [SM_ACT_PAUSE] = {toggle_pause, 0},
    [SM_ACT_MOUSE] = {toggle_mouse, 0},
    [SM_ACT_SYMBOLS] = {cycle_symbols, 0},
    [SM_ACT_SAVE_SCREEN] = {save_screen, 0},
    [SM_ACT_COPY] = {copy, 0},
    [SM_ACT_PRINT_PANE] = {print_pane, 0},
    [SM_ACT_SETTINGS] = {open_settings, 0},
    [SM_ACT_WRITE_SETTINGS] = {write_settings, 0},
    [SM_ACT_REDRAW] = {redraw, 0},
    [SM_ACT_SUSPEND] = {suspend, 0},
    [SM_ACT_CANCEL] = {cancel, 0},
};

/* Runs the command of a pane, or opens the prompt with the start of a command. */
static void run_command(struct sm_dashboard *d)
{
    if (d->view.command)
        sm_exec_line(d->exec, d->view.command, SM_FROM_PROMPT);
    sm_free(d->view.command);
    d->view.command = NULL;
    if (d->view.prefill) {
        d->mode = SM_COMMAND;
        sm_prompt_set(d->view.prefill);
    }
    sm_free(d->view.prefill);
    d->view.prefill = NULL;
}

void sm_dashboard_act(struct sm_dashboard *d, enum sm_key_action a)
{
    struct sm_pane *p = sm_panes_focused(&d->panes);
    const char *message = NULL;
    bool explains = d->explains && a == SM_ACT_OPEN && !d->overlay.shown;
    d->explains = false;
    if (d->overlay.shown && sm_overlay_act(&d->overlay, a))
        return;
    if (explains) {
        explain_problem(d);
        return;
    }
    const struct sm_trial_tensor *one = p->ops->values_of ? p->ops->values_of(p, &d->view) : NULL;
    if (!sm_step_keys_act(d->session, a, one, &message) && !p->ops->act(p, &d->view, a) &&
        actions[a].run)
        actions[a].run(d, actions[a].arg);
    run_command(d);
    if (message)
        sm_dashboard_say(d, message);
}
