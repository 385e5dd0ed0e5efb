/* SPDX-License-Identifier: Apache-2.0 */
/* When an event was, for a narrow column. */
#ifndef SM_EVENT_TIME_H
#define SM_EVENT_TIME_H

#include <stdbool.h>
#include <stdint.h>

enum { SM_EVENT_TIME_W = 12 };
/* "00:53:27" of the day of now_us, else "11-23 00:53", of the local time zone or UTC; "" of 0. */
void sm_event_time(int64_t us, int64_t now_us, bool local, char out[SM_EVENT_TIME_W]);

#endif
