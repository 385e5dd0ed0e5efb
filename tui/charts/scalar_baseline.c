/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/scalar_baseline.h"

#include "commands/session/trial_list.h"

#include <math.h>

static const struct sm_line_series *baseline_of(const struct sm_view *v,
                                                const struct sm_scalar_lines *l, size_t i)
{
    const struct sm_line_series *first = NULL;
    size_t baseline;
    if (l->groups || !sm_trials_baseline(v->session, &baseline) || l->of[i].trial == baseline)
        return NULL;
    for (size_t k = 0; k < l->n; k++) {
        if (l->of[k].trial == baseline && l->of[k].mode == l->of[i].mode)
            return &l->lines[k];
        first = l->of[k].trial == baseline && l->of[k].first ? &l->lines[k] : first;
    }
    return first;
}

bool sm_scalar_difference(const struct sm_view *v, const struct sm_scalar_lines *l, size_t i,
                          enum sm_x_unit unit, double *mine, double *other)
{
    const struct sm_line_series *x = &l->lines[i], *base = baseline_of(v, l, i);
    if (!base)
        return false;
    double at = isfinite(l->cursor) ? l->cursor : x->x[x->n - 1];
    *other = unit == SM_X_WALL ? base->y[base->n - 1] : sm_line_value_at(base, at);
    *mine = sm_line_value_at(x, at);
    return !isnan(*other);
}
