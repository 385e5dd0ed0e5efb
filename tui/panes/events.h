/* What happened, newest first: rules that fired and what their actions said, errors in the files,
 * sessions of the job, times in which nothing came, and workers that were lost. */
#ifndef SM_EVENTS_H
#define SM_EVENTS_H

#include "commands/session/session.h"

enum sm_happening_kind {
    SM_HAPPENED_RULE,
    SM_HAPPENED_SAID /* by an action */,
    SM_HAPPENED_ERROR,
    SM_HAPPENED_SESSION,
    SM_HAPPENED_STALL,
    SM_HAPPENED_LOSS,
    SM_HAPPENED_END
};
struct sm_happening {
    enum sm_happening_kind kind;
    int64_t time_us;  /* wall clock; 0: not known */
    int64_t step;     /* -1: none */
    const char *rule; /* the instance, or NULL */
    const char *text; /* escaped */
};
struct sm_happenings {
    struct sm_happening *items;
    size_t n, cap;
    struct sm_arena arena; /* of the texts */
};
/* Fills *out, zero-initialised or used before, with those of the current trial. */
void sm_happenings_read(const struct sm_session *s, int64_t now_us, struct sm_happenings *out);
void sm_happenings_clear(struct sm_happenings *e);

#endif
