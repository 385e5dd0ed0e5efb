/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_bad_at(const struct sm_track *t, int64_t step)
{
    size_t k = sm_point_at(t, step);
    return k < t->n && t->points[k].step == step &&
           (t->points[k].nan > 0 || t->points[k].infinite > 0);
}

/* "relu0_output_0" of "relu0_input_0", of the same worker and mode. */
static const struct sm_track *output_of(const struct sm_run_case *c, const struct sm_track *in)
{
    const char *name = sm_track_name(c->signals, in), *end = strstr(name, "_input_");
    for (size_t i = 0; end && i < c->signals->n; i++) {
        const struct sm_track *t = &c->signals->tracks[i];
        const char *other = sm_track_name(c->signals, t);
        size_t n = (size_t)(end - name);
        if (t->worker == in->worker && t->mode == in->mode && strncmp(other, name, n) == 0 &&
            strncmp(other + n, "_output_", strlen("_output_")) == 0)
            return t;
    }
    return NULL;
}

/* An activation that gives NaN or infinities for a finite input, first. */
static bool find_origin(const struct sm_run_case *c, struct sm_bad_place *out)
{
    for (size_t i = 0; i < c->signals->n; i++) {
        const struct sm_track *in = &c->signals->tracks[i];
        const struct sm_track *o = in->role == SM_PRE ? output_of(c, in) : NULL;
        for (size_t k = 0; o && k < o->n; k++) {
            const struct sm_track_point *p = &o->points[k];
            if ((out->track && p->step >= out->point->step) || !is_bad_at(o, p->step))
                continue;
            size_t at = sm_point_at(in, p->step);
            if (at < in->n && in->points[at].step == p->step && !is_bad_at(in, p->step))
                *out = (struct sm_bad_place){o, p, k ? o->points[k - 1].step : -1};
            break;
        }
    }
    return out->track != NULL;
}

/* Of a number that was logged there is more to say than how many of its elements are bad. */
static void add_number(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_bad_place *b = &c->bad;
    const char *what = b->point->nan > 0 ? "nan" : "infinite";
    double value = b->point->nan > 0 ? (double)NAN : (double)INFINITY;
    if (b->before >= 0)
        sm_claim_add(out, "series", b->track, b->point->step, value,
                     "%s at step %lld; finite before, at step %lld", what,
                     (long long)b->point->step, (long long)b->before);
    else
        sm_claim_add(out, "series", b->track, b->point->step, value,
                     "%s at step %lld, its first value", what, (long long)b->point->step);
}

static bool is_parameter(const struct sm_track *t)
{
    return t->role == SM_WEIGHT || t->role == SM_EMBEDDING || t->role == SM_SCALE ||
           t->role == SM_BIAS;
}

/* The first bad value of a parameter; where several are bad at that step, that of which the least
 * share is. *n: how many parameters are bad at that step. */
static struct sm_bad_place find_parameter(const struct sm_run_case *c, size_t *n)
{
    struct sm_bad_place first = {0};
    double least = 2;
    *n = 0;
    for (size_t i = 0; i < c->signals->n; i++) {
        const struct sm_track *t = &c->signals->tracks[i];
        size_t k = 0;
        while (is_parameter(t) && k < t->n && !(t->points[k].nan > 0 || t->points[k].infinite > 0))
            k++;
        if (!is_parameter(t) || k == t->n)
            continue;
        const struct sm_track_point *p = &t->points[k];
        double share = (double)(p->nan + p->infinite) / (double)t->size;
        if (first.track && p->step > first.point->step)
            continue;
        *n = first.track && p->step == first.point->step ? *n + 1 : 1;
        if (*n > 1 && share >= least)
            continue;
        least = share;
        first = (struct sm_bad_place){t, p, k ? t->points[k - 1].step : -1};
    }
    return first;
}

/* The first parameter that is bad, where the first bad value is another one. */
static void add_parameter(const struct sm_run_case *c, struct sm_claim *out)
{
    size_t n;
    struct sm_bad_place b = find_parameter(c, &n);
    char before[48] = "";
    if (!b.track || b.track == c->bad.track)
        return;
    if (b.before >= 0)
        snprintf(before, sizeof before, ", finite at step %lld", (long long)b.before);
    sm_claim_add(out, "tensor", b.track, b.point->step, (double)b.point->nan,
                 "%.0f NaN and %.0f infinite of %llu elements at step %lld%s; so %zu parameter%s",
                 (double)b.point->nan, (double)b.point->infinite, (unsigned long long)b.track->size,
                 (long long)b.point->step, before, n, n == 1 ? "" : "s");
}

/* The first NaN or infinity of the run is not in an input. Where only numbers such as losses were
 * saved, nobody can say whether it arises in the network, in the data or in the update. Other
 * causes that explain it come first. */
static void look_for_non_finite_value(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_bad_place *b = &c->bad;
    struct sm_bad_place origin = {0};
    if (!b->track || b->track->role == SM_INPUT || b->track->role == SM_LABELS)
        return;
    bool known = find_origin(c, &origin);
    sm_claim_make(out, known ? origin.track : b->track, b->point->step, b->before);
    out->doubtful = !known && (sm_input_is_unknown(c) || sm_has_numbers_alone(c));
    if (sm_has_numbers_alone(c)) {
        add_number(c, out);
        return;
    }
    if (known)
        sm_claim_add(out, "tensor", origin.track, origin.point->step, (double)origin.point->nan,
                     "%.0f NaN and %.0f infinite of %llu elements, from a finite input",
                     (double)origin.point->nan, (double)origin.point->infinite,
                     (unsigned long long)origin.track->size);
    if (!known && b->track->size <= 1)
        add_number(c, out);
    else if (!known || origin.track != b->track)
        sm_claim_add(out, "tensor", b->track, b->point->step, (double)b->point->nan,
                     "%.0f NaN and %.0f infinite of %llu elements, the first in write order",
                     (double)b->point->nan, (double)b->point->infinite,
                     (unsigned long long)b->track->size);
    if (!known)
        add_parameter(c, out);
}

const struct sm_cause sm_cause_non_finite_value = {
    .id = "non_finite_value",
    .title = "NaN or infinity that arises in the network",
    .attempt =
        {"Look at the operation that gives this tensor: a logarithm, root, division or overflow",
         "Add a small constant below the root or in the divisor; use float32 or scale the loss"},
    .explains = "*",
    .look = look_for_non_finite_value,
};
