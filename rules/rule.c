#include "rules/rule.h"

#include "reader/base/str.h"

const struct sm_rule *sm_rule_find(const char *name)
{
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        if (sm_same_letters(name, (*r)->name) || sm_same_letters(name, (*r)->class_name))
            return *r;
    return NULL;
}

const char *sm_rule_group_name(enum sm_rule_group g)
{
    static const char *const names[] = {"debugger", "extra", "custom"};
    return names[g];
}
