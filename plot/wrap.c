/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/wrap.h"

#include <string.h>

size_t sm_wrap_head(const char *text, size_t n, int w)
{
    size_t at = 0;
    while (at < n) {
        uint32_t rune;
        size_t length = sm_utf8_decode(text + at, n - at, &rune);
        w -= length ? sm_rune_width(rune) : 1;
        if (w < 0)
            break;
        at += length ? length : 1;
    }
    return at;
}

size_t sm_wrap_line(const char *text, size_t n, int w)
{
    size_t fits = sm_wrap_head(text, n, w), at = fits;
    uint32_t rune;
    if (fits == n)
        return n;
    while (at && text[at] != ' ')
        at--;
    while (at && text[at - 1] == ' ')
        at--;
    if (at || fits)
        return at ? at : fits;
    size_t length = sm_utf8_decode(text, n, &rune);
    return length ? length : 1;
}

size_t sm_wrap_text(const char *text, int w)
{
    size_t n, most = 64 + 8 * (size_t)(w > 0 ? w : 0);
    for (;; most *= 2) { /* marks without a width can make a line long */
        n = strnlen(text, most);
        while (n == most && n && ((unsigned char)text[n] & 0xc0) == 0x80)
            n--, most--; /* not inside of a character */
        if (n < most || sm_wrap_head(text, n, w) < n)
            return sm_wrap_line(text, n, w);
    }
}
