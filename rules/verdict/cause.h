/* SPDX-License-Identifier: Apache-2.0 */
/* Causes: what can go wrong in a training, each with the function that looks for it.
 *
 * cause_list.h is the only list. A cause is a constant record and one function in a file of its
 * own, cause_ID.c: it looks at the signals of a run and makes a claim, or none. The verdict
 * (verdict.h) chooses among the claims. */
#ifndef SM_CAUSE_H
#define SM_CAUSE_H

#include "rules/verdict/claim.h"

enum { SM_ATTEMPTS = 2 };
struct sm_cause {
    const char *id, *title;
    const char *attempt[SM_ATTEMPTS]; /* what to try; NULL after the last */
    /* ids of causes of which the claim is an effect of this one, separated by blanks; "*": all */
    const char *explains;
    /* above 0: only if there is no claim of a cause with a lower number */
    unsigned last_resort;
    void (*look)(const struct sm_run_case *c, struct sm_claim *out);
};
extern const struct sm_cause *const sm_cause_table[]; /* ends with NULL */
size_t sm_cause_count(void);

#endif
