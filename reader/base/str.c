/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/str.h"

#include "reader/base/mem.h"

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

bool sm_text_same(struct sm_text a, struct sm_text b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool sm_text_is(struct sm_text t, const char *z)
{
    return strlen(z) == t.n && (t.n == 0 || memcmp(t.p, z, t.n) == 0);
}

int sm_hex_digit(char c)
{
    char small = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

bool sm_ends_with(const char *z, const char *suffix)
{
    size_t n = strlen(z), s = strlen(suffix);
    return n > s && memcmp(z + n - s, suffix, s) == 0;
}
