/* SPDX-License-Identifier: Apache-2.0 */
/* The use of each node over time: processors, waiting for disks, GPUs, memory, network. */
#include "tui/profile_panes/strips_pane.h"

static void draw_usage(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                       struct sm_rect r, bool focused, struct sm_str *note)
{
    sm_strips_pane_draw(p, v, &(struct sm_strips_place){g, r, focused, note}, sm_strips_add_uses,
                        "no use has this in its name", "no metrics of the system in this profile");
}

const struct sm_pane_ops sm_pane_usage = {
    SM_STRIPS_PANE,
    .name = "usage",
    .title = "use of the machines",
    .help =
        "The use of each node over time: CPU and GPU are means over the cores and GPUs. Bars go "
        "from 0 to 100 %, those of the network to the greatest value. The time of the current step "
        "is marked below them. h and l choose a moment: its values are shown, and the steps of "
        "that moment become current; [ and ] go to other steps. + and - zoom, r shows all, f the "
        "newest part again, `pane usage set window 5m` the last five minutes. Enter unfolds the "
        "single cores or GPUs of a use, or what was received and sent; of those that are unfolded "
        "numbers choose: 3 cpu3, 1 2 cpu12, 0 1 or 1 Enter cpu1 where there are more than ten. "
        "Each "
        "again puts it away. n and N show one node after the other, and all. \\ filters by a part "
        "of a node or "
        "use. The command: profile system.",
    .min_h = 3,
    .draw = draw_usage,
    .digit = sm_strips_pane_digit,
    .wanted = sm_profile_wanted,
    .yields = true,
};
