/* SPDX-License-Identifier: Apache-2.0 */
/* The tensors on which rules have fired. */
#ifndef SM_FIRED_TENSORS_H
#define SM_FIRED_TENSORS_H

#include "commands/session/session.h"

struct sm_fired_tensors {
    bool *has; /* by name id */
    size_t n;
    /* the counts at the last read, to detect changes */
    const struct sm_rules *of;
    uint64_t rules, findings, violations;
};
/* Fills *out, zero-initialised or used before, from the rules of the current trial; does nothing if
 * there are no new findings. */
void sm_fired_tensors_read(const struct sm_session *s, struct sm_fired_tensors *out);
bool sm_fired_tensors_has(const struct sm_fired_tensors *x, uint32_t name);
void sm_fired_tensors_clear(struct sm_fired_tensors *x);

#endif
