#include "tui/screen.h"

#include "reader/base/mem.h"
#include "tui/terminal.h"

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

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

struct sm_screen {
    struct sm_screen_options options;
    SCREEN *term;
    struct sm_grid shown;                /* the last frame */
    short pairs[SM_ROLE_COUNT];
    short *doubles;                      /* pairs of two colours of the 256: front * 256 + back; 0: not made yet */
    int n_pairs;
    bool all;                            /* draw every cell again */
    bool mouse;
};

static struct termios saved_termios;
static bool have_termios, in_curses, alternate;

/* ---- what the terminal can do ---- */

enum sm_color_depth sm_screen_depth(void)
{
    const char *no = getenv("NO_COLOR"), *true_color = getenv("COLORTERM"), *term = getenv("TERM");
    if ((no && *no) || !term || strcmp(term, "dumb") == 0 || strncmp(term, "vt", 2) == 0)
        return SM_COLOR_MONO;
    if (true_color && (strcmp(true_color, "truecolor") == 0 || strcmp(true_color, "24bit") == 0) && strncmp(term, "screen", 6) != 0)
        return SM_COLOR_TRUE;
    if (strstr(term, "256") || strncmp(term, "tmux", 4) == 0)
        return SM_COLOR_256;
    return SM_COLOR_16;
}

/* ---- a crash must leave a usable terminal: only async-signal-safe calls ---- */

static void restore_raw(void)
{
    static const char leave[] = "\033[?1049l", plain[] = "\033[0m\033[?25h\033[?2004l\033[?1000l\033[?1006l\r\n";
    ssize_t ignored = 0;
    if (alternate)
        ignored = write(STDOUT_FILENO, leave, sizeof leave - 1);
    ignored = write(STDOUT_FILENO, plain, sizeof plain - 1);
    (void)ignored;
    if (have_termios)
        tcsetattr(STDIN_FILENO, TCSANOW, &saved_termios);
}

static void on_crash(int signo)
{
    if (in_curses)
        restore_raw();
    signal(signo, SIG_DFL);
    raise(signo);
}

static void catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction a = {.sa_handler = on_crash};
        sigaction(signals[i], &a, NULL);
    }
}

/* ---- bracketed paste: told apart from keys where the terminal's description says how ---- */

enum { KEY_PASTE_BEGIN = KEY_MAX + 1, KEY_PASTE_END };

static void send(const char *capability)
{
    char *text = tigetstr(capability);
    if (text && text != (char *)-1)
        putp(text);
    fflush(stdout);
}

static void define(const char *capability, int key)
{
    char *text = tigetstr(capability);
    if (text && text != (char *)-1)
        define_key(text, key);
}

static void begin_pastes(void)
{
    send("BE");
    define("PS", KEY_PASTE_BEGIN);
    define("PE", KEY_PASTE_END);
}

/* ---- open, close ---- */

static void init_colors(struct sm_screen *s)
{
    if (s->options.depth == SM_COLOR_MONO || !has_colors())
        return;
    start_color();
    use_default_colors();
    for (int role = 0; role < SM_ROLE_COUNT && role + 1 < COLOR_PAIRS; role++) {
        const struct sm_color c = sm_color_of((enum sm_role)role, s->options.light);
        if (c.is_default)
            continue;
        short color = COLORS >= 256 && s->options.depth >= SM_COLOR_256 ? c.c256 : (short)(COLORS >= 16 ? c.c16 : c.c16 % 8);
        s->pairs[role] = (short)(role + 1);
        init_pair(s->pairs[role], color, -1);
    }
    if (COLORS >= 256 && s->options.depth >= SM_COLOR_256)
        s->n_pairs = SM_ROLE_COUNT + 1;
}

static void init_keys(struct sm_screen *s)
{
    struct termios t;
    set_term(s->term);
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    meta(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    if (tcgetattr(STDIN_FILENO, &t) == 0) {
        t.c_iflag &= ~(tcflag_t)IXON;
        tcsetattr(STDIN_FILENO, TCSANOW, &t);
    }
    begin_pastes();
}

bool sm_screen_open(const struct sm_screen_options *o, struct sm_screen **out, struct sm_err *err)
{
    struct sm_screen *s = sm_xalloc_zero(1, sizeof *s);
    s->options = *o;
    if (!o->headless) {
        have_termios = tcgetattr(STDIN_FILENO, &saved_termios) == 0;
        s->term = newterm(NULL, stdout, stdin);
        if (!s->term) {
            sm_free(s);
            const char *term = getenv("TERM");
            return sm_err_set(err, SM_ERR_IO, "the terminal \"%s\" cannot show the dashboard", term ? term : "");
        }
        in_curses = true;
        alternate = o->altscreen;
        catch_crashes();
        init_keys(s);
        init_colors(s);
        s->options.w = COLS;
        s->options.h = LINES;
    }
    s->all = true;
    *out = s;
    return true;
}

void sm_screen_close(struct sm_screen *s)
{
    if (!s)
        return;
    if (s->term) {
        send("BD");
        endwin();
        delscreen(s->term);
        in_curses = false;
    }
    sm_free(s->doubles);
    sm_grid_clear(&s->shown);
    sm_free(s);
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

/* ---- keys ---- */

static int translate(wint_t c)
{
    static const struct {
        int curses, key;
    } table[] = {
        {KEY_UP, SM_KEY_UP}, {KEY_DOWN, SM_KEY_DOWN}, {KEY_LEFT, SM_KEY_LEFT}, {KEY_RIGHT, SM_KEY_RIGHT}, {KEY_HOME, SM_KEY_HOME},
        {KEY_END, SM_KEY_END}, {KEY_PPAGE, SM_KEY_PGUP}, {KEY_NPAGE, SM_KEY_PGDN}, {KEY_BTAB, SM_KEY_BACKTAB}, {KEY_DC, SM_KEY_DELETE},
        {KEY_IC, SM_KEY_INSERT}, {KEY_BACKSPACE, SM_KEY_BACKSPACE}, {KEY_ENTER, SM_KEY_ENTER}, {KEY_RESIZE, SM_KEY_RESIZE},
        {KEY_PASTE_BEGIN, SM_KEY_PASTE_BEGIN}, {KEY_PASTE_END, SM_KEY_PASTE_END}, {KEY_MOUSE, SM_KEY_MOUSE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((int)c == table[i].curses)
            return table[i].key;
    if ((int)c >= KEY_F(1) && (int)c <= KEY_F(12))
        return SM_KEY_F1 + (int)c - KEY_F(1);
    return SM_KEY_SPECIAL;
}

int sm_screen_key(struct sm_screen *s)
{
    wint_t c;
    if (!s->term)
        return SM_KEY_NONE;
    int kind = get_wch(&c);
    if (kind == ERR)
        return SM_KEY_NONE;
    if (kind == KEY_CODE_YES)
        return translate(c);
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
    mouseinterval(0);                    /* a click is told at once */
    mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
}

void sm_screen_mouse_event(struct sm_screen *s, struct sm_mouse *out)
{
    MEVENT e;
    *out = (struct sm_mouse){.kind = SM_MOUSE_OTHER};
    if (!s->term || getmouse(&e) != OK)
        return;
    out->x = e.x;
    out->y = e.y;
    out->kind = e.bstate & BUTTON1_PRESSED ? SM_MOUSE_CLICK : e.bstate & BUTTON4_PRESSED ? SM_MOUSE_WHEEL_UP : e.bstate & BUTTON5_PRESSED ? SM_MOUSE_WHEEL_DOWN : SM_MOUSE_OTHER;
}

/* ---- frames ---- */

static attr_t attr_of(const struct sm_screen *s, const struct sm_cell *c)
{
    unsigned a = c->attr;
    if (s->options.depth == SM_COLOR_MONO)
        a |= sm_color_of((enum sm_role)c->role, s->options.light).attr;
    return (a & SM_ATTR_BOLD ? A_BOLD : 0) | (a & SM_ATTR_REVERSE ? A_REVERSE : 0) | (a & SM_ATTR_UNDERLINE ? A_UNDERLINE : 0);
}

/* Made when it is first needed; 0: the terminal has no room for more. */
static short pair_of(struct sm_screen *s, enum sm_role front, enum sm_role back)
{
    short f = sm_color_of(front, s->options.light).c256, b = sm_color_of(back, s->options.light).c256;
    if (!s->doubles)
        s->doubles = sm_xalloc_zero(256 * 256, sizeof *s->doubles);
    short *pair = &s->doubles[f * 256 + b];
    if (!*pair && s->n_pairs < COLOR_PAIRS && s->n_pairs < SHRT_MAX && init_pair((short)s->n_pairs, f, b) == OK)
        *pair = (short)s->n_pairs++;
    return *pair;
}

/* Two pixels of a picture where the terminal has the colours, else the rune that stands for both. */
static void put_cell(struct sm_screen *s, int x, int y, const struct sm_cell *shown)
{
    short pair = shown->back && s->n_pairs ? pair_of(s, (enum sm_role)shown->role, (enum sm_role)shown->back) : (short)0;
    const struct sm_cell c = pair ? *shown : sm_cell_plain(shown);
    wchar_t text[3] = {(wchar_t)(c.rune ? c.rune : ' '), (wchar_t)c.mark, 0};
    cchar_t cell;
    if (!pair && c.role < SM_ROLE_COUNT)
        pair = s->pairs[c.role];
    if (setcchar(&cell, text, attr_of(s, &c), pair, NULL) == OK)
        mvadd_wch(y, x, &cell);
}

static bool same(const struct sm_cell *a, const struct sm_cell *b)
{
    return a->rune == b->rune && a->mark == b->mark && a->role == b->role && a->attr == b->attr && a->back == b->back && a->plain == b->plain;
}

static bool writable(void)
{
    struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&p, 1, 0) != 0;
}

bool sm_screen_show(struct sm_screen *s, const struct sm_grid *g, int cursor_x, int cursor_y)
{
    if (s->term && !writable())
        return false;
    if (s->shown.w != g->w || s->shown.h != g->h) {
        sm_grid_resize(&s->shown, g->w, g->h);
        s->all = true;
    }
    for (int y = 0; y < g->h; y++)
        for (int x = 0; x < g->w; x++) {
            const struct sm_cell *c = &g->cells[y * g->w + x];
            struct sm_cell *old = &s->shown.cells[y * g->w + x];
            if (!s->all && same(c, old))
                continue;
            *old = *c;
            if (s->term && (c->rune || !x))
                put_cell(s, x, y, c);
        }
    if (!s->term)
        return true;
    if (s->all)
        clearok(stdscr, TRUE);
    s->all = false;
    curs_set(cursor_x >= 0);
    if (cursor_x >= 0)
        move(cursor_y, cursor_x < g->w ? cursor_x : g->w - 1);
    refresh();
    return true;
}

void sm_screen_redraw(struct sm_screen *s)
{
    s->all = true;
}

void sm_screen_suspend(struct sm_screen *s)
{
    if (!s->term)
        return;
    send("BD");
    endwin();
    in_curses = false;
}

void sm_screen_resume(struct sm_screen *s)
{
    if (!s->term)
        return;
    init_keys(s);
    in_curses = true;
    s->all = true;
    sm_screen_resized(s);
}

static bool ends_in(const char *path, const char *suffix)
{
    size_t n = strlen(path), s = strlen(suffix);
    return n > s && strcmp(path + n - s, suffix) == 0;
}

bool sm_screen_save(const struct sm_grid *g, const char *path, struct sm_err *err)
{
    struct sm_str text = {0};
    if (ends_in(path, ".svg"))
        sm_print_svg(g, false, &text);
    else if (ends_in(path, ".ansi"))
        sm_print_ansi(g, SM_COLOR_256, false, &text);
    else
        sm_print_plain(g, &text);
    FILE *f = fopen(path, "w");
    bool ok = f && fwrite(sm_str_text(&text), 1, text.len, f) == text.len;
    if (!ok)
        sm_err_errno(err, "%s", path);
    if (f)
        fclose(f);
    sm_str_clear(&text);
    return ok;
}
