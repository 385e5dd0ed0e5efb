/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks and labels along x: steps are numbers; seconds and wall-clock times use multiples of 60 and
 * days. */
#include "plot/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

/* False if t is outside the calendar's range. */
static bool local_time(double t, struct tm *out)
{
    if (!(fabs(t) < 1e11))
        return false;
    time_t seconds = (time_t)floor(t);
    return localtime_r(&seconds, out) != NULL;
}

/* The smallest usual distance that gives at most `most` ticks; from two days on, whole days in
 * ones, twos and fives. */
static double time_step(double lo, double hi, size_t most)
{
    static const int steps[] = {1,           2,           5,          10,         15,
                                30,          MINUTE,      2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
                                15 * MINUTE, 30 * MINUTE, HOUR,       2 * HOUR,   3 * HOUR,
                                6 * HOUR,    12 * HOUR,   DAY};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (floor(hi / steps[i]) - ceil(lo / steps[i]) + 1 <= (double)most)
            return steps[i];
    double days[SM_TICKS_MAX], step;
    sm_ticks_step(lo / DAY, hi / DAY, most, days, &step);
    return step * DAY;
}

/* `offset` shifts the multiples, so that days start at local midnight. */
static size_t time_ticks(double lo, double hi, double offset, size_t most, double *out,
                         double *step)
{
    if (hi - lo < 2)
        return sm_ticks_step(lo, hi, most, out, step);
    *step = time_step(lo + offset, hi + offset, most);
    size_t n = 0;
    for (double k = ceil((lo + offset) / *step); n < most && k * *step - offset <= hi; k += 1) {
        out[n++] = k * *step - offset;
        if (k + 1 == k)
            break;
    }
    return n;
}

size_t sm_x_ticks(enum sm_x_unit unit, double lo, double hi, size_t most, double out[SM_TICKS_MAX],
                  double *step)
{
    struct tm tm;
    if (most > SM_TICKS_MAX)
        most = SM_TICKS_MAX;
    bool is_time =
        (unit == SM_X_SECONDS || unit == SM_X_WALL) && most && hi - lo < 1e11 && fabs(lo) < 1e11;
    if (is_time && unit == SM_X_SECONDS)
        return time_ticks(lo, hi, 0, most, out, step);
    if (is_time && local_time(lo, &tm))
        return time_ticks(lo, hi, (double)tm.tm_gmtoff, most, out, step);
    size_t n = sm_ticks_step(lo, hi, most, out, step);
    if (unit == SM_X_STEP && *step > 0 && *step < 1) { /* no half steps */
        size_t whole = 0;
        for (size_t i = 0; i < n; i++)
            if (out[i] == floor(out[i]))
                out[whole++] = out[i];
        n = whole;
        *step = 1;
    }
    return n;
}

/* 42s 4m12s 3h05m 2d04h; a second part of 0 is omitted. */
static void seconds_label(double v, double step, char out[16])
{
    static const struct {
        int size, part;
        char name, part_name;
    } units[] = {{DAY, HOUR, 'd', 'h'}, {HOUR, MINUTE, 'h', 'm'}, {MINUTE, 1, 'm', 's'}};
    char text[64];
    if (fabs(v) < MINUTE || fabs(v) >= 1e8 || step < 1) {
        sm_tick_label(v, step, text);
        snprintf(out, 16, "%.14ss", text);
        return;
    }
    int all = (int)lround(fabs(v));
    size_t i = 0;
    while (i < 2 && all < units[i].size)
        i++;
    int n =
        snprintf(text, sizeof text, "%s%d%c", v < 0 ? "-" : "", all / units[i].size, units[i].name);
    int part = all % units[i].size / units[i].part;
    if (part)
        snprintf(text + n, sizeof text - (size_t)n, "%02d%c", part, units[i].part_name);
    snprintf(out, 16, "%.15s", text);
}

static void wall_label(double v, double step, char out[16])
{
    struct tm tm;
    if (!local_time(v, &tm)) {
        sm_tick_label(v, step, out);
        return;
    }
    bool midnight = tm.tm_hour == 0 && tm.tm_min == 0 && tm.tm_sec == 0;
    size_t n;
    if (step >= 365.0 * DAY)
        n = strftime(out, 16, "%Y-%m", &tm);
    else if (step >= DAY || midnight)
        n = strftime(out, 16, "%m-%d", &tm);
    else if (step >= MINUTE)
        n = strftime(out, 16, "%H:%M", &tm);
    else
        n = strftime(out, 16, step >= 1 || step <= 0 ? "%H:%M:%S" : "%M:%S", &tm);
    if (step > 0 && step < 1)
        n += (size_t)snprintf(out + n, 16 - n, ".%02d", (int)((v - floor(v)) * 100));
    out[n] = 0;
}

enum { STEP_UNIT_FROM = 1000000, VALUE_UNIT_FROM = 10000 };

void sm_x_label_log(double v, double most, char out[16])
{
    enum { DIGITS = 6 };
    if (most < STEP_UNIT_FROM)
        sm_tick_label_of(v, v == floor(v) ? 1 : fabs(v) / 1000, most, STEP_UNIT_FROM, out);
    else
        sm_tick_label_scientific(v, DIGITS, out);
}

void sm_x_label(enum sm_x_unit unit, double v, double step, double most, char out[16])
{
    if (unit == SM_X_SECONDS && isfinite(v))
        seconds_label(v, step, out);
    else if (unit == SM_X_WALL && isfinite(v))
        wall_label(v, step, out);
    else if (unit == SM_X_STEP)
        sm_tick_label_of(v, v == floor(v) && step < 1 ? 1 : step, most, STEP_UNIT_FROM, out);
    else
        sm_tick_label_of(v, step, most, VALUE_UNIT_FROM, out);
}
