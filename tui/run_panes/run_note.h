/* SPDX-License-Identifier: Apache-2.0 */
/* What the title of a pane of the current run says of it where several are open. */
#ifndef SM_RUN_NOTE_H
#define SM_RUN_NOTE_H

#include "tui/panes/pane.h"

/* Adds its number and name; nothing if it is the only one. */
void sm_run_note_add(const struct sm_view *v, struct sm_str *note);

#endif
