/* SPDX-License-Identifier: Apache-2.0 */
/* Which tensors that differ, or that have no counterpart, have the values of another one on the
 * other side, or are transposed: exchanged layers, other names, conversions. */
#ifndef SM_COMPARE_MOVED_H
#define SM_COMPARE_MOVED_H

#include "commands/compare/compare_run.h"

/* Rows of which such others are looked for: more are not compared with each other. Where nothing is
 * equal, only so few. */
enum { SM_COMPARE_MOVED_MAX = 2048, SM_COMPARE_FEW = 16 };
/* Sets `like`, `transposed` and `found` of such rows, when all rows are compared, and the shapes of
 * those with another shape. Of one trial with itself it sets shapes only. Values are read only
 * where their statistics agree. False with SM_ERR_WAIT; call it again. */
bool sm_compare_moved(struct sm_call *c, struct sm_compare *x, struct sm_err *err);

#endif
