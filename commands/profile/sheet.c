/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { TEXT_BAR = 40, TEXT_BINS = 20, SVG_WIDTH = 400, SVG_ROW = 20, SVG_NAME = 180 };

/* ---- HTML ---- */

static void put_html(struct sm_str *s, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            sm_str_add(s, "&lt;");
            break;
        case '>':
            sm_str_add(s, "&gt;");
            break;
        case '&':
            sm_str_add(s, "&amp;");
            break;
        case '"':
            sm_str_add(s, "&quot;");
            break;
        case '\n':
            sm_str_add(s, "<br>");
            break;
        default:
            sm_str_addc(s, (unsigned char)*text < ' ' || *text == 127 ? '?' : *text);
        }
}

static void put_element(struct sm_str *s, const char *name, const char *text)
{
    sm_str_printf(s, "<%s>", name);
    put_html(s, text);
    sm_str_printf(s, "</%s>\n", name);
}

void sm_sheet_begin(struct sm_sheet *o, const char *title)
{
    if (!o->html) {
        sm_result_text(o->text, "%s", title);
        return;
    }
    sm_str_add(o->html, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
                        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                        "style-src 'unsafe-inline'\">\n");
    put_element(o->html, "title", title);
    sm_str_add(o->html,
               "<style>body{font-family:sans-serif;max-width:60em;margin:1em auto;padding:0 "
               "1em;color:#222;background:#fff}table{border-collapse:collapse}td,th{border:1px "
               "solid #ccc;padding:.2em .5em;text-align:left;vertical-align:top}svg{display:block;"
               "font-size:12px}svg text{fill:#222}.b{fill:#3a76af}.l{stroke:#222}.x{fill:#9dbfdd;"
               "stroke:#222}</style></head><body>\n");
    put_element(o->html, "h1", title);
}

void sm_sheet_end(struct sm_sheet *o)
{
    if (o->html)
        sm_str_add(o->html, "</body></html>\n");
}

static const char *escaped(struct sm_sheet *o, const char *text)
{
    return sm_result_escape(o->text, text, strlen(text));
}

void sm_sheet_heading(struct sm_sheet *o, int level, const char *text)
{
    if (o->html)
        put_element(o->html, level == 1 ? "h2" : "h3", text);
    else
        sm_result_text(o->text, "\n%s%s", level == 1 ? "" : "  ", escaped(o, text));
}

void sm_sheet_say(struct sm_sheet *o, const char *fmt, ...)
{
    struct sm_str text = {0};
    va_list ap;
    va_start(ap, fmt);
    sm_str_vprintf(&text, fmt, ap);
    va_end(ap);
    if (o->html)
        put_element(o->html, "p", sm_str_text(&text));
    else
        sm_result_prose(o->text, 0, "%s", escaped(o, sm_str_text(&text)));
    sm_str_clear(&text);
}

/* ---- tables ---- */

static void table_text(struct sm_sheet *o, const char *const *headers, size_t n_columns,
                       const char *const *cells, size_t n_rows)
{
    struct sm_result *r = o->text;
    struct sm_column *columns = sm_arena_xalloc(&r->arena, n_columns * sizeof *columns);
    struct sm_node *root = r->root, *list;
    memset(columns, 0, n_columns * sizeof *columns);
    for (size_t k = 0; k < n_columns; k++)
        columns[k] = (struct sm_column){.key = headers[k], .header = headers[k], .wraps = k > 1};
    list = sm_node_list(r, NULL, NULL);
    for (size_t i = 0; i < n_rows; i++) {
        struct sm_node *row = sm_node_map(r, list, NULL);
        for (size_t k = 0; k < n_columns; k++)
            sm_node_text(r, row, headers[k], cells[i * n_columns + k]);
    }
    r->root = root;
    sm_result_table(r, list, columns, n_columns);
}

void sm_sheet_table(struct sm_sheet *o, const char *const *headers, size_t n_columns,
                    const char *const *cells, size_t n_rows)
{
    if (!o->html) {
        table_text(o, headers, n_columns, cells, n_rows);
        return;
    }
    sm_str_add(o->html, "<table><tr>");
    for (size_t k = 0; k < n_columns; k++)
        put_element(o->html, "th", headers[k]);
    for (size_t i = 0; i < n_rows; i++) {
        sm_str_add(o->html, "</tr><tr>");
        for (size_t k = 0; k < n_columns; k++)
            put_element(o->html, "td", cells[i * n_columns + k]);
    }
    sm_str_add(o->html, "</tr></table>\n");
}

/* ---- drawings ---- */

static double clamp(double percent)
{
    return percent > 0 ? percent < 100 ? percent : 100 : 0;
}

static void svg_begin(struct sm_sheet *o, const char *caption, size_t rows)
{
    put_element(o->html, "p", caption);
    sm_str_printf(o->html, "<svg width=\"%d\" height=\"%zu\" role=\"img\">\n",
                  SVG_NAME + SVG_WIDTH + 120, (rows + 1) * SVG_ROW);
}

static void svg_text(struct sm_sheet *o, double x, size_t row, const char *text)
{
    sm_str_printf(o->html, "<text x=\"%.1f\" y=\"%zu\">", x, row * SVG_ROW + 14);
    put_html(o->html, text);
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
    sm_str_printf(o->html, "<rect class=\"b\" x=\"%d\" y=\"%zu\" width=\"%.1f\" height=\"%d\"/>\n",
                  SVG_NAME, row * SVG_ROW + 3, width, SVG_ROW - 6);
    svg_text(o, SVG_NAME + width + 6, row, number);
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

void sm_sheet_histogram(struct sm_sheet *o, const char *caption, const double *counts, size_t n,
                        double from, double to)
{
    enum { HEIGHT = 100 };
    double most = n ? greatest(counts, n) : 0;
    char number[32];
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
    snprintf(number, sizeof number, "%.4g", from);
    svg_text(o, 0, HEIGHT / SVG_ROW, number);
    snprintf(number, sizeof number, "%.4g", to);
    svg_text(o, SVG_WIDTH - 40, HEIGHT / SVG_ROW, number);
    sm_str_add(o->html, "</svg>\n");
}
