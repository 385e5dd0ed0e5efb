/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the stops room. */
#include "commands/stops/stops.h"

#include "commands/session/session.h"

#define AT(field) offsetof(struct sm_stops_settings, field)

const struct sm_setting sm_stops_setting_rows[] = {
    {.name = "batch-exit",
     .type = SM_SETTING_BOOL,
     .initial = "off",
     .help = "Exit with status 3 after a stop at a breakpoint",
     .offset = AT(batch_exit)},
    {0},
};

const struct sm_stops_settings *sm_stops_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_stops_setting_rows);
}
