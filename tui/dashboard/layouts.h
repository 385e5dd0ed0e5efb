/* The layouts by name: ours, and those that people define. */
#ifndef SM_LAYOUTS_H
#define SM_LAYOUTS_H

#include "reader/base/err.h"
#include "reader/base/str.h"

struct sm_layout_row {
    char *name, *spec;
};
struct sm_layouts {
    struct sm_layout_row *items; /* ours first, in the order of `layout next` */
    size_t n, cap;
    size_t current;
};
/* Names of the built-in layouts, next and prev: for completion. NULL-terminated. */
extern const char *const sm_layout_words[];
void sm_layouts_init(struct sm_layouts *l);
void sm_layouts_clear(struct sm_layouts *l);
/* Defines, or defines anew; one of ours cannot be: false. */
bool sm_layouts_define(struct sm_layouts *l, const char *name, const char *spec,
                       struct sm_err *err);
/* The index of the name, or of its unambiguous beginning; "next" and "prev" from the current one.
 * False: there is none. */
bool sm_layouts_find(const struct sm_layouts *l, const char *name, size_t *out, struct sm_err *err);
bool sm_layouts_is_ours(size_t i);
/* one of ours too; NULL: as it was built in */
void sm_layouts_change(struct sm_layouts *l, size_t i, const char *spec);
/* one of ours that is not as it was built in */
bool sm_layouts_is_changed(const struct sm_layouts *l, size_t i);

#endif
