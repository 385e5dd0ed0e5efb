/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks. All code reads time through this file, so that tests and screen scripts can freeze
 * it. */
#ifndef SM_CLOCK_H
#define SM_CLOCK_H

#include <stdint.h>

int64_t sm_clock_mono_us(void); /* monotonic, for intervals */
int64_t sm_clock_wall_us(void); /* microseconds since 1970, UTC */
double sm_clock_wall_s(void);   /* seconds since 1970, UTC */
/* Microseconds since 1970 of a file's seconds since 1970; 0 if out of range (before 1970 or after
 * the year 33658). */
int64_t sm_clock_us_of(double seconds);
void sm_clock_freeze(int64_t mono_us, int64_t wall_us); /* both clocks stop */
void sm_clock_advance(int64_t us);                      /* moves frozen clocks forward */
void sm_clock_thaw(void);

#endif
