/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/rule.h"

const char *sm_rule_group_name(enum sm_rule_group g)
{
    static const char *const names[] = {"debugger", "extra", "custom", "profiler"};
    return names[g];
}
