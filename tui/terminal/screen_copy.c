/* SPDX-License-Identifier: Apache-2.0 */
/* OSC 52: the text in base64 between an introduction and a bell. */
#include "tui/terminal/screen_copy.h"

#include "reader/base/base64.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_MAX = 74994 }; /* the smallest limit among terminals with OSC 52 */

bool sm_copy_sequence(const char *text, size_t n, struct sm_str *out)
{
    static const char *const without[] = {"linux", "vt", "screen", "dumb", "cons"};
    const char *term = getenv("TERM");
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (!term || strncmp(term, without[i], strlen(without[i])) == 0)
            return false;
    if (n > COPY_MAX)
        return false;
    sm_str_add(out, "\033]52;c;");
    sm_base64_add(out, text, n);
    sm_str_addc(out, '\a');
    return true;
}
