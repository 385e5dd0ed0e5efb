/* The health of all tensors over the steps: one statistic as heat, problems as marks. */
#include "commands/place/statistic.h"
#include "commands/stops/chart_marks.h"
#include "plot/health_map.h"
#include "plot/table.h"
#include "reader/base/mem.h"
#include "tui/panes/fired_tensors.h"
#include "tui/panes/health_columns.h"
#include "tui/panes/listing.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"

#include <math.h>
#include <string.h>

enum {
    NUMBER_W = 10,
    NUMBER_FROM_W = 60,
    LABEL_MAX = 28,
    ASK_MOST = 256,
    FIRED_MAX = 64,
    LEAST_STEPS = 4
};

struct state {
    struct sm_rows rows;
    uint32_t *tensors;                /* name ids of the rows */
    size_t n, statistic;              /* number of rows; index of the statistic */
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

/* Lists the tensors with numbers; those on which rules fired come first. */
static void list_tensors(struct state *s, const struct sm_trial *t)
{
    s->tensors = sm_xrealloc(s->tensors, sm_trial_tensor_count(t) + 1, sizeof *s->tensors);
    s->n = 0;
    for (int fired = 1; fired >= 0; fired--)
        for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
            const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
            bool counted = x->has_value || x->reductions[0] || x->reductions[1];
            if (counted && sm_fired_tensors_has(&s->fired, x->name) == fired)
                s->tensors[s->n++] = x->name;
        }
}

/* Moves the cursor to the current tensor and step if they have changed elsewhere. */
static void update_health(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    sm_fired_tensors_read(v->session, &s->fired);
    if (t &&
        (s->trial != t || s->version != sm_trial_version(t) || s->findings != s->fired.findings)) {
        s->trial = t;
        s->version = sm_trial_version(t);
        s->findings = s->fired.findings;
        list_tensors(s, t);
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

/* ---- the numbers ---- */

static const struct sm_trial_tensor *tensor_of(const struct state *s, const struct sm_trial *t,
                                               size_t row)
{
    const struct sm_names *names = sm_trial_names(t);
    return sm_trial_find(t, sm_names_text(names, s->tensors[row]),
                         sm_names_length(names, s->tensors[row]));
}

/* True if the statistic can be computed from the entry. */
static bool has_statistic(const struct sm_trial *t, const struct sm_entry *e,
                          const struct sm_statistic *x)
{
    return !sm_trial_part(t, e->part)->replaced &&
           (e->kind == SM_ENTRY_VALUE ||
            (e->kind == SM_ENTRY_REDUCTION && x->reduction != SM_REDUCE_NONE &&
             e->reduction == x->reduction));
}

static enum sm_health_cell cell_of_facts(const struct sm_facts *f, const struct sm_entry *e,
                                         const struct sm_statistic *x, double *v)
{
    const struct sm_stats *s = &f->stats;
    if (!f->has_stats || (e->kind == SM_ENTRY_VALUE && !sm_statistic_known(s, x)))
        return SM_HEALTH_NOTHING;
    if (x->reduction == SM_REDUCE_NONE)
        *v = sm_statistic_of(s, x);
    else if (s->nan || s->pos_inf || s->neg_inf)
        *v = s->nan ? (double)NAN : s->pos_inf ? (double)INFINITY : -(double)INFINITY;
    else if (s->n > 1 && s->zero == s->n)
        return SM_HEALTH_ZERO;
    else
        *v =
            e->kind == SM_ENTRY_REDUCTION ? sm_stats_get(s, SM_REDUCE_MEAN) : sm_statistic_of(s, x);
    return s->n ? SM_HEALTH_VALUE : SM_HEALTH_NOTHING;
}

/* The cell of a tensor at a step. Requests unknown values, at most *budget of them. */
static enum sm_health_cell read_cell(const struct sm_view *view, const struct sm_trial_tensor *x,
                                     struct sm_step step, const struct sm_statistic *statistic,
                                     double *v, size_t *budget)
{
    struct sm_trial *t = sm_session_trial(view->session);
    const struct sm_entry *e = sm_statistic_entry(t, x, step, view->session->at.worker, statistic);
    const struct sm_facts *f;
    struct sm_err err = {0};
    *v = 0;
    if (!e)
        return SM_HEALTH_NOTHING;
    if (!*budget)
        return SM_HEALTH_AWAITED;
    if (sm_fetch_stats(view->session->fetch, t, e, &f, &err))
        return cell_of_facts(f, e, statistic, v);
    *budget -= err.code == SM_ERR_WAIT;
    return err.code == SM_ERR_WAIT ? SM_HEALTH_AWAITED : SM_HEALTH_NOTHING;
}

/* Reads the newest value of each column. */
static void read_row(const struct state *s, const struct sm_view *v, size_t row,
                     const struct sm_statistic *statistic, double *out, uint8_t *cells,
                     size_t *budget)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    const struct sm_trial_tensor *x = tensor_of(s, t, row);
    size_t i = 0;
    for (size_t c = 0; c < s->columns.n; c++) {
        size_t from = sm_health_column_from(&s->columns, c),
               end = sm_health_column_from(&s->columns, c + 1);
        int64_t first = sm_trial_step(t, from)->step.n, last = sm_trial_step(t, end - 1)->step.n,
                found = -1;
        for (; i < x->n_entries && sm_trial_part(t, x->entries[i].part)->step.n <= last; i++)
            if (sm_trial_part(t, x->entries[i].part)->step.n >= first &&
                has_statistic(t, &x->entries[i], statistic))
                found = sm_trial_part(t, x->entries[i].part)->step.n;
        cells[c] = SM_HEALTH_NOTHING;
        if (found >= 0)
            cells[c] =
                (uint8_t)read_cell(v, x, (struct sm_step){found}, statistic, &out[c], budget);
    }
}

/* True for NaN or Inf in any cell, or if the newest cell is all zeros (new biases are zero). */
static bool is_bad(const double *v, const uint8_t *cells, size_t n)
{
    enum sm_health_cell last = SM_HEALTH_NOTHING;
    for (size_t i = 0; i < n; i++) {
        if (cells[i] == SM_HEALTH_VALUE && !isfinite(v[i]))
            return true;
        last = cells[i] != SM_HEALTH_NOTHING ? (enum sm_health_cell)cells[i] : last;
    }
    return last == SM_HEALTH_ZERO;
}

/* ---- drawing ---- */

/* The data of the visible rows in one frame. */
struct frame {
    struct sm_arena arena;
    struct sm_health_map map;
    double *v, *x;
    uint8_t *cells;
    bool *bad;
    const char **labels;
    double marks[FIRED_MAX];
    const struct sm_statistic *statistic;
};

static void read_rows(const struct state *s, const struct sm_view *v, struct frame *f)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t n = f->map.rows, cols = s->columns.n, budget = ASK_MOST;
    f->v = sm_arena_xalloc(&f->arena, (n * cols + 1) * sizeof *f->v);
    f->cells = sm_arena_xalloc(&f->arena, n * cols + 1);
    f->bad = sm_arena_xalloc(&f->arena, (n + 1) * sizeof *f->bad);
    f->labels = sm_arena_xalloc(&f->arena, (n + 1) * sizeof *f->labels);
    for (size_t i = 0; i < n; i++) {
        struct sm_str label = {0};
        const char *name = sm_names_text(sm_trial_names(t), s->tensors[s->rows.top + i]);
        sm_str_add_escaped(&label, name, strlen(name));
        f->labels[i] = sm_arena_xstrndup(&f->arena, sm_str_text(&label), label.len);
        sm_str_clear(&label);
        read_row(s, v, s->rows.top + i, f->statistic, f->v + i * cols, f->cells + i * cols,
                 &budget);
        f->bad[i] = f->statistic->reduction != SM_REDUCE_NONE &&
                    is_bad(f->v + i * cols, f->cells + i * cols, cols);
    }
}

static void read_columns(const struct state *s, const struct sm_view *v, struct frame *f)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    f->x = sm_arena_xalloc(&f->arena, (s->columns.n + 1) * sizeof *f->x);
    for (size_t c = 0; c < s->columns.n; c++)
        f->x[c] = (double)sm_trial_step(t, sm_health_column_from(&s->columns, c))->step.n;
}

static void read_marks(const struct sm_view *v, struct frame *f)
{
    int64_t fired[FIRED_MAX];
    f->map.n_marks = sm_chart_marked_steps(v->session, fired, FIRED_MAX);
    for (size_t i = 0; i < f->map.n_marks; i++)
        f->marks[i] = (double)fired[i];
}

/* Draws the last line: "gradient/fc0_bias @3900  abs_mean 0.0213". */
static void draw_current(const struct state *s, const struct sm_view *v, const struct frame *f,
                         struct sm_grid *g, struct sm_rect r)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t row = s->rows.cursor - s->rows.top, column = sm_health_column_of(&s->columns, s->cell),
           i = row * s->columns.n + column;
    struct sm_str text = {0}, name = {0};
    char number[32] = "not saved";
    if (row >= f->map.rows || !s->columns.n)
        return;
    if (f->cells[i] == SM_HEALTH_VALUE && isfinite(f->v[i]))
        sm_format_double(f->v[i], 6, number);
    else if (f->cells[i] == SM_HEALTH_VALUE)
        strcpy(number, isnan(f->v[i]) ? "NaN" : f->v[i] > 0 ? "Inf" : "-Inf");
    else if (f->cells[i] != SM_HEALTH_NOTHING)
        strcpy(number, f->cells[i] == SM_HEALTH_ZERO ? "all 0" : "...");
    sm_str_printf(&text, " @%lld  %s %s", (long long)sm_trial_step(t, s->cell)->step.n,
                  f->statistic->key, number);
    sm_elide_name(&name, f->labels[row], r.w - 2 - (int)text.len, v->glyphs);
    sm_grid_printf(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "%s%s", sm_str_text(&name),
                   sm_str_text(&text));
    sm_str_clear(&text);
    sm_str_clear(&name);
}

static void add_note(const struct state *s, int w, struct sm_str *note)
{
    sm_rows_note(&s->rows, s->n, note);
    sm_str_printf(note, "%s%s", note->len ? "  " : "", sm_statistic(s->statistic)->key);
    if (s->columns.n < s->columns.steps && w >= NUMBER_FROM_W)
        sm_str_printf(note, "  %zu steps in %zu columns (newest)", s->columns.steps, s->columns.n);
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
    read_rows(s, v, &f);
    read_columns(s, v, &f);
    f.map.labels = f.labels;
    f.map.x = f.x;
    f.map.cols = s->columns.n;
    f.map.last = s->columns.n
                     ? (double)sm_trial_step(t, s->columns.first + s->columns.steps - 1)->step.n
                     : 0;
    f.map.v = f.v;
    f.map.cells = f.cells;
    f.map.bad = f.bad;
    f.map.selected = s->rows.cursor - s->rows.top;
    f.map.cell = focused ? sm_health_column_of(&s->columns, s->cell) : s->columns.n;
    sm_health_draw(g, above, &f.map, v->glyphs);
    if (r.h >= 5)
        draw_current(s, v, &f, g, (struct sm_rect){r.x, r.y + r.h - 1, r.w, 1});
    sm_arena_clear(&f.arena);
    add_note(s, r.w, note);
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
    s->statistic = (s->statistic + (by > 0 ? 1 : n - 1)) % n;
}

/* Moves all panes to the tensor and the step. Returns false if they are there already. */
static bool select_cell(struct state *s, struct sm_view *v)
{
    if (s->rows.cursor >= s->n || !sm_trial_step_count(s->trial))
        return false;
    int64_t step = sm_trial_step(s->trial, s->cell)->step.n;
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

static const enum sm_key_action own[] = {SM_ACT_STATISTIC, SM_ACT_STATISTIC_PREV, SM_ACT_ZOOM_IN,
                                         SM_ACT_ZOOM_OUT, SM_ACT_NONE};

const struct sm_pane_ops sm_pane_health = {
    .name = "health",
    .title = "health",
    .help = "Every tensor over the steps: one statistic as heat, from the smallest (light) to the "
            "largest magnitude of the row. NaN, Inf and values that are all zero have their own "
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
    .draw = draw_health,
    .act = act_on_health,
    .click = click_health,
    .set = set_health_attribute,
};
