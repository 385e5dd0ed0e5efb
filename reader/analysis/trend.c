/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/trend.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TREND_MOST = 256 };

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle_of(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Orders v so that number k is what it were if v was sorted, none before it is above it, and none
 * behind it is below it. */
static void select_number(double *v, size_t n, size_t k)
{
    ptrdiff_t from = 0, to = (ptrdiff_t)n - 1, wanted = (ptrdiff_t)k;
    while (from < to) {
        double pivot = middle_of(v[from], v[from + (to - from) / 2], v[to]);
        ptrdiff_t i = from, j = to;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                double x = v[i];
                v[i++] = v[j];
                v[j--] = x;
            }
        }
        if (wanted > j && wanted < i)
            return;
        from = wanted >= i ? i : from;
        to = wanted <= j ? j : to;
    }
}

/* Changes the order of v. */
static double median_of(double *v, size_t n)
{
    if (!n)
        return (double)NAN;
    select_number(v, n, n / 2);
    if (n % 2)
        return v[n / 2];
    double below = v[0];
    for (size_t i = 1; i < n / 2; i++)
        below = v[i] > below ? v[i] : below;
    return (below + v[n / 2]) / 2;
}

static double *copy_of(const double *v, size_t n)
{
    double *copy = sm_xalloc((n + 1) * sizeof *copy);
    if (n)
        memcpy(copy, v, n * sizeof *copy);
    return copy;
}

double sm_median(const double *v, size_t n)
{
    double *copy = copy_of(v, n), m = median_of(copy, n);
    sm_free(copy);
    return m;
}

double sm_spread(const double *v, size_t n)
{
    double *copy = copy_of(v, n), m = median_of(copy, n);
    for (size_t i = 0; i < n; i++)
        copy[i] = fabs(copy[i] - m);
    double spread = 1.4826 * median_of(copy, n);
    sm_free(copy);
    return spread;
}

/* ---- two groups ---- */

struct ranked {
    double value;
    bool in_a;
};

static int compare_ranked(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
    return (x > y) - (x < y);
}

double sm_rank_z(const double *a, size_t n_a, const double *b, size_t n_b)
{
    size_t n = n_a + n_b;
    struct ranked *all = sm_xalloc((n + 1) * sizeof *all);
    double sum = 0, ties = 0;
    for (size_t i = 0; i < n; i++)
        all[i] = (struct ranked){i < n_a ? a[i] : b[i - n_a], i < n_a};
    qsort(all, n, sizeof *all, compare_ranked);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && all[to].value == all[from].value;)
            to++;
        double tied = (double)(to - from), rank = ((double)from + 1 + (double)to) / 2;
        ties += tied * tied * tied - tied;
        for (size_t i = from; i < to; i++)
            sum += all[i].in_a ? rank : 0;
    }
    sm_free(all);
    double x = (double)n_a, y = (double)n_b, m = (double)n;
    double variance = n < 2 ? 0 : x * y / 12 * (m + 1 - ties / (m * (m - 1)));
    return variance > 0 ? (sum - x * (m + 1) / 2) / sqrt(variance) : 0;
}

/* ---- one series ---- */

/* At most TREND_MOST numbers: medians of neighbours. The caller frees them; *each is how many
 * numbers each of them stands for. */
static double *thinned(const double *v, size_t *n, size_t *each)
{
    double *out = copy_of(v, *n);
    *each = (*n + TREND_MOST - 1) / TREND_MOST;
    if (*each < 2)
        return *each = 1, out;
    size_t kept = *n / *each;
    for (size_t i = 0; i < kept; i++)
        out[i] = median_of(out + i * *each, *each);
    *n = kept;
    return out;
}

double sm_trend_z(const double *v, size_t n)
{
    size_t each;
    double *x = thinned(v, &n, &each), m = (double)n, ties = 0;
    long score = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            score += (x[k] > x[i]) - (x[k] < x[i]);
    qsort(x, n, sizeof *x, compare_numbers);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && x[to] == x[from];)
            to++;
        double tied = (double)(to - from);
        ties += tied * (tied - 1) * (2 * tied + 5);
    }
    sm_free(x);
    double variance = (m * (m - 1) * (2 * m + 5) - ties) / 18;
    return variance > 0 ? (double)(score - (score > 0) + (score < 0)) / sqrt(variance) : 0;
}

double sm_trend_slope(const double *v, size_t n)
{
    size_t each, pairs = 0;
    double *x = thinned(v, &n, &each), *slopes = sm_xalloc((n * n / 2 + 1) * sizeof *slopes);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            slopes[pairs++] = (x[k] - x[i]) / (double)((k - i) * each);
    double slope = pairs ? median_of(slopes, pairs) : 0;
    sm_free(slopes);
    sm_free(x);
    return slope;
}
