/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_points.h"

#include "commands/pictures/plot_input.h"
#include "commands/runs/run_scatter.h"

#include <math.h>

enum { ROWS = 18 };

static const struct sm_column columns[] = {
    {.key = "run", .header = "RUN"},
    {.key = "x", .header = "X", .format = SM_COL_NUMBER},
    {.key = "y", .header = "Y", .format = SM_COL_NUMBER},
};

static void add_nodes(struct sm_result *out, const struct sm_run_scatter *p)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "x", p->x_name);
    sm_node_text(out, map, "y", p->y_name);
    if (isnan(p->rank))
        sm_node_null(out, map, "rank_correlation");
    else
        sm_node_double(out, map, "rank_correlation", p->rank, false);
    sm_node_uint(out, map, "missing", p->missing);
    sm_node_uint(out, map, "diverged", p->diverged);
    struct sm_node *list = sm_node_list(out, map, "points");
    for (size_t i = 0; i < p->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "run", p->rows[i]->name);
        if (p->values)
            sm_node_text(out, row, "x", p->values[(size_t)p->x[i]]);
        else
            sm_node_double(out, row, "x", p->x[i], false);
        sm_node_double(out, row, "y", p->y[i], false);
    }
    out->rows = list;
    out->columns = columns;
    out->n_columns = sizeof columns / sizeof *columns;
}

static void draw(struct sm_call *c, struct sm_result *out, const struct sm_run_scatter *p)
{
    struct sm_print_options print;
    sm_session_print_options(c->session, &print);
    int w = sm_plot_width(&print);
    unsigned *group = sm_arena_xalloc(&c->arena, (p->n + 1) * sizeof *group);
    for (size_t i = 0; i < p->n; i++)
        group[i] = 0;
    struct sm_scatter chart = {.group = group, .marks = &print.glyphs->marker[1]};
    sm_run_scatter_chart(p, &chart);
    sm_scatter_draw(sm_result_grid(out, w, ROWS), (struct sm_rect){0, 0, w, ROWS}, &chart,
                    print.glyphs);
}

bool sm_run_points_answer(struct sm_call *c, struct sm_result *out, const struct sm_run_table *t,
                          struct sm_err *err)
{
    const struct sm_word *x = sm_call_option(c, "scatter"), *y = sm_call_option(c, "y");
    struct sm_run_scatter p;
    struct sm_str text = {0};
    if (!sm_run_scatter_read(c->session, t, x->text.p, y ? y->text.p : NULL, &out->arena, &p, err))
        return false;
    add_nodes(out, &p);
    sm_run_scatter_title(&p, &text);
    sm_result_text(out, "%s", sm_str_text(&text));
    if (p.n)
        draw(c, out, &p);
    sm_str_truncate(&text, 0);
    sm_run_scatter_values(&p, &text);
    if (text.len)
        sm_result_text(out, "%s", sm_str_text(&text));
    sm_str_clear(&text);
    return true;
}
