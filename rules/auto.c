/* rule auto: attaches the rules of the table whose tensors exist, now or later. */
#include "rules/private.h"

void sm_rules_auto(struct sm_rules *r, bool on)
{
    r->candidates = on ? sm_rule_table : NULL;
    r->auto_key = 0;
    r->busy = true;
}
