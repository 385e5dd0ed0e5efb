/* Keys of the dashboard, in each of its modes. */
#include "commands/session/session_settings.h"
#include "commands/stops/stops.h"
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/input_line.h"
#include "tui/dashboard/next_problem.h"
#include "tui/panes/key_help.h"
#include "tui/panes/step_keys.h"
#include "tui/terminal/lineedit.h"
#include "tui/terminal/terminal_settings.h"

#include "commands/session/trial_list.h"
#include "commands/stops/breakpoint.h"
#include "reader/base/mem.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- actions ---- */

static void show_help(struct sm_dashboard *d)
{
    struct sm_str text = {0};
    const struct sm_pane *p = sm_panes_focused(&d->panes);
    sm_key_help_text(p->ops, &d->keymap, &text);
    sm_overlay_open(&d->overlay, p->ops->title, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

static void find_problem(struct sm_dashboard *d, int direction)
{
    struct sm_str told = {0};
    sm_next_problem_go(d->session, &d->problem, direction, d->view.timeless, &told);
    if (told.len)
        sm_dashboard_say(d, sm_str_text(&told));
    sm_str_clear(&told);
}

static void pin(struct sm_dashboard *d)
{
    struct sm_session *s = d->session;
    const struct sm_trial *t = sm_session_trial(s);
    if (t && s->at.tensor < sm_trial_tensor_count(t))
        sm_dashboard_say(d, sm_tags_toggle(&s->trials[s->current].pinned, s->at.tensor)
                                ? "pinned to the charts"
                                : "no longer pinned");
}

static void toggle_baseline(struct sm_dashboard *d)
{
    struct sm_str text = {0};
    if (sm_session_trial(d->session))
        sm_dashboard_say(d, sm_trials_toggle_baseline(d->session, d->session->current, &text));
    sm_str_clear(&text);
}

/* A breakpoint on the current tensor alone: one is deleted, where there is none it is made. */
static void toggle_breakpoint(struct sm_dashboard *d)
{
    const struct sm_session *s = d->session;
    const struct sm_trial *t = sm_session_trial(s);
    char line[32] = "break", told[40];
    if (!t || s->at.tensor == SM_NAME_NONE) {
        sm_dashboard_say(d, "There is no current tensor to break at.");
        return;
    }
    const struct sm_breakpoint *b = sm_breakpoints_of_tensor(
        &sm_stops(s)->breakpoints, sm_names_text(sm_trial_names(t), s->at.tensor));
    if (b)
        snprintf(line, sizeof line, "delete %u", b->number);
    snprintf(told, sizeof told, "breakpoint %u is deleted", b ? b->number : 0);
    bool gone = b != NULL;
    sm_exec_line(d->exec, line, SM_FROM_PROMPT);
    if (gone)
        sm_dashboard_say(d, told);
}

static void begin_input(struct sm_dashboard *d, enum sm_dashboard_mode mode)
{
    d->mode = mode;
    d->before = d->session->at.tensor;
    sm_str_truncate(&d->input, 0);
    if (mode == SM_FILTER)
        sm_panes_focus_filter(&d->panes);
}

static void cycle_symbols(struct sm_dashboard *d)
{
    static const char *const names[] = {"symbols: braille", "symbols: block", "symbols: ASCII"};
    enum sm_symbols next = (enum sm_symbols)((sm_dashboard_glyphs(d->session)->set + 1) % 3);
    struct sm_settings *all = &d->session->settings;
    const struct sm_setting *row = sm_setting_named(all, "symbols");
    sm_setting_set(all, row, row->words[next + 1], NULL);
    sm_dashboard_say(d, names[next]);
}

static void save_screen(struct sm_dashboard *d)
{
    sm_exec_line(d->exec, "screen save smdbg-screen.txt", SM_FROM_PROMPT);
}

static void close_or_quit(struct sm_dashboard *d)
{
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
    sm_loop_raise(d->loop, SIGTSTP); /* returns at once where no shell could continue us */
    sm_screen_resume(d->screen);
}

/* What stands under the cursor is shown by the value pane; there already, it gets all the room. */
static void open_value(struct sm_dashboard *d)
{
    if (sm_panes_focused(&d->panes)->ops->context == SM_CTX_VALUE)
        d->panes.zoomed = !d->panes.zoomed;
    else
        sm_panes_focus_context(&d->panes, SM_CTX_VALUE);
}

static void act_here(struct sm_dashboard *d, enum sm_key_action a)
{
    struct sm_pane *p = sm_panes_focused(&d->panes);
    switch (a) {
    case SM_ACT_HELP:
        show_help(d);
        break;
    case SM_ACT_COMMAND:
        d->mode = SM_COMMAND;
        break;
    case SM_ACT_CLOSE:
        close_or_quit(d);
        break;
    case SM_ACT_QUIT:
        sm_loop_stop(d->loop);
        break;
    case SM_ACT_BACK:
        d->panes.zoomed = false;
        if (p->ops->filter)
            p->ops->filter(p, &d->view, "");
        break;
    case SM_ACT_NEXT_PANE:
        sm_panes_next(&d->panes, true);
        break;
    case SM_ACT_PREV_PANE:
        sm_panes_next(&d->panes, false);
        break;
    case SM_ACT_ZOOM:
        d->panes.zoomed = !d->panes.zoomed;
        break;
    case SM_ACT_SEARCH:
        begin_input(d, SM_SEARCH);
        break;
    case SM_ACT_FILTER:
        begin_input(d, SM_FILTER);
        break;
    case SM_ACT_NEXT_HIT:
        search_again(d, 1);
        break;
    case SM_ACT_PREV_HIT:
        search_again(d, -1);
        break;
    case SM_ACT_NEXT_PROBLEM:
        find_problem(d, 1);
        break;
    case SM_ACT_PREV_PROBLEM:
        find_problem(d, -1);
        break;
    case SM_ACT_PIN:
        pin(d);
        break;
    case SM_ACT_BASELINE:
        toggle_baseline(d);
        break;
    case SM_ACT_BREAK:
        toggle_breakpoint(d);
        break;
    case SM_ACT_HIT_NEXT:
        sm_exec_line(d->exec, "continue", SM_FROM_PROMPT);
        break;
    case SM_ACT_HIT_PREV:
        sm_exec_line(d->exec, "reverse-continue", SM_FROM_PROMPT);
        break;
    case SM_ACT_BOOKMARK:
    case SM_ACT_JUMP:
        d->letter_of = a;
        sm_dashboard_say(d, a == SM_ACT_BOOKMARK ? "bookmark: a letter remembers this step"
                                                 : "jump: the letter of a bookmark");
        break;
    case SM_ACT_NEXT_LAYOUT:
        sm_dashboard_set_layout(d, (d->layouts.current + 1) % d->layouts.n, NULL);
        break;
    case SM_ACT_PAUSE:
        d->view.paused = !d->view.paused;
        break;
    case SM_ACT_MOUSE:
        sm_exec_line(d->exec,
                     sm_terminal_settings(d->session)->mouse ? "set mouse off" : "set mouse on",
                     SM_FROM_PROMPT);
        sm_dashboard_say(d, sm_terminal_settings(d->session)->mouse
                                ? "mouse off"
                                : "mouse on: click, wheel; Shift selects text");
        break;
    case SM_ACT_SYMBOLS:
        cycle_symbols(d);
        break;
    case SM_ACT_SAVE_SCREEN:
        save_screen(d);
        break;
    case SM_ACT_REDRAW:
        sm_screen_redraw(d->screen);
        break;
    case SM_ACT_SUSPEND:
        sm_dashboard_suspend(d);
        break;
    case SM_ACT_CANCEL:
        sm_exec_cancel(d->exec);
        break;
    case SM_ACT_UPWARDS:
        sm_panes_back(&d->panes);
        break;
    case SM_ACT_OPEN:
        if (!p->ops->act(p, &d->view, a))
            open_value(d);
        break;
    default:
        sm_dashboard_hand_out(d, a);
        break;
    }
}

/* What a pane left to be run, or to be finished by the person. */
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

/* Opening is the pane's first, all else the one's who has it. */
void sm_dashboard_act(struct sm_dashboard *d, enum sm_key_action a)
{
    struct sm_pane *p = sm_panes_focused(&d->panes);
    const char *told = NULL;
    if (d->overlay.shown && sm_overlay_act(&d->overlay, a))
        return;
    if (!sm_step_keys_act(d->session, a, &told) &&
        (a == SM_ACT_OPEN || !p->ops->act(p, &d->view, a)))
        act_here(d, a);
    run_command(d);
    if (told)
        sm_dashboard_say(d, told);
}

/* ---- keys ---- */

static void input_key(struct sm_dashboard *d, int key)
{
    struct sm_pane *p = sm_panes_focused(&d->panes);
    char bytes[4];
    bool done = key == SM_KEY_ENTER || key == '\n', left = key == SM_KEY_ESC || key == 3;
    if (key == SM_KEY_BACKSPACE)
        sm_input_drop_last(&d->input);
    else if (key == SM_KEY_TAB && d->mode == SM_FILTER)
        sm_input_toggle_regex(&d->input);
    else if (key >= 32 && key < SM_KEY_SPECIAL)
        sm_str_addn(&d->input, bytes, sm_utf8_encode((uint32_t)key, bytes));
    if (left)
        sm_str_truncate(&d->input, 0);
    if (left && d->mode == SM_FILTER)
        d->session->at.tensor = d->before;
    if (d->mode == SM_FILTER && p->ops->filter)
        p->ops->filter(p, &d->view, sm_str_text(&d->input));
    if (d->mode == SM_SEARCH && done && d->input.len) {
        sm_free(d->view.search);
        d->view.search = sm_xstrdup(sm_str_text(&d->input));
        search_again(d, 1);
    }
    if (done || left)
        d->mode = SM_NORMAL;
}

static void prompt_key(struct sm_dashboard *d, int key)
{
    if (key == SM_KEY_ESC || key == 3) {
        sm_prompt_set("");
        d->mode = SM_NORMAL;
        if (sm_exec_partial(d->exec))
            sm_exec_cancel(d->exec); /* the body that was begun */
    } else {
        sm_prompt_type(key);
    }
}

/* The letter that an action asked for; any other key is none. */
static void take_letter(struct sm_dashboard *d, int key)
{
    char line[32];
    snprintf(line, sizeof line, "bookmark %s%c", d->letter_of == SM_ACT_JUMP ? "-go " : "",
             (char)key);
    if (key < 128 && sm_bookmark_letter(key))
        sm_exec_line(d->exec, line, SM_FROM_PROMPT);
    d->letter_of = SM_ACT_NONE;
    sm_str_truncate(&d->notice, 0);
}

static void normal_key(struct sm_dashboard *d, int key)
{
    struct sm_pane *p = sm_panes_focused(&d->panes);
    bool asked = d->asked_quit;
    enum sm_context context = d->overlay.shown ? SM_CTX_HELP : p->ops->context;
    const char *line = sm_keymap_line(&d->keymap, key, context);
    enum sm_key_action a = sm_keymap_find(key, context);
    sm_str_truncate(&d->notice, 0);
    if (line)
        sm_exec_line(d->exec, line, SM_FROM_PROMPT);
    else if (a == SM_ACT_PANE && !d->overlay.shown)
        sm_panes_focus(&d->panes, (size_t)(key - '1'));
    else if (a != SM_ACT_NONE)
        sm_dashboard_act(d, a);
    if (asked)
        d->asked_quit = false;
}

/* ---- what was pasted ---- */

/* In FILTER and SEARCH its first line; else it goes to the prompt, several lines only after a
 * question. */
static void take_paste(struct sm_dashboard *d)
{
    struct sm_str *text = &d->paste.text;
    char question[96];
    size_t lines = sm_paste_lines(&d->paste);
    if (d->mode == SM_FILTER || d->mode == SM_SEARCH || d->setup.shown) {
        uint32_t rune;
        for (size_t i = 0; i < text->len && text->data[i] != '\n';
             (d->setup.shown ? sm_dashboard_setup_key : input_key)(d, (int)rune))
            i += sm_utf8_decode(text->data + i, text->len - i, &rune);
    } else if (lines > 1) {
        d->mode = SM_NORMAL;
        snprintf(question, sizeof question,
                 "%zu lines were pasted: Enter runs them, any other key drops them.", lines);
        sm_dashboard_say(d, question);
        d->paste.asked = true;
        return;
    } else if (lines) {
        d->mode = SM_COMMAND;
        for (size_t i = 0; i < text->len; i++)
            sm_prompt_key((unsigned char)text->data[i]);
    }
    sm_paste_drop(&d->paste);
}

static void answer_paste(struct sm_dashboard *d, int key)
{
    char *save = NULL;
    sm_str_truncate(&d->notice, 0);
    if (key == SM_KEY_ENTER)
        for (char *line = strtok_r(d->paste.text.data, "\n", &save); line;
             line = strtok_r(NULL, "\n", &save))
            sm_dashboard_run_line(d, line);
    sm_paste_drop(&d->paste);
}

void sm_dashboard_key(struct sm_dashboard *d, int key)
{
    bool pasted;
    d->dirty = d->urgent = true;
    if (key == SM_KEY_RESIZE) {
        sm_screen_resized(d->screen);
        return;
    }
    if (sm_paste_key(&d->paste, key, &pasted)) {
        if (pasted)
            take_paste(d);
    } else if (d->paste.asked) {
        answer_paste(d, key);
    } else if (d->mode == SM_COMMAND) {
        prompt_key(d, key);
    } else if (d->setup.shown) {
        sm_dashboard_setup_key(d, key);
    } else if (d->mode == SM_NORMAL && d->letter_of) {
        take_letter(d, key);
    } else if (d->mode == SM_NORMAL) {
        normal_key(d, key);
    } else {
        input_key(d, key);
    }
}
