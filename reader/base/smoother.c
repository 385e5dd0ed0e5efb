/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/smoother.h"

#include <math.h>

void sm_smoother_init(struct sm_smoother *s, double weight)
{
    *s = (struct sm_smoother){.weight = weight > 0 && weight < 1 ? weight : 0};
}

double sm_smoother_next(struct sm_smoother *s, double y)
{
    if (!(s->weight > 0) || !isfinite(y))
        return y;
    s->first = s->begun ? s->first : y;
    s->varies = s->varies || y != s->first;
    s->last = s->last * s->weight + (1 - s->weight) * y;
    s->decay = (s->begun ? s->decay : 1) * s->weight;
    s->begun = true;
    return s->varies ? s->last / (1 - s->decay) : y;
}
