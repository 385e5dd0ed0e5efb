/* SPDX-License-Identifier: Apache-2.0 */
/* The differences of two trials: the first divergence, then each tensor, then the configuration. */
#include "commands/compare/compare_nothing.h"
#include "commands/session/trial_list.h"
#include "plot/table.h"
#include "tui/panes/answer_view.h"
#include "tui/panes/diff_rows.h"
#include "tui/panes/listing.h"
#include "tui/panes/pane_list.h"
#include "tui/panes/row_columns.h"
#include "tui/panes/weight_span.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NUMBER_W = 10,
    STEP_W = 8,
    COUNT_W = 16,
    NAME_MIN_W = 14,
    WIDEST = 110,
    RANGE_W = 14
}; /* WIDEST: on wider lines numbers would be far from their names */

static const struct sm_column step_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "max_abs", .header = "MAX-ABS", .format = SM_COL_NUMBER},
    {.key = "status", .header = "STATUS"},
    {.key = "max_rel", .header = "MAX-REL", .format = SM_COL_NUMBER},
    {.key = "beyond", .header = "BEYOND", .format = SM_COL_NUMBER},
    {.key = "size", .header = "SIZE", .format = SM_COL_NUMBER},
};

struct state {
    struct sm_answer_view steps; /* of one trial, where there are no two */
    struct sm_weight_span span;
    struct sm_rows rows;
    struct sm_diff_rows lines;
};

/* ---- first line ---- */

/* Why nothing was compared, or that it goes on. */
static void nothing_text(const struct sm_session *s, const struct sm_compare_live *d,
                         struct sm_str *out)
{
    size_t n = out->len;
    if (sm_compare_live_over(d))
        sm_compare_nothing_text(s, &d->contrast, out);
    if (out->len == n)
        sm_str_add(out, !sm_compare_live_over(d)   ? "comparing"
                        : d->contrast.common_steps ? "nothing can be compared"
                                                   : "no step in common");
}

static void first_text(const struct sm_session *s, const struct sm_compare_live *d,
                       struct sm_str *out)
{
    const struct sm_compare_row *first = sm_compare_first(&d->contrast);
    char number[32];
    if (first) {
        sm_format_double(first->at.max_abs, 3, number);
        sm_str_printf(out, "first divergence: %sstep %lld ", d->at_last ? "a " : "",
                      (long long)first->step.n);
        if (d->at_last)
            sm_str_printf(out, "b step %lld ", (long long)first->other.n);
        sm_str_add_escaped(out, first->name, strlen(first->name));
        if (first->worker != SM_WORKER_ANY) {
            const char *worker = sm_trial_worker(d->contrast.a.trial, first->worker);
            sm_str_add(out, ", ");
            sm_str_add_escaped(out, worker, strlen(worker));
        }
        sm_str_printf(out, "  max |a - b| %s, %llu of %llu", number,
                      (unsigned long long)first->at.different, (unsigned long long)first->at.n);
    } else if (sm_compare_has_nothing(&d->contrast)) {
        nothing_text(s, d, out);
    } else if (d->at_last) {
        sm_str_printf(out, "no divergence: a step %lld, b step %lld",
                      (long long)d->contrast.a.step.n, (long long)d->contrast.b.step.n);
    } else {
        sm_str_printf(out, "no divergence at %llu common step%s",
                      (unsigned long long)d->contrast.common_steps,
                      d->contrast.common_steps == 1 ? "" : "s");
    }
}

static void draw_first(const struct sm_view *v, const struct sm_compare_live *d, struct sm_grid *g,
                       struct sm_rect r)
{
    const struct sm_compare_row *first = sm_compare_first(&d->contrast);
    bool finished = sm_compare_live_over(d) && !sm_compare_has_nothing(&d->contrast);
    uint32_t glyph = first ? v->glyphs->warn : finished ? v->glyphs->ok : v->glyphs->waiting;
    struct sm_str text = {0};
    sm_grid_put(g, r.x + 1, r.y, glyph,
                first      ? SM_ROLE_PROBLEM
                : finished ? SM_ROLE_OK
                           : SM_ROLE_DIM,
                0);
    first_text(v->session, d, &text);
    sm_cut_text(g, r.x + 3, r.y, r.w - 4, SM_ROLE_TEXT, sm_str_text(&text), v->glyphs);
    sm_str_clear(&text);
}

/* ---- columns ---- */

/* Widths from the right; 0 if the column does not fit. */
struct columns {
    int relative, count, absolute, step;
};

static struct columns columns_in(int w)
{
    int room = w - 4;
    struct columns c;
    c.absolute = sm_row_column(&room, NUMBER_W, NAME_MIN_W);
    c.step = sm_row_column(&room, STEP_W, NAME_MIN_W);
    c.relative = sm_row_column(&room, NUMBER_W, NAME_MIN_W);
    c.count = sm_row_column(&room, COUNT_W, NAME_MIN_W);
    return c;
}

static void draw_header(const struct columns *c, struct sm_grid *g, struct sm_rect row)
{
    int right = row.x + row.w - 1;
    sm_row_column_draw(g, &right, row.y, c->count, SM_ROLE_DIM, "BEYOND");
    sm_row_column_draw(g, &right, row.y, c->relative, SM_ROLE_DIM, "MAX-REL");
    sm_row_column_draw(g, &right, row.y, c->absolute, SM_ROLE_DIM, "MAX-ABS");
    sm_row_column_draw(g, &right, row.y, c->step, SM_ROLE_DIM, "STEP");
    sm_grid_text(g, row.x + 3, row.y, right - row.x - 3, SM_ROLE_DIM, 0, "TENSOR");
}

/* ---- rows ---- */

static void draw_name(const struct sm_view *v, const char *name, struct sm_grid *g, int x, int y,
                      int w, enum sm_role role)
{
    struct sm_str escaped = {0}, cut = {0};
    sm_str_add_escaped(&escaped, name, strlen(name));
    sm_elide_name(&cut, sm_str_text(&escaped), w, v->glyphs);
    sm_grid_text(g, x, y, w, role, 0, sm_str_text(&cut));
    sm_str_clear(&escaped);
    sm_str_clear(&cut);
}

static void draw_tensor(const struct sm_view *v, const struct sm_compare_row *x,
                        const struct columns *c, struct sm_grid *g, struct sm_rect row)
{
    bool differs = x->at.likeness == SM_LIKE_DIFFERENT;
    enum sm_role role = differs ? SM_ROLE_TEXT : SM_ROLE_DIM;
    int right = row.x + row.w - 1;
    char text[64];
    snprintf(text, sizeof text, "%llu of %llu", (unsigned long long)x->at.different,
             (unsigned long long)x->at.n);
    sm_row_column_draw(g, &right, row.y, c->count, role, differs ? text : "close");
    sm_format_double(x->at.max_rel, 3, text);
    sm_row_column_draw(g, &right, row.y, c->relative, role, x->at.has_numbers ? text : "-");
    sm_format_double(x->at.max_abs, 3, text);
    sm_row_column_draw(g, &right, row.y, c->absolute, role, x->at.has_numbers ? text : "-");
    snprintf(text, sizeof text, "%lld", (long long)x->step.n);
    sm_row_column_draw(g, &right, row.y, c->step, role, text);
    draw_name(v, x->name, g, row.x + 3, row.y, right - row.x - 3, role);
}

static void draw_config(const struct sm_view *v, const struct sm_diff_line *x, struct sm_grid *g,
                        struct sm_rect row)
{
    int what = row.w * 9 / 20, side = (row.w - what - 4) / 2;
    sm_cut_text(g, row.x + 3, row.y, what - 3, SM_ROLE_TEXT, x->what ? x->what : "", v->glyphs);
    sm_cut_text(g, row.x + what + 1, row.y, side, SM_ROLE_TEXT, x->a ? x->a : "-", v->glyphs);
    sm_cut_text(g, row.x + what + side + 3, row.y, side, SM_ROLE_TEXT, x->b ? x->b : "-",
                v->glyphs);
}

static void draw_line(const struct sm_view *v, const struct sm_compare *d,
                      const struct sm_diff_line *x, const struct columns *c, struct sm_grid *g,
                      struct sm_rect row)
{
    int name_w = row.w * 3 / 5;
    switch (x->kind) {
    case SM_DIFF_TENSOR:
        draw_tensor(v, x->row, c, g, row);
        break;
    case SM_DIFF_HEADING:
        sm_grid_printf(g, row.x + 1, row.y, row.w - 2, SM_ROLE_TITLE, SM_ATTR_BOLD, "%s  %zu",
                       x->what, x->n);
        break;
    case SM_DIFF_CONFIG:
        draw_config(v, x, g, row);
        break;
    case SM_DIFF_INCOMPARABLE:
        draw_name(v, x->row->name, g, row.x + 3, row.y, name_w - 4, SM_ROLE_TEXT);
        sm_cut_text(g, row.x + name_w, row.y, row.w - name_w - 1, SM_ROLE_DIM,
                    sm_compare_apart(d, x->row), v->glyphs);
        break;
    }
}

/* ---- pane ---- */

static size_t count_configuration(const struct state *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->lines.n; i++)
        n += s->lines.items[i].kind == SM_DIFF_CONFIG;
    return n;
}

/* Adds "  12 differ, 3 close, 8 equal, 2 of configuration", or the progress. */
static void add_counts(const struct state *s, const struct sm_compare *x, size_t room,
                       struct sm_str *out)
{
    const size_t *counts = s->lines.counts, configuration = count_configuration(s);
    if (!sm_compare_over(x) && !x->resting)
        sm_str_printf(out, "  comparing, step %zu of %zu", x->step + 1,
                      sm_trial_step_count(x->a.trial));
    else
        sm_str_printf(out, "  %zu differ, %zu close, %zu equal", counts[SM_LIKE_DIFFERENT],
                      counts[SM_LIKE_CLOSE], counts[SM_LIKE_EQUAL]);
    if (x->resting)
        sm_str_add(out, " so far");
    size_t n = out->len;
    if (configuration)
        sm_str_printf(out, ", %zu of configuration", configuration);
    if (out->len > room)
        sm_str_truncate(out, n);
}

/* Adds the trials a and b, then the counts. */
static void add_note(const struct sm_view *v, const struct state *s,
                     const struct sm_compare_live *d, int room, struct sm_str *note)
{
    struct sm_str tail = {0};
    sm_str_printf(note, "a %zu, b %zu", d->a + 1, d->b + 1);
    struct sm_str names = {0};
    add_counts(s, &d->contrast, room > (int)note->len ? (size_t)room - note->len : 0, &tail);
    sm_str_printf(&names, "a %zu ", d->a + 1);
    sm_str_add_escaped(&names, sm_trials_name(v->session, d->a),
                       strlen(sm_trials_name(v->session, d->a)));
    sm_str_printf(&names, ", b %zu ", d->b + 1);
    sm_str_add_escaped(&names, sm_trials_name(v->session, d->b),
                       strlen(sm_trials_name(v->session, d->b)));
    if ((int)(sm_text_width(sm_str_text(&names), names.len) + tail.len) <= room) {
        sm_str_truncate(note, 0);
        sm_str_add(note, sm_str_text(&names));
    }
    sm_str_add(note, sm_str_text(&tail));
    sm_str_clear(&tail);
    sm_str_clear(&names);
}

static void draw_nothing(const struct sm_view *v, struct sm_grid *g, struct sm_rect r)
{
    size_t a, b;
    const char *text = "reading the trials ...";
    if (!sm_trials_pair(v->session, &a, &b))
        text = v->session->n_trials > 1
                   ? "all other trials are hidden; Space in the trials pane shows one"
                   : "\":add-trial PATH\" opens another trial to compare with";
    sm_cut_text(g, r.x + 1, r.y, r.w - 2, SM_ROLE_DIM, text, v->glyphs);
}

/* Two steps of the only trial. False: there are no two with weights. */
static bool draw_steps(struct state *s, const struct sm_view *v, struct sm_grid *g,
                       struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_str line = {0};
    if (v->session->n_trials != 1 || !sm_weight_span_read(&s->span, v))
        return false;
    sm_str_printf(&line, "diff @%lld @%lld", (long long)s->span.from, (long long)s->span.to);
    const struct sm_answer_view_look look = {
        .line = sm_str_text(&line),
        .columns = {step_columns, sizeof step_columns / sizeof *step_columns, 1},
        .reads_values = true,
        .nothing = "no tensor has values at both steps"};
    sm_answer_view_draw(&s->steps, v, &look, g, r, focused, note);
    sm_weight_span_note(&s->span, note);
    sm_str_clear(&line);
    return true;
}

static void draw_diff(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    const struct sm_compare_live *d = sm_compare_live_get(v->session);
    sm_diff_rows_read(&s->lines, d);
    if (!d) {
        if (!draw_steps(s, v, g, r, focused, note))
            draw_nothing(v, g, r);
        return;
    }
    int room = r.w - 20;
    r.w = r.w < WIDEST ? r.w : WIDEST;
    struct columns c = columns_in(r.w);
    int above = r.h > 3 ? 2 : 1;
    draw_first(v, d, g, r);
    if (above == 2)
        draw_header(&c, g, (struct sm_rect){r.x, r.y + 1, r.w, 1});
    sm_rows_show(&s->rows, s->lines.n, r.h - above);
    for (int y = 0; y < r.h - above && s->rows.top + (size_t)y < s->lines.n; y++) {
        struct sm_rect row = {r.x, r.y + above + y, r.w, 1};
        draw_line(v, &d->contrast, &s->lines.items[s->rows.top + (size_t)y], &c, g, row);
        if (focused)
            sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, true);
    }
    add_note(v, s, d, room, note);
    if (s->lines.n > (size_t)(r.h > above ? r.h - above : 0) && (int)note->len + RANGE_W < room) {
        sm_str_add(note, "  ");
        sm_rows_note(&s->rows, s->lines.n, note);
    }
}

/* ---- actions ---- */

/* Selects the tensor, and the step and worker at which it differs, in the current trial. */
static void select_difference(struct sm_session *s, const struct sm_compare_live *d,
                              const struct sm_compare_row *x)
{
    const struct sm_trial *t = sm_session_trial(s);
    const struct sm_trial_tensor *tensor = sm_trial_find(t, x->name, strlen(x->name));
    if (tensor)
        s->at.tensor = tensor->name;
    if (x->compared) {
        s->at.step = s->current == d->a ? x->step : x->other;
        s->at.follow = false;
    }
    if (x->worker != SM_WORKER_ANY)
        s->at.worker = sm_trial_find_worker(t, sm_trial_worker(d->contrast.a.trial, x->worker));
}

static bool act_on_diff(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    const struct sm_compare_live *d = sm_compare_live_get(v->session);
    sm_diff_rows_read(&s->lines, d);
    if (!d)
        return sm_answer_view_act(&s->steps, v, a);
    if (a != SM_ACT_OPEN)
        return sm_rows_act(&s->rows, s->lines.n, a);
    if (s->rows.cursor < s->lines.n && s->lines.items[s->rows.cursor].row)
        select_difference(v->session, d, s->lines.items[s->rows.cursor].row);
    return true;
}

static void click_diff(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    if (!sm_compare_live_get(v->session))
        sm_answer_view_click(&s->steps, v, y);
    else
        sm_rows_click(&s->rows, s->lines.n, y - 2);
}

static void init_diff(struct sm_pane *p, struct sm_view *v)
{
    (void)v;
    sm_diff_rows_init(&((struct state *)p->state)->lines);
}

static void clear_diff(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_diff_rows_clear(&s->lines);
    sm_answer_view_clear(&s->steps);
}

static void forget_diff(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_diff_rows_forget(&s->lines);
    sm_answer_view_clear(&s->steps);
    s->span = (struct sm_weight_span){0};
}

static const enum sm_key_action own[] = {SM_ACT_SORT_NEXT, SM_ACT_SORT_PREV, SM_ACT_INVERT,
                                         SM_ACT_NONE};

const struct sm_pane_ops sm_pane_diff = {
    .name = "diff",
    .title = "differences",
    .help = "Differences between the baseline (a) and the current trial (b); without a baseline "
            "between the current trial and the first other visible one; with one trial, between "
            "the steps that the pane updates shows. Shows the first "
            "divergence, the tensors by step and size of the difference, the configuration, and "
            "what cannot be compared. Enter goes to the tensor and step. \":diff A B\" has limits "
            "and compares other workers, modes and steps.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "Enter go there", "D baseline", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 2,
    .init = init_diff,
    .clear = clear_diff,
    .forget = forget_diff,
    .draw = draw_diff,
    .act = act_on_diff,
    .click = click_diff,
};
