/* SPDX-License-Identifier: Apache-2.0 */
/* Trains a demo's network on drawn images and saves what a user would save, through the hook's
 * public interface. The same seed gives the same values.
 *
 * The room reader/demo is --demo: the table of trainings (faults.h), the images (images.h), the
 * network (net.h, layer.h), random numbers (random.h) and the training loop (train.h). */
#ifndef SM_TRAIN_H
#define SM_TRAIN_H

#include "reader/base/err.h"
#include "reader/demo/faults.h"

struct sm_demo_run {
    const struct sm_demo *demo;
    uint64_t seed;
    const char *dir; /* of the trial */
    int64_t steps;   /* of training; 0: the demo's default */
    /* Called before each step, to set the pace; false ends the training early. NULL: full speed. */
    bool (*before_step)(void *ctx, int64_t step);
    void (*stalled)(void *ctx); /* never returns; NULL: stalling demos are refused */
    void *ctx;
};
struct sm_demo_result {
    int64_t steps;
    double accuracy, loss; /* of the last evaluation; accuracy is NaN if there was none */
};
/* False: something could not be written; the training still ran to its end. */
bool sm_demo_train(const struct sm_demo_run *run, struct sm_demo_result *out, struct sm_err *err);

#endif
