/* Text that keeps the roles of its cells, for a screen that draws them itself: where the look
 * changes stands a mark, ESC [ role ; back ; attributes ; plain rune ~. What comes from files has
 * no ESC of its own: it was escaped before. */
#ifndef SM_ROLES_H
#define SM_ROLES_H

#include "plot/grid/cell.h"
#include "reader/base/str.h"

/* A stretch of text that looks alike, up to where the next one begins. */
struct sm_role_look {
    size_t from;
    uint16_t role, back, plain;
    uint8_t attr;
};
void sm_roles_add(struct sm_str *out, const struct sm_role_look *look);
/* Appends the text without its marks, and each mark to *looks, which the caller frees; looks NULL:
 * they are dropped. */
void sm_roles_take(const char *text, size_t n, struct sm_str *out, struct sm_role_look **looks,
                   size_t *n_looks);
/* Draws bytes from..from + n of `text`, which looks as `looks` says; returns the columns used, at
 * most w. */
int sm_roles_draw(struct sm_grid *g, int x, int y, int w, const char *text, size_t from, size_t n,
                  const struct sm_role_look *looks, size_t n_looks);

#endif
