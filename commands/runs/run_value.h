/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a row of the table of runs, by its name: a field of the table, a state, or a key of
 * the configuration. Filter, order, groups and columns take their values from here. */
#ifndef SM_RUN_VALUE_H
#define SM_RUN_VALUE_H

#include "commands/runs/run_filter.h"
#include "commands/runs/run_table.h"

/* A field: run (name), path, kind, state, trend, worst_rule, steps, step (last_step), rate, newest
 * (metric, or the name of the metric), best, best_step, issues, errors, current, hidden, age (in
 * seconds, of the newest data), rules (worst_rule); and each state, which is 1 for runs in it. The
 * state is the word that is shown: a run that failed is not "ended". False: no field has this name.
 */
bool sm_run_value_field(const struct sm_session *s, const struct sm_run_row *row,
                        struct sm_text name, struct sm_run_value *out);
/* A key of the configuration, also by another of its spellings (config_key.h); name is
 * 0-terminated. MISSING, and false, if the run has none. Texts
 * are in the arena. */
bool sm_run_value_config(const struct sm_session *s, const struct sm_run_row *row,
                         struct sm_text name, struct sm_arena *arena, struct sm_run_value *out);
/* The configuration by exactly this name, else the fields, else another spelling of the
 * configuration. False: the run has neither of this name. */
bool sm_run_value_any(const struct sm_session *s, const struct sm_run_row *row, struct sm_text name,
                      struct sm_arena *arena, struct sm_run_value *out);
/* The newest value of a series of the run; name is 0-terminated. MISSING: it has none. False with
 * SM_ERR_WAIT while it is being read. */
bool sm_run_value_series(const struct sm_session *s, const struct sm_run_row *row,
                         struct sm_text name, struct sm_run_value *out, struct sm_err *err);

#endif
