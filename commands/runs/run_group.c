/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_group.h"

#include "commands/session/trial_list.h"
#include "reader/runs/run_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct member {
    const char *value;
    size_t row;
};

/* Text, or NULL; numbers as %.17g reads best: 0.001. */
static const char *text_of(const struct sm_session *s, const struct sm_run_row *row,
                           const char *key, struct sm_arena *arena)
{
    struct sm_run_value v;
    struct sm_text name = {key, strlen(key)};
    if (!sm_run_value_any(s, row, name, arena, &v) || v.type == SM_RUN_MISSING)
        return NULL;
    if (v.type == SM_RUN_TEXT || v.text.n)
        return sm_arena_xstrndup(arena, v.text.p, v.text.n);
    char text[32];
    sm_format_double(v.number, 6, text);
    return sm_arena_xstrndup(arena, text, strlen(text));
}

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int order = !x->value - !y->value;
    if (!order && x->value) {
        char *xe, *ye;
        double xv = strtod(x->value, &xe), yv = strtod(y->value, &ye);
        bool numbers = *x->value && *y->value && !*xe && !*ye;
        order = numbers ? (xv > yv) - (xv < yv) : 0;
        order = order ? order : sm_natural_cmp(x->value, y->value);
    }
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static bool same_value(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/* Welford's mean and variance; std is completed by end_spread. */
static void add_to_spread(struct sm_run_spread *x, double v)
{
    double from = v - x->mean;
    x->mean += from / (double)++x->n;
    x->std += from * (v - x->mean);
    x->lo = x->n == 1 ? v : fmin(x->lo, v);
    x->hi = x->n == 1 ? v : fmax(x->hi, v);
}

static void end_spread(struct sm_run_spread *x)
{
    x->std = x->n > 1 ? sqrt(x->std / (double)(x->n - 1)) : 0;
    if (!x->n)
        x->mean = x->std = x->lo = x->hi = (double)NAN;
}

static bool is_better(const struct sm_run_row *a, const struct sm_run_row *b, bool falls)
{
    return !b || (falls ? a->best < b->best : a->best > b->best);
}

bool sm_run_left_out(const struct sm_run_table *t, const struct sm_run_row *row)
{
    return sm_run_row_comparable(t, row) && sm_run_row_diverged(row);
}

/* The hyperparameters of a run that is in the table itself. */
static bool is_session(const struct sm_session *s, const struct sm_run_row *row)
{
    const struct sm_run_ref *ref = s->trials[row->trial].ref;
    return ref && ref->session;
}

static void add_run(struct sm_run_group *g, const struct sm_session *s,
                    const struct sm_run_row *row, const struct sm_run_table *t)
{
    bool known = sm_run_row_comparable(t, row);
    g->n += known || !is_session(s, row);
    if (!known)
        return;
    g->not_finite += !isfinite(row->newest);
    if (sm_run_left_out(t, row)) {
        g->diverged++;
        return;
    }
    add_to_spread(&g->newest, row->newest);
    if (!isfinite(row->best))
        return;
    add_to_spread(&g->best, row->best);
    if (is_better(row, g->top, sm_run_metric_falls(t->metric)))
        g->top = row;
}

size_t sm_run_groups(const struct sm_session *s, const struct sm_run_table *t, const char *key,
                     struct sm_arena *arena, struct sm_run_group **out, size_t **of)
{
    struct member *m = sm_arena_xalloc(arena, (t->n + 1) * sizeof *m);
    size_t n = 0, *group = sm_arena_xalloc(arena, (t->n + 1) * sizeof *group);
    struct sm_run_group *g = *out = sm_arena_xalloc(arena, (t->n + 1) * sizeof *g);
    for (size_t i = 0; i < t->n; i++)
        m[i] = (struct member){text_of(s, &t->rows[i], key, arena), i};
    qsort(m, t->n, sizeof *m, compare_members);
    for (size_t i = 0; i < t->n; i++) {
        if (!i || !same_value(m[i].value, m[i - 1].value))
            g[n++] = (struct sm_run_group){.value = m[i].value};
        add_run(&g[n - 1], s, &t->rows[m[i].row], t);
        group[m[i].row] = n - 1;
    }
    for (size_t i = 0; i < n; i++) {
        end_spread(&g[i].newest);
        end_spread(&g[i].best);
    }
    if (of)
        *of = group;
    return n;
}
