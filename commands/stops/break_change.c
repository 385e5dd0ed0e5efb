/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_change.h"
#include "commands/stops/stops.h"

#include <string.h>

/* Applies it to the breakpoints with a number or in a range. */
static bool change_range(struct sm_call *c, const struct sm_word *w, sm_breakpoint_change *apply,
                         struct sm_err *err)
{
    struct sm_breakpoints *list = &sm_stops(c->session)->breakpoints;
    int64_t from, to;
    if (!sm_breakpoint_range(c->session, w, &from, &to, err))
        return false;
    for (size_t i = list->n; i-- > 0;)
        if (list->items[i]->number >= from && list->items[i]->number <= to)
            apply(list, list->items[i]);
    list->version++;
    return true;
}

bool sm_breakpoints_change(struct sm_call *c, size_t first, sm_breakpoint_change *apply,
                           struct sm_err *err)
{
    struct sm_breakpoints *list = &sm_stops(c->session)->breakpoints;
    for (size_t i = list->n; c->n_words <= first && i-- > 0;)
        apply(list, list->items[i]);
    list->version++;
    for (size_t i = first; i < c->n_words; i++)
        if (!change_range(c, &c->words[i], apply, err))
            return false;
    return true;
}

bool sm_breakpoints_word(const struct sm_call *c, size_t at, const char *keyword)
{
    struct sm_text t = at < c->n_words ? c->words[at].text : SM_TEXT("");
    return t.n && t.n <= strlen(keyword) && memcmp(t.p, keyword, t.n) == 0;
}
