/* A person's own colours for the roles of cells: "FG BG ATTR", as "red default bold". */
#ifndef SM_STYLE_H
#define SM_STYLE_H

#include "plot/grid/cell.h"
#include "reader/base/err.h"

enum { SM_STYLED_ROLES = SM_ROLE_SERIES_7 + 1 }; /* those of heat are what they mean */
struct sm_style {
    bool set;
    uint16_t role, back; /* what a cell of the role gets in its place; TEXT: the terminal's own */
    uint8_t attr;        /* SM_ATTR_* */
};
struct sm_styles {
    struct sm_style of[SM_STYLED_ROLES];
};
/* FG [BG [ATTR]]: default, black red green yellow blue magenta cyan white gray, or ff8800; normal
 * bold reverse underline. "" is as if nothing had been said. */
bool sm_style_parse(const char *text, struct sm_style *out, struct sm_err *err);
bool sm_style_check(const char *text, struct sm_err *err);
void sm_styles_apply(const struct sm_styles *s, struct sm_grid *g);

#endif
