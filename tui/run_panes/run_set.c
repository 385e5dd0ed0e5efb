/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/run_panes/run_set.h"

#include "commands/answer/typed_number.h"
#include "commands/runs/run_view.h"

#include <string.h>

static bool set_best(struct sm_run_view *view, const char *value, struct sm_err *err)
{
    int64_t n = 0;
    if (*value && (!sm_number_int(sm_text(value), &n) || n < 0))
        return sm_err_set(err, SM_ERR_USAGE, "Expected a number of runs, or none.");
    view->best = (size_t)n;
    return true;
}

bool sm_runs_set(struct sm_pane *p, struct sm_view *v, const char *attribute, const char *value,
                 struct sm_err *err)
{
    struct sm_run_view *view = sm_run_view(v->session);
    struct sm_err ignored;
    const char *key = NULL;
    (void)p;
    sm_run_view_read(v->session, view, &ignored);
    bool sort = strcmp(attribute, "sort") == 0, group = strcmp(attribute, "group") == 0;
    if (strcmp(value, "none") == 0 && !sm_run_some_config(v->session, &view->table, value))
        value = "";
    if (strcmp(attribute, "best") == 0)
        return set_best(view, value, err);
    if (strcmp(attribute, "columns") == 0)
        return sm_run_view_columns(v->session, view, value, err);
    if (!sort && !group)
        return sm_err_set(err, SM_ERR_USAGE, "Expected sort, group, best or columns.");
    if (*value && !(key = sm_run_sort_key(v->session, &view->table, value, err)))
        return false;
    if (group && key && !sm_run_some_config(v->session, &view->table, key))
        return sm_err_set(err, SM_ERR_MISSING, "No run has \"%s\".", key);
    if (group)
        sm_run_view_group(view, key);
    sm_run_view_sort(view, key);
    return true;
}
