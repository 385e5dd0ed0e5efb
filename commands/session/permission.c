/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/permission.h"

#include "commands/session/session.h"

static const char *name_of(enum sm_deed deed)
{
    static const char *const names[] = {
        [SM_DEED_SHELL] = "Shell commands are",
        [SM_DEED_ACTION] = "Shell commands are",
        [SM_DEED_SIGNAL] = "Signals are",
        [SM_DEED_WRITE] = "Writing files is",
    };
    return names[deed];
}

bool sm_session_may(const struct sm_session *s, enum sm_deed deed, struct sm_err *err)
{
    bool asks_shell = deed == SM_DEED_SHELL;
    bool asks_program = asks_shell || deed == SM_DEED_ACTION || deed == SM_DEED_SIGNAL;
    if (s->readonly)
        return sm_err_set(err, SM_ERR_REFUSED, "%s refused with --readonly.", name_of(deed));
    if (s->by_program && asks_program && !s->allow_shell)
        return sm_err_set(err, SM_ERR_REFUSED, "%s refused without --allow-shell.", name_of(deed));
    if (s->batch && asks_shell && !s->allow_shell)
        return sm_err_set(err, SM_ERR_REFUSED, "%s refused in a batch without --allow-shell.",
                          name_of(deed));
    return true;
}
