/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of kinds that have no tensors: profiles, reports, traces. Their files are read beside
 * the trial. The state is the address of the input, which the caller owns. */
#ifndef SM_NO_RECORDS_H
#define SM_NO_RECORDS_H

#include "reader/kind/trial_kind.h"

/* NULL: no memory. Freed with sm_free. */
void *sm_no_records_state(const struct sm_trial_input *in);
/* A batch without records; NULL: no memory. */
struct sm_batch *sm_no_records_read(const void *state, size_t from, size_t to);
void sm_no_records_settle(void *state, const struct sm_batch *b, size_t n_merged);

#endif
