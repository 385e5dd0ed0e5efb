/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in which nothing could be compared: why, and what to do. */
#ifndef SM_COMPARE_NOTHING_H
#define SM_COMPARE_NOTHING_H

#include "commands/compare/compare_run.h"

/* Whether no tensor was compared so far. */
bool sm_compare_has_nothing(const struct sm_compare *x);
/* Appends "no step in common; \"diff 1@5 2@10\" compares these", or that no tensor has the same
 * name; nothing where each tensor has its own reason. */
void sm_compare_nothing_text(const struct sm_session *s, const struct sm_compare *x,
                             struct sm_str *out);

#endif
