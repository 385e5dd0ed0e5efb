/* What a tensor looks like at the current point: shared by the panels. */
#ifndef SM_TENSOR_HEALTH_H
#define SM_TENSOR_HEALTH_H

#include "commands/session/session.h"
#include "plot/grid/glyphs.h"

/* The newest value at or before the current step. NULL: none. */
const struct sm_entry *sm_tensor_health_entry(const struct sm_session *s,
                                              const struct sm_trial_tensor *x);
/* One word on its health ("12 NaN", "3 Inf", "all 0") into out; empty when well. True: a problem
 * (NaN or Inf). */
bool sm_tensor_health_text(const struct sm_facts *f, struct sm_str *out);
/* Up to `most` means over the steps, evenly spread, of TRAIN alone where it was saved there; what
 * is not known yet is left out, and what has no mean. Returns how many. */
size_t sm_tensor_health_trend(struct sm_session *s, const struct sm_trial_tensor *x, double *out,
                              size_t most);
/* "8x1x3x3" or a scalar's value, in at most `room` columns. */
void sm_tensor_health_shape(const struct sm_facts *f, int room, const struct sm_glyphs *g,
                            struct sm_str *out);

#endif
