/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/incident.h"

#include "reader/base/clock.h"
#include "reader/base/grow.h"
#include "reader/base/str.h"

#include <string.h>

struct sm_incidents *sm_incidents_new(void)
{
    return sm_xalloc_zero(1, sizeof(struct sm_incidents));
}

static void clear_incident(struct sm_incident *e)
{
    sm_free(e->rule);
    sm_free(e->text);
}

void sm_incidents_free(struct sm_incidents *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++)
        clear_incident(&l->items[i]);
    sm_free(l->items);
    sm_free(l);
}

/* Front ends print it as it is. */
static char *escaped_text(const char *text)
{
    struct sm_str out = {0};
    sm_str_add_escaped_lines(&out, text, strlen(text));
    return out.data ? out.data : sm_xstrdup("");
}

void sm_incidents_add(struct sm_incidents *l, const char *rule, int64_t step, bool bell,
                      const char *text)
{
    struct sm_incident e = {.time_us = sm_clock_wall_us(),
                            .rule = rule ? sm_xstrdup(rule) : NULL,
                            .step = step,
                            .bell = bell,
                            .text = escaped_text(text)};
    if (l->n == SM_INCIDENTS_MAX) {
        clear_incident(&l->items[0]);
        memmove(l->items, l->items + 1, --l->n * sizeof *l->items);
    }
    SM_GROW(l->items, l->n, l->cap);
    l->items[l->n++] = e;
    l->total++;
    if (l->on_added)
        l->on_added(l->ctx, &l->items[l->n - 1]);
}
