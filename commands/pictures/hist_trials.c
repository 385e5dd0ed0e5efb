/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/hist_trials.h"

#include "commands/pictures/hist_steps.h"
#include "commands/pictures/plot_input.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/session/trial_list.h"
#include "plot/over_time.h"
#include "plot/scalar_form.h"

#include <math.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct trial_hist {
    size_t trial;
    struct sm_place place;
    struct sm_entry entry;
    struct sm_summary summary;
};
struct trial_hists {
    struct trial_hist *items;
    size_t n;
    struct sm_str without; /* labels of the trials without the tensor */
};

static void clear_trial_hists(struct trial_hists *a)
{
    for (size_t i = 0; i < a->n; i++)
        sm_summary_clear(&a->items[i].summary);
    sm_str_clear(&a->without);
}

/* In each trial, the words are relative to the current place. */
static bool read_trial_hist(struct sm_call *c, size_t trial, const struct sm_summary_spec *spec,
                            struct trial_hist *x, struct sm_err *err)
{
    const struct sm_session *s = c->session;
    struct sm_place from = sm_place_in_trial(&s->at, s->trials[trial].trial);
    struct sm_places places;
    struct sm_summary_spec sliced = *spec;
    bool parsed = trial == s->current ? sm_places_read(c, &places, err)
                                      : sm_places_parse(c, &from, &places, err);
    if (!parsed)
        return false;
    if (places.n > 1)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Several trials are compared at one step, such as \"step last\".");
    x->place = places.items[0];
    sliced.slice = x->place.slice;
    return sm_place_entry(&x->place, &x->entry, err) &&
           sm_summary_read(s->summaries, x->place.trial, &x->entry, &sliced, &x->summary, err);
}

static bool read_trial_hists(struct sm_call *c, const struct sm_trial_set *trials,
                             const struct sm_summary_spec *spec, struct trial_hists *a,
                             struct sm_err *err)
{
    bool waiting = false;
    a->items = sm_arena_xalloc(&c->arena, trials->n * sizeof *a->items);
    for (size_t i = 0; i < trials->n; i++) {
        struct trial_hist *x = &a->items[a->n];
        *x = (struct trial_hist){.trial = trials->items[i]};
        if (read_trial_hist(c, x->trial, spec, x, err)) {
            a->n++;
        } else if (err->code == SM_ERR_WAIT) {
            waiting = true;
        } else if (err->code != SM_ERR_MISSING) {
            return false;
        } else {
            sm_str_add(&a->without, a->without.len ? ", " : "");
            sm_trials_label(c->session, x->trial, &a->without);
        }
    }
    if (waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading the trials");
    return a->n > 0; /* else err is the error of the last trial */
}

/* ---- JSON and tables ---- */

static const struct sm_column columns[] = {
    {.key = "trial", .header = "TRIAL"},
    {.key = "left", .header = "LEFT", .format = SM_COL_NUMBER},
    {.key = "right", .header = "RIGHT", .format = SM_COL_NUMBER},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
};

static void add_trial_nodes(const struct sm_session *s, struct sm_result *out,
                            const struct trial_hists *a)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL), *rows = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < a->n; i++) {
        const struct trial_hist *x = &a->items[i];
        struct sm_node *map = sm_node_map(out, list, NULL);
        sm_place_node(out, map, &x->place, &x->entry);
        sm_hist_tree(out, map, &x->summary.histogram);
        sm_node_text(out, map, "trial", sm_trials_name(s, x->trial));
        struct sm_node *last = rows->last;
        sm_hist_bins(out, rows, &x->summary.histogram, NULL);
        for (struct sm_node *row = last ? last->next : rows->first; row; row = row->next)
            sm_node_text(out, row, "trial", sm_trials_name(s, x->trial));
    }
    out->root = list;
    out->rows = rows;
    out->columns = columns;
    out->n_columns = COUNT(columns);
}

/* ---- text ---- */

/* The edges of the common bins: the largest number of bins of a histogram, from the smallest value
 * to the largest. Returns their number. */
static size_t common_edges(struct sm_call *c, const struct trial_hists *a, double **out)
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    size_t bins = 0;
    for (size_t i = 0; i < a->n; i++) {
        const struct sm_histogram *h = &a->items[i].summary.histogram;
        struct sm_histogram_view view;
        sm_histogram_view(h, &view);
        bins = h->bins > bins ? h->bins : bins;
        lo = view.bins ? fmin(lo, view.edges[0]) : lo;
        hi = view.bins ? fmax(hi, view.edges[view.bins]) : hi;
    }
    if (!(lo < hi)) { /* one value, or none */
        lo = isfinite(lo) ? lo - 0.5 : 0;
        hi = lo + 1;
    }
    double *edges = *out = sm_arena_xalloc(&c->arena, (bins + 1) * sizeof *edges);
    for (size_t i = 0; bins && i <= bins; i++)
        edges[i] = lo + (hi - lo) * (double)i / (double)bins;
    return bins;
}

static const char *trial_label(const struct sm_session *s, struct sm_result *out,
                               const struct trial_hist *x)
{
    const struct sm_part *p = sm_trial_part(x->place.trial, x->entry.part);
    struct sm_str text = {0};
    sm_trials_label(s, x->trial, &text);
    sm_str_addc(&text, ' ');
    sm_describe_step(&text, p->step, p->mode, p->mode_step);
    const char *label = sm_arena_xstrndup(&out->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return label;
}

/* The share of the elements in each bin, at its middle. */
static struct sm_line_series share_line(struct sm_call *c, const struct sm_histogram *h,
                                        const double *edges, size_t bins)
{
    double *x = sm_arena_xalloc(&c->arena, (bins + 1) * sizeof *x),
           *y = sm_arena_xalloc(&c->arena, (bins + 1) * sizeof *y), sum = 0;
    struct sm_histogram_view view;
    sm_histogram_view(h, &view);
    if (h->bins)
        sm_hist_rebin(view.edges, view.counts, view.bins, edges, bins, y);
    for (size_t i = 0; i < bins; i++)
        sum += y[i];
    for (size_t i = 0; i < bins; i++) {
        x[i] = (edges[i] + edges[i + 1]) / 2;
        y[i] = sum > 0 ? y[i] / sum : 0;
    }
    return (struct sm_line_series){.x = x, .y = y, .n = h->bins ? bins : 0};
}

static bool draw_trial_hists(struct sm_call *c, struct sm_result *out, const struct trial_hists *a,
                             struct sm_err *err)
{
    struct sm_print_options o;
    sm_session_print_options(c->session, &o);
    int w = sm_plot_width(&o), h = 18;
    double *edges;
    if (!sm_plot_size_option(c, "w", SM_PLOT_MAX_W, &w, err) ||
        !sm_plot_size_option(c, "h", SM_PLOT_MAX_H, &h, err))
        return false;
    size_t bins = common_edges(c, a, &edges);
    struct sm_line_series *lines = sm_arena_xalloc(&c->arena, (a->n + 1) * sizeof *lines);
    for (size_t i = 0; i < a->n; i++) {
        struct sm_scalar_form form = sm_scalar_form(c->session->trials[a->items[i].trial].style, 0);
        lines[i] = share_line(c, &a->items[i].summary.histogram, edges, bins);
        lines[i].label = trial_label(c->session, out, &a->items[i]);
        lines[i].role = form.role;
        lines[i].dash = form.dash;
        lines[i].marker = form.marker;
    }
    struct sm_line_chart chart = {.series = lines,
                                  .n_series = a->n,
                                  .y_scale = sm_call_flag(c, "log") ? SM_Y_LOG : SM_Y_LINEAR,
                                  .x_unit = SM_X_VALUE,
                                  .legend = true,
                                  .cursor_x = (double)NAN};
    const char *name = sm_place_name(&a->items[0].place);
    sm_result_text(out, "%s: share of the elements in %zu bins",
                   sm_result_escape(out, name, strlen(name)), bins);
    struct sm_grid *g = sm_result_grid(out, w, h);
    sm_line_draw(g, (struct sm_rect){0, 0, w, h}, &chart, o.glyphs);
    if (a->without.len)
        sm_result_dim(out, "Not in %s.", sm_str_text(&a->without));
    return true;
}

bool sm_hist_trials(struct sm_call *c, struct sm_result *out, const struct sm_trial_set *trials,
                    const struct sm_summary_spec *spec, struct sm_err *err)
{
    struct trial_hists a = {0};
    bool ok = read_trial_hists(c, trials, spec, &a, err) && draw_trial_hists(c, out, &a, err);
    if (ok)
        add_trial_nodes(c->session, out, &a);
    clear_trial_hists(&a);
    return ok;
}
