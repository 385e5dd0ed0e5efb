/* The search for the next step at which a breakpoint hits, forward or back, on a recorded run and
 * on a living one.
 *
 * Steps are decided in their order; the values of some steps ahead are read meanwhile, each once,
 * and conditions that look at elements are computed by the workers, so all threads have work.
 * Nothing waits: sm_break_search_run is called again on news. */
#ifndef SM_BREAK_SEARCH_H
#define SM_BREAK_SEARCH_H

#include "commands/stops/breakpoint.h"

struct sm_break_hit {
    unsigned number;       /* the breakpoint's */
    struct sm_place place; /* its step; without a tensor it is about the step */
    struct sm_step before; /* of what changed: where it was another value; n < 0: none */
    size_t more;           /* other tensors and workers of this step for which it holds */
    const char *why;       /* of an error or a rule; NULL: none */
    double value;          /* what a rule found */
};
enum sm_break_search_result {
    SM_BREAK_SEARCH_BUSY,  /* call again soon */
    SM_BREAK_SEARCH_WAITS, /* call again on news */
    SM_BREAK_SEARCH_HIT,
    SM_BREAK_SEARCH_END, /* no more steps, at least not yet */
};

struct sm_break_search;
/* Of the current trial, from the step behind `from`, or before it. */
struct sm_break_search *sm_break_search_new(struct sm_session *s, struct sm_step from, bool back);
void sm_break_search_free(struct sm_break_search *search);
const struct sm_trial *sm_break_search_trial(const struct sm_break_search *search);
/* Hit counts have been counted when it says HIT; call it again to go on. */
enum sm_break_search_result sm_break_search_run(struct sm_break_search *search, int64_t budget_us);
/* Of the last HIT, by number; until sm_break_search_run is called again. */
const struct sm_break_hit *sm_break_search_hits(const struct sm_break_search *search, size_t *n);
/* the last step that was decided; at first `from` */
struct sm_step sm_break_search_at(const struct sm_break_search *search);
/* goes on behind that step, should it be a later one */
void sm_break_search_skip(struct sm_break_search *search, struct sm_step to);
size_t sm_break_search_decided(const struct sm_break_search *search); /* how many were */
/* "gradient/fc1_weight at step 4210 (train 4200), worker_0 (and 2 more)". */
void sm_break_search_describe(const struct sm_breakpoint *b, const struct sm_break_hit *hit,
                              struct sm_str *out);
/* What breakpoints that were disabled meanwhile, or cannot be told about, have to say: lines. */
const char *sm_break_search_remarks(const struct sm_break_search *search);

#endif
