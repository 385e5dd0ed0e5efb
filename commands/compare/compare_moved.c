/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare_moved.h"

#include <math.h>
#include <string.h>

/* Statistics and first elements of values that may be casts of one another agree to so much: to
 * types of 16 bits and more, to smaller ones. Of tensors that are not the same, next to none pass,
 * so that few are compared. Sums in another order agree to near_turned. */
static const double near_large = 1.0 / 128, near_small = 1.0 / 8, near_turned = 1e-9;
enum { COMPARED_MAX = 4096 };

/* One side of a row that differs, or that has only this one. */
struct side {
    struct sm_compare_row *row;
    struct sm_entry entry;
    bool known, taken; /* taken: a row has been found that has these values */
    double l2, min, max, first;
    enum sm_dtype dtype;
    unsigned n_dims;
    uint64_t n, dims[2]; /* dims of a matrix */
};
/* Kept while the call waits. */
struct sm_compare_search {
    struct side *a, *b;
    size_t n_a, n_b;
    bool listed, read;
    /* the pair that is looked at, first those of one row, then all; and how many were compared */
    size_t i, k, compared;
    bool own_done, turned;
};

static bool has_other_shape(const struct sm_compare_row *r)
{
    return r->why && strcmp(r->why, "other shape") == 0;
}

static bool is_alone(const struct sm_compare_row *r)
{
    return r->in_a != r->in_b;
}

/* ---- shapes ---- */

/* False with SM_ERR_WAIT. */
static bool read_shape(struct sm_call *c, const struct sm_place *of, const char *name,
                       struct sm_step step, struct sm_compare_shape *out, struct sm_err *err)
{
    const struct sm_facts *facts;
    struct sm_entry e = sm_compare_entry(of, name, step);
    if (out->dims || !sm_entry_exists(&e))
        return true;
    if (!sm_fetch_head(c->session->fetch, of->trial, &e, &facts, err))
        return err->code != SM_ERR_WAIT;
    uint64_t *dims = sm_arena_xalloc(&c->arena, (facts->n_dims + 1) * sizeof *dims);
    for (unsigned i = 0; i < facts->n_dims; i++)
        dims[i] = facts->dims[i];
    *out = (struct sm_compare_shape){.dims = dims, .n_dims = facts->n_dims};
    return true;
}

static bool read_shapes(struct sm_call *c, struct sm_compare *x, struct sm_err *err)
{
    bool waits = false;
    for (size_t i = 0; i < x->n; i++) {
        struct sm_compare_row *r = &x->rows[i];
        if (!has_other_shape(r))
            continue;
        waits = !read_shape(c, &x->a, r->name, r->step, &r->shape_a, err) || waits;
        waits = !read_shape(c, &x->b, r->name_b, r->other, &r->shape_b, err) || waits;
    }
    return !waits;
}

/* ---- candidates ---- */

/* The last value of a side. */
static struct sm_entry last_entry(const struct sm_place *of, const char *name)
{
    const struct sm_trial_tensor *x = sm_trial_find(of->trial, name, strlen(name));
    if (of->step.n >= 0)
        return sm_compare_entry(of, name, of->step);
    for (size_t i = x ? x->n_entries : 0; i-- > 0;) {
        struct sm_entry e = sm_tensor_entry(of->trial, x, i);
        if (e.kind == SM_ENTRY_VALUE)
            return e;
    }
    return sm_entry_none();
}

static bool differs(const struct sm_compare_row *r)
{
    return sm_compare_likeness(r) == SM_LIKE_DIFFERENT || has_other_shape(r);
}

/* Two steps of one trial have their tensors in the same places. If all tensors have other values,
 * they are those of another training. */
static bool is_worth_it(const struct sm_compare *x)
{
    size_t apart = 0, same = 0, rows = 0;
    for (size_t i = 0; i < x->n; i++) {
        enum sm_likeness l = sm_compare_likeness(&x->rows[i]);
        apart += is_alone(&x->rows[i]) || has_other_shape(&x->rows[i]);
        same += l == SM_LIKE_EQUAL || l == SM_LIKE_CLOSE;
        rows += differs(&x->rows[i]) || is_alone(&x->rows[i]);
    }
    return x->a.trial != x->b.trial && (apart || same || rows <= SM_COMPARE_FEW) &&
           rows <= SM_COMPARE_MOVED_MAX;
}

static void list_sides(struct sm_call *c, struct sm_compare *x, struct sm_compare_search *s)
{
    s->listed = true;
    s->a = sm_arena_xalloc(&c->arena, (x->n + 1) * sizeof *s->a);
    s->b = sm_arena_xalloc(&c->arena, (x->n + 1) * sizeof *s->b);
    for (size_t i = 0; i < x->n && is_worth_it(x); i++) {
        struct sm_compare_row *r = &x->rows[i];
        bool both = differs(r);
        if (both || (is_alone(r) && r->in_a))
            s->a[s->n_a++] = (struct side){.row = r,
                                           .entry = both ? sm_compare_entry(&x->a, r->name, r->step)
                                                         : last_entry(&x->a, r->name)};
        if (both || (is_alone(r) && r->in_b))
            s->b[s->n_b++] =
                (struct side){.row = r,
                              .entry = both ? sm_compare_entry(&x->b, r->name_b, r->other)
                                            : last_entry(&x->b, r->name_b)};
    }
}

static bool read_side(struct sm_call *c, struct sm_trial *t, struct side *s, struct sm_err *err)
{
    const struct sm_facts *facts;
    if (s->known || !sm_entry_exists(&s->entry) || sm_entry_is_scalar(&s->entry))
        return true;
    if (!sm_fetch_stats(c->session->fetch, t, &s->entry, &facts, err))
        return err->code != SM_ERR_WAIT;
    s->known = facts->has_stats && facts->stats.finite && facts->n > 1;
    s->l2 = facts->stats.l2;
    s->min = facts->stats.min;
    s->max = facts->stats.max;
    s->dtype = facts->dtype;
    s->first = facts->n ? sm_dtype_load(facts->dtype, facts->first) : 0;
    s->n = facts->n;
    s->n_dims = facts->n_dims;
    for (unsigned i = 0; i < 2 && facts->n_dims == 2; i++)
        s->dims[i] = facts->dims[i];
    return true;
}

static bool read_sides(struct sm_call *c, struct sm_compare *x, struct sm_compare_search *s,
                       struct sm_err *err)
{
    bool waits = false;
    for (size_t i = 0; i < s->n_a; i++)
        waits = !read_side(c, x->a.trial, &s->a[i], err) || waits;
    for (size_t i = 0; i < s->n_b; i++)
        waits = !read_side(c, x->b.trial, &s->b[i], err) || waits;
    s->read = !waits;
    return s->read;
}

/* ---- pairs ---- */

static bool is_near(double a, double b, double near)
{
    return fabs(a - b) <= near * fabs(a) || (isnan(a) && isnan(b)) || a == b;
}

/* Whether the values may be the same; turned: with rows and columns exchanged. */
static bool may_be_same(const struct side *a, const struct side *b, bool turned)
{
    bool small = sm_dtype_stored_bits(a->dtype) <= 8 || sm_dtype_stored_bits(b->dtype) <= 8;
    double near = a->dtype != b->dtype ? (small ? near_small : near_large)
                  : turned             ? near_turned
                                       : 0;
    bool shapes = !turned || (a->n_dims == 2 && b->n_dims == 2 && a->dims[0] == b->dims[1] &&
                              a->dims[1] == b->dims[0] && a->dims[0] > 1 && a->dims[1] > 1);
    return a->known && b->known && shapes && a->n == b->n && is_near(a->first, b->first, near) &&
           is_near(a->min, b->min, near) && is_near(a->max, b->max, near) &&
           is_near(a->l2, b->l2, near);
}

/* Compares the values of two sides. False with SM_ERR_WAIT. */
static bool compare_sides(struct sm_call *c, struct sm_compare *x, struct side *a, struct side *b,
                          bool turned, struct sm_err *err)
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
    if (!sm_compare_values(c, x, b->row, ta, tb, turned, &at, err))
        return false;
    if (at.likeness > SM_LIKE_CLOSE)
        return true;
    a->row->like = a->row == b->row ? NULL : b->row->name_b;
    a->row->transposed = turned;
    a->taken = true;
    b->taken = true;
    b->row->found = b->row->found || a->row != b->row;
    return true;
}

static bool is_wanted(const struct sm_compare_search *s)
{
    const struct side *a = &s->a[s->i], *b = &s->b[s->k];
    if (a->taken || (b->taken && is_alone(b->row)))
        return false;
    return s->own_done ? a->row != b->row : a->row == b->row && s->turned;
}

/* The next pair; false behind the last one. Of each the values as they are come first. */
static bool advance(struct sm_compare_search *s)
{
    s->turned = !s->turned;
    if (s->turned)
        return true;
    if (++s->k == s->n_b) {
        s->k = 0;
        s->i++;
    }
    if (s->i == s->n_a && !s->own_done) {
        s->own_done = true;
        s->i = 0;
    }
    return s->i < s->n_a;
}

static bool look_at_pairs(struct sm_call *c, struct sm_compare *x, struct sm_compare_search *s,
                          struct sm_err *err)
{
    bool more = s->n_a && s->n_b && s->i < s->n_a;
    while (more && s->compared < COMPARED_MAX) {
        if (is_wanted(s) && may_be_same(&s->a[s->i], &s->b[s->k], s->turned)) {
            if (!compare_sides(c, x, &s->a[s->i], &s->b[s->k], s->turned, err))
                return false;
            s->compared++;
        }
        more = advance(s);
    }
    return true;
}

bool sm_compare_moved(struct sm_call *c, struct sm_compare *x, struct sm_err *err)
{
    if (!x->search)
        x->search = memset(sm_arena_xalloc(&c->arena, sizeof *x->search), 0, sizeof *x->search);
    struct sm_compare_search *s = x->search;
    if (!read_shapes(c, x, err))
        return false;
    if (!s->listed)
        list_sides(c, x, s);
    return (s->read || read_sides(c, x, s, err)) && look_at_pairs(c, x, s, err);
}
