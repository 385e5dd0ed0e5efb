/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of each GPU over time. */
#include "rules/measures/measures.h"
#include "tui/profile_panes/strips_pane.h"

static void add_memories(struct sm_strips *s, const struct sm_metric_store *m)
{
    sm_strips_add_members(s, m, SM_USAGE_GPU_MEMORY);
}

static bool has_memories(const struct sm_pane *p, const struct sm_view *v)
{
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    (void)p;
    return !x || sm_series_has_devices(x, SM_SERIES_GPU_MEMORY);
}

static void draw_gpumem(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    sm_strips_pane_draw(p, v, &(struct sm_strips_place){g, r, focused, note}, add_memories,
                        "no GPU has this in its name", "no metrics of GPUs in this profile");
}

const struct sm_pane_ops sm_pane_gpumem = {
    SM_STRIPS_PANE,
    .name = "gpumem",
    .title = "memory of GPUs",
    .help = "The memory of each GPU over time, in percent: the newest value or that of the moment, "
            "mean and p95. Memory that only grows is a leak. Keys are those of the pane usage.",
    .min_h = 4,
    .wanted = has_memories,
    .draw = draw_gpumem,
};
