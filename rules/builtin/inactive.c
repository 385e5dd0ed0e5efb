/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/inactive.h"

#include <math.h>

struct sm_unit_axes sm_axes_of(const struct sm_tensor *t, bool channel)
{
    struct sm_unit_axes a = {1, t->n, 1};
    if (t->n_dims < 2 || !t->n)
        return a;
    a.outer = t->dims[0];
    a.units = channel ? t->dims[1] : t->n / t->dims[0];
    a.inner = t->n / a.outer / a.units;
    return a;
}

/* Samples are active if low <= x <= high. */
struct range {
    double low, high;
    float low_float, high_float; /* the same limits for float32 */
};

static struct range range_of(double low, double high)
{
    struct range r = {low, high, (float)low, (float)high};
    if ((double)r.low_float < low)
        r.low_float = nextafterf(r.low_float, INFINITY);
    if ((double)r.high_float > high)
        r.high_float = nextafterf(r.high_float, -INFINITY);
    return r;
}

enum { AT_ONCE = 8 }; /* length of inner loops that the compiler vectorises */

/* n elements, each of another unit: adds to to[0] ... to[n - 1]. */
static void count_each(const double *x, size_t n, const struct range *r, uint32_t *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] += (x[k] >= r->low) & (x[k] <= r->high);
}

static void count_each_float(const float *x, size_t n, const struct range *r, uint32_t *to)
{
    float low = r->low_float, high = r->high_float;
    size_t k = 0;
    for (; k + AT_ONCE <= n; k += AT_ONCE)
        for (size_t i = k; i < k + AT_ONCE; i++)
            to[i] += (x[i] >= low) & (x[i] <= high);
    for (; k < n; k++)
        to[k] += (x[k] >= low) & (x[k] <= high);
}

/* n elements of the same unit. */
static uint32_t count_all(const double *x, size_t n, const struct range *r)
{
    uint32_t count = 0;
    for (size_t k = 0; k < n; k++)
        count += (x[k] >= r->low) & (x[k] <= r->high);
    return count;
}

static uint32_t count_all_float(const float *x, size_t n, const struct range *r)
{
    uint32_t counts[AT_ONCE] = {0}, count = 0;
    float low = r->low_float, high = r->high_float;
    size_t k = 0;
    for (; k + AT_ONCE <= n; k += AT_ONCE)
        for (size_t i = 0; i < AT_ONCE; i++)
            counts[i] += (x[k + i] >= low) & (x[k + i] <= high);
    for (; k < n; k++)
        count += (x[k] >= low) & (x[k] <= high);
    for (size_t i = 0; i < AT_ONCE; i++)
        count += counts[i];
    return count;
}

/* A block of elements, as float64 or float32; the other pointer is NULL. */
struct elements {
    const double *wide;
    const float *floats;
};

/* Counts n elements starting at flat index `at`, in runs within one unit (inner > 1) or over
 * successive units (inner == 1). */
static void count_active(const struct elements *x, size_t n, uint64_t at,
                         const struct sm_unit_axes *a, const struct range *r, uint32_t *active)
{
    for (size_t i = 0, run; i < n; i += run) {
        uint64_t unit = (at + i) / a->inner % a->units;
        uint64_t left = a->inner == 1 ? a->units - unit : a->inner - (at + i) % a->inner;
        run = left < n - i ? (size_t)left : n - i;
        if (a->inner == 1 && x->floats)
            count_each_float(x->floats + i, run, r, active + unit);
        else if (a->inner == 1)
            count_each(x->wide + i, run, r, active + unit);
        else
            active[unit] +=
                x->floats ? count_all_float(x->floats + i, run, r) : count_all(x->wide + i, run, r);
    }
}

static void count_tensor(const struct sm_tensor *t, const struct sm_unit_axes *a,
                         const struct range *r, uint32_t *active)
{
    struct sm_elements e = sm_elements(t);
    double block[SM_BLOCK_ELEMENTS];
    float floats[SM_BLOCK_ELEMENTS];
    uint64_t at = 0;
    if (t->dtype == SM_DTYPE_FLOAT32) {
        for (size_t n; (n = sm_elements_floats(&e, at, floats)) > 0; at += n)
            count_active(&(struct elements){.floats = floats}, n, at, a, r, active);
        return;
    }
    for (size_t n; (n = sm_elements_read(&e, at, block)) > 0; at += n)
        count_active(&(struct elements){.wide = block}, n, at, a, r, active);
}

/* The smallest count that is at least the percentage of all. */
static uint32_t count_needed(double percent, double all)
{
    uint32_t c = (uint32_t)(percent / 100 * all);
    while (c && 100.0 * (c - 1) / all >= percent)
        c--;
    while (100.0 * c / all < percent)
        c++;
    return c;
}

void sm_measure_inactive(const struct sm_tensor *const *t, const double *args,
                         struct sm_numbers *out)
{
    struct sm_unit_axes a = sm_axes_of(t[0], args[SM_INACTIVE_CHANNEL] != 0);
    uint32_t *active = sm_alloc_zero((size_t)a.units + 1, sizeof *active);
    if (!active || !sm_numbers_alloc(out, 2)) {
        sm_free(active);
        return;
    }
    bool open = args[SM_INACTIVE_OPEN] != 0;
    struct range r =
        range_of(open ? nextafter(args[SM_INACTIVE_LOW], (double)INFINITY) : args[SM_INACTIVE_LOW],
                 open ? (double)INFINITY : args[SM_INACTIVE_HIGH]);
    uint64_t inactive = 0;
    count_tensor(t[0], &a, &r, active);
    uint32_t needed = count_needed(args[SM_INACTIVE_LEAST_PERCENT], (double)(a.outer * a.inner));
    for (uint64_t u = 0; u < a.units; u++)
        inactive += active[u] < needed;
    out->v[0] = (double)inactive;
    out->v[1] = (double)a.units;
    sm_free(active);
}

void sm_measure_zero_units(const struct sm_tensor *const *t, const double *args,
                           struct sm_numbers *out)
{
    struct sm_elements e = sm_elements(t[0]);
    struct sm_unit_axes a = sm_axes_of(t[0], args[0] != 0);
    double block[SM_BLOCK_ELEMENTS];
    if (!sm_numbers_alloc(out, (size_t)a.units))
        return;
    for (uint64_t u = 0; u < a.units; u++)
        out->v[u] = 1;
    uint64_t at = 0, unit = 0, within = 0;
    for (size_t n; (n = sm_elements_read(&e, at, block)) > 0; at += n)
        for (size_t i = 0; i < n; i++) {
            if (block[i] != 0)
                out->v[unit] = 0;
            if (++within == a.inner) {
                within = 0;
                unit = unit + 1 == a.units ? 0 : unit + 1;
            }
        }
}
