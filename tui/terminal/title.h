/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal's title, with "set title on": trial, current step and state. */
#ifndef SM_TITLE_H
#define SM_TITLE_H

#include "commands/session/session.h"

struct sm_title {
    struct sm_str shown;
    bool saved; /* the terminal has saved its old title */
};
/* Appends the control sequence that updates the title; nothing if it is up to date. */
void sm_title_update(struct sm_title *t, const struct sm_session *s, struct sm_str *out);
void sm_title_close(struct sm_title *t); /* restores the old title */

#endif
