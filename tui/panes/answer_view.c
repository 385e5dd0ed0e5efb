/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/answer_view.h"

#include "commands/session/survey_limit.h"
#include "plot/table.h"
#include "reader/trial.h"

#include <string.h>

void sm_answer_view_clear(struct sm_answer_view *x)
{
    sm_node_rows_clear(&x->table);
    sm_free(x->shown);
    x->shown = NULL;
    x->made = 0;
    x->looked = x->chosen = false;
}

/* ---- rows ---- */

/* The answer whose rows are to be shown: that of the line, or else the one shown before. */
static const struct sm_answer_live *answer_of(struct sm_answer_view *x, const struct sm_view *v,
                                              const char *line)
{
    const struct sm_answer_live *a = line ? sm_answer_live_get(v->session, line) : NULL;
    if (!a || !a->made)
        return x->shown ? sm_answer_live_find(v->session, x->shown) : NULL;
    if (!x->shown || strcmp(x->shown, line) != 0) {
        sm_free(x->shown);
        x->shown = sm_xstrdup(line);
    }
    return a;
}

static bool is_tensor(const struct sm_node *row, const char *name)
{
    const struct sm_node *x = sm_node_get(row, "name");
    return x && x->text.p && strlen(name) == x->text.n && memcmp(name, x->text.p, x->text.n) == 0;
}

/* Puts the cursor on the tensor that has become current elsewhere, or was chosen among the rows
 * before. At first the cursor is at the top, whatever is current. */
static void follow_tensor(struct sm_answer_view *x, const struct sm_view *v, bool fresh)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    uint32_t now = v->session->at.tensor;
    bool first = !x->looked, changed = x->looked && now != x->seen;
    if (!t || now == SM_NAME_NONE || !x->table.n)
        return;
    x->looked = true;
    x->chosen = x->chosen || changed;
    x->seen = now;
    if (first || !(changed || (fresh && x->chosen)))
        return;
    const char *name = sm_names_text(sm_trial_names(t), now);
    for (size_t i = 0; i < x->table.n; i++)
        if (is_tensor(x->table.items[i], name))
            x->table.rows.cursor = i;
}

void sm_answer_view_read(struct sm_answer_view *x, const struct sm_view *v, const char *line)
{
    const struct sm_answer_live *a = answer_of(x, v, line);
    uint64_t made = a ? a->made : 0;
    if (made != x->made)
        sm_node_rows_set(&x->table, a ? sm_result_rows(&a->result) : NULL);
    bool fresh = made != x->made;
    x->made = made;
    follow_tensor(x, v, fresh);
}

/* ---- drawing ---- */

static bool has_key(const struct sm_answer_view *x, const char *key)
{
    for (size_t i = 0; i < x->table.n; i++) {
        const struct sm_node *v = sm_node_get(x->table.items[i], key);
        if (v && v->type != SM_NODE_NULL)
            return true;
    }
    return false;
}

static void draw_reason(const struct sm_view *v, const struct sm_answer_live *a, const char *none,
                        struct sm_grid *g, struct sm_rect r)
{
    const char *why = !a            ? "no run is open"
                      : a->err.code ? a->err.msg
                      : a->made     ? none
                                    : "reading values ...";
    if (r.h > 0 && r.w > 1)
        sm_cut_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, why, v->glyphs);
}

static bool is_large(const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    return t && !sm_survey_is_within(v->session, t);
}

static void draw_offer(const struct sm_view *v, struct sm_grid *g, struct sm_rect r)
{
    struct sm_str text = {0};
    char bytes[16];
    const struct sm_trial *t = sm_session_trial(v->session);
    sm_format_bytes(sm_trial_bytes(t), bytes);
    sm_str_printf(&text, "Enter reads %s (over %s)", bytes, sm_survey_limit_name(v->session, t));
    sm_cut_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, sm_str_text(&text), v->glyphs);
    sm_str_clear(&text);
}

bool sm_answer_view_draw(struct sm_answer_view *x, const struct sm_view *v,
                         const struct sm_answer_view_look *look, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    x->offered = look->reads_values && !x->agreed && is_large(v);
    if (x->offered) {
        draw_offer(v, g, r);
        return false;
    }
    sm_answer_view_read(x, v, look->line);
    const struct sm_answer_live *a = sm_answer_live_get(v->session, look->line);
    const struct sm_answer_live *rows = x->shown ? sm_answer_live_find(v->session, x->shown) : NULL;
    if (!rows || !x->table.n || (a && a->err.code)) {
        draw_reason(v, a, look->nothing, g, r);
        return false;
    }
    struct sm_node_columns columns = look->columns;
    if (look->last_pair && !has_key(x, look->last_pair))
        columns.n -= 2;
    sm_node_rows_draw(&x->table, columns, look->bar, v, g, r, focused, note);
    if (!a || a == rows)
        return true;
    sm_str_printf(note, "%sreading", note->len ? "  " : "");
    return false;
}

/* ---- actions ---- */

/* The tensor that the row names, or the first one of the module that it names. */
static const struct sm_trial_tensor *tensor_of(const struct sm_trial *t, const struct sm_node *row)
{
    const struct sm_node *name = row ? sm_node_get(row, "name") : NULL;
    if (!t || !name || !name->text.n)
        return NULL;
    const struct sm_trial_tensor *x = sm_trial_find(t, name->text.p, name->text.n);
    for (size_t i = 0; !x && i < sm_trial_tensor_count(t); i++) {
        const char *other = sm_trial_tensor_name(t, sm_trial_tensor(t, i));
        if (strncmp(other, name->text.p, name->text.n) == 0 && strchr("./", other[name->text.n]))
            x = sm_trial_tensor(t, i);
    }
    return x;
}

static void select_row(struct sm_answer_view *x, struct sm_view *v)
{
    const struct sm_trial_tensor *t =
        tensor_of(sm_session_trial(v->session), sm_node_rows_chosen(&x->table));
    if (!t)
        return;
    v->session->at.tensor = x->seen = t->name;
    x->looked = x->chosen = true;
}

bool sm_answer_view_act(struct sm_answer_view *x, struct sm_view *v, enum sm_key_action a)
{
    sm_answer_view_read(x, v, NULL);
    if (a == SM_ACT_OPEN && x->offered)
        return x->agreed = true;
    if (a == SM_ACT_OPEN) {
        select_row(x, v);
        return false; /* the pane of the tensor gets the focus */
    }
    if (!sm_node_rows_act(&x->table, a))
        return false;
    if (a != SM_ACT_SORT_NEXT && a != SM_ACT_SORT_PREV && a != SM_ACT_INVERT)
        select_row(x, v);
    return true;
}

void sm_answer_view_click(struct sm_answer_view *x, struct sm_view *v, int y)
{
    sm_answer_view_read(x, v, NULL);
    if (sm_rows_click(&x->table.rows, x->table.n, y - 1))
        select_row(x, v);
}

bool sm_answer_view_search(struct sm_answer_view *x, struct sm_view *v, const char *text,
                           int direction)
{
    struct sm_node_rows *s = &x->table;
    sm_answer_view_read(x, v, NULL);
    for (size_t k = 1; k <= s->n; k++) {
        size_t i = (s->rows.cursor + (direction > 0 ? k : s->n - k)) % s->n;
        const struct sm_node *name = sm_node_get(s->items[i], "name");
        char *copy = name && name->text.p ? sm_xstrndup(name->text.p, name->text.n) : NULL;
        bool hit = copy && strcasestr(copy, text);
        sm_free(copy);
        if (hit) {
            s->rows.cursor = i;
            select_row(x, v);
            return true;
        }
    }
    return false;
}
