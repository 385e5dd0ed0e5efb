/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the origin room. */
#include "commands/origin/origin.h"

#include "commands/origin/write_order.h"
#include "commands/session/session.h"

#define AT(field) offsetof(struct sm_origin_settings, field)

const struct sm_setting sm_origin_setting_rows[] = {
    {.name = "bt-order",
     .type = SM_SETTING_TEXT,
     .initial = "time",
     .help = "Order of tensors in a step: time written, name, or a FILE of names",
     .check = sm_order_check,
     .offset = AT(bt_order)},
    {0},
};

const struct sm_origin_settings *sm_origin_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_origin_setting_rows);
}
