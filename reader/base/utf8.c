/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 decoding, and which characters are safe to show. */
#include "reader/base/utf8.h"
#include "reader/base/str.h"

#include <stdio.h>
#include <string.h>

static size_t length_by_lead(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4) /* a continuation byte, an overlong form, or beyond U+10FFFF */
        return 0;
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

size_t sm_utf8_decode(const char *text, size_t n, uint32_t *rune)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    size_t length = n ? length_by_lead(p[0]) : 0;
    if (!length || length > n)
        return 0;
    uint32_t r = length == 1 ? p[0] : p[0] & 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        r = r << 6 | (p[i] & 0x3fu);
    }
    if (r < least[length] || r > 0x10ffff || (r >= 0xd800 && r < 0xe000))
        return 0;
    *rune = r;
    return length;
}

size_t sm_utf8_encode(uint32_t r, char out[4])
{
    static const unsigned char lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (r < 0x80) {
        out[0] = (char)r;
        return 1;
    }
    size_t length = r < 0x800 ? 2 : r < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; r >>= 6)
        out[i] = (char)(0x80 | (r & 0x3f));
    out[0] = (char)(lead[length] | r);
    return length;
}

bool sm_rune_is_harmful(uint32_t r)
{
    if (r < 0x80)
        return r < 0x20 || r == 0x7f;
    return r < 0xa0 || r == 0xad || r == 0x61c || (r >= 0x200b && r <= 0x200f) ||
           (r >= 0x2028 && r <= 0x202e) || (r >= 0x2060 && r <= 0x2069) || r == 0xfeff ||
           (r >= 0xfff9 && r <= 0xfffb) || (r >= 0xe0000 && r <= 0xe007f);
}

size_t sm_ascii_run(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] >= 0x20 && p[i] < 0x7f)
        i++;
    return i;
}

size_t sm_utf8_escape(const char *p, size_t n, char out[16], size_t *length)
{
    uint32_t r;
    size_t used = sm_utf8_decode(p, n, &r);
    if (!used) {
        *length = (size_t)snprintf(out, 16, "\\x%02x", (unsigned)(unsigned char)*p);
        return 1;
    }
    if (sm_rune_is_harmful(r)) {
        *length = (size_t)snprintf(out, 16, r < 0xa0 ? "\\x%02x" : "\\u{%04x}", (unsigned)r);
    } else {
        memcpy(out, p, used);
        *length = used;
    }
    return used;
}

void sm_str_add_escaped_lines(struct sm_str *s, const char *p, size_t n)
{
    for (const char *end; n && (end = memchr(p, '\n', n));
         n -= (size_t)(end + 1 - p), p = end + 1) {
        sm_str_add_escaped(s, p, (size_t)(end - p));
        sm_str_addc(s, '\n');
    }
    sm_str_add_escaped(s, p, n);
}

void sm_str_add_escaped(struct sm_str *s, const char *p, size_t n)
{
    while (n) {
        size_t used = sm_ascii_run(p, n);
        if (used) {
            sm_str_addn(s, p, used);
        } else {
            char out[16];
            size_t length;
            used = sm_utf8_escape(p, n, out, &length);
            sm_str_addn(s, out, length);
        }
        p += used;
        n -= used;
    }
}

size_t sm_text_width(const char *p, size_t n)
{
    size_t width = 0;
    while (n) {
        uint32_t r;
        size_t used = sm_utf8_decode(p, n, &r);
        /* an invalid byte is shown as one replacement character */
        width += used ? (size_t)sm_rune_width(r) : 1;
        used += !used;
        p += used;
        n -= used;
    }
    return width;
}
