/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_lines.h"
#include "reader/textlog/textlog_bars.h"

#include <string.h>

enum { ESC = 0x1b, BEL = 7 };

/* ---- one state of a line ---- */

/* Behind the escape sequence at p: CSI ... final byte, OSC ... BEL or ESC \, or two bytes. */
static const char *skip_escape(const char *p, const char *end)
{
    p++;
    if (p < end && *p == '[') {
        for (p++; p < end && *p >= 0x20 && *p < 0x40;)
            p++;
        return p < end && *p >= 0x40 ? p + 1 : p;
    }
    if (p < end && (*p == ']' || *p == 'P' || *p == '_' || *p == '^')) {
        while (p < end && *p != BEL && *p != ESC)
            p++;
        return p < end && *p == ESC && p + 1 < end && p[1] == '\\' ? p + 2 : p + (p < end);
    }
    while (p < end && *p >= 0x20 && *p < 0x30)
        p++;
    return p < end && *p >= 0x30 ? p + 1 : p;
}

static void remove_rune(struct sm_str *s, size_t from)
{
    size_t n = s->len;
    while (n > from && (s->data[n - 1] & 0xc0) == 0x80)
        n--;
    sm_str_truncate(s, n > from ? n - 1 : from);
}

static size_t plain_length(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && *q != ESC && *q != '\b')
        q++;
    return (size_t)(q - p);
}

static struct sm_text trim(struct sm_text t)
{
    while (t.n && (t.p[t.n - 1] == ' ' || t.p[t.n - 1] == '\t'))
        t.n--;
    return t;
}

static struct sm_text clean_state(struct sm_str *out, const char *p, const char *end)
{
    sm_str_truncate(out, 0);
    while (p < end) {
        size_t n = plain_length(p, end);
        sm_str_addn(out, p, n);
        p += n;
        if (p < end && *p == ESC) {
            p = skip_escape(p, end);
        } else if (p < end) {
            remove_rune(out, 0);
            p++;
        }
    }
    return trim((struct sm_text){sm_str_text(out), out->len});
}

/* The last state of a line that shows anything. */
static struct sm_text last_state(struct sm_str *out, const char *p, size_t n)
{
    const char *end = p + n;
    if (!memchr(p, '\r', n) && !memchr(p, ESC, n) && !memchr(p, '\b', n))
        return trim((struct sm_text){p, n});
    struct sm_text state = {p, 0};
    while (end > p && state.n == 0) {
        const char *cr = memrchr(p, '\r', (size_t)(end - p));
        const char *from = cr ? cr + 1 : p;
        state = clean_state(out, from, end);
        end = cr ? cr : p;
    }
    return state;
}

/* ---- lines ---- */

/* Keeps the last states of a long line without an end. */
static void shorten(struct sm_textlog_lines *l)
{
    struct sm_text state = last_state(&l->clean, l->part.data, l->part.len);
    const char *cr = memrchr(l->part.data, '\r', l->part.len);
    size_t tail = cr ? l->part.len - (size_t)(cr - l->part.data) : 0;
    if (state.n + tail > SM_TEXTLOG_LINE_MAX / 2) {
        l->cutting = true;
        return;
    }
    struct sm_str kept = {0};
    sm_str_addn(&kept, state.p, state.n);
    sm_str_addn(&kept, cr, tail);
    sm_str_clear(&l->part);
    l->part = kept;
}

static void hold(struct sm_textlog_lines *l, const char *p, size_t n)
{
    while (n && !l->cutting) {
        size_t room = SM_TEXTLOG_LINE_MAX - l->part.len, take = n < room ? n : room;
        sm_str_addn(&l->part, p, take);
        p += take;
        n -= take;
        if (l->part.failed) {
            l->cutting = true;
            return;
        }
        if (l->part.len == SM_TEXTLOG_LINE_MAX)
            shorten(l);
    }
}

/* ---- states that are drawn over ---- */

enum { DRAWN_MAX = 4096 };

static void keep_drawn(struct sm_textlog_lines *l, const char *p, const char *end)
{
    size_t n = (size_t)(end - p), room = DRAWN_MAX - l->drawn.len;
    sm_str_addn(&l->drawn, p, n < room ? n : room);
}

/* Passes on the bars of a piece of a line that a CR ends; lf: the line ends behind the piece. */
static void pass_drawn(struct sm_textlog_lines *l, const char *p, const char *end, bool lf,
                       void (*line)(void *ctx, struct sm_text text), void *ctx)
{
    const char *cr;
    while ((cr = memchr(p, '\r', (size_t)(end - p))) && (!lf || cr + 1 < end)) {
        keep_drawn(l, p, cr);
        const char *drawn = sm_str_text(&l->drawn);
        if (l->drawn.len < DRAWN_MAX && sm_textlog_is_bar((struct sm_text){drawn, l->drawn.len}))
            line(ctx, clean_state(&l->clean, drawn, drawn + l->drawn.len));
        sm_str_truncate(&l->drawn, 0);
        p = cr + 1;
    }
    if (lf)
        sm_str_truncate(&l->drawn, 0);
    else
        keep_drawn(l, p, end);
}

void sm_textlog_lines_feed(struct sm_textlog_lines *l, const char *p, size_t n,
                           void (*line)(void *ctx, struct sm_text text), void *ctx)
{
    const char *end = p + n, *lf;
    while ((lf = memchr(p, '\n', (size_t)(end - p)))) {
        size_t got = (size_t)(lf - p);
        pass_drawn(l, p, lf, true, line, ctx);
        if (l->part.len || l->cutting || got > SM_TEXTLOG_LINE_MAX) {
            hold(l, p, got);
            line(ctx, sm_textlog_lines_rest(l));
            sm_str_truncate(&l->part, 0);
            l->cutting = l->part.failed = false;
        } else {
            line(ctx, last_state(&l->clean, p, got));
        }
        p = lf + 1;
    }
    pass_drawn(l, p, end, false, line, ctx);
    hold(l, p, (size_t)(end - p));
}

struct sm_text sm_textlog_lines_rest(struct sm_textlog_lines *l)
{
    if (l->part.len == 0)
        return (struct sm_text){"", 0};
    return last_state(&l->clean, l->part.data, l->part.len);
}

void sm_textlog_lines_clear(struct sm_textlog_lines *l)
{
    sm_str_clear(&l->part);
    sm_str_clear(&l->drawn);
    sm_str_clear(&l->clean);
    l->cutting = false;
}
