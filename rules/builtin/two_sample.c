/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/two_sample.h"

#include <math.h>
#include <stdlib.h>

enum { DECILES = 10, EDGES_MAX = 2 * DECILES };
static const double least_share = 1e-4;

double sm_kolmogorov_p(double d, double n, double m)
{
    double x = 2 * d * d * n * m / (n + m), sum = 0, sign = 1;
    if (!(x > 0.08)) /* p > 1 - 1e-12, and the series would need many terms */
        return 1;
    for (int k = 1; k <= 40; k++, sign = -sign)
        sum += sign * exp(-x * k * k);
    return fmin(1, fmax(0, 2 * sum));
}

double sm_kolmogorov_d(double p, double n, double m)
{
    return sqrt(-log(p / 2) / 2 * (n + m) / (n * m));
}

static int by_value(const void *a, const void *b)
{
    double x = ((const struct sm_weighted *)a)->value, y = ((const struct sm_weighted *)b)->value;
    return (x > y) - (x < y);
}

/* Sorts the finite values to the front; returns their number. */
static size_t sort_finite(struct sm_weighted *x, size_t n, double *sum, double *effective)
{
    size_t kept = 0;
    double squares = 0;
    *sum = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i].value) && x[i].weight > 0) {
            *sum += x[i].weight;
            squares += x[i].weight * x[i].weight;
            x[kept++] = x[i];
        }
    qsort(x, kept, sizeof *x, by_value);
    *effective = kept ? *sum * *sum / squares : 0;
    return kept;
}

static double largest_distance(const struct sm_weighted *a, size_t n_a, double sum_a,
                               const struct sm_weighted *b, size_t n_b, double sum_b)
{
    double at_a = 0, at_b = 0, most = 0;
    for (size_t i = 0, j = 0; i < n_a && j < n_b;) {
        double v = a[i].value < b[j].value ? a[i].value : b[j].value;
        while (i < n_a && a[i].value <= v)
            at_a += a[i++].weight;
        while (j < n_b && b[j].value <= v)
            at_b += b[j++].weight;
        most = fmax(most, fabs(at_a / sum_a - at_b / sum_b));
    }
    return most;
}

/* The upper ends of all bins but the last, ascending: the deciles, and for a decile that comes
 * again also the number before it. */
static size_t bin_edges(const struct sm_weighted *a, size_t n, double sum, double *edges)
{
    size_t n_edges = 0, i = 0;
    double at = a[0].weight;
    for (int k = 1; k < DECILES; k++) {
        while (i + 1 < n && at < sum * k / DECILES * (1 - 1e-12))
            at += a[++i].weight;
        double v = a[i].value;
        bool again = n_edges && edges[n_edges - 1] == v;
        if (!again) {
            edges[n_edges++] = v;
        } else if (n_edges < 2 || edges[n_edges - 2] != nextafter(v, -(double)INFINITY)) {
            edges[n_edges - 1] = nextafter(v, -(double)INFINITY);
            edges[n_edges++] = v;
        }
    }
    return n_edges;
}

static void bin_shares(const struct sm_weighted *x, size_t n, double sum, const double *edges,
                       size_t n_edges, double *shares)
{
    size_t i = 0;
    for (size_t k = 0; k <= n_edges; k++) {
        double weight = 0;
        for (; i < n && (k == n_edges || x[i].value <= edges[k]); i++)
            weight += x[i].weight;
        shares[k] = fmax(weight / sum, least_share);
    }
}

void sm_two_sample(struct sm_weighted *a, size_t n_a, struct sm_weighted *b, size_t n_b,
                   struct sm_two_sample *out)
{
    double edges[EDGES_MAX], share_a[EDGES_MAX + 1], share_b[EDGES_MAX + 1], sum_a, sum_b;
    *out = (struct sm_two_sample){.p = 1};
    n_a = sort_finite(a, n_a, &sum_a, &out->n);
    n_b = sort_finite(b, n_b, &sum_b, &out->m);
    if (!n_a || !n_b)
        return;
    out->d = largest_distance(a, n_a, sum_a, b, n_b, sum_b);
    out->p = sm_kolmogorov_p(out->d, out->n, out->m);
    size_t n_edges = bin_edges(a, n_a, sum_a, edges);
    bin_shares(a, n_a, sum_a, edges, n_edges, share_a);
    bin_shares(b, n_b, sum_b, edges, n_edges, share_b);
    for (size_t k = 0; k <= n_edges; k++)
        out->psi += (share_b[k] - share_a[k]) * log(share_b[k] / share_a[k]);
    out->psi_chance = (double)n_edges * (1 / out->n + 1 / out->m);
}
