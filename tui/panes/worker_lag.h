/* How far each worker is. */
#ifndef SM_WORKER_LAG_H
#define SM_WORKER_LAG_H

#include "reader/trial.h"

struct sm_worker_lag {
    uint16_t worker;
    int64_t last, last_us; /* step and wall clock; -1: none */
    size_t steps, behind; /* complete or not; steps after its last one, of modes it takes part in */
};
struct sm_worker_lags {
    struct sm_worker_lag *items; /* most behind first */
    size_t n;
};
/* Fills *out, zero-initialised or used before. */
void sm_worker_lags_read(const struct sm_trial *t, struct sm_worker_lags *out);
void sm_worker_lags_clear(struct sm_worker_lags *s);

/* The modes each worker takes part in, bit 1 << mode; all of them where it has written nothing.
 * Owned by the caller. */
uint8_t *sm_worker_lags_modes(const struct sm_trial *t);

#endif
