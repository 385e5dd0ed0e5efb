/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/event_time.h"

#include <time.h>

static bool calendar(int64_t us, bool local, struct tm *out)
{
    time_t seconds = (time_t)(us / 1000000);
    return local ? localtime_r(&seconds, out) : gmtime_r(&seconds, out);
}

void sm_event_time(int64_t us, int64_t now_us, bool local, char out[SM_EVENT_TIME_W])
{
    struct tm at, now;
    *out = '\0';
    if (!us || !calendar(us, local, &at) || !calendar(now_us, local, &now))
        return;
    bool today = at.tm_year == now.tm_year && at.tm_yday == now.tm_yday;
    strftime(out, SM_EVENT_TIME_W, today ? "%H:%M:%S" : "%m-%d %H:%M", &at);
}
