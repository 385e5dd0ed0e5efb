/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/spread.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

double sm_spread_quantile(const int64_t *x, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    double low = (double)x[i], high = (double)x[i + 1 < n ? i + 1 : i];
    return low + (high - low) * (at - (double)i);
}

void sm_spread_of(int64_t *x, size_t n, struct sm_spread *out)
{
    double squares = 0;
    *out = (struct sm_spread){.n = n};
    if (!n)
        return;
    qsort(x, n, sizeof *x, by_value);
    for (size_t i = 0; i < n; i++)
        out->sum += x[i];
    out->mean = (double)out->sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += ((double)x[i] - out->mean) * ((double)x[i] - out->mean);
    out->std = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
    out->min = x[0];
    out->max = x[n - 1];
    out->q25 = sm_spread_quantile(x, n, 0.25);
    out->q50 = sm_spread_quantile(x, n, 0.5);
    out->q75 = sm_spread_quantile(x, n, 0.75);
}
