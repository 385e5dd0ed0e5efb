/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: the table of all that was found in a directory, and what loggers say of them besides
 * values.
 *
 * Provides: the table and its filter (run_table.h, run_filter.h), JSON values of configurations as
 * nodes (run_fields.h); the commands runs, info config, info summary,
 * info system, log. */
#ifndef SM_RUNS_H
#define SM_RUNS_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_RUNS_COMMANDS(X)                                                                        \
    X(runs)                                                                                        \
    X(info_config)                                                                                 \
    X(info_summary)                                                                                \
    X(info_system)                                                                                 \
    X(log)

SM_RUNS_COMMANDS(SM_CMD_DECLARE)

extern const struct sm_state_kind sm_runs_state_kind;
/* For the record of the room. */
void sm_run_cache_clear(struct sm_session *s, size_t i);

/* The settings of the room, in the order of their names. */
struct sm_runs_settings {
    char *metric;
};
extern const struct sm_setting sm_runs_setting_rows[]; /* ends with name NULL */
const struct sm_runs_settings *sm_runs_settings(const struct sm_session *s);
extern const struct sm_feature sm_runs_feature;

#endif
