/* SPDX-License-Identifier: Apache-2.0 */
/* Actions outside of the debugger, at a stop or when a rule fires: a command, a file, a signal.
 * Each action, and the output and status of a command, is recorded in the log of `info events`. A
 * command gets values only through environment variables; nothing waits for it (action_command.h).
 * The caller checks whether actions are wanted (`set rule-actions on`), these functions
 * whether the session may do them (commands/session/permission.h); a refusal is in the log, too. */
#ifndef SM_ACTION_H
#define SM_ACTION_H

#include "reader/base/err.h"

#include <stdint.h>

struct sm_session;
/* The values of SMDBG_RULE, SMDBG_BREAKPOINT, SMDBG_STEP, SMDBG_TENSOR, SMDBG_WORKER, SMDBG_VALUE,
 * SMDBG_MESSAGE and SMDBG_TRIAL; NULL, or breakpoint 0, gives an empty variable. */
struct sm_action {
    const char *who; /* the name in the log */
    const char *rule;
    unsigned breakpoint;
    int64_t step;
    const char *tensor, *worker, *message, *trial;
    bool has_value;
    double value;
};
void sm_action_command(struct sm_session *s, const struct sm_action *a, const char *text);
/* Runs the action of `set stop-action`, except with --readonly. Returns false if none is set. */
bool sm_action_stop(struct sm_session *s, const struct sm_action *a);
/* Checks a stop action: "pid 123 STOP", "file PATH", "shell CMD" or "". */
bool sm_action_check_stop(const char *text, struct sm_err *err);
/* If text starts with the word, in any case, the text after it; else NULL. */
const char *sm_action_word(const char *text, const char *word);

#endif
