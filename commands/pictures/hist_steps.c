/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/hist_steps.h"

#include "commands/pictures/hist_over_time.h"
#include "commands/pictures/plot_input.h"
#include "commands/place/describe.h"
#include "commands/stops/chart_marks.h"
#include "plot/grid/pixel.h"
#include "plot/over_time.h"
#include "reader/tensor/slice.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { MARKS_MAX = 64 };
const char *const sm_hist_kinds[] = {"heat", "ridge", "bands", NULL};

/* The histogram at one step. */
struct step_hist {
    struct sm_step step;
    struct sm_summary summary;
};
struct step_hists {
    struct step_hist *items;
    size_t n, all_steps, unread; /* shown, existing, and not readable */
    int w, h;
    enum sm_hist_as as;
    struct sm_print_options print;
};

static bool read_hist_options(struct sm_call *c, struct step_hists *o, struct sm_err *err)
{
    const struct sm_word *as = sm_call_option(c, "as");
    sm_session_print_options(c->session, &o->print);
    o->w = sm_plot_width(&o->print);
    o->h = 18;
    while (as && sm_hist_kinds[o->as] && strncmp(sm_hist_kinds[o->as], as->text.p, as->text.n) != 0)
        o->as = (enum sm_hist_as)(o->as + 1);
    return sm_plot_size_option(c, "w", SM_PLOT_MAX_W, &o->w, err) &&
           sm_plot_size_option(c, "h", SM_PLOT_MAX_H, &o->h, err);
}

/* Reads at most one step per column, evenly spaced and with the newest. */
static bool read_step_hists(struct sm_call *c, const struct sm_places *places,
                            const struct sm_summary_spec *spec, struct step_hists *o,
                            struct sm_err *err)
{
    size_t max_steps = (size_t)o->w, n = places->n < max_steps ? places->n : max_steps;
    bool waiting = false;
    o->items = sm_arena_xalloc(&c->arena, n * sizeof *o->items);
    o->all_steps = places->n;
    for (size_t i = 0; i < n; i++) {
        const struct sm_place *p =
            &places->items[n < places->n ? sm_part(places->n, n, i + 1) - 1 : i];
        struct sm_entry e = sm_place_find_value(p);
        struct step_hist *x = &o->items[o->n];
        struct sm_summary_spec sliced = *spec;
        sliced.slice = p->slice;
        *x = (struct step_hist){.step = p->step};
        if (!sm_entry_exists(&e))
            continue;
        if (sm_summary_read(c->session->summaries, p->trial, &e, &sliced, &x->summary, err))
            o->n++;
        else if (err->code == SM_ERR_WAIT)
            waiting = true;
        else if (err->code == SM_ERR_USAGE)
            return false;
        else
            o->unread++;
    }
    if (waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu steps", n);
    return o->n || sm_err_set(err, SM_ERR_MISSING, "No value of %s at these steps.",
                              sm_place_name(places->items));
}

/* ---- JSON and tables ---- */

void sm_hist_tree(struct sm_result *out, struct sm_node *map, const struct sm_histogram *h)
{
    struct sm_node *edges = sm_node_list(out, map, "edges");
    for (size_t i = 0; h->bins && i <= h->bins; i++)
        sm_node_double(out, edges, NULL, h->edges[i], false);
    struct sm_node *counts = sm_node_list(out, map, "counts");
    for (size_t i = 0; i < h->bins; i++)
        sm_node_uint(out, counts, NULL, h->counts[i]);
    sm_node_uint(out, map, "nan", h->nan);
    sm_node_uint(out, map, "pos_inf", h->pos_inf);
    sm_node_uint(out, map, "neg_inf", h->neg_inf);
}

void sm_hist_bins(struct sm_result *out, struct sm_node *list, const struct sm_histogram *h,
                  const struct sm_step *step)
{
    for (size_t i = 0; i < h->bins; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        if (step)
            sm_node_int(out, row, "step", step->n);
        sm_node_double(out, row, "left", h->edges[i], false);
        sm_node_double(out, row, "right", h->edges[i + 1], false);
        sm_node_uint(out, row, "count", h->counts[i]);
    }
}

static const struct sm_column columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "left", .header = "LEFT", .format = SM_COL_NUMBER},
    {.key = "right", .header = "RIGHT", .format = SM_COL_NUMBER},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
};

static void add_hist_nodes(struct sm_result *out, const struct step_hists *o)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL), *rows = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < o->n; i++) {
        const struct sm_histogram *h = &o->items[i].summary.histogram;
        struct sm_node *map = sm_node_map(out, list, NULL);
        struct sm_histogram_view view;
        double v[SM_BANDS];
        sm_node_int(out, map, "step", o->items[i].step.n);
        sm_hist_tree(out, map, h);
        sm_histogram_view(h, &view);
        sm_distribution(view.edges, view.counts, view.bins, v);
        struct sm_node *distribution = sm_node_list(out, map, "distribution");
        for (int k = 0; k < SM_BANDS && h->bins; k++)
            sm_node_double(out, distribution, NULL, v[k], false);
        sm_hist_bins(out, rows, h, &o->items[i].step);
    }
    out->root = list;
    out->rows = rows;
    out->columns = columns;
    out->n_columns = COUNT(columns);
}

/* ---- text ---- */

static void draw_hists(struct sm_call *c, struct sm_grid *g, const struct step_hists *o)
{
    double marks[MARKS_MAX], *x = sm_arena_xalloc(&c->arena, o->n * sizeof *x);
    int64_t *steps = sm_arena_xalloc(&c->arena, o->n * sizeof *steps);
    const struct sm_histogram **h = sm_arena_xalloc(&c->arena, o->n * sizeof *h);
    for (size_t i = 0; i < o->n; i++) {
        x[i] = (double)(steps[i] = o->items[i].step.n);
        h[i] = &o->items[i].summary.histogram;
    }
    struct sm_hist_over_time plot = {.x = x,
                                     .h = h,
                                     .n = o->n,
                                     .as = o->as,
                                     .log_counts = sm_call_flag(c, "log"),
                                     .marks = marks,
                                     .cursor_x = (double)NAN};
    plot.n_marks = sm_chart_marks(c->session, steps, NULL, o->n, marks, MARKS_MAX);
    sm_hist_over_time_draw(g, (struct sm_rect){0, 0, g->w, g->h}, &plot, o->print.glyphs);
}

static void print_hists_heading(struct sm_result *out, const struct sm_place *p,
                                const struct step_hists *o)
{
    struct sm_str head = {0};
    sm_place_add_name(&head, p);
    sm_result_text(out, "%s  %zu steps, %lld to %lld", sm_str_text(&head), o->n,
                   (long long)o->items[0].step.n, (long long)o->items[o->n - 1].step.n);
    sm_str_clear(&head);
}

static void add_hist_notes(struct sm_result *out, const struct step_hists *o)
{
    uint64_t nonfinite = 0, steps_with = 0;
    for (size_t i = 0; i < o->n; i++) {
        const struct sm_histogram *h = &o->items[i].summary.histogram;
        nonfinite += h->nan + h->pos_inf + h->neg_inf;
        steps_with += h->nan + h->pos_inf + h->neg_inf > 0;
    }
    if (nonfinite)
        sm_result_text(out, "not counted: %llu NaN or Inf at %llu steps",
                       (unsigned long long)nonfinite, (unsigned long long)steps_with);
    if (o->as == SM_HIST_BANDS)
        sm_result_dim(
            out,
            "bands: all, and the middle 86, 68 and 38 %% of the elements; the line is the median");
    if (o->n < o->all_steps)
        sm_result_dim(out, "%zu of %zu steps, evenly spaced", o->n, o->all_steps);
    if (o->unread)
        sm_result_dim(out, "%zu steps could not be read. See \"info errors\".", o->unread);
}

bool sm_hist_steps(struct sm_call *c, struct sm_result *out, const struct sm_places *places,
                   const struct sm_summary_spec *spec, struct sm_err *err)
{
    struct step_hists o = {0};
    bool ok = read_hist_options(c, &o, err) && read_step_hists(c, places, spec, &o, err);
    if (ok) {
        add_hist_nodes(out, &o);
        print_hists_heading(out, &places->items[0], &o);
        draw_hists(c, sm_result_grid(out, o.w, o.h), &o);
        add_hist_notes(out, &o);
    }
    for (size_t i = 0; i < o.n; i++)
        sm_summary_clear(&o.items[i].summary);
    return ok;
}
