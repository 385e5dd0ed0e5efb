/* What a list could not read. One bad piece hides no other: it is counted, and the answer says so.
 */
#ifndef SM_READ_ERRORS_H
#define SM_READ_ERRORS_H

#include "commands/answer/result.h"
#include "reader/trial.h"

struct sm_read_errors {
    size_t n;
    struct sm_err first;
};
/* True: a piece of the trial is bad, the list goes on without it. False: something else is wrong,
 * or it is being read. */
bool sm_read_errors_note(struct sm_read_errors *u, const struct sm_err *err);
/* Says how many of all there were. False, with the first reason: not one could be read. */
bool sm_read_errors_say(const struct sm_read_errors *u, size_t all, struct sm_result *out,
                        struct sm_err *err);

/* The same of series: steps that have no point, because their bytes could not be read. */
struct sm_read_errors_steps {
    size_t steps, series;
    struct sm_step first;
    const char *name; /* of the first series that lacks some; NULL: there is only one */
};
void sm_read_errors_steps_note(struct sm_read_errors_steps *u, const char *name, size_t steps,
                               struct sm_step first);
void sm_read_errors_steps_say(const struct sm_read_errors_steps *u, struct sm_result *out);

#endif
