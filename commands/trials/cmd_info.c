/* info: the table of its subcommands, which live in cmd_info_*.c or with the commands that they
 * resemble. */
#include "commands/language/cmd_list.h"

static const struct sm_cmd *const info_subs[] = {
    &sm_cmd_info_trial,       &sm_cmd_info_trials,      &sm_cmd_info_tensors,
    &sm_cmd_info_tensor,      &sm_cmd_info_collections, &sm_cmd_info_collection,
    &sm_cmd_info_steps,       &sm_cmd_info_modes,       &sm_cmd_info_workers,
    &sm_cmd_info_sessions,    &sm_cmd_info_errors,      &sm_cmd_info_files,
    &sm_cmd_info_location,    &sm_cmd_info_memory,      &sm_cmd_info_settings,
    &sm_cmd_info_set,         &sm_cmd_info_keys,        &sm_cmd_info_rules,
    &sm_cmd_info_events,      &sm_cmd_info_display,     &sm_cmd_info_expr,
    &sm_cmd_info_breakpoints, &sm_cmd_info_watchpoints, &sm_cmd_info_environment,
    &sm_cmd_info_size,        &sm_cmd_info_win,         NULL,
};
const struct sm_cmd sm_cmd_info = {
    .name = "info",
    .aliases = "i",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "What the trial and the session hold",
    .example = "info trial",
    .see_also = "show tensors",
    .subs = info_subs,
};
