/* SPDX-License-Identifier: Apache-2.0 */
/* The health of all tensors over the steps: one statistic as heat, problems as marks. */
#include "commands/stops/chart_marks.h"
#include "plot/table.h"
#include "reader/analysis/saved_weights.h"
#include "reader/base/mem.h"
#include "tui/panes/fired_tensors.h"
#include "tui/panes/health_cells.h"
#include "tui/panes/listing.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"

#include <math.h>
#include <string.h>

enum { NUMBER_W = 10, NUMBER_FROM_W = 60, LABEL_MAX = 28, FIRED_MAX = 64, LEAST_STEPS = 4 };

struct state {
    struct sm_rows rows;
    uint32_t *tensors;                /* name ids of the rows */
    size_t n, statistic;              /* number of rows; index of the statistic */
    bool chosen;                      /* the statistic, by the user */
    size_t cell;                      /* index of the step under the cursor */
    size_t shown;                     /* steps in the window; 0 for all */
    struct sm_health_columns columns; /* as drawn last */
    const struct sm_trial *trial;
    uint64_t version;
    struct sm_fired_tensors fired;
    uint64_t findings; /* fired.findings when the rows were ordered */
    uint32_t seen;     /* the current tensor when the cursor was last put on one */
    int64_t seen_step; /* the current step at that time */
};

enum { FIRED, MODEL, STATE, RANKS };

/* State beside the model comes last. */
static int rank_of(const struct state *s, const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    return sm_fired_tensors_has(&s->fired, x->name)           ? FIRED
           : sm_is_training_state(sm_trial_tensor_name(t, x)) ? STATE
                                                              : MODEL;
}

/* Lists the tensors with numbers; those on which rules fired come first. */
static void list_tensors(struct state *s, const struct sm_trial *t)
{
    s->tensors = sm_xrealloc(s->tensors, sm_trial_tensor_count(t) + 1, sizeof *s->tensors);
    s->n = 0;
    for (int rank = 0; rank < RANKS; rank++)
        for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
            const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
            bool counted = x->has_value || x->reductions[0] || x->reductions[1];
            if (counted && rank_of(s, t, x) == rank)
                s->tensors[s->n++] = x->name;
        }
}

/* Where only reductions were saved, one that most rows have. */
static void choose_statistic(struct state *s, const struct sm_trial *t)
{
    const struct sm_trial_tensor **rows = sm_xalloc((s->n + 1) * sizeof *rows);
    for (size_t i = 0; i < s->n; i++)
        rows[i] = sm_trial_tensor_of(t, s->tensors[i]);
    const struct sm_statistic *x = sm_statistic_most_have(sm_statistic(0), rows, s->n);
    s->statistic = (size_t)(x - sm_statistic(0));
    sm_free(rows);
}

static void forget_rows(struct state *s)
{
    s->n = 0;
    s->trial = NULL;
    s->seen = SM_NAME_NONE;
}

/* Moves the cursor to the current tensor and step if they have changed elsewhere. */
static void update_health(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    sm_fired_tensors_read(v->session, &s->fired);
    if (!t)
        forget_rows(s);
    if (t &&
        (s->trial != t || s->version != sm_trial_version(t) || s->findings != s->fired.findings)) {
        s->trial = t;
        s->version = sm_trial_version(t);
        s->findings = s->fired.findings;
        list_tensors(s, t);
        if (!s->chosen)
            choose_statistic(s, t);
        s->seen = SM_NAME_NONE;
        s->seen_step = -1;
    }
    for (size_t i = 0; s->seen != v->session->at.tensor && i < s->n; i++)
        if (s->tensors[i] == v->session->at.tensor) {
            s->rows.cursor = i;
            s->seen = v->session->at.tensor;
        }
    size_t n = t ? sm_trial_step_count(t) : 0;
    struct sm_step now = sm_session_step(v->session);
    if (n && now.n != s->seen_step) {
        s->cell = sm_trial_step_at(t, now);
        s->seen_step = now.n;
    }
    s->cell = s->cell < n ? s->cell : n ? n - 1 : 0;
}

/* ---- drawing ---- */

/* One frame: the visible rows, and marks. */
struct frame {
    struct sm_health_map map;
    struct sm_health_cells data;
    double marks[FIRED_MAX];
    const struct sm_statistic *statistic;
};

static void read_marks(const struct sm_view *v, struct frame *f)
{
    int64_t fired[FIRED_MAX];
    f->map.n_marks = sm_chart_marked_steps(v->session, fired, FIRED_MAX);
    for (size_t i = 0; i < f->map.n_marks; i++)
        f->marks[i] = (double)fired[i];
}

static int64_t worst_step(const struct state *s, const struct sm_view *v)
{
    return s->columns.n ? sm_health_worst_step(v, sm_statistic(s->statistic),
                                               s->tensors[s->rows.cursor], &s->columns, s->cell)
                        : sm_trial_step(s->trial, s->cell)->step.n;
}

/* The number under the cursor, exact if it is at hand. */
static double current_number(const struct sm_view *v, const struct frame *f, size_t i)
{
    double exact;
    return sm_statistic_read(v->session->fetch, sm_session_trial(v->session), &f->data.entries[i],
                             f->statistic, &exact, NULL)
               ? exact
               : f->data.v[i];
}

/* Draws the last line: "gradient/fc0_bias @3900  abs_mean 0.0213". */
static void draw_current(const struct state *s, const struct sm_view *v, const struct frame *f,
                         struct sm_grid *g, struct sm_rect r)
{
    size_t row = s->rows.cursor - s->rows.top, column = sm_health_column_of(&s->columns, s->cell),
           i = row * s->columns.n + column;
    struct sm_str text = {0}, name = {0};
    char number[32] = "not saved";
    if (row >= f->map.rows || !s->columns.n)
        return;
    if (f->data.cells[i] == SM_HEALTH_VALUE && isfinite(f->data.v[i]))
        sm_format_double(current_number(v, f, i), 6, number);
    else if (f->data.cells[i] == SM_HEALTH_VALUE)
        strcpy(number, isnan(f->data.v[i]) ? "NaN" : f->data.v[i] > 0 ? "Inf" : "-Inf");
    else if (f->data.cells[i] != SM_HEALTH_NOTHING)
        strcpy(number, f->data.cells[i] == SM_HEALTH_ZERO ? "all 0" : "...");
    struct sm_entry e = f->data.entries[i];
    sm_str_printf(&text, " @%lld  %s%s %s", (long long)worst_step(s, v),
                  e.kind == SM_ENTRY_REDUCTION ? "saved " : "", f->statistic->key, number);
    sm_elide_name(&name, f->data.labels[row], r.w - 2 - (int)text.len, v->glyphs);
    sm_grid_printf(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "%s%s", sm_str_text(&name),
                   sm_str_text(&text));
    sm_str_clear(&text);
    sm_str_clear(&name);
}

static void add_note(const struct state *s, const struct sm_trial *t, int w, struct sm_str *note)
{
    sm_rows_note(&s->rows, s->n, note);
    sm_str_printf(note, "%s%s", note->len ? "  " : "", sm_statistic(s->statistic)->key);
    if (s->columns.n < s->columns.steps && w >= NUMBER_FROM_W)
        sm_str_printf(note, "  %zu steps in %zu columns (worst)", s->columns.steps, s->columns.n);
    sm_rows_note_survey(t, note);
}

static void draw_health(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    struct frame f = {.statistic = sm_statistic(s->statistic)};
    size_t rows, cols;
    update_health(s, v);
    const struct sm_trial *t = sm_session_trial(v->session);
    struct sm_rect above = {r.x, r.y, r.w, r.h - (r.h >= 5)};
    if (!s->n || !t) {
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "no values yet");
        return;
    }
    bool none = false;
    f.map = (struct sm_health_map){.own = true,
                                   .scaleless = true,
                                   .label_w = r.w / 3 > LABEL_MAX ? LABEL_MAX : r.w / 3,
                                   .bad = &none,
                                   .number_w = r.w >= NUMBER_FROM_W ? NUMBER_W : 0,
                                   .reversed = focused,
                                   .marks = f.marks,
                                   .cursor_x = (double)sm_session_step(v->session).n};
    read_marks(v, &f);
    sm_health_room(&f.map, above, &rows, &cols);
    s->columns = sm_health_columns(sm_trial_step_count(t), s->shown, s->cell, cols);
    sm_rows_show(&s->rows, s->n, (int)rows);
    f.map.rows = s->n - s->rows.top < rows ? s->n - s->rows.top : rows;
    sm_health_cells_read(&f.data, v, f.statistic, s->tensors + s->rows.top, f.map.rows,
                         &s->columns);
    f.map.labels = f.data.labels;
    f.map.x = f.data.x;
    f.map.cols = s->columns.n;
    f.map.last = s->columns.n
                     ? (double)sm_trial_step(t, s->columns.first + s->columns.steps - 1)->step.n
                     : 0;
    f.map.v = f.data.v;
    f.map.cells = f.data.cells;
    f.map.bad = f.data.bad;
    f.map.selected = s->rows.cursor - s->rows.top;
    f.map.cell = focused ? sm_health_column_of(&s->columns, s->cell) : s->columns.n;
    sm_health_draw(g, above, &f.map, v->glyphs);
    if (r.h >= 5)
        draw_current(s, v, &f, g, (struct sm_rect){r.x, r.y + r.h - 1, r.w, 1});
    sm_health_cells_clear(&f.data);
    add_note(s, t, r.w, note);
}

/* ---- actions ---- */

/* Moves to the last step of the next or previous column. */
static void move_cell(struct state *s, int by)
{
    size_t column = sm_health_column_of(&s->columns, s->cell), n = s->columns.n,
           end = s->columns.first + s->columns.steps;
    if (by > 0 && column + 1 < n)
        s->cell = sm_health_column_from(&s->columns, column + 2) - 1;
    else if (by < 0 && column > 0)
        s->cell = sm_health_column_from(&s->columns, column) - 1;
    else if (by > 0 && s->trial && end < sm_trial_step_count(s->trial))
        s->cell = end;
    else if (by < 0 && s->columns.first)
        s->cell = s->columns.first - 1;
}

static void zoom_steps(struct state *s, bool in)
{
    size_t all = sm_trial_step_count(s->trial), now = s->shown ? s->shown : all;
    s->shown = in ? (now / 2 > LEAST_STEPS ? now / 2 : LEAST_STEPS) : now * 2;
    if (s->shown >= all)
        s->shown = 0;
}

static void next_statistic(struct state *s, int by)
{
    size_t n = sm_statistic_offered_count();
    s->chosen = true;
    s->statistic = (s->statistic + (by > 0 ? 1 : n - 1)) % n;
}

/* Moves all panes to the tensor and the step. Returns false if they are there already. */
static bool select_cell(struct state *s, struct sm_view *v)
{
    if (s->rows.cursor >= s->n || !sm_trial_step_count(s->trial))
        return false;
    int64_t step = worst_step(s, v);
    if (v->session->at.tensor == s->tensors[s->rows.cursor] &&
        sm_session_step(v->session).n == step)
        return false;
    v->session->at.tensor = s->seen = s->tensors[s->rows.cursor];
    sm_view_set_step(v, step);
    s->seen_step = step;
    return true;
}

static bool act_on_health(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    update_health(s, v);
    if (!s->trial)
        return false;
    if (a == SM_ACT_OPEN)
        return select_cell(s, v);
    if (a == SM_ACT_LEFT || a == SM_ACT_RIGHT)
        move_cell(s, a == SM_ACT_RIGHT ? 1 : -1);
    else if (a == SM_ACT_ZOOM_IN || a == SM_ACT_ZOOM_OUT)
        zoom_steps(s, a == SM_ACT_ZOOM_IN);
    else if (a == SM_ACT_STATISTIC || a == SM_ACT_STATISTIC_PREV)
        next_statistic(s, a == SM_ACT_STATISTIC ? 1 : -1);
    else if (!sm_rows_act(&s->rows, s->n, a))
        return false;
    else if (s->rows.cursor < s->n)
        v->session->at.tensor = s->seen = s->tensors[s->rows.cursor];
    return true;
}

static void click_health(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    update_health(s, v);
    if (sm_rows_click(&s->rows, s->n, y))
        v->session->at.tensor = s->seen = s->tensors[s->rows.cursor];
}

static bool set_health_attribute(struct sm_pane *p, struct sm_view *v, const char *attribute,
                                 const char *value, struct sm_err *err)
{
    struct state *s = p->state;
    struct sm_str names = {0};
    (void)v;
    if (strcmp(attribute, "statistic") != 0)
        return sm_err_set(err, SM_ERR_USAGE, "No attribute \"%s\". There is: statistic.",
                          attribute);
    const struct sm_statistic *x = sm_statistic_offered(sm_text(value));
    if (x) {
        s->chosen = true;
        s->statistic = (size_t)(x - sm_statistic(0));
        return true;
    }
    for (size_t i = 0; sm_statistic_names[i]; i++)
        sm_str_printf(&names, " %s", sm_statistic_names[i]);
    sm_err_set(err, SM_ERR_USAGE, "No statistic \"%s\". There are:%s.", value, sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

static void clear_health(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_free(s->tensors);
    sm_fired_tensors_clear(&s->fired);
}

static void forget_health(struct sm_pane *p)
{
    struct state *s = p->state;
    forget_rows(s);
    sm_fired_tensors_clear(&s->fired);
}

static const enum sm_key_action own[] = {SM_ACT_STATISTIC, SM_ACT_STATISTIC_PREV, SM_ACT_ZOOM_IN,
                                         SM_ACT_ZOOM_OUT, SM_ACT_NONE};

const struct sm_pane_ops sm_pane_health = {
    .name = "health",
    .title = "health",
    .help = "Every tensor over the steps: one statistic as heat, from the smallest (light) to the "
            "largest magnitude of the row; a column of several steps shows its worst value. NaN, "
            "Inf and values that are all zero have their own "
            "marks. Tensors on which rules fired come first; the steps at which they fired are "
            "marked below. v and V select another statistic, h and l move along the steps, + and - "
            "zoom. Enter moves all panes to the tensor and the step under the cursor.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "v statistic", "h l step", "Enter go there"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 3,
    .clear = clear_health,
    .forget = forget_health,
    .draw = draw_health,
    .act = act_on_health,
    .click = click_health,
    .set = set_health_attribute,
};
