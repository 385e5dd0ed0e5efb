/* SPDX-License-Identifier: Apache-2.0 */
/* The workers, those that are most behind first. */
#include "plot/table.h"
#include "reader/analysis/workers.h"
#include "tui/panes/listing.h"
#include "tui/panes/pane_list.h"

#include <string.h>

struct state {
    struct sm_rows rows;
    struct sm_workers all;
};

static void update_workers(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    if (!t) {
        sm_workers_clear(&s->all);
        return;
    }
    sm_workers_read(t, &s->all);
    sm_workers_sort(&s->all);
}

static void add_age(struct sm_str *text, const struct sm_view *v,
                    const struct sm_worker_progress *w)
{
    char age[32];
    if (v->timeless || w->last < 0)
        return;
    sm_format_age(v->now_us - w->last_us, age);
    sm_str_printf(text, "  newest %s", age);
}

static void draw_worker(const struct sm_view *v, const struct sm_worker_progress *w,
                        struct sm_grid *g, struct sm_rect row)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    const char *name = sm_trial_worker(t, w->worker);
    struct sm_str escaped = {0}, short_name = {0}, text = {0};
    sm_str_add_escaped(&escaped, name, strlen(name));
    int name_w = row.w > 60 ? 28 : row.w > 40 ? 18 : 10;
    sm_grid_put(g, row.x + 1, row.y, w->behind ? v->glyphs->warn : v->glyphs->ok,
                w->behind ? SM_ROLE_WARN : SM_ROLE_OK, 0);
    sm_elide_name(&short_name, sm_str_text(&escaped), name_w - 1, v->glyphs);
    if (w->worker == v->session->at.worker)
        sm_grid_put(g, row.x, row.y, v->glyphs->cursor, SM_ROLE_ACCENT, SM_ATTR_BOLD);
    sm_grid_text(g, row.x + 3, row.y, name_w - 1, SM_ROLE_TEXT, 0, sm_str_text(&short_name));
    if (w->behind)
        sm_str_printf(&text, "%zu behind%s, ", w->behind, w->lost ? ": lost" : "");
    if (w->last < 0)
        sm_str_add(&text, "nothing yet");
    else
        sm_str_printf(&text, "at %lld, %zu steps", (long long)w->last, w->steps);
    add_age(&text, v, w);
    sm_cut_text(g, row.x + 3 + name_w, row.y, row.w - 4 - name_w,
                w->behind ? SM_ROLE_WARN : SM_ROLE_TEXT, sm_str_text(&text), v->glyphs);
    sm_str_clear(&escaped);
    sm_str_clear(&short_name);
    sm_str_clear(&text);
}

static void draw_workers(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    update_workers(s, v);
    sm_rows_show(&s->rows, s->all.n, r.h);
    for (int y = 0; y < r.h && s->rows.top + (size_t)y < s->all.n; y++) {
        struct sm_rect row = {r.x, r.y + y, r.w, 1};
        draw_worker(v, &s->all.items[s->rows.top + (size_t)y], g, row);
        if (focused)
            sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, true);
    }
    if (!s->all.n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "no worker has written yet");
    else if (s->all.behind)
        sm_str_printf(note, "%zu of %zu behind", s->all.behind, s->all.n);
    else
        sm_str_printf(note, "%zu, none behind", s->all.n);
    if (s->all.n > (size_t)(r.h > 0 ? r.h : 0))
        sm_str_add(note, "  ");
    sm_rows_note(&s->rows, s->all.n, note);
}

/* Shows the values of the worker in all panes; a second time: of the first worker that has them. */
static void toggle_worker(struct sm_view *v, uint16_t worker)
{
    bool again = v->session->at.worker == worker;
    v->session->at.worker = again ? SM_WORKER_ANY : worker;
    v->notice = again ? "showing the first worker that has a value"
                      : "showing this worker; Enter again: the first that has a value";
}

static bool act_on_workers(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    update_workers(s, v);
    if (a != SM_ACT_OPEN)
        return sm_rows_act(&s->rows, s->all.n, a);
    if (s->rows.cursor < s->all.n)
        toggle_worker(v, s->all.items[s->rows.cursor].worker);
    return true;
}

static void clear_workers(struct sm_pane *p)
{
    sm_workers_clear(&((struct state *)p->state)->all);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_workers = {
    .name = "workers",
    .title = "workers",
    .help = "The workers, most behind first: the last step that each worker wrote, and how many "
            "steps it should have written after that. Enter shows the values of a worker in all "
            "panes; a second Enter shows the first worker that has a value.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "Enter its values", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 1,
    .clear = clear_workers,
    .forget = clear_workers,
    .draw = draw_workers,
    .act = act_on_workers,
};
