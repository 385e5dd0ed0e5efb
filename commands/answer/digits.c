/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/digits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 0 or d.ddd... * 10^exponent */
struct decimal {
    bool negative;
    char digits[24];
    int n, exponent;
};

/* Parses "-0.00125", "1.5e-07" or "12"; drops leading and trailing zeros, but keeps one digit of
 * zero. */
static void decimal_of_text(const char *s, struct decimal *d)
{
    int before = 0;
    bool point = false, started = false;
    *d = (struct decimal){.negative = *s == '-'};
    for (s += d->negative; *s && *s != 'e'; s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        started = started || *s != '0';
        if (started && d->n < (int)sizeof d->digits)
            d->digits[d->n++] = *s;
        if (started && !point)
            before++;
        else if (!started && point)
            before--;
    }
    d->exponent = before - 1 + (*s == 'e' ? atoi(s + 1) : 0);
    while (d->n && d->digits[d->n - 1] == '0')
        d->n--;
    if (!d->n) {
        d->digits[d->n++] = '0';
        d->exponent = 0;
    }
}

/* The nearest decimal with n significant digits. */
static void round_to(double v, int n, struct decimal *d)
{
    char text[32];
    sm_format_double(v, n, text);
    decimal_of_text(text, d);
    d->negative = signbit(v);
}

/* True if c reads as the float16 v > 0. A tie reads as v if the mantissa of v is even. */
static bool reads_as_half(double c, double v)
{
    int e = ilogb(v), least = -14;
    double gap = ldexp(0.5, (e < least ? least : e) - 10);
    /* neighbours below a power of two are closer */
    double below = e > least && v == ldexp(1, e) ? gap / 2 : gap;
    bool even = fmod(v / gap, 4) == 0;
    return even ? c >= v - below && c <= v + gap : c > v - below && c < v + gap;
}

/* Sets d to the nearest decimal of n digits that reads as v, or to the next one above it. Returns
 * false if neither reads as v. */
static bool try_half(double v, int n, struct decimal *d)
{
    char text[32];
    sm_format_double(v, n, text);
    decimal_of_text(text, d);
    double c = sm_parse_double(text, NULL);
    if (reads_as_half(c, v))
        return true;
    double up = c + pow(10, d->exponent - n + 1);
    if (c > v || !reads_as_half(up, v))
        return false;
    sm_format_double(up, n, text);
    decimal_of_text(text, d);
    return true;
}

/* sm_format_shortest (reader/base/str_number.c) supports float and double; for float16 this tries
 * increasing numbers of digits. */
static void shortest_decimal(double v, enum sm_float_type type, struct decimal *d)
{
    char text[32];
    if (type != SM_FLOAT_HALF || v == 0) {
        sm_format_shortest(v, type == SM_FLOAT_SINGLE, text);
        decimal_of_text(text, d);
    } else {
        int n = 1;
        while (!try_half(fabs(v), n, d) && n < 17)
            n++;
    }
    d->negative = signbit(v);
}

/* Rounds v to `precision` digits after the point. */
static void round_after_point(double v, int precision, struct decimal *d)
{
    struct decimal exact;
    round_to(v, 17, &exact);
    int keep = exact.exponent + 1 + precision;
    if (keep > 0) {
        round_to(v, keep, d);
        return;
    }
    bool up = keep == 0 && (exact.digits[0] > '5' || (exact.digits[0] == '5' && exact.n > 1));
    *d = (struct decimal){.negative = exact.negative,
                          .digits = {up ? '1' : '0'},
                          .n = 1,
                          .exponent = up ? -precision : 0};
}

static void add_positional(struct sm_str *out, const struct decimal *d)
{
    if (d->negative)
        sm_str_addc(out, '-');
    for (int i = 0; i <= d->exponent; i++)
        sm_str_addc(out, i < d->n ? d->digits[i] : '0');
    if (d->exponent < 0)
        sm_str_addc(out, '0');
    sm_str_addc(out, '.');
    for (int i = d->exponent + 1; i < d->n; i++)
        sm_str_addc(out, i >= 0 ? d->digits[i] : '0');
}

void sm_digits_positional(struct sm_str *out, double v, enum sm_float_type type, int precision,
                          bool exact)
{
    struct decimal all, cut;
    shortest_decimal(v, type, &all);
    int after = all.n - 1 - all.exponent;
    if (after < 0 && exact)
        precision = 0;
    else if (precision < 0 || after <= precision) {
        add_positional(out, &all);
        return;
    }
    round_after_point(v, precision, &cut);
    add_positional(out, &cut);
}

static void add_scientific(struct sm_str *out, const struct decimal *d, int after, int exp_digits)
{
    if (d->negative)
        sm_str_addc(out, '-');
    sm_str_addc(out, d->digits[0]);
    sm_str_addc(out, '.');
    for (int i = 1; i <= after; i++)
        sm_str_addc(out, i < d->n ? d->digits[i] : '0');
    sm_str_printf(out, "e%c%0*d", d->exponent < 0 ? '-' : '+', exp_digits < 2 ? 2 : exp_digits,
                  abs(d->exponent));
}

void sm_digits_scientific(struct sm_str *out, double v, enum sm_float_type type, int precision)
{
    struct decimal d;
    shortest_decimal(v, type, &d);
    if (precision >= 0 && d.n - 1 > precision)
        round_to(v, precision + 1, &d);
    add_scientific(out, &d, d.n - 1, 2);
}

void sm_digits_exponent(struct sm_str *out, double v, enum sm_float_type type, int precision,
                        int exp_digits)
{
    struct decimal d;
    shortest_decimal(v, type, &d);
    if (d.n - 1 != precision)
        round_to(v, precision + 1, &d);
    add_scientific(out, &d, precision, exp_digits);
}
