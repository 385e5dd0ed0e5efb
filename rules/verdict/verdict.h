/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict: from the signals of a run to one cause.
 *
 * The room rules/verdict collects signals (track.h, collect.h), derives what all causes ask for
 * (run_case.h), lets each cause look (cause.h, cause_list.h) and chooses one of their claims here.
 * Definitions and limits: doc/verdict.md. */
#ifndef SM_VERDICT_H
#define SM_VERDICT_H

#include "rules/speed/speed.h"
#include "rules/verdict/cause.h"

enum { SM_VERDICT_CLAIMS = 32 };
struct sm_effect {
    const struct sm_cause *cause; /* of the claim that is an effect */
    const struct sm_claim *claim;
};
struct sm_verdict {
    struct sm_run_case of;
    const struct sm_cause *cause;              /* NULL: none, or unknown */
    bool unknown;                              /* something is wrong, and no cause explains it */
    struct sm_claim claims[SM_VERDICT_CLAIMS]; /* by cause, in the order of the list */
    /* of the cause, or the doubtful one of an unknown cause; NULL without */
    const struct sm_claim *claim;
    struct sm_effect effects[SM_VERDICT_CLAIMS]; /* by onset */
    size_t n_effects;
    size_t n_tensors;       /* that were looked at */
    const char *missing[8]; /* what was not saved, so that causes could not be looked for */
    size_t n_missing;
    /* what holds the run up, if it has a profile; its cause and claim, if it is the verdict */
    bool has_speed;
    struct sm_speed speed;
    struct sm_cause speed_cause;
    struct sm_claim speed_claim;
};
/* now_us: wall clock. The signals must not change while the verdict is used. */
void sm_verdict_find(const struct sm_signals *g, int64_t now_us, struct sm_verdict *out);
/* Adds what holds the run up: it is the cause unless something is wrong with what is learned. A
 * cause of that comes first: a fast run that learns nothing is of no use. The verdict must not be
 * moved afterwards. */
void sm_verdict_join(struct sm_verdict *v, const struct sm_speed *s);
void sm_verdict_clear(struct sm_verdict *v);
/* "learning_rate_too_high", "none" or "unknown"; the title in words. */
const char *sm_verdict_id(const struct sm_verdict *v);
const char *sm_verdict_title(const struct sm_verdict *v);

#endif
