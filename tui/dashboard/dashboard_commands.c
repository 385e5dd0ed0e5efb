/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard's functions for commands: layout, focus, act, key, screen save. */
#include "tui/dashboard/dashboard.h"

#include "commands/session/trial_list.h"
#include "tui/dashboard/dashboard_feature.h"
#include "tui/panes/key_help.h"

#include <string.h>

static void add_escaped(struct sm_str *out, const char *name)
{
    sm_str_add_escaped(out, name, strlen(name));
}

/* The charts show all marked runs, the differences are of two. */
static void add_compared(const struct sm_session *s, struct sm_str *out)
{
    size_t a, b, n = 0;
    if (!sm_trials_pair(s, &a, &b))
        return;
    for (size_t i = 0; i < s->n_trials; i++)
        n += sm_trials_shown(s, i);
    sm_str_add(out, ": ");
    if (n > 2)
        sm_str_printf(out, "charts of %zu runs, ", n);
    sm_str_add(out, "differences of ");
    add_escaped(out, sm_trials_name(s, b));
    sm_str_add(out, s->baseline == s->trials[a].trial ? " from the baseline " : " from ");
    add_escaped(out, sm_trials_name(s, a));
}

bool sm_dashboard_set_layout(struct sm_dashboard *d, size_t i, struct sm_err *err)
{
    struct sm_str text = {0};
    if (!sm_panes_arrange(&d->panes, d->layouts.items[i].spec, err))
        return false;
    if (i != d->layouts.current) {
        sm_str_printf(&text, "layout %s", d->layouts.items[i].name);
        if (strcmp(d->layouts.items[i].name, "compare") == 0)
            add_compared(d->session, &text);
        sm_str_add(&text, d->view.sweep ? "; Backspace: back to the runs" : "");
        sm_dashboard_say(d, sm_str_text(&text));
        sm_str_clear(&text);
    }
    d->layouts.current = i;
    d->dirty = d->urgent = true;
    return true;
}

bool sm_dashboard_show_layout(struct sm_dashboard *d, const char *name, struct sm_err *err)
{
    size_t i;
    return sm_layouts_find(&d->layouts, name, &i, err) && sm_dashboard_set_layout(d, i, err);
}

bool sm_dashboard_new_layout(struct sm_dashboard *d, const char *name, const char *spec,
                             struct sm_err *err)
{
    struct sm_layout layout;
    return sm_layout_parse(spec, d->panes.table, &layout, err) &&
           sm_layouts_define(&d->layouts, name, spec, err);
}

static bool unknown_pane(const struct sm_dashboard *d, const char *name, struct sm_err *err)
{
    struct sm_str names = {0};
    for (size_t i = 0; i < d->panes.n; i++)
        sm_str_printf(&names, " %s", d->panes.items[i].ops->name);
    sm_err_set(err, SM_ERR_USAGE, "Unknown pane \"%s\". Choose one of:%s next prev.", name,
               sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

/* Stores a changed layout. */
static bool store_layout(struct sm_dashboard *d, bool ok, struct sm_str *spec)
{
    if (ok)
        sm_layouts_change(&d->layouts, d->layouts.current, sm_str_text(spec));
    d->dirty = d->urgent = true;
    sm_str_clear(spec);
    return ok;
}

bool sm_dashboard_hide(struct sm_dashboard *d, const char *pane, bool hide, struct sm_err *err)
{
    struct sm_str spec = {0};
    return store_layout(d, sm_panes_hide(&d->panes, pane, hide, &spec, err), &spec);
}

bool sm_dashboard_resize(struct sm_dashboard *d, const char *pane, bool columns, const char *by,
                         struct sm_err *err)
{
    struct sm_str spec = {0};
    return store_layout(d, sm_panes_resize(&d->panes, pane, columns, by, &spec, err), &spec);
}

bool sm_dashboard_reset_layout(struct sm_dashboard *d, struct sm_err *err)
{
    size_t i = d->layouts.current;
    if (!sm_layouts_is_builtin(i))
        return sm_err_set(err, SM_ERR_USAGE,
                          "The layout \"%s\" is not built in. Use \"tui new-layout\" to define it.",
                          d->layouts.items[i].name);
    sm_layouts_change(&d->layouts, i, NULL);
    return sm_dashboard_set_layout(d, i, err);
}

bool sm_dashboard_focus(struct sm_dashboard *d, const char *pane, struct sm_err *err)
{
    d->dirty = d->urgent = true;
    if (strcmp(pane, "next") == 0 || strcmp(pane, "prev") == 0)
        sm_panes_next(&d->panes, *pane == 'n');
    else if (sm_panes_hides(&d->panes, pane) && !sm_dashboard_hide(d, pane, false, err))
        return false;
    else if (!sm_panes_focus_name(&d->panes, pane))
        return unknown_pane(d, pane, err);
    return true;
}

bool sm_dashboard_set(struct sm_dashboard *d, const char *pane, const char *attribute,
                      const char *value, struct sm_err *err)
{
    struct sm_pane *p = sm_panes_find(&d->panes, pane);
    if (!p)
        return unknown_pane(d, pane, err);
    if (!p->ops->set)
        return sm_err_set(err, SM_ERR_USAGE, "The pane \"%s\" has no attributes to set.", pane);
    d->dirty = d->urgent = true;
    return p->ops->set(p, &d->view, attribute, value, err);
}

bool sm_dashboard_act_by_name(struct sm_dashboard *d, const char *action, struct sm_err *err)
{
    enum sm_key_action a = sm_action_of_name(action);
    if (a == SM_ACT_NONE || a == SM_ACT_PANE)
        return sm_err_set(err, SM_ERR_USAGE, "Unknown action \"%s\". Try \"info keys\".", action);
    d->dirty = d->urgent = true;
    sm_dashboard_act(d, a);
    return true;
}

/* Updates the list of `info keys` after a change of the key map. */
static void update_info_keys(struct sm_dashboard *d)
{
    sm_key_help_free(d->keys, d->n_keys);
    d->keys = sm_key_help_rows(&d->keymap, &d->n_keys);
    sm_dashboard_state(d->session)->keys = d->keys;
    sm_dashboard_state(d->session)->n_keys = d->n_keys;
}

bool sm_dashboard_bind(struct sm_dashboard *d, const char *context, const char *key,
                       const char *line, struct sm_err *err)
{
    enum sm_context c = sm_context_of_name(context);
    int k = sm_key_of_name(key, strlen(key));
    if (c == SM_CONTEXTS)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Unknown context \"%s\". Choose one of: everywhere list plot value help.",
                          context);
    if (k == SM_KEY_NONE)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Unknown key \"%s\". \"info keys\" shows the names of keys.", key);
    sm_keymap_bind(&d->keymap, k, c, line);
    update_info_keys(d);
    return true;
}

bool sm_dashboard_save(struct sm_dashboard *d, const char *path, struct sm_err *err)
{
    return sm_screen_save(d->session, &d->grid, path, err);
}

bool sm_dashboard_window(const struct sm_dashboard *d, size_t i, struct sm_dashboard_window *out)
{
    for (size_t k = 0; k < d->panes.n; k++) {
        const struct sm_pane *p = &d->panes.items[k];
        if (p->frame.h <= 0 || i-- > 0)
            continue;
        *out = (struct sm_dashboard_window){p->ops->name, p->frame.h, p->frame.w,
                                            p == sm_panes_focused(&d->panes)};
        return true;
    }
    return false;
}
