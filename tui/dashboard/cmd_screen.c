/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

#include <string.h>

static bool run_save(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_needed(c, err);
    const char *path = sm_dashboard_word(c, 0);
    if (!d || !sm_dashboard_save(d, path, err))
        return false;
    sm_result_text(out, "Saved the screen to %s.", sm_result_escape(out, path, strlen(path)));
    return true;
}

static const struct sm_arg save_args[] = {{.name = "FILE", .kind = SM_ARG_FILE, .required = true},
                                          {0}};

const struct sm_cmd sm_cmd_screen_save = {
    .parent = "screen",
    .name = "save",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Write the screen to a file: .svg picture, .ansi with colours, or text",
    .example = "screen save run.svg",
    .args = save_args,
    .run = run_save,
};

const struct sm_cmd sm_cmd_screen = {
    .name = "screen",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Commands for the screen",
};
