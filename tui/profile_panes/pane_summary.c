/* SPDX-License-Identifier: Apache-2.0 */
/* The use of each node as numbers: mean and quantiles. */
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

enum { NODES_MOST = 4096 };

struct kept {
    uint32_t *nodes;
    size_t n;
};

/* One use of one node. */
static bool add_part(struct sm_answer_making *m, const struct sm_profile *p)
{
    const struct sm_metric_store *store = sm_profile_metrics(p);
    struct kept *k = m->kept;
    if (!k) {
        m->kept = k = sm_arena_xalloc(&m->result.arena, sizeof *k);
        k->nodes = sm_arena_xalloc(&m->result.arena, NODES_MOST * sizeof *k->nodes);
        k->n = sm_usage_nodes(store, k->nodes, NODES_MOST);
    }
    if (m->part >= k->n * SM_USAGES)
        return false;
    return sm_profile_usage_row(&m->result, m->list, store, k->nodes[m->part / SM_USAGES],
                                (enum sm_usage)(m->part % SM_USAGES));
}

static void draw_summary(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_look look = {add_part, sm_profile_usage_columns(), NULL,
                                        "no metrics of the system in this profile", NULL};
    const struct sm_profile *x = sm_answer_pane_draw(p, v, &look, g, r, focused, note);
    if (!x)
        return;
    sm_profile_note(x, note);
}

const struct sm_pane_ops sm_pane_summary = {
    .name = "summary",
    .title = "use in numbers",
    .help = "The use of each node over the whole profile: mean, quantiles, greatest and least. "
            "CPU and GPU are means over the cores and GPUs at each time. The command: profile "
            "summary.",
    .context = SM_CTX_LIST,
    .own = sm_answer_pane_keys,
    .hints = {"? help", ": command", "< > sort", "z zoom"},
    .state_size = sizeof(struct sm_answer_rows),
    .min_w = 24,
    .min_h = 5,
    .clear = sm_answer_pane_clear,
    .forget = sm_answer_pane_clear,
    .draw = draw_summary,
    .act = sm_answer_pane_act,
    .click = sm_answer_pane_click,
    .wanted = sm_profile_wanted,
    .yields = true,
};
