/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/screen.h"

#include <stdlib.h>
#include <string.h>

enum sm_color_depth sm_screen_depth(void)
{
    const char *no = getenv("NO_COLOR"), *true_color = getenv("COLORTERM"), *term = getenv("TERM");
    if ((no && *no) || !term || strcmp(term, "dumb") == 0 || strncmp(term, "vt", 2) == 0)
        return SM_COLOR_MONO;
    if (true_color && (strcmp(true_color, "truecolor") == 0 || strcmp(true_color, "24bit") == 0) &&
        strncmp(term, "screen", 6) != 0)
        return SM_COLOR_TRUE;
    if (strstr(term, "256") || strncmp(term, "tmux", 4) == 0)
        return SM_COLOR_256;
    return SM_COLOR_16;
}
