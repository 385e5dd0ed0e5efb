/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/kept_regex.h"

#include <string.h>

enum { KEPT = 4 };
static struct {
    struct sm_str text;
    struct sm_name_regex regex; /* its code is NULL if it is not valid */
} kept[KEPT];
static unsigned oldest;

static bool is_kept(unsigned i, struct sm_text regex)
{
    return kept[i].text.data && kept[i].text.len == regex.n &&
           memcmp(kept[i].text.data, regex.p, regex.n) == 0;
}

static const struct sm_name_regex *compiled(struct sm_text regex, struct sm_err *err)
{
    for (unsigned i = 0; i < KEPT; i++)
        if (is_kept(i, regex) && kept[i].regex.code)
            return &kept[i].regex;
    unsigned i = oldest;
    oldest = (oldest + 1) % KEPT;
    sm_name_regex_clear(&kept[i].regex);
    sm_str_truncate(&kept[i].text, 0);
    sm_str_addn(&kept[i].text, regex.p, regex.n);
    if (sm_name_regex_init(&kept[i].regex, regex, true, err))
        return &kept[i].regex;
    sm_name_regex_clear(&kept[i].regex);
    return NULL;
}

bool sm_kept_regex_check(struct sm_text regex, struct sm_err *err)
{
    return compiled(regex, err) != NULL;
}

bool sm_kept_regex_matches(struct sm_text regex, struct sm_text name)
{
    struct sm_err ignored;
    const struct sm_name_regex *x = compiled(regex, &ignored);
    return x && sm_name_regex_matches(x, name);
}
