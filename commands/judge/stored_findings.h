/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of rules that are stored in an archive: rows like those of sm_describe_instance, as
 * JSON. */
#ifndef SM_STORED_FINDINGS_H
#define SM_STORED_FINDINGS_H

#include "commands/answer/result.h"
#include "reader/trial.h"

/* Appends the rows to list; each has "from": "archive". instance: name of one rule, NULL for all.
 * Returns the number of rows. Skips invalid data. */
size_t sm_stored_findings(struct sm_result *r, struct sm_node *list, const struct sm_trial *t,
                          const char *instance);
/* Whether the rule of such a row has fired. Then first_step is a number. */
bool sm_stored_fired(const struct sm_node *row);
/* The row that fired first, or NULL. rule: only rows of this instance or class; NULL for all. */
const struct sm_node *sm_stored_first(struct sm_result *r, const struct sm_trial *t,
                                      const char *rule);
/* Appends the findings of such a row from step first to step last, inclusive: rows like those of
 * sm_describe_finding, with the rule. */
void sm_stored_details(struct sm_result *r, struct sm_node *list, const struct sm_node *row,
                       int64_t first, int64_t last);
/* The number of rows in the archive; 0 if t is not an archive. */
size_t sm_stored_count(const struct sm_trial *t);

#endif
