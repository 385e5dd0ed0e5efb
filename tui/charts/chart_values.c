/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/chart_values.h"

#include "commands/runs/run_table.h"
#include "commands/session/trial_list.h"
#include "plot/table.h"
#include "plot/tell_apart.h"
#include "tui/charts/scalar_baseline.h"
#include "tui/panes/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SAMPLE_W = 4,
    VALUE_W = 10,
    NAME_LEAST = 8,
    NAME_KEPT = 11,
    NAME_MOST = 24,
    PANE_LEAST = 60
};
const char *const sm_chart_legend_words[] = {"auto", "beside", "inside", NULL};

struct row {
    const struct sm_scalar_lines *of;
    size_t line; /* in `of`, for its name and form */
    size_t place;
    double key; /* the less the better; NaN: no value */
};

/* ---- rows ---- */

static bool is_same_line(const struct sm_scalar_line *a, const struct sm_scalar_line *b)
{
    return a->trial == b->trial && a->group == b->group && a->worker == b->worker &&
           a->mode == b->mode;
}

/* l->n: there is none. */
static size_t find_line(const struct sm_scalar_lines *l, const struct sm_scalar_line *of)
{
    size_t i = 0;
    while (i < l->n && !is_same_line(&l->of[i], of))
        i++;
    return i;
}

static bool is_listed(const struct row *rows, size_t n, const struct sm_scalar_line *of)
{
    for (size_t i = 0; i < n; i++)
        if (is_same_line(&rows[i].of->of[rows[i].line], of))
            return true;
    return false;
}

/* Whether there is a value at the cursor: *out is it. */
static bool value_of(const struct sm_scalar_lines *l, const struct sm_scalar_line *of, double *out)
{
    size_t i = find_line(l, of);
    const struct sm_line_series *s = i < l->n ? &l->lines[i] : NULL;
    if (!s || !s->n || s->x[0] > l->cursor)
        return false;
    *out = isnan(l->cursor) ? s->y[s->n - 1] : sm_line_value_at(s, l->cursor);
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = isnan(x->key) - isnan(y->key);
    if (!order && x->key != y->key && !isnan(x->key))
        order = x->key < y->key ? -1 : 1;
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* Each line of any chart once. */
static struct row *rows_of(const struct sm_chart_values *c, size_t *n)
{
    size_t most = 1;
    *n = 0;
    for (size_t i = 0; i < c->n; i++)
        most += c->charts[i].n;
    struct row *rows = sm_xalloc(most * sizeof *rows);
    for (size_t i = 0; i < c->n; i++) {
        const struct sm_scalar_lines *l = &c->charts[(c->chosen + i) % c->n];
        for (size_t k = 0; k < l->n; k++)
            if (!is_listed(rows, i ? *n : 0, &l->of[k])) {
                rows[*n] = (struct row){l, k, *n, (double)NAN};
                ++*n;
            }
    }
    return rows;
}

static void sort_rows(const struct sm_chart_values *c, struct row *rows, size_t n)
{
    const struct sm_scalar_lines *by = &c->charts[c->chosen];
    double sign = sm_run_metric_falls(by->name) ? 1 : -1, value;
    for (size_t i = 0; i < n; i++)
        rows[i].key =
            value_of(by, &rows[i].of->of[rows[i].line], &value) ? sign * value : (double)NAN;
    qsort(rows, n, sizeof *rows, compare_rows);
}

/* ---- size ---- */

static int name_width(const struct sm_view *v, const struct row *rows, size_t n)
{
    struct sm_arena arena = {0};
    struct sm_str name = {0};
    int w = NAME_LEAST;
    for (size_t i = 0; i < n; i++) {
        sm_str_truncate(&name, 0);
        sm_scalar_line_name(rows[i].of, rows[i].line,
                            sm_scalar_line_run(v, rows[i].of, rows[i].line, &arena), &name);
        int of = (int)sm_text_width(sm_str_text(&name), name.len);
        w = of > w ? of : w;
    }
    sm_str_clear(&name);
    sm_arena_clear(&arena);
    return w < NAME_MOST ? w : NAME_MOST;
}

/* The columns that the legends of the charts need for a row at least: the number of its run, or
 * what its group has in common, and the value at the cursor. */
static int least_width(const struct sm_view *v, const struct row *row)
{
    enum { AROUND_W = 5, NUMBER_W = 7, TRIAL_W = 2 };
    struct sm_arena arena = {0};
    const char *name = row->of->groups || row->of->workers
                           ? sm_scalar_line_run(v, row->of, row->line, &arena)
                           : "";
    int w = AROUND_W + (isnan(row->of->cursor) ? 0 : NUMBER_W) +
            (*name ? (int)sm_text_width(name, strlen(name)) : TRIAL_W);
    sm_arena_clear(&arena);
    return w;
}

/* Whether n rows have no room in the legends of charts of chart_w x h cells. */
static bool is_cut(const struct sm_chart_values *c, const struct sm_view *v, const struct row *rows,
                   size_t n, int chart_w, int h)
{
    enum { FEW = 3, SOME = 4, AXES_H = 3 };
    int least = 0;
    for (size_t i = 0; i < n && least <= chart_w; i++)
        least += least_width(v, &rows[i]);
    return (n > FEW && (int)n > (h - AXES_H) / 2) || (c->n > 1 && (n > SOME || least > chart_w));
}

int sm_chart_values_width(const struct sm_chart_values *c, const struct sm_view *v,
                          enum sm_chart_legend legend, int w, int chart_w, int h)
{
    size_t n;
    if (!c->n || legend == SM_CHART_LEGEND_INSIDE || w < PANE_LEAST)
        return 0;
    struct row *rows = rows_of(c, &n);
    int name = name_width(v, rows, n);
    bool cut = is_cut(c, v, rows, n, chart_w, h);
    sm_free(rows);
    if (legend == SM_CHART_LEGEND_AS_FITS && !cut)
        return 0;
    int columns = (w / 3 - SAMPLE_W - name - 1) / VALUE_W;
    if (columns < 1) { /* names are worth more than the other values */
        columns = 1;
        int room = w * 2 / 5 - SAMPLE_W - VALUE_W - 1, least = name < NAME_KEPT ? name : NAME_KEPT;
        name = name < room ? name : room > least ? room : least;
    }
    columns = columns < (int)c->n ? columns : (int)c->n;
    return 1 + SAMPLE_W + name + columns * VALUE_W;
}

/* What the lines are called, in w columns, so that they can be told apart; in the arena. */
static const char **labels_of(const struct sm_view *v, const struct row *rows, size_t n, int w,
                              struct sm_arena *arena)
{
    const char **names = sm_arena_xalloc(arena, (n + 1) * sizeof *names);
    struct sm_str label = {0};
    int around = 0;
    for (size_t i = 0; i < n; i++) {
        const struct sm_scalar_lines *l = rows[i].of;
        names[i] = sm_scalar_line_run(v, l, rows[i].line, arena);
        sm_str_truncate(&label, 0);
        sm_scalar_line_name(l, rows[i].line, names[i], &label);
        int k = (int)(sm_text_width(sm_str_text(&label), label.len) -
                      sm_text_width(names[i], strlen(names[i])));
        around = k > around ? k : around;
    }
    if (n && !rows[0].of->groups)
        sm_tell_apart(names, n, w - around, v->glyphs, arena, names);
    for (size_t i = 0; i < n; i++) {
        sm_str_truncate(&label, 0);
        sm_scalar_line_name(rows[i].of, rows[i].line, names[i], &label);
        names[i] = sm_arena_xstrndup(arena, sm_str_text(&label), label.len);
    }
    sm_str_clear(&label);
    return names;
}

/* ---- drawing ---- */

static void add_place(const struct sm_chart_values *c, struct sm_str *out)
{
    double at = c->charts[c->chosen].cursor;
    if (isnan(at)) {
        sm_str_add(out, "newest");
    } else if (c->x_unit == SM_X_STEP) {
        sm_str_printf(out, "at %.0f", at);
    } else if (c->x_unit == SM_X_SECONDS) {
        char text[16];
        sm_format_duration((int64_t)(at * 1e6), text);
        sm_str_printf(out, "at %s", text);
    } else {
        time_t seconds = (time_t)at;
        struct tm tm;
        char text[16];
        strftime(text, sizeof text, "%H:%M:%S", localtime_r(&seconds, &tm));
        sm_str_printf(out, "at %s", text);
    }
}

/* In fewer digits where four do not leave a blank before it. */
static void add_value(double v, struct sm_str *out)
{
    char text[32];
    if (isfinite(v))
        sm_format_fit(v, 4, VALUE_W - 1, text);
    else
        strcpy(text, isnan(v) ? "NaN" : v > 0 ? "+Inf" : "-Inf");
    sm_str_add(out, text);
}

/* The value of a row in one of the charts, or how far it is from the baseline. */
static void draw_value(const struct sm_chart_values *c, const struct sm_view *v,
                       const struct row *row, size_t chart, struct sm_grid *g, int right, int y)
{
    const struct sm_scalar_lines *l = &c->charts[chart];
    const struct sm_scalar_line *of = &row->of->of[row->line];
    size_t i = find_line(l, of);
    double value = (double)NAN, mine, other;
    struct sm_str text = {0};
    bool known = value_of(l, of, &value);
    if (known && sm_scalar_difference(v, l, i, c->x_unit, &mine, &other))
        sm_baseline_add(&text, mine, other, VALUE_W - 1);
    else if (known)
        add_value(value, &text);
    else
        sm_str_addc(&text, '-');
    sm_grid_text(g, right - (int)text.len, y, (int)text.len,
                 !known               ? SM_ROLE_DIM
                 : !isfinite(value)   ? SM_ROLE_PROBLEM
                 : chart == c->chosen ? SM_ROLE_ACCENT
                                      : SM_ROLE_TEXT,
                 0, sm_str_text(&text));
    sm_str_clear(&text);
}

static void draw_head(const struct sm_chart_values *c, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, int columns)
{
    struct sm_str text = {0};
    size_t baseline;
    int room = r.w - 1 - columns * VALUE_W;
    add_place(c, &text);
    if (sm_trials_baseline(v->session, &baseline)) {
        sm_str_printf(&text, ", from %zu", baseline + 1);
        if ((int)text.len >= room) {
            sm_str_truncate(&text, 0);
            sm_str_printf(&text, "from %zu", baseline + 1);
        }
    }
    sm_grid_text(g, r.x + 1, r.y, room, SM_ROLE_DIM, 0, sm_str_text(&text));
    for (int i = 0; i < columns; i++) {
        const char *name = c->charts[(c->chosen + (size_t)i) % c->n].name;
        struct sm_str escaped = {0};
        sm_str_truncate(&text, 0);
        sm_str_add_escaped(&escaped, name, strlen(name));
        sm_elide_name(&text, sm_str_text(&escaped), VALUE_W - 1, v->glyphs);
        int w = (int)sm_text_width(sm_str_text(&text), text.len);
        sm_grid_text(g, r.x + r.w - (columns - 1 - i) * VALUE_W - w, r.y, w,
                     i ? SM_ROLE_DIM : SM_ROLE_ACCENT, 0, sm_str_text(&text));
        sm_str_clear(&escaped);
    }
    sm_str_clear(&text);
}

static void draw_row(const struct sm_chart_values *c, const struct sm_view *v,
                     const struct row *row, const char *label, struct sm_grid *g, struct sm_rect r,
                     int y, int columns)
{
    const struct sm_line_series *s = &row->of->lines[row->line];
    struct sm_str shown = {0};
    int room = r.w - 1 - SAMPLE_W - columns * VALUE_W;
    sm_scalar_form_draw((struct sm_scalar_form){s->role, s->dash, s->marker}, g, r.x + 1, y,
                        SAMPLE_W - 1, v->glyphs);
    sm_elide_middle(&shown, label, room, v->glyphs);
    sm_grid_text(g, r.x + 1 + SAMPLE_W, y, room, SM_ROLE_TEXT, 0, sm_str_text(&shown));
    for (int i = 0; i < columns; i++)
        draw_value(c, v, row, (c->chosen + (size_t)i) % c->n, g,
                   r.x + r.w - (columns - 1 - i) * VALUE_W, y);
    sm_str_clear(&shown);
}

void sm_chart_values_draw(const struct sm_chart_values *c, const struct sm_view *v,
                          struct sm_grid *g, struct sm_rect r)
{
    size_t n;
    struct row *rows = rows_of(c, &n);
    int columns = (r.w - 1 - SAMPLE_W - NAME_LEAST) / VALUE_W, room = r.h - 1;
    sort_rows(c, rows, n);
    columns = columns < 1 ? 1 : columns < (int)c->n ? columns : (int)c->n;
    int name = name_width(v, rows, n);
    while (columns > 1 && r.w - 1 - SAMPLE_W - columns * VALUE_W < name)
        columns--;
    sm_grid_blank(g, r);
    draw_head(c, v, g, r, columns);
    int shown = (int)n <= room ? (int)n : room - 1;
    struct sm_arena arena = {0};
    const char **labels = labels_of(v, rows, shown > 0 ? (size_t)shown : 0,
                                    r.w - 1 - SAMPLE_W - columns * VALUE_W, &arena);
    for (int i = 0; i < shown; i++)
        draw_row(c, v, &rows[i], labels[i], g, r, r.y + 1 + i, columns);
    sm_arena_clear(&arena);
    if (shown >= 0 && shown < (int)n)
        sm_grid_printf(g, r.x + 1 + SAMPLE_W, r.y + 1 + shown, r.w - 1 - SAMPLE_W, SM_ROLE_DIM, 0,
                       "+%d more", (int)n - shown);
    sm_free(rows);
}
