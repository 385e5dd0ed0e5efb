/* The search for the next step at which a breakpoint hits, forward or back, on a recorded run and on a living one.
 *
 * Steps are decided in their order; the values of some steps ahead are read meanwhile, each once, and conditions that look
 * at elements are computed by the workers, so all threads have work. Nothing waits: sm_hunt_run is called again on news. */
#ifndef SM_HUNT_H
#define SM_HUNT_H

#include "commands/stops/breakpoint.h"

struct sm_hit {
    unsigned number;                     /* the breakpoint's */
    struct sm_step step;
    uint32_t tensor;                     /* name id; NONE: it is about the step */
    uint16_t worker;
    struct sm_step before;               /* of what changed: where it was another value; n < 0: none */
    size_t more;                         /* other tensors and workers of this step for which it holds */
    const char *why;                     /* of an error or a rule; NULL: none */
    double value;                        /* what a rule found */
};
enum sm_hunt_result {
    SM_HUNT_BUSY,                        /* call again soon */
    SM_HUNT_WAITS,                       /* call again on news */
    SM_HUNT_HIT,
    SM_HUNT_END,                         /* no more steps, at least not yet */
};

struct sm_hunt;
/* Of the current trial, from the step behind `from`, or before it. */
struct sm_hunt *sm_hunt_new(struct sm_session *s, struct sm_step from, bool back);
void sm_hunt_free(struct sm_hunt *h);
const struct sm_trial *sm_hunt_trial(const struct sm_hunt *h);
/* Hit counts have been counted when it says HIT; call it again to go on. */
enum sm_hunt_result sm_hunt_run(struct sm_hunt *h, int64_t budget_us);
/* Of the last HIT, by number; until sm_hunt_run is called again. */
const struct sm_hit *sm_hunt_hits(const struct sm_hunt *h, size_t *n);
struct sm_step sm_hunt_at(const struct sm_hunt *h);        /* the last step that was decided; at first `from` */
void sm_hunt_skip(struct sm_hunt *h, struct sm_step to);   /* goes on behind that step, should it be a later one */
size_t sm_hunt_passed(const struct sm_hunt *h);            /* how many were */
/* "gradient/fc1_weight at step 4210 (train 4200), worker_0 (and 2 more)". */
void sm_hunt_describe(const struct sm_trial *t, const struct sm_breakpoint *b, const struct sm_hit *hit, struct sm_str *out);
/* What breakpoints that were disabled meanwhile, or cannot be told about, have to say: lines. */
const char *sm_hunt_remarks(const struct sm_hunt *h);

#endif
