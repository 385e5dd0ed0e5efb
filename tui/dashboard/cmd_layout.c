/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

static bool run_layout(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_needed(c, err);
    (void)out;
    return d && sm_dashboard_show_layout(d, sm_dashboard_word(c, 0), err);
}

static const struct sm_arg layout_args[] = {
    {.name = "NAME", .kind = SM_ARG_TEXT, .required = true, .words = sm_layout_words}, {0}};

const struct sm_cmd sm_cmd_layout = {
    .name = "layout",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Select a layout: main, plots, value, rules, health, system, ...",
    .help = "next and prev select the next or previous layout, including layouts of \"tui "
            "new-layout\". The next session starts with "
            "the last layout.",
    .example = "layout plots",
    .see_also = "focus, tui",
    .args = layout_args,
    .run = run_layout,
};
