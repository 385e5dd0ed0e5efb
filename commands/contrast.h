/* Two trials, steps, workers or modes compared: tensor by tensor, step by step, until each has diverged. */
#ifndef SM_CONTRAST_H
#define SM_CONTRAST_H

#include "commands/args.h"
#include "reader/compare.h"

struct sm_side {
    size_t index;                        /* of the session's trials */
    struct sm_trial *trial;
    bool has_step;
    struct sm_step step;
    enum sm_mode mode;                   /* ANY: all */
    uint16_t worker;                     /* ANY: at each step the first that has the tensor */
};
/* "2", "run1", "@100", "2@eval:12", "worker_1", "eval": what differs from where the person stands. */
bool sm_side_read(struct sm_call *c, struct sm_text text, struct sm_side *out, struct sm_err *err);
/* Gives the side without a step the other's, or in the same place the current one. False: there is no such step. */
bool sm_sides_match(const struct sm_session *s, struct sm_side *a, struct sm_side *b, struct sm_err *err);
void sm_side_text(const struct sm_session *s, const struct sm_side *x, struct sm_str *out);

/* One tensor: at the first step at which it differs, else at the last of those at which it is least alike. */
struct sm_contrast_row {
    const char *name;                    /* in the call's arena */
    bool in_a, in_b;
    uint64_t compared;                   /* steps that both have */
    struct sm_step seen, step;           /* A's: looked at last, and the one that is told */
    double time;                         /* of A's record there: write order */
    struct sm_comparison at;
    const char *why;                     /* it cannot be compared; NULL: it can */
};
struct sm_contrast {
    struct sm_side a, b;
    struct sm_compare_limits limits;
    struct sm_contrast_row *rows;        /* natural order of names; those of B alone last */
    size_t n;
    size_t step;                         /* index of A's next step */
    uint64_t common_steps;
    bool prepared;
};
/* Goes on. False: SM_ERR_WAIT, to be called again. `only`: A's tensors of interest. */
bool sm_contrast_run(struct sm_call *c, struct sm_contrast *x, const struct sm_selection *only, struct sm_err *err);
/* The row that diverged first, by step and then by writing; NULL: none. */
const struct sm_contrast_row *sm_contrast_first(const struct sm_contrast *x);

#endif
