/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/scale.h"

#include <math.h>

/* Halved first: the distance of the largest numbers must not overflow. */
double sm_range_place(double lo, double hi, double v)
{
    double range = hi / 2 - lo / 2;
    return range > 0 ? (v / 2 - lo / 2) / range : isfinite(v) ? 0.5 : v;
}

static double to_scale(const struct sm_scale *s, double v)
{
    switch (s->kind) {
    case SM_Y_LINEAR:
        break;
    case SM_Y_LOG:
        return isnan(v) ? v : v <= 0 ? -HUGE_VAL : log10(v);
    case SM_Y_SYMLOG:
        return copysign(log10(1 + fabs(v) / s->threshold), v);
    }
    return v;
}

void sm_scale_init(struct sm_scale *s, enum sm_y_scale kind, double lo, double hi)
{
    *s = (struct sm_scale){.kind = kind, .lo = lo, .hi = hi, .threshold = 1};
    double largest = fmax(fabs(lo), fabs(hi)), smallest = fmin(fabs(lo), fabs(hi));
    if (largest > 0)
        s->threshold = fmax(pow(10, floor(log10(largest)) - 3), 1e-300);
    if (smallest > 0 && (lo > 0) == (hi > 0))
        s->threshold = fmax(fmin(s->threshold, pow(10, floor(log10(smallest)))), 1e-300);
    s->from = to_scale(s, lo);
    s->to = to_scale(s, hi);
}

double sm_scale_place(const struct sm_scale *s, double v)
{
    return sm_range_place(s->from, s->to, to_scale(s, v));
}

/* Powers of ten from lo > 0 to hi, every n-th so that at most `most` remain; if few, also 2 and 5
 * times each. */
static size_t log_ticks(double lo, double hi, size_t most, double out[SM_TICKS_MAX])
{
    static const int all[] = {1, 2, 5};
    if (lo > hi)
        return 0;
    int first = (int)floor(log10(lo) + 1e-9), last = (int)floor(log10(hi) + 1e-9);
    int decades = last - first + 1, every = (int)(((size_t)decades + most - 1) / most);
    bool fine = (size_t)decades * 3 <= most;
    size_t n = 0;
    for (int e = first; e <= last; e++)
        for (int i = 0; i < (fine ? 3 : 1); i++) {
            double v = e < 0 && e > -300 ? all[i] / pow(10, -e) : all[i] * pow(10, e);
            if (v >= lo * (1 - 1e-9) && v <= hi * (1 + 1e-9) && (e - last) % every == 0 && n < most)
                out[n++] = v;
        }
    return n;
}

/* 0, and the powers of ten on both sides beyond the linear part. */
static size_t symlog_ticks(const struct sm_scale *s, size_t most, double out[SM_TICKS_MAX])
{
    double side[SM_TICKS_MAX];
    size_t n = 0, below = s->lo<-s->threshold, above = s->hi> s->threshold;
    size_t zero = s->lo <= 0 && s->hi >= 0, half = below && above ? (most - zero) / 2 : most - zero;
    size_t found =
        below && half ? log_ticks(fmax(s->threshold * 10, -fmin(s->hi, 0)), -s->lo, half, side) : 0;
    while (found)
        out[n++] = -side[--found];
    if (zero)
        out[n++] = 0;
    found =
        above && half ? log_ticks(fmax(s->threshold * 10, fmax(s->lo, 0)), s->hi, half, side) : 0;
    for (size_t i = 0; i < found; i++)
        out[n++] = side[i];
    return n;
}

size_t sm_scale_ticks(const struct sm_scale *s, size_t most, double out[SM_TICKS_MAX], double *step)
{
    *step = 0;
    if (most > SM_TICKS_MAX)
        most = SM_TICKS_MAX;
    if (!most)
        return 0;
    size_t n = 0;
    if (s->kind == SM_Y_LOG && s->lo < s->hi)
        n = log_ticks(s->lo, s->hi, most, out);
    else if (s->kind == SM_Y_SYMLOG && s->lo < s->hi)
        n = symlog_ticks(s, most, out);
    return n > 1 ? n : sm_ticks_step(s->lo, s->hi, most, out, step);
}
