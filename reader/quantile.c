#include "reader/stats.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The finite elements, widened, of |x| if asked. NULL: no memory. */
static double *finite_of(const struct sm_tensor *t, bool absolute, size_t *n)
{
    double *x = t->n < SIZE_MAX / sizeof *x ? sm_alloc((size_t)t->n * sizeof *x) : NULL;
    *n = 0;
    if (!x)
        return NULL;
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    for (uint64_t i = 0; i < t->n; i++) {
        double v = sm_dtype_load(t->dtype, t->data + i * size);
        if (isfinite(v))
            x[(*n)++] = absolute ? fabs(v) : v;
    }
    return x;
}

/* numpy's linear method: position q * (n - 1) between the order statistics around it, from the nearer end. */
static double at_quantile(const double *sorted, size_t n, double q)
{
    double place = q * (double)(n - 1), floor_place = floor(place), t = place - floor_place;
    size_t i = (size_t)floor_place;
    double a = sorted[i], b = sorted[i + 1 < n ? i + 1 : i], d = b - a;
    return t < 0.5 ? a + d * t : b - d * (1 - t);
}

bool sm_quantiles(const struct sm_tensor *t, bool absolute, const double *q, size_t n_q, double *out, struct sm_err *err)
{
    enum sm_dtype_kind kind = sm_dtype_info(t->dtype)->kind;
    if (kind == SM_KIND_COMPLEX || kind == SM_KIND_STRING || kind == SM_KIND_OTHER)
        return sm_err_set(err, SM_ERR_USAGE, "no quantiles of %s elements", sm_dtype_info(t->dtype)->name);
    size_t n;
    double *x = finite_of(t, absolute, &n);
    if (!x)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for the quantiles of %llu elements", (unsigned long long)t->n);
    qsort(x, n, sizeof *x, compare);
    for (size_t i = 0; i < n_q; i++)
        out[i] = n ? at_quantile(x, n, q[i]) : (double)NAN;
    sm_free(x);
    return true;
}
