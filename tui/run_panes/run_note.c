/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/run_panes/run_note.h"

#include "commands/session/trial_list.h"

#include <string.h>

void sm_run_note_add(const struct sm_view *v, struct sm_str *note)
{
    const struct sm_session *s = v->session;
    if (s->n_trials < 2)
        return;
    const char *name = sm_trials_name(s, s->current);
    sm_str_printf(note, "%s%zu ", note->len ? "  " : "", s->current + 1);
    sm_str_add_escaped(note, name, strlen(name));
}
