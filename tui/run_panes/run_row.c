/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/run_panes/run_row.h"

#include "commands/session/trial_list.h"
#include "plot/scalar_form.h"
#include "plot/table.h"
#include "plot/tell_apart.h"
#include "tui/panes/trial_mark.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE_W = 3 };

static void draw_cell(struct sm_grid *g, int x, int y, const struct sm_run_column *c,
                      enum sm_role role, unsigned attr, const char *text,
                      const struct sm_glyphs *glyphs)
{
    struct sm_str cut = {0};
    if (c->left)
        sm_elide_end(&cut, text, c->w, glyphs);
    else
        sm_elide_middle(&cut, text, c->w, glyphs);
    int w = (int)sm_text_width(sm_str_text(&cut), cut.len);
    x += c->left ? 0 : c->w - w;
    sm_grid_text(g, x, y, w, role, 0, sm_str_text(&cut));
    sm_grid_attr(g, (struct sm_rect){x, y, w, 1}, attr);
    sm_str_clear(&cut);
}

void sm_run_row_header(const struct sm_run_columns *columns, const struct sm_view *v,
                       struct sm_grid *g, struct sm_rect r)
{
    const struct sm_run_view *view = sm_run_view(v->session);
    int x = r.x + SM_RUN_HEAD_W;
    sm_grid_text(g, x, r.y, columns->name_w, SM_ROLE_DIM, 0, "RUN");
    x += columns->name_w + 1;
    for (size_t i = 0; i < columns->n; x += columns->items[i++].w + 1) {
        const struct sm_run_column *c = &columns->items[i];
        struct sm_str text = {0};
        bool sorts = view->sort && c->sort && strcmp(view->sort, c->sort) == 0;
        sm_str_add_escaped(&text, c->header, strlen(c->header));
        draw_cell(g, x, r.y, c, sorts ? SM_ROLE_ACCENT : SM_ROLE_DIM,
                  sorts && view->reverse ? SM_ATTR_UNDERLINE : 0, sm_str_text(&text), v->glyphs);
        sm_str_clear(&text);
    }
}

/* Of the line in the charts: of the run, or of its group. False: it has none. */
static bool form_of(const struct sm_run_row_parts *s, const struct sm_view *v,
                    const struct sm_run_row *run, struct sm_scalar_form *out)
{
    size_t style =
        s->group_of ? s->group_of[run - s->table->rows] : v->session->trials[run->trial].style;
    *out = sm_scalar_form((unsigned)style, 0);
    return s->group_of || sm_trials_shown(v->session, run->trial);
}

static void draw_head(const struct sm_view *v, const struct sm_run_row *run,
                      const struct sm_scalar_form *form, struct sm_grid *g, struct sm_rect row)
{
    const struct sm_session *s = v->session;
    const struct sm_glyphs *glyphs = v->glyphs;
    const struct sm_open_trial *open = &v->session->trials[run->trial];
    bool deleted = sm_trial_emptied(open->trial);
    enum sm_role role;
    uint32_t mark = sm_trial_mark(open->trial, glyphs, &role);
    if (run->trial == s->current)
        sm_grid_put(g, row.x, row.y, glyphs->cursor, SM_ROLE_ACCENT, SM_ATTR_BOLD);
    sm_grid_put(g, row.x + 1, row.y, deleted ? glyphs->error : mark,
                deleted ? SM_ROLE_PROBLEM : role, 0);
    if (open->unlisted)
        sm_grid_text(g, row.x + 3, row.y, SAMPLE_W, SM_ROLE_DIM, 0, "hid");
    else if (form)
        sm_scalar_form_draw(*form, g, row.x + 3, row.y, SAMPLE_W, glyphs);
}

const char **sm_run_row_names(const struct sm_view *v, const struct sm_run_row *rows, size_t n,
                              int w, struct sm_arena *arena)
{
    const char **names = sm_arena_xalloc(arena, (n + 1) * sizeof *names);
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        struct sm_str escaped = {0};
        sm_str_add_escaped(&escaped, rows[i].name, strlen(rows[i].name));
        names[i] = sm_arena_xstrndup(arena, sm_str_text(&escaped), escaped.len);
        last = rows[i].trial > last ? rows[i].trial : last;
        sm_str_clear(&escaped);
    }
    int number = snprintf(NULL, 0, "%zu ", last + 1);
    sm_tell_apart(names, n, w - number, v->glyphs, arena, names);
    return names;
}

static void draw_name(const struct sm_view *v, const struct sm_run_row *run, const char *name,
                      bool charted, struct sm_grid *g, int x, int y, int w)
{
    int number = sm_grid_printf(g, x, y, w, SM_ROLE_DIM, 0, "%zu ", run->trial + 1);
    sm_grid_text(g, x + number, y, w - number, charted ? SM_ROLE_TEXT : SM_ROLE_DIM,
                 run->trial == v->session->current ? SM_ATTR_BOLD : 0, name);
}

void sm_run_row_draw(const struct sm_run_row_parts *s, const struct sm_view *v,
                     const struct sm_run_row *run, struct sm_grid *g, struct sm_rect row)
{
    const struct sm_run_table *t = s->table;
    int x = row.x + SM_RUN_HEAD_W;
    struct sm_scalar_form form;
    bool charted = form_of(s, v, run, &form);
    draw_head(v, run, charted ? &form : NULL, g, row);
    draw_name(v, run, s->names[(size_t)(run - t->rows) - s->first], charted, g, x, row.y,
              s->columns->name_w);
    x += s->columns->name_w + 1;
    for (size_t i = 0; i < s->columns->n; x += s->columns->items[i++].w + 1) {
        const struct sm_run_column *c = &s->columns->items[i];
        struct sm_str text = {0};
        sm_run_column_text(v, t, run, c, &text);
        draw_cell(g, x, row.y, c, c->kind == SM_RUN_COL_ISSUE ? SM_ROLE_PROBLEM : SM_ROLE_TEXT, 0,
                  sm_str_text(&text), v->glyphs);
        if (c->kind == SM_RUN_COL_TREND && sm_run_row_comparable(t, run))
            sm_spark_draw(g, x, row.y, c->w, run->points, run->n_points,
                          charted ? form.role : SM_ROLE_DIM, v->glyphs);
        sm_str_clear(&text);
    }
}
