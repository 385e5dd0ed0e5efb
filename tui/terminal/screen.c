/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/screen.h"

#include "reader/base/mem.h"
#include "tui/terminal/mouse_report.h"
#include "tui/terminal/restore.h"
#include "tui/terminal/screen_copy.h"
#include "tui/terminal/screen_keys.h"
#include "tui/terminal/term_writer.h"
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <term.h>

struct sm_screen {
    struct sm_screen_options options;
    SCREEN *term;
    struct sm_term_writer writer;
    WINDOW *keys;         /* a pad: reading a key from a window would refresh it */
    struct sm_grid shown; /* the last frame */
    short pairs[SM_ROLE_COUNT];
    short *pair_cache; /* colour pairs by foreground and background, 257 x 257; 0: not created yet
                        */
    int n_pairs;
    bool full; /* 256 colours: two of them in a cell */
    bool all;  /* draw every cell again */
    bool mouse;
    bool mouse_again;              /* after curses has asked for its reports again */
    bool reads_report, has_report; /* has_report: the last key is one */
    struct sm_mouse_report report;
    struct sm_mouse reported;
};

enum { DRAIN_MS = 1000 }; /* how long to wait for a terminal that accepts no output */

/* ---- bracketed paste, if the terminal's description has it ---- */

static void send_capability(struct sm_screen *s, const char *capability)
{
    char *text = tigetstr(capability);
    if (text && text != (char *)-1)
        sm_term_writer_add(&s->writer, text);
}

static void define_capability_key(const char *capability, int key)
{
    char *text = tigetstr(capability);
    if (text && text != (char *)-1)
        define_key(text, key);
}

/* Asks the terminal whether it has synchronized output (DEC 2026). Its answer arrives as a key of
 * curses at any later time. Terminals that would print the request are not asked. */
static void ask_for_whole_frames(struct sm_screen *s)
{
    static const char *const silent[] = {"linux", "vt", "screen", "cons", "sun"};
    const char *term = getenv("TERM");
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (!term || strncmp(term, silent[i], strlen(silent[i])) == 0)
            return;
    define_key("\033[?2026;0$y", KEY_NO_WHOLE_FRAMES);
    define_key("\033[?2026;1$y", KEY_WHOLE_FRAMES);
    define_key("\033[?2026;2$y", KEY_WHOLE_FRAMES);
    define_key("\033[?2026;3$y", KEY_WHOLE_FRAMES);
    define_key("\033[?2026;4$y", KEY_NO_WHOLE_FRAMES);
    sm_term_writer_add(&s->writer, "\033[?2026$p");
}

static void begin_pastes(struct sm_screen *s)
{
    send_capability(s, "BE");
    define_capability_key("PS", KEY_PASTE_BEGIN);
    define_capability_key("PE", KEY_PASTE_END);
}

/* ---- open, close ---- */

static short number_of(const struct sm_screen *s, enum sm_role role) /* -1: the terminal's own */
{
    const struct sm_color c = sm_color_of(role, s->options.light);
    return c.is_default ? (short)-1 : s->full ? c.c256 : (short)(COLORS >= 16 ? c.c16 : c.c16 % 8);
}

static void init_colors(struct sm_screen *s)
{
    if (s->options.depth == SM_COLOR_MONO || !has_colors())
        return;
    start_color();
    use_default_colors();
    s->full = COLORS >= 256 && s->options.depth >= SM_COLOR_256;
    for (int role = 0; role < SM_ROLE_COUNT && role + 1 < COLOR_PAIRS; role++) {
        short color = number_of(s, (enum sm_role)role);
        s->pairs[role] = color < 0 ? (short)0 : (short)(role + 1);
        if (color >= 0)
            init_pair(s->pairs[role], color, -1);
    }
    s->n_pairs = SM_ROLE_COUNT + 1;
    sm_free(s->pair_cache);
    s->pair_cache = NULL;
}

static void init_keys(struct sm_screen *s)
{
    struct termios t;
    set_term(s->term);
    raw();
    noecho();
    nonl();
    keypad(s->keys, TRUE);
    nodelay(s->keys, TRUE);
    set_escdelay(25);
    meta(s->keys, TRUE);
    leaveok(stdscr, FALSE);
    if (tcgetattr(STDIN_FILENO, &t) == 0) {
        t.c_iflag &= ~(tcflag_t)IXON;
        tcsetattr(STDIN_FILENO, TCSANOW, &t);
    }
    begin_pastes(s);
    define_key(SM_MOUSE_REPORT_BEGIN, KEY_MOUSE_REPORT);
}

bool sm_screen_open(const struct sm_screen_options *o, struct sm_screen **out, struct sm_err *err)
{
    struct sm_screen *s = sm_xalloc_zero(1, sizeof *s);
    s->options = *o;
    if (!o->headless) {
        sm_restore_remember();
        if (!sm_term_writer_open(&s->writer, err)) {
            sm_free(s);
            return false;
        }
        s->term = newterm(NULL, s->writer.file, stdin);
        if (!s->term) {
            sm_term_writer_close(&s->writer);
            sm_free(s);
            const char *term = getenv("TERM");
            return sm_err_set(err, SM_ERR_IO, "the terminal \"%s\" cannot show the dashboard",
                              term ? term : "");
        }
        sm_restore_screen(true, o->altscreen);
        s->keys = newpad(1, 1);
        init_keys(s);
        init_colors(s);
        ask_for_whole_frames(s);
        s->options.w = COLS;
        s->options.h = LINES;
    }
    s->all = true;
    *out = s;
    return true;
}

/* Beside what curses asks for, which are clicks only, and in the form of the terminal's
 * description.
 */
static void report_mouse(struct sm_screen *s, bool on)
{
    sm_term_writer_add(&s->writer, on ? SM_MOUSE_REPORT_ON : SM_MOUSE_REPORT_OFF);
}

/* Restores the terminal. Returns false if it accepts no output. */
static bool leave_curses(struct sm_screen *s)
{
    if (s->mouse)
        report_mouse(s, false);
    bool taken = sm_term_writer_drain(&s->writer, DRAIN_MS);
    send_capability(s, "BD");
    sm_term_writer_begin(&s->writer);
    endwin();
    sm_term_writer_end(&s->writer, false);
    sm_restore_mode(true); /* endwin wrote to memory, it could not do that */
    sm_restore_screen(false, false);
    return sm_term_writer_drain(&s->writer, taken ? DRAIN_MS : 0);
}

bool sm_screen_close(struct sm_screen *s)
{
    bool taken = true;
    if (s->term) {
        taken = leave_curses(s);
        delwin(s->keys);
        delscreen(s->term);
        sm_term_writer_close(&s->writer);
    }
    sm_free(s->pair_cache);
    sm_grid_clear(&s->shown);
    sm_free(s);
    return taken;
}

void sm_screen_size(const struct sm_screen *s, int *w, int *h)
{
    *w = s->options.w;
    *h = s->options.h;
}

bool sm_screen_resized(struct sm_screen *s)
{
    int w, h;
    sm_terminal_measure(&w, &h);
    if (!s->term || !w || !h || (w == s->options.w && h == s->options.h))
        return false;
    resizeterm(h, w);
    s->options.w = w;
    s->options.h = h;
    s->all = true;
    return true;
}

int sm_screen_fd(const struct sm_screen *s)
{
    return s->term ? STDIN_FILENO : -1;
}

bool sm_screen_lost(const struct sm_screen *s)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    return s->term && poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* ---- keys ---- */

/* Reads on in a report of the mouse, of which the rest may come later. Returns the next key, which
 * is that of the mouse if it is whole. */
static int read_report(struct sm_screen *s, wint_t *c)
{
    int kind = wget_wch(s->keys, c);
    while (kind == OK && s->reads_report) {
        enum sm_mouse_reading got = sm_mouse_report_add(&s->report, (int)*c, &s->reported);
        s->reads_report = got == SM_MOUSE_READS_ON;
        s->has_report = got == SM_MOUSE_READ;
        if (s->has_report) {
            *c = KEY_MOUSE;
            return KEY_CODE_YES;
        }
        kind = wget_wch(s->keys, c);
    }
    s->reads_report = kind == ERR && s->reads_report;
    return kind;
}

/* Takes what is no key of the user. */
static int read_key(struct sm_screen *s, wint_t *c)
{
    int kind = s->reads_report ? read_report(s, c) : wget_wch(s->keys, c);
    while (kind == KEY_CODE_YES &&
           (*c == KEY_WHOLE_FRAMES || *c == KEY_NO_WHOLE_FRAMES || *c == KEY_MOUSE_REPORT)) {
        if (*c == KEY_MOUSE_REPORT) {
            s->reads_report = true;
            s->report.n = 0;
            kind = read_report(s, c);
            continue;
        }
        s->writer.synchronized = *c == KEY_WHOLE_FRAMES;
        kind = wget_wch(s->keys, c);
    }
    return kind;
}

int sm_screen_key(struct sm_screen *s)
{
    wint_t c;
    if (!s->term)
        return SM_KEY_NONE;
    s->has_report = false;
    int kind = read_key(s, &c);
    if (kind == ERR)
        return SM_KEY_NONE;
    if (kind == KEY_CODE_YES)
        return sm_screen_key_of(c);
    if (c == '\n')
        return SM_KEY_ENTER;
    return c == 8 ? SM_KEY_BACKSPACE : (int)c;
}

/* ---- the mouse ---- */

void sm_screen_mouse(struct sm_screen *s, bool on)
{
    if (!s->term || s->mouse == on)
        return;
    s->mouse = on;
    mouseinterval(0); /* report a click at once */
    sm_term_writer_begin(&s->writer);
    mmask_t all = BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED |
                  REPORT_MOUSE_POSITION;
    bool has_mouse = mousemask(on ? all : 0, NULL);
    sm_term_writer_end(&s->writer, false);
    if (has_mouse || !on)
        report_mouse(s, on);
}

void sm_screen_mouse_event(struct sm_screen *s, struct sm_mouse *out)
{
    MEVENT e;
    *out = s->has_report ? s->reported : (struct sm_mouse){.kind = SM_MOUSE_OTHER};
    if (s->has_report || !s->term || getmouse(&e) != OK)
        return;
    out->x = e.x;
    out->y = e.y;
    out->kind = e.bstate & BUTTON1_PRESSED         ? SM_MOUSE_CLICK
                : e.bstate & BUTTON1_RELEASED      ? SM_MOUSE_RELEASE
                : e.bstate & BUTTON4_PRESSED       ? SM_MOUSE_WHEEL_UP
                : e.bstate & BUTTON5_PRESSED       ? SM_MOUSE_WHEEL_DOWN
                : e.bstate & REPORT_MOUSE_POSITION ? SM_MOUSE_MOVE
                                                   : SM_MOUSE_OTHER;
}

/* ---- frames ---- */

static attr_t attr_of(const struct sm_screen *s, const struct sm_cell *c)
{
    unsigned a = c->attr;
    if (s->options.depth == SM_COLOR_MONO)
        a |= sm_color_of((enum sm_role)c->role, s->options.light).attr;
    return (a & SM_ATTR_BOLD ? A_BOLD : 0) | (a & SM_ATTR_REVERSE ? A_REVERSE : 0) |
           (a & SM_ATTR_UNDERLINE ? A_UNDERLINE : 0);
}

/* Created on first use; 0 if the terminal has no more pairs. */
static short pair_of(struct sm_screen *s, enum sm_role fg, enum sm_role bg)
{
    short f = number_of(s, fg), b = number_of(s, bg);
    if (!s->pair_cache)
        s->pair_cache = sm_xalloc_zero((size_t)257 * 257, sizeof *s->pair_cache);
    short *pair = &s->pair_cache[(size_t)(f + 1) * 257 + (size_t)(b + 1)];
    if (!*pair && s->n_pairs < COLOR_PAIRS && s->n_pairs < SHRT_MAX &&
        init_pair((short)s->n_pairs, f, b) == OK)
        *pair = (short)s->n_pairs++;
    return *pair;
}

/* Draws two pixels of a picture if the terminal has the colours, else the rune that replaces both.
 * Also draws colours that the user defined. */
static void put_cell(struct sm_screen *s, int x, int y, const struct sm_cell *shown)
{
    bool two = shown->back && s->full, own = shown->role >= SM_ROLE_COUNT && s->n_pairs;
    short pair = two || own ? pair_of(s, (enum sm_role)shown->role,
                                      two ? (enum sm_role)shown->back : SM_ROLE_TEXT)
                            : (short)0;
    const struct sm_cell c = two && pair ? *shown : sm_cell_plain(shown);
    wchar_t text[3] = {(wchar_t)(c.rune ? c.rune : ' '), (wchar_t)c.mark, 0};
    cchar_t cell;
    if (!pair && c.role < SM_ROLE_COUNT)
        pair = s->pairs[c.role];
    if (setcchar(&cell, text, attr_of(s, &c), pair, NULL) == OK)
        mvadd_wch(y, x, &cell);
}

static bool same_cell(const struct sm_cell *a, const struct sm_cell *b)
{
    return a->rune == b->rune && a->mark == b->mark && a->role == b->role && a->attr == b->attr &&
           a->back == b->back && a->plain == b->plain;
}

static void put_changes(struct sm_screen *s, const struct sm_grid *g)
{
    for (int y = 0; y < g->h; y++)
        for (int x = 0; x < g->w; x++) {
            const struct sm_cell *c = &g->cells[y * g->w + x];
            struct sm_cell *old = &s->shown.cells[y * g->w + x];
            if (!s->all && same_cell(c, old))
                continue;
            *old = *c;
            if (s->term && (c->rune || !x))
                put_cell(s, x, y, c);
        }
}

bool sm_screen_show(struct sm_screen *s, const struct sm_grid *g, int cursor_x, int cursor_y)
{
    if (s->term && !sm_term_writer_ready(&s->writer))
        return false;
    if (s->shown.w != g->w || s->shown.h != g->h) {
        sm_grid_resize(&s->shown, g->w, g->h);
        s->all = true;
    }
    put_changes(s, g);
    if (!s->term)
        return true;
    if (s->all)
        clearok(stdscr, TRUE);
    s->all = false;
    sm_term_writer_begin(&s->writer);
    curs_set(cursor_x >= 0);
    if (cursor_x >= 0)
        move(cursor_y, cursor_x < g->w ? cursor_x : g->w - 1);
    refresh();
    sm_term_writer_end(&s->writer, true);
    if (s->mouse_again)
        report_mouse(s, true);
    s->mouse_again = false;
    sm_term_writer_flush(&s->writer);
    return true;
}

int sm_screen_unsent(const struct sm_screen *s)
{
    return s->term && s->writer.pending.len ? s->writer.tty : -1;
}

void sm_screen_send(struct sm_screen *s)
{
    sm_term_writer_flush(&s->writer);
}

bool sm_screen_copy(struct sm_screen *s, const char *text, size_t n)
{
    return s->term && sm_copy_sequence(text, n, &s->writer.pending);
}

void sm_screen_say(struct sm_screen *s, const char *sequence)
{
    if (s->term)
        sm_term_writer_add(&s->writer, sequence);
}

void sm_screen_bell(struct sm_screen *s)
{
    if (s->term && !s->writer.pending.len)
        sm_term_writer_add(&s->writer, "\a");
}

void sm_screen_configure(struct sm_screen *s, bool light, bool altscreen)
{
    if (!s->term || (light == s->options.light && altscreen == s->options.altscreen))
        return;
    bool other_screen = altscreen != s->options.altscreen;
    if (other_screen && !leave_curses(s) && s->options.altscreen)
        send_capability(s, "rmcup"); /* the terminal did not take it; later no other part has it */
    s->options.light = light;
    s->options.altscreen = altscreen;
    s->writer.unwanted[0] = altscreen ? NULL : enter_ca_mode; /* curses keeps its own copies */
    s->writer.unwanted[1] = altscreen ? NULL : exit_ca_mode;
    init_colors(s);
    if (other_screen)
        sm_screen_resume(s);
    s->all = true;
}

void sm_screen_redraw(struct sm_screen *s)
{
    s->all = true;
}

void sm_screen_suspend(struct sm_screen *s)
{
    if (!s->term)
        return;
    leave_curses(s);
    sm_restore_mode(false);
}

void sm_screen_resume(struct sm_screen *s)
{
    if (!s->term)
        return;
    reset_prog_mode();
    init_keys(s);
    sm_restore_screen(true, s->options.altscreen);
    s->all = true;
    s->mouse_again = s->mouse;
    sm_screen_resized(s);
}
