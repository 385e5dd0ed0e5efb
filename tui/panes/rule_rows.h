/* The lines of the rules pane: the attached rules, and what rules had found when an archive was
 * saved and do not find now. */
#ifndef SM_RULE_ROWS_H
#define SM_RULE_ROWS_H

#include "commands/answer/result.h"
#include "commands/session/session.h"

struct sm_rule_row {
    const struct sm_rule_instance *now; /* NULL: not attached */
    /* it had fired, and does not now (commands/judge/stored_findings.h); NULL: no such */
    const struct sm_node *saved;
};
enum { SM_RULE_QUIET = 3 }; /* the last rank */
struct sm_rule_rows {
    /* what fired first is first, the quiet ones are last; good until they are read again */
    struct sm_rule_row *items;
    size_t n, cap, n_saved;
    struct sm_result scratch; /* what the archive tells */
    struct sm_node *stored;
    const struct sm_trial *of;
    uint64_t version;
};
void sm_rule_rows_init(struct sm_rule_rows *r);
void sm_rule_rows_clear(struct sm_rule_rows *r);
void sm_rule_rows_read(struct sm_rule_rows *r, const struct sm_session *s);
/* Problems, what is still judged, the quiet: 0 to SM_RULE_QUIET. */
int sm_rule_row_rank(const struct sm_rule_row *r);
const char *sm_rule_row_name(const struct sm_rule_row *r);

#endif
