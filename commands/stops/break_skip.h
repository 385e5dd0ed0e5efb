/* SPDX-License-Identifier: Apache-2.0 */
/* What the condition of a breakpoint could not be applied to: a tensor of strings or complex
 * numbers, or of another shape. Such tensors are skipped and counted; the count is shown at a stop,
 * at the end of a search and by info breakpoints. A breakpoint whose condition was never decided is
 * an error at the end of a search that looked at every step. */
#ifndef SM_BREAK_SKIP_H
#define SM_BREAK_SKIP_H

#include "commands/session/session.h"

struct sm_probe;
struct sm_result;
/* Zeroed: nothing was tested. Cleared with sm_break_skips_clear. */
struct sm_break_skips {
    const struct sm_trial *of; /* the trial that was tested; another one starts again */
    uint8_t *seen;             /* of each tensor, by name id: SKIPPED, DECIDED, NO_VALUE */
    size_t cap;
    size_t tensors, steps; /* skipped; steps: of conditions that are not for a tensor */
    size_t said;           /* tensors + steps when they were last reported */
    bool decided;          /* the condition was true or false at least once */
    bool failed;           /* it could not be evaluated at least once */
    struct sm_err why;     /* the first time; prefixed with the tensor */
    char *no_value;        /* why it had no value, the first time; NULL if it always had one */
};
void sm_break_skips_clear(struct sm_break_skips *x);
/* Counts the result of a probe, which is YES, NO or FAILED. Returns false for an error that is not
 * that of the tensor: the breakpoint cannot go on. */
bool sm_break_skips_note(struct sm_break_skips *x, const struct sm_trial *t,
                         const struct sm_probe *p);
/* "5 tensors were skipped: string/list: max: its elements are not numbers", appended; nothing if
 * none was skipped. */
void sm_break_skips_text(const struct sm_break_skips *x, struct sm_str *out);
/* Reports what was skipped as dim lines and in the list "skipped" of the result; at the end of a
 * search all of it, else only the breakpoints with a new count. */
void sm_break_skips_show(struct sm_session *s, bool end, struct sm_result *out);
/* After a search of all steps: fails if the condition of an enabled breakpoint was never decided
 * because it cannot be evaluated. */
bool sm_break_skips_check(const struct sm_session *s, struct sm_err *err);

#endif
