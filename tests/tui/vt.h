/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a terminal that curses uses under TERM=xterm-256color: what the bytes of a
 * pseudo-terminal leave on the screen. What it does not know it counts, so that a test can say that
 * nothing was overlooked. */
#ifndef SM_TEST_VT_H
#define SM_TEST_VT_H

#include "tests/tui/pty.h"

#include <sys/ioctl.h>

enum { VT_W = 512, VT_H = 208, VT_ARGS = 16 };
enum {
    VT_BOLD = 1u << 20,
    VT_UNDERLINE = 1u << 21,
    VT_REVERSE = 1u << 22,
    VT_BACK = 1u << 10
}; /* below: 1 + colour, 0: default */

struct vt_cell {
    uint32_t rune, style;
};

struct vt {
    int w, h, x, y, top, bottom;    /* top, bottom: the rows that scroll */
    bool behind;                    /* the cursor stands behind the last column */
    bool alternate, hidden, pastes; /* the alternate screen; the cursor; pastes are marked */
    size_t taken;                   /* bytes of the output so far */
    size_t colors, odd;             /* colours set; bytes that are not ASCII */
    char unknown[64];               /* the first sequence not known */
    uint32_t last, style;           /* the rune written last; how the next one will look */
    struct vt_cell cells[VT_H][VT_W];
};

/* The cursor stays on the screen: what was written for the old size may still come. */
static inline void vt_resize(struct vt *v, int w, int h)
{
    v->w = w;
    v->h = h;
    v->top = 0;
    v->bottom = h - 1;
    v->behind = v->behind && v->x < w;
    v->x = v->x < w ? v->x : w - 1;
    v->y = v->y < h ? v->y : h - 1;
}

static inline void vt_blank(struct vt *v, int x0, int y0, int x1, int y1)
{
    const struct vt_cell blank = {' ', v->style / VT_BACK % VT_BACK * VT_BACK};
    for (int y = y0; y < y1 && y < v->h; y++)
        for (int x = x0; x < x1 && x < v->w; x++)
            v->cells[y][x] = blank;
}

static inline int vt_clamp(int n, int limit)
{
    return n < 0 ? 0 : n < limit ? n : limit - 1;
}

static inline void vt_move(struct vt *v, int x, int y)
{
    v->x = vt_clamp(x, v->w);
    v->y = vt_clamp(y, v->h);
    v->behind = false;
}

/* Rows from `from` to the bottom of the scrolling ones move up by n; n < 0: down. */
static inline void vt_scroll(struct vt *v, int from, int n)
{
    int count = n < 0 ? -n : n, rows = v->bottom - from + 1 - count;
    if (from > v->bottom)
        return;
    if (rows < 0)
        rows = 0, count = v->bottom - from + 1;
    memmove(v->cells[from + (n < 0 ? count : 0)], v->cells[from + (n < 0 ? 0 : count)],
            (size_t)rows * sizeof v->cells[0]);
    int blank = n < 0 ? from : v->bottom + 1 - count;
    vt_blank(v, 0, blank, VT_W, blank + count);
}

static inline void vt_line_feed(struct vt *v)
{
    if (v->y == v->bottom)
        vt_scroll(v, v->top, 1);
    else
        vt_move(v, v->x, v->y + 1);
}

static inline void vt_put(struct vt *v, uint32_t rune)
{
    if (v->behind) {
        v->x = 0;
        vt_line_feed(v);
    }
    v->last = rune;
    v->cells[v->y][v->x] = (struct vt_cell){rune, v->style};
    v->behind = v->x == v->w - 1;
    v->x += !v->behind;
}

static inline void vt_mode(struct vt *v, int mode, bool on)
{
    if (mode == 1049)
        v->alternate = on;
    if (mode == 2004)
        v->pastes = on;
    if (mode == 25)
        v->hidden = !on;
}

static inline void vt_shift(struct vt *v, int n) /* the rest of the row, to the left; n < 0: to the
                                                    right */
{
    struct vt_cell *row = v->cells[v->y];
    const struct vt_cell blank = {' ', 0};
    for (; n > 0; n--) {
        memmove(row + v->x, row + v->x + 1, (size_t)(v->w - v->x - 1) * sizeof *row);
        row[v->w - 1] = blank;
    }
    for (; n < 0; n++) {
        memmove(row + v->x + 1, row + v->x, (size_t)(v->w - v->x - 1) * sizeof *row);
        row[v->x] = blank;
    }
}

static inline void vt_erase(struct vt *v, char what, int how)
{
    if (what == 'J' && how != 1)
        vt_blank(v, 0, how == 2 ? 0 : v->y + 1, VT_W, VT_H);
    vt_blank(v, how == 0 ? v->x : 0, v->y, how == 1 ? v->x + 1 : VT_W, v->y + 1);
    if (what == 'J' && how == 1)
        vt_blank(v, 0, 0, VT_W, v->y);
}

static inline void vt_color(struct vt *v, bool back, int color) /* -1: the default */
{
    unsigned shift = back ? VT_BACK : 1;
    v->style = v->style - v->style / shift % VT_BACK * shift + (unsigned)(color + 1) * shift;
    v->colors += color >= 0;
}

static inline void vt_attribute(struct vt *v, unsigned bit, bool on)
{
    v->style = on ? v->style | bit : v->style & ~bit;
}

static inline void vt_style(struct vt *v, const int *arg, int n)
{
    for (int i = 0; i < n; i++) {
        int a = arg[i], kind = a / 10, color = a % 10;
        if (a == 0)
            v->style = 0;
        else if (a < 30)
            vt_attribute(v,
                         color == 1 || a == 22 ? VT_BOLD
                         : color == 4          ? VT_UNDERLINE
                         : color == 7          ? VT_REVERSE
                                               : 0,
                         a < 10);
        else if (color == 8 && i + 2 < n)
            vt_color(v, kind == 4, arg[i += 2]);
        else if (kind == 3 || kind == 4)
            vt_color(v, kind == 4, color == 9 ? -1 : color);
        else
            vt_color(v, kind == 10, color + 8);
    }
}

static inline void vt_control(struct vt *v, const char *text, size_t length)
{
    int arg[VT_ARGS] = {0}, n = 0;
    bool private = text[0] == '?';
    for (const char *p = text + private; n < VT_ARGS; p++) {
        arg[n++] = (int)strtol(p, NULL, 10);
        if (!(p = memchr(p, ';', (size_t)(text + length - p))))
            break;
    }
    int one = arg[0] ? arg[0] : 1;
    char what = text[length - 1];
    switch (what) {
    case 'A':
        vt_move(v, v->x, v->y - one);
        break;
    case 'B':
        vt_move(v, v->x, v->y + one);
        break;
    case 'C':
        vt_move(v, v->x + one, v->y);
        break;
    case 'D':
        vt_move(v, v->x - one, v->y);
        break;
    case 'G':
        vt_move(v, one - 1, v->y);
        break;
    case 'd':
        vt_move(v, v->x, one - 1);
        break;
    case 'H':
        vt_move(v, arg[1] ? arg[1] - 1 : 0, one - 1);
        break;
    case 'J':
    case 'K':
        vt_erase(v, what, arg[0]);
        break;
    case 'X':
        vt_blank(v, v->x, v->y, v->x + one, v->y + 1);
        break;
    case 'P':
        vt_shift(v, one);
        break;
    case '@':
        vt_shift(v, -one);
        break;
    case 'L':
        vt_scroll(v, v->y, -one);
        break;
    case 'M':
        vt_scroll(v, v->y, one);
        break;
    case 'S':
        vt_scroll(v, v->top, one);
        break;
    case 'T':
        vt_scroll(v, v->top, -one);
        break;
    case 'b':
        while (one-- > 0)
            vt_put(v, v->last);
        break;
    case 'r':
        v->top = vt_clamp(one - 1, v->h);
        v->bottom = vt_clamp(arg[1] ? arg[1] - 1 : v->h - 1, v->h);
        vt_move(v, 0, 0);
        break;
    case 'm':
        vt_style(v, arg, n);
        break;
    case 'h':
    case 'l':
        for (int i = 0; private && i < n; i++)
            vt_mode(v, arg[i], what == 'h');
        break;
    case 'p':
    case 't':
        break; /* questions; the window's title */
    default:
        if (!*v->unknown)
            snprintf(v->unknown, sizeof v->unknown, "CSI %.*s", (int)length, text);
    }
}

/* Bytes used by the sequence behind ESC; 0: more are to come. */
static inline size_t vt_escape(struct vt *v, const char *p, size_t n)
{
    if (n == 0)
        return 0;
    if (*p == '[') {
        for (size_t i = 1; i < n; i++)
            if (p[i] >= '@' && p[i] <= '~') {
                vt_control(v, p + 1, i);
                return i + 1;
            }
        return 0;
    }
    if (*p == ']') { /* colours and titles */
        const char *bell = memchr(p, '\a', n);
        return bell ? (size_t)(bell - p) + 1 : 0;
    }
    if (*p == '(' || *p == ')')
        return n > 1 ? 2 : 0;
    if (*p == 'M' && v->y == v->top)
        vt_scroll(v, v->top, -1);
    else if (*p == 'M')
        vt_move(v, v->x, v->y - 1);
    else if (!strchr("=>78", *p) && !*v->unknown)
        snprintf(v->unknown, sizeof v->unknown, "ESC %c", *p);
    return 1;
}

/* One character or sequence; 0: more bytes are to come. */
static inline size_t vt_take_one(struct vt *v, const char *p, size_t n)
{
    uint32_t rune;
    size_t used;
    switch (*p) {
    case '\033':
        used = vt_escape(v, p + 1, n - 1);
        return used ? used + 1 : 0;
    case '\r':
        vt_move(v, 0, v->y);
        return 1;
    case '\n':
        vt_line_feed(v);
        return 1;
    case '\b':
        vt_move(v, v->x - 1, v->y);
        return 1;
    case '\t':
        vt_move(v, (v->x | 7) + 1, v->y);
        return 1;
    case '\a':
    case 016:
    case 017:
        return 1;
    }
    used = sm_utf8_decode(p, n, &rune);
    v->odd += (unsigned char)*p >= 0x80;
    if (!used && n < 4 && (unsigned char)*p >= 0xc0)
        return 0;
    vt_put(v, used ? rune : '?');
    return used ? used : 1;
}

/* What the child has written since the last time. */
static inline void vt_take(struct vt *v, const struct pty *p)
{
    while (v->taken < p->seen.len) {
        size_t n = vt_take_one(v, p->seen.data + v->taken, p->seen.len - v->taken);
        if (!n)
            return;
        v->taken += n;
    }
}

/* A row without the blanks at its end; until the next call. */
static inline const char *vt_row(const struct vt *v, int y)
{
    static char text[VT_W * 4 + 1];
    size_t n = 0, end = 0;
    for (int x = 0; x < v->w; x++) {
        n += sm_utf8_encode(v->cells[y][x].rune ? v->cells[y][x].rune : ' ', text + n);
        if (text[n - 1] != ' ')
            end = n;
    }
    text[end] = 0;
    return text;
}

static inline bool vt_shows(const struct vt *v, const char *text)
{
    for (int y = 0; y < v->h; y++)
        if (strstr(vt_row(v, y), text))
            return true;
    return false;
}

static inline void vt_fail(const struct vt *v, const char *why)
{
    for (int y = 0; y < v->h; y++)
        print_error("%s\n", vt_row(v, y));
    fail_msg("%s", why);
}

static inline void vt_expect(struct vt *v, struct pty *p, const char *text)
{
    for (vt_take(v, p); !vt_shows(v, text); vt_take(v, p))
        if (!pty_hear(p))
            vt_fail(v, text);
}

static inline void vt_expect_gone(struct vt *v, struct pty *p, const char *text)
{
    for (vt_take(v, p); vt_shows(v, text); vt_take(v, p))
        if (!pty_hear(p))
            vt_fail(v, text);
}

#endif
