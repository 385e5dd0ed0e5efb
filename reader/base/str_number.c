/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers to text and back, in the C locale whatever locale the process runs in. */
#include "reader/base/str.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t get_c_locale(void)
{
    pthread_once(&c_locale_once, make_c_locale);
    return c_locale;
}

__attribute__((format(printf, 3, 4))) static int print_c(char *out, size_t size, const char *fmt,
                                                         ...)
{
    va_list ap;
    va_start(ap, fmt);
    locale_t before = uselocale(get_c_locale());
    int n = vsnprintf(out, size, fmt, ap);
    uselocale(before);
    va_end(ap);
    return n;
}

double sm_parse_double(const char *s, char **end)
{
    return strtod_l(s, end, get_c_locale());
}

static bool format_special(double v, char *out)
{
    if (isfinite(v))
        return false;
    strcpy(out, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
    return true;
}

void sm_format_double(double v, int digits, char out[32])
{
    if (!format_special(v, out))
        print_c(out, 32, "%.*g", digits < 1 ? 1 : digits > 17 ? 17 : digits, v);
}

void sm_format_fit(double v, int digits, int w, char out[32])
{
    sm_format_double(v, digits, out);
    while (--digits > 0 && (int)strlen(out) > w)
        sm_format_double(v, digits, out);
}

/* ---- shortest form ---- */

/* d.ddd * 10^exponent, n digits. */
struct decimal {
    char digits[20];
    int n, exponent;
};

/* v > 0, correctly rounded to n digits. */
static void to_decimal(double v, int n, struct decimal *d)
{
    char text[32];
    print_c(text, sizeof text, "%.*e", n - 1, v);
    d->n = n;
    d->digits[0] = text[0];
    memcpy(d->digits + 1, text + 2, (size_t)n - 1);
    d->exponent = atoi(strchr(text, 'e') + 1);
}

static void next_up(struct decimal *d)
{
    int i = d->n - 1;
    while (i >= 0 && d->digits[i] == '9')
        d->digits[i--] = '0';
    if (i >= 0) {
        d->digits[i]++;
    } else {
        d->digits[0] = '1';
        d->exponent++;
    }
}

static bool reads_back(const struct decimal *d, double v, bool single)
{
    char text[40];
    snprintf(text, sizeof text, "%.*se%d", d->n, d->digits, d->exponent - (d->n - 1));
    if (single)
        return strtof_l(text, NULL, get_c_locale()) == (float)v;
    return strtod_l(text, NULL, get_c_locale()) == v;
}

/* Whether n digits are enough. The nearest decimal is almost always the one that reads back; at a
 * power of two the interval above is twice as wide as the one below, and the next decimal up may be
 * the one (2^-44). */
static bool try_digits(double v, bool single, int n, struct decimal *d)
{
    to_decimal(v, n, d);
    if (reads_back(d, v, single))
        return true;
    next_up(d);
    return reads_back(d, v, single);
}

/* Like Python's repr: exponents below 1e-4 and from 1e16 on. */
static void lay_out_decimal(const struct decimal *d, const char *sign, char out[32])
{
    int n = d->n, e = d->exponent;
    if (e < -4 || e >= 16)
        snprintf(out, 32, "%s%c%s%.*se%+03d", sign, d->digits[0], n > 1 ? "." : "", n - 1,
                 d->digits + 1, e);
    else if (e < 0)
        snprintf(out, 32, "%s0.%.*s%.*s", sign, -e - 1, "000", n, d->digits);
    else if (n <= e + 1)
        snprintf(out, 32, "%s%.*s%.*s", sign, n, d->digits, e + 1 - n, "0000000000000000");
    else
        snprintf(out, 32, "%s%.*s.%.*s", sign, e + 1, d->digits, n - e - 1, d->digits + e + 1);
}

void sm_format_shortest(double v, bool single, char out[32])
{
    if (single)
        v = (double)(float)v;
    if (format_special(v, out))
        return;
    const char *sign = signbit(v) ? "-" : "";
    struct decimal d = {.digits = "0", .n = 1};
    if (v != 0) {
        /* `high` digits are enough, fewer than `low` are not */
        int low = 1, high = single ? 9 : 17;
        while (low < high) {
            int middle = (low + high) / 2;
            if (try_digits(fabs(v), single, middle, &d))
                high = middle;
            else
                low = middle + 1;
        }
        try_digits(fabs(v), single, high, &d);
    }
    lay_out_decimal(&d, sign, out);
}

/* ---- units ---- */

void sm_format_bytes(uint64_t size_bytes, char out[16])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double v = (double)size_bytes;
    size_t unit = 0;
    for (; v >= (unit ? 1023.95 : 1024) && unit + 1 < sizeof units / sizeof *units; unit++)
        v /= 1024; /* 1023.95 would round to 1024.0 */
    print_c(out, 16, "%.*f %s", unit ? 1 : 0, v, units[unit]);
}

void sm_format_bytes_short(uint64_t size_bytes, char out[16])
{
    double v = (double)size_bytes;
    size_t unit = 0;
    for (; v >= (unit ? 1023.5 : 1024) && unit < 6; unit++)
        v /= 1024;
    print_c(out, 16, "%.*f%.1s", unit && v < 99.95 ? 1 : 0, v, &"KMGTPE"[unit ? unit - 1 : 6]);
}

void sm_format_duration(int64_t us, char out[16])
{
    long long s = us / 1000000;
    if (us < 9950000)
        print_c(out, 16, "%.1f s", us > 0 ? (double)us / 1e6 : 0);
    else if (s < 60)
        print_c(out, 16, "%lld s", us < 10000000 ? 10 : s);
    else if (s < 3600)
        print_c(out, 16, "%lldm%02llds", s / 60, s % 60);
    else if (s < 86400)
        print_c(out, 16, "%lldh%02lldm", s / 3600, s / 60 % 60);
    else
        print_c(out, 16, "%lldd%02lldh", s / 86400, s / 3600 % 24);
}

void sm_format_age(int64_t us, char out[16])
{
    enum { SECOND = 1000000, MINUTE = 60, HOUR = 3600 };
    int64_t s = us > 0 ? us / SECOND : 0;
    if (s < MINUTE)
        print_c(out, 16, "%lld s", (long long)s);
    else if (s < HOUR)
        print_c(out, 16, "%lld min", (long long)(s / MINUTE));
    else
        sm_format_duration(us, out);
}

void sm_format_nanoseconds(double ns, char out[16])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double v = ns < 0 ? -ns : ns;
    int unit = 0;
    for (; unit < 3 && v >= 999.5; unit++)
        v /= 1000;
    if (unit == 3 && v >= 99.5)
        sm_format_duration(v < 9e12 ? (int64_t)(v * 1e6) : INT64_MAX, out);
    else
        print_c(out, 16, "%s%.*f %s", ns < 0 ? "-" : "",
                unit == 0 || v >= 99.95 ? 0
                : v >= 9.995            ? 1
                                        : 2,
                v, units[unit]);
}

void sm_format_rate(double per_second, char out[16])
{
    if (per_second < 0.095)
        print_c(out, 16, "%.2g", per_second);
    else
        print_c(out, 16, "%.*f", per_second < 9.95, per_second);
}

void sm_format_count(uint64_t n, char out[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), k = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = 0;
}
