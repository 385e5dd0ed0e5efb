/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/kind/no_records.h"

#include "reader/base/mem.h"

void *sm_no_records_state(const struct sm_trial_input *in)
{
    const struct sm_trial_input **state = sm_alloc(sizeof *state);
    if (state)
        *state = in;
    return (void *)state;
}

struct sm_batch *sm_no_records_read(const void *state, size_t from, size_t to)
{
    (void)state;
    return sm_batch_new(from, to);
}

void sm_no_records_settle(void *state, const struct sm_batch *b, size_t n_merged)
{
    (void)state;
    (void)b;
    (void)n_merged;
}
