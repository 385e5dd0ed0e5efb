/* SPDX-License-Identifier: Apache-2.0 */
/* doctor: damaged and missing parts of the trial. */
#include "commands/answer/shape.h"
#include "commands/trials/doctor.h"
#include "commands/trials/trials.h"
#include "reader/base/clock.h"

static const struct sm_column doctor_columns[] = {
    {.key = "part", .header = "PART"},
    {.key = "verdict", .header = "VERDICT"},
    {.key = "finding", .header = "FINDING", .wraps = true},
    {.key = "cause", .header = "LIKELY CAUSE", .wraps = true},
};

static bool run_doctor(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_file_check *files = sm_file_check_ask(c, err);
    if (!files)
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    sm_doctor(out, list, sm_session_trial(c->session), files, sm_clock_wall_us());
    sm_result_listing(out, list, doctor_columns, sizeof doctor_columns / sizeof *doctor_columns);
    return true;
}

const struct sm_cmd sm_cmd_doctor = {
    .name = "doctor",
    .aliases = "do",
    .cmd_class = SM_CLASS_FILES,
    .summary = "Show the missing or damaged parts of the trial and the likely cause",
    .help = "Checks the collections files, index files, event files, workers, the end marker and "
            "the errors found so far.",
    .example = "doctor",
    .see_also = "info, refresh, why",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{part:text,verdict:text?,finding:text,cause:text?}]",
    .run = run_doctor,
};
