/* The dashboard: one screen, its panels, the prompt at the bottom. Keys become actions, actions change panels or the current
 * point, and a frame is drawn when something changed and the terminal is ready. */
#include "tui/frontend.h"
#include "tui/layout.h"
#include "tui/lineedit.h"
#include "tui/panels.h"
#include "tui/screen.h"

#include "commands/describe.h"
#include "reader/base/clock.h"
#include "reader/base/mem.h"

#include <langinfo.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAME_LOCAL_US = 100000, FRAME_SSH_US = 500000, HOLD_US = 100000, TICK_US = 1000000, PASTE_MAX = 4096 };
enum mode { NORMAL, COMMAND, FILTER, SEARCH };

struct overlay {
    bool shown;
    char *title;
    struct sm_str text;
    size_t top;                          /* first line shown */
    int page;
};
struct dashboard {
    struct sm_loop *loop;
    struct sm_session *session;
    struct sm_exec *exec;
    struct sm_screen *screen;
    struct sm_view view;
    struct sm_panels panels;
    bool asked_quit, dirty, urgent;
    enum mode mode;
    struct sm_str input;                 /* of FILTER and SEARCH */
    struct overlay overlay;
    struct sm_str notice;
    struct sm_grid grid;
    int64_t last_frame_us, frame_us;
    int64_t awaited_us;                  /* since when values have been on their way; 0: none are */
    int ended_by;                        /* the signal that ended it; 0: none */
    bool held;                           /* the frame waits for them */
    const char *keys;                    /* a key script still to be played; NULL: a person */
    char *keys_text;
};

static void say(struct dashboard *d, const char *text)
{
    sm_str_truncate(&d->notice, 0);
    sm_str_add(&d->notice, text);
    d->view.notice = NULL;
    d->dirty = d->urgent = true;
}

/* ---- glyphs ---- */

static enum sm_symbols symbols_of(const struct sm_session *s)
{
    int64_t chosen = s->settings.values[SM_SET_SYMBOLS].i;
    const char *term = getenv("TERM");
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (chosen > 0 && (utf8 || chosen == 3))
        return (enum sm_symbols)(chosen - 1);
    if (!utf8)
        return SM_SYMBOLS_ASCII;
    return term && (strcmp(term, "linux") == 0 || strncmp(term, "vt", 2) == 0) ? SM_SYMBOLS_BLOCK : SM_SYMBOLS_BRAILLE;
}

/* ---- drawing ---- */

static void draw_state(struct dashboard *d, const struct sm_trial *t, struct sm_str *out)
{
    const struct sm_glyphs *g = d->view.glyphs;
    const uint32_t marks[] = {[SM_TRIAL_WAITING] = g->waiting, [SM_TRIAL_LIVE] = g->live, [SM_TRIAL_STALLED] = g->stalled, [SM_TRIAL_ENDED] = g->ended};
    char bytes[4], text[32];
    enum sm_trial_state state = sm_trial_state(t);
    sm_str_addn(out, bytes, sm_utf8_encode(marks[state], bytes));
    sm_str_printf(out, " %s%s  ", d->view.paused ? "paused, " : "", sm_trial_state_name(state));
    sm_str_add_escaped(out, sm_trial_name(t), strlen(sm_trial_name(t)));
    size_t n = sm_trial_step_count(t);
    if (n) {
        const struct sm_trial_step *s = sm_trial_step(t, n - 1);
        sm_str_add(out, "   ");
        sm_describe_step(out, s->step, s->mode, s->mode_step);
    }
    double rate = sm_trial_steps_per_second(t);
    if (isfinite(rate) && state == SM_TRIAL_LIVE)
        sm_str_printf(out, "   %.2g/s", rate);
    if (d->keys_text)
        return;                          /* ages and sizes differ from run to run */
    if (sm_trial_newest_us(t)) {
        int64_t age = d->view.now_us - sm_trial_newest_us(t);
        sm_format_duration(age < 10000000 ? age : age / 1000000 * 1000000, text);
        sm_str_printf(out, "   newest %s", text);
    }
    sm_format_bytes(sm_trial_memory(t) + sm_fetch_memory(d->session->fetch), text);
    sm_str_printf(out, "   %s", text);
}

static void draw_status(struct dashboard *d, int w)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    struct sm_str text = {0};
    if (!t) {
        sm_grid_text(&d->grid, 1, 0, w - 1, SM_ROLE_TEXT, SM_ATTR_BOLD, "no trial is open: \"open PATH\"");
        return;
    }
    draw_state(d, t, &text);
    enum sm_trial_state state = sm_trial_state(t);
    enum sm_role role = state == SM_TRIAL_LIVE ? SM_ROLE_OK : state == SM_TRIAL_STALLED ? SM_ROLE_WARN : SM_ROLE_TEXT;
    sm_grid_text(&d->grid, 1, 0, w - 1, SM_ROLE_TEXT, SM_ATTR_BOLD, sm_str_text(&text));
    struct sm_cell *mark = sm_grid_at(&d->grid, 1, 0);
    if (mark)
        mark->role = (uint8_t)role;
    uint64_t errors = sm_trial_problems(t)->total;
    if (errors) {
        char bytes[4];
        sm_str_truncate(&text, 0);
        sm_str_addn(&text, bytes, sm_utf8_encode(d->view.glyphs->error, bytes));
        sm_str_printf(&text, " errors %llu", (unsigned long long)errors);
        int n = (int)sm_text_width(sm_str_text(&text), text.len);
        sm_grid_text(&d->grid, w - n - 1, 0, n, SM_ROLE_PROBLEM, SM_ATTR_BOLD, sm_str_text(&text));
    }
    sm_str_clear(&text);
}

static void draw_overlay(struct dashboard *d, struct sm_rect r)
{
    struct overlay *o = &d->overlay;
    const char *line = sm_str_text(&o->text);
    size_t lines = 0;
    for (const char *p = line; *p; p++)
        lines += *p == '\n';
    o->page = r.h - 2;
    if (o->top + 1 > lines)
        o->top = lines ? lines - 1 : 0;
    sm_grid_blank(&d->grid, r);
    for (size_t i = 0; *line; i++) {
        size_t n = strcspn(line, "\n");
        if (i >= o->top && i - o->top < (size_t)(r.h - 2)) {
            char *copy = sm_xstrndup(line, n);
            sm_grid_text(&d->grid, r.x + 2, r.y + 1 + (int)(i - o->top), r.w - 4, SM_ROLE_TEXT, 0, copy);
            sm_free(copy);
        }
        line += n + (line[n] == '\n');
    }
    char note[64] = "q closes";
    if (lines > (size_t)o->page)
        snprintf(note, sizeof note, "%zu-%zu of %zu lines, q closes", o->top + 1, o->top + (size_t)o->page < lines ? o->top + (size_t)o->page : lines, lines);
    sm_layout_frame(&d->grid, r, o->title, true, note, d->view.glyphs);
}

/* The prompt's line; returns the cursor's column, -1 when it is not there. */
static int draw_prompt(struct dashboard *d, int w, int y)
{
    const char *prompt = "", *line = "";
    int cursor = -1, at = 0;
    if (d->mode == COMMAND) {
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
    if (d->mode == FILTER || d->mode == SEARCH) {
        at = sm_grid_text(&d->grid, 0, y, w, SM_ROLE_ACCENT, 0, d->mode == FILTER ? "filter: " : "/");
        return at + sm_grid_text(&d->grid, at, y, w - at, SM_ROLE_TEXT, 0, sm_str_text(&d->input));
    }
    if (sm_exec_waiting(d->exec)) {
        sm_grid_printf(&d->grid, 0, y, w, SM_ROLE_DIM, 0, "running: %s (Ctrl-C cancels)", sm_exec_running(d->exec));
        return -1;
    }
    if (d->notice.len)
        sm_grid_text(&d->grid, 0, y, w, SM_ROLE_WARN, 0, sm_str_text(&d->notice));
    return -1;
}

static void draw_keys(struct dashboard *d, int w, int y)
{
    static const char *const modes[] = {"NORMAL", "COMMAND", "FILTER", "SEARCH"};
    const char *const *row = sm_panels_focused(&d->panels)->ops->hints;
    int x = 0;
    x += sm_grid_printf(&d->grid, x, y, w, SM_ROLE_ACCENT, SM_ATTR_BOLD, "%s ", modes[d->mode]);
    for (int i = 0; row[i]; i++)
        x += sm_grid_printf(&d->grid, x, y, w - x, SM_ROLE_DIM, 0, " %s ", row[i]);
    if (w - x > 20)
        sm_grid_text(&d->grid, x, y, w - x, SM_ROLE_DIM, 0, " Tab pane  Q quit");
}

static void too_small(struct dashboard *d, int w, int h)
{
    sm_grid_printf(&d->grid, 0, 0, w, SM_ROLE_TEXT, 0, "terminal too small (%dx%d), need %dx%d", w, h, SM_SCREEN_MIN_W, SM_SCREEN_MIN_H);
}

/* What comes by itself is shown together with its values, if they come soon: "..." in between would be sent in vain. A
 * key is answered at once. */
static bool hold_back(struct dashboard *d)
{
    int64_t now = sm_clock_mono_us();
    if (!sm_session_reading(d->session))
        d->awaited_us = 0;
    else if (!d->awaited_us)
        d->awaited_us = now;
    d->held = d->awaited_us && now - d->awaited_us < HOLD_US && !d->urgent && !d->keys_text;
    return d->held;
}

static void draw(struct dashboard *d)
{
    int w, h, cursor = -1;
    sm_screen_size(d->screen, &w, &h);
    sm_grid_resize(&d->grid, w, h);
    d->session->term_w = w > 4 ? w - 4 : w;      /* answers stand in a frame */
    d->view.glyphs = sm_glyphs(symbols_of(d->session));
    d->view.now_us = sm_clock_wall_us();
    if (d->view.notice)
        say(d, d->view.notice);
    if (w < SM_SCREEN_MIN_W || h < SM_SCREEN_MIN_H) {
        too_small(d, w, h);
        if (h > 1)
            cursor = draw_prompt(d, w, h - 1);
    } else {
        bool keys = h >= 14;
        struct sm_rect main = {0, 1, w, h - 2 - keys};
        draw_status(d, w);
        if (sm_session_trial(d->session))
            sm_panels_draw(&d->panels, &d->view, &d->grid, main);
        if (d->overlay.shown)
            draw_overlay(d, main);
        cursor = draw_prompt(d, w, h - 1 - keys);
        if (keys)
            draw_keys(d, w, h - 1);
    }
    if (hold_back(d))
        return;
    if (sm_screen_show(d->screen, &d->grid, cursor, h - 1 - (h >= 14)))
        d->dirty = d->urgent = false;
    d->last_frame_us = sm_clock_mono_us();
}

/* ---- answers of commands ---- */

static void open_overlay(struct dashboard *d, const char *title, const char *text, size_t n)
{
    sm_free(d->overlay.title);
    d->overlay.title = sm_xstrdup(title);
    sm_str_truncate(&d->overlay.text, 0);
    sm_str_addn(&d->overlay.text, text, n);
    d->overlay.top = 0;
    d->overlay.shown = true;
    d->dirty = d->urgent = true;
}

static void on_answer(void *ctx, const char *text, size_t n)
{
    struct dashboard *d = ctx;
    if (!n)
        return;
    if (!memchr(text, '\n', n - 1) && !d->overlay.shown) {
        char *copy = sm_xstrndup(text, text[n - 1] == '\n' ? n - 1 : n);
        say(d, copy);
        sm_free(copy);
    } else {
        open_overlay(d, "answer", text, n);
    }
}

static void on_complaint(void *ctx, const char *text, size_t n)
{
    char *copy = sm_xstrndup(text, n && text[n - 1] == '\n' ? n - 1 : n);
    say(ctx, copy);
    sm_free(copy);
}

static int on_shell(void *ctx, const char *command, const char *input, size_t n)
{
    struct dashboard *d = ctx;
    sm_screen_suspend(d->screen);
    int status = -1;
    if (input) {
        FILE *pipe = popen(command, "w");
        if (pipe) {
            fwrite(input, 1, n, pipe);
            status = pclose(pipe);
        }
    } else {
        status = system(command);
    }
    fputs("-- press Enter to return --", stdout);
    fflush(stdout);
    char byte;
    while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n' && byte != '\r')
        ;
    sm_screen_resume(d->screen);
    d->dirty = d->urgent = true;
    return status;
}

static void on_line(void *ctx, const char *line)
{
    struct dashboard *d = ctx;
    d->dirty = d->urgent = true;
    d->mode = NORMAL;
    if (line && *line) {
        sm_str_truncate(&d->notice, 0);
        d->overlay.shown = false;
        sm_lineedit_remember(d->session, line);
        sm_exec_line(d->exec, line, SM_FROM_PROMPT);
    }
}

/* ---- help ---- */

static void show_help(struct dashboard *d)
{
    struct sm_str text = {0};
    const struct sm_panel *p = sm_panels_focused(&d->panels);
    sm_str_printf(&text, "%s\n\n", p->ops->help);
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++) {
        const struct sm_action_row *row = sm_action_row((enum sm_action)a);
        if (row->context == SM_CTX_ALL || row->context == p->ops->context)
            sm_str_printf(&text, "%-14s %s\n", row->keys, row->help);
    }
    sm_str_add(&text, "\nAfter \":\" any command: tensor, stat, hist, plot, tensors, info, why, doctor, help ...\n");
    open_overlay(d, p->ops->title, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

/* ---- the current step ---- */

static void go_to(struct dashboard *d, int64_t index)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    int64_t n = (int64_t)sm_trial_step_count(t);
    if (!n)
        return;
    index = index < 0 ? 0 : index >= n ? n - 1 : index;
    d->session->at.step = sm_trial_step(t, (size_t)index)->step;
    d->session->at.follow = false;
}

static bool step_action(struct dashboard *d, enum sm_action a)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    if (!t)
        return false;
    int64_t at = (int64_t)sm_trial_step_at(t, sm_session_step(d->session));
    switch (a) {
    case SM_ACT_STEP_PREV:
        go_to(d, at - 1);
        return true;
    case SM_ACT_STEP_NEXT:
        go_to(d, at + 1);
        return true;
    case SM_ACT_STEP_PREV_10:
        go_to(d, at - 10);
        return true;
    case SM_ACT_STEP_NEXT_10:
        go_to(d, at + 10);
        return true;
    case SM_ACT_STEP_FIRST:
        go_to(d, 0);
        return true;
    case SM_ACT_STEP_LAST:
        go_to(d, INT64_MAX);
        return true;
    case SM_ACT_FOLLOW:
        d->session->at.follow = !d->session->at.follow;
        if (!d->session->at.follow)
            d->session->at.step = sm_trial_step_count(t) ? sm_trial_step(t, sm_trial_step_count(t) - 1)->step : (struct sm_step){-1};
        say(d, d->session->at.follow ? "following the newest step" : "standing at this step");
        return true;
    default:
        return false;
    }
}

/* The next tensor, in the list's order, whose current value has a NaN or infinity. What is not read yet does not count. */
static void find_problem(struct dashboard *d, int direction)
{
    struct sm_trial *t = sm_session_trial(d->session);
    size_t n = t ? sm_trial_tensor_count(t) : 0, from = 0;
    for (size_t i = 0; i < n; i++)
        if (sm_trial_tensor(t, i)->name == d->session->at.tensor)
            from = i;
    for (size_t k = 1; k <= n; k++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, (from + (direction > 0 ? k : n - k)) % n);
        const struct sm_entry *e = NULL;
        const struct sm_facts *f;
        struct sm_step now = sm_session_step(d->session);
        for (size_t i = x->n_entries; i-- > 0 && !e;)
            if (x->entries[i].kind == SM_ENTRY_VALUE && (now.n < 0 || sm_trial_part(t, x->entries[i].part)->step.n <= now.n))
                e = &x->entries[i];
        if (e && sm_fetch_stats(d->session->fetch, t, e, &f, NULL) && (f->stats.nan || f->stats.pos_inf || f->stats.neg_inf)) {
            d->session->at.tensor = x->name;
            for (size_t i = 0; i < d->panels.n; i++)
                if (d->panels.items[i].ops->context == SM_CTX_LIST)
                    d->panels.items[i].ops->search(&d->panels.items[i], &d->view, sm_trial_tensor_name(t, x), 1);
            return;
        }
    }
    say(d, "no NaN or Inf among the values read so far");
}

/* ---- actions ---- */

static bool overlay_action(struct dashboard *d, enum sm_action a)
{
    struct overlay *o = &d->overlay;
    int by = a == SM_ACT_DOWN ? 1 : a == SM_ACT_UP ? -1 : a == SM_ACT_PAGE_DOWN ? o->page : a == SM_ACT_PAGE_UP ? -o->page :
             a == SM_ACT_HALF_DOWN ? o->page / 2 : a == SM_ACT_HALF_UP ? -o->page / 2 : 0;
    if (a == SM_ACT_CLOSE || a == SM_ACT_BACK || a == SM_ACT_HELP || a == SM_ACT_UPWARDS)
        o->shown = false;
    else if (a == SM_ACT_FIRST)
        o->top = 0;
    else if (a == SM_ACT_LAST)
        o->top = SIZE_MAX / 2;
    else if (by)
        o->top = by < 0 && o->top < (size_t)-by ? 0 : o->top + (size_t)by;
    else
        return false;
    return true;
}

static void begin_input(struct dashboard *d, enum mode mode)
{
    d->mode = mode;
    sm_str_truncate(&d->input, 0);
    if (mode == FILTER)
        sm_panels_focus_filter(&d->panels);
}

static void cycle_symbols(struct dashboard *d)
{
    static const char *const names[] = {"symbols: braille", "symbols: block", "symbols: ASCII"};
    enum sm_symbols next = (enum sm_symbols)((symbols_of(d->session) + 1) % 3);
    d->session->settings.values[SM_SET_SYMBOLS].i = next + 1;
    say(d, names[next]);
}

static void save_screen(struct dashboard *d)
{
    struct sm_err err;
    if (sm_screen_save(&d->grid, "smdbg-screen.txt", &err))
        say(d, "screen saved to smdbg-screen.txt");
    else
        say(d, err.msg);
}

static void close_or_quit(struct dashboard *d)
{
    if (d->panels.zoomed) {
        d->panels.zoomed = false;
    } else if (!d->session->settings.values[SM_SET_CONFIRM].b || d->asked_quit) {
        sm_loop_stop(d->loop);
    } else {
        d->asked_quit = true;
        say(d, "Quit? q again to quit, any other key to stay.");
    }
}

static void search_again(struct dashboard *d, int direction)
{
    struct sm_panel *p = sm_panels_focused(&d->panels);
    if (d->view.search && p->ops->search && !p->ops->search(p, &d->view, d->view.search, direction))
        say(d, "not found");
}

static void suspend(struct dashboard *d)
{
    sm_screen_suspend(d->screen);
    sm_loop_raise(d->loop, SIGTSTP);     /* returns at once where no shell could continue us */
    sm_screen_resume(d->screen);
}

/* What stands under the cursor is shown by the value panel; there already, it gets all the room. */
static void open_value(struct dashboard *d)
{
    if (sm_panels_focused(&d->panels)->ops->context == SM_CTX_VALUE)
        d->panels.zoomed = !d->panels.zoomed;
    else
        sm_panels_focus_context(&d->panels, SM_CTX_VALUE);
}

static void act(struct dashboard *d, enum sm_action a)
{
    struct sm_panel *p = sm_panels_focused(&d->panels);
    switch (a) {
    case SM_ACT_HELP:
        show_help(d);
        break;
    case SM_ACT_COMMAND:
        d->mode = COMMAND;
        break;
    case SM_ACT_CLOSE:
        close_or_quit(d);
        break;
    case SM_ACT_QUIT:
        sm_loop_stop(d->loop);
        break;
    case SM_ACT_BACK:
        d->panels.zoomed = false;
        if (p->ops->filter)
            p->ops->filter(p, &d->view, "");
        break;
    case SM_ACT_NEXT_PANE:
        sm_panels_next(&d->panels, true);
        break;
    case SM_ACT_PREV_PANE:
        sm_panels_next(&d->panels, false);
        break;
    case SM_ACT_ZOOM:
        d->panels.zoomed = !d->panels.zoomed;
        break;
    case SM_ACT_SEARCH:
        begin_input(d, SEARCH);
        break;
    case SM_ACT_FILTER:
        begin_input(d, FILTER);
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
    case SM_ACT_PAUSE:
        d->view.paused = !d->view.paused;
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
        suspend(d);
        break;
    case SM_ACT_CANCEL:
        sm_exec_cancel(d->exec);
        break;
    case SM_ACT_OPEN:
        if (!p->ops->act(p, &d->view, a))
            open_value(d);
        break;
    default:
        break;
    }
}

/* ---- keys ---- */

static void drop_last_rune(struct sm_str *s)
{
    size_t n = s->len;
    while (n && ((unsigned char)s->data[n - 1] & 0xc0) == 0x80)
        n--;
    sm_str_truncate(s, n ? n - 1 : 0);
}

static void input_key(struct dashboard *d, int key)
{
    struct sm_panel *p = sm_panels_focused(&d->panels);
    char bytes[4];
    bool done = key == SM_KEY_ENTER || key == '\n', left = key == SM_KEY_ESC || key == 3;
    if (key == SM_KEY_BACKSPACE)
        drop_last_rune(&d->input);
    else if (key >= 32 && key < SM_KEY_SPECIAL)
        sm_str_addn(&d->input, bytes, sm_utf8_encode((uint32_t)key, bytes));
    if (left)
        sm_str_truncate(&d->input, 0);
    if (d->mode == FILTER && p->ops->filter)
        p->ops->filter(p, &d->view, sm_str_text(&d->input));
    if (d->mode == SEARCH && done && d->input.len) {
        sm_free(d->view.search);
        d->view.search = sm_xstrdup(sm_str_text(&d->input));
        search_again(d, 1);
    }
    if (done || left)
        d->mode = NORMAL;
}

/* Special keys as the bytes a terminal would have sent, so that ~/.inputrc works. */
static void prompt_key(struct dashboard *d, int key)
{
    static const struct {
        int key;
        const char *bytes;
    } table[] = {{SM_KEY_UP, "\033[A"}, {SM_KEY_DOWN, "\033[B"}, {SM_KEY_RIGHT, "\033[C"}, {SM_KEY_LEFT, "\033[D"}, {SM_KEY_HOME, "\033[H"},
                 {SM_KEY_END, "\033[F"}, {SM_KEY_DELETE, "\033[3~"}, {SM_KEY_BACKSPACE, "\177"}};
    char bytes[4];
    if (key == SM_KEY_ESC || key == 3) {
        sm_prompt_set("");
        d->mode = NORMAL;
        return;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].key == key) {
            for (const char *p = table[i].bytes; *p; p++)
                sm_prompt_key(*p);
            return;
        }
    if (key >= SM_KEY_SPECIAL)
        return;
    size_t n = sm_utf8_encode((uint32_t)key, bytes);
    for (size_t i = 0; i < n; i++)
        sm_prompt_key((unsigned char)bytes[i]);
}

static void normal_key(struct dashboard *d, int key)
{
    struct sm_panel *p = sm_panels_focused(&d->panels);
    bool asked = d->asked_quit;
    if (key >= '1' && key <= '9') {
        sm_panels_focus(&d->panels, (size_t)(key - '1'));
        return;
    }
    enum sm_action a = sm_keymap_find(key, p->ops->context);
    if (key == ' ' && d->overlay.shown)
        a = SM_ACT_PAGE_DOWN;
    sm_str_truncate(&d->notice, 0);
    if (d->overlay.shown && overlay_action(d, a))
        return;
    if (a != SM_ACT_NONE && !step_action(d, a) && (a == SM_ACT_OPEN || !p->ops->act(p, &d->view, a)))
        act(d, a);
    if (asked)
        d->asked_quit = false;
}

static void on_key(struct dashboard *d, int key)
{
    d->dirty = d->urgent = true;
    if (key == SM_KEY_RESIZE) {
        sm_screen_resized(d->screen);
        return;
    }
    if (d->mode == COMMAND)
        prompt_key(d, key);
    else if (d->mode == NORMAL)
        normal_key(d, key);
    else
        input_key(d, key);
}

static void on_input(void *ctx)
{
    struct dashboard *d = ctx;
    int key;
    for (int i = 0; i < PASTE_MAX && (key = sm_screen_key(d->screen)) != SM_KEY_NONE; i++)
        on_key(d, key);
}

static void on_signal(void *ctx, int signo)
{
    struct dashboard *d = ctx;
    if (signo == SIGWINCH && sm_screen_resized(d->screen))
        d->dirty = d->urgent = true;
    if (signo == SIGINT)
        sm_exec_cancel(d->exec);
    if (signo == SIGCONT) {
        sm_screen_resume(d->screen);
        d->dirty = d->urgent = true;
    }
    if (signo == SIGTSTP)
        suspend(d);
    if (signo == SIGTERM || signo == SIGHUP) {
        d->ended_by = signo;
        sm_loop_stop(d->loop);
    }
}

/* ---- key scripts: names of keys; "wait" until nothing is being read; "save FILE"; "text:..." typed, ~ for a blank ---- */

static bool is_idle(const struct dashboard *d)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    return !d->dirty && !sm_exec_waiting(d->exec) && (!t || sm_trial_scanned(t)) && sm_session_reading(d->session) == 0;
}

static void play_word(struct dashboard *d, const char *word, size_t n)
{
    struct sm_text t = {word, n};
    if (n > 5 && memcmp(word, "text:", 5) == 0) {
        for (size_t i = 5; i < n; i++)
            on_key(d, word[i] == '~' ? ' ' : (unsigned char)word[i]);
    } else if (n > 5 && memcmp(word, "save:", 5) == 0) {
        char *path = sm_xstrndup(word + 5, n - 5);
        draw(d);
        sm_screen_save(&d->grid, path, NULL);
        sm_free(path);
    } else if (!sm_text_is(t, "wait")) {
        on_key(d, sm_key_of_name(word, n));
    }
}

/* One word a turn, so that commands run in between. */
static void play(struct dashboard *d)
{
    if (!is_idle(d))
        return;
    d->keys += strspn(d->keys, " \t\n");
    size_t n = strcspn(d->keys, " \t\n");
    if (n)
        play_word(d, d->keys, n);
    else
        sm_loop_stop(d->loop);
    d->keys += n;
}

/* ---- the loop's turns ---- */

static bool is_due(const struct dashboard *d, int64_t now)
{
    if (!d->dirty || d->urgent || d->keys_text)
        return d->dirty;
    if (d->held)
        return now - d->awaited_us >= HOLD_US || !sm_session_reading(d->session);
    return now - d->last_frame_us >= d->frame_us;
}

static int64_t on_turn(void *ctx, bool changed)
{
    struct dashboard *d = ctx;
    int64_t now = sm_clock_mono_us();
    if (changed && !d->view.paused)
        d->dirty = true;
    bool ticking = sm_session_trial(d->session) && sm_trial_state(sm_session_trial(d->session)) == SM_TRIAL_LIVE && !d->keys_text;
    if (ticking && now - d->last_frame_us >= TICK_US)
        d->dirty = true;
    if (is_due(d, now)) {
        draw(d);
        if (d->dirty && !d->held)
            return now + d->frame_us;    /* the terminal was not ready */
    }
    if (d->keys_text) {
        play(d);
        if (sm_session_reading(d->session) == 0 && !sm_exec_waiting(d->exec))
            return now;                  /* the next word */
    }
    if (d->dirty)
        return d->held ? d->awaited_us + HOLD_US : d->last_frame_us + d->frame_us;
    return ticking ? d->last_frame_us + TICK_US : INT64_MAX;
}

static char *read_keys(const char *path)
{
    struct sm_str text = {0};
    char chunk[4096];
    FILE *f = fopen(path, "r");
    for (size_t n; f && (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
        sm_str_addn(&text, chunk, n);
    if (f)
        fclose(f);
    return text.data ? text.data : sm_xstrdup("");
}

static bool open_screen(struct dashboard *d, const struct sm_options *o, struct sm_err *err)
{
    struct sm_screen_options so = {
        .depth = o->color == SM_NO ? SM_COLOR_MONO : sm_screen_depth(),
        .light = d->session->settings.values[SM_SET_BACKGROUND].i == 1,
        .altscreen = d->session->settings.values[SM_SET_TUI_ALTSCREEN].b,
        .headless = o->keys != NULL, .w = o->columns ? o->columns : 80, .h = o->lines ? o->lines : 24,
    };
    return sm_screen_open(&so, &d->screen, err);
}

/* The last status line stays on the normal screen. */
static void say_goodbye(const struct dashboard *d)
{
    const struct sm_trial *t = sm_session_trial(d->session);
    struct sm_str text = {0};
    if (!t || d->keys_text)
        return;
    sm_describe_trial(&text, t, sm_clock_wall_us());
    sm_str_add(&text, ", ");
    sm_describe_contents(&text, t);
    puts(sm_str_text(&text));
    fflush(stdout);
    sm_str_clear(&text);
}

int sm_dashboard_run(struct sm_loop *l, const struct sm_options *o)
{
    static const struct sm_exec_ops ops = {.answer = on_answer, .complain = on_complaint, .shell = on_shell};
    struct dashboard d = {.loop = l, .session = sm_loop_session(l), .dirty = true, .urgent = true};
    struct sm_err err;
    d.view.session = d.session;
    d.view.glyphs = sm_glyphs(symbols_of(d.session));
    d.frame_us = getenv("SSH_CONNECTION") ? FRAME_SSH_US : FRAME_LOCAL_US;
    if (!open_screen(&d, o, &err)) {
        fprintf(stderr, "%s\n", err.msg);
        return sm_repl_run(l, o);
    }
    if (o->keys)
        d.keys = d.keys_text = read_keys(o->keys);
    d.exec = sm_exec_new(d.session, &ops, &d);
    sm_loop_set_exec(l, d.exec);
    d.session->at.tensor = SM_NAME_NONE;
    d.session->at.follow = true;
    sm_panels_init(&d.panels, sm_panel_table, &d.view);
    sm_lineedit_init(d.session);
    sm_prompt_open(on_line, &d);
    struct sm_loop_source input = {.fd = sm_screen_fd(d.screen), .ready = on_input, .ctx = &d};
    if (input.fd >= 0)
        sm_loop_add(l, &input);
    sm_loop_on_turn(l, on_turn, &d);
    sm_loop_on_signal(l, on_signal, &d);
    sm_screen_resized(d.screen);         /* it may have changed before we listened */
    sm_startup(l, d.exec, o);
    sm_loop_run(l);
    if (input.fd >= 0)
        sm_loop_remove(l, input.fd);
    sm_prompt_close();
    sm_screen_close(d.screen);
    say_goodbye(&d);
    if (!d.keys_text)
        sm_lineedit_save(d.session);
    if (d.ended_by)
        sm_loop_raise(l, d.ended_by);
    int status = sm_exec_quit(d.exec) ? sm_exec_status(d.exec) : 0;
    sm_loop_set_exec(l, NULL);
    sm_exec_free(d.exec);
    sm_panels_clear(&d.panels);
    sm_grid_clear(&d.grid);
    sm_str_clear(&d.overlay.text);
    sm_str_clear(&d.input);
    sm_str_clear(&d.notice);
    sm_free(d.overlay.title);
    sm_free(d.view.search);
    sm_free(d.keys_text);
    return status;
}
