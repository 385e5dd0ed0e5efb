/* The tensor that somebody may have meant by a name that none has. */
#ifndef SM_SIMILAR_TENSOR_H
#define SM_SIMILAR_TENSOR_H

#include "reader/trial.h"

/* The closest by edits (a quarter of the name, 2 to 6), else the first whose letters and digits
 * contain the name's: conv0_weight is in CNN_conv0.weight. NULL: none, or the name is longer than
 * any that is looked for. */
const char *sm_similar_tensor(const struct sm_trial *t, struct sm_text name);

#endif
