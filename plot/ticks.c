/* SPDX-License-Identifier: Apache-2.0 */
/* Which values are marked on an axis, and their labels. */
#include "plot/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* m * 10^e. Dividing by an exact power gives the nearest decimal fraction: 3 / 10, not 3 * 0.1. */
static double power_of_ten(double m, int e)
{
    return e < 0 && e >= -300 ? m / pow(10, -e) : m * pow(10, e);
}

/* The multiples of m * 10^e within lo..hi, at most `most`; returns most + 1 if there are more. */
static size_t multiples(double lo, double hi, int m, int e, size_t most, double *out)
{
    double step = power_of_ten(m, e), slack = 1e-9 * (hi / step - lo / step);
    double first = ceil(lo / step - slack), last = floor(hi / step + slack);
    if (!(last - first < (double)SM_TICKS_MAX + 1)) /* also for NaN and inf */
        return most + 1;
    size_t n = 0;
    for (double k = first; k <= last && n <= most; k += 1) {
        if (n < most)
            out[n] = power_of_ten(k * m, e) + 0.0; /* no -0 */
        n++;
        if (k + 1 == k)
            break;
    }
    return n;
}

size_t sm_ticks_step(double lo, double hi, size_t most, double *out, double *step)
{
    static const int mantissa[] = {1, 2, 5};
    *step = 0;
    if (most > SM_TICKS_MAX)
        most = SM_TICKS_MAX;
    if (!most || !isfinite(lo) || !isfinite(hi) || lo > hi)
        return 0;
    out[0] = lo;
    if (!(hi / 2 - lo / 2 > 0))
        return 1;
    int e = (int)floor(log10(hi / 2 - lo / 2)) - 2;
    for (int i = 0; i < 12; i++) {
        size_t n = multiples(lo, hi, mantissa[i % 3], e + i / 3, most, out);
        if (n && n <= most) {
            *step = power_of_ten(mantissa[i % 3], e + i / 3);
            return n;
        }
        if (!n) /* dropped from several to none: only if one was requested */
            break;
    }
    out[0] = lo / 2 + hi / 2;
    *step = hi / 10 - lo / 10;
    return 1;
}

size_t sm_ticks(double lo, double hi, size_t most, double *out)
{
    double step;
    return sm_ticks_step(lo, hi, most, out, &step);
}

/* ---- labels ---- */

static int exponent_of(double v)
{
    return (int)floor(log10(fabs(v)) + 1e-6);
}

/* Like %.*f in the C locale, for 1e-4 <= |v| < 1e15, except that a value too small for the decimals
 * keeps one digit. At most 15 characters; drops decimals if longer. */
static void format_fixed(double v, int decimals, char out[16])
{
    int e = exponent_of(v), room = 15 - (v < 0) - (e > 0 ? e + 1 : 1) - 1;
    if (decimals > room)
        decimals = room;
    char text[32];
    sm_format_double(v, e + 1 + (decimals > 0 ? decimals : 0), text);
    if (strchr(text, 'e')) /* 9.8 became 10 */
        snprintf(text, sizeof text, "%.*f", decimals > 0 ? decimals : 0, v);
    size_t length = strlen(text);
    const char *point = strchr(text, '.');
    int missing = decimals - (point ? (int)strlen(point + 1) : 0);
    if (decimals > 0 && !point)
        text[length++] = '.';
    for (; missing > 0 && length < 15; missing--)
        text[length++] = '0'; /* %g dropped them */
    memcpy(out, text, length < 15 ? length : 15);
    out[length < 15 ? length : 15] = 0;
}

/* The shortest of 14000, 14k, 0.014M... that keeps the digits down to the step's. */
static void format_large(double v, int step_exponent, char out[16])
{
    static const char unit[] = "\0kMGT";
    format_fixed(v, -step_exponent, out);
    for (int i = 1; i <= 4 && fabs(v) >= pow(1000, i); i++) {
        char text[16];
        format_fixed(v / pow(1000, i), 3 * i - step_exponent, text);
        size_t length = strlen(text);
        if (length + 1 < strlen(out))
            snprintf(out, 16, "%.14s%c", text, unit[i]);
    }
}

/* %g with digits down to the step's; at most 15 characters: "-1.2345678e-300". */
static void format_scientific(double v, int step_exponent, char out[16])
{
    int digits = exponent_of(v) - step_exponent + 1;
    char text[32];
    sm_format_double(v, digits > 8 ? 8 : digits, text);
    memcpy(out, text, 15);
    out[15] = 0;
}

void sm_tick_label(double v, double spacing, char out[16])
{
    char text[32];
    bool exact = isfinite(spacing) && spacing > 0;
    if (v == 0 || !isfinite(v) || !exact) {
        sm_format_double(v == 0 ? 0 : v, 6, text);
        memcpy(out, text, 16);
        return;
    }
    int e = exponent_of(spacing);
    double size = fabs(v);
    if (size < 1e-4 || size >= 1e15)
        format_scientific(v, e, out);
    else if (size < 1e4)
        format_fixed(v, -e, out);
    else
        format_large(v, e, out);
}

/* "1e-3" instead of "1.0e-03", "1e16" instead of "1e+16". */
static void shorten_exponent(char *text)
{
    char *e = strchr(text, 'e'), *from;
    if (!e)
        return;
    from = e;
    while (memchr(text, '.', (size_t)(e - text)) && (from[-1] == '0' || from[-1] == '.'))
        if (*--from == '.')
            break;
    memmove(from, e, strlen(e) + 1);
    e = from;
    from = ++e;
    if (*from == '-')
        from = ++e;
    from += *from == '+';
    from += strspn(from, "0");
    memmove(e, *from ? from : from - 1, strlen(*from ? from : from - 1) + 1);
}

void sm_tick_label_scientific(double v, int digits, char out[16])
{
    char text[32];
    snprintf(text, sizeof text, "%.*e", digits < 0 ? 0 : digits > 6 ? 6 : digits, v);
    shorten_exponent(text);
    snprintf(out, 16, "%.15s", v == 0 ? "0" : text);
}

static int unit_of(double most)
{
    return most < 1e6 ? 1 : most < 1e9 ? 2 : most < 1e12 ? 3 : 4;
}

/* "1.5M" instead of "1.500M". */
static void drop_zeros(char *text)
{
    size_t n = strlen(text);
    while (strchr(text, '.') && (text[n - 1] == '0' || text[n - 1] == '.'))
        if (text[--n] == '.') {
            text[n] = 0;
            break;
        } else {
            text[n] = 0;
        }
}

static void label_in_unit(double v, int i, int step_exponent, char out[16])
{
    static const char unit[] = "\0kMGT";
    char text[16];
    format_fixed(v / pow(1000, i), 3 * i - step_exponent, text);
    drop_zeros(text);
    snprintf(out, 16, "%.14s%c", text, unit[i]);
}

void sm_tick_label_of(double v, double spacing, double most, double unit_from, char out[16])
{
    if (v == 0 || !isfinite(v) || !isfinite(spacing) || !(spacing > 0)) {
        sm_tick_label(v, spacing, out);
        return;
    }
    int e = exponent_of(spacing);
    if (most >= 1e15 || most < 1e-3) {
        sm_tick_label_scientific(v, exponent_of(v) - e, out);
    } else if (most >= unit_from && fabs(v) >= 1e-4 * most) {
        label_in_unit(v, unit_of(most), e, out);
    } else if (fabs(v) >= 0.99e-4) {
        format_fixed(v, -e, out);
    } else {
        snprintf(out, 16, "%.*f", e < -8 ? 8 : e > 0 ? 0 : -e, v);
    }
}

/* All in the unit of the largest; false if that needs more digits than the whole numbers. */
static bool label_units(const double *v, size_t n, double most, int step_exponent, char (*out)[16])
{
    static const char unit[] = "\0kMGT";
    int i = unit_of(most);
    int decimals = 3 * i - step_exponent < 3 * i ? 3 * i - step_exponent : 3 * i;
    if (step_exponent < 0 || 3 * i - step_exponent > 2)
        return false;
    decimals = decimals < 0 ? 0 : decimals;
    for (size_t k = 0; k < n; k++) {
        char text[16];
        format_fixed(v[k] == 0 ? 1 : v[k] / pow(1000, i), decimals, text);
        snprintf(out[k], 16, v[k] == 0 ? "0" : "%.14s%c", text, unit[i]);
    }
    return true;
}

static bool is_power(double v)
{
    double m = fabs(v) / pow(10, exponent_of(v));
    return fabs(m - round(m)) < 1e-9;
}

/* step 0: 1, 2 and 5 times powers of ten, or ends that are none. */
static void label_of_log(double v, bool wide, char out[16])
{
    if (wide)
        sm_tick_label_scientific(v, 1, out);
    else
        sm_tick_label(v, is_power(v) ? fabs(v) : fabs(v) / 10, out);
}

void sm_tick_labels(const double *v, size_t n, double step, char (*out)[16])
{
    double most = 0, least = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(v[i]));
        least = v[i] == 0 ? least : fmin(least, fabs(v[i]));
    }
    bool powers = !(step > 0), apart = !powers && least < step / 10 && most >= 1e4;
    int e = powers ? 0 : exponent_of(step);
    if (!powers && !apart && most >= 1e4 && most < 1e15 && label_units(v, n, most, e, out))
        return;
    for (size_t i = 0; i < n; i++) {
        /* an end at 0, which would need powers of ten beside digits */
        bool none = !powers && !apart && most >= 1e-3 && fabs(v[i]) < fmin(step / 2, 0.99e-4);
        if (none || v[i] == 0)
            memcpy(out[i], "0", 2);
        else if (powers)
            label_of_log(v[i], least < 1e-3 || most >= 1e4, out[i]);
        else if (most < 1e-3 || most >= 1e15 || apart)
            sm_tick_label_scientific(v[i], exponent_of(v[i]) - e, out[i]);
        else if (most >= 1e4 || fabs(v[i]) >= 0.99e-4)
            format_fixed(v[i], -e, out[i]);
        else
            snprintf(out[i], 16, "%.*f", e < -8 ? 8 : -e, v[i]);
    }
}
