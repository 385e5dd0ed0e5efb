/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing text: natural order, edit distance, globs. */
#include "reader/base/str.h"

#include <ctype.h>
#include <string.h>

/* ---- order ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Compares two runs of digits of any length by value, and moves past them. */
static int compare_numbers(const char **a, const char **b)
{
    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    size_t na = strspn(*a, "0123456789"), nb = strspn(*b, "0123456789");
    int order = na != nb ? (na < nb ? -1 : 1) : memcmp(*a, *b, na);
    *a += na;
    *b += nb;
    return order;
}

/* Compares two runs of digits as they follow a decimal point, and moves past them: 05 is less than
 * 1. */
static int compare_fractions(const char **a, const char **b)
{
    while (is_digit(**a) && **a == **b) {
        ++*a;
        ++*b;
    }
    bool more = is_digit(**a), other = is_digit(**b);
    return more && other ? (**a < **b ? -1 : 1) : more - other;
}

static bool follows_point(const char *s, const char *begin)
{
    return s - begin >= 2 && s[-1] == '.' && is_digit(s[-2]);
}

int sm_natural_cmp(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        if (is_digit(*x) && is_digit(*y)) {
            bool fraction = (*x == '0' || *y == '0') && follows_point(x, a) && follows_point(y, b);
            int order = fraction ? compare_fractions(&x, &y) : compare_numbers(&x, &y);
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
    return strcmp(a, b); /* 01 and 1 are different names */
}

/* ---- distance ---- */

/* Levenshtein, one row at a time; a common prefix and suffix are skipped. */
unsigned sm_edit_distance(const char *a, const char *b, unsigned limit)
{
    enum { LONGEST = 512 };
    size_t na = strlen(a), nb = strlen(b);
    for (; na && nb && *a == *b; na--, nb--)
        a++, b++;
    while (na && nb && a[na - 1] == b[nb - 1])
        na--, nb--;
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

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* As sm_edit_distance, but two exchanged neighbours are one change. */
static size_t typing_distance(const char *a, size_t na, const char *b, size_t nb)
{
    enum { WORD_MAX = 64 };
    size_t rows[3][WORD_MAX + 1];
    if (na > WORD_MAX || nb > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

unsigned sm_word_distance(const char *typed, const char *name)
{
    size_t n = strlen(typed), m = strlen(name);
    size_t most = n < 3 ? 0 : n < 6 ? 1 : 2, apart = n > m ? n - m : m - n;
    size_t d = apart > most ? SM_NOT_NEAR : typing_distance(typed, n, name, m);
    bool exchanged = n > 1 && m > 1 && typed[0] == name[1] && typed[1] == name[0];
    bool other = d && typed[0] != name[0] && n == m && !exchanged;
    return d > most || other ? SM_NOT_NEAR : (unsigned)d;
}

/* ---- globs ---- */

/* Decodes the character at *p (not the end) and moves past it. An invalid byte counts as one
 * character. */
static uint32_t next_rune(const char **p)
{
    uint32_t r;
    size_t used = sm_utf8_decode(*p, strnlen(*p, 4), &r);
    if (!used)
        r = 0x110000u + (unsigned char)**p;
    *p += used ? used : 1;
    return r;
}

/* Matches c against one [class]; p is after its '['. Returns the position after ']', or NULL if
 * there is none. */
static const char *match_class(const char *p, uint32_t c, bool *hit)
{
    bool invert = *p == '!' || *p == '^', found = false;
    p += invert;
    const char *first = p;
    while (*p && (*p != ']' || p == first)) {
        uint32_t low = next_rune(&p), high = low;
        if (p[0] == '-' && p[1] && p[1] != ']') {
            p++;
            high = next_rune(&p);
        }
        found = found || (c >= low && c <= high);
    }
    *hit = found != invert;
    return *p ? p + 1 : NULL;
}

/* Whether the first item of the pattern, which is not '*', matches c; moves past the item. */
static bool match_one(const char **pattern, uint32_t c)
{
    const char *p = *pattern;
    bool hit;
    if (*p == '[') {
        const char *after = match_class(p + 1, c, &hit);
        if (after) {
            *pattern = after;
            return hit;
        }
    }
    bool any = *p == '?';
    if (*p == '\\' && p[1])
        p++;
    hit = next_rune(&p) == c || any;
    *pattern = p;
    return hit;
}

/* Backtracks to the last '*' only, so the time is bounded by the product of both lengths. */
bool sm_glob_match(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        const char *item = pattern, *rest = text;
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern && match_one(&item, next_rune(&rest))) {
            pattern = item;
            text = rest;
        } else if (star) {
            pattern = star;
            next_rune(&retry);
            text = retry;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

static char next_letter(const char **p)
{
    while (**p == '_' || **p == '-')
        ++*p;
    return (char)tolower((unsigned char)*(*p)++);
}

bool sm_same_letters(const char *a, const char *b)
{
    for (;;) {
        char x = next_letter(&a), y = next_letter(&b);
        if (x != y)
            return false;
        if (!x)
            return true;
    }
}
