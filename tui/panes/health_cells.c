#include "tui/panes/health_cells.h"

#include <math.h>
#include <string.h>

enum { ASK_MOST = 256 }; /* new values requested per frame */

static const struct sm_trial_tensor *tensor_of(const struct sm_trial *t, uint32_t name)
{
    const struct sm_names *names = sm_trial_names(t);
    return sm_trial_find(t, sm_names_text(names, name), sm_names_length(names, name));
}

/* True if the statistic can be computed from the entry. */
static bool has_statistic(const struct sm_trial *t, const struct sm_entry *e,
                          const struct sm_statistic *x)
{
    return !sm_trial_part(t, e->part)->replaced &&
           (e->kind == SM_ENTRY_VALUE ||
            (e->kind == SM_ENTRY_REDUCTION && x->reduction != SM_REDUCE_NONE &&
             e->reduction == x->reduction));
}

static enum sm_health_cell cell_of_facts(const struct sm_facts *f, const struct sm_entry *e,
                                         const struct sm_statistic *x, double *v)
{
    const struct sm_stats *s = &f->stats;
    if (!f->has_stats || (e->kind == SM_ENTRY_VALUE && !sm_statistic_known(s, x)))
        return SM_HEALTH_NOTHING;
    if (x->reduction == SM_REDUCE_NONE)
        *v = sm_statistic_of(s, x);
    else if (s->nan || s->pos_inf || s->neg_inf)
        *v = s->nan ? (double)NAN : s->pos_inf ? (double)INFINITY : -(double)INFINITY;
    else if (s->n > 1 && s->zero == s->n)
        return SM_HEALTH_ZERO;
    else
        *v =
            e->kind == SM_ENTRY_REDUCTION ? sm_stats_get(s, SM_REDUCE_MEAN) : sm_statistic_of(s, x);
    return s->n ? SM_HEALTH_VALUE : SM_HEALTH_NOTHING;
}

/* The cell of a tensor at a step. Requests unknown values, at most *budget of them. */
static enum sm_health_cell read_cell(const struct sm_view *view, const struct sm_trial_tensor *x,
                                     struct sm_step step, const struct sm_statistic *statistic,
                                     double *v, size_t *budget)
{
    struct sm_trial *t = sm_session_trial(view->session);
    const struct sm_entry *e = sm_statistic_entry(t, x, step, view->session->at.worker, statistic);
    const struct sm_facts *f;
    struct sm_err err = {0};
    *v = 0;
    if (!e)
        return SM_HEALTH_NOTHING;
    if (!*budget)
        return SM_HEALTH_PENDING;
    if (sm_fetch_stats(view->session->fetch, t, e, &f, &err))
        return cell_of_facts(f, e, statistic, v);
    *budget -= err.code == SM_ERR_WAIT;
    return err.code == SM_ERR_WAIT ? SM_HEALTH_PENDING : SM_HEALTH_NOTHING;
}

/* Reads the newest value of each column. */
static void read_row(const struct sm_view *v, const struct sm_trial_tensor *x,
                     const struct sm_statistic *statistic, const struct sm_health_columns *columns,
                     double *out, uint8_t *cells, size_t *budget)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t i = 0;
    for (size_t c = 0; c < columns->n; c++) {
        size_t from = sm_health_column_from(columns, c),
               end = sm_health_column_from(columns, c + 1);
        int64_t first = sm_trial_step(t, from)->step.n, last = sm_trial_step(t, end - 1)->step.n,
                found = -1;
        for (; i < x->n_entries && sm_trial_part(t, x->entries[i].part)->step.n <= last; i++)
            if (sm_trial_part(t, x->entries[i].part)->step.n >= first &&
                has_statistic(t, &x->entries[i], statistic))
                found = sm_trial_part(t, x->entries[i].part)->step.n;
        cells[c] = SM_HEALTH_NOTHING;
        if (found >= 0)
            cells[c] =
                (uint8_t)read_cell(v, x, (struct sm_step){found}, statistic, &out[c], budget);
    }
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
    out->bad = sm_arena_xalloc(&out->arena, (n + 1) * sizeof *out->bad);
    out->labels = sm_arena_xalloc(&out->arena, (n + 1) * sizeof *out->labels);
    for (size_t i = 0; i < n; i++) {
        double *values = out->v + i * cols;
        uint8_t *cells = out->cells + i * cols;
        out->labels[i] = label_of(&out->arena, t, tensors[i]);
        read_row(v, tensor_of(t, tensors[i]), statistic, columns, values, cells, &budget);
        out->bad[i] = statistic->reduction != SM_REDUCE_NONE && is_bad(values, cells, cols);
    }
    read_columns(out, t, columns);
}

void sm_health_cells_clear(struct sm_health_cells *x)
{
    sm_arena_clear(&x->arena);
    *x = (struct sm_health_cells){0};
}
