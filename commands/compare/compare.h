/* Two trials, steps, modes or workers beside each other.
 *
 * Hands out: the comparison, tensor by tensor, until each has diverged (compare_run.h), the one
 * that the dashboard keeps up to date (compare_live.h), how two configurations differ
 * (config_diff.h); the command diff. */
#ifndef SM_COMPARE_H
#define SM_COMPARE_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_COMPARE_COMMANDS(X) X(diff)

SM_COMPARE_COMMANDS(SM_CMD_DECLARE)

struct sm_compare_live;
/* What the room keeps of a session. */
struct sm_compare_state {
    struct sm_compare_live *differences; /* that the dashboard shows; NULL: none was asked for */
};
extern const struct sm_state_kind sm_compare_state_kind;
extern const struct sm_feature sm_compare_feature;
struct sm_compare_state *sm_compare_state(const struct sm_session *s);

#endif
