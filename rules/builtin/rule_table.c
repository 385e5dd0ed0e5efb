/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/rule_list.h"

#include "reader/base/str.h"
#include "rules/custom.h"

#include <stddef.h>

#define SM_RULE_ROW(name) &sm_rule_##name,
const struct sm_rule *const sm_rule_table[] = {SM_RULES(SM_RULE_ROW) SM_PROFILER_RULES(SM_RULE_ROW)
                                                   SM_RULE_ROW(expr) NULL};

const struct sm_rule *sm_rule_find(const char *name)
{
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        if (sm_same_letters(name, (*r)->name) || sm_same_letters(name, (*r)->class_name))
            return *r;
    return NULL;
}
