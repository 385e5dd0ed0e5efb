/* SPDX-License-Identifier: Apache-2.0 */
/* Which settings of the configurations are columns of the table of runs. */
#ifndef SM_CONFIG_COLUMNS_H
#define SM_CONFIG_COLUMNS_H

#include "commands/runs/run_table.h"

/* Settings that differ between the runs of the table, each once, in the order in which the runs
 * have them; at most `most`. *all is their number. Those with two values or more come before those
 * that some runs lack, which at least half of the runs that have a configuration must have. None is
 * internal (config_key.h). Names are parts of those of the trials, in one of their spellings. */
size_t sm_run_table_differs(const struct sm_session *s, const struct sm_run_table *t,
                            const char **keys, size_t most, size_t *all);

#endif
