/* The saved steps around a number: what "~137" means, and what a step that is not there is told
 * with. */
#ifndef SM_NEAREST_H
#define SM_NEAREST_H

#include "reader/trial.h"

struct sm_near_step {
    bool found;
    int64_t number; /* as it is counted: the mode's step, or the global one */
    struct sm_step step;
};
struct sm_nearest {
    struct sm_near_step below, at, above;
};
/* The last step below the number, the one that has it, the first above: among those of x (NULL: of
 * the trial), of the mode and by the worker. TRAIN, EVAL and PREDICT are counted in their own
 * steps, ANY and GLOBAL in global ones, of all modes. */
void sm_nearest_find(const struct sm_trial *t, const struct sm_trial_tensor *x, enum sm_mode mode,
                     uint16_t worker, int64_t number, struct sm_nearest *out);
/* Of the three the closest, of two at the same distance the lower one. NULL: there is no step at
 * all. */
const struct sm_near_step *sm_nearest_of(const struct sm_nearest *n, int64_t number);
/* "14, 18", or the only one there is; nothing where there is none. */
void sm_nearest_tell(const struct sm_nearest *n, struct sm_str *out);

#endif
