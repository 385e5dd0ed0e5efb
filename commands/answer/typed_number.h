/* Numbers, sizes and durations as a person types them; always in the C locale. */
#ifndef SM_TYPED_NUMBER_H
#define SM_TYPED_NUMBER_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Decimal, 0x1f, 1e3, inf, nan, with k m g (powers of 1000) or Ki Mi Gi (of 1024) behind it. False:
 * not a number. */
bool sm_number_double(struct sm_text t, double *out);
/* The same, whole and exact. */
bool sm_number_int(struct sm_text t, int64_t *out);
/* 500ms 10s 5m 2h 1d 250us; without a unit seconds. Never negative. */
bool sm_number_duration(struct sm_text t, int64_t *us);

#endif
