/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/sheet_html.h"

#include "reader/base/str.h"

#include <stdarg.h>
#include <string.h>

/* Of histograms over each other: Okabe and Ito's, the darker ones. */
#define COLOURS                                                                                    \
    ".c0{fill:#0072b2;stroke:#0072b2}.c1{fill:#d55e00;stroke:#d55e00}.c2{fill:#009e73;"            \
    "stroke:#009e73}.c3{fill:#cc79a7;stroke:#cc79a7}.c4{fill:#e69f00;stroke:#e69f00}.c5{fill:"     \
    "#56b4e9;stroke:#56b4e9}"

#define STYLE                                                                                      \
    "body{font:15px/1.45 system-ui,sans-serif;max-width:64em;margin:1.5em auto;padding:0 1em;"     \
    "color:#222;background:#fff}h1,h2{border-bottom:1px solid #ccc;padding-bottom:.2em}h2{margin-" \
    "top:1.8em}h3{margin-bottom:.3em}p{margin:.4em 0}table{border-collapse:collapse;margin:.6em "  \
    "0}td,th{border-bottom:1px solid #ddd;padding:.3em .7em;text-align:left;vertical-align:top}"   \
    "th{background:#eef1f4;border-bottom:2px solid #bbb}.n{text-align:right;font-variant-"         \
    "numeric:tabular-nums}tr.f td{background:#fdf0e3}section{border-left:5px solid #d55e00;"       \
    "background:#f7f7f5;padding:.1em 1em .6em}section.g{border-color:#009e73}section h2{border:0;" \
    "margin:.4em 0}section p:nth-of-type(1){font-size:1.25em;font-weight:600}svg{display:block;"   \
    "font-size:13px;margin-bottom:.8em}svg text{fill:#222}svg path,.k{fill-opacity:.25;stroke-"    \
    "width:1.5}.b{fill:#3a76af}.l{stroke:#222;fill:none}.a{stroke:#999}.t{fill:#eef1f4}.x{fill:"   \
    "#9dbfdd;stroke:#222}"

/* ---- HTML ---- */

void sm_html_text(struct sm_str *s, const char *text)
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

void sm_html_element(struct sm_str *s, const char *name, const char *text)
{
    sm_str_printf(s, "<%s>", name);
    sm_html_text(s, text);
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
    sm_html_element(o->html, "title", title);
    sm_str_add(o->html, "<style>" STYLE COLOURS "</style></head><body>\n");
    sm_html_element(o->html, "h1", title);
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
        sm_html_element(o->html, level == 1 ? "h2" : "h3", text);
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
        sm_html_element(o->html, "p", sm_str_text(&text));
    else
        sm_result_prose(o->text, 0, "%s", escaped(o, sm_str_text(&text)));
    sm_str_clear(&text);
}

void sm_sheet_panel(struct sm_sheet *o, bool good)
{
    if (o->html)
        sm_str_add(o->html, good ? "<section class=\"g\">\n" : "<section>\n");
}

void sm_sheet_panel_end(struct sm_sheet *o)
{
    if (o->html)
        sm_str_add(o->html, "</section>\n");
}

/* ---- tables ---- */

static bool is_number(const char *text)
{
    char *end;
    sm_parse_double(text, &end);
    return end != text && !*end;
}

static void cell_html(struct sm_sheet *o, const char *name, const char *text, bool number)
{
    sm_str_printf(o->html, number ? "<%s class=\"n\">" : "<%s>", name);
    sm_html_text(o->html, text);
    sm_str_printf(o->html, "</%s>", name);
}

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
                    const char *const *cells, size_t n_rows, size_t n_marked)
{
    if (!o->html) {
        table_text(o, headers, n_columns, cells, n_rows);
        return;
    }
    sm_str_add(o->html, "<table><tr>");
    for (size_t k = 0; k < n_columns; k++)
        cell_html(o, "th", headers[k], n_rows && is_number(cells[k]));
    for (size_t i = 0; i < n_rows; i++) {
        sm_str_add(o->html, i < n_marked ? "</tr>\n<tr class=\"f\">" : "</tr>\n<tr>");
        for (size_t k = 0; k < n_columns; k++)
            cell_html(o, "td", cells[i * n_columns + k], is_number(cells[i * n_columns + k]));
    }
    sm_str_add(o->html, "</tr></table>\n");
}
