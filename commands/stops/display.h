/* Expressions that are shown at each stop (display, undisplay). */
#ifndef SM_DISPLAY_H
#define SM_DISPLAY_H

#include "commands/language/cmd.h"

/* its number */
unsigned sm_display_add(struct sm_session *s, struct sm_text expr, const struct sm_format *f);
bool sm_display_remove(struct sm_session *s, unsigned number); /* false: there is none */
void sm_displays_clear(struct sm_session *s);

/* What was found before the call had to wait; zero at first, in the call's arena. */
struct sm_displayed {
    struct sm_shown {
        const char *text;   /* "EXPR = VALUE", or "EXPR: why not" */
        const char *answer; /* its end: the value or why there is none */
        bool failed;
        struct sm_value value; /* NUMBER or BOOL, else VOID */
    } * items;
    size_t n;
};
/* "1: loss = 0.25", all or the one with this number (0: all), at the current point; to list as
 * well. What cannot be told is told as such and is no failure. False with SM_ERR_WAIT only. */
bool sm_displays_show(struct sm_call *c, struct sm_displayed *d, unsigned number,
                      struct sm_result *out, struct sm_node *list, struct sm_err *err);

#endif
