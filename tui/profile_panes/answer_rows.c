/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/profile_panes/answer_rows.h"

#include "commands/profile/profile_rules.h"
#include "reader/base/clock.h"

enum {
    PIECE_US = 8000, /* of a frame */
    FEW = 100000     /* a profile of less is shown as it is at any time */
};

void sm_answer_rows_forget(struct sm_answer_rows *x)
{
    if (x->making)
        sm_result_clear(&x->next.result);
    if (x->made)
        sm_result_clear(&x->result);
    sm_node_rows_clear(&x->table);
    *x = (struct sm_answer_rows){.table = x->table, .filter = x->filter, .with = x->with};
}

void sm_answer_rows_clear(struct sm_answer_rows *x)
{
    sm_answer_rows_forget(x);
    sm_free(x->filter);
    x->filter = NULL;
}

void sm_answer_rows_filter(struct sm_answer_rows *x, const char *text)
{
    sm_answer_rows_forget(x);
    sm_free(x->filter);
    x->filter = *text ? sm_xstrdup(text) : NULL;
}

/* ---- making ---- */

static uint64_t amount_of(const struct sm_profile *p)
{
    return sm_profile_metrics(p)->n_samples + sm_profile_events(p)->n_events;
}

static bool is_stale(const struct sm_answer_rows *x, const struct sm_profile *p)
{
    uint64_t amount = amount_of(p);
    if (!x->made || x->of != p || x->stale)
        return true;
    if (x->version == sm_profile_version(p))
        return false;
    return amount < FEW || sm_profile_ended(p) || amount - x->amount > amount / 100;
}

static void begin(struct sm_answer_rows *x, const struct sm_profile *p)
{
    x->next = (struct sm_answer_making){.filter = x->filter, .with = x->with};
    sm_result_init(&x->next.result);
    x->next.list = sm_node_list(&x->next.result, NULL, NULL);
    x->making = true;
    x->stale = false;
    x->of = p;
    x->version = sm_profile_version(p);
    x->amount = amount_of(p);
}

static void finish(struct sm_answer_rows *x)
{
    if (x->made)
        sm_result_clear(&x->result);
    x->result = x->next.result;
    x->made = true;
    x->making = false;
    sm_node_rows_set(&x->table, x->next.list);
}

void sm_answer_rows_read(struct sm_answer_rows *x, const struct sm_profile *p, sm_answer_part part,
                         bool whole, bool *more)
{
    int64_t until = sm_clock_mono_us() + PIECE_US;
    if (x->of && x->of != p)
        sm_answer_rows_forget(x);
    if (!x->making && is_stale(x, p))
        begin(x, p);
    while (x->making && (whole || sm_clock_mono_us() < until)) {
        if (!part(&x->next, p))
            finish(x);
        else
            x->next.part++;
    }
    *more = *more || x->making;
}

void sm_answer_rows_draw(struct sm_answer_rows *x, struct sm_profile_columns columns,
                         const char *bar, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    sm_node_rows_draw(&x->table, (struct sm_node_columns){columns.items, columns.n, 0}, bar, v, g,
                      r, focused, note);
}

/* ---- panes ---- */

static const char *why_none(const struct sm_view *v, const struct sm_answer_rows *s,
                            const struct sm_profile *x, const struct sm_answer_look *look)
{
    if (!s->made || !sm_profile_is_read(x))
        return "reading the profile";
    if (!look->no_events || sm_profile_events(x)->n_events)
        return look->nothing;
    return sm_profile_is_growing(sm_session_trial(v->session)) ? "no events of the framework yet"
                                                               : look->no_events;
}

const struct sm_profile *sm_answer_rows_ask(struct sm_answer_rows *s, struct sm_pane *p,
                                            const struct sm_view *v,
                                            const struct sm_answer_look *look, struct sm_grid *g,
                                            struct sm_rect r)
{
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    if (x)
        sm_answer_rows_read(s, x, look->part, v->timeless, &p->unfinished);
    if (!x || !s->table.n)
        sm_profile_say(v, g, r, x ? why_none(v, s, x, look) : why);
    return x;
}

const struct sm_profile *sm_answer_pane_draw(struct sm_pane *p, const struct sm_view *v,
                                             const struct sm_answer_look *look, struct sm_grid *g,
                                             struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_answer_rows *s = p->state;
    const struct sm_profile *x = sm_answer_rows_ask(s, p, v, look, g, r);
    if (x && s->table.n)
        sm_answer_rows_draw(s, look->columns, look->bar, v, g, r, focused, note);
    return x;
}

const enum sm_key_action sm_answer_pane_keys[] = {SM_ACT_SORT_NEXT, SM_ACT_SORT_PREV, SM_ACT_INVERT,
                                                  SM_ACT_NONE};

bool sm_answer_pane_act(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    (void)v;
    return sm_node_rows_act(&((struct sm_answer_rows *)p->state)->table, a);
}

void sm_answer_pane_click(struct sm_pane *p, struct sm_view *v, int y)
{
    struct sm_answer_rows *s = p->state;
    (void)v;
    sm_rows_click(&s->table.rows, s->table.n, y - s->above - 1);
}

void sm_answer_pane_clear(struct sm_pane *p)
{
    sm_answer_rows_clear(p->state);
}
