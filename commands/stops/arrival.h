/* A stop: the current point has moved along the steps, and what a person wants to see there. */
#ifndef SM_ARRIVAL_H
#define SM_ARRIVAL_H

#include "commands/stops/display.h"

/* Kept while the call waits; zero at first, in the call's arena. */
struct sm_arrival {
    bool moved; /* the point has moved */
    /* stands in the place of "step 20 ...", in the call's arena; NULL: none */
    const char *headline;
    bool silent; /* machines are told, people are not */
    struct sm_displayed displayed;
};
/* Once: moves the point. follow: it goes on with the newest step. */
void sm_arrival_move(struct sm_call *c, struct sm_arrival *stop, struct sm_step to, bool follow);
/* "step 20 (train 20)  NAME" and the displayed expressions. False with SM_ERR_WAIT only. */
bool sm_arrival_show(struct sm_call *c, struct sm_arrival *stop, struct sm_result *out,
                     struct sm_err *err);

#endif
