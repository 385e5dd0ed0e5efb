/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/confusion.h"

#include "plot/grid/pixel.h"
#include "plot/scalebar.h"
#include "plot/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_MAX = 16 };

/* "label | #12 #3": a shade and a number for each pair. */
struct confusion_layout {
    const struct sm_confusion_map *m;
    const struct sm_glyphs *glyphs;
    struct sm_grid *g;
    struct sm_rect r;
    int label_w, number_w;
    size_t rows, cols; /* visible rows and columns */
};

static int widest_label(const struct sm_confusion_map *m)
{
    size_t most = 4; /* "true" */
    for (size_t i = 0; i < m->n; i++) {
        size_t w = sm_text_width(m->labels[i], strlen(m->labels[i]));
        most = w > most ? w : most;
    }
    return most < LABEL_MAX ? (int)most : LABEL_MAX;
}

static int widest_number(const struct sm_confusion_map *m)
{
    int most = 1;
    for (size_t i = 0; i < m->n * m->n; i++) {
        int w = snprintf(NULL, 0, "%" PRIu64, m->cells[i]);
        most = w > most ? w : most;
    }
    for (size_t i = 0; i < m->n; i++) {
        int w = (int)sm_text_width(m->labels[i], strlen(m->labels[i]));
        most = w > most && w <= LABEL_MAX / 2 ? w : most;
    }
    return most;
}

static int column_w(const struct confusion_layout *l)
{
    return l->number_w + 2; /* a blank, a shade */
}

static uint64_t row_sum(const struct sm_confusion_map *m, size_t t)
{
    uint64_t sum = 0;
    for (size_t p = 0; p < m->n; p++)
        sum += m->cells[t * m->n + p];
    return sum;
}

static void draw_pair(const struct confusion_layout *l, size_t t, size_t p, uint64_t sum, int x,
                      int y)
{
    uint64_t count = l->m->cells[t * l->m->n + p];
    if (!count) {
        sm_grid_put(l->g, x + column_w(l) - 1, y, l->glyphs->shade[0], SM_ROLE_BORDER, 0);
        return;
    }
    int level = sm_heat_level((double)count / (double)sum);
    struct sm_pixel pixel = {.role = sm_heat_role(l->m->map, level), .level = level};
    sm_pixel_put(l->g, x + 1, y, pixel, pixel, l->glyphs);
    sm_grid_printf(l->g, x + 2, y, l->number_w, t == p ? SM_ROLE_TEXT : SM_ROLE_WARN,
                   t == p ? SM_ATTR_BOLD : 0, "%*" PRIu64, l->number_w, count);
}

static void draw_class_label(const struct confusion_layout *l, const char *label, int x, int y,
                             int w, bool right)
{
    struct sm_str text = {0};
    sm_elide_middle(&text, label, w, l->glyphs);
    int used = (int)sm_text_width(sm_str_text(&text), text.len);
    sm_grid_text(l->g, x + (right && used < w ? w - used : 0), y, w, SM_ROLE_DIM, 0,
                 sm_str_text(&text));
    sm_str_clear(&text);
}

static void draw_more(const struct confusion_layout *l)
{
    size_t hidden = l->m->n - (l->rows < l->cols ? l->rows : l->cols);
    int y = l->r.y + 1 + (int)l->rows;
    if (hidden && y < l->r.y + l->r.h)
        sm_grid_printf(l->g, l->r.x, y, l->r.w, SM_ROLE_DIM, 0, "+%zu more", hidden);
}

void sm_confusion_draw(struct sm_grid *g, struct sm_rect r, const struct sm_confusion_map *m,
                       const struct sm_glyphs *glyphs)
{
    struct confusion_layout l = {.m = m, .glyphs = glyphs, .g = g, .r = sm_grid_clip(g, r)};
    sm_grid_blank(g, l.r);
    if (!m->n || l.r.w <= 0 || l.r.h <= 0)
        return;
    l.label_w = widest_label(m);
    l.number_w = widest_number(m);
    int room_w = (l.r.w - l.label_w) / column_w(&l), room_h = l.r.h - 1;
    l.cols = room_w <= 0 ? 0 : (size_t)room_w < m->n ? (size_t)room_w : m->n;
    l.rows = room_h <= 0 ? 0 : (size_t)room_h < m->n ? (size_t)room_h : m->n;
    if ((l.rows < m->n || l.cols < m->n) && l.rows == (size_t)room_h && l.rows)
        l.rows--; /* leave a row for the count of hidden classes */
    draw_class_label(&l, "true", l.r.x, l.r.y, l.label_w < l.r.w ? l.label_w : l.r.w, false);
    for (size_t p = 0; p < l.cols; p++)
        draw_class_label(&l, m->labels[p], l.r.x + l.label_w + (int)p * column_w(&l) + 2, l.r.y,
                         l.number_w, true);
    for (size_t t = 0; t < l.rows; t++) {
        int y = l.r.y + 1 + (int)t;
        uint64_t sum = row_sum(m, t);
        draw_class_label(&l, m->labels[t], l.r.x, y, l.label_w < l.r.w ? l.label_w : l.r.w, true);
        for (size_t p = 0; p < l.cols; p++)
            draw_pair(&l, t, p, sum, l.r.x + l.label_w + (int)p * column_w(&l), y);
    }
    draw_more(&l);
}

void sm_confusion_size(const struct sm_confusion_map *m, int *w, int *h)
{
    int n = m->n < 1000 ? (int)m->n : 1000;
    *w = widest_label(m) + n * (widest_number(m) + 2);
    *h = n + 1;
}
