/* SPDX-License-Identifier: Apache-2.0 */
/* The user's colours for the roles of cells: "FG BG ATTR", for example "red default bold". */
#ifndef SM_STYLE_H
#define SM_STYLE_H

#include "plot/grid/cell.h"
#include "reader/base/err.h"

/* the heat roles cannot be changed: their colours carry the values */
enum { SM_STYLED_ROLES = SM_ROLE_SERIES_7 + 1 };
struct sm_style {
    bool set;
    uint16_t role, back; /* replacements for the role's cells; TEXT: the terminal's default */
    uint8_t attr;        /* SM_ATTR_* */
};
struct sm_styles {
    struct sm_style of[SM_STYLED_ROLES];
};
/* FG [BG [ATTR]]: default, black red green yellow blue magenta cyan white gray, or ff8800; normal
 * bold reverse underline. "" is the default style. */
bool sm_style_parse(const char *text, struct sm_style *out, struct sm_err *err);
bool sm_style_check(const char *text, struct sm_err *err);
void sm_styles_apply(const struct sm_styles *s, struct sm_grid *g);

#endif
