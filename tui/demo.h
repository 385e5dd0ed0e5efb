/* SPDX-License-Identifier: Apache-2.0 */
/* --demo: a training in a separate process, and a front end that shows its trial.
 *
 * A socket connects the processes. At its end the training sends its result. When the debugger
 * closes its end of the socket, or dies, the training stops and removes its temporary directory. So
 * nothing is left behind, however the debugger ends. */
#ifndef SM_DEMO_H
#define SM_DEMO_H

#include "tui/app/options.h"

#include <sys/types.h>

struct sm_training {
    pid_t pid;
    int fd;
    struct sm_str dir; /* of the trial */
};
/* paced: at o->speed, else at full speed. The names in `o` must be valid. */
bool sm_training_start(struct sm_training *t, const struct sm_options *o, bool paced,
                       struct sm_err *err);
/* Waits for the end of the training and appends its result, one line. Returns false if it failed.
 */
bool sm_training_wait(struct sm_training *t, struct sm_str *out, struct sm_err *err);
void sm_training_stop(struct sm_training *t); /* stops the training and frees t */

/* Runs --demo and returns the exit status. `run` shows a trial. */
int sm_demo_run(const struct sm_options *o, int (*run)(const struct sm_options *o));

#endif
