/* The terminal's title, with "set title on": what runs and where one stands. */
#ifndef SM_TITLE_H
#define SM_TITLE_H

#include "commands/session/session.h"

struct sm_title {
    struct sm_str shown;
    bool kept; /* the terminal remembers the title that it had */
};
/* Appends what makes the terminal's title right; nothing where it is. */
void sm_title_update(struct sm_title *t, const struct sm_session *s, struct sm_str *out);
void sm_title_close(struct sm_title *t); /* the title as it was */

#endif
