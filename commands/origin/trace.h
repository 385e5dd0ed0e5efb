/* The frames of the last bt, and which of them is selected: what up, down and frame move along. */
#ifndef SM_TRACE_H
#define SM_TRACE_H

#include "commands/origin/find_origin.h"

struct sm_trace {
    const struct sm_trial *trial;
    /* at least one; 0 is where the person stood, the last the origin */
    struct sm_stack_frame *frames;
    size_t n, selected;
};
/* Takes a copy of what was found, and stands at frame 0. No frames: forgets the last trace. */
void sm_trace_set(struct sm_session *s, const struct sm_origin *o);
void sm_trace_forget(struct sm_session *s);
/* NULL: there is none for the place where the person stands. */
struct sm_trace *sm_trace_here(const struct sm_session *s);
void sm_trace_select(struct sm_session *s, size_t frame);

/* Frames [from, to) as rows, and as lines "#1  step 3900  gradient/fc0_bias  12 NaN of 64  first
 * NaN". */
void sm_trace_rows(const struct sm_trace *t, size_t from, size_t to, struct sm_result *out,
                   struct sm_node *list);
void sm_trace_lines(const struct sm_session *s, size_t from, size_t to, struct sm_result *out);
extern const struct sm_column sm_trace_columns[];
extern const size_t sm_n_trace_columns;
/* What the origin was before it went bad, and what to type next. */
void sm_trace_advice(const struct sm_trace *t, struct sm_result *out);

#endif
