/* Checks output for a terminal: valid UTF-8 without control characters. */
#ifndef TESTS_COMMANDS_HARMLESS_H
#define TESTS_COMMANDS_HARMLESS_H

#include "reader/base/utf8.h"
#include "tests/commands/driver.h"

static inline void assert_harmless(const char *line, const struct sm_str *text)
{
    const char *p = sm_str_text(text);
    for (size_t n = text->len, used; n; p += used, n -= used) {
        uint32_t rune;
        used = sm_utf8_decode(p, n, &rune);
        if (!used)
            fail_msg("%s: invalid UTF-8 %02x", line, (unsigned char)*p);
        if (sm_rune_is_harmful(rune) && rune != '\n' && rune != '\t')
            fail_msg("%s: U+%04X", line, (unsigned)rune);
    }
}

#endif
