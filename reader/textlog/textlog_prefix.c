/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_prefix.h"
#include "reader/textlog/textlog_number.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* ---- ranks ---- */

static const char *digits_end(const char *p, const char *end)
{
    while (p < end && sm_textlog_is_digit(*p))
        p++;
    return p;
}

static const char *letters_end(const char *p, const char *end)
{
    while (p < end && sm_textlog_is_letter(*p))
        p++;
    return p;
}

/* "[rank0]:", "[default0]:", "[0]:", "[1,0]<stdout>:" at p; NULL: none. */
static const char *bracketed(const char *p, const char *end)
{
    const char *word = p + 1, *q = letters_end(word, end), *number = q;
    q = digits_end(q, end);
    if (q < end && *q == ',' && q > number)
        q = digits_end(q + 1, end);
    if (q >= end || q == number || *q != ']')
        return NULL;
    for (const char *const *out = (const char *const[]){"<stdout>", "<stderr>", "", NULL}; *out;
         out++) {
        size_t n = strlen(*out);
        if ((size_t)(end - q) > n + 1 && memcmp(q + 1, *out, n) == 0 && q[1 + n] == ':')
            return q + 2 + n;
    }
    return sm_textlog_in_words(" rank gpu worker ", word, (size_t)(number - word)) ? q + 1 : NULL;
}

/* "(RayTrainWorker pid=12, ip=...) " at p. */
static const char *parenthesised(const char *p, const char *end)
{
    size_t n = end - p < 120 ? (size_t)(end - p) : 120;
    const char *close = memchr(p, ')', n);
    return close && memmem(p, (size_t)(close - p), "pid=", 4) ? close + 1 : NULL;
}

static const char *numbered(const char *p, const char *end)
{
    const char *q = digits_end(p, end);
    return q > p && q - p < 6 && end - q > 1 && *q == ':' && q[1] == ' ' ? q + 1 : NULL;
}

struct sm_text sm_textlog_after_rank(struct sm_text line, unsigned *rank)
{
    const char *p = line.p, *end = line.p + line.n, *next = NULL;
    *rank = 0;
    while (p < end && *p == ' ')
        p++;
    if (p < end && *p == '[')
        next = bracketed(p, end);
    else if (p < end && *p == '(')
        next = parenthesised(p, end);
    else if (p < end && sm_textlog_is_digit(*p))
        next = numbered(p, end);
    if (!next)
        return line;
    for (; p < next; p++)
        *rank = *rank * 31 + (unsigned char)*p;
    next += next < end && *next == ' '; /* one blank: what is indented stays so */
    return (struct sm_text){next, (size_t)(end - next)};
}

/* ---- times ---- */

static int two(const char *p)
{
    return (p[0] - '0') * 10 + (p[1] - '0');
}

/* "2026-03-01 08:00:00" at p, with '/' or 'T' too. */
static bool is_time(const char *p)
{
    static const char form[] = "0000-00-00 00:00:00";
    for (size_t i = 0; form[i]; i++) {
        bool ok = form[i] == '0'   ? sm_textlog_is_digit(p[i])
                  : form[i] == '-' ? p[i] == '-' || p[i] == '/'
                  : form[i] == ' ' ? p[i] == ' ' || p[i] == 'T'
                                   : p[i] == form[i];
        if (!ok)
            return false;
    }
    return true;
}

static double base_of(const char *p)
{
    struct tm tm = {.tm_year = two(p) * 100 + two(p + 2) - 1900,
                    .tm_mon = two(p + 5) - 1,
                    .tm_mday = two(p + 8),
                    .tm_hour = two(p + 11),
                    .tm_isdst = -1};
    return (double)mktime(&tm);
}

enum { FORM = 19, WITHIN = 40 };

struct sm_text sm_textlog_after_time(struct sm_text line)
{
    const char *p = line.p, *end = line.p + line.n;
    bool open = p < end && *p == '[';
    p += open;
    if (end - p < FORM || !sm_textlog_is_digit(*p) || !is_time(p))
        return line;
    p += FORM;
    if (p < end && (*p == ',' || *p == '.'))
        p = digits_end(p + 1, end);
    size_t most = end - p < 24 ? (size_t)(end - p) : 24;
    const char *close = open ? memchr(p, ']', most) : NULL; /* also "[2020-01-01 10:00:00 INFO]" */
    p = close ? close + 1 : p;
    while (p < end && sm_textlog_is_blank(*p))
        p++;
    return (struct sm_text){p, (size_t)(end - p)};
}

double sm_textlog_time(struct sm_textlog_times *t, struct sm_text line)
{
    size_t last = line.n < FORM ? 0 : line.n - FORM < WITHIN ? line.n - FORM + 1 : WITHIN;
    for (size_t i = 0; i < last; i++) {
        const char *p = line.p + i, *end = line.p + line.n;
        if (!sm_textlog_is_digit(*p) || !is_time(p))
            continue;
        if (memcmp(t->hour, p, sizeof t->hour) != 0) {
            t->base = base_of(p);
            memcpy(t->hour, p, sizeof t->hour);
        }
        struct sm_textlog_number rest;
        double seconds = two(p + 14) * 60 + two(p + 17), scale = 1;
        if (end - p > FORM && (p[FORM] == ',' || p[FORM] == '.') &&
            sm_textlog_number(p + FORM + 1, end, false, &rest) && rest.whole && rest.integer >= 0) {
            for (const char *q = p + FORM + 1; q < rest.next; q++)
                scale *= 10;
            seconds += (double)rest.integer / scale;
        }
        return t->base + seconds;
    }
    return NAN;
}
