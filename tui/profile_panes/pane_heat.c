/* SPDX-License-Identifier: Apache-2.0 */
/* Each core and GPU over time, as heat. */
#include "tui/profile_panes/strips_pane.h"

static void add_devices(struct sm_strips *s, const struct sm_metric_store *m)
{
    sm_strips_add_members(s, m, SM_USAGE_GPU);
    sm_strips_add_members(s, m, SM_USAGE_GPU_MEMORY);
    sm_strips_add_members(s, m, SM_USAGE_CPU);
}

static void init_heat(struct sm_pane *p, struct sm_view *v)
{
    (void)v;
    ((struct sm_strips *)p->state)->heat = true;
}

static void draw_heat(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, bool focused, struct sm_str *note)
{
    sm_strips_pane_draw(p, v, &(struct sm_strips_place){g, r, focused, note}, add_devices,
                        "no core and no GPU has this in its name",
                        "no metrics of cores or GPUs in this profile");
}

const struct sm_pane_ops sm_pane_heat = {
    SM_STRIPS_PANE,
    .name = "heat",
    .title = "cores and GPUs",
    .help = "Each GPU, its memory and each core over time, from 0 to 100 %. The number is that of "
            "the moment that h and l choose, or the newest. + and - zoom, r shows all, j and k go "
            "to other rows. \\ filters by a part of a name, as gpu. The command: profile heat.",
    .min_h = 4,
    .init = init_heat,
    .draw = draw_heat,
    .wanted = sm_profile_wanted,
    .yields = true,
};
