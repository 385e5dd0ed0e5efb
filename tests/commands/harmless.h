/* SPDX-License-Identifier: Apache-2.0 */
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

/* Each line of errors is a sentence: it ends with a full stop or a question mark, or, in a script,
 * with the place of its caller. A word in lower case at its start is a name. */
static inline void assert_sentences(const char *line, const struct sm_str *errors)
{
    for (const char *p = sm_str_text(errors), *end; *p; p = end + 1) {
        end = strchr(p, '\n');
        assert_non_null(end);
        p += strncmp(p, "smdbg: ", 7) == 0 ? 7 : 0;
        if (strncmp(p, "Usage: ", 7) != 0 && strncmp(p, "Quit\n", 5) != 0 &&
            !strchr(".?!)", end[-1]))
            fail_msg("\"%s\": no full stop: %.*s", line, (int)(end - p), p);
        if (strncmp(p, "expected ", 9) == 0 || strncmp(p, "unexpected ", 11) == 0 ||
            strncmp(p, "no ", 3) == 0 || strncmp(p, "the ", 4) == 0)
            fail_msg("\"%s\": no capital letter: %.*s", line, (int)(end - p), p);
    }
}

#endif
