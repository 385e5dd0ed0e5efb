/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

static bool is_input(const struct sm_track *t)
{
    return t->role == SM_INPUT || t->role == SM_LABELS;
}

static const struct sm_track_point *first_bad_point(const struct sm_track *t)
{
    for (size_t k = 0; k < t->n; k++)
        if (t->points[k].nan > 0 || t->points[k].infinite > 0)
            return &t->points[k];
    return NULL;
}

/* The input that has NaN or infinities first, in the mode of the run's first ones. */
static const struct sm_track *find_input(const struct sm_run_case *c,
                                         const struct sm_track_point **p)
{
    const struct sm_track *found = NULL;
    for (size_t i = 0; i < c->signals->n; i++) {
        const struct sm_track *t = &c->signals->tracks[i];
        const struct sm_track_point *bad = is_input(t) ? first_bad_point(t) : NULL;
        if (!bad || (found && (*p)->step <= bad->step))
            continue;
        found = t;
        *p = bad;
    }
    return found;
}

/* The first NaN or infinity of the run is in an input; or inputs have them later, too, and that of
 * the first one was not saved. */
static void look_for_non_finite_input(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_track_point *p = NULL;
    const struct sm_track *t = c->bad.track ? find_input(c, &p) : NULL;
    if (!t || (!is_input(c->bad.track) && !sm_input_is_unknown(c)))
        return;
    sm_claim_make(out, t, c->bad.point->step, c->bad.before);
    sm_claim_add(out, "tensor", t, p->step, (double)p->nan,
                 "%.0f NaN and %.0f infinite of %llu elements of an input", (double)p->nan,
                 (double)p->infinite, (unsigned long long)t->size);
    if (c->bad.track != t)
        sm_claim_add(out, "tensor", c->bad.track, c->bad.point->step, (double)c->bad.point->nan,
                     "the first that was saved with %.0f NaN and %.0f infinite",
                     (double)c->bad.point->nan, (double)c->bad.point->infinite);
}

const struct sm_cause sm_cause_non_finite_input = {
    .id = "non_finite_input",
    .title = "non-finite input",
    .attempt = {"Find the samples with NaN or infinities and drop or repair them",
                "Check divisions and logarithms in the preprocessing"},
    .explains = "*",
    .look = look_for_non_finite_input,
};
