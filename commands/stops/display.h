/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions that are shown at each stop (display, undisplay). */
#ifndef SM_DISPLAY_H
#define SM_DISPLAY_H

#include "commands/language/cmd.h"

/* Returns the number of the display. */
unsigned sm_display_add(struct sm_session *s, struct sm_text expr, const struct sm_format *f);
bool sm_display_remove(struct sm_session *s, unsigned number); /* false if there is none */
void sm_displays_clear(struct sm_session *s);

/* The displays evaluated before the call had to wait. Zero at first, in the call's arena. */
struct sm_displayed {
    struct sm_shown {
        const char *text;   /* "EXPR = VALUE", or "EXPR: ERROR" */
        const char *answer; /* the end of text: the value or the error */
        bool failed;
        struct sm_value value; /* NUMBER or BOOL, else VOID */
    } * items;
    size_t n;
};
/* Shows "1: loss = 0.25" at the current place, for the display with this number (0: all), and adds
 * a row to list. An expression that fails is shown with its error. Returns false with SM_ERR_WAIT
 * only. */
bool sm_displays_show(struct sm_call *c, struct sm_displayed *d, unsigned number,
                      struct sm_result *out, struct sm_node *list, struct sm_err *err);

#endif
