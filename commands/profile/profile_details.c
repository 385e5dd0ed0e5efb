/* SPDX-License-Identifier: Apache-2.0 */
/* The details of a rule as text. */
#include "commands/profile/profile_rules.h"
#include "commands/profile/sheet.h"

#include <math.h>
#include <string.h>

enum { AXIS = 50, LIST_SHOWN = 12, ROWS_SHOWN = 20, TIMES_SHOWN = 3, NAME_WIDTH = 24 };

static bool is_number(const struct sm_node *x)
{
    return x && (x->type == SM_NODE_INT || x->type == SM_NODE_UINT || x->type == SM_NODE_DOUBLE);
}

static double number(const struct sm_node *x)
{
    return !is_number(x)             ? (double)NAN
           : x->type == SM_NODE_INT  ? (double)x->i
           : x->type == SM_NODE_UINT ? (double)x->u
                                     : x->d;
}

static size_t column(double percent)
{
    double at = percent / 100 * (AXIS - 1);
    return at > 0 ? (size_t)(at < AXIS - 1 ? lround(at) : AXIS - 1) : 0;
}

/* "  |---[==|==]-----|  " on an axis of 0 to 100. False: the map is no box plot of percentages. */
static bool box_line(const struct sm_node *map, char out[AXIS + 1])
{
    double v[5];
    static const char *const keys[] = {"lower", "p25", "p50", "p75", "upper"};
    for (int i = 0; i < 5; i++) {
        v[i] = number(sm_node_get(map, keys[i]));
        if (!(v[i] >= -1 && v[i] <= 1000))
            return false;
    }
    memset(out, ' ', AXIS);
    out[AXIS] = 0;
    for (size_t i = column(v[0]); i <= column(v[4]); i++)
        out[i] = '-';
    for (size_t i = column(v[1]); i <= column(v[3]); i++)
        out[i] = '=';
    out[column(v[0])] = out[column(v[4])] = '|';
    out[column(v[1])] = '[';
    out[column(v[3])] = ']';
    out[column(v[2])] = '|';
    return true;
}

static const char *escaped(struct sm_result *out, const char *text)
{
    return sm_result_escape(out, text ? text : "", text ? strlen(text) : 0);
}

/* A report may lack the p95. */
static void show_box(struct sm_result *out, const struct sm_node *x, const char *line, int indent)
{
    int width = NAME_WIDTH > indent ? NAME_WIDTH - indent : 0;
    double p50 = number(sm_node_get(x, "p50")), p95 = number(sm_node_get(x, "p95"));
    if (p95 == p95)
        sm_result_text(out, "%*s%-*s 0 %s 100  p50 %.4g p95 %.4g", indent, "", width,
                       escaped(out, x->key), line, p50, p95);
    else
        sm_result_text(out, "%*s%-*s 0 %s 100  p50 %.4g", indent, "", width, escaped(out, x->key),
                       line, p50);
}

static void show_scalar(struct sm_result *out, const struct sm_node *x, int indent)
{
    const char *key = escaped(out, x->key);
    int width = NAME_WIDTH > indent ? NAME_WIDTH - indent : 0;
    if (x->type == SM_NODE_INT || x->type == SM_NODE_UINT)
        sm_result_text(out, "%*s%-*s %lld", indent, "", width, key, (long long)x->i);
    else if (is_number(x))
        sm_result_text(out, "%*s%-*s %.6g", indent, "", width, key, number(x));
    else if (x->type == SM_NODE_TEXT)
        sm_result_text(out, "%*s%-*s %s", indent, "", width, key,
                       sm_result_escape(out, x->text.p, x->text.n));
    else
        sm_result_text(out, "%*s%-*s %s", indent, "", width, key,
                       x->type == SM_NODE_BOOL ? x->b ? "yes" : "no" : "-");
}

static size_t length(const struct sm_node *list)
{
    size_t n = 0;
    for (const struct sm_node *x = list->first; x; x = x->next)
        n++;
    return n;
}

static void add_numbers(const struct sm_node *list, size_t n, struct sm_str *text)
{
    size_t k = 0;
    for (const struct sm_node *x = list->first; x && k < LIST_SHOWN; x = x->next, k++)
        sm_str_printf(text, " %.6g", number(x));
    if (n > LIST_SHOWN)
        sm_str_printf(text, " ... (%zu)", n);
}

/* " |  .:-=+*#%@  |": a histogram, bins joined where there are more than the axis has room for. */
static void add_bins(const struct sm_node *list, size_t n, struct sm_str *text)
{
    double sums[AXIS] = {0}, most = 0;
    size_t join = (n + AXIS - 1) / AXIS, k = 0;
    for (const struct sm_node *x = list->first; x; x = x->next, k++)
        if (number(x) > 0)
            sums[k / join] += number(x);
    for (k = 0; k < AXIS; k++)
        most = sums[k] > most ? sums[k] : most;
    sm_str_add(text, " |");
    for (k = 0; k * join < n; k++)
        sm_str_addc(text, sm_sheet_level(sums[k], most));
    sm_str_add(text, "|");
}

/* Long lists are numbers of steps, and histograms with their edges. */
static void show_list(struct sm_result *out, const struct sm_node *list, int indent)
{
    struct sm_str text = {0};
    size_t n = length(list);
    if (n <= LIST_SHOWN || strcmp(list->key, "step_numbers") == 0)
        add_numbers(list, n, &text);
    else if (strcmp(list->key, "binedges") == 0)
        sm_str_printf(&text, " %.6g to %.6g", number(list->first), number(list->last));
    else
        add_bins(list, n, &text);
    sm_result_text(out, "%*s%-*s%s", indent, "", NAME_WIDTH > indent ? NAME_WIDTH - indent : 0,
                   escaped(out, list->key), sm_str_text(&text));
    sm_str_clear(&text);
}

static void show_map(struct sm_result *out, const struct sm_node *map, int indent)
{
    char line[AXIS + 1];
    size_t n = 0;
    for (const struct sm_node *x = map->first; x; x = x->next, n++) {
        bool time = x->type == SM_NODE_MAP && x->key[0] >= '0' && x->key[0] <= '9';
        if (n == (time ? TIMES_SHOWN : ROWS_SHOWN)) {
            sm_result_dim(out, "%*s%zu more; -json has all of them.", indent, "", length(map) - n);
            return;
        }
        if (x->type == SM_NODE_LIST) {
            show_list(out, x, indent);
        } else if (x->type != SM_NODE_MAP) {
            show_scalar(out, x, indent);
        } else if (box_line(x, line)) {
            show_box(out, x, line, indent);
        } else if (x->first) {
            sm_result_text(out, "%*s%s", indent, "", escaped(out, x->key));
            show_map(out, x, indent + 2);
        }
    }
}

void sm_profile_show_details(struct sm_result *out, const struct sm_node *details)
{
    if (details && details->type == SM_NODE_MAP)
        show_map(out, details, 0);
}
