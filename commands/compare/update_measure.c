/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/update_measure.h"

#include "commands/session/work.h"
#include "reader/base/crc32c.h"
#include "reader/fetch/read_pair.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024 };

const char *sm_update_fate_name(enum sm_update_fate f)
{
    static const char *const names[] = {"moved",       "unchanged",  "zero",          "not finite",
                                        "other shape", "no numbers", "cannot be read"};
    return names[f];
}

struct updating {
    struct sm_work work;
    struct sm_tensor *a, *b;     /* whole, or */
    struct sm_pair_side from[2]; /* to be read in pieces */
    struct sm_update out;        /* sums of squares until the end */
    bool same, finite, numbers;  /* of all elements so far */
    struct sm_err err;
};

static bool is_number(const struct sm_tensor *t)
{
    enum sm_dtype_kind k = sm_dtype_info(t->dtype)->kind;
    return k == SM_KIND_FLOAT || k == SM_KIND_INT || k == SM_KIND_UINT || k == SM_KIND_BOOL ||
           k == SM_KIND_COMPLEX;
}

/* The type of the numbers in an element, and how many it has: a complex one has two. */
static enum sm_dtype number_of(enum sm_dtype d, size_t *n)
{
    *n = sm_dtype_info(d)->kind == SM_KIND_COMPLEX ? 2 : 1;
    return d == SM_DTYPE_COMPLEX64 ? SM_DTYPE_FLOAT32 : *n == 2 ? SM_DTYPE_FLOAT64 : d;
}

static bool has_same_shape(const struct sm_tensor *a, const struct sm_tensor *b)
{
    return a->n_dims == b->n_dims && memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0;
}

/* The sums of squares of a block. */
static void add_block(struct updating *u, const double *va, const double *vb, size_t n)
{
    double before = 0, after = 0, change = 0, sum = 0, bad = 0;
    for (size_t i = 0; i < n; i++) {
        before += va[i] * va[i];
        after += vb[i] * vb[i];
        change += (vb[i] - va[i]) * (vb[i] - va[i]);
        sum += vb[i];
        bad += (va[i] - va[i]) + (vb[i] - vb[i]); /* NaN for what is not finite */
    }
    u->finite = u->finite && bad == 0;
    u->out.before += before;
    u->out.after += after;
    u->out.change += change;
    u->out.sum += sum;
}

/* Elements of both, of the same shape. */
static void add_piece(void *ctx, const struct sm_tensor *a, const struct sm_tensor *b, uint64_t at)
{
    struct updating *u = ctx;
    double va[BLOCK], vb[BLOCK];
    size_t sa = sm_dtype_info(a->dtype)->size_bytes, sb = sm_dtype_info(b->dtype)->size_bytes;
    size_t ka, kb;
    enum sm_dtype na = number_of(a->dtype, &ka), nb = number_of(b->dtype, &kb);
    if (!at)
        u->numbers = is_number(a) && is_number(b) && ka == kb;
    for (uint64_t i = 0; u->numbers && i < a->n * ka && !atomic_load(&u->work.job.cancelled);
         i += BLOCK) {
        size_t n = a->n * ka - i < BLOCK ? (size_t)(a->n * ka - i) : BLOCK;
        sm_dtype_widen(na, a->data + i * (sa / ka), n, va);
        sm_dtype_widen(nb, b->data + i * (sb / kb), n, vb);
        add_block(u, va, vb, n);
    }
    size_t bytes = (size_t)a->n * sa; // 0 for text, which has no data here
    u->same = u->same && a->dtype == b->dtype && (!bytes || memcmp(a->data, b->data, bytes) == 0);
    u->out.crc = sm_crc32c_more(sm_crc32c_more(u->out.crc, a->data, a->n * sa), b->data, b->n * sb);
    u->out.n += a->n;
}

static void run_updating(struct sm_work *w)
{
    struct updating *u = (struct updating *)w;
    double time;
    bool ok = true;
    u->out = (struct sm_update){.fate = SM_UPDATE_OTHER_SHAPE};
    u->same = u->finite = u->numbers = true;
    if (!u->a)
        ok =
            sm_read_pair(&u->from[0], &u->from[1], &w->job.cancelled, add_piece, u, &time, &u->err);
    else if ((ok = has_same_shape(u->a, u->b)))
        add_piece(u, u->a, u->b, 0);
    if (!ok && u->a == NULL && u->err.code != SM_ERR_USAGE)
        u->out.fate = SM_UPDATE_UNREAD;
    if (!ok)
        return;
    u->out.fate = !u->numbers                ? SM_UPDATE_NO_NUMBERS
                  : !u->finite               ? SM_UPDATE_NOT_FINITE
                  : u->same && !u->out.after ? SM_UPDATE_ZERO
                  : u->same                  ? SM_UPDATE_UNCHANGED
                                             : SM_UPDATE_MOVED;
    u->out.before = sqrt(u->out.before);
    u->out.after = sqrt(u->out.after);
    u->out.change = sqrt(u->out.change);
}

static void free_updating(struct sm_work *w)
{
    struct updating *u = (struct updating *)w;
    sm_tensor_unref(u->a);
    sm_tensor_unref(u->b);
    sm_pair_side_clear(&u->from[0]);
    sm_pair_side_clear(&u->from[1]);
    sm_free(u);
}

/* Takes the result, if it is done. */
static bool take_update(struct sm_call *c, struct sm_update *out, struct updating *u, bool done)
{
    if (!done)
        return false;
    *out = u->out;
    sm_work_drop(&c->works, &u->work);
    return true;
}

bool sm_update_in_pieces(struct sm_call *c, struct sm_trial *t, const struct sm_entry *from,
                         const struct sm_entry *to, struct sm_update *out, bool *handled,
                         struct sm_err *err)
{
    struct updating *u = (struct updating *)sm_work_find(&c->works, out, NULL);
    struct sm_pair_side a, b;
    *handled = true;
    if (u)
        return take_update(c, out, u, sm_work_check_done(&u->work, err));
    *handled = sm_pair_side_of(t, from, &a);
    if (*handled && !(*handled = sm_pair_side_of(t, to, &b)))
        sm_pair_side_clear(&a);
    if (!*handled)
        return false;
    u = sm_xalloc_zero(1, sizeof *u);
    u->work = (struct sm_work){
        .run = run_updating, .free = free_updating, .what = out, .elements = from->length};
    u->from[0] = a;
    u->from[1] = b;
    bool done = sm_work_start(&c->works, &u->work, err);
    return done && take_update(c, out, u, true);
}

bool sm_update_whole(struct sm_call *c, struct sm_tensor *a, struct sm_tensor *b,
                     struct sm_update *out, struct sm_err *err)
{
    struct updating *u = (struct updating *)sm_work_find(&c->works, out, a);
    bool done;
    if (u) {
        sm_tensor_unref(a);
        sm_tensor_unref(b);
        done = sm_work_check_done(&u->work, err);
    } else {
        u = sm_xalloc_zero(1, sizeof *u);
        u->work = (struct sm_work){.run = run_updating,
                                   .free = free_updating,
                                   .what = out,
                                   .of = sm_tensor_ref(a),
                                   .elements = a->n};
        u->a = a;
        u->b = b;
        done = sm_work_start(&c->works, &u->work, err);
    }
    return done && take_update(c, out, u, true);
}
