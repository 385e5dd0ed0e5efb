/* SPDX-License-Identifier: Apache-2.0 */
/* What the causes ask of the signals, computed once. */
#ifndef SM_RUN_CASE_H
#define SM_RUN_CASE_H

#include "rules/verdict/track.h"

/* A loss, from its points: levels are medians over a tenth of the points, at least 3, at most 50.
 */
struct sm_loss_level {
    const struct sm_track *track; /* NULL: none was saved */
    size_t n;                     /* finite points */
    double first, start, end, best, worst;
    int64_t best_step;
    double chance;    /* of a network that ignores its input; NaN if it is not known */
    double reference; /* the lower one of start and chance */
    /* 1 - end / reference: 1 learned all, 0 nothing, below 0 it became worse. NaN: not enough
     * points. */
    double learned;
    double noise; /* standard deviation of the differences of points, robust, divided by sqrt(2) */
};
struct sm_bad_place { /* a value with NaN or infinities */
    const struct sm_track *track;
    const struct sm_track_point *point;
    int64_t before; /* the last step at which the same tensor was finite; -1: none */
};
struct sm_run_case {
    const struct sm_signals *signals;
    enum sm_mode mode; /* that trains */
    struct sm_loss_level loss, eval;
    struct sm_bad_place bad; /* the first of a known role in write order; track NULL: none */
    const struct sm_track **weights; /* of the first worker, in write order; roles WEIGHT */
    size_t n_weights;
    int64_t now_us;
};
void sm_run_case_init(struct sm_run_case *c, const struct sm_signals *g, int64_t now_us);
void sm_run_case_clear(struct sm_run_case *c);

/* Whether what is not learned yet means something: the run is over or silent, or had enough steps.
 */
bool sm_had_chance(const struct sm_run_case *c);
/* Whether nobody can say if an input was finite at the first NaN: inputs are saved, but not at that
 * step, nor activations that depend on them. */
bool sm_input_is_unknown(const struct sm_run_case *c);
/* Whether only single numbers were saved, as loggers do: losses, rates, norms; and what no cause
 * looks at, such as their images and histograms. */
bool sm_has_numbers_alone(const struct sm_run_case *c);
/* Whether a learning rate above zero was logged. */
bool sm_rate_is_logged(const struct sm_run_case *c);
/* The point of the loss at which it leaves its band upwards by far, and never comes back, or
 * becomes NaN; 0 if there is none. */
size_t sm_loss_jump(const struct sm_run_case *c);
/* own[SM_OWN_CHANGE] of point i by step; NaN if it is not known. */
double sm_update_ratio(const struct sm_track *t, size_t i);
/* The gradient of the parameter, NULL if it was not saved. */
const struct sm_track *sm_gradient_track(const struct sm_run_case *c, const struct sm_track *t);
/* Standard deviation of the elements of the point, from norm and size. */
double sm_point_scale(const struct sm_track *t, const struct sm_track_point *p);
/* The inputs of one unit: elements by the first axis; rows for an embedding. */
double sm_fan_in(const struct sm_track *t);
/* The first point at or after the step; n if there is none. */
size_t sm_point_at(const struct sm_track *t, int64_t step);

#endif
