/* What rules had found when an archive was saved: rows like those of sm_describe_instance, kept in it as JSON. */
#ifndef SM_STORED_FINDINGS_H
#define SM_STORED_FINDINGS_H

#include "commands/result.h"
#include "reader/trial.h"

/* Appends to list; each row says "from": "archive". instance NULL: all. How many rows. What is no such list is passed over. */
size_t sm_stored_findings(struct sm_result *r, struct sm_node *list, const struct sm_trial *t, const char *instance);

#endif
