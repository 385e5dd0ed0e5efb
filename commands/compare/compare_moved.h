/* SPDX-License-Identifier: Apache-2.0 */
/* Which tensors that differ have the values of another one on the other side: exchanged layers,
 * wrong names of a conversion. */
#ifndef SM_COMPARE_MOVED_H
#define SM_COMPARE_MOVED_H

#include "commands/compare/compare_run.h"

/* Rows that differ, of which such others are looked for: more are not compared with each other. */
enum { SM_COMPARE_MOVED_MAX = 256 };
/* Sets `like` of rows that differ, when all rows are compared. Values are read only where their
 * statistics agree. False with SM_ERR_WAIT. */
bool sm_compare_moved(struct sm_call *c, struct sm_compare *x, struct sm_err *err);

#endif
