/* SPDX-License-Identifier: Apache-2.0 */
/* The search for the next step at which a breakpoint hits, forward or backward, on recorded and
 * live runs.
 *
 * Steps are decided in their order. The values of some steps ahead are read at the same time, each
 * once, and conditions that need elements are computed by the workers, so all threads have work.
 * Nothing blocks: call sm_break_search_run again when values or steps have arrived. */
#ifndef SM_BREAK_SEARCH_H
#define SM_BREAK_SEARCH_H

#include "commands/stops/breakpoint.h"

struct sm_break_hit {
    unsigned number;       /* of the breakpoint */
    struct sm_place place; /* without a tensor if the breakpoint is not for tensors */
    struct sm_step before; /* the step of the old value of a watched expression; n < 0 if none */
    size_t more;           /* other tensors and workers that hit at this step */
    const char *why;       /* the text of an error or a rule, or NULL */
    double value;          /* of the finding of a rule */
};
enum sm_break_search_result {
    SM_BREAK_SEARCH_BUSY,  /* call again soon */
    SM_BREAK_SEARCH_WAITS, /* call again when values or steps have arrived */
    SM_BREAK_SEARCH_HIT,
    SM_BREAK_SEARCH_END, /* no more steps, at least not yet */
};

struct sm_break_search;
/* Searches the current trial, from the step after `from`, or backward from the step before it. */
struct sm_break_search *sm_break_search_new(struct sm_session *s, struct sm_step from, bool back);
void sm_break_search_free(struct sm_break_search *search);
const struct sm_trial *sm_break_search_trial(const struct sm_break_search *search);
/* HIT: the hit counts are updated; call it again to continue. */
enum sm_break_search_result sm_break_search_run(struct sm_break_search *search, int64_t budget_us);
/* The hits of the last HIT, by number of the breakpoint; valid until the next run. */
const struct sm_break_hit *sm_break_search_hits(const struct sm_break_search *search, size_t *n);
/* whether it started before the first step, or back after the last one */
bool sm_break_search_whole(const struct sm_break_search *search);
/* the last step decided; `from` if none */
struct sm_step sm_break_search_at(const struct sm_break_search *search);
/* continues after that step, if it is later than the last one decided */
void sm_break_search_skip(struct sm_break_search *search, struct sm_step to);
/* the number of steps decided */
size_t sm_break_search_decided(const struct sm_break_search *search);
/* "gradient/fc1_weight at step 4210 (train 4200), worker_0 (and 2 more)". */
void sm_break_search_describe(const struct sm_breakpoint *b, const struct sm_break_hit *hit,
                              struct sm_str *out);
/* Lines about breakpoints that were disabled by an error or could not be tested; "" if none. */
const char *sm_break_search_warnings(const struct sm_break_search *search);

#endif
