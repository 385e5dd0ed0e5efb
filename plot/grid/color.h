/* SPDX-License-Identifier: Apache-2.0 */
/* Converts colour roles to terminal sequences and RGB values. */
#ifndef SM_COLOR_H
#define SM_COLOR_H

#include "plot/grid/cell.h"
#include "reader/base/str.h"

enum sm_color_depth {
    SM_COLOR_MONO,
    SM_COLOR_16,
    SM_COLOR_256,
    SM_COLOR_TRUE,
    SM_COLOR_ROLES /* for our own screen: plot/grid/roles.h */
};

struct sm_color {
    uint32_t rgb;      /* 0xRRGGBB */
    uint8_t c256, c16; /* the nearest in xterm's 256 colours and in the 16 */
    bool is_default;   /* the terminal's own foreground */
    uint8_t attr;      /* SM_ATTR_* that replaces the colour in mono */
};

struct sm_color sm_color_of(enum sm_role role, bool light_background);
/* Appends the SGR sequence for role and attr ("\033[0;38;5;32m"); nothing in mono if attr is 0. */
void sm_color_sgr(struct sm_str *out, enum sm_role role, unsigned attr, enum sm_color_depth depth,
                  bool light);
/* The same for the background, to be appended after it; nothing for SM_ROLE_TEXT or below 256
 * colours. */
void sm_color_sgr_back(struct sm_str *out, enum sm_role back, enum sm_color_depth depth,
                       bool light);

#endif
