/* SPDX-License-Identifier: Apache-2.0 */
/* profile heat: each core and GPU over time. */
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_window.h"
#include "reader/profile/buckets.h"

#include <math.h>
#include <string.h>

enum { NODES_MOST = 4096, DEVICES_MOST = 4096, LABEL_COLUMNS = 28, LEAST_COLUMNS = 10 };

static const struct sm_column columns[] = {
    {.key = "node", .header = "NODE"},
    {.key = "device", .header = "DEVICE"},
    {.key = "metric", .header = "METRIC"},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
};

/* ---- text ---- */

/* Ten levels from 0 to 100; above and below are drawn as these. */
static char level_of(double v)
{
    static const char levels[] = " .:-=+*#%@";
    int i = isnan(v) ? -1 : v < 0 ? 0 : v >= 100 ? 9 : (int)(v / 10);
    return i < 0 ? '?' : levels[i];
}

static void add_line(struct sm_result *out, const char *label, const double *v, size_t n)
{
    struct sm_str line = {0};
    size_t width = sm_text_width(label, strlen(label));
    sm_str_add(&line, label);
    sm_str_fill(&line, ' ', width < LABEL_COLUMNS ? LABEL_COLUMNS - width : 1);
    sm_str_addc(&line, '|');
    for (size_t i = 0; i < n; i++)
        sm_str_addc(&line, level_of(v[i]));
    sm_str_addc(&line, '|');
    sm_result_text(out, "%s", sm_str_text(&line));
    sm_str_clear(&line);
}

static const char *label_of(struct sm_result *out, const struct sm_metric_store *m,
                            const struct sm_metric_series *s, enum sm_usage u)
{
    const char *node = sm_metric_name(m, s->key.node), *name = sm_metric_name(m, s->key.name);
    struct sm_str text = {0};
    sm_str_add_escaped(&text, node, strlen(node));
    sm_str_addc(&text, ' ');
    sm_str_add_escaped(&text, name, strlen(name));
    sm_str_printf(&text, "%s", u == SM_USAGE_GPU_MEMORY ? " memory" : "");
    const char *label = sm_arena_xstrndup(&out->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return label;
}

/* ---- rows ---- */

static void add_device(struct sm_result *out, struct sm_node *list, const struct sm_metric_store *m,
                       const struct sm_metric_series *s, enum sm_usage u,
                       const struct sm_profile_window *w, const struct sm_buckets *b)
{
    struct sm_metric_range all =
        sm_metric_range_of(s, sm_metric_at(m, s, w->held_ns), sm_metric_at(m, s, w->to_ns));
    double *means = sm_arena_xalloc(&out->arena, b->n * sizeof *means);
    if (!all.n)
        return;
    sm_buckets_means(b, m, s, means);
    struct sm_node *row = sm_node_map(out, list, NULL), *values;
    sm_node_text(out, row, "node", sm_metric_name(m, s->key.node));
    sm_node_text(out, row, "device", sm_metric_name(m, s->key.name));
    sm_node_text(out, row, "metric", sm_usage_name(u));
    sm_node_double(out, row, "mean", all.mean, false);
    sm_node_double(out, row, "max", all.max, false);
    sm_node_int(out, row, "from_ns", b->from_ns);
    sm_node_int(out, row, "width_ns", b->width_ns);
    values = sm_node_list(out, row, "values");
    for (size_t i = 0; i < b->n; i++)
        if (isnan(means[i]))
            sm_node_null(out, values, NULL);
        else
            sm_node_double(out, values, NULL, means[i], false);
    add_line(out, label_of(out, m, s, u), means, b->n);
}

static void add_node(struct sm_result *out, struct sm_node *list, const struct sm_metric_store *m,
                     uint32_t node, const struct sm_profile_window *w, const struct sm_buckets *b)
{
    static const enum sm_usage shown[] = {SM_USAGE_CPU, SM_USAGE_GPU, SM_USAGE_GPU_MEMORY};
    const struct sm_metric_series **series =
        sm_arena_xalloc(&out->arena, DEVICES_MOST * sizeof(*series));
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        size_t n = sm_usage_series(m, node, shown[k], series, DEVICES_MOST);
        for (size_t i = 0; i < n; i++)
            add_device(out, list, m, series[i], shown[k], w, b);
    }
}

/* The columns of the heat map: what the label leaves of the width. */
static bool read_width(struct sm_call *c, int64_t *out, struct sm_err *err)
{
    const struct sm_word *word = sm_call_option(c, "w");
    int64_t w = c->session->term.w > 0 ? c->session->term.w : 80;
    if (word && !sm_call_int(word, LABEL_COLUMNS + 2 + LEAST_COLUMNS, 10000, &w, err))
        return false;
    w -= LABEL_COLUMNS + 2;
    *out = w < LEAST_COLUMNS ? LEAST_COLUMNS : w;
    return true;
}

static bool run_heat(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_profile *p = sm_profile_ask(c, err);
    struct sm_profile_window w;
    char width[16];
    int64_t n;
    if (!p || !sm_profile_window(c, p, &w, err) || !read_width(c, &n, err))
        return false;
    const struct sm_metric_store *m = sm_profile_metrics(p);
    struct sm_buckets b = sm_buckets_of(m, w.from_ns, w.to_ns - 1, (size_t)n);
    uint32_t *nodes = sm_arena_xalloc(&out->arena, NODES_MOST * sizeof *nodes);
    size_t n_nodes = sm_usage_nodes(m, nodes, NODES_MOST);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < n_nodes; i++)
        if (sm_profile_window_has(&w, sm_metric_name(m, nodes[i])))
            add_node(out, list, m, nodes[i], &w, &b);
    out->root = list;
    out->columns = columns;
    out->n_columns = sizeof columns / sizeof *columns;
    sm_format_nanoseconds((double)b.width_ns, width);
    if (list->first)
        sm_result_dim(out,
                      "Each character is the mean of %s: \" .:-=+*#%%@\" are 0 to 100 %%, ? is "
                      "nothing.",
                      width);
    else
        sm_profile_remarks(out, p);
    return true;
}

static const struct sm_option options[] = {
    SM_PROFILE_WINDOW_OPTIONS,
    {.name = "w",
     .kind = SM_ARG_NUMBER,
     .value = "COLUMNS",
     .help = "width (the terminal's, else 80)",
     .unit = "columns"},
    {0},
};
const struct sm_cmd sm_cmd_profile_heat = {
    .parent = "profile",
    .name = "heat",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Draw the use of each core and GPU over time",
    .help = "`values` are the means of equal parts of the time, as many as the text has columns. "
            "A value holds\nuntil the next, at most for 2.5 intervals; then it is null.",
    .example = "profile heat -w 100",
    .see_also = "profile system, profile summary",
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{node:name,device:name,metric:text,mean:num,max:num,from_ns:int,width_ns:int,"
              "values:[num?]}]",
    .run = run_heat,
};
