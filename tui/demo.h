/* --demo: a training in a process of its own, and a front end on what it writes.
 *
 * The two are joined by a socket. The training says at its end how it went; when our end is closed,
 * by us or because we are gone, it stops, and a directory made for it is removed. So nothing stays
 * behind however the debugger ends. */
#ifndef SM_DEMO_H
#define SM_DEMO_H

#include "tui/app/options.h"

#include <sys/types.h>

struct sm_training {
    pid_t pid;
    int fd;
    struct sm_str dir; /* of the trial */
};
/* paced: at o->speed, to be watched; else as fast as it goes. The names in o have been checked. */
bool sm_training_start(struct sm_training *t, const struct sm_options *o, bool paced,
                       struct sm_err *err);
/* Until all is written: how it went, in one line. False: it failed. */
bool sm_training_wait(struct sm_training *t, struct sm_str *out, struct sm_err *err);
void sm_training_stop(struct sm_training *t); /* and frees */

/* Everything that --demo asks for. run shows a trial; the exit status. */
int sm_demo_run(const struct sm_options *o, int (*run)(const struct sm_options *o));

#endif
