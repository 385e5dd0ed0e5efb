/* SPDX-License-Identifier: Apache-2.0 */
/* A stop: the current step has changed; the report shows it and the displayed expressions. */
#ifndef SM_ARRIVAL_H
#define SM_ARRIVAL_H

#include "commands/stops/display.h"

/* Zero at first, in the call's arena; valid while the call waits. */
struct sm_arrival {
    bool moved; /* the current step has been set */
    /* replaces "step 20 ..."; in the call's arena; NULL for the default */
    const char *headline;
    bool silent; /* only the JSON result, no text */
    struct sm_displayed displayed;
};
/* Sets the current step, the first time it is called. follow: the newest step stays current. */
void sm_arrival_move(struct sm_call *c, struct sm_arrival *stop, struct sm_step to, bool follow);
/* Reports "step 20 (train 20)  NAME" and the displayed expressions. Returns false with SM_ERR_WAIT
 * only. */
bool sm_arrival_show(struct sm_call *c, struct sm_arrival *stop, struct sm_result *out,
                     struct sm_err *err);

#endif
