/* SPDX-License-Identifier: Apache-2.0 */
/* health: a statistic of many tensors over the steps, as a heat map. */
#include "commands/answer/shape.h"
#include "commands/pictures/pictures.h"
#include "commands/pictures/plot_input.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/place/statistic.h"
#include "commands/stops/chart_marks.h"
#include "plot/grid/pixel.h"
#include "plot/health_map.h"
#include "reader/analysis/saved_weights.h"
#include "reader/analysis/step_values.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { MARKS_MAX = 64 };

/* The map: rows x cols cells. Kept while the call waits. */
struct health {
    const struct sm_statistic *statistic;
    struct sm_selection rows;
    uint16_t worker;
    int w, h;
    struct sm_step *steps; /* all that have a value */
    size_t n_steps, cols;  /* column c has the steps [first_of(c), first_of(c + 1)) */
    double *v;
    uint8_t *cells;            /* enum sm_health_cell */
    struct sm_step *shown;     /* by cell: the step of its value */
    size_t *looked_at;         /* by cell: values that it stands for */
    size_t unread, missing;    /* missing: not found, or not in an archive */
    struct sm_err first_error; /* the error of the first missing value */
};

static size_t first_of(const struct health *m, size_t column)
{
    return sm_part(m->n_steps, m->cols, column);
}

static bool has_statistic_at(const struct sm_trial *t, struct sm_step step, const struct health *m)
{
    for (size_t i = 0; i < m->rows.n; i++) {
        struct sm_entry e = sm_statistic_entry(t, m->rows.items[i], step, m->worker, m->statistic);
        if (sm_entry_exists(&e))
            return true;
    }
    return false;
}

static void choose_steps(struct sm_call *c, struct health *m, enum sm_mode mode)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    size_t room = (size_t)m->w;
    m->steps = sm_arena_xalloc(&c->arena, (sm_trial_step_count(t) + 1) * sizeof *m->steps);
    for (size_t i = 0; i < sm_trial_step_count(t); i++) {
        const struct sm_trial_step *s = sm_trial_step(t, i);
        if ((mode == SM_MODE_ANY || mode == SM_MODE_GLOBAL || s->mode == mode) &&
            has_statistic_at(t, s->step, m))
            m->steps[m->n_steps++] = s->step;
    }
    m->cols = m->n_steps < room ? m->n_steps : room;
}

/* State beside the model comes behind it. */
static void put_state_last(struct sm_call *c, struct sm_selection *rows)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_trial_tensor **items = sm_arena_xalloc(&c->arena, rows->n * sizeof *items);
    size_t n = 0;
    for (int state = 0; state < 2; state++)
        for (size_t i = 0; i < rows->n; i++)
            if (sm_is_training_state(sm_trial_tensor_name(t, rows->items[i])) == state)
                items[n++] = rows->items[i];
    rows->items = items;
}

static bool start_health(struct sm_call *c, struct health *m, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *worker = sm_call_keyword(c, "worker");
    struct sm_print_options o;
    enum sm_mode mode;
    const struct sm_statistic *named = c->n_words ? sm_statistic_offered(c->words[0].text) : NULL;
    size_t n_stat_words = named != NULL;
    sm_session_print_options(c->session, &o);
    m->w = sm_plot_width(&o);
    m->worker = SM_WORKER_ANY;
    if (!sm_args_select_some(c, n_stat_words ? c->words + 1 : c->words, c->n_words - n_stat_words,
                             &m->rows, err) ||
        !sm_place_mode_given(c, &mode, err) ||
        (worker && !sm_place_find_worker(t, worker->text, &m->worker, err)) ||
        !sm_plot_size_option(c, "w", SM_PLOT_MAX_W, &m->w, err) ||
        !sm_plot_size_option(c, "h", SM_PLOT_MAX_H, &m->h, err))
        return false;
    if (!m->rows.n)
        return sm_err_set(err, SM_ERR_MISSING, "No tensor matches.");
    put_state_last(c, &m->rows);
    const struct sm_statistic *usual = sm_statistic_find(SM_TEXT("abs_mean"));
    m->statistic = named ? named : sm_statistic_most_have(usual, m->rows.items, m->rows.n);
    choose_steps(c, m, mode);
    if (!m->n_steps)
        return sm_err_set(err, SM_ERR_MISSING, "None of these tensors was saved with its values%s.",
                          m->statistic->reduction == SM_REDUCE_NONE ? "" : " or this statistic");
    size_t n = m->rows.n * m->cols;
    m->v = sm_arena_xalloc(&c->arena, n * sizeof *m->v);
    m->cells = sm_arena_xalloc(&c->arena, n * sizeof *m->cells);
    m->shown = sm_arena_xalloc(&c->arena, n * sizeof *m->shown);
    m->looked_at = sm_arena_xalloc(&c->arena, n * sizeof *m->looked_at);
    return true;
}

/* The number of a value; NaN and infinities among its elements win. Returns false with SM_ERR_WAIT
 * or the reason. */
static bool read_number(struct sm_call *c, const struct health *m, const struct sm_worst_value *w,
                        double *v, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    int rank = m->statistic->reduction == SM_REDUCE_NONE ? 0 : sm_brief_rank(&w->brief);
    if (rank < 2)
        return sm_statistic_read(c->session->fetch, t, &w->entry, m->statistic, v, err);
    *v = rank == 3 ? (double)NAN : w->brief.flags & SM_BRIEF_POS_INF ? HUGE_VAL : -HUGE_VAL;
    return true;
}

/* The value has no real numbers: it is complex, or empty. */
static bool has_no_numbers(const struct sm_worst_value *w, double v)
{
    return isnan(v) && sm_brief_rank(&w->brief) < 2 && isnan(sm_brief_abs_max(&w->brief)) &&
           !(w->brief.flags & SM_BRIEF_NO_STATS);
}

/* Fills the cell of what stands for its steps. Returns false while it is being read. */
static bool read_cell(struct sm_call *c, struct health *m, size_t i, const struct sm_worst_value *w,
                      struct sm_err *err)
{
    bool found = sm_entry_exists(&w->entry), known = found && read_number(c, m, w, &m->v[i], err);
    m->unread += w->failed;
    m->looked_at[i] = w->n;
    bool shown = known && !has_no_numbers(w, m->v[i]);
    m->cells[i] = shown ? SM_HEALTH_VALUE : SM_HEALTH_NOTHING;
    if (shown)
        m->shown[i] = sm_trial_part(sm_session_trial(c->session), w->entry.part)->step;
    if (known || !found)
        return true;
    if (err->code == SM_ERR_MISSING && !m->missing++)
        m->first_error = *err;
    m->unread += err->code != SM_ERR_WAIT && err->code != SM_ERR_MISSING;
    return err->code != SM_ERR_WAIT;
}

/* Reads the cells of a row: the worst value of the steps of each column. */
static bool read_row(struct sm_call *c, struct health *m, size_t row, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_trial_tensor *x = m->rows.items[row];
    const struct sm_step_values_spec spec = {
        .statistic = m->statistic, .worker = m->worker, .mode = SM_MODE_ANY};
    struct sm_step_values v;
    size_t at = 0, k = 0;
    bool more = sm_step_values_next(t, x, &spec, &at, x->n_entries, &v), known = true;
    for (size_t col = 0; col < m->cols; col++) {
        struct sm_worst_value w = {0};
        for (; k < first_of(m, col + 1); k++) {
            while (more && v.step.n < m->steps[k].n)
                more = sm_step_values_next(t, x, &spec, &at, x->n_entries, &v);
            if (more && v.step.n == m->steps[k].n)
                sm_worst_value_add(&w, t, x, &v);
        }
        known = read_cell(c, m, row * m->cols + col, &w, err) && known;
    }
    return known;
}

static bool read_health_values(struct sm_call *c, struct health *m, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    bool known = true;
    m->unread = m->missing = 0;
    for (size_t i = 0; i < m->rows.n; i++)
        known = sm_fetch_all(c->session->fetch, t, m->rows.items[i], err) && known;
    for (size_t i = 0; known && i < m->rows.n; i++)
        known = read_row(c, m, i, err) && known;
    return known ||
           sm_err_set(err, SM_ERR_WAIT, "reading %zu tensors at %zu steps", m->rows.n, m->n_steps);
}

/* Removes the rows without values. */
static void drop_empty_rows(struct health *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->rows.n; i++) {
        size_t from = i * m->cols, to = n * m->cols;
        bool has_value = false;
        for (size_t k = 0; k < m->cols; k++)
            has_value = has_value || m->cells[from + k];
        if (!has_value)
            continue;
        memmove(m->v + to, m->v + from, m->cols * sizeof *m->v);
        memmove(m->cells + to, m->cells + from, m->cols * sizeof *m->cells);
        memmove(m->shown + to, m->shown + from, m->cols * sizeof *m->shown);
        memmove(m->looked_at + to, m->looked_at + from, m->cols * sizeof *m->looked_at);
        m->rows.items[n++] = m->rows.items[i];
    }
    m->rows.n = n;
}

/* ---- output ---- */

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
    {.key = "looked_at", .header = "LOOKED AT", .format = SM_COL_NUMBER},
};

static void add_health_rows(struct sm_call *c, struct sm_result *out, const struct health *m)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < m->rows.n * m->cols; i++) {
        if (!m->cells[i])
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "name", sm_trial_tensor_name(t, m->rows.items[i / m->cols]));
        sm_node_int(out, row, "step", m->shown[i].n);
        sm_node_double(out, row, "value", m->v[i], false);
        sm_node_uint(out, row, "looked_at", m->looked_at[i]);
    }
    out->columns = columns;
    out->n_columns = COUNT(columns);
}

/* Log; symlog if a value is below 0; linear with -linear, or if all values are 0. */
static enum sm_y_scale choose_scale(const struct sm_call *c, const struct health *m)
{
    double lo = HUGE_VAL, hi = 0;
    if (sm_call_flag(c, "linear"))
        return SM_Y_LINEAR;
    for (size_t i = 0; i < m->rows.n * m->cols; i++)
        if (m->cells[i] && isfinite(m->v[i])) {
            lo = fmin(lo, m->v[i]);
            hi = fmax(hi, fabs(m->v[i]));
        }
    return lo < 0 ? SM_Y_SYMLOG : hi > 0 ? SM_Y_LOG : SM_Y_LINEAR;
}

static void draw_health(struct sm_call *c, struct sm_result *out, const struct health *m)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_print_options o;
    double marks[MARKS_MAX];
    int64_t *steps = sm_arena_xalloc(&c->arena, m->cols * sizeof *steps);
    double *x = sm_arena_xalloc(&c->arena, m->cols * sizeof *x);
    const char **labels = sm_arena_xalloc(&c->arena, (m->rows.n + 1) * sizeof *labels);
    sm_session_print_options(c->session, &o);
    for (size_t i = 0; i < m->cols; i++)
        x[i] = (double)(steps[i] = m->steps[first_of(m, i + 1) - 1].n);
    for (size_t i = 0; i < m->rows.n; i++) {
        const char *name = sm_trial_tensor_name(t, m->rows.items[i]);
        labels[i] = sm_result_escape(out, name, strlen(name));
    }
    struct sm_health_map map = {.labels = labels,
                                .rows = m->rows.n,
                                .x = x,
                                .cols = m->cols,
                                .v = m->v,
                                .cells = m->cells,
                                .scale = choose_scale(c, m),
                                .what = m->statistic->key,
                                .selected = m->rows.n,
                                .marks = marks,
                                .cursor_x = (double)NAN};
    map.n_marks = sm_chart_marks(c->session, steps, NULL, m->cols, marks, MARKS_MAX);
    struct sm_grid *g = sm_result_grid(out, m->w, m->h ? m->h : sm_health_height(&map));
    sm_health_draw(g, (struct sm_rect){0, 0, g->w, g->h}, &map, o.glyphs);
    if (m->cols < m->n_steps)
        sm_result_dim(out, "%zu steps in %zu columns, each %s", m->n_steps, m->cols,
                      sm_step_value_has(m->statistic) ? "with its worst value"
                                                      : "at the step of its largest |x|");
    if (m->unread)
        sm_result_dim(out, "%zu value%s could not be read. See \"info errors\".", m->unread,
                      m->unread == 1 ? "" : "s");
    if (m->missing)
        sm_result_dim(out, "%zu values are missing: %s.", m->missing, m->first_error.msg);
}

static bool run_health(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct health *m = c->state;
    if (!m) {
        m = sm_arena_xalloc(&c->arena, sizeof *m);
        *m = (struct health){0};
        if (!start_health(c, m, err))
            return false;
        c->state = m;
    }
    if (!read_health_values(c, m, err))
        return false;
    drop_empty_rows(m);
    if (!m->rows.n && m->missing) {
        *err = m->first_error;
        return false;
    }
    if (!m->rows.n)
        return sm_err_set(err, SM_ERR_MISSING,
                          m->unread ? "None of these values could be read."
                                    : "None of these values has real numbers.");
    add_health_rows(c, out, m);
    draw_health(c, out, m);
    return true;
}

static const struct sm_arg health_args[] = {
    {.name = "STAT", .kind = SM_ARG_TEXT},
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .repeats = true},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
static const struct sm_option health_options[] = {
    SM_PLOT_WIDTH_OPTION,
    {.name = "h",
     .kind = SM_ARG_NUMBER,
     .value = "ROWS",
     .help = "height (one row per tensor)",
     .unit = "rows"},
    {.name = "linear", .kind = SM_ARG_FLAG, .help = "colours by value, not by order of magnitude"},
    {0},
};
const struct sm_cmd sm_cmd_health = {
    .name = "health",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Heat map of a statistic: one row per tensor, its columns are the steps",
    .help =
        "STAT is abs_mean by default, or one that was saved where only reductions were; \"help "
        "layers\" lists the others. Colours are orders of "
        "magnitude. NaN and Inf are marked;\n"
        "steps where rules fired are marked below the map. Cells without a saved value are empty. "
        "Where a column has several steps,\n"
        "a cell is its worst value: NaN, an infinity, or the largest magnitude; for other "
        "statistics "
        "than mean, abs_mean and abs_max\n"
        "that of the step with the largest |x|.",
    .example = "health l2 gradient/*",
    .see_also = "layers, plot, stat",
    .args = health_args,
    .options = health_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{name:name,step:int,value:num,looked_at:int}]",
    .run = run_health,
};
