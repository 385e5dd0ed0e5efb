/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/health_cells.h"

#include "reader/analysis/step_values.h"

#include <math.h>
#include <string.h>

enum { ASK_MOST = 256 }; /* new values requested per frame */

static const struct sm_trial_tensor *tensor_of(const struct sm_trial *t, uint32_t name)
{
    const struct sm_names *names = sm_trial_names(t);
    return sm_trial_find(t, sm_names_text(names, name), sm_names_length(names, name));
}

static enum sm_health_cell cell_of_facts(const struct sm_facts *f, const struct sm_entry *e,
                                         const struct sm_statistic *x, double *v)
{
    const struct sm_stats *s = &f->stats;
    if (!f->has_stats || (e->kind == SM_ENTRY_VALUE && !sm_statistic_known(s, x)))
        return SM_HEALTH_NOTHING;
    *v = e->kind == SM_ENTRY_REDUCTION ? sm_stats_get(s, SM_REDUCE_MEAN) : sm_statistic_of(s, x);
    bool numbers = s->finite || s->nan || s->pos_inf || s->neg_inf; /* not if complex or empty */
    return s->n && (numbers || !isnan(*v)) ? SM_HEALTH_VALUE : SM_HEALTH_NOTHING;
}

/* One row while its cells are read. */
struct row_reader {
    const struct sm_view *view;
    const struct sm_trial_tensor *tensor;
    const struct sm_statistic *statistic;
    size_t *budget; /* values that may still be requested in this frame */
};

/* The cell of a value of which the brief does not have the statistic. */
static enum sm_health_cell read_facts_cell(const struct row_reader *r, const struct sm_entry *e,
                                           double *v)
{
    struct sm_session *s = r->view->session;
    const struct sm_facts *f;
    struct sm_err err = {0};
    if (!*r->budget)
        return SM_HEALTH_PENDING;
    if (sm_fetch_stats(s->fetch, sm_session_trial(s), e, &f, &err))
        return cell_of_facts(f, e, r->statistic, v);
    *r->budget -= err.code == SM_ERR_WAIT;
    return err.code == SM_ERR_WAIT ? SM_HEALTH_PENDING : SM_HEALTH_NOTHING;
}

static enum sm_health_cell known_cell(const struct row_reader *r, const struct sm_worst_value *w,
                                      double *v)
{
    int rank = sm_brief_rank(&w->brief);
    if (r->statistic->reduction == SM_REDUCE_NONE)
        return read_facts_cell(r, &w->entry, v);
    if (rank < 2 && w->brief.flags & SM_BRIEF_ALL_ZERO && !(w->brief.flags & SM_BRIEF_ONE))
        return SM_HEALTH_ZERO;
    *v = rank == 3  ? (double)NAN
         : rank < 2 ? sm_step_value_number(&w->entry, &w->brief, r->statistic)
         : w->brief.flags & SM_BRIEF_POS_INF ? HUGE_VAL
                                             : -HUGE_VAL;
    return rank >= 2 || !isnan(*v) ? SM_HEALTH_VALUE : read_facts_cell(r, &w->entry, v);
}

/* The cell of what stands for the steps of a column. While the rest is being read in the
 * background, a number is not final; where nothing was read, one value is requested at once. */
static enum sm_health_cell read_cell(const struct row_reader *r, const struct sm_worst_value *w,
                                     double *v)
{
    struct sm_session *s = r->view->session;
    struct sm_brief ignored;
    bool found = sm_entry_exists(&w->entry), unread = sm_entry_exists(&w->unread),
         bad = found && sm_brief_rank(&w->brief) >= 2;
    *v = 0;
    if (unread && !found && *r->budget) {
        --*r->budget;
        sm_fetch_brief(s->fetch, sm_session_trial(s), &w->unread, &ignored, NULL);
    }
    if (unread && !bad && (!found || sm_fetch_surveying(s->fetch, sm_session_trial(s))))
        return SM_HEALTH_PENDING;
    return found ? known_cell(r, w, v) : SM_HEALTH_NOTHING;
}

/* The steps of a row, with what is known of them from earlier frames. Without memory in *own, which
 * the caller clears. */
static struct sm_step_tree *row_steps(const struct sm_view *v, const struct sm_trial_tensor *x,
                                      const struct sm_statistic *statistic,
                                      struct sm_step_tree *own)
{
    struct sm_session *s = v->session;
    const struct sm_trial *t = sm_session_trial(s);
    const struct sm_step_values_spec spec = {
        .statistic = statistic, .worker = s->at.worker, .mode = SM_MODE_ANY};
    struct sm_step_tree *tree = sm_trends_tree(&s->cells, t, x->name, s->at.worker);
    tree = tree ? tree : own;
    sm_step_tree_update(tree, t, x, &spec, SM_MODE_ANY);
    return tree;
}

static size_t column_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                           const struct sm_health_columns *columns, size_t c)
{
    return sm_trial_entries_from(t, x, sm_trial_step(t, sm_health_column_from(columns, c))->step);
}

/* What stands for the steps of column c; *at is its first entry, and moves behind it. */
static struct sm_worst_value worst_of_column(struct sm_step_tree *steps, const struct sm_trial *t,
                                             const struct sm_trial_tensor *x,
                                             const struct sm_health_columns *columns, size_t c,
                                             size_t *at)
{
    size_t from = *at, last = sm_health_column_from(columns, c + 1) - 1;
    *at = sm_trial_entries_from(t, x, (struct sm_step){sm_trial_step(t, last)->step.n + 1});
    return sm_step_tree_worst(steps, from, *at, 0);
}

static void read_row(const struct row_reader *r, const struct sm_health_columns *columns,
                     double *out, uint8_t *cells, struct sm_entry *entries)
{
    const struct sm_trial *t = sm_session_trial(r->view->session);
    struct sm_step_tree own = {0}, *steps = row_steps(r->view, r->tensor, r->statistic, &own);
    size_t at = column_entry(t, r->tensor, columns, 0);
    for (size_t c = 0; c < columns->n; c++) {
        struct sm_worst_value w = worst_of_column(steps, t, r->tensor, columns, c, &at);
        cells[c] = (uint8_t)read_cell(r, &w, &out[c]);
        entries[c] = w.entry;
    }
    sm_step_tree_clear(&own);
}

int64_t sm_health_worst_step(const struct sm_view *v, const struct sm_statistic *statistic,
                             uint32_t tensor, const struct sm_health_columns *columns, size_t step)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    const struct sm_trial_tensor *x = tensor_of(t, tensor);
    size_t c = sm_health_column_of(columns, step), at = column_entry(t, x, columns, c);
    struct sm_step_tree own = {0}, *steps = row_steps(v, x, statistic, &own);
    struct sm_worst_value w = worst_of_column(steps, t, x, columns, c, &at);
    sm_step_tree_clear(&own);
    return sm_entry_exists(&w.entry) ? sm_trial_part(t, w.entry.part)->step.n
                                     : sm_trial_step(t, step)->step.n;
}

/* True for NaN or Inf in any cell, or if the newest cell is all zeros (new biases are zero). */
static bool is_bad(const double *v, const uint8_t *cells, size_t n)
{
    enum sm_health_cell last = SM_HEALTH_NOTHING;
    for (size_t i = 0; i < n; i++) {
        if (cells[i] == SM_HEALTH_VALUE && !isfinite(v[i]))
            return true;
        last = cells[i] != SM_HEALTH_NOTHING ? (enum sm_health_cell)cells[i] : last;
    }
    return last == SM_HEALTH_ZERO;
}

static const char *label_of(struct sm_arena *arena, const struct sm_trial *t, uint32_t tensor)
{
    struct sm_str label = {0};
    const char *name = sm_names_text(sm_trial_names(t), tensor);
    sm_str_add_escaped(&label, name, strlen(name));
    const char *text = sm_arena_xstrndup(arena, sm_str_text(&label), label.len);
    sm_str_clear(&label);
    return text;
}

static void read_columns(struct sm_health_cells *out, const struct sm_trial *t,
                         const struct sm_health_columns *columns)
{
    out->x = sm_arena_xalloc(&out->arena, (columns->n + 1) * sizeof *out->x);
    for (size_t c = 0; c < columns->n; c++)
        out->x[c] = (double)sm_trial_step(t, sm_health_column_from(columns, c))->step.n;
}

void sm_health_cells_read(struct sm_health_cells *out, const struct sm_view *v,
                          const struct sm_statistic *statistic, const uint32_t *tensors, size_t n,
                          const struct sm_health_columns *columns)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t cols = columns->n, budget = ASK_MOST;
    out->v = sm_arena_xalloc(&out->arena, (n * cols + 1) * sizeof *out->v);
    out->cells = sm_arena_xalloc(&out->arena, n * cols + 1);
    out->entries = sm_arena_xalloc(&out->arena, (n * cols + 1) * sizeof(struct sm_entry));
    out->bad = sm_arena_xalloc(&out->arena, (n + 1) * sizeof *out->bad);
    out->labels = sm_arena_xalloc(&out->arena, (n + 1) * sizeof *out->labels);
    for (size_t i = 0; i < n; i++) {
        double *values = out->v + i * cols;
        uint8_t *cells = out->cells + i * cols;
        out->labels[i] = label_of(&out->arena, t, tensors[i]);
        const struct row_reader r = {v, tensor_of(t, tensors[i]), statistic, &budget};
        if (cols)
            read_row(&r, columns, values, cells, out->entries + i * cols);
        out->bad[i] = statistic->reduction != SM_REDUCE_NONE && is_bad(values, cells, cols);
    }
    read_columns(out, t, columns);
}

void sm_health_cells_clear(struct sm_health_cells *x)
{
    sm_arena_clear(&x->arena);
    *x = (struct sm_health_cells){0};
}
