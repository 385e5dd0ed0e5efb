/* SPDX-License-Identifier: Apache-2.0 */
/* A claim: that something went wrong in a run, since when and where, with its evidence. */
#ifndef SM_CLAIM_H
#define SM_CLAIM_H

#include "rules/verdict/run_case.h"

enum { SM_EVIDENCE_MOST = 4, SM_EVIDENCE_TEXT = 256 };
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
    /* NaN or infinity that may have another cause, which was not saved: the verdict is "unknown" */
    bool doubtful;
    int64_t since;  /* global step of the onset; -1: not known */
    int64_t before; /* the last saved step at which it was seen to be well; -1: none */
    const struct sm_track *track; /* where it is seen best; NULL: of no tensor */
    struct sm_evidence evidence[SM_EVIDENCE_MOST];
    size_t n_evidence;
};

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
