/* How far each worker is. */
#ifndef SM_STANDING_H
#define SM_STANDING_H

#include "reader/trial.h"

struct sm_standing {
    uint16_t worker;
    int64_t last, last_us;               /* step and wall clock; -1: none */
    size_t steps, behind;                /* complete or not; steps after its last one, of modes it takes part in */
};
struct sm_standings {
    struct sm_standing *items;           /* most behind first */
    size_t n;
};
/* Fills *out, zero-initialised or used before. */
void sm_standings_read(const struct sm_trial *t, struct sm_standings *out);
void sm_standings_clear(struct sm_standings *s);

/* The modes each worker takes part in, bit 1 << mode; all of them where it has written nothing. Owned by the caller. */
uint8_t *sm_standings_modes(const struct sm_trial *t);

#endif
