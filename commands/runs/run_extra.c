/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_extra.h"

#include "commands/runs/run_order.h"

#include <string.h>

bool sm_run_extra_has(const struct sm_run_extra *x, const char *name)
{
    for (size_t i = 0; i < x->n; i++)
        if (strcmp(x->names[i], name) == 0)
            return true;
    return false;
}

static bool add_name(const struct sm_session *s, const struct sm_run_table *t, const char *name,
                     struct sm_run_extra *out, struct sm_err *err)
{
    if (sm_run_extra_has(out, name))
        return true;
    if (out->n == SM_RUN_EXTRA_MAX)
        return sm_err_set(err, SM_ERR_USAGE, "At most %d columns can be added.", SM_RUN_EXTRA_MAX);
    if (t->n && !sm_run_some_has(s, t, name))
        return sm_err_set(err, SM_ERR_MISSING, "No run has \"%s\".", name);
    out->names[out->n++] = name;
    return true;
}

bool sm_run_extra_read(const struct sm_session *s, const struct sm_run_table *t, const char *text,
                       struct sm_arena *arena, struct sm_run_extra *out, struct sm_err *err)
{
    static const char between[] = ", \t";
    *out = (struct sm_run_extra){0};
    for (const char *p = text ? text : ""; *(p += strspn(p, between));) {
        size_t n = strcspn(p, between);
        if (!add_name(s, t, sm_arena_xstrndup(arena, p, n), out, err))
            return false;
        p += n;
    }
    return true;
}

void sm_run_extra_add_sort(const struct sm_session *s, const struct sm_run_table *t,
                           const char *sort, struct sm_run_extra *out)
{
    bool shown = !sort || (t->metric && strcmp(sort, t->metric) == 0) ||
                 sm_run_extra_has(out, sort) || sm_run_is_field(sort) ||
                 sm_run_some_config(s, t, sort) || !sm_run_some_has(s, t, sort);
    if (!shown && out->n < SM_RUN_EXTRA_MAX)
        out->names[out->n++] = sort;
}

bool sm_run_extra_value(const struct sm_session *s, const struct sm_run_row *row, const char *name,
                        struct sm_arena *arena, struct sm_run_value *out, struct sm_err *err)
{
    struct sm_text text = {name, strlen(name)};
    return sm_run_value_config(s, row, text, arena, out) ||
           sm_run_value_series(s, row, text, out, err);
}
