/* Time. Tests and screen scripts freeze it; nobody else calls the system's clocks. */
#ifndef SM_CLOCK_H
#define SM_CLOCK_H

#include <stdint.h>

int64_t sm_clock_mono_us(void); /* monotonic, for intervals */
int64_t sm_clock_wall_us(void); /* microseconds since 1970, UTC */
/* since 1970, as files have them; 0: not from then to the year 33658 */
int64_t sm_clock_us_of(double seconds);
void sm_clock_freeze(int64_t mono_us, int64_t wall_us); /* both stand still from now on */
void sm_clock_advance(int64_t us);                      /* moves frozen clocks */
void sm_clock_thaw(void);

#endif
