/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that came with their step and have no record, and numbers that were read once: their
 * facts are known at once, from the brief of the value, and nothing of them is cached. */
#ifndef SM_FETCH_SCALAR_H
#define SM_FETCH_SCALAR_H

#include "reader/tensor/facts.h"
#include "reader/trial.h"

enum { SM_FETCH_SCALARS = 1024 };

/* A ring: facts that were handed out are valid until so many others were asked for. */
struct sm_fetch_scalars {
    struct sm_facts facts[SM_FETCH_SCALARS];
    unsigned next;
};

/* Of the number of a brief, without shape and checksum. */
const struct sm_facts *sm_fetch_number_facts(struct sm_fetch_scalars *s, const struct sm_brief *b);
/* Of an entry for which sm_entry_is_scalar is true. SM_ERR_MISSING: removed in the meantime. */
bool sm_fetch_scalar_facts(struct sm_fetch_scalars *s, const struct sm_trial *t,
                           const struct sm_entry *e, const struct sm_facts **out,
                           struct sm_err *err);
/* The same as a tensor, a counted reference. */
bool sm_fetch_scalar_tensor(const struct sm_trial *t, const struct sm_entry *e,
                            struct sm_tensor **out, struct sm_err *err);

#endif
