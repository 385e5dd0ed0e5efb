/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/legend.h"

#include "plot/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SAMPLE_W = 3,
    LEAST_LABEL_W = 4,
    STRIP_LABEL_W = 8,
    MORE_W = 9,
    LEAST_ROWS = 3,
    ELLIPSIS_W = 3, /* with the blanks before it */
    SERIES_COMPARED = 32
}; /* "── " before each name */

static bool is_listed(const struct sm_line_series *s)
{
    return !s->faint && s->label && s->label[0];
}

/* "0.412" at the cursor; nothing before the first point. */
static void value_text(const struct sm_line_chart *chart, const struct sm_line_series *s,
                       char out[16])
{
    out[0] = 0;
    if (!isfinite(chart->cursor_x) || !s->n || s->x[0] > chart->cursor_x)
        return;
    double v = sm_line_value_at(s, chart->cursor_x);
    if (isfinite(v))
        snprintf(out, 16, "%.4g", v);
    else
        strcpy(out, isnan(v) ? "NaN" : v > 0 ? "+Inf" : "-Inf");
}

/* The columns needed for the values, including the blank before them. */
static int values_w(const struct sm_line_chart *chart)
{
    size_t most = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        char text[16] = "";
        if (is_listed(&chart->series[i]))
            value_text(chart, &chart->series[i], text);
        most = strlen(text) > most ? strlen(text) : most;
    }
    return most ? (int)most + 1 : 0;
}

static int count_entries(const struct sm_line_chart *chart, int *label_w)
{
    int n = 0;
    *label_w = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        const struct sm_line_series *s = &chart->series[i];
        if (!is_listed(s))
            continue;
        int w = (int)sm_text_width(s->label, strlen(s->label));
        *label_w = w > *label_w ? w : *label_w;
        n++;
    }
    return n;
}

static int count_taken(struct sm_grid *g, struct sm_rect r)
{
    int n = 0;
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++)
            n += sm_grid_at(g, x, y)->rune != ' ';
    return n;
}

/* The first corner where w x h cells are free. */
static bool find_corner(struct sm_grid *g, struct sm_rect plot, int w, int h, struct sm_rect *out)
{
    int right = plot.x + plot.w - w, bottom = plot.y + plot.h - h;
    const struct sm_rect corners[] = {{right, plot.y, w, h},
                                      {right, bottom, w, h},
                                      {plot.x, plot.y, w, h},
                                      {plot.x, bottom, w, h}};
    for (int i = 0; i < 4 && w <= plot.w && h <= plot.h; i++)
        if (!count_taken(g, corners[i])) {
            *out = corners[i];
            return true;
        }
    return false;
}

/* Shortens a long name in the middle, or at its start if that distinguishes the chart's names
 * better. */
static void shorten_label(struct sm_str *out, const char *label, int w, bool keep_end,
                          const struct sm_glyphs *glyphs)
{
    int full = (int)sm_text_width(label, strlen(label));
    if (!keep_end || full <= w) {
        sm_elide_middle(out, label, w, glyphs);
        return;
    }
    char bytes[4];
    sm_str_addn(out, bytes, sm_utf8_encode(glyphs->ellipsis, bytes));
    for (size_t n = strlen(label); full > w - 1;) {
        uint32_t rune;
        size_t length = sm_utf8_decode(label, n, &rune);
        full -= length ? sm_rune_width(rune) : 1;
        label += length ? length : 1;
        n -= length ? length : 1;
    }
    sm_str_add(out, label);
}

/* Pairs of names that look the same when they are shortened. */
static int count_same(const struct sm_line_chart *chart, int w, bool keep_end,
                      const struct sm_glyphs *glyphs)
{
    struct sm_str shown[SERIES_COMPARED] = {{0}};
    int n = 0, same = 0;
    for (size_t i = 0; i < chart->n_series; i++)
        if (is_listed(&chart->series[i]))
            shorten_label(&shown[n++], chart->series[i].label, w, keep_end, glyphs);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            same += strcmp(sm_str_text(&shown[i]), sm_str_text(&shown[k])) == 0;
    while (n)
        sm_str_clear(&shown[--n]);
    return same;
}

static void draw_entry(struct sm_grid *g, int x, int y, const char *label,
                       const struct sm_line_series *s, const struct sm_glyphs *glyphs)
{
    for (int i = 0; i < SAMPLE_W - 1; i++)
        sm_grid_put(g, x + i, y,
                    i && s->marker ? glyphs->marker[s->marker % SM_MARKERS]
                                   : glyphs->dash[s->dash % 4],
                    s->role, 0);
    sm_grid_text(g, x + SAMPLE_W, y, (int)sm_text_width(label, strlen(label)), SM_ROLE_TEXT, 0,
                 label);
}

/* The columns of the first word of each name: its number, where there are several runs. */
static int brief_w(const struct sm_line_chart *chart)
{
    size_t most = 0;
    for (size_t i = 0; i < chart->n_series; i++)
        if (is_listed(&chart->series[i])) {
            size_t w = strcspn(chart->series[i].label, " ");
            most = w > most ? w : most;
        }
    return (int)most;
}

/* Whether the first words tell the names apart. */
static bool briefs_differ(const struct sm_line_chart *chart)
{
    for (size_t i = 0; i < chart->n_series; i++)
        for (size_t k = 0; k < i; k++) {
            const char *a = chart->series[i].label, *b = chart->series[k].label;
            size_t n = is_listed(&chart->series[i]) ? strcspn(a, " ") : 0;
            if (n && is_listed(&chart->series[k]) && n == strcspn(b, " ") && !strncmp(a, b, n))
                return false;
        }
    return true;
}

/* A place that is free: with whole names, else with their first words, else for some of them. */
static bool find_place(struct sm_grid *g, struct sm_rect plot, const int *label_w, int rest, int n,
                       struct sm_rect *box, int *w)
{
    const int rows[] = {n, n < plot.h / 2 ? n : plot.h / 2, LEAST_ROWS};
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < 2; i++) {
            *w = label_w[i];
            if (rows[r] < n && *w < MORE_W)
                *w = MORE_W;
            if (rows[r] >= (n < LEAST_ROWS ? n : LEAST_ROWS) && rows[r] <= n &&
                *w + rest <= plot.w / 2 && find_corner(g, plot, *w + rest, rows[r], box))
                return true;
        }
    return false;
}

static void add_brief(struct sm_str *out, const char *label)
{
    sm_str_addn(out, label, strcspn(label, " "));
}

static void draw_value(const struct sm_line_chart *chart, const struct sm_line_series *s,
                       struct sm_grid *g, int right, int y)
{
    char value[16];
    value_text(chart, s, value);
    int w = (int)strlen(value);
    sm_grid_text(g, right - w, y, w, SM_ROLE_ACCENT, 0, value);
}

static void draw_box(const struct sm_line_chart *chart, struct sm_grid *g, struct sm_rect box,
                     int label_w, int n, bool brief, const struct sm_glyphs *glyphs)
{
    bool keep_end =
        chart->n_series <= SERIES_COMPARED &&
        count_same(chart, label_w, false, glyphs) > count_same(chart, label_w, true, glyphs);
    struct sm_str label = {0};
    int row = 0, whole = box.h < n ? box.h - 1 : box.h;
    for (size_t i = 0; i < chart->n_series && row < whole; i++) {
        if (!is_listed(&chart->series[i]))
            continue;
        sm_str_truncate(&label, 0);
        if (brief)
            add_brief(&label, chart->series[i].label);
        else
            shorten_label(&label, chart->series[i].label, label_w, keep_end, glyphs);
        draw_entry(g, box.x + 1, box.y + row, sm_str_text(&label), &chart->series[i], glyphs);
        draw_value(chart, &chart->series[i], g, box.x + box.w - 1, box.y + row++);
    }
    sm_str_clear(&label);
    if (box.h < n)
        sm_grid_printf(g, box.x + 1 + SAMPLE_W, box.y + row, label_w, SM_ROLE_DIM, 0, "+%d more",
                       n - whole);
}

bool sm_legend_draw(const struct sm_line_chart *chart, struct sm_grid *g, struct sm_rect plot,
                    const struct sm_glyphs *glyphs)
{
    int full_w, n = count_entries(chart, &full_w), label_w;
    int value_w = values_w(chart), rest = SAMPLE_W + value_w + 2, most_w = plot.w / 2 - rest;
    struct sm_rect box;
    if (!n)
        return true;
    if (plot.h < 2 || most_w < LEAST_LABEL_W)
        return false;
    const int whole = full_w < most_w ? full_w : most_w,
              widths[] = {whole, briefs_differ(chart) ? brief_w(chart) : whole};
    if (!find_place(g, plot, widths, rest, n, &box, &label_w))
        return false;
    bool brief = label_w < widths[0];
    sm_grid_blank(g, box);
    draw_box(chart, g, box, label_w, n, brief, glyphs);
    return true;
}

/* The columns of all entries in one row. */
static int strip_w(const struct sm_line_chart *chart, bool brief)
{
    int w = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        const char *label = chart->series[i].label;
        char value[16];
        if (!is_listed(&chart->series[i]))
            continue;
        value_text(chart, &chart->series[i], value);
        w += SAMPLE_W + 2 + (int)strlen(value) + (*value != 0) +
             (int)sm_text_width(label, brief ? strcspn(label, " ") : strlen(label));
    }
    return w;
}

void sm_legend_strip(const struct sm_line_chart *chart, struct sm_grid *g, struct sm_rect row,
                     const struct sm_glyphs *glyphs)
{
    bool tight = strip_w(chart, false) > row.w, brief = tight && briefs_differ(chart);
    int x = row.x, right = row.x + row.w, full_w, n = count_entries(chart, &full_w), left = n,
        most = n ? row.w / n - SAMPLE_W - 2 - values_w(chart) : 0;
    if (!tight || most < STRIP_LABEL_W)
        most = tight ? STRIP_LABEL_W : full_w;
    struct sm_str label = {0};
    sm_grid_blank(g, row);
    for (size_t i = 0; i < chart->n_series; i++) {
        const struct sm_line_series *s = &chart->series[i];
        char value[16];
        if (!is_listed(s))
            continue;
        sm_str_truncate(&label, 0);
        if (brief)
            add_brief(&label, s->label);
        else
            sm_elide_middle(&label, s->label, most, glyphs);
        value_text(chart, s, value);
        int w = (int)sm_text_width(sm_str_text(&label), label.len), v = (int)strlen(value);
        int end = x + SAMPLE_W + w + (v ? v + 1 : 0), more = --left ? ELLIPSIS_W : 0;
        if (end + more > right) {
            sm_grid_put(g, x < right ? x : right - 1, row.y, glyphs->ellipsis, SM_ROLE_DIM, 0);
            break;
        }
        draw_entry(g, x, row.y, sm_str_text(&label), s, glyphs);
        draw_value(chart, s, g, end, row.y);
        x = end + 2;
    }
    sm_str_clear(&label);
}
