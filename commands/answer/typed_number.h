/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, sizes and durations as the user types them, always in the C locale. */
#ifndef SM_TYPED_NUMBER_H
#define SM_TYPED_NUMBER_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Parses a number: decimal, 0x1f, 1e3, inf or nan, optionally followed by k, m, g (powers of 1000)
 * or Ki, Mi, Gi, Ti (of 1024). Returns false if t is not a number. */
bool sm_number_double(struct sm_text t, double *out);
/* The same for integers, exact to 64 bits. Returns false also if it is not an integer. */
bool sm_number_int(struct sm_text t, int64_t *out);
/* Parses a duration: 500ms, 10s, 5m, 2h, 1d, 250us; seconds without a unit. It is never negative.
 */
bool sm_number_duration(struct sm_text t, int64_t *us);

#endif
