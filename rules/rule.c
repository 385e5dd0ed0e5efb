#include "rules/rule.h"

#include <ctype.h>

static char next_letter(const char **p)
{
    while (**p == '_' || **p == '-')
        ++*p;
    return (char)tolower((unsigned char)*(*p)++);
}

bool sm_rule_same_name(const char *a, const char *b)
{
    for (;;) {
        char x = next_letter(&a), y = next_letter(&b);
        if (x != y)
            return false;
        if (!x)
            return true;
    }
}

const struct sm_rule *sm_rule_find(const char *name)
{
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        if (sm_rule_same_name(name, (*r)->name) || sm_rule_same_name(name, (*r)->class_name))
            return *r;
    return NULL;
}

const char *sm_rule_group_name(enum sm_rule_group g)
{
    static const char *const names[] = {"debugger", "extra", "custom"};
    return names[g];
}
