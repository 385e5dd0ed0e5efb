/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of rows whose counter may begin anew with each epoch. */
#ifndef SM_STEP_COUNT_H
#define SM_STEP_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialised it has seen no row. */
struct sm_step_count {
    int64_t rows;              /* rows so far */
    int64_t last, before;      /* the counter in the last two rows that had one */
    int64_t step;              /* of the last row */
    int64_t offset;            /* added to the counter */
    double epoch;              /* of the last row that had one */
    bool counted, twice, aged; /* last, before, epoch are set */
};
/* The step of a row with a counter, and with an epoch (NaN: none). A counter that is lower than in
 * the row before while the epoch is higher has begun anew, and is counted on; one that is lower in
 * the same or an earlier epoch is of a training that was restarted, and is taken as it is. */
int64_t sm_step_of(struct sm_step_count *c, int64_t counter, double epoch);
/* The step of a row of validation among those of training. It may count its own batches: where its
 * counter is lower than the last one, the step is that of the row before. */
int64_t sm_step_of_validation(struct sm_step_count *c, int64_t counter, double epoch);

#endif
