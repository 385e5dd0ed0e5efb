#include "tui/healthmap.h"

#include <math.h>

enum { LEVELS = 16 };

static const int statistics[] = {
    SM_REDUCE_MEAN | SM_REDUCE_ABS, SM_REDUCE_MAX | SM_REDUCE_ABS, SM_REDUCE_STD, SM_REDUCE_L2, SM_REDUCE_MEAN,
};
enum { STATISTICS = sizeof statistics / sizeof *statistics };

const char *sm_map_statistic(size_t i)
{
    return i < STATISTICS ? sm_reduction_name(statistics[i]) : NULL;
}

size_t sm_map_from(const struct sm_map_columns *m, size_t column)
{
    return m->columns ? (size_t)((double)m->steps * (double)column / (double)m->columns) : 0;
}

size_t sm_map_column(const struct sm_map_columns *m, size_t step_index)
{
    size_t c = m->steps ? (size_t)((double)m->columns * (double)step_index / (double)m->steps) : 0;
    while (c + 1 < m->columns && sm_map_from(m, c + 1) <= step_index)
        c++;
    return c;
}

static struct sm_map_cell cell_of(const struct sm_facts *f, int statistic)
{
    const struct sm_stats *s = &f->stats;
    if (!f->has_stats)
        return (struct sm_map_cell){SM_MAP_NOTHING, 0};
    if (s->nan)
        return (struct sm_map_cell){SM_MAP_NAN, 0};
    if (s->pos_inf || s->neg_inf)
        return (struct sm_map_cell){SM_MAP_INF, 0};
    if (s->n > 1 && s->zero == s->n)
        return (struct sm_map_cell){SM_MAP_ZERO, 0};
    return (struct sm_map_cell){s->finite ? SM_MAP_NUMBER : SM_MAP_NOTHING, sm_stats_get(s, statistic)};
}

static struct sm_map_cell ask(struct sm_session *s, const struct sm_trial_tensor *x, size_t entry, int statistic, size_t *budget)
{
    struct sm_trial *t = sm_session_trial(s);
    const struct sm_facts *f;
    struct sm_step step = sm_trial_part(t, x->entries[entry].part)->step;
    const struct sm_entry *e = sm_trial_entry(t, x, step, s->at.worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    struct sm_err err = {0};
    if (!e)
        return (struct sm_map_cell){SM_MAP_NOTHING, 0};
    if (!*budget)
        return (struct sm_map_cell){SM_MAP_AWAITED, 0};
    if (sm_fetch_stats(s->fetch, t, e, &f, &err))
        return cell_of(f, statistic);
    *budget -= err.code == SM_ERR_WAIT;
    return (struct sm_map_cell){err.code == SM_ERR_WAIT ? SM_MAP_AWAITED : SM_MAP_NOTHING, 0};
}

void sm_map_row(struct sm_session *s, const struct sm_trial_tensor *x, size_t statistic, const struct sm_map_columns *m,
                struct sm_map_cell *cells, size_t *budget)
{
    const struct sm_trial *t = sm_session_trial(s);
    size_t i = 0;
    for (size_t c = 0; c < m->columns; c++) {
        size_t end = sm_map_from(m, c + 1), found = x->n_entries;
        int64_t before = end < m->steps ? sm_trial_step(t, end)->step.n : INT64_MAX;
        for (; i < x->n_entries && sm_trial_part(t, x->entries[i].part)->step.n < before; i++)
            if (x->entries[i].kind == SM_ENTRY_VALUE && !sm_trial_part(t, x->entries[i].part)->replaced)
                found = i;
        cells[c] = (struct sm_map_cell){SM_MAP_NOTHING, 0};
        if (found < x->n_entries)
            cells[c] = ask(s, x, found, statistics[statistic % STATISTICS], budget);
    }
}

/* By magnitude; 0 has none. */
static double size_of(double v)
{
    return log10(fabs(v));
}

void sm_map_levels(const struct sm_map_cell *cells, size_t n, int *levels)
{
    double lo = INFINITY, hi = -INFINITY, least = log10(2);
    for (size_t i = 0; i < n; i++) {
        double v = cells[i].kind == SM_MAP_NUMBER ? size_of(cells[i].v) : NAN;
        if (isfinite(v)) {
            lo = fmin(lo, v);
            hi = fmax(hi, v);
        }
    }
    if (hi - lo < least) {
        double middle = (lo + hi) / 2;
        lo = middle - least / 2;
        hi = middle + least / 2;
    }
    for (size_t i = 0; i < n; i++) {
        double v = cells[i].kind == SM_MAP_NUMBER ? size_of(cells[i].v) : NAN;
        levels[i] = cells[i].kind == SM_MAP_NUMBER ? 0 : -1;
        if (isfinite(v))
            levels[i] = (int)fmax(0, fmin(LEVELS - 1, floor((v - lo) / (hi - lo) * LEVELS)));
    }
}
