/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/utf16.h"

#include <stdint.h>
#include <string.h>

enum { UNITS_LOOKED_AT = 8, UNITS_LEAST = 2, REPLACEMENT = 0xfffd };

static uint32_t unit_at(enum sm_text_encoding encoding, const uint8_t *p)
{
    return encoding == SM_TEXT_UTF16BE ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static bool is_ascii_text(uint32_t unit)
{
    return (unit >= 0x20 && unit < 0x7f) || unit == '\t' || unit == '\n' || unit == '\r';
}

static bool all_ascii(enum sm_text_encoding encoding, const uint8_t *p, size_t units)
{
    for (size_t i = 0; i < units; i++)
        if (!is_ascii_text(unit_at(encoding, p + 2 * i)))
            return false;
    return true;
}

enum sm_text_encoding sm_text_encoding_of(const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    size_t units = n / 2 < UNITS_LOOKED_AT ? n / 2 : UNITS_LOOKED_AT;
    if (n >= 2 && p[0] == 0xff && p[1] == 0xfe)
        return SM_TEXT_UTF16LE;
    if (n >= 2 && p[0] == 0xfe && p[1] == 0xff)
        return SM_TEXT_UTF16BE;
    if (units >= UNITS_LEAST && all_ascii(SM_TEXT_UTF16LE, p, units))
        return SM_TEXT_UTF16LE;
    if (units >= UNITS_LEAST && all_ascii(SM_TEXT_UTF16BE, p, units))
        return SM_TEXT_UTF16BE;
    return SM_TEXT_UTF8;
}

static bool is_high(uint32_t unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(uint32_t unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

size_t sm_text_decode(enum sm_text_encoding encoding, const void *bytes, size_t n,
                      struct sm_str *out)
{
    const uint8_t *p = bytes;
    size_t at = 0;
    if (encoding == SM_TEXT_UTF8) {
        sm_str_addn(out, bytes, n);
        return n;
    }
    while (n - at >= 2) {
        char text[4];
        uint32_t rune = unit_at(encoding, p + at);
        size_t taken = 2;
        if (is_high(rune) && n - at < 4)
            break;
        if (is_high(rune) && is_low(unit_at(encoding, p + at + 2))) {
            rune = 0x10000 + ((rune - 0xd800) << 10) + (unit_at(encoding, p + at + 2) - 0xdc00);
            taken = 4;
        } else if (is_high(rune) || is_low(rune)) {
            rune = REPLACEMENT;
        }
        sm_str_addn(out, text, sm_utf8_encode(rune, text));
        at += taken;
    }
    return at;
}

size_t sm_text_mark(const char *p, size_t n)
{
    return n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}
