/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"
#include "reader/base/smoother.h"

void sm_smooth(const double *y, size_t n, double weight, double *out)
{
    struct sm_smoother s;
    sm_smoother_init(&s, weight);
    for (size_t i = 0; i < n; i++)
        out[i] = sm_smoother_next(&s, y[i]);
}
