/* What rules had found when an archive was saved: rows like those of sm_describe_instance, kept in
 * it as JSON. */
#ifndef SM_STORED_FINDINGS_H
#define SM_STORED_FINDINGS_H

#include "commands/answer/result.h"
#include "reader/trial.h"

/* Appends to list; each row says "from": "archive". instance NULL: all. How many rows. What is no
 * such list is passed over. */
size_t sm_stored_findings(struct sm_result *r, struct sm_node *list, const struct sm_trial *t,
                          const char *instance);
/* Whether the rule of such a row fired: first_step is a number then. */
bool sm_stored_fired(const struct sm_node *row);
/* Of those of a rule, by instance or class, or of all the one that fired first; NULL: none did. */
const struct sm_node *sm_stored_first(struct sm_result *r, const struct sm_trial *t,
                                      const char *rule);
/* What such a row has found from one step to another: rows like those of sm_describe_finding, with
 * the rule. Appends to list. */
void sm_stored_details(struct sm_result *r, struct sm_node *list, const struct sm_node *row,
                       int64_t first, int64_t last);
size_t sm_stored_count(const struct sm_trial *t);

#endif
