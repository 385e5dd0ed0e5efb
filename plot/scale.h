/* SPDX-License-Identifier: Apache-2.0 */
/* Maps values to places between 0 and 1, and chooses ticks. */
#ifndef SM_SCALE_H
#define SM_SCALE_H

#include "plot/chart.h"

enum { SM_TICKS_MAX = 32 };

/* The position of v between lo (0) and hi (1), also beyond them; 0.5 if lo == hi; NaN for NaN. */
double sm_range_place(double lo, double hi, double v);

/* A log scale has no place for values at or below 0 (they become -inf). symlog is sign(v) * log10(1
 * + |v| / threshold): linear around 0, up to a thousandth of the largest end's power of ten, or, if
 * both ends are on one side of 0, up to the power of ten of the smaller one if that is less. */
struct sm_scale {
    enum sm_y_scale kind;
    double lo, hi, threshold;
    double from, to; /* lo and hi after the transformation */
};
/* finite, lo <= hi, > 0 if log */
void sm_scale_init(struct sm_scale *s, enum sm_y_scale kind, double lo, double hi);
double sm_scale_place(const struct sm_scale *s, double v);
/* Ticks of any scale, ascending. *step is their distance, for labels; 0 if each label has its own
 * digits. */
size_t sm_scale_ticks(const struct sm_scale *s, size_t most, double out[SM_TICKS_MAX],
                      double *step);

/* Like sm_ticks, with the distance of the ticks (0 if there are none). */
size_t sm_ticks_step(double lo, double hi, size_t most, double *out, double *step);

/* Ticks and labels along x: whole seconds, minutes, hours, days if x is a time. WALL is seconds
 * since the epoch, shown in the process's time zone. most: the largest |x| of the axis, of which
 * all labels have the notation: steps below a million have all their digits. */
size_t sm_x_ticks(enum sm_x_unit unit, double lo, double hi, size_t most, double out[SM_TICKS_MAX],
                  double *step);
void sm_x_label(enum sm_x_unit unit, double v, double step, double most, char out[16]);
/* Of a log axis of steps or values: "1e0 1e3 1e6" where plain digits need more than six. */
void sm_x_label_log(double v, double most, char out[16]);

#endif
