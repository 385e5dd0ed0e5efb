/* From values to places between 0 and 1, and which values deserve a tick. */
#ifndef SM_SCALE_H
#define SM_SCALE_H

#include "plot/chart.h"

enum { SM_TICKS_MAX = 32 };

/* Where v lies between lo (0) and hi (1), also beyond them; the middle when lo == hi; NaN for NaN.
 */
double sm_range_place(double lo, double hi, double v);

/* A log scale has no place for values at or below 0 (they come out as -inf). symlog is
 * sign(v) * log10(1 + |v| / threshold): linear around 0, up to a thousandth of the largest end's
 * power of ten, or less where both ends lie on one side of 0: up to the power of ten of the smaller
 * one. */
struct sm_scale {
    enum sm_y_scale kind;
    double lo, hi, threshold;
    double from, to; /* lo and hi after the transformation */
};
/* finite, lo <= hi, > 0 if log */
void sm_scale_init(struct sm_scale *s, enum sm_y_scale kind, double lo, double hi);
double sm_scale_place(const struct sm_scale *s, double v);
/* Ticks of any scale, ascending. *step is their distance for labels, 0 when each label stands for
 * itself. */
size_t sm_scale_ticks(const struct sm_scale *s, size_t most, double out[SM_TICKS_MAX],
                      double *step);

/* sm_ticks that also tells the distance (0 without any tick). */
size_t sm_ticks_step(double lo, double hi, size_t most, double *out, double *step);

/* Ticks and labels along x: whole seconds, minutes, hours, days where x is a time. WALL is seconds
 * since the epoch and shown in the zone of the process. */
size_t sm_x_ticks(enum sm_x_unit unit, double lo, double hi, size_t most, double out[SM_TICKS_MAX],
                  double *step);
void sm_x_label(enum sm_x_unit unit, double v, double step, char out[16]);

#endif
