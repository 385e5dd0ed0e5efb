/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/cell.h"

#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/base/utf8.h"

#include <string.h>

static const struct sm_cell blank = {.rune = ' '};

static void blank_cells(struct sm_cell *cells, int n)
{
    for (int i = 0; i < n; i++)
        cells[i] = blank;
}

void sm_grid_init(struct sm_grid *g, int w, int h)
{
    g->w = w > 0 ? w : 0;
    g->h = h > 0 ? h : 0;
    g->cells = sm_xalloc_zero((size_t)g->w * (size_t)g->h, sizeof *g->cells);
    for (int y = 0; y < g->h; y++)
        blank_cells(g->cells + (size_t)y * (size_t)g->w, g->w);
}

void sm_grid_resize(struct sm_grid *g, int w, int h)
{
    sm_grid_clear(g);
    sm_grid_init(g, w, h);
}

void sm_grid_clear(struct sm_grid *g)
{
    sm_free(g->cells);
    *g = (struct sm_grid){0};
}

/* Clips [at, at + n) to [0, limit). */
static void clip_span(int *at, int *n, int limit)
{
    int64_t from = *at, to = from + (*n > 0 ? *n : 0);
    if (from < 0)
        from = 0;
    if (to > limit)
        to = limit;
    *at = from < limit ? (int)from : limit;
    *n = to > from ? (int)(to - from) : 0;
}

struct sm_rect sm_grid_clip(const struct sm_grid *g, struct sm_rect r)
{
    clip_span(&r.x, &r.w, g->w);
    clip_span(&r.y, &r.h, g->h);
    return r;
}

struct sm_cell *sm_grid_at(struct sm_grid *g, int x, int y)
{
    bool inside = x >= 0 && y >= 0 && x < g->w && y < g->h;
    return inside ? &g->cells[(size_t)y * (size_t)g->w + (size_t)x] : NULL;
}

/* Call before overwriting a cell: if one half of a wide rune is overwritten, the other half is
 * blanked. */
static void break_wide(struct sm_grid *g, int x, int y)
{
    struct sm_cell *c = sm_grid_at(g, x, y);
    if (!c)
        return;
    struct sm_cell *other = c->rune == 0 ? sm_grid_at(g, x - 1, y) : sm_grid_at(g, x + 1, y);
    if (other && (c->rune == 0 || other->rune == 0)) {
        other->rune = ' ';
        other->mark = 0;
    }
}

void sm_grid_blank(struct sm_grid *g, struct sm_rect r)
{
    r = sm_grid_clip(g, r);
    for (int y = r.y; r.w && y < r.y + r.h; y++) {
        break_wide(g, r.x, y);
        break_wide(g, r.x + r.w - 1, y);
        blank_cells(sm_grid_at(g, r.x, y), r.w);
    }
}

void sm_grid_put(struct sm_grid *g, int x, int y, uint32_t rune, enum sm_role role, unsigned attr)
{
    struct sm_cell *c = sm_grid_at(g, x, y);
    if (!c)
        return;
    if (sm_rune_width(rune) == 0 || sm_rune_is_harmful(rune))
        rune = '?';
    bool wide = sm_rune_width(rune) == 2;
    if (wide && x + 1 == g->w)
        return;
    break_wide(g, x, y);
    *c = (struct sm_cell){.rune = rune, .role = (uint16_t)role, .attr = (uint8_t)attr};
    if (wide) {
        break_wide(g, x + 1, y);
        c[1] = (struct sm_cell){.rune = 0, .role = (uint16_t)role, .attr = (uint8_t)attr};
    }
}

enum { UPPER_HALF = 0x2580, LOWER_HALF = 0x2584 };

void sm_grid_halves(struct sm_grid *g, int x, int y, enum sm_role top, enum sm_role bottom,
                    uint32_t plain)
{
    struct sm_cell *c = sm_grid_at(g, x, y);
    if (!c)
        return;
    sm_grid_put(g, x, y, UPPER_HALF, top, 0);
    c->back = (uint16_t)bottom;
    c->plain = (uint16_t)plain;
}

void sm_grid_lower_half(struct sm_grid *g, int x, int y, enum sm_role role, uint32_t plain)
{
    struct sm_cell *c = sm_grid_at(g, x, y);
    if (!c)
        return;
    sm_grid_put(g, x, y, LOWER_HALF, role, 0);
    c->plain = (uint16_t)plain;
}

struct sm_cell sm_cell_plain(const struct sm_cell *c)
{
    struct sm_cell plain = *c;
    plain.rune = c->plain ? c->plain : c->rune;
    plain.back = plain.plain = 0;
    return plain;
}

enum sm_role sm_role_rgb(unsigned r, unsigned g, unsigned b)
{
    return (enum sm_role)(SM_ROLE_COUNT +
                          ((r >> 3 & 31) << 10 | (g >> 3 & 31) << 5 | (b >> 3 & 31)));
}

/* Adds a combining mark to the cell left of x; a second one is dropped. */
static void add_combining(struct sm_grid *g, int x, int y, uint32_t mark)
{
    struct sm_cell *c = sm_grid_at(g, x - 1, y);
    if (c && c->rune == 0)
        c = sm_grid_at(g, x - 2, y);
    if (c && !c->mark)
        c->mark = mark;
}

int sm_grid_text(struct sm_grid *g, int x, int y, int max_w, enum sm_role role, unsigned attr,
                 const char *text)
{
    size_t n = strlen(text);
    int used = 0;
    while (n) {
        uint32_t rune;
        size_t length = sm_utf8_decode(text, n, &rune);
        if (!length) { /* one column, as in sm_text_width */
            rune = '?';
            length = 1;
        }
        text += length;
        n -= length;
        if (sm_rune_is_harmful(rune))
            continue;
        int w = sm_rune_width(rune);
        if (w > max_w - used)
            break;
        if (w)
            sm_grid_put(g, x + used, y, rune, role, attr);
        else if (used)
            add_combining(g, x + used, y, rune);
        used += w;
    }
    return used;
}

int sm_grid_printf(struct sm_grid *g, int x, int y, int max_w, enum sm_role role, unsigned attr,
                   const char *fmt, ...)
{
    struct sm_str s = {0};
    va_list ap;
    va_start(ap, fmt);
    sm_str_vprintf(&s, fmt, ap);
    va_end(ap);
    int used = sm_grid_text(g, x, y, max_w, role, attr, sm_str_text(&s));
    sm_str_clear(&s);
    return used;
}

void sm_grid_attr(struct sm_grid *g, struct sm_rect r, unsigned attr)
{
    r = sm_grid_clip(g, r);
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++)
            sm_grid_at(g, x, y)->attr |= (uint8_t)attr;
}

void sm_grid_copy(struct sm_grid *to, int x, int y, const struct sm_grid *from)
{
    struct sm_rect r = sm_grid_clip(to, (struct sm_rect){x, y, from->w, from->h});
    for (int row = r.y; r.w && row < r.y + r.h; row++) {
        break_wide(to, r.x, row);
        break_wide(to, r.x + r.w - 1, row);
        struct sm_cell *target = sm_grid_at(to, r.x, row);
        memcpy(target, from->cells + (size_t)(row - y) * (size_t)from->w + (r.x - x),
               (size_t)r.w * sizeof *target);
        if (target->rune == 0) /* the edge cuts a wide rune in half */
            target->rune = ' ';
        struct sm_cell *last = target + r.w - 1;
        if (sm_rune_width(last->rune) == 2)
            last->rune = ' ';
    }
}
