/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/signal_measures.h"

#include <math.h>

void sm_measure_distance(const struct sm_tensor *const *t, const double *args,
                         struct sm_numbers *out)
{
    double now[SM_BLOCK_ELEMENTS], before[SM_BLOCK_ELEMENTS], moved = 0, size = 0;
    struct sm_elements a = sm_elements(t[0]), b = sm_elements(t[1]);
    bool same = sm_same_shape(t[0], t[1]);
    (void)args;
    if (!sm_numbers_alloc(out, 1))
        return;
    for (uint64_t at = 0; same && at < t[0]->n;) {
        size_t n = sm_elements_read(&a, at, now);
        if (sm_elements_read(&b, at, before) != n || !n)
            break;
        for (size_t i = 0; i < n; i++) {
            double d = now[i] - before[i];
            moved += d * d;
            size += before[i] * before[i];
        }
        at += n;
    }
    double ratio = moved == 0 ? 0 : sqrt(moved) / sqrt(size); /* inf if it was all zero */
    out->v[0] = same && isfinite(moved) && isfinite(size) ? ratio : (double)NAN;
}

/* Whether each element is that of row 0 in its column (by_row), or of column 0 in its row. */
static bool all_alike(const struct sm_tensor *t, uint64_t columns, bool by_row)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    for (uint64_t i = 0; i < t->n; i++) {
        uint64_t other = by_row ? i % columns : i - i % columns;
        double v = sm_dtype_load(t->dtype, t->data + i * size),
               w = sm_dtype_load(t->dtype, t->data + other * size);
        if (fabs(v - w) > 1e-6 * fabs(w))
            return false;
    }
    return true;
}

void sm_measure_alike(const struct sm_tensor *const *t, const double *args, struct sm_numbers *out)
{
    uint64_t rows = t[0]->n_dims > 1 ? t[0]->dims[0] : 0, columns = rows ? t[0]->n / rows : 0;
    (void)args;
    if (!sm_numbers_alloc(out, 1))
        return;
    out->v[0] = rows > 1 && columns > 1 &&
                (all_alike(t[0], columns, true) || all_alike(t[0], columns, false));
}

struct unit_axes {
    uint64_t units, inner; /* element i is of unit i / inner % units */
};

static struct unit_axes axes_of(const struct sm_tensor *t)
{
    unsigned n = t->n_dims;
    bool images = n > 2 && (n == 3 || t->dims[n - 1] == t->dims[n - 2]) && t->dims[1] > 0;
    if (n < 2)
        return (struct unit_axes){t->n ? t->n : 1, 1};
    if (n == 3 || !images) /* (batch, time, units), or units last */
        return (struct unit_axes){t->dims[n - 1], 1};
    return (struct unit_axes){t->dims[1], t->n / t->dims[0] / t->dims[1]};
}

void sm_measure_units(const struct sm_tensor *const *t, const double *args, struct sm_numbers *out)
{
    enum { ALIVE = 1, WORKING = 2 };
    struct unit_axes a = axes_of(t[0]);
    size_t size = sm_dtype_info(t[0]->dtype)->size_bytes;
    uint8_t *seen = a.units <= SIZE_MAX ? sm_alloc_zero((size_t)a.units, 1) : NULL;
    uint64_t dead = 0, saturated = 0, elements = 0;
    if (!seen || !sm_numbers_alloc(out, 3)) {
        sm_free(seen);
        return;
    }
    for (uint64_t i = 0; i < t[0]->n; i++) {
        double v = sm_dtype_load(t[0]->dtype, t[0]->data + i * size);
        elements += !(v > args[0] && v < args[1]);
        seen[i / a.inner % a.units] |=
            (uint8_t)((v != 0 ? ALIVE : 0) | (v > args[0] && v < args[1] ? WORKING : 0));
    }
    for (uint64_t k = 0; k < a.units; k++) {
        dead += !(seen[k] & ALIVE);
        saturated += !(seen[k] & WORKING);
    }
    sm_free(seen);
    out->v[0] = (double)dead / (double)a.units;
    out->v[1] = (double)saturated / (double)a.units;
    out->v[2] = t[0]->n ? (double)elements / (double)t[0]->n : 0;
}

struct moments {
    double n, mean, m2;
};

void sm_measure_features(const struct sm_tensor *const *t, const double *args,
                         struct sm_numbers *out)
{
    struct unit_axes a = axes_of(t[0]);
    size_t size = sm_dtype_info(t[0]->dtype)->size_bytes;
    struct moments *m = a.units <= SIZE_MAX ? sm_alloc_zero((size_t)a.units, sizeof *m) : NULL;
    double offset = 0, least = (double)INFINITY, most = 0;
    (void)args;
    if (!m || !sm_numbers_alloc(out, 3)) {
        sm_free(m);
        return;
    }
    for (uint64_t i = 0; i < t[0]->n; i++) {
        double v = sm_dtype_load(t[0]->dtype, t[0]->data + i * size);
        struct moments *u = &m[i / a.inner % a.units];
        if (!isfinite(v))
            continue;
        double d = v - u->mean;
        u->mean += d / ++u->n;
        u->m2 += d * (v - u->mean);
    }
    for (uint64_t k = 0; k < a.units; k++) {
        double std = m[k].n > 0 ? sqrt(m[k].m2 / m[k].n) : 0;
        if (std == 0)
            continue;
        offset = fmax(offset, fabs(m[k].mean) / std);
        least = fmin(least, std);
        most = fmax(most, std);
    }
    sm_free(m);
    out->v[0] = most > 0 ? offset : (double)NAN;
    out->v[1] = most > 0 ? least : 0;
    out->v[2] = most;
}
