/* SPDX-License-Identifier: Apache-2.0 */
/* How far each tensor moved between two steps, largest first: the command updates. */
#include "tui/panes/answer_view.h"
#include "tui/panes/pane_list.h"
#include "tui/panes/weight_span.h"

#include <string.h>

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "update", .header = "UPDATE", .format = SM_COL_NUMBER},
    {.key = "norm", .header = "NORM", .format = SM_COL_NUMBER},
    {.key = "growth", .header = "GROWTH", .format = SM_COL_NUMBER},
    {.key = "size", .header = "SIZE", .format = SM_COL_NUMBER},
    {.key = "same_as", .header = "SAME-AS"},
    {.key = "same_by", .header = "BY"},
};

struct state {
    struct sm_answer_view view;
    struct sm_weight_span span;
};

/* What is wrong and what never moved stand out; the column UPDATE says it, too. */
static enum sm_role role_of(const struct sm_node *row, const struct sm_column *c)
{
    const struct sm_node *state = sm_node_get(row, "state");
    const struct sm_text text = state && state->text.p ? state->text : sm_text("");
    (void)c;
    return sm_text_is(text, "moved")                                   ? SM_ROLE_TEXT
           : sm_text_is(text, "not finite")                            ? SM_ROLE_PROBLEM
           : sm_text_is(text, "zero") || sm_text_is(text, "unchanged") ? SM_ROLE_WARN
                                                                       : SM_ROLE_DIM;
}

/* What did not move says so instead of a number. */
static const struct sm_node *cell_of(const struct sm_node *row, const struct sm_column *c)
{
    const struct sm_node *state = sm_node_get(row, "state");
    bool says = state && state->text.p && !sm_text_is(state->text, "moved");
    return says && strcmp(c->key, "update") == 0 ? state : NULL;
}

static void count_states(const struct sm_answer_view *x, struct sm_str *note)
{
    size_t still = 0, bad = 0;
    for (size_t i = 0; i < x->table.n; i++) {
        enum sm_role role = role_of(x->table.items[i], NULL);
        still += role == SM_ROLE_WARN;
        bad += role == SM_ROLE_PROBLEM;
    }
    if (bad)
        sm_str_printf(note, "%s%zu not finite", note->len ? "  " : "", bad);
    if (still)
        sm_str_printf(note, "%s%zu did not move", note->len ? "  " : "", still);
}

static void draw_updates(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    struct sm_str line = {0};
    if (sm_weight_span_read(&s->span, v))
        sm_str_printf(&line, "updates -all from %lld to %lld", (long long)s->span.from,
                      (long long)s->span.to);
    else
        sm_str_add(&line, "updates -all");
    const struct sm_answer_view_look look = {
        .line = sm_str_text(&line),
        .columns = {columns, sizeof columns / sizeof *columns, 1},
        .last_pair = "same_as",
        .reads_values = true,
        .nothing = "no tensor has values at both steps"};
    s->view.table.role = role_of;
    s->view.table.cell = cell_of;
    bool current = sm_answer_view_draw(&s->view, v, &look, g, r, focused, note);
    sm_weight_span_note(&s->span, note);
    if (current)
        count_states(&s->view, note);
    sm_str_clear(&line);
}

static bool act_on_updates(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    if (a == SM_ACT_STATISTIC || a == SM_ACT_STATISTIC_PREV) {
        s->span.before = !s->span.before;
        return true;
    }
    return sm_answer_view_act(&s->view, v, a);
}

static void click_updates(struct sm_pane *p, struct sm_view *v, int y)
{
    sm_answer_view_click(&((struct state *)p->state)->view, v, y);
}

static bool search_updates(struct sm_pane *p, struct sm_view *v, const char *text, int direction)
{
    return sm_answer_view_search(&((struct state *)p->state)->view, v, text, direction);
}

static bool set_updates(struct sm_pane *p, struct sm_view *v, const char *attribute,
                        const char *value, struct sm_err *err)
{
    struct state *s = p->state;
    bool before = strcmp(value, "previous") == 0;
    (void)v;
    if (strcmp(attribute, "from") != 0)
        return sm_err_set(err, SM_ERR_USAGE, "No attribute \"%s\". There is: from.", attribute);
    if (!before && strcmp(value, "first") != 0)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is none of: first previous.", value);
    s->span.before = before;
    return true;
}

static void clear_updates(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_answer_view_clear(&s->view);
    s->span = (struct sm_weight_span){.before = s->span.before};
}

static const enum sm_key_action own[] = {SM_ACT_STATISTIC, SM_ACT_STATISTIC_PREV, SM_ACT_SORT_NEXT,
                                         SM_ACT_SORT_PREV, SM_ACT_INVERT,         SM_ACT_NONE};

const struct sm_pane_ops sm_pane_updates = {
    .name = "updates",
    .title = "updates",
    .help = "How far each tensor moved, relative to its norm, from the first step with weights to "
            "the current one (v: from the step before), or over the range of steps that is "
            "selected. What did not move, is all zero, or has NaN or infinity says so. Enter goes "
            "to the tensor. The command: updates.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "< > sort", "v from first/previous", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 3,
    .clear = clear_updates,
    .forget = clear_updates,
    .draw = draw_updates,
    .act = act_on_updates,
    .click = click_updates,
    .search = search_updates,
    .set = set_updates,
};
