/* SPDX-License-Identifier: Apache-2.0 */
/* info settings, info set: the settings as a table and as lines. */
#include "commands/answer/shape.h"
#include "commands/trials/trials.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column settings_columns[] = {
    {.key = "name", .header = "SETTING"},
    {.key = "value", .header = "VALUE"},
    {.key = "initial", .header = "DEFAULT"},
    {.key = "help", .header = "MEANING", .wraps = true},
};

static bool run_info_settings(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < c->session->settings.n; i++) {
        const struct sm_setting *row = sm_setting_row(&c->session->settings, i);
        struct sm_str value = {0};
        sm_setting_text(&c->session->settings, row, &value);
        struct sm_node *map = sm_node_map(out, list, NULL);
        sm_node_text(out, map, "name", row->name);
        sm_node_text(out, map, "value", sm_str_text(&value));
        sm_node_text(out, map, "initial", row->initial);
        sm_node_text(out, map, "help", row->help);
        sm_str_clear(&value);
    }
    sm_result_listing(out, list, settings_columns, COUNT(settings_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_settings = {
    .parent = "info",
    .name = "settings",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the settings with their values and defaults",
    .example = "info settings",
    .see_also = "set, show",
    .flags = SM_CMD_LISTING,
    .answer = "[{name:text,value:text,initial:text?,help:text}]",
    .run = run_info_settings,
};

static bool run_info_set(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    for (size_t i = 0; i < c->session->settings.n; i++) {
        struct sm_str value = {0};
        sm_setting_text(&c->session->settings, sm_setting_row(&c->session->settings, i), &value);
        if (value.len)
            sm_result_text(out, "set %s %s", sm_setting_row(&c->session->settings, i)->name,
                           sm_str_text(&value));
        sm_str_clear(&value);
    }
    return true;
}

const struct sm_cmd sm_cmd_info_set = {
    .parent = "info",
    .name = "set",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Print every setting as a line for \"source\"",
    .example = "info set",
    .see_also = "source",
    .run = run_info_set,
};
