/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/json_scan.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

void sm_scan_skip(struct sm_scan *s, const char *also)
{
    while (s->p < s->end && (is_blank(*s->p) || (*s->p && strchr(also, *s->p))))
        s->p++;
}

static void skip_commas(struct sm_scan *s)
{
    while (s->p < s->end && (*s->p == ',' || is_blank(*s->p)))
        s->p++;
}

enum sm_scan_result sm_scan_enter(struct sm_scan *s, char bracket)
{
    sm_scan_skip(s, "");
    if (s->p == s->end)
        return SM_SCAN_TORN;
    if (*s->p != bracket)
        return SM_SCAN_BAD;
    s->p++;
    return SM_SCAN_ITEM;
}

/* p is after the opening quote. */
static enum sm_scan_result read_string(struct sm_scan *s, struct sm_text *out, bool *escaped)
{
    const char *p = s->p, *end = s->end;
    *escaped = false;
    for (; p < end && *p != '"'; p++)
        if (*p == '\\') {
            *escaped = true;
            p++;
        }
    if (p >= end)
        return SM_SCAN_TORN;
    *out = (struct sm_text){s->p, (size_t)(p - s->p)};
    s->p = p + 1;
    return SM_SCAN_ITEM;
}

/* p is at the opening bracket. Brackets need not match in kind. */
static enum sm_scan_result read_nested(struct sm_scan *s, struct sm_text *out)
{
    const char *from = s->p;
    struct sm_text string;
    bool escaped;
    unsigned depth = 0;
    while (s->p < s->end) {
        char c = *s->p++;
        if (c == '"') {
            if (read_string(s, &string, &escaped) != SM_SCAN_ITEM)
                return SM_SCAN_TORN;
        } else if (c == '{' || c == '[') {
            if (++depth > SM_SCAN_DEPTH_MAX)
                return SM_SCAN_BAD;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            *out = (struct sm_text){from, (size_t)(s->p - from)};
            return SM_SCAN_ITEM;
        }
    }
    return SM_SCAN_TORN;
}

static bool ends_bare(char c)
{
    return c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || c == '{' || c == '[' ||
           is_blank(c);
}

/* A number or a word: up to what cannot belong to it. */
static enum sm_scan_result read_bare(struct sm_scan *s, struct sm_scan_value *v)
{
    const char *p = s->p;
    while (p < s->end && !ends_bare(*p))
        p++;
    if (p == s->end)
        return SM_SCAN_TORN;
    if (p == s->p)
        return SM_SCAN_BAD;
    v->text = (struct sm_text){s->p, (size_t)(p - s->p)};
    char c = *s->p;
    bool word = c == 't' || c == 'f' || (c == 'n' && v->text.n == 4);
    v->type = word ? SM_SCAN_WORD : SM_SCAN_NUMBER;
    s->p = p;
    return SM_SCAN_ITEM;
}

enum sm_scan_result sm_scan_value(struct sm_scan *s, struct sm_scan_value *v)
{
    sm_scan_skip(s, "");
    v->escaped = false;
    if (s->p == s->end)
        return SM_SCAN_TORN;
    switch (*s->p) {
    case '"':
        v->type = SM_SCAN_STRING;
        s->p++;
        return read_string(s, &v->text, &v->escaped);
    case '{':
    case '[':
        v->type = *s->p == '{' ? SM_SCAN_MAP : SM_SCAN_LIST;
        return read_nested(s, &v->text);
    default:
        return read_bare(s, v);
    }
}

enum sm_scan_result sm_scan_name(struct sm_scan *s, struct sm_text *key)
{
    bool escaped;
    skip_commas(s);
    if (s->p == s->end)
        return SM_SCAN_TORN;
    if (*s->p == '}') {
        s->p++;
        return SM_SCAN_DONE;
    }
    if (*s->p != '"')
        return SM_SCAN_BAD;
    s->p++;
    if (read_string(s, key, &escaped) != SM_SCAN_ITEM)
        return SM_SCAN_TORN;
    sm_scan_skip(s, "");
    if (s->p == s->end)
        return SM_SCAN_TORN;
    if (*s->p != ':')
        return SM_SCAN_BAD;
    s->p++;
    return SM_SCAN_ITEM;
}

enum sm_scan_result sm_scan_key(struct sm_scan *s, struct sm_text *key, struct sm_scan_value *v)
{
    enum sm_scan_result r = sm_scan_name(s, key);
    return r == SM_SCAN_ITEM ? sm_scan_value(s, v) : r;
}

/* ---- values ---- */

bool sm_scan_double(const struct sm_scan_value *v, double *out)
{
    char copy[64], *end;
    if (v->type != SM_SCAN_NUMBER && v->type != SM_SCAN_STRING)
        return false;
    if (sm_parse_decimal(v->text.p, v->text.n, out))
        return true;
    if (!v->text.n || v->text.n >= sizeof copy)
        return false;
    memcpy(copy, v->text.p, v->text.n);
    copy[v->text.n] = 0;
    *out = sm_parse_double(copy, &end);
    return *end == 0;
}

/* mantissa * 10^power, with up to 19 digits of the mantissa; the next digit rounds. */
struct decimal {
    uint64_t mantissa;
    int power, digits;
    bool negative, up;
};

static void add_digit(struct decimal *d, unsigned digit, bool fraction)
{
    if (d->digits < 19) {
        d->mantissa = d->mantissa * 10 + digit;
        d->digits += d->mantissa != 0;
        d->power -= fraction;
    } else {
        d->up = d->up || (d->digits == 19 && digit >= 5);
        d->digits++;
        d->power += !fraction;
    }
}

static bool read_power(const char *p, const char *end, int *power)
{
    int v = 0;
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (p == end)
        return false;
    for (; p < end && *p >= '0' && *p <= '9' && v < 1000; p++)
        v = v * 10 + (*p - '0');
    *power += negative ? -v : v;
    return p == end;
}

static bool read_decimal(const char *p, const char *end, struct decimal *d)
{
    bool any = false, fraction = false;
    d->negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    for (; p < end && ((*p >= '0' && *p <= '9') || (*p == '.' && !fraction)); p++) {
        fraction = fraction || *p == '.';
        any = any || *p != '.';
        if (*p != '.')
            add_digit(d, (unsigned)(*p - '0'), fraction);
    }
    if (!any || (p < end && (*p | 0x20) != 'e'))
        return false;
    return p == end || read_power(p + 1, end, &d->power);
}

bool sm_scan_decimal(const struct sm_scan_value *v, int scale, int64_t *out)
{
    struct decimal d = {0};
    if ((v->type != SM_SCAN_NUMBER && v->type != SM_SCAN_STRING) ||
        !read_decimal(v->text.p, v->text.p + v->text.n, &d))
        return false;
    uint64_t m = d.mantissa + d.up;
    unsigned rest = 0;
    for (d.power += scale; d.power > 0 && m; d.power--) {
        if (m > (uint64_t)INT64_MAX / 10)
            return false;
        m *= 10;
    }
    for (; d.power < 0 && (m || rest); d.power++) {
        rest = (unsigned)(m % 10);
        m /= 10;
    }
    m += rest >= 5;
    if (m > (uint64_t)INT64_MAX)
        return false;
    *out = d.negative ? -(int64_t)m : (int64_t)m;
    return true;
}

/* ---- strings ---- */

static bool read_hex(const char *p, const char *end, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, p++) {
        char c = p < end ? *p : 0;
        int digit = c >= '0' && c <= '9'                     ? c - '0'
                    : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                             : -1;
        if (digit < 0)
            return false;
        *out = *out * 16 + (uint32_t)digit;
    }
    return true;
}

/* The code point of \uXXXX, or of a pair of them; p is after the u. Returns the bytes used. */
static size_t read_rune(const char *p, const char *end, uint32_t *rune)
{
    uint32_t low;
    if (!read_hex(p, end, rune))
        return 0;
    if (*rune >= 0xD800 && *rune < 0xDC00 && end - p >= 10 && p[4] == '\\' && p[5] == 'u' &&
        read_hex(p + 6, end, &low) && low >= 0xDC00 && low < 0xE000) {
        *rune = 0x10000 + ((*rune - 0xD800) << 10) + (low - 0xDC00);
        return 10;
    }
    if (*rune >= 0xD800 && *rune < 0xE000)
        *rune = 0xFFFD;
    return 4;
}

static const char *add_escape(const char *p, const char *end, struct sm_str *out)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    char bytes[4];
    uint32_t rune;
    size_t used = *p == 'u' ? read_rune(p + 1, end, &rune) : 0;
    if (used) {
        sm_str_addn(out, bytes, sm_utf8_encode(rune, bytes));
        return p + 1 + used;
    }
    const char *known = *p ? strchr(from, *p) : NULL;
    sm_str_addc(out, known ? to[known - from] : *p);
    return p + 1;
}

void sm_scan_text(const struct sm_scan_value *v, struct sm_str *out)
{
    const char *p = v->text.p, *end = p + v->text.n;
    if (!v->escaped) {
        sm_str_addn(out, p, v->text.n);
        return;
    }
    while (p < end) {
        const char *back = memchr(p, '\\', (size_t)(end - p));
        size_t plain = (size_t)((back ? back : end) - p);
        sm_str_addn(out, p, plain);
        p += plain;
        if (back)
            p = ++p < end ? add_escape(p, end, out) : p;
    }
}
