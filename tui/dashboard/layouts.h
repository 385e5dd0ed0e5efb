/* SPDX-License-Identifier: Apache-2.0 */
/* The layouts by name: built-in layouts, and layouts of the user. */
#ifndef SM_LAYOUTS_H
#define SM_LAYOUTS_H

#include "reader/base/err.h"
#include "reader/base/str.h"

struct sm_layout_row {
    char *name, *spec;
};
struct sm_layouts {
    struct sm_layout_row *items; /* built-in layouts first, in the order of `layout next` */
    size_t n, cap;
    size_t current;
};
/* Names of the built-in layouts, "next" and "prev", for completion. NULL-terminated. */
extern const char *const sm_layout_words[];
void sm_layouts_init(struct sm_layouts *l);
void sm_layouts_clear(struct sm_layouts *l);
/* Defines or redefines a layout. Returns false for the name of a built-in layout. */
bool sm_layouts_define(struct sm_layouts *l, const char *name, const char *spec,
                       struct sm_err *err);
/* Finds a layout by its name, an unambiguous prefix, "next" or "prev". Returns false if there is
 * none. */
bool sm_layouts_find(const struct sm_layouts *l, const char *name, size_t *out, struct sm_err *err);
bool sm_layouts_is_builtin(size_t i);
/* Changes a layout, also a built-in one. spec NULL resets a built-in layout. */
void sm_layouts_change(struct sm_layouts *l, size_t i, const char *spec);
/* Returns true for a built-in layout with changes. */
bool sm_layouts_is_changed(const struct sm_layouts *l, size_t i);

#endif
