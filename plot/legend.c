#include "plot/legend.h"

#include "plot/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLE_W = 3, LEAST_LABEL_W = 4, SERIES_COMPARED = 32 }; /* "── " before each name */

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

static struct sm_rect choose_corner(struct sm_grid *g, struct sm_rect plot, int w, int h)
{
    int right = plot.x + plot.w - w, bottom = plot.y + plot.h - h;
    const struct sm_rect corners[] = {{right, plot.y, w, h},
                                      {right, bottom, w, h},
                                      {plot.x, plot.y, w, h},
                                      {plot.x, bottom, w, h}};
    int best = 0, least = count_taken(g, corners[0]);
    for (int i = 1; i < 4 && least; i++) {
        int taken = count_taken(g, corners[i]);
        if (taken < least) {
            best = i;
            least = taken;
        }
    }
    return corners[best];
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

/* At most half of the plot, or as much as needed if that hides nothing more. */
static struct sm_rect place_legend(struct sm_grid *g, struct sm_rect plot, int w, int n)
{
    int half = n < plot.h / 2 ? n : plot.h / 2;
    struct sm_rect box = choose_corner(g, plot, w, half);
    if (n == half || n > plot.h)
        return box;
    struct sm_rect whole = choose_corner(g, plot, w, n);
    return count_taken(g, whole) <= count_taken(g, box) ? whole : box;
}

void sm_legend_draw(const struct sm_line_chart *chart, struct sm_grid *g, struct sm_rect plot,
                    const struct sm_glyphs *glyphs)
{
    int label_w, n = count_entries(chart, &label_w);
    int value_w = values_w(chart), most_w = plot.w / 2 - SAMPLE_W - 2 - value_w;
    if (!n || plot.h < 2 || most_w < LEAST_LABEL_W)
        return;
    label_w = plot.h / 2 < n && label_w < 9 ? 9 : label_w; /* "+10 more" */
    label_w = label_w < most_w ? label_w : most_w;
    struct sm_rect box = place_legend(g, plot, SAMPLE_W + label_w + value_w + 2, n);
    int rows = box.h;
    sm_grid_blank(g, box);
    bool keep_end =
        chart->n_series <= SERIES_COMPARED &&
        count_same(chart, label_w, false, glyphs) > count_same(chart, label_w, true, glyphs);
    struct sm_str label = {0};
    int row = 0, whole = rows < n ? rows - 1 : rows;
    for (size_t i = 0; i < chart->n_series && row < whole; i++) {
        if (!is_listed(&chart->series[i]))
            continue;
        sm_str_truncate(&label, 0);
        shorten_label(&label, chart->series[i].label, label_w, keep_end, glyphs);
        draw_entry(g, box.x + 1, box.y + row, sm_str_text(&label), &chart->series[i], glyphs);
        char value[16];
        value_text(chart, &chart->series[i], value);
        int w = (int)strlen(value);
        sm_grid_text(g, box.x + box.w - 1 - w, box.y + row++, w, SM_ROLE_ACCENT, 0, value);
    }
    sm_str_clear(&label);
    if (rows < n)
        sm_grid_printf(g, box.x + 1 + SAMPLE_W, box.y + row, label_w, SM_ROLE_DIM, 0, "+%d more",
                       n - whole);
}
