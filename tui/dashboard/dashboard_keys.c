/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the dashboard, in each mode. */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/input_line.h"
#include "tui/terminal/lineedit.h"

#include "reader/base/mem.h"

#include <stdio.h>
#include <string.h>

/* ---- keys ---- */

static void input_key(struct sm_dashboard *d, int key)
{
    struct sm_pane *p = d->mode == SM_FILTER ? d->filtered : sm_panes_focused(&d->panes);
    char bytes[4];
    bool done = key == SM_KEY_ENTER || key == '\n', cancelled = key == SM_KEY_ESC || key == 3;
    bool edited = sm_input_edit(&d->input, key);
    if (key == SM_KEY_TAB && d->mode == SM_FILTER && !p->ops->filter_hint)
        sm_input_toggle_regex(&d->input);
    else if (!edited && key >= 32 && key < SM_KEY_SPECIAL)
        sm_str_addn(&d->input, bytes, sm_utf8_encode((uint32_t)key, bytes));
    if (cancelled)
        sm_str_truncate(&d->input, 0);
    if (cancelled && d->mode == SM_FILTER && d->filter_trial == sm_session_trial(d->session))
        d->session->at.tensor = d->filter_tensor;
    if (d->mode == SM_FILTER && p->ops->filter)
        p->ops->filter(p, &d->view, sm_str_text(&d->input));
    if (d->mode == SM_SEARCH && done && d->input.len) {
        sm_free(d->view.search);
        d->view.search = sm_xstrdup(sm_str_text(&d->input));
        sm_dashboard_act(d, SM_ACT_NEXT_HIT);
    }
    if (done || cancelled)
        d->mode = SM_NORMAL;
}

static void prompt_key(struct sm_dashboard *d, int key)
{
    if (key == SM_KEY_ESC || key == 3) {
        sm_prompt_set("");
        d->mode = SM_NORMAL;
        if (sm_exec_partial(d->exec))
            sm_exec_cancel(d->exec); /* the incomplete body */
    } else {
        sm_prompt_type(key);
    }
}

/* The letter of a bookmark; other keys cancel the action. */
static void letter_key(struct sm_dashboard *d, int key)
{
    char line[32];
    snprintf(line, sizeof line, "bookmark %s%c", d->letter_action == SM_ACT_JUMP ? "-go " : "",
             (char)key);
    if (key < 128 && sm_bookmark_letter(key))
        sm_exec_line(d->exec, line, SM_FROM_PROMPT);
    d->letter_action = SM_ACT_NONE;
    sm_str_truncate(&d->notice, 0);
}

static bool use_digit(struct sm_dashboard *d, struct sm_pane *p, int key)
{
    return key >= '0' && key <= '9' && !d->overlay.shown && p->ops->digit &&
           p->ops->digit(p, &d->view, key - '0');
}

static void normal_key(struct sm_dashboard *d, int key)
{
    struct sm_pane *p = sm_panes_focused(&d->panes);
    bool asked = d->asked_quit;
    enum sm_context context = d->overlay.shown ? SM_CTX_HELP : p->ops->context;
    const char *line = sm_keymap_line(&d->keymap, key, context);
    enum sm_key_action a = sm_keymap_find(key, context);
    sm_str_truncate(&d->notice, 0);
    d->explains = d->explains && a == SM_ACT_OPEN && !line;
    if (line)
        sm_exec_line(d->exec, line, SM_FROM_PROMPT);
    else if (use_digit(d, p, key))
        ;
    else if (a == SM_ACT_PANE && !d->overlay.shown)
        sm_panes_focus(&d->panes, (size_t)(key - '1'));
    else if (a != SM_ACT_NONE)
        sm_dashboard_act(d, a);
    if (asked)
        d->asked_quit = false;
}

/* ---- pastes ---- */

/* In FILTER, SEARCH and the settings: types the first line. Otherwise types one line at the prompt,
 * and asks before running several lines. */
static void use_paste(struct sm_dashboard *d)
{
    struct sm_str *text = &d->paste.text;
    char question[96];
    size_t lines = sm_paste_lines(&d->paste);
    if (d->mode == SM_FILTER || d->mode == SM_SEARCH || d->settings_form.shown) {
        uint32_t rune;
        for (size_t i = 0; i < text->len && text->data[i] != '\n';
             (d->settings_form.shown ? sm_dashboard_settings_key : input_key)(d, (int)rune))
            i += sm_utf8_decode(text->data + i, text->len - i, &rune);
    } else if (lines > 1) {
        d->mode = SM_NORMAL;
        snprintf(question, sizeof question,
                 "Pasted %zu lines: Enter runs them, any other key discards them.", lines);
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
            use_paste(d);
    } else if (d->paste.asked) {
        answer_paste(d, key);
    } else if (d->mode == SM_COMMAND) {
        prompt_key(d, key);
    } else if (d->settings_form.shown) {
        sm_dashboard_settings_key(d, key);
    } else if (d->mode == SM_NORMAL && d->letter_action) {
        letter_key(d, key);
    } else if (d->mode == SM_NORMAL) {
        normal_key(d, key);
    } else {
        input_key(d, key);
    }
}
