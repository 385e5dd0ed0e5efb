#include "rules/rule_list.h"

#include <stddef.h>

#define SM_RULE_ROW(name) &sm_rule_##name,
const struct sm_rule *const sm_rule_table[] = {SM_RULES(SM_RULE_ROW) NULL};
