/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/typed_number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_MAX = 63 };

static bool copy_number(struct sm_text t, char out[NUMBER_MAX + 1])
{
    if (!t.n || t.n > NUMBER_MAX)
        return false;
    memcpy(out, t.p, t.n);
    out[t.n] = 0;
    return strlen(out) == t.n && !isspace((unsigned char)out[0]);
}

/* The factor of a suffix after a number; 0 if the suffix is unknown. */
static int64_t suffix_factor(const char *s)
{
    static const struct {
        const char *text;
        int64_t factor;
    } rows[] = {{"", 1},         {"k", 1000},     {"m", 1000000},  {"g", 1000000000},
                {"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", (int64_t)1 << 40}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcasecmp(rows[i].text, s) == 0)
            return rows[i].factor;
    return 0;
}

bool sm_number_double(struct sm_text t, double *out)
{
    char text[NUMBER_MAX + 1], *end;
    if (!copy_number(t, text))
        return false;
    double v = sm_parse_double(text, &end);
    int64_t factor = end == text ? 0 : suffix_factor(end);
    *out = v * (double)factor;
    return factor != 0;
}

bool sm_number_int(struct sm_text t, int64_t *out)
{
    char text[NUMBER_MAX + 1], *end;
    double v;
    if (!copy_number(t, text))
        return false;
    errno = 0;
    size_t digits = text[0] == '-' || text[0] == '+';
    bool hex = text[digits] == '0' && (text[digits + 1] | 32) == 'x';
    long long n = strtoll(text, &end, hex ? 16 : 10);
    int64_t factor = end == text ? 0 : suffix_factor(end), product;
    if (factor && !errno && !__builtin_mul_overflow((int64_t)n, factor, &product)) {
        *out = product;
        return true;
    }
    if (hex || !sm_number_double(t, &v) || !(fabs(v) < 9.2e18) || v != nearbyint(v))
        return false;
    *out = (int64_t)v;
    return true;
}

bool sm_number_duration(struct sm_text t, int64_t *us)
{
    static const struct {
        const char *unit;
        double us;
    } rows[] = {{"", 1e6},   {"us", 1},     {"ms", 1e3},   {"s", 1e6},
                {"m", 60e6}, {"min", 60e6}, {"h", 3600e6}, {"d", 86400e6}};
    char text[NUMBER_MAX + 1], *end;
    if (!copy_number(t, text) || !isdigit((unsigned char)text[text[0] == '.' && text[1]]))
        return false;
    double v = sm_parse_double(text, &end);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].unit, end) != 0)
            continue;
        v *= rows[i].us;
        if (!(v < 9e18))
            return false;
        *us = (int64_t)(v + 0.5);
        return true;
    }
    return false;
}
