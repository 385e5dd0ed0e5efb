#include "reader/base/str.h"

#include "reader/base/mem.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

static bool make_room(struct sm_str *s, size_t more)
{
    if (s->failed)
        return false;
    if (more >= SIZE_MAX - s->len - 1) {
        s->failed = true;
        return false;
    }
    size_t want = s->len + more + 1;
    if (want <= s->cap)
        return true;
    size_t grown = s->cap + s->cap / 2 + 32;
    if (grown < want)
        grown = want;
    char *data = sm_realloc(s->data, grown, 1);
    s->failed = !data;
    if (!data)
        return false;
    s->data = data;
    s->cap = grown;
    return true;
}

void sm_str_addn(struct sm_str *s, const void *bytes, size_t n)
{
    if (!make_room(s, n))
        return;
    if (n)
        memcpy(s->data + s->len, bytes, n);
    s->len += n;
    s->data[s->len] = 0;
}

void sm_str_add(struct sm_str *s, const char *text)
{
    sm_str_addn(s, text, strlen(text));
}

void sm_str_addc(struct sm_str *s, char c)
{
    sm_str_addn(s, &c, 1);
}

void sm_str_fill(struct sm_str *s, char c, size_t n)
{
    if (!make_room(s, n))
        return;
    memset(s->data + s->len, c, n);
    s->len += n;
    s->data[s->len] = 0;
}

void sm_str_vprintf(struct sm_str *s, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n >= 0 && make_room(s, (size_t)n)) {
        vsnprintf(s->data + s->len, (size_t)n + 1, fmt, again);
        s->len += (size_t)n;
    }
    va_end(again);
}

void sm_str_printf(struct sm_str *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    sm_str_vprintf(s, fmt, ap);
    va_end(ap);
}

void sm_str_truncate(struct sm_str *s, size_t len)
{
    if (len < s->len) {
        s->len = len;
        s->data[len] = 0;
    }
}

const char *sm_str_text(const struct sm_str *s)
{
    return s->data ? s->data : "";
}

void sm_str_clear(struct sm_str *s)
{
    sm_free(s->data);
    *s = (struct sm_str){0};
}

struct sm_text sm_text(const char *z)
{
    return (struct sm_text){z, strlen(z)};
}

bool sm_text_is(struct sm_text t, const char *z)
{
    return strlen(z) == t.n && memcmp(t.p, z, t.n) == 0;
}

/* ---- UTF-8 ---- */

size_t sm_utf8_decode(const char *text, size_t n, uint32_t *rune)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    if (!n)
        return 0;
    size_t len = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;
    if (!len || len > n)
        return 0;
    uint32_t r = len == 1 ? p[0] : p[0] & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        r = r << 6 | (p[i] & 0x3f);
    }
    if (r < least[len] || r > 0x10ffff || (r >= 0xd800 && r < 0xe000))
        return 0;
    *rune = r;
    return len;
}

size_t sm_utf8_encode(uint32_t r, char out[4])
{
    if (r < 0x80) {
        out[0] = (char)r;
        return 1;
    }
    size_t len = r < 0x800 ? 2 : r < 0x10000 ? 3 : 4;
    static const unsigned char lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = len; i-- > 1; r >>= 6)
        out[i] = (char)(0x80 | (r & 0x3f));
    out[0] = (char)(lead[len] | r);
    return len;
}

struct range {
    uint32_t first, last;
};

static bool in_ranges(uint32_t r, const struct range *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (r >= ranges[i].first && r <= ranges[i].last)
            return true;
    return false;
}

/* Format characters that reorder or hide text: bidi controls, zero-width, byte order mark, tags. */
static bool is_format(uint32_t r)
{
    static const struct range hidden[] = {{0xad, 0xad}, {0x61c, 0x61c}, {0x200b, 0x200f}, {0x2028, 0x202e},
                                          {0x2060, 0x2069}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    return in_ranges(r, hidden, sizeof hidden / sizeof *hidden);
}

void sm_str_add_escaped(struct sm_str *s, const char *p, size_t n)
{
    while (n) {
        uint32_t r;
        size_t used = sm_utf8_decode(p, n, &r);
        if (!used || r < 32 || r == 127) {
            sm_str_printf(s, "\\x%02x", (unsigned char)*p);
            used = 1;
        } else if (r >= 0x80 && r < 0xa0) {
            sm_str_printf(s, "\\x%02x", (unsigned)r);
        } else if (is_format(r)) {
            sm_str_printf(s, "\\u{%04x}", (unsigned)r);
        } else {
            sm_str_addn(s, p, used);
        }
        p += used;
        n -= used;
    }
}

int sm_rune_width(uint32_t r)
{
    static const struct range zero[] = {
        {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x5bf, 0x5c7},   {0x610, 0x61a},   {0x64b, 0x65f},
        {0x670, 0x670},   {0x6d6, 0x6dc},   {0x6df, 0x6e4},   {0x6e7, 0x6e8},   {0x6ea, 0x6ed},   {0x93c, 0x93c},
        {0x941, 0x948},   {0x94d, 0x94d},   {0xe31, 0xe31},   {0xe34, 0xe3a},   {0xe47, 0xe4e},   {0x1ab0, 0x1aff},
        {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2069}, {0x20d0, 0x20ff}, {0x302a, 0x302d},
        {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};
    static const struct range wide[] = {
        {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x25fd, 0x25fe},
        {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x2705, 0x2705},
        {0x270a, 0x270b},   {0x2728, 0x2728},   {0x274c, 0x274c},   {0x2753, 0x2755},   {0x2757, 0x2757},
        {0x2795, 0x2797},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
        {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},
        {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18aff}, {0x1b000, 0x1b2ff}, {0x1f004, 0x1f004},
        {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335},
        {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3e0, 0x1f3f0}, {0x1f400, 0x1f4fc},
        {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5},
        {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6df}, {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f9ff}, {0x1fa70, 0x1faff},
        {0x20000, 0x3fffd}};
    if (r < 32 || (r >= 0x7f && r < 0xa0))
        return 0;
    if (r < 0x300)
        return 1;
    if (in_ranges(r, zero, sizeof zero / sizeof *zero))
        return 0;
    return in_ranges(r, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t sm_text_width(const char *p, size_t n)
{
    size_t w = 0;
    while (n) {
        uint32_t r;
        size_t used = sm_utf8_decode(p, n, &r);
        w += used ? (size_t)sm_rune_width(r) : 1;
        used += !used;
        p += used;
        n -= used;
    }
    return w;
}

/* ---- comparing ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Compares two runs of digits by value and moves past them. */
static int compare_numbers(const char **a, const char **b)
{
    while (**a == '0' && is_digit((*a)[1]))
        (*a)++;
    while (**b == '0' && is_digit((*b)[1]))
        (*b)++;
    size_t na = strspn(*a, "0123456789"), nb = strspn(*b, "0123456789");
    int order = na != nb ? (na < nb ? -1 : 1) : memcmp(*a, *b, na);
    *a += na;
    *b += nb;
    return order;
}

int sm_natural_cmp(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        if (is_digit(*x) && is_digit(*y)) {
            int order = compare_numbers(&x, &y);
            if (order)
                return order;
        } else if (*x != *y) {
            return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
        } else {
            x++;
            y++;
        }
    }
    if (*x || *y)
        return *x ? 1 : -1;
    return strcmp(a, b);
}

unsigned sm_edit_distance(const char *a, const char *b, unsigned limit)
{
    enum { LONGEST = 256 };
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST || nb > LONGEST || (na > nb ? na - nb : nb - na) > limit)
        return limit + 1;
    unsigned row[LONGEST + 1];
    for (size_t j = 0; j <= nb; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb] <= limit ? row[nb] : limit + 1;
}

/* One [class] at p (after '['); *end gets what follows ']'. NULL end: not closed, so '[' stands for itself. */
static bool class_matches(const char *p, char c, const char **end)
{
    bool invert = *p == '!' || *p == '^', hit = false;
    p += invert;
    const char *first = p;
    for (; *p && (*p != ']' || p == first); p++) {
        char lo = *p, hi = lo;
        if (p[1] == '-' && p[2] && p[2] != ']') {
            hi = p[2];
            p += 2;
        }
        hit = hit || ((unsigned char)c >= (unsigned char)lo && (unsigned char)c <= (unsigned char)hi);
    }
    *end = *p ? p + 1 : NULL;
    return hit != invert;
}

static bool one_matches(const char **pattern, char c)
{
    const char *p = *pattern, *end;
    if (*p == '[') {
        bool hit = class_matches(p + 1, c, &end);
        if (end) {
            *pattern = end;
            return hit;
        }
    }
    if (*p == '\\' && p[1])
        p++;
    else if (*p == '?') {
        *pattern = p + 1;
        return true;
    }
    *pattern = p + 1;
    return *p == c;
}

/* '*' backs up to its last place only, so the time is bounded by the product of both lengths. */
bool sm_glob_match(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        const char *next = pattern;
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern && one_matches(&next, *text)) {
            pattern = next;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* ---- numbers ---- */

double sm_parse_double(const char *s, char **end)
{
    static locale_t c_locale;
    if (!c_locale)
        c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return strtod_l(s, end, c_locale);
}

static bool special(double v, char *out)
{
    if (isfinite(v))
        return false;
    strcpy(out, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
    return true;
}

void sm_format_double(double v, int digits, char out[32])
{
    if (!special(v, out))
        snprintf(out, 32, "%.*g", digits < 1 ? 1 : digits > 17 ? 17 : digits, v);
}

void sm_format_shortest(double v, bool single, char out[32])
{
    if (special(v, out))
        return;
    for (int digits = 1; digits <= (single ? 9 : 17); digits++) {
        snprintf(out, 32, "%.*g", digits, v);
        double back = sm_parse_double(out, NULL);
        if (single ? (float)back == (float)v : back == v)
            return;
    }
}

void sm_format_bytes(uint64_t size, char out[16])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double v = (double)size;
    size_t u = 0;
    while (v >= 1023.95 && u + 1 < sizeof units / sizeof *units) {
        v /= 1024;
        u++;
    }
    snprintf(out, 16, u ? "%.1f %s" : "%.0f %s", v, units[u]);
}

void sm_format_duration(int64_t us, char out[16])
{
    long long s = us / 1000000;
    if (us < 0)
        snprintf(out, 16, "0.0 s");
    else if (s < 10)
        snprintf(out, 16, "%.1f s", (double)us / 1e6);
    else if (s < 60)
        snprintf(out, 16, "%lld s", s);
    else if (s < 3600)
        snprintf(out, 16, "%lldm%02llds", s / 60, s % 60);
    else if (s < 86400)
        snprintf(out, 16, "%lldh%02lldm", s / 3600, s / 60 % 60);
    else
        snprintf(out, 16, "%lldd%02lldh", s / 86400 % 100000, s / 3600 % 24);
}

void sm_format_count(uint64_t n, char out[32])
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), k = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = 0;
}
