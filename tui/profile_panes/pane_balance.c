/* SPDX-License-Identifier: Apache-2.0 */
/* Whether GPUs and workers do the same: how the use of each GPU and the durations of the steps of
 * each worker are distributed. */
#include "commands/place/describe.h"
#include "plot/table.h"
#include "rules/measures/measures.h"
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

#include <math.h>
#include <string.h>

enum { BINS = 20, BOX_W = 41, MEMBERS_MOST = 4096, NODES_MOST = 4096, LINES = 8, LINES_H = 9 };

static const struct sm_column columns[] = {
    {.key = "of", .header = "OF"},
    {.key = "mean", .header = "MEAN"},
    {.key = "p95", .header = "P95"},
    {.key = "counts", .header = "DISTRIBUTION", .format = SM_COL_SPARK},
    {.key = "box", .header = "P25, P50, P75 AND WHISKERS"},
};

struct kept {
    uint32_t *series; /* of GPUs */
    size_t n_series;
    double ends[SM_MODES]; /* of the steps of each mode */
};

static struct kept *find_rows(struct sm_answer_making *m, const struct sm_profile *p)
{
    const struct sm_metric_store *x = sm_profile_metrics(p);
    struct sm_arena *arena = &m->result.arena;
    struct kept *k = sm_arena_xalloc(arena, sizeof *k);
    const struct sm_metric_series **found = sm_arena_xalloc(arena, MEMBERS_MOST * sizeof(*found));
    uint32_t *nodes = sm_arena_xalloc(arena, NODES_MOST * sizeof *nodes);
    size_t n_nodes = sm_usage_nodes(x, nodes, NODES_MOST);
    k->series = sm_arena_xalloc(arena, (x->n_series + 1) * sizeof *k->series);
    for (size_t i = 0; i < n_nodes; i++) {
        size_t n = sm_usage_series(x, nodes[i], SM_USAGE_GPU, found, MEMBERS_MOST);
        for (size_t j = 0; j < n && k->n_series < x->n_series; j++)
            k->series[k->n_series++] = (uint32_t)(found[j] - x->series);
    }
    return k;
}

static int box_column(double v, double end)
{
    double at = end > 0 ? v / end * (BOX_W - 1) : 0;
    return at > 0 ? at < BOX_W - 1 ? (int)lround(at) : BOX_W - 1 : 0;
}

/* "  |--[==|=]---|": whiskers reach to the least and greatest value within 1.5 times the box. */
static void draw_box(const struct sm_metric_stats *s, double end, char out[BOX_W + 1])
{
    double p25 = s->q[SM_STATS_P25], p75 = s->q[SM_STATS_P75], reach = 1.5 * (p75 - p25);
    int low = box_column(s->min > p25 - reach ? s->min : p25 - reach, end),
        high = box_column(s->max < p75 + reach ? s->max : p75 + reach, end),
        from = box_column(p25, end), to = box_column(p75, end);
    memset(out, ' ', BOX_W);
    out[BOX_W] = '\0';
    memset(out + low, '-', (size_t)high - (size_t)low + 1);
    memset(out + from, '=', (size_t)to - (size_t)from + 1);
    out[low] = out[high] = '|';
    out[box_column(s->q[SM_STATS_P50], end)] = '|';
    if (to > from) {
        out[from] = '[';
        out[to] = ']';
    }
    for (int i = BOX_W; i && out[i - 1] == ' '; i--)
        out[i - 1] = '\0';
}

/* mode: -1 of a GPU. s: of the values x, which have no order. */
static void add_row(struct sm_answer_making *m, int mode, const char *label, const char *mean,
                    const char *p95, const struct sm_metric_stats *s, const double *x, size_t n,
                    double end)
{
    char box[BOX_W + 1];
    uint64_t counts[BINS] = {0};
    for (size_t i = 0; i < n; i++) {
        double at = end > 0 ? x[i] / end * BINS : 0;
        counts[at < 0 ? 0 : at >= BINS ? BINS - 1 : (int)at]++;
    }
    struct sm_node *row = sm_node_map(&m->result, m->list, NULL), *list;
    sm_node_int(&m->result, row, "mode", mode);
    sm_node_text(&m->result, row, "of", label);
    sm_node_text(&m->result, row, "mean", mean);
    sm_node_text(&m->result, row, "p95", p95);
    draw_box(s, end, box);
    sm_node_text(&m->result, row, "box", box);
    list = sm_node_list(&m->result, row, "counts");
    for (int i = 0; i < BINS; i++)
        sm_node_double(&m->result, list, NULL, (double)counts[i], false);
}

static void add_gpu(struct sm_answer_making *m, const struct sm_profile *p, uint32_t series)
{
    const struct sm_metric_store *x = sm_profile_metrics(p);
    const struct sm_metric_series *s = &x->series[series];
    struct sm_metric_stats stats;
    struct sm_str label = {0};
    char mean[32], text[32];
    if (!s->n || !sm_metric_stats_of(s, 0, s->n, &stats))
        return;
    sm_str_printf(&label, "%s %s", sm_metric_name(x, s->key.node), sm_metric_name(x, s->key.name));
    sm_format_double(stats.mean, 3, mean);
    sm_format_double(stats.q[SM_STATS_P95], 3, text);
    strcat(mean, " %");
    strcat(text, " %");
    add_row(m, -1, sm_str_text(&label), mean, text, &stats, s->values, s->n, 100);
    sm_str_clear(&label);
}

static void add_worker(struct sm_answer_making *m, const struct sm_profile *p,
                       const struct sm_step_group *g, const double *ns, double end)
{
    struct sm_str label = {0};
    char mean[16], p95[16];
    sm_str_printf(&label, "%s %s steps", sm_profile_node(p, g->node), sm_mode_name(g->mode));
    sm_format_nanoseconds(g->stats.mean, mean);
    sm_format_nanoseconds(g->stats.q[SM_STATS_P95], p95);
    add_row(m, g->mode, sm_str_text(&label), mean, p95, &g->stats, ns, g->n, end);
    sm_str_clear(&label);
}

/* The steps of a mode on a worker; those of a mode end at twice the median of its first. False:
 * there are no more. */
static bool add_steps(struct sm_answer_making *m, const struct sm_profile *p, size_t nth,
                      double *ends)
{
    struct sm_step_one x;
    if (!sm_profile_step_one(p, nth, 0, &x))
        return false;
    double *end = &ends[x.group.mode];
    if (x.group.n) {
        *end = *end > 0 ? *end : 2 * x.group.stats.q[SM_STATS_P50];
        add_worker(m, p, &x.group, x.ns, *end);
    }
    sm_profile_step_one_clear(&x);
    return true;
}

/* A GPU, or the steps of a worker. */
static bool add_part(struct sm_answer_making *m, const struct sm_profile *p)
{
    struct kept *k = m->kept ? m->kept : find_rows(m, p);
    m->kept = k;
    if (m->part >= k->n_series)
        return add_steps(m, p, m->part - k->n_series, k->ends);
    add_gpu(m, p, k->series[m->part]);
    return true;
}

/* ---- the distributions over each other ---- */

/* Of GPUs, or else of the steps of workers of the first mode. */
static size_t find_lines(const struct sm_answer_rows *s, const struct sm_node **rows)
{
    size_t n = 0;
    for (const struct sm_node *row = s->table.list ? s->table.list->first : NULL; row && n < LINES;
         row = row->next)
        if (!n || sm_node_get(row, "mode")->i == sm_node_get(rows[0], "mode")->i)
            rows[n++] = row;
    return n;
}

struct lines {
    struct sm_line_series series[LINES];
    struct sm_str labels[LINES];
    double x[BINS], y[LINES][BINS];
    size_t n;
    bool gpus;
};

/* Shares of the values of a row, in %. */
static void fill_line(struct lines *l, size_t i, const struct sm_node *row)
{
    double sum = 0;
    const struct sm_text label = sm_node_get(row, "of")->text;
    const struct sm_node *c = sm_node_get(row, "counts")->first;
    for (int k = 0; c && k < BINS; k++, c = c->next)
        sum += l->y[i][k] = c->d;
    for (int k = 0; k < BINS; k++)
        l->y[i][k] *= sum > 0 ? 100 / sum : 0;
    sm_str_add_escaped(&l->labels[i], label.p, label.n);
    l->series[i] = (struct sm_line_series){.label = sm_str_text(&l->labels[i]),
                                           .x = l->x,
                                           .y = l->y[i],
                                           .n = BINS,
                                           .role = (enum sm_role)(SM_ROLE_SERIES_0 + (int)i),
                                           .dash = (unsigned)i % 4};
}

static void fill_lines(struct lines *l, const struct sm_answer_rows *s)
{
    const struct sm_node *rows[LINES];
    l->n = find_lines(s, rows);
    l->gpus = l->n && sm_node_get(rows[0], "mode")->i < 0;
    for (int k = 0; k < BINS; k++)
        l->x[k] = (k + 0.5) * (l->gpus ? 100.0 : 2.0) / BINS;
    for (size_t i = 0; i < l->n; i++)
        fill_line(l, i, rows[i]);
}

static void draw_lines(const struct sm_answer_rows *s, const struct sm_view *v, struct sm_grid *g,
                       struct sm_rect r)
{
    struct lines l = {0};
    fill_lines(&l, s);
    sm_cut_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM,
                l.gpus ? "share of the samples in %, by the use in %"
                       : "share of the steps in %, by their duration: 1 is the median of the first",
                v->glyphs);
    sm_line_draw(g, (struct sm_rect){r.x, r.y + 1, r.w, r.h - 1},
                 &(struct sm_line_chart){.series = l.series,
                                         .n_series = l.n,
                                         .x_unit = SM_X_VALUE,
                                         .legend = true,
                                         .cursor_x = (double)NAN},
                 v->glyphs);
    for (size_t i = 0; i < l.n; i++)
        sm_str_clear(&l.labels[i]);
}

static void draw_balance(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_look look = {add_part,
                                        {columns, sizeof columns / sizeof *columns},
                                        NULL,
                                        "no GPUs and no steps in this profile",
                                        NULL};
    const struct sm_answer_rows *s = p->state;
    int rows = (int)(s->table.n < (size_t)r.h ? s->table.n : (size_t)r.h) + 1,
        lines = s->table.n > 1 && r.h - rows >= LINES_H ? r.h - rows
                : s->table.n > 1 && r.h >= 2 * LINES_H  ? r.h / 2
                                                        : 0;
    const struct sm_profile *x = sm_answer_pane_draw(
        p, v, &look, g, (struct sm_rect){r.x, r.y, r.w, r.h - lines}, focused, note);
    if (!x)
        return;
    if (lines && s->table.n > 1)
        draw_lines(s, v, g, (struct sm_rect){r.x, r.y + r.h - lines, r.w, lines});
    if (s->table.n == 1)
        sm_str_printf(note, "%snothing to compare", note->len ? "  " : "");
    sm_profile_note(x, note);
}

/* The rows come first: sm_answer_pane_draw and the like know them only. */
struct state {
    struct sm_answer_rows rows;
    uint64_t version; /* of what follows, + 1; 0: not looked at */
    bool several;
};

static bool have_several(const struct sm_event_store *x)
{
    for (size_t i = 1; i < x->n_steps; i++)
        if (x->steps[i].node != x->steps[0].node)
            return true;
    return false;
}

/* One worker without GPUs is not compared with anything. */
static bool has_several(const struct sm_pane *p, const struct sm_view *v)
{
    const char *why;
    struct state *s = p->state;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    if (!x || sm_series_has_devices(x, SM_SERIES_GPU))
        return true;
    if (s->version != sm_profile_version(x) + 1)
        s->several = have_several(sm_profile_events(x));
    s->version = sm_profile_version(x) + 1;
    return s->several;
}

static void clear_balance(struct sm_pane *p)
{
    sm_answer_pane_clear(p);
    ((struct state *)p->state)->version = 0;
}

const struct sm_pane_ops sm_pane_balance = {
    .name = "balance",
    .title = "load balance",
    .help = "Whether GPUs and workers do the same: mean, p95, how values are distributed, and, "
            "where there is room, a box from p25 to p75, split at p50, with whiskers to the values "
            "within 1.5 times its width. Those of GPUs go from 0 to 100 %, the durations of steps "
            "from 0 to twice the median of the "
            "first worker of the mode; the last part has what is longer. With more lines, as when "
            "zoomed, the distributions of the first eight are drawn over each other.",
    .context = SM_CTX_LIST,
    .own = sm_answer_pane_keys,
    .hints = {"? help", ": command", "< > sort", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 4,
    .clear = clear_balance,
    .forget = clear_balance,
    .wanted = has_several,
    .draw = draw_balance,
    .act = sm_answer_pane_act,
};
