/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/loss_runaway.h"

#include "reader/analysis/trend.h"
#include "reader/base/mem.h"

#include <math.h>

/* A loss that ends a hundred times above its start, and had fallen by a fifth: that of a term whose
 * weight grows, as in a VAE, has not fallen before, and no total of terms grows like that. */
static const double FAR = 100, FALLEN = 0.8;
/* Values up to this many times the best level are in its band. */
static const double BAND = 3;

/* The finite values up to the first that is not; their points are the first n of the track. */
static size_t finite_values(const struct sm_track *t, double *v)
{
    size_t n = 0;
    while (n < t->n && isfinite((double)t->points[n].mean)) {
        v[n] = (double)t->points[n].mean;
        n++;
    }
    return n;
}

/* The least median of `part` values in a row; *at is the place after them. */
static double best_level(double *v, size_t n, size_t part, double *scratch, size_t *at)
{
    double best = (double)INFINITY;
    for (size_t from = 0; from + part <= n; from += part) {
        for (size_t i = 0; i < part; i++)
            scratch[i] = v[from + i];
        double m = sm_median(scratch, part);
        if (m < best) {
            best = m;
            *at = from + part;
        }
    }
    return best;
}

struct sm_loss_runaway sm_loss_runaway(const struct sm_run_case *c)
{
    enum { LEAST = 10, PART_LEAST = 3, PART_MOST = 50 };
    const struct sm_track *t = c->loss.track;
    struct sm_loss_runaway out = {0};
    if (!t || t->n < LEAST)
        return out;
    double *v = sm_xalloc(2 * t->n * sizeof *v), *scratch = v + t->n;
    size_t n = finite_values(t, v), at = 0;
    size_t part = n / 10 < PART_LEAST ? PART_LEAST : n / 10 > PART_MOST ? PART_MOST : n / 10;
    if (n >= LEAST) {
        out.low = best_level(v, n, part, scratch, &at);
        for (size_t i = 0; i < part; i++)
            scratch[i] = v[n - part + i];
        out.end = sm_median(scratch, part);
    }
    bool away = n >= LEAST && out.low > 0 && out.low < FALLEN * c->loss.start &&
                out.end > FAR * c->loss.start;
    for (size_t i = at; away && i < n; i++)
        if (v[i] <= BAND * out.low)
            out.at = i + 1;
    out.at = !away || out.at == n ? 0 : out.at ? out.at : at;
    sm_free(v);
    return out;
}
