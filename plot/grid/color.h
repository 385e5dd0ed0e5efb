/* From colour roles to what a terminal or a file understands. */
#ifndef SM_COLOR_H
#define SM_COLOR_H

#include "plot/grid/cell.h"
#include "reader/base/str.h"

enum sm_color_depth {
    SM_COLOR_MONO,
    SM_COLOR_16,
    SM_COLOR_256,
    SM_COLOR_TRUE,
    SM_COLOR_ROLES /* for a screen of our own: plot/grid/roles.h */
};

struct sm_color {
    uint32_t rgb;      /* 0xRRGGBB */
    uint8_t c256, c16; /* the nearest in xterm's 256 and in the 16 */
    bool is_default;   /* the terminal's own foreground */
    uint8_t attr;      /* SM_ATTR_* that stands for it in mono */
};

struct sm_color sm_color_of(enum sm_role role, bool light_background);
/* Appends the SGR sequence for role and attr ("\033[0;38;5;32m"); nothing in mono without attr. */
void sm_color_sgr(struct sm_str *out, enum sm_role role, unsigned attr, enum sm_color_depth depth,
                  bool light);
/* The same for the colour behind, to follow it; nothing for SM_ROLE_TEXT and below 256 colours. */
void sm_color_sgr_back(struct sm_str *out, enum sm_role back, enum sm_color_depth depth,
                       bool light);

#endif
