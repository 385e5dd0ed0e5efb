/* SPDX-License-Identifier: Apache-2.0 */
/* The drawings of a report: bars, box plots and histograms, in SVG or as text. */
#include "commands/profile/sheet_html.h"

#include <math.h>
#include <string.h>

enum { TEXT_BAR = 40, TEXT_BINS = 20, SVG_WIDTH = 560, SVG_ROW = 22, SVG_NAME = 200, HEIGHT = 132 };

static const char *escaped(struct sm_sheet *o, const char *text)
{
    return sm_result_escape(o->text, text, strlen(text));
}

static double clamp(double percent)
{
    return percent > 0 ? percent < 100 ? percent : 100 : 0;
}

static void svg_begin(struct sm_sheet *o, const char *caption, size_t rows)
{
    sm_html_element(o->html, "p", caption);
    sm_str_printf(o->html, "<svg width=\"%d\" height=\"%zu\" role=\"img\">\n",
                  SVG_NAME + SVG_WIDTH + 120, (rows + 1) * SVG_ROW);
}

static void svg_text(struct sm_sheet *o, double x, size_t row, const char *text)
{
    sm_str_printf(o->html, "<text x=\"%.1f\" y=\"%zu\">", x, row * SVG_ROW + 14);
    sm_html_text(o->html, text);
    sm_str_add(o->html, "</text>\n");
}

static void bar_text(struct sm_sheet *o, const struct sm_sheet_bar *b)
{
    char line[TEXT_BAR + 1];
    size_t n = (size_t)lround(clamp(b->value) / 100 * TEXT_BAR);
    memset(line, '#', n);
    line[n] = 0;
    sm_result_text(o->text, "  %-28s %6.2f %%%s%s", escaped(o, b->name), b->value, n ? "  " : "",
                   line);
}

static void bar_svg(struct sm_sheet *o, const struct sm_sheet_bar *b, size_t row)
{
    char number[32];
    double width = clamp(b->value) / 100 * SVG_WIDTH;
    snprintf(number, sizeof number, "%.2f %%", b->value);
    svg_text(o, 0, row, b->name);
    sm_str_printf(o->html,
                  "<rect class=\"t\" x=\"%d\" y=\"%zu\" width=\"%d\" height=\"%d\"/>\n<rect "
                  "class=\"b\" x=\"%d\" y=\"%zu\" width=\"%.1f\" height=\"%d\"/>\n",
                  SVG_NAME, row * SVG_ROW + 3, SVG_WIDTH, SVG_ROW - 6, SVG_NAME, row * SVG_ROW + 3,
                  width, SVG_ROW - 6);
    svg_text(o, SVG_NAME + SVG_WIDTH + 8, row, number);
}

void sm_sheet_bars(struct sm_sheet *o, const char *caption, const struct sm_sheet_bar *bars,
                   size_t n)
{
    if (!n)
        return;
    if (o->html)
        svg_begin(o, caption, n);
    else
        sm_result_text(o->text, "%s", caption);
    for (size_t i = 0; i < n; i++)
        if (o->html)
            bar_svg(o, &bars[i], i);
        else
            bar_text(o, &bars[i]);
    if (o->html)
        sm_str_add(o->html, "</svg>\n");
}

static double at(double percent)
{
    return SVG_NAME + clamp(percent) / 100 * SVG_WIDTH;
}

static void box_svg(struct sm_sheet *o, const struct sm_sheet_box *b, size_t row)
{
    double y = (double)row * SVG_ROW, middle = y + SVG_ROW / 2.0;
    svg_text(o, 0, row, b->name);
    sm_str_printf(o->html, "<path class=\"l\" d=\"M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8\"/>\n",
                  at(b->lower), middle, at(b->upper), at(b->lower), middle - 4, at(b->upper),
                  middle - 4);
    sm_str_printf(o->html,
                  "<rect class=\"x\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
                  at(b->p25), y + 4, at(b->p75) - at(b->p25), SVG_ROW - 8);
    sm_str_printf(o->html, "<path class=\"l\" d=\"M%.1f %.1fv%d\"/>\n", at(b->p50), y + 4,
                  SVG_ROW - 8);
}

static size_t place(double percent)
{
    return (size_t)lround(clamp(percent) / 100 * (TEXT_BAR - 1));
}

static void box_text(struct sm_sheet *o, const struct sm_sheet_box *b)
{
    char line[TEXT_BAR + 1];
    memset(line, ' ', TEXT_BAR);
    line[TEXT_BAR] = 0;
    for (size_t i = place(b->lower); i <= place(b->upper); i++)
        line[i] = '-';
    for (size_t i = place(b->p25); i <= place(b->p75); i++)
        line[i] = '=';
    line[place(b->lower)] = line[place(b->upper)] = '|';
    line[place(b->p25)] = '[';
    line[place(b->p75)] = ']';
    line[place(b->p50)] = '|';
    sm_result_text(o->text, "  %-28s 0 %s 100  median %.4g %%", escaped(o, b->name), line, b->p50);
}

void sm_sheet_boxes(struct sm_sheet *o, const char *caption, const struct sm_sheet_box *boxes,
                    size_t n)
{
    if (!n)
        return;
    if (!o->html) {
        sm_result_text(o->text, "%s", caption);
        for (size_t i = 0; i < n; i++)
            box_text(o, &boxes[i]);
        return;
    }
    svg_begin(o, caption, n);
    for (size_t i = 0; i < n; i++)
        box_svg(o, &boxes[i], i);
    svg_text(o, SVG_NAME, n, "0 %");
    svg_text(o, SVG_NAME + SVG_WIDTH - 20, n, "100 %");
    sm_str_add(o->html, "</svg>\n");
}

static double greatest(const double *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = v[i] > most ? v[i] : most;
    return most;
}

/* A line for each of at most TEXT_BINS joined bins. */
static void histogram_text(struct sm_sheet *o, const double *counts, size_t n, double from,
                           double to)
{
    size_t join = (n + TEXT_BINS - 1) / TEXT_BINS, m = 0;
    double sums[TEXT_BINS + 1] = {0};
    for (size_t i = 0; i < n; i++)
        sums[m = i / join] += counts[i];
    double most = greatest(sums, m + 1);
    for (size_t i = 0; i <= m; i++) {
        char line[TEXT_BAR + 1];
        size_t length = (size_t)lround(clamp(100 * sums[i] / most) / 100 * TEXT_BAR);
        memset(line, '#', length);
        line[length] = 0;
        if (sums[i] > 0)
            sm_result_text(o->text, "  %10.4g %8.0f  %s",
                           from + (to - from) * (double)(i * join) / (double)n, sums[i], line);
    }
}

/* The axis, and what stands below its ends and its middle. */
static void svg_ends(struct sm_sheet *o, double from, double to)
{
    static const double at[] = {0, SVG_WIDTH / 2.0 - 18, SVG_WIDTH - 40};
    sm_str_printf(o->html, "<path class=\"a\" d=\"M0 %d.5H%d\"/>\n", HEIGHT, SVG_WIDTH);
    for (int i = 0; i < 3; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.4g", from + (to - from) * i / 2);
        svg_text(o, at[i], HEIGHT / SVG_ROW, number);
    }
}

void sm_sheet_histogram(struct sm_sheet *o, const char *caption, const double *counts, size_t n,
                        double from, double to)
{
    double most = n ? greatest(counts, n) : 0;
    if (!(most > 0))
        return;
    if (!o->html) {
        sm_result_text(o->text, "%s", caption);
        histogram_text(o, counts, n, from, to);
        return;
    }
    svg_begin(o, caption, HEIGHT / SVG_ROW);
    for (size_t i = 0; i < n; i++) {
        double height = clamp(100 * counts[i] / most) / 100 * HEIGHT;
        if (counts[i] > 0)
            sm_str_printf(o->html,
                          "<rect class=\"b\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                          "height=\"%.2f\"/>\n",
                          (double)i * SVG_WIDTH / (double)n, HEIGHT - height, SVG_WIDTH / (double)n,
                          height);
    }
    svg_ends(o, from, to);
    sm_str_add(o->html, "</svg>\n");
}

/* ---- several histograms ---- */

/* The ends of all, and the greatest share of a bin. */
struct scale {
    double from, to, most;
};

static double sum_of(const struct sm_sheet_counts *x)
{
    double sum = 0;
    for (size_t i = 0; i < x->n; i++)
        sum += x->counts[i];
    return sum;
}

static struct scale scale_of(const struct sm_sheet_counts *items, size_t n)
{
    struct scale s = {items[0].from, items[0].to, 0};
    for (size_t i = 0; i < n; i++) {
        double share = greatest(items[i].counts, items[i].n) / sum_of(&items[i]);
        s.from = fmin(s.from, items[i].from);
        s.to = fmax(s.to, items[i].to);
        s.most = share > s.most ? share : s.most;
    }
    return s;
}

/* x of the begin of bin i. */
static double bin_x(const struct sm_sheet_counts *x, size_t i, const struct scale *s)
{
    double v = x->from + (x->to - x->from) * (double)i / (double)x->n;
    return clamp(100 * (v - s->from) / (s->to - s->from)) / 100 * SVG_WIDTH;
}

static void outline_svg(struct sm_sheet *o, const struct sm_sheet_counts *x, size_t nth,
                        const struct scale *s)
{
    double sum = sum_of(x);
    sm_str_printf(o->html, "<path class=\"c%zu\" d=\"M%.2f %d", nth % SM_HTML_COLOURS,
                  bin_x(x, 0, s), HEIGHT);
    for (size_t i = 0; i < x->n; i++)
        sm_str_printf(o->html, "V%.2fH%.2f",
                      HEIGHT - clamp(100 * x->counts[i] / sum / s->most) / 100 * HEIGHT,
                      bin_x(x, i + 1, s));
    sm_str_printf(o->html, "V%dZ\"/>\n", HEIGHT);
}

/* Below the axis: colour and name of each. */
static void legend_svg(struct sm_sheet *o, const struct sm_sheet_counts *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t row = HEIGHT / SVG_ROW + 1 + i;
        sm_str_printf(o->html,
                      "<rect class=\"k c%zu\" x=\"0\" y=\"%zu\" width=\"12\" height=\"12\"/>\n",
                      i % SM_HTML_COLOURS, row * SVG_ROW + 4);
        svg_text(o, 20, row, items[i].name);
    }
}

char sm_sheet_level(double part, double most)
{
    static const char levels[] = ".:-=+*#%@";
    double share = part / most;
    return part > 0 ? levels[share < 1 ? (size_t)(share * 8) : 8] : ' ';
}

/* "gpu0  |  .:-=+*#@   |": the shares of TEXT_BAR parts of the axis. */
static void outline_text(struct sm_sheet *o, const struct sm_sheet_counts *x, const struct scale *s)
{
    double parts[TEXT_BAR] = {0};
    char line[TEXT_BAR + 1];
    for (size_t i = 0; i < x->n; i++) {
        double at = (bin_x(x, i, s) + bin_x(x, i + 1, s)) / 2 / SVG_WIDTH * TEXT_BAR;
        parts[at < TEXT_BAR - 1 ? (size_t)at : TEXT_BAR - 1] += x->counts[i];
    }
    double most = greatest(parts, TEXT_BAR);
    for (size_t i = 0; i < TEXT_BAR; i++)
        line[i] = sm_sheet_level(parts[i], most);
    line[TEXT_BAR] = 0;
    sm_result_text(o->text, "  %-28s |%s|", escaped(o, x->name), line);
}

void sm_sheet_histograms(struct sm_sheet *o, const char *caption,
                         const struct sm_sheet_counts *items, size_t n)
{
    struct scale s = n ? scale_of(items, n) : (struct scale){0};
    if (n == 1)
        sm_sheet_histogram(o, caption, items->counts, items->n, items->from, items->to);
    if (n < 2 || !(s.to > s.from) || !(s.most > 0))
        return;
    if (o->html)
        svg_begin(o, caption, HEIGHT / SVG_ROW + n);
    else
        sm_result_text(o->text, "%s (%.4g to %.4g)", escaped(o, caption), s.from, s.to);
    for (size_t i = 0; i < n; i++)
        if (o->html)
            outline_svg(o, &items[i], i, &s);
        else
            outline_text(o, &items[i], &s);
    if (!o->html)
        return;
    svg_ends(o, s.from, s.to);
    legend_svg(o, items, n);
    sm_str_add(o->html, "</svg>\n");
}
