/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of a comparison that are paths of trials: these are opened, as add-trial does. */
#ifndef SM_COMPARE_OPEN_H
#define SM_COMPARE_OPEN_H

#include "commands/language/cmd.h"

/* Kept while the call waits; begins with {0}. */
struct sm_compare_opening {
    struct sm_text words[2]; /* what stands for a path: "3@100"; n is 0: not a path, or not yet */
};
/* Opens the paths among the first two words, unless they are open already, and puts the numbers of
 * their trials in their place. A word is a path if it is an address of a bucket, has a "/" before
 * any "@", or if such a file exists and no trial, worker or mode has its name. False with
 * SM_ERR_WAIT while a bucket is asked. */
bool sm_compare_open(struct sm_call *c, struct sm_compare_opening *o, struct sm_err *err);

#endif
