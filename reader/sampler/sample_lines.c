/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/sampler/sample_lines.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#define VALUE_MAX 1e15

void sm_sample_begin(struct sm_sample_lines *s, const char *node, int64_t wall_us)
{
    sm_str_truncate(&s->text, 0);
    s->text.failed = false;
    int n = snprintf(s->end, sizeof s->end, ",\"NodeId\":\"%.64s\",\"Timestamp\":%lld.%06lld}\n",
                     node, (long long)(wall_us / 1000000), (long long)(wall_us % 1000000));
    s->end_len = n > 0 && (size_t)n < sizeof s->end ? (size_t)n : 0;
}

static void add_name(struct sm_str *out, const char *name)
{
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        sm_str_addc(out, c < 0x80 && isprint(c) && c != '"' && c != '\\' ? *name : '_');
    }
}

/* A number with one or two decimals: 51.0, 0.25. printf is five times as slow, and locales change
 * what it writes. */
static void add_value(struct sm_str *out, double value)
{
    char digits[24];
    uint64_t hundredths = (uint64_t)llround(fabs(value) * 100);
    size_t n = sizeof digits;
    if (hundredths % 10)
        digits[--n] = (char)('0' + hundredths % 10);
    hundredths /= 10;
    digits[--n] = (char)('0' + hundredths % 10);
    hundredths /= 10;
    digits[--n] = '.';
    do
        digits[--n] = (char)('0' + hundredths % 10);
    while ((hundredths /= 10) && n);
    if (value < 0)
        sm_str_addc(out, '-');
    sm_str_addn(out, digits + n, sizeof digits - n);
}

void sm_sample_add(struct sm_sample_lines *s, const char *type, const char *name,
                   const char *dimension, double value)
{
    if (!(fabs(value) <= VALUE_MAX))
        return;
    sm_str_add(&s->text, "{\"Type\":\"");
    sm_str_add(&s->text, type);
    sm_str_add(&s->text, "\",\"Name\":\"");
    add_name(&s->text, name);
    sm_str_add(&s->text, "\",\"Dimension\":\"");
    sm_str_add(&s->text, dimension);
    sm_str_add(&s->text, "\",\"Value\":");
    add_value(&s->text, value);
    sm_str_addn(&s->text, s->end, s->end_len);
}

void sm_sample_clear(struct sm_sample_lines *s)
{
    sm_str_clear(&s->text);
}
