/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare_moved.h"

#include <math.h>
#include <string.h>

/* Statistics and first elements of values that may be casts of one another agree to so much: to
 * types of 16 bits and more, to smaller ones. Of tensors that are not the same, next to none pass,
 * so that few are compared. */
static const double near_large = 1.0 / 128, near_small = 1.0 / 8;
enum { COMPARED_MAX = 512 };

/* A side of a row that differs. */
struct side {
    struct sm_compare_row *row;
    struct sm_entry entry;
    bool known;
    double l2, min, max, first;
    enum sm_dtype dtype;
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
    s->min = facts->stats.min;
    s->max = facts->stats.max;
    s->dtype = facts->dtype;
    s->first = facts->n ? sm_dtype_load(facts->dtype, facts->first) : 0;
    s->n = facts->n;
    return true;
}

static bool is_near(double a, double b, double near)
{
    return fabs(a - b) <= near * fabs(a) || (isnan(a) && isnan(b)) || a == b;
}

static bool may_be_same(const struct side *a, const struct side *b)
{
    bool small = sm_dtype_stored_bits(a->dtype) <= 8 || sm_dtype_stored_bits(b->dtype) <= 8;
    double near = a->dtype == b->dtype ? 0 : small ? near_small : near_large;
    return a->known && b->known && a->row != b->row && a->n == b->n &&
           is_near(a->first, b->first, near) && is_near(a->min, b->min, near) &&
           is_near(a->max, b->max, near) && is_near(a->l2, b->l2, near);
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
    size_t n = 0, compared = 0;
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
            waits = may_be_same(&a[i], &b[k]) && compared++ < COMPARED_MAX &&
                    !compare_sides(c, x, &a[i], &b[k], err);
    return !waits;
}
