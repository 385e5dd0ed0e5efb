/* SPDX-License-Identifier: Apache-2.0 */
/* The tensor pane: differences of the statistics from the baseline. */
#include "commands/session/trial_list.h"
#include "tui/panes/baseline.h"
#include "tui/tensor_pane/tensor_pane.h"

enum { ROOM = 9 }; /* columns of a number */

static void add_field(struct sm_str *out, const char *what, double mine, double other)
{
    sm_str_printf(out, "%s%s ", out->len ? "  " : "", what);
    sm_baseline_add(out, mine, other, ROOM);
}

static int draw_moments(struct sm_grid *g, struct sm_rect r, int y, const struct sm_stats *a,
                        const struct sm_stats *b)
{
    struct sm_str text = {0};
    add_field(&text, "mean", a->mean, b->mean);
    if (a->n > 1 || b->n > 1) {
        add_field(&text, "std", sm_stats_get(a, SM_REDUCE_STD), sm_stats_get(b, SM_REDUCE_STD));
        add_field(&text, "|x|", a->l1 / (double)a->finite, b->l1 / (double)b->finite);
        y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
        sm_str_truncate(&text, 0);
        add_field(&text, "min", a->min, b->min);
        add_field(&text, "max", a->max, b->max);
    }
    y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_clear(&text);
    return y;
}

int sm_tensor_pane_differences(const struct sm_tensor_pane_frame *frame, struct sm_grid *g,
                               struct sm_rect r, int y)
{
    struct sm_session *s = frame->v->session;
    struct sm_str text = {0};
    size_t i;
    if (!sm_baseline_is_other(s) || !sm_trials_baseline(s, &i) || frame->slice)
        return y;
    const struct sm_facts *other = sm_baseline_facts(s, frame->x, &frame->e);
    sm_str_add(&text, other ? "against " : "no value to compare in ");
    sm_trials_label(s, i, &text);
    y = sm_tensor_pane_line(g, r, y, SM_ROLE_DIM, sm_str_text(&text));
    if (other && frame->facts->stats.finite && other->has_stats && other->stats.finite)
        y = draw_moments(g, r, y, &frame->facts->stats, &other->stats);
    sm_str_clear(&text);
    return y;
}
