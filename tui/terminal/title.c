/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/title.h"
#include "tui/terminal/terminal_settings.h"

#include "tui/terminal/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_title(void)
{
    const char *term = getenv("TERM");
    return term && *term && strcmp(term, "dumb") != 0 && strcmp(term, "linux") != 0 &&
           strncmp(term, "vt", 2) != 0;
}

static void write_title(const struct sm_session *s, struct sm_str *out)
{
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_step step = sm_session_step(s);
    sm_str_add(out, "smdbg");
    if (!t)
        return;
    sm_str_addc(out, ' ');
    sm_str_add_escaped(out, sm_trial_name(t), strlen(sm_trial_name(t)));
    if (step.n >= 0)
        sm_str_printf(out, " step %lld", (long long)step.n);
    sm_str_printf(out, " %s", sm_trial_state_name(sm_trial_state(t)));
}

static void restore_title(struct sm_title *t, struct sm_str *out)
{
    if (t->saved)
        sm_str_add(out, "\033[23;2t");
    sm_str_clear(&t->shown);
    t->saved = false;
}

void sm_title_update(struct sm_title *t, const struct sm_session *s, struct sm_str *out)
{
    struct sm_str title = {0};
    if (!sm_terminal_settings(s)->title || !has_title()) {
        restore_title(t, out);
        return;
    }
    write_title(s, &title);
    if (!t->saved)
        sm_str_add(out, "\033[22;2t");
    if (!t->saved || strcmp(sm_str_text(&title), sm_str_text(&t->shown)) != 0)
        sm_str_printf(out, "\033]2;%s\033\\", sm_str_text(&title));
    sm_str_clear(&t->shown);
    t->shown = title;
    t->saved = true;
}

void sm_title_close(struct sm_title *t)
{
    struct sm_str sequence = {0};
    restore_title(t, &sequence);
    sm_terminal_write(STDOUT_FILENO, sm_str_text(&sequence), sequence.len);
    sm_str_clear(&sequence);
}
