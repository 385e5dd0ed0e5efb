/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/stats.h"

#include "reader/base/mem.h"
#include "reader/tensor/quantile_pass.h"
#include "reader/tensor/rounding.h"

#include <math.h>

/* ---- radix sort, least significant digit first: its time does not depend on the data ---- */

enum { DIGIT_BITS = 11, DIGITS = 6, DIGIT_VALUES = 1 << DIGIT_BITS };

static size_t digit_of(double v, unsigned digit)
{
    return sm_double_key(v) >> digit * DIGIT_BITS & (DIGIT_VALUES - 1);
}

/* Stable sort from x to out by one digit. False: all have the same digit, nothing was moved. */
static bool sort_by_digit(const double *x, size_t n, unsigned digit, double *out)
{
    size_t place[DIGIT_VALUES] = {0}, before = 0;
    for (size_t i = 0; i < n; i++)
        place[digit_of(x[i], digit)]++;
    if (place[digit_of(x[0], digit)] == n)
        return false;
    for (size_t i = 0; i < DIGIT_VALUES; i++) {
        size_t here = place[i];
        place[i] = before;
        before += here;
    }
    for (size_t i = 0; i < n; i++)
        out[place[digit_of(x[i], digit)]++] = x[i];
    return true;
}

double *sm_doubles_sort(double *x, double *room, size_t n)
{
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        if (sort_by_digit(x, n, digit, room)) {
            double *sorted = room;
            room = x;
            x = sorted;
        }
    }
    return x;
}

/* ---- quantiles ---- */

enum { COUNTED_FROM = 32768 }; /* elements; fewer are sorted sooner */

/* Stores the finite elements in x, widened, as |x| if requested. Returns how many. */
static size_t finite_of(const struct sm_tensor *t, bool absolute, double *x)
{
    size_t n = 0;
    sm_dtype_widen(t->dtype, t->data, (size_t)t->n, x);
    for (uint64_t i = 0; i < t->n; i++)
        if (isfinite(x[i]))
            x[n++] = absolute ? fabs(x[i]) : x[i];
    return n;
}

void sm_quantile_places(size_t n, double q, size_t *below, size_t *above)
{
    size_t i = q == SM_MEDIAN ? (n - 1) / 2 : (size_t)floor(q * (double)(n - 1));
    *below = i;
    *above = q == SM_MEDIAN ? n / 2 : i + 1 < n ? i + 1 : i;
}

/* As numpy.median: float16 is added up in float32, integers in float64. */
static double median(size_t n, double low, double high, enum sm_dtype d)
{
    enum sm_dtype sums = d == SM_DTYPE_FLOAT16 ? SM_DTYPE_FLOAT32 : d;
    return n % 2 ? low : sm_round_to(d, sm_round_to(sums, low + high) / 2);
}

/* numpy's linear method: interpolates at position q * (n - 1) between the two order statistics
 * around it, from the nearer one; their difference is rounded to the tensor's type. */
double sm_quantile_at(size_t n, double q, double below, double above, enum sm_dtype d)
{
    double place = q * (double)(n - 1);
    if (q == SM_MEDIAN)
        return median(n, below, above, d);
    return sm_quantile_between(below, sm_round_to(d, above - below), above, place - floor(place));
}

static double number_at(const double *sorted, size_t n, double q, enum sm_dtype d)
{
    size_t below, above;
    sm_quantile_places(n, q, &below, &above);
    return sm_quantile_at(n, q, sorted[below], sorted[above], d);
}

bool sm_quantiles_of(double *x, size_t n, const double *q, size_t n_q, double *out)
{
    double *room = n && n < SIZE_MAX / sizeof *room ? sm_alloc(n * sizeof *room) : NULL;
    const double *sorted = room ? sm_doubles_sort(x, room, n) : NULL;
    for (size_t i = 0; i < n_q; i++)
        out[i] = sorted ? number_at(sorted, n, q[i], SM_DTYPE_FLOAT64) : (double)NAN;
    sm_free(room);
    return room || !n;
}

bool sm_quantile_type_ok(enum sm_dtype d, struct sm_err *err)
{
    enum sm_dtype_kind kind = sm_dtype_info(d)->kind;
    return (kind != SM_KIND_COMPLEX && kind != SM_KIND_STRING && kind != SM_KIND_OTHER) ||
           sm_err_set(err, SM_ERR_USAGE, "no quantiles of %s elements", sm_dtype_info(d)->name);
}

/* Counts instead of sorting. */
static bool count_quantiles(const struct sm_tensor *t, const struct sm_quantile_query *queries,
                            size_t n, struct sm_err *err)
{
    struct sm_quantile_pass *p = sm_quantile_pass_new(t->dtype, queries, n, err);
    bool more = p, ok = p;
    while (ok && more) {
        sm_quantile_pass_add(p, t->data, (size_t)t->n * sm_dtype_info(t->dtype)->size_bytes);
        ok = sm_quantile_pass_end(p, &more, err);
    }
    sm_quantile_pass_free(p);
    return ok;
}

static bool sort_quantiles(const struct sm_tensor *t, const struct sm_quantile_query *query,
                           struct sm_err *err)
{
    double *x = t->n < SIZE_MAX / 2 / sizeof *x ? sm_alloc((size_t)t->n * 2 * sizeof *x) : NULL;
    if (!x)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for the quantiles of %llu elements",
                          (unsigned long long)t->n);
    size_t n = finite_of(t, query->absolute, x);
    const double *sorted = n ? sm_doubles_sort(x, x + n, n) : x;
    for (size_t i = 0; i < query->n_q; i++)
        query->out[i] = n ? number_at(sorted, n, query->q[i], t->dtype) : (double)NAN;
    sm_free(x);
    return true;
}

bool sm_quantile_queries(const struct sm_tensor *t, const struct sm_quantile_query *queries,
                         size_t n, struct sm_err *err)
{
    bool ok = sm_quantile_type_ok(t->dtype, err), count = t->n >= COUNTED_FROM;
    for (size_t i = 0; i < n; i++)
        count = count && queries[i].n_q <= SM_QUANTILES_AT_ONCE;
    if (ok && count)
        return count_quantiles(t, queries, n, err);
    for (size_t i = 0; i < n && ok; i++)
        ok = sort_quantiles(t, &queries[i], err);
    return ok;
}

bool sm_quantiles(const struct sm_tensor *t, bool absolute, const double *q, size_t n_q,
                  double *out, struct sm_err *err)
{
    return sm_quantile_queries(t, &(struct sm_quantile_query){absolute, q, n_q, out}, 1, err);
}
