/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the rules pane: the attached rules, and rules that had fired when an archive was
 * saved but do not fire now. */
#ifndef SM_RULE_ROWS_H
#define SM_RULE_ROWS_H

#include "commands/answer/result.h"
#include "commands/session/session.h"

struct sm_rule_row {
    const struct sm_rule_instance *attached; /* NULL if the rule is not attached */
    /* the saved findings if the rule had fired and does not fire now
     * (commands/judge/stored_findings.h); else NULL */
    const struct sm_node *saved;
};
enum { SM_RULE_QUIET = 3 }; /* the last rank: rules without findings */
struct sm_rule_rows {
    /* ordered by first violation, quiet rules last; valid until the next read */
    struct sm_rule_row *items;
    size_t n, cap, n_saved;
    struct sm_result scratch; /* the findings saved in the archive */
    struct sm_node *stored;
    const struct sm_trial *of;
    uint64_t version;
};
void sm_rule_rows_init(struct sm_rule_rows *r);
void sm_rule_rows_clear(struct sm_rule_rows *r);
void sm_rule_rows_forget(struct sm_rule_rows *r); /* all that belongs to a trial */
void sm_rule_rows_read(struct sm_rule_rows *r, const struct sm_session *s);
/* 0: fired, now or when saved; 1: stopped with an error; 2: in progress; SM_RULE_QUIET: other. */
int sm_rule_row_rank(const struct sm_rule_row *r);
const char *sm_rule_row_name(const struct sm_rule_row *r);

#endif
