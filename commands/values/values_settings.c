/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the values room. */
#include "commands/values/values.h"

#include "commands/session/session.h"

#define AT(field) offsetof(struct sm_values_settings, field)

const struct sm_setting sm_values_setting_rows[] = {
    {.name = "print elements",
     .type = SM_SETTING_INT,
     .max = SM_SETTING_UNLIMITED,
     .initial = "200",
     .unit = "elements",
     .help = "Maximum number of elements that find and \"tensor ... where\" list",
     .offset = AT(print_elements)},
    {.name = "print repeats",
     .type = SM_SETTING_INT,
     .max = SM_SETTING_UNLIMITED,
     .initial = "10",
     .unit = "elements",
     .help = "Minimum number of equal elements that x prints as <repeats N times>",
     .offset = AT(print_repeats)},
    {0},
};

const struct sm_values_settings *sm_values_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_values_setting_rows);
}
