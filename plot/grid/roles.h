/* SPDX-License-Identifier: Apache-2.0 */
/* Text that keeps the roles of its cells, for a screen that draws them itself. Where the look
 * changes there is a mark: ESC [ role ; back ; attributes ; plain rune ~. Text from files contains
 * no ESC, because it is escaped before. */
#ifndef SM_ROLES_H
#define SM_ROLES_H

#include "plot/grid/cell.h"
#include "reader/base/str.h"

/* A run of text with one look, up to the start of the next. */
struct sm_role_run {
    size_t from;
    uint16_t role, back, plain;
    uint8_t attr;
};
void sm_roles_add(struct sm_str *out, const struct sm_role_run *look);
/* Appends the text without its marks to out, and each mark to *looks, which the caller frees; looks
 * NULL: marks are dropped. */
void sm_roles_parse(const char *text, size_t n, struct sm_str *out, struct sm_role_run **looks,
                    size_t *n_looks);
/* Draws bytes from..from + n of `text` with the given looks; returns the columns used, at most
 * w. */
int sm_roles_draw(struct sm_grid *g, int x, int y, int w, const char *text, size_t from, size_t n,
                  const struct sm_role_run *looks, size_t n_looks);

#endif
