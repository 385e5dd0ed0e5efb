/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare_moved.h"

#include <math.h>
#include <string.h>

/* Statistics of values that may be casts of one another agree to so much. */
static const double near = 0.02;

/* A side of a row that differs. */
struct side {
    struct sm_compare_row *row;
    struct sm_entry entry;
    bool known;
    double l2, sum, l1;
    uint64_t n;
};

static bool read_side(struct sm_call *c, const struct sm_place *of, const char *name,
                      struct sm_step step, struct side *s, struct sm_err *err)
{
    const struct sm_facts *facts;
    s->entry = sm_compare_entry(of, name, step);
    if (!sm_entry_exists(&s->entry))
        return true;
    if (!sm_fetch_stats(c->session->fetch, of->trial, &s->entry, &facts, err))
        return err->code != SM_ERR_WAIT;
    s->known = facts->has_stats && facts->stats.finite && facts->n > 1;
    s->l2 = facts->stats.l2;
    s->l1 = facts->stats.l1;
    s->sum = facts->stats.sum;
    s->n = facts->n;
    return true;
}

static bool may_be_same(const struct side *a, const struct side *b)
{
    return a->known && b->known && a->row != b->row && a->n == b->n &&
           fabs(a->l2 - b->l2) <= near * a->l2 && fabs(a->l1 - b->l1) <= near * a->l1 &&
           fabs(a->sum - b->sum) <= near * a->l1;
}

/* Compares the values of two sides. False with SM_ERR_WAIT. */
static bool compare_sides(struct sm_call *c, struct sm_compare *x, struct side *a,
                          const struct side *b, struct sm_err *err)
{
    struct sm_tensor *ta = NULL, *tb = NULL;
    struct sm_comparison at;
    struct sm_fetch *f = c->session->fetch;
    if (!sm_fetch_tensor(f, x->a.trial, &a->entry, &ta, err))
        return err->code != SM_ERR_WAIT;
    if (!sm_fetch_tensor(f, x->b.trial, &b->entry, &tb, err)) {
        sm_tensor_unref(ta);
        return err->code != SM_ERR_WAIT;
    }
    if (!sm_compare_values(c, x, b->row, ta, tb, &at, err))
        return false;
    if (at.likeness <= SM_LIKE_CLOSE)
        a->row->like = b->row->name_b;
    return true;
}

bool sm_compare_moved(struct sm_call *c, struct sm_compare *x, struct sm_err *err)
{
    struct side *a = sm_arena_xalloc(&c->arena, sizeof *a * 2 * SM_COMPARE_MOVED_MAX),
                *b = a + SM_COMPARE_MOVED_MAX;
    size_t n = 0;
    bool waits = false;
    for (size_t i = 0; i < x->n; i++) {
        struct sm_compare_row *row = &x->rows[i];
        if (row->why || sm_compare_likeness(row) != SM_LIKE_DIFFERENT)
            continue;
        if (n == SM_COMPARE_MOVED_MAX)
            return true;
        a[n] = b[n] = (struct side){.row = row};
        waits = !read_side(c, &x->a, row->name, row->step, &a[n], err) || waits;
        waits = !read_side(c, &x->b, row->name_b, row->other, &b[n], err) || waits;
        n++;
    }
    for (size_t i = 0; i < n && !waits; i++)
        for (size_t k = 0; k < n && !a[i].row->like && !waits; k++)
            waits = may_be_same(&a[i], &b[k]) && !compare_sides(c, x, &a[i], &b[k], err);
    return !waits;
}
