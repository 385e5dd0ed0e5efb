/* The memory of each GPU over time. */
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/strips.h"

static void add_memories(struct sm_strips *s, const struct sm_metric_store *m)
{
    sm_strips_add_members(s, m, SM_USAGE_GPU_MEMORY);
}

static void draw_gpumem(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_strips *s = p->state;
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    if (!x) {
        sm_profile_say(v, g, r, why);
        return;
    }
    if (sm_strips_read(s, x, add_memories))
        sm_strips_draw(s, v, x, g, r, focused, note, &p->unfinished);
    else
        sm_profile_say(v, g, r,
                       s->filter                ? "no GPU has this in its name"
                       : !sm_profile_is_read(x) ? "reading the profile"
                                                : "no metrics of GPUs in this profile");
}

static bool act_on_gpumem(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    return sm_strips_act(p->state, v, a);
}

static void click_gpumem(struct sm_pane *p, struct sm_view *v, int x, int y)
{
    sm_strips_click(p->state, v, x, y);
}

static void filter_gpumem(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)v;
    sm_strips_filter(p->state, text);
}

static void forget_gpumem(struct sm_pane *p)
{
    sm_strips_forget(p->state);
}

static void clear_gpumem(struct sm_pane *p)
{
    sm_strips_clear(p->state);
}

static const enum sm_key_action own[] = {SM_ACT_CHART_IN, SM_ACT_CHART_OUT, SM_ACT_CHART_ALL,
                                         SM_ACT_NONE};

const struct sm_pane_ops sm_pane_gpumem = {
    .name = "gpumem",
    .title = "memory of GPUs",
    .help = "The memory of each GPU over time, in percent: the newest value or that of the moment, "
            "mean and p95. Memory that only grows is a leak. Keys are those of the pane usage.",
    .context = SM_CTX_PLOT,
    .own = own,
    .hints = {"? help", ": command", "h l moment", "+ - zoom", "[ ] step"},
    .filter_hint = "part of a name",
    .state_size = sizeof(struct sm_strips),
    .min_w = 24,
    .min_h = 4,
    .clear = clear_gpumem,
    .forget = forget_gpumem,
    .draw = draw_gpumem,
    .act = act_on_gpumem,
    .click_cell = click_gpumem,
    .wheel_up = SM_ACT_CHART_IN,
    .wheel_down = SM_ACT_CHART_OUT,
    .filter = filter_gpumem,
};
