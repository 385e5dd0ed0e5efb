/* SPDX-License-Identifier: Apache-2.0 */
/* Causes: what can go wrong in a training, each with the function that looks for it.
 *
 * cause_list.h is the only list. A cause is a constant record and one function in a file of its
 * own, cause_ID.c: it looks at the signals of a run and makes a claim, or none. The verdict
 * (verdict.h) chooses among the claims. */
#ifndef SM_CAUSE_H
#define SM_CAUSE_H

#include "rules/verdict/run_case.h"

#include <stdarg.h>

enum { SM_EVIDENCE_MOST = 4, SM_EVIDENCE_TEXT = 256, SM_ATTEMPTS = 2 };
struct sm_evidence {
    char text[SM_EVIDENCE_TEXT];  /* without names of tensors */
    int64_t step;                 /* global; -1: of no step */
    const struct sm_track *track; /* NULL: of no tensor */
    double value;
    /* shows it: "tensor", "series" ..., to which tensor, step and worker are added */
    const char *command;
};
struct sm_claim {
    bool made;
    bool doubtful;  /* it may have another cause that was not saved: the verdict is "unknown" */
    int64_t since;  /* global step of the onset; -1: not known */
    int64_t before; /* the last saved step at which it was seen to be well; -1: none */
    const struct sm_track *track; /* where it is seen best; NULL: of no tensor */
    struct sm_evidence evidence[SM_EVIDENCE_MOST];
    size_t n_evidence;
};
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
const struct sm_cause *sm_cause_find(const char *id); /* NULL if there is none */

/* Makes the claim. track may be NULL. */
void sm_claim_make(struct sm_claim *out, const struct sm_track *track, int64_t since,
                   int64_t before);
/* Adds evidence; ignored if there is no room. */
void sm_claim_add(struct sm_claim *out, const char *command, const struct sm_track *track,
                  int64_t step, double value, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* Adds levels and trend of the training's loss, if one was saved. */
void sm_claim_add_loss(struct sm_claim *out, const struct sm_run_case *c);

#endif
