/* What may be done outside of the debugger when something has happened: a command, a file, a
 * signal. What was done, and a command's output and status, goes to the log of `info events`. A
 * command gets values through environment variables only, and runs in a worker, so nothing waits
 * for it. The caller asks whether it is allowed. */
#ifndef SM_ACTION_H
#define SM_ACTION_H

#include "reader/base/err.h"

#include <stdint.h>

struct sm_session;
/* SMDBG_RULE, SMDBG_BREAKPOINT, SMDBG_STEP, SMDBG_TENSOR, SMDBG_WORKER, SMDBG_VALUE, SMDBG_MESSAGE,
 * SMDBG_TRIAL; what is NULL, or 0, is empty. */
struct sm_action {
    const char *who; /* in the log */
    const char *rule;
    unsigned breakpoint;
    int64_t step;
    const char *tensor, *worker, *message, *trial;
    bool has_value;
    double value;
};
void sm_action_command(struct sm_session *s, const struct sm_action *a, const char *text);
/* As `set stop-action` says; not with --readonly. False: it says nothing. */
bool sm_action_stop(struct sm_session *s, const struct sm_action *a);
/* "pid 123 STOP", "file PATH", "shell CMD", "" */
bool sm_action_check_stop(const char *text, struct sm_err *err);
/* What stands behind a word that a text begins with, in any case; NULL: it begins otherwise. */
const char *sm_action_word(const char *text, const char *word);

#endif
