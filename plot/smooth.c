/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include <math.h>
#include <string.h>

static bool is_constant(const double *y, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (y[i] != y[0])
            return false;
    return n > 0 && y[0] == y[0];
}

void sm_smooth(const double *y, size_t n, double weight, double *out)
{
    if (!(weight > 0 && weight < 1) || is_constant(y, n)) {
        memmove(out, y, n * sizeof *y);
        return;
    }
    double last = 0, decay = 1; /* weight to the power of the number of points */
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(y[i])) {
            out[i] = y[i];
            continue;
        }
        last = last * weight + (1 - weight) * y[i];
        decay *= weight;
        out[i] = last / (1 - decay);
    }
}
