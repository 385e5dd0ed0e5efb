/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of the last bt and the selected frame, which up, down and frame change. */
#ifndef SM_TRACE_H
#define SM_TRACE_H

#include "commands/origin/find_origin.h"

struct sm_trace {
    const struct sm_trial *trial;
    /* at least one; frame 0 is the start of the search, the last the origin */
    struct sm_stack_frame *frames;
    size_t n, selected;
};
/* Copies the frames and selects frame 0. Without frames it clears the last trace. */
void sm_trace_set(struct sm_session *s, const struct sm_origin *o);
void sm_trace_clear(struct sm_session *s);
/* The trace with the current tensor and step as selected frame. NULL if there is none. */
struct sm_trace *sm_trace_here(const struct sm_session *s);
void sm_trace_select(struct sm_session *s, size_t frame);

/* Frames [from, to) as rows, and as lines "#1  step 3900  gradient/fc0_bias  12 NaN of 64  first
 * NaN". */
void sm_trace_rows(const struct sm_trace *t, size_t from, size_t to, struct sm_result *out,
                   struct sm_node *list);
void sm_trace_lines(const struct sm_session *s, size_t from, size_t to, struct sm_result *out);
extern const struct sm_column sm_trace_columns[];
extern const size_t sm_n_trace_columns;
/* Prints the last good value before the origin, and the next command. */
void sm_trace_advice(const struct sm_trace *t, struct sm_result *out);

#endif
