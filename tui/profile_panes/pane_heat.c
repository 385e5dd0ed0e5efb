/* Each core and GPU over time, as heat. */
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/strips.h"

static void add_devices(struct sm_strips *s, const struct sm_metric_store *m)
{
    sm_strips_add_members(s, m, SM_USAGE_GPU);
    sm_strips_add_members(s, m, SM_USAGE_GPU_MEMORY);
    sm_strips_add_members(s, m, SM_USAGE_CPU);
}

static void draw_heat(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_strips *s = p->state;
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    if (!x) {
        sm_profile_say(v, g, r, why);
        return;
    }
    if (sm_strips_read(s, x, add_devices))
        sm_strips_draw(s, v, x, g, r, focused, note, &p->unfinished);
    else
        sm_profile_say(v, g, r,
                       s->filter                ? "no core and no GPU has this in its name"
                       : !sm_profile_is_read(x) ? "reading the profile"
                                                : "no metrics of cores or GPUs in this profile");
}

static bool act_on_heat(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    return sm_strips_act(p->state, v, a);
}

static void click_heat(struct sm_pane *p, struct sm_view *v, int x, int y)
{
    sm_strips_click(p->state, v, x, y);
}

static void filter_heat(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)v;
    sm_strips_filter(p->state, text);
}

static void forget_heat(struct sm_pane *p)
{
    sm_strips_forget(p->state);
}

static void init_heat(struct sm_pane *p, struct sm_view *v)
{
    (void)v;
    ((struct sm_strips *)p->state)->heat = true;
}

static void clear_heat(struct sm_pane *p)
{
    sm_strips_clear(p->state);
}

static const enum sm_key_action own[] = {SM_ACT_CHART_IN, SM_ACT_CHART_OUT, SM_ACT_CHART_ALL,
                                         SM_ACT_NONE};

const struct sm_pane_ops sm_pane_heat = {
    .name = "heat",
    .title = "cores and GPUs",
    .help = "Each GPU, its memory and each core over time, from 0 to 100 %. The number is that of "
            "the moment that h and l choose, or the newest. + and - zoom, r shows all, j and k go "
            "to other rows. \\ filters by a part of a name, as gpu. The command: profile heat.",
    .context = SM_CTX_PLOT,
    .own = own,
    .hints = {"? help", ": command", "h l moment", "+ - zoom", "[ ] step"},
    .filter_hint = "part of a name",
    .state_size = sizeof(struct sm_strips),
    .min_w = 24,
    .min_h = 4,
    .init = init_heat,
    .clear = clear_heat,
    .forget = forget_heat,
    .draw = draw_heat,
    .act = act_on_heat,
    .click_cell = click_heat,
    .wheel_up = SM_ACT_CHART_IN,
    .wheel_down = SM_ACT_CHART_OUT,
    .filter = filter_heat,
};
