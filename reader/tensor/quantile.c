/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/stats.h"

#include "reader/base/mem.h"
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

/* numpy's linear method: interpolates at position q * (n - 1) between the two order statistics
 * around it, from the nearer one; their difference is rounded to the tensor's type. */
static double at_quantile(const double *sorted, size_t n, double q, enum sm_dtype d)
{
    double place = q * (double)(n - 1), below = floor(place), t = place - below;
    size_t i = (size_t)below;
    double a = sorted[i], b = sorted[i + 1 < n ? i + 1 : i], distance = sm_round_to(d, b - a);
    return sm_quantile_between(a, distance, b, t);
}

/* As numpy.median: float16 is added up in float32, integers in float64. */
static double median(const double *sorted, size_t n, enum sm_dtype d)
{
    enum sm_dtype sums = d == SM_DTYPE_FLOAT16 ? SM_DTYPE_FLOAT32 : d;
    double low = sorted[(n - 1) / 2], high = sorted[n / 2];
    return n % 2 ? low : sm_round_to(d, sm_round_to(sums, low + high) / 2);
}

static double number_at(const double *sorted, size_t n, double q, enum sm_dtype d)
{
    return q == SM_MEDIAN ? median(sorted, n, d) : at_quantile(sorted, n, q, d);
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

bool sm_quantiles(const struct sm_tensor *t, bool absolute, const double *q, size_t n_q,
                  double *out, struct sm_err *err)
{
    enum sm_dtype_kind kind = sm_dtype_info(t->dtype)->kind;
    if (kind == SM_KIND_COMPLEX || kind == SM_KIND_STRING || kind == SM_KIND_OTHER)
        return sm_err_set(err, SM_ERR_USAGE, "no quantiles of %s elements",
                          sm_dtype_info(t->dtype)->name);
    double *x = t->n < SIZE_MAX / 2 / sizeof *x ? sm_alloc((size_t)t->n * 2 * sizeof *x) : NULL;
    if (!x)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for the quantiles of %llu elements",
                          (unsigned long long)t->n);
    size_t n = finite_of(t, absolute, x);
    const double *sorted = n ? sm_doubles_sort(x, x + n, n) : x;
    for (size_t i = 0; i < n_q; i++)
        out[i] = n ? number_at(sorted, n, q[i], t->dtype) : (double)NAN;
    sm_free(x);
    return true;
}
