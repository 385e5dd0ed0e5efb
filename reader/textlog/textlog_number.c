/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_number.h"
#include "reader/base/str.h"

#include <math.h>
#include <string.h>

bool sm_textlog_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

char sm_textlog_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool sm_textlog_is_letter(char c)
{
    char low = sm_textlog_lower(c);
    return low >= 'a' && low <= 'z';
}

bool sm_textlog_is_word(char c)
{
    return sm_textlog_is_letter(c) || sm_textlog_is_digit(c) || c == '_' || (c & 0x80);
}

bool sm_textlog_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool sm_textlog_in_words(const char *list, const char *p, size_t n)
{
    char key[24];
    if (n == 0 || n + 2 >= sizeof key)
        return false;
    key[0] = ' ';
    for (size_t i = 0; i < n; i++)
        if (p[i] == 0 || p[i] == ' ')
            return false;
        else
            key[i + 1] = sm_textlog_lower(p[i]);
    key[n + 1] = ' ';
    key[n + 2] = 0;
    return strstr(list, key) != NULL;
}

/* ---- words ---- */

static bool has_word(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(end - p) < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (sm_textlog_lower(p[i]) != word[i])
            return false;
    return p + n == end || !sm_textlog_is_word(p[n]);
}

static bool read_word(const char *p, const char *end, bool minus, struct sm_textlog_number *out)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"infinity", INFINITY}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(p, end, words[i].word)) {
            out->value = minus ? -words[i].value : words[i].value;
            out->next = p + strlen(words[i].word);
            return true;
        }
    return false;
}

/* ---- digits ---- */

struct digits {
    uint64_t mantissa;
    int count, exponent; /* significant digits, and of ten */
    bool any, whole;
};

static void add_digit(struct digits *d, char c, bool fraction)
{
    d->any = true;
    if (d->count < 19) {
        d->mantissa = d->mantissa * 10 + (uint64_t)(c - '0');
        d->count += d->mantissa != 0;
        d->exponent -= fraction;
    } else {
        d->count++; /* too long for this: read again by sm_parse_double */
        d->exponent += !fraction;
    }
}

bool sm_textlog_is_thousands(const char *p, const char *end)
{
    if (*p != ',' || end - p < 4)
        return false;
    for (int i = 1; i <= 3; i++)
        if (!sm_textlog_is_digit(p[i]))
            return false;
    return end - p == 4 || !sm_textlog_is_digit(p[4]);
}

static const char *read_integer(const char *p, const char *end, bool commas, struct digits *d)
{
    const char *start = p;
    for (; p < end && sm_textlog_is_digit(*p); p++)
        add_digit(d, *p, false);
    if (!commas || p == start || p - start > 3)
        return p;
    while (p < end && sm_textlog_is_thousands(p, end)) {
        for (int i = 1; i <= 3; i++)
            add_digit(d, p[i], false);
        p += 4;
    }
    return p;
}

static const char *read_fraction(const char *p, const char *end, struct digits *d)
{
    bool has = p < end && *p == '.' &&
               (d->any ? p + 1 == end || p[1] != '.' : p + 1 < end && sm_textlog_is_digit(p[1]));
    if (!has)
        return p;
    d->whole = false;
    for (p++; p < end && sm_textlog_is_digit(*p); p++)
        add_digit(d, *p, true);
    return p;
}

static const char *read_exponent(const char *p, const char *end, struct digits *d)
{
    if (p >= end || sm_textlog_lower(*p) != 'e')
        return p;
    const char *q = p + 1;
    bool minus = q < end && *q == '-';
    q += q < end && (*q == '-' || *q == '+');
    if (q >= end || !sm_textlog_is_digit(*q))
        return p;
    int e = 0;
    for (; q < end && sm_textlog_is_digit(*q); q++)
        e = e < 100000 ? e * 10 + (*q - '0') : e;
    d->exponent += minus ? -e : e;
    d->whole = false;
    return q;
}

/* Rare: more digits than a double holds, or large exponents. */
static double parse_slowly(const char *p, const char *next)
{
    char text[400];
    size_t n = 0;
    for (; p < next && n + 1 < sizeof text; p++)
        if (*p != ',')
            text[n++] = *p;
    text[n] = 0;
    return sm_parse_double(text, NULL);
}

static double value_of(const struct digits *d, const char *p, const char *next)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->mantissa >> 53 || d->count > 19 || d->exponent > 22 || d->exponent < -22)
        return parse_slowly(p, next);
    double m = (double)d->mantissa; /* exact, and one rounding follows */
    return d->exponent < 0 ? m / powers[-d->exponent] : m * powers[d->exponent];
}

bool sm_textlog_number(const char *p, const char *end, bool commas, struct sm_textlog_number *out)
{
    *out = (struct sm_textlog_number){.integer = -1};
    bool minus = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    struct digits d = {.whole = true};
    const char *q = read_fraction(read_integer(p, end, commas, &d), end, &d);
    if (!d.any)
        return read_word(p, end, minus, out);
    out->next = read_exponent(q, end, &d);
    out->whole = d.whole && !minus;
    if (out->whole && d.count <= 18)
        out->integer = (int64_t)d.mantissa;
    double v = value_of(&d, p, out->next);
    out->value = minus ? -v : v;
    return true;
}

bool sm_textlog_number_ends(const char *p, const char *end)
{
    if (p == end)
        return true;
    if (*p == ':' || *p == '-')
        return p + 1 == end || !sm_textlog_is_word(p[1]);
    if (*p == '.' || *p == '_')
        return *p == '.' && (p + 1 == end || sm_textlog_is_blank(p[1]));
    if (!sm_textlog_is_letter(*p))
        return !sm_textlog_is_digit(*p);
    while (p < end && sm_textlog_is_letter(*p))
        p++;
    return p == end || !(sm_textlog_is_digit(*p) || *p == '_' || *p == '-' || *p == '.' ||
                         *p == '\\' || *p == ':');
}
