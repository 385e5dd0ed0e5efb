/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/overlay.h"

#include "reader/base/mem.h"
#include "tui/dashboard/layout.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { PAN = 8, MARGIN = 2, ROOMY = 50 }; /* columns for a longer note */

void sm_overlay_open(struct sm_overlay *o, const char *title, const char *text, size_t n)
{
    sm_free(o->title);
    o->title = sm_xstrdup(title);
    for (; n && *text == '\n'; n--)
        text++;
    sm_str_truncate(&o->text, 0);
    sm_free(o->looks);
    sm_roles_parse(text, n, &o->text, &o->looks, &o->n_looks);
    o->top = 0;
    o->left = o->width = 0;
    o->shown = true;
}

void sm_overlay_clear(struct sm_overlay *o)
{
    sm_free(o->title);
    sm_fold_clear(&o->fold);
    sm_free(o->looks);
    sm_str_clear(&o->text);
    *o = (struct sm_overlay){0};
}

/* ---- drawing ---- */

/* The number of bytes of p that fit into w columns; *columns: the number of columns they use. */
static size_t bytes_in_columns(const char *p, size_t n, int w, int *columns)
{
    size_t at = 0;
    *columns = 0;
    while (at < n) {
        uint32_t rune;
        size_t k = sm_utf8_decode(p + at, n - at, &rune);
        int wide = k ? sm_rune_width(rune) : 1;
        if (*columns + wide > w)
            break;
        *columns += wide;
        at += k ? k : 1;
    }
    return at;
}

static void draw_line(const struct sm_overlay *o, const struct sm_fold_line *line,
                      struct sm_grid *g, int x, int y, int w)
{
    const char *from = sm_str_text(&o->text) + line->from;
    int skip = o->left - line->indent, skipped = 0;
    size_t gone = skip > 0 ? bytes_in_columns(from, line->n, skip, &skipped) : 0;
    if (skip > 0 && skipped < skip) /* the left edge cuts a wide rune */
        gone = bytes_in_columns(from, line->n, skip + 1, &skipped);
    if (skipped - skip < w)
        sm_roles_draw(g, x + skipped - skip, y, w - skipped + skip, sm_str_text(&o->text),
                      line->from + gone, line->n - gone, o->looks, o->n_looks);
}

static void describe_position(const struct sm_overlay *o, int w, struct sm_str *note)
{
    size_t end = o->top + (size_t)o->page < o->fold.n ? o->top + (size_t)o->page : o->fold.n;
    if (o->fold.widest > w && w >= ROOMY)
        sm_str_printf(note, "columns %d-%d of %d, ", o->left + 1,
                      o->left + w < o->fold.widest ? o->left + w : o->fold.widest, o->fold.widest);
    if (o->fold.n > (size_t)o->page)
        sm_str_printf(note, "%zu-%zu of %zu lines, ", o->top + 1, end, o->fold.n);
    sm_str_add(note, "q closes");
}

static void fold_text(struct sm_overlay *o, int w)
{
    if (w != o->width && w > 0)
        sm_fold_text(&o->fold, sm_str_text(&o->text), o->text.len, o->width = w, false);
}

int sm_overlay_height(struct sm_overlay *o, int w)
{
    fold_text(o, w - 2 * MARGIN);
    return o->fold.n < INT_MAX - 2 ? (int)o->fold.n + 2 : INT_MAX;
}

void sm_overlay_draw(struct sm_overlay *o, struct sm_grid *g, struct sm_rect r,
                     const struct sm_glyphs *glyphs)
{
    struct sm_str note = {0};
    int w = r.w - 2 * MARGIN;
    fold_text(o, w);
    o->page = r.h - 2 > 0 ? r.h - 2 : 0;
    if (o->top + 1 > o->fold.n)
        o->top = o->fold.n ? o->fold.n - 1 : 0;
    if (o->left > o->fold.widest - w)
        o->left = o->fold.widest > w ? o->fold.widest - w : 0;
    sm_grid_blank(g, r);
    for (int y = 0; y < o->page && o->top + (size_t)y < o->fold.n; y++)
        draw_line(o, &o->fold.lines[o->top + (size_t)y], g, r.x + MARGIN, r.y + 1 + y, w);
    describe_position(o, w, &note);
    sm_layout_frame(g, r, o->title, true, sm_str_text(&note), glyphs);
    sm_str_clear(&note);
}

/* ---- keys ---- */

static int lines_of(const struct sm_overlay *o, enum sm_key_action a)
{
    switch (a) {
    case SM_ACT_DOWN:
        return 1;
    case SM_ACT_UP:
        return -1;
    case SM_ACT_PAGE_DOWN:
        return o->page;
    case SM_ACT_PAGE_UP:
        return -o->page;
    case SM_ACT_HALF_DOWN:
        return o->page / 2;
    case SM_ACT_HALF_UP:
        return -(o->page / 2);
    default:
        return 0;
    }
}

bool sm_overlay_act(struct sm_overlay *o, enum sm_key_action a)
{
    int by = lines_of(o, a);
    switch (a) {
    case SM_ACT_CLOSE:
    case SM_ACT_BACK:
    case SM_ACT_HELP:
    case SM_ACT_UPWARDS:
        o->shown = false;
        return true;
    case SM_ACT_FIRST:
        o->top = 0;
        o->left = 0;
        return true;
    case SM_ACT_LAST:
        o->top = o->fold.n > (size_t)o->page ? o->fold.n - (size_t)o->page : 0;
        return true;
    case SM_ACT_LEFT:
        o->left = o->left > PAN ? o->left - PAN : 0;
        return true;
    case SM_ACT_RIGHT:
        o->left += o->left + o->width < o->fold.widest ? PAN : 0;
        return true;
    default:
        o->top = by < 0 && o->top < (size_t)-by ? 0 : o->top + (size_t)by;
        return by != 0;
    }
}
