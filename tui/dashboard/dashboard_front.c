/* What commands ask of the dashboard: layout, focus, act, key, screen save. */
#include "tui/dashboard/dashboard.h"

#include "commands/session/front.h"
#include "tui/terminal/key_help.h"

#include <string.h>

bool sm_dashboard_set_layout(struct sm_dashboard *d, size_t i, struct sm_err *err)
{
    struct sm_str text = {0};
    if (!sm_panes_arrange(&d->panels, d->layouts.items[i].spec, err))
        return false;
    if (i != d->layouts.current) {
        sm_str_printf(&text, "layout %s", d->layouts.items[i].name);
        sm_dashboard_say(d, sm_str_text(&text));
        sm_str_clear(&text);
    }
    d->layouts.current = i;
    d->dirty = d->urgent = true;
    return true;
}

static bool front_layout(void *ctx, const char *name, struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    size_t i;
    return sm_layouts_find(&d->layouts, name, &i, err) && sm_dashboard_set_layout(d, i, err);
}

static bool front_new_layout(void *ctx, const char *name, const char *spec, struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    struct sm_layout layout;
    return sm_layout_parse(spec, d->panels.table, &layout, err) &&
           sm_layouts_define(&d->layouts, name, spec, err);
}

static bool complain_of_pane(const struct sm_dashboard *d, const char *name, struct sm_err *err)
{
    struct sm_str names = {0};
    for (size_t i = 0; i < d->panels.n; i++)
        sm_str_printf(&names, " %s", d->panels.items[i].ops->name);
    sm_err_set(err, SM_ERR_USAGE, "No pane \"%s\". There are:%s next prev.", name,
               sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

/* The layout keeps what was changed. */
static bool keep(struct sm_dashboard *d, bool ok, struct sm_str *spec)
{
    if (ok)
        sm_layouts_change(&d->layouts, d->layouts.current, sm_str_text(spec));
    d->dirty = d->urgent = true;
    sm_str_clear(spec);
    return ok;
}

static bool front_hide(void *ctx, const char *pane, bool hide, struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    struct sm_str spec = {0};
    return keep(d, sm_panes_hide(&d->panels, pane, hide, &spec, err), &spec);
}

bool sm_dashboard_resize(struct sm_dashboard *d, const char *pane, bool columns, const char *by,
                         struct sm_err *err)
{
    struct sm_str spec = {0};
    return keep(d, sm_panes_resize(&d->panels, pane, columns, by, &spec, err), &spec);
}

static bool front_resize(void *ctx, const char *pane, bool columns, const char *by,
                         struct sm_err *err)
{
    return sm_dashboard_resize(ctx, pane, columns, by, err);
}

static bool front_reset_layout(void *ctx, struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    size_t i = d->layouts.current;
    if (!sm_layouts_is_ours(i))
        return sm_err_set(err, SM_ERR_USAGE,
                          "The layout \"%s\" was not built in: tui new-layout defines it.",
                          d->layouts.items[i].name);
    sm_layouts_change(&d->layouts, i, NULL);
    return sm_dashboard_set_layout(d, i, err);
}

static bool front_focus(void *ctx, const char *pane, struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    d->dirty = d->urgent = true;
    if (strcmp(pane, "next") == 0 || strcmp(pane, "prev") == 0)
        sm_panes_next(&d->panels, *pane == 'n');
    else if (sm_panes_hides(&d->panels, pane) && !front_hide(ctx, pane, false, err))
        return false;
    else if (!sm_panes_focus_name(&d->panels, pane))
        return complain_of_pane(d, pane, err);
    return true;
}

static bool front_set(void *ctx, const char *pane, const char *attribute, const char *value,
                      struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    struct sm_pane *p = sm_panes_find(&d->panels, pane);
    if (!p)
        return complain_of_pane(d, pane, err);
    if (!p->ops->set)
        return sm_err_set(err, SM_ERR_USAGE, "The pane \"%s\" has nothing to set.", pane);
    d->dirty = d->urgent = true;
    return p->ops->set(p, &d->view, attribute, value, err);
}

static bool front_act(void *ctx, const char *action, struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    enum sm_key_action a = sm_action_of_name(action);
    if (a == SM_ACT_NONE || a == SM_ACT_PANE)
        return sm_err_set(err, SM_ERR_USAGE, "No action \"%s\": \"info keys\" lists them.", action);
    d->dirty = d->urgent = true;
    sm_dashboard_act(d, a);
    return true;
}

/* To `info keys`, after each change of the key map. */
static void tell_keys(struct sm_dashboard *d)
{
    sm_key_help_free(d->keys, d->n_keys);
    d->keys = sm_key_help_rows(&d->keymap, &d->n_keys);
    d->session->keys = d->keys;
    d->session->n_keys = d->n_keys;
}

static bool front_bind(void *ctx, const char *context, const char *key, const char *line,
                       struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    enum sm_context c = sm_context_of_name(context);
    int k = sm_key_of_name(key, strlen(key));
    if (c == SM_CONTEXTS)
        return sm_err_set(err, SM_ERR_USAGE,
                          "No context \"%s\". There are: everywhere list plot value help.",
                          context);
    if (k == SM_KEY_NONE)
        return sm_err_set(err, SM_ERR_USAGE,
                          "No key is called \"%s\": \"info keys\" shows how keys are named.", key);
    sm_keymap_bind(&d->keymap, k, c, line);
    tell_keys(d);
    return true;
}

static bool front_save(void *ctx, const char *path, struct sm_err *err)
{
    struct sm_dashboard *d = ctx;
    return sm_screen_save(&d->grid, path, err);
}

static bool front_window(void *ctx, size_t i, struct sm_front_window *out)
{
    const struct sm_dashboard *d = ctx;
    for (size_t k = 0; k < d->panels.n; k++) {
        const struct sm_pane *p = &d->panels.items[k];
        if (p->frame.h <= 0 || i-- > 0)
            continue;
        *out = (struct sm_front_window){p->ops->name, p->frame.h, p->frame.w,
                                        p == sm_panes_focused(&d->panels)};
        return true;
    }
    return false;
}

const struct sm_front_ops sm_dashboard_front = {
    .layout = front_layout,
    .new_layout = front_new_layout,
    .focus = front_focus,
    .set = front_set,
    .hide = front_hide,
    .resize = front_resize,
    .reset_layout = front_reset_layout,
    .act = front_act,
    .bind = front_bind,
    .save = front_save,
    .window = front_window,
};
