/* The use of each node over time: processors, waiting for disks, GPUs, memory, network. */
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/strips.h"

static void draw_usage(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                       struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_strips *s = p->state;
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    if (!x) {
        sm_profile_say(v, g, r, why);
        return;
    }
    if (sm_strips_read(s, x, sm_strips_add_uses))
        sm_strips_draw(s, v, x, g, r, focused, note, &p->unfinished);
    else
        sm_profile_say(v, g, r,
                       s->filter                ? "no use has this in its name"
                       : !sm_profile_is_read(x) ? "reading the profile"
                                                : "no metrics of the system in this profile");
}

static bool act_on_usage(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    return sm_strips_act(p->state, v, a);
}

static void click_usage(struct sm_pane *p, struct sm_view *v, int x, int y)
{
    sm_strips_click(p->state, v, x, y);
}

static void filter_usage(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)v;
    sm_strips_filter(p->state, text);
}

static void forget_usage(struct sm_pane *p)
{
    sm_strips_forget(p->state);
}

static void clear_usage(struct sm_pane *p)
{
    sm_strips_clear(p->state);
}

static const enum sm_key_action own[] = {SM_ACT_CHART_IN, SM_ACT_CHART_OUT, SM_ACT_CHART_ALL,
                                         SM_ACT_NONE};

const struct sm_pane_ops sm_pane_usage = {
    .name = "usage",
    .title = "use of the machines",
    .help = "The use of each node over time: CPU and GPU are means over the cores and GPUs. Bars "
            "go from 0 to 100 %, those of the network to the greatest value. The time of the "
            "current step is marked below them. h and l choose a moment: its values are shown, and "
            "the steps of that moment become current; [ and ] go to other steps. + and - zoom, r "
            "shows all. \\ filters by a part of a node or use. The command: profile system.",
    .context = SM_CTX_PLOT,
    .own = own,
    .hints = {"? help", ": command", "h l moment", "+ - zoom", "[ ] step"},
    .filter_hint = "part of a name",
    .state_size = sizeof(struct sm_strips),
    .min_w = 24,
    .min_h = 3,
    .clear = clear_usage,
    .forget = forget_usage,
    .draw = draw_usage,
    .act = act_on_usage,
    .click_cell = click_usage,
    .wheel_up = SM_ACT_CHART_IN,
    .wheel_down = SM_ACT_CHART_OUT,
    .filter = filter_usage,
};
