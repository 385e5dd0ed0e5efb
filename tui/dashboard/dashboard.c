/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard in the loop: turns, signals, answers. A frame is drawn when something changed and
 * the terminal is ready. */
#include "tui/dashboard/dashboard.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/sleeping_runs.h"
#include "commands/profile/report_read.h"
#include "commands/run/answer_live.h"
#include "commands/runs/run_view.h"
#include "commands/session/session_settings.h"
#include "commands/session/survey_limit.h"
#include "commands/verdict/session_verdict.h"
#include "tui/dashboard/dashboard_feature.h"
#include "tui/terminal/terminal_settings.h"

#include "commands/compare/compare_live.h"
#include "commands/place/describe.h"
#include "commands/session/incident.h"
#include "reader/analysis/saved_weights.h"
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "tui/app/startup.h"
#include "tui/dashboard/saved_state.h"
#include "tui/panes/console.h"
#include "tui/panes/tensor_list.h"
#include "tui/terminal/lineedit.h"
#include "tui/terminal/restore.h"
#include "tui/terminal/shell.h"
#include "tui/trace_panes/trace_table.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FRAME_LOCAL_US = 100000,
    FRAME_SSH_US = 500000,
    TICK_US = 1000000,
    ENDED_TICK_US = 60000000,
    PASTE_MAX = 4096
};

static const int64_t OLD_US = 60000000; /* ages are shown in minutes from there on */

/* ---- answers of commands ---- */

static void on_answer(void *ctx, const char *text, size_t n)
{
    struct sm_dashboard *d = ctx;
    struct sm_str plain = {0};
    sm_roles_parse(text, n, &plain, NULL, NULL);
    if (!plain.len)
        return;
    bool lines = memchr(plain.data, '\n', plain.len - 1) != NULL;
    sm_console_add(&d->view.console, "", plain.data, plain.len);
    d->dirty = d->urgent = true;
    if (!sm_panes_shows(&d->panes, "cmd") && (lines || d->overlay.shown)) {
        sm_overlay_open(&d->overlay, "answer", text, n);
    } else if (!sm_panes_shows(&d->panes, "cmd")) {
        sm_str_truncate(&plain, plain.data[plain.len - 1] == '\n' ? plain.len - 1 : plain.len);
        sm_dashboard_say(d, sm_str_text(&plain));
    }
    sm_str_clear(&plain);
}

static void on_error(void *ctx, const char *text, size_t n)
{
    struct sm_dashboard *d = ctx;
    char *copy = sm_xstrndup(text, n && text[n - 1] == '\n' ? n - 1 : n);
    sm_console_add(&d->view.console, "", text, n);
    sm_dashboard_warn(d, copy);
    sm_free(copy);
}

static void on_incident(void *ctx, const struct sm_incident *e)
{
    struct sm_dashboard *d = ctx;
    sm_dashboard_report_event(d, e->text);
    if (e->bell)
        sm_screen_bell(d->screen);
}

static int on_shell(void *ctx, const char *command, const char *input, size_t n)
{
    struct sm_dashboard *d = ctx;
    char byte;
    sm_screen_suspend(d->screen);
    int status = sm_shell_run(command, input, n);
    fputs("-- press Enter to return --", stdout);
    fflush(stdout);
    while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n' && byte != '\r')
        ;
    sm_screen_resume(d->screen);
    d->dirty = d->urgent = true;
    return status;
}

void sm_dashboard_run_line(struct sm_dashboard *d, const char *line)
{
    sm_str_truncate(&d->notice, 0);
    d->overlay.shown = false;
    sm_console_add(&d->view.console, "(smdbg) ", line, strlen(line));
    sm_lineedit_remember(d->session, line);
    sm_exec_line(d->exec, line, SM_FROM_PROMPT);
}

static void on_line(void *ctx, const char *line)
{
    struct sm_dashboard *d = ctx;
    d->dirty = d->urgent = true;
    d->mode = SM_NORMAL;
    if (line && *line)
        sm_dashboard_run_line(d, line);
}

/* ---- keys and signals ---- */

static void stop_on_signal(struct sm_dashboard *d, int signo)
{
    d->ended_by = signo;
    sm_loop_stop(d->loop);
}

static void on_input(void *ctx)
{
    struct sm_dashboard *d = ctx;
    int key;
    for (int i = 0; i < PASTE_MAX && (key = sm_screen_key(d->screen)) != SM_KEY_NONE; i++) {
        struct sm_mouse mouse;
        if (key != SM_KEY_MOUSE) {
            sm_dashboard_key(d, key);
            continue;
        }
        sm_screen_mouse_event(d->screen, &mouse);
        sm_dashboard_mouse(d, &mouse);
    }
    if (sm_screen_lost(d->screen)) /* under nohup there is no signal; otherwise it may arrive later
                                    */
        stop_on_signal(d, SIGHUP);
}

static void on_signal(void *ctx, int signo)
{
    struct sm_dashboard *d = ctx;
    if (signo == SIGWINCH) {
        sm_screen_resized(d->screen);
        /* it may have been smaller for a moment and lost some cells */
        sm_screen_redraw(d->screen);
        d->dirty = d->urgent = true;
    }
    if (signo == SIGINT)
        sm_exec_cancel(d->exec);
    if (signo == SIGCONT) {
        sm_screen_resume(d->screen);
        d->dirty = d->urgent = true;
    }
    if (signo == SIGTSTP)
        sm_dashboard_suspend(d);
    if (signo == SIGTERM || signo == SIGHUP)
        stop_on_signal(d, signo);
}

/* ---- the loop's turns ---- */

static void script_key(void *ctx, int key)
{
    sm_dashboard_key(ctx, key);
}

static void script_mouse(void *ctx, const struct sm_mouse *m)
{
    struct sm_dashboard *d = ctx;
    sm_dashboard_mouse(d, m);
}

static void script_save(void *ctx, const char *path)
{
    struct sm_dashboard *d = ctx;
    struct sm_err err;
    sm_dashboard_draw(d);
    sm_screen_save(d->session, &d->grid, path, &err);
}

static bool all_scanned(const struct sm_session *s)
{
    for (size_t i = 0; i < s->n_trials; i++)
        if (!sm_trial_scanned(s->trials[i].trial))
            return false;
    return true;
}

/* Whether values or the profile of the current trial are being read in the background. */
static bool is_surveying(const struct sm_session *s)
{
    return s->n_trials && (sm_fetch_surveying(s->fetch, sm_session_trial(s)) ||
                           sm_trial_profile_pending(sm_session_trial(s)));
}

static bool is_idle(const struct sm_dashboard *d)
{
    const struct sm_session *s = d->session;
    const struct sm_rules *r = s->n_trials ? sm_session_rules_at(s, s->current) : NULL;
    bool judged = !r || sm_rules_finished(r) || sm_rules_all_judged(r);
    return !d->dirty && !sm_exec_waiting(d->exec) && all_scanned(s) && judged &&
           sm_session_reading(s) == 0 && !sm_sleepers_busy(s) && !is_surveying(s) &&
           sm_compare_live_settled(s) && sm_answer_live_settled(s) && sm_session_verdict_settled(s);
}

/* Plays one word per turn, so that commands run in between. */
static void play_word(struct sm_dashboard *d)
{
    static const struct sm_keyscript_ops ops = {
        .key = script_key, .mouse = script_mouse, .save = script_save};
    if (is_idle(d) && !sm_keyscript_play(&d->script, &ops, d))
        sm_loop_stop(d->loop);
}

static bool is_due(const struct sm_dashboard *d, int64_t now)
{
    if (!d->dirty || d->urgent || d->script.text)
        return d->dirty;
    if (d->held)
        return now >= sm_dashboard_hold_until(d) || !sm_session_reading(d->session);
    return now - d->last_frame_us >= d->frame_us;
}

static int64_t min_us(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Whether ages are shown in minutes, and no run can become stalled. */
static bool changes_slowly(const struct sm_dashboard *d, const struct sm_trial *t)
{
    enum sm_trial_state state = sm_trial_state(t);
    bool old = sm_trial_newest_us(t) && d->view.now_us - sm_trial_newest_us(t) > OLD_US;
    if (d->view.sweep && sm_run_view(d->session)->live)
        return false;
    return state == SM_TRIAL_ENDED || (state == SM_TRIAL_STALLED && old);
}

/* The time of the next change without an event: the age of the newest data grows, "live" becomes
 * "stalled", a notice ends. */
static int64_t next_tick_us(const struct sm_dashboard *d)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    int64_t notice = sm_dashboard_notice_due(d);
    if (d->script.text)
        return INT64_MAX;
    if (!t)
        return notice;
    return min_us(notice, d->last_frame_us + (changes_slowly(d, t) ? ENDED_TICK_US : TICK_US));
}

static void update_age(struct sm_dashboard *d, int64_t now)
{
    if (now < next_tick_us(d))
        return;
    d->dirty = true;
    sm_dashboard_age_notice(d, now);
}

/* Opens the prompt for the next line of an incomplete body. */
static void open_body_prompt(struct sm_dashboard *d)
{
    if (d->mode != SM_NORMAL || !sm_exec_partial(d->exec) || sm_loop_busy(d->loop))
        return;
    d->mode = SM_COMMAND;
    d->dirty = d->urgent = true;
}

/* Sends the rest of a frame when the terminal is ready. The next frame is drawn after that. */
static void on_terminal_ready(void *ctx)
{
    struct sm_dashboard *d = ctx;
    sm_screen_send(d->screen);
    if (sm_screen_unsent(d->screen) >= 0)
        return;
    sm_loop_remove(d->loop, d->sending_to);
    d->sending = false;
}

static void wait_to_send(struct sm_dashboard *d)
{
    struct sm_loop_source s = {
        .fd = sm_screen_unsent(d->screen), .writes = true, .ready = on_terminal_ready, .ctx = d};
    if (s.fd < 0 || d->sending)
        return;
    d->sending = sm_loop_add(d->loop, &s);
    d->sending_to = s.fd;
}

/* Trends and maps stand for all values of the trial that is shown. */
static void survey_trial(const struct sm_session *s)
{
    struct sm_trial *t = sm_session_trial(s);
    if (t && sm_trial_scanned(t) && !sm_survey_is_costly(s, t))
        sm_fetch_survey(s->fetch, t, sm_survey_limit(s, t));
}

/* A folder of checkpoints, without a log beside them, is shown as what changed between them; one
 * checkpoint as what it has; several trials are compared. */
static bool choose_for_checkpoints(struct sm_dashboard *d, const struct sm_trial *t)
{
    struct sm_step first, last;
    if (!sm_trial_traits(t)->named_by_files || !sm_weight_steps(t, NULL, 0, &first, &last))
        return false;
    const char *layout = d->session->n_trials > 1 ? "compare"
                         : first.n < last.n       ? "checkpoints"
                                                  : "model";
    return sm_dashboard_show_layout(d, layout, NULL);
}

/* A run that is only a profile is shown as that; another is told how to see it. */
static void choose_for_profile(struct sm_dashboard *d, const struct sm_trial *t)
{
    if (sm_trial_tensor_count(t) || d->layouts.current != 0)
        sm_dashboard_say(d, "The run has a profile: T shows it.");
    else
        sm_dashboard_show_layout(d, "system", NULL);
}

/* What the run is when it is first seen. False: it may get a profile yet. */
static bool choose_at_first(struct sm_dashboard *d, struct sm_trial *t)
{
    struct sm_str dir = {0};
    const char *traces = sm_trace_layout(t);
    if (d->layouts.current != 0 || choose_for_checkpoints(d, t))
        return true;
    if (traces)
        return sm_dashboard_show_layout(d, traces, NULL);
    if (sm_trial_profile_root(t)) {
        choose_for_profile(d, t);
        return true;
    }
    if (strcmp(sm_trial_kind_name(t), "profile_report") == 0)
        sm_dashboard_show_layout(d, "report", NULL);
    bool report = !sm_trial_tensor_count(t) && sm_report_of_run(t, &dir);
    if (report)
        sm_exec_line(d->exec, "profile report", SM_FROM_PROMPT);
    sm_str_clear(&dir);
    return report;
}

/* Several runs of one directory are shown as a table at first. */
static void choose_layout(struct sm_dashboard *d)
{
    const struct sm_session *s = d->session;
    if (d->chosen || !s->n_trials)
        return;
    struct sm_trial *t = sm_session_trial(s);
    bool several = s->n_trials > 1 && strcmp(s->trials[s->current].run, ".") != 0;
    if (several) {
        d->chosen = true;
        if (!d->seen)
            sm_dashboard_show_layout(d, "runs", NULL);
    } else if (d->seen && sm_trial_profile_root(t)) {
        d->chosen = true;
        choose_for_profile(d, t);
    } else if (!d->seen && sm_trial_scanned(t)) {
        d->seen = true;
        d->chosen = choose_at_first(d, t);
    }
}

static int64_t on_turn(void *ctx, bool changed)
{
    struct sm_dashboard *d = ctx;
    int64_t now = sm_clock_mono_us();
    if (d->session->redraw)
        sm_dashboard_act(d, SM_ACT_REDRAW);
    d->session->redraw = false;
    if (sm_exec_quit(d->exec) ||
        (sm_dashboard_state(d->session)->next_frontend == SM_FRONTEND_PROMPT &&
         !sm_loop_busy(d->loop))) {
        sm_loop_stop(d->loop);
        return INT64_MAX;
    }
    open_body_prompt(d);
    choose_layout(d);
    survey_trial(d->session);
    if (d->session->at.tensor == SM_NAME_NONE)
        d->session->at.tensor = sm_tensor_list_first(d->session);
    if (changed && !d->view.paused)
        d->dirty = true;
    update_age(d, now);
    if (is_due(d, now)) {
        sm_dashboard_draw(d);
        wait_to_send(d);
        if (d->dirty && !d->held)
            return d->sending ? INT64_MAX : now + d->frame_us; /* the terminal was not ready */
    }
    if (d->script.text) {
        play_word(d);
        if (sm_session_reading(d->session) == 0 && !is_surveying(d->session) &&
            !sm_exec_waiting(d->exec))
            return now; /* the next word */
    }
    if (d->dirty)
        return d->held ? sm_dashboard_hold_until(d) : d->last_frame_us + d->frame_us;
    return next_tick_us(d);
}

static bool open_screen(struct sm_dashboard *d, const struct sm_options *o, struct sm_err *err)
{
    struct sm_screen_options so = {
        .depth = o->color == SM_NO ? SM_COLOR_MONO : sm_screen_depth(),
        .light = sm_session_settings(d->session)->background == 1,
        .altscreen = sm_terminal_settings(d->session)->tui_altscreen,
        .headless = o->keys != NULL,
        .w = o->columns ? o->columns : 80,
        .h = o->lines ? o->lines : 24,
    };
    return sm_screen_open(&so, &d->screen, err);
}

/* Leaves a status line on the normal screen. */
static void say_goodbye(const struct sm_dashboard *d)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    struct sm_str text = {0};
    if (!t || d->script.text)
        return;
    sm_describe_trial(&text, t, sm_clock_wall_us());
    sm_str_add(&text, ", ");
    sm_describe_contents(&text, t);
    puts(sm_str_text(&text));
    fflush(stdout);
    sm_str_clear(&text);
}

/* Opens the panes in the saved layout, if there is one. */
static void open_panes(struct sm_dashboard *d, bool saved)
{
    sm_panes_init(&d->panes, sm_pane_table, &d->view);
    sm_layouts_init(&d->layouts);
    if (saved)
        sm_saved_state_load(&d->layouts, &d->session->bookmarks, sm_pane_table);
    sm_dashboard_set_layout(d, d->layouts.current, NULL);
}

/* input: -1 if the keys come from a script. */
static void connect_input(struct sm_dashboard *d, int input)
{
    struct sm_loop_source source = {.fd = input, .ready = on_input, .ctx = d};
    sm_lineedit_init(d->session);
    sm_prompt_open(on_line, d);
    if (input >= 0)
        sm_loop_add(d->loop, &source);
    sm_loop_on_turn(d->loop, on_turn, d);
    sm_loop_on_signal(d->loop, on_signal, d);
    sm_screen_resized(d->screen); /* it may have changed before we listened */
    d->session->incidents->on_added = on_incident;
    d->session->incidents->ctx = d;
}

/* Restores the terminal, and saves the history and the state for the next session. */
static void close_dashboard(struct sm_dashboard *d, bool saved)
{
    bool closed = sm_screen_close(d->screen);
    if (!closed && sm_dashboard_state(d->session)->next_frontend == SM_FRONTEND_PROMPT)
        sm_restore_late(sm_terminal_settings(d->session)->tui_altscreen);
    if (closed)
        sm_title_close(&d->title);
    if (closed && sm_dashboard_state(d->session)->next_frontend == SM_FRONTEND_SAME)
        say_goodbye(d);
    if (!d->script.text)
        sm_lineedit_save(d->session);
    if (saved)
        sm_saved_state_save(d->session, &d->layouts, &d->session->bookmarks);
    if (d->ended_by) {
        sm_restore_mode(false);
        sm_loop_raise(d->loop, d->ended_by);
    }
}

int sm_dashboard_run(struct sm_loop *l, const struct sm_options *o)
{
    static const struct sm_exec_ops ops = {
        .answer = on_answer, .complain = on_error, .shell = on_shell, .roles = true};
    struct sm_dashboard d = {
        .loop = l, .session = sm_loop_session(l), .dirty = true, .urgent = true};
    struct sm_dashboard_before before;
    struct sm_err err;
    bool saved = !o->no_init && !o->keys; /* layouts and bookmarks are loaded and saved */
    d.view.session = d.session;
    d.view.glyphs = sm_dashboard_glyphs(d.session);
    d.frame_us = getenv("SSH_CONNECTION") ? FRAME_SSH_US : FRAME_LOCAL_US;
    if (!open_screen(&d, o, &err)) {
        fprintf(stderr, "%s\n", err.msg);
        return -1;
    }
    if (o->keys)
        sm_keyscript_open(&d.script, o->keys);
    d.view.timeless = d.script.text != NULL;
    d.exec = sm_exec_new(d.session, &ops, &d);
    sm_loop_set_exec(l, d.exec);
    sm_dashboard_take_session(&d, o, &before);
    open_panes(&d, saved);
    d.chosen = o->layout != NULL;
    if (o->layout && !sm_dashboard_show_layout(&d, o->layout, &err))
        sm_dashboard_say(&d, err.msg);
    int input = sm_screen_fd(d.screen);
    connect_input(&d, input);
    sm_dashboard_measure(&d);
    sm_startup(l, d.exec, o);
    sm_loop_run(l);
    sm_dashboard_give_session_back(&d, &before);
    sm_prompt_close();
    close_dashboard(&d, saved);
    /* where no trial could be opened, its status stays, whatever ends the dashboard */
    bool unopened = !d.session->n_trials;
    int status = sm_exec_quit(d.exec) || unopened ? sm_exec_status(d.exec) : 0;
    sm_loop_leave(l);
    sm_exec_free(d.exec);
    sm_dashboard_clear(&d);
    return status;
}
