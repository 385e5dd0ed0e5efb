/* SPDX-License-Identifier: Apache-2.0 */
/* How large the modules of a model are, or its element types or collections: the command
 * info size. */
#include "tui/panes/answer_view.h"
#include "tui/panes/pane_list.h"
#include "tui/panes/weight_span.h"

#include <string.h>

enum by { BY_MODULE, BY_TYPE, BY_COLLECTION, BYS };
static const char *const by_words[BYS] = {"module", "dtype", "collection"};
enum { DEPTH_USUAL = 2, DEPTH_MOST = 8 };

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "bytes", .header = "BYTES", .format = SM_COL_BYTES},
    {.key = "share", .header = "SHARE-%", .format = SM_COL_NUMBER},
    {.key = "elements", .header = "ELEMENTS", .format = SM_COL_NUMBER},
    {.key = "tensors", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "dtypes", .header = "DTYPES", .format = SM_COL_LIST},
};

struct state {
    struct sm_answer_view view;
    struct sm_weight_span span;
    enum by by;
    int depth; /* parts of a name that are a module; 0: as the command chooses */
};

static void draw_size(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    struct sm_str line = {0};
    sm_str_printf(&line, "info size -by %s", by_words[s->by]);
    if (s->by == BY_MODULE && s->depth)
        sm_str_printf(&line, " -depth %d", s->depth);
    sm_weight_span_read(&s->span, v);
    bool step = s->by != BY_COLLECTION && s->span.trial && s->span.at >= 0;
    if (step)
        sm_str_printf(&line, " step %lld", (long long)s->span.at);
    const struct sm_answer_view_look look = {
        .line = sm_str_text(&line),
        .columns = {columns, sizeof columns / sizeof *columns, 0},
        .bar = "bytes",
        .nothing = "no values are saved"};
    sm_answer_view_draw(&s->view, v, &look, g, r, focused, note);
    sm_str_printf(note, "%sby %s", note->len ? "  " : "", by_words[s->by]);
    if (step)
        sm_str_printf(note, "  step %lld", (long long)s->span.at);
    sm_str_clear(&line);
}

static void change_depth(struct state *s, int by)
{
    int depth = (s->depth ? s->depth : DEPTH_USUAL) + by;
    s->depth = depth < 1 ? 1 : depth > DEPTH_MOST ? DEPTH_MOST : depth;
}

static bool act_on_size(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    switch (a) {
    case SM_ACT_STATISTIC:
    case SM_ACT_STATISTIC_PREV:
        s->by = (enum by)(((int)s->by + (a == SM_ACT_STATISTIC ? 1 : BYS - 1)) % BYS);
        return true;
    case SM_ACT_ZOOM_IN:
    case SM_ACT_ZOOM_OUT:
        change_depth(s, a == SM_ACT_ZOOM_IN ? 1 : -1);
        return true;
    default:
        return sm_answer_view_act(&s->view, v, a);
    }
}

static void click_size(struct sm_pane *p, struct sm_view *v, int y)
{
    sm_answer_view_click(&((struct state *)p->state)->view, v, y);
}

static bool search_size(struct sm_pane *p, struct sm_view *v, const char *text, int direction)
{
    return sm_answer_view_search(&((struct state *)p->state)->view, v, text, direction);
}

static void clear_size(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_answer_view_clear(&s->view);
    s->span = (struct sm_weight_span){0};
}

static const enum sm_key_action own[] = {
    SM_ACT_STATISTIC, SM_ACT_STATISTIC_PREV, SM_ACT_ZOOM_IN, SM_ACT_ZOOM_OUT,
    SM_ACT_SORT_NEXT, SM_ACT_SORT_PREV,      SM_ACT_INVERT,  SM_ACT_NONE};

const struct sm_pane_ops sm_pane_size = {
    .name = "size",
    .title = "size",
    .help = "The size of the modules of the model at the current step, v: of its element types, or "
            "of all records by collection. + and - show smaller or larger modules. Enter goes to "
            "the first tensor of a module. The command: info size.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "v module/dtype", "+ - depth", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 3,
    .clear = clear_size,
    .forget = clear_size,
    .draw = draw_size,
    .act = act_on_size,
    .click = click_size,
    .search = search_size,
};
