/* Trains a demo's network on drawn images and saves what a user would save, through the hook's
 * public interface. The same seed gives the same values. */
#ifndef SM_TRAIN_H
#define SM_TRAIN_H

#include "reader/base/err.h"
#include "reader/demo/faults.h"

struct sm_demo_run {
    const struct sm_demo *demo;
    uint64_t seed;
    const char *dir; /* of the trial */
    int64_t steps;   /* of training; 0: the demo's own */
    /* paces; false ends the training early. NULL: at full speed */
    bool (*before_step)(void *ctx, int64_t step);
    void (*stalled)(void *ctx); /* never returns; NULL: a stalled demo is refused */
    void *ctx;
};
struct sm_demo_result {
    int64_t steps;
    double accuracy, loss; /* of the last evaluation; accuracy NaN: there was none */
};
/* False: something could not be written; the training has gone on to its end all the same. */
bool sm_demo_train(const struct sm_demo_run *run, struct sm_demo_result *out, struct sm_err *err);

#endif
