/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int place_to_dot(double place, int dots)
{
    double at = place * (dots - 1);
    return at > 0 ? (int)lround(fmin(at, dots - 1)) : 0; /* also for NaN */
}

int sm_axis_row(double place, int h, const struct sm_glyphs *glyphs)
{
    return place_to_dot(1 - place, h * glyphs->dots_y) / glyphs->dots_y;
}

int sm_axis_column(double place, int w, const struct sm_glyphs *glyphs)
{
    return place_to_dot(place, w * glyphs->dots_x) / glyphs->dots_x;
}

/* ---- y ---- */

static bool row_is_near(const struct sm_y_axis *a, int row, int gap)
{
    for (size_t i = 0; i < a->n; i++)
        if (abs(a->row[i] - row) < gap)
            return true;
    return false;
}

/* Adds a tick unless there is a label in its row or (gap 2) the next one. */
static void add_y_tick(struct sm_y_axis *a, int row, const char *text, int gap)
{
    if (a->n == SM_TICKS_MAX || row_is_near(a, row, gap))
        return;
    int w = (int)strlen(strcpy(a->label[a->n], text));
    a->row[a->n++] = row;
    if (w > a->label_w)
        a->label_w = w;
}

/* Adds at most `most` ticks; false if some had no room. */
static bool add_y_ticks(struct sm_y_axis *a, const struct sm_scale *scale, size_t most, int h,
                        const struct sm_glyphs *glyphs)
{
    double ticks[SM_TICKS_MAX], step;
    size_t n = sm_scale_ticks(scale, most, ticks, &step);
    char labels[SM_TICKS_MAX][16];
    bool each = step == 0 && scale->lo < scale->hi; /* powers of ten */
    if (each || step > 0)
        sm_tick_labels(ticks, n, step, labels);
    else if (n)
        sm_tick_label(ticks[0], 0, labels[0]);
    *a = (struct sm_y_axis){0};
    for (size_t i = 0; i < n; i++) {
        int row = sm_axis_row(sm_scale_place(scale, ticks[i]), h, glyphs);
        add_y_tick(a, row, labels[i], 2);
    }
    return a->n == n;
}

void sm_y_axis_plan(struct sm_y_axis *a, const struct sm_scale *scale, int h,
                    const struct sm_glyphs *glyphs)
{
    *a = (struct sm_y_axis){0};
    if (h <= 0)
        return;
    size_t most = h < 16 ? (size_t)(h + 1) / 2 : 8;
    while (!add_y_ticks(a, scale, most, h, glyphs) && most > 3)
        most--; /* even spacing is better than many labels */
    if (a->n < 2 && h >= 2 && scale->lo < scale->hi) {
        double step = scale->kind == SM_Y_LINEAR
                          ? fmax(scale->hi / 20 - scale->lo / 20, fabs(scale->hi) * 1e-7)
                          : 0;
        const double ends[] = {scale->hi, scale->lo};
        char labels[2][16];
        *a = (struct sm_y_axis){0};
        sm_tick_labels(ends, 2, step, labels);
        add_y_tick(a, 0, labels[0], 1);
        add_y_tick(a, h - 1, labels[1], 1);
    }
}

void sm_y_axis_draw(const struct sm_y_axis *a, struct sm_grid *g, int x, int y, int h, bool labels,
                    const struct sm_glyphs *glyphs)
{
    for (int i = 0; i < h; i++)
        sm_grid_put(g, x, y + i, glyphs->v, SM_ROLE_DIM, 0);
    for (size_t i = 0; labels && i < a->n; i++) {
        int w = (int)strlen(a->label[i]);
        sm_grid_put(g, x, y + a->row[i], glyphs->tee_l, SM_ROLE_DIM, 0);
        sm_grid_text(g, x - 1 - w, y + a->row[i], w, SM_ROLE_TEXT, 0, a->label[i]);
    }
}

/* ---- x ---- */

static double to_log(const struct sm_x_axis *a, double x)
{
    return a->unit == SM_X_VALUE ? log10(x) : log10(1 + x - fmin(a->lo, 0));
}

double sm_x_place(const struct sm_x_axis *a, double x)
{
    return a->log ? sm_range_place(to_log(a, a->lo), to_log(a, a->hi), to_log(a, x))
                  : sm_range_place(a->lo, a->hi, x);
}

double sm_x_at(const struct sm_x_axis *a, double place)
{
    if (!a->log)
        return a->lo + (a->hi - a->lo) * place;
    double from = to_log(a, a->lo), to = to_log(a, a->hi), v = pow(10, from + (to - from) * place);
    return a->unit == SM_X_VALUE ? v : v - 1 + fmin(a->lo, 0);
}

/* Powers of ten, or few values between them. */
static size_t log_value_ticks(const struct sm_x_axis *a, size_t most, double out[SM_TICKS_MAX])
{
    struct sm_scale scale;
    double step;
    sm_scale_init(&scale, SM_Y_LOG, a->lo, a->hi);
    return sm_scale_ticks(&scale, most, out, &step);
}

/* 0 and the powers of ten; of times those of seconds, minutes, hours and days. */
static size_t log_x_ticks(const struct sm_x_axis *a, double out[SM_TICKS_MAX])
{
    static const double times[] = {0, 1, 10, 60, 600, 3600, 36000, 86400, 864000, 8640000};
    size_t n = 0;
    if (a->unit == SM_X_SECONDS) {
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            if (times[i] >= a->lo && times[i] <= a->hi)
                out[n++] = times[i];
        return n;
    }
    if (a->lo <= 0 && a->hi >= 0)
        out[n++] = 0;
    for (double v = 1; v <= a->hi && n < SM_TICKS_MAX; v *= 10)
        if (v >= a->lo)
            out[n++] = v;
    return n;
}

enum { LABELS_MAX = SM_TICKS_MAX + 8, MARK_LABELS = 3, CURSOR_SHIFT = 12 };

struct x_labels {
    const struct sm_x_axis *axis;
    struct sm_grid *g;
    const struct sm_glyphs *glyphs;
    struct sm_rect room;
    int x, w, y;
    /* columns they mark, and columns they cover */
    int n, column[LABELS_MAX], from[LABELS_MAX], to[LABELS_MAX];
};

static int column_of(const struct x_labels *l, double v)
{
    return l->x + sm_axis_column(sm_x_place(l->axis, v), l->w, l->glyphs);
}

/* Whether a label for `column` may occupy from..to: right of labels for earlier columns, left of
 * those for later ones, one label per column. */
static bool is_label_free(const struct x_labels *l, int column, int from, int to, int gap)
{
    for (int i = 0; i < l->n; i++)
        if (l->column[i] == column ||
            (l->column[i] < column ? from < l->to[i] + gap : l->from[i] < to + gap))
            return false;
    return l->n < LABELS_MAX;
}

/* The position of a label of w columns: centred under its column and inside the room, of which it
 * leaves the first column to the labels of the chart before; else up to
 * `shift` columns further left or right; -1 if every position is too close to another label. */
static int find_place(const struct x_labels *l, int column, int w, int gap, int shift)
{
    int gap_left = l->x > l->room.x, least = l->room.x + gap_left, most = l->room.x + l->room.w - w,
        centre = column - w / 2;
    if (centre > most)
        centre = most;
    if (centre < least)
        centre = least;
    for (int i = 0; i <= 2 * shift; i++) {
        int from = centre + (i % 2 ? -(i + 1) / 2 : i / 2);
        if (from >= least && from <= most && is_label_free(l, column, from, from + w, gap))
            return from;
    }
    return -1;
}

static void log_value_label(const struct sm_x_axis *a, double v, char out[16])
{
    const double all[] = {v, a->lo, a->hi}; /* one notation for all */
    char labels[3][16];
    sm_tick_labels(all, 3, 0, labels);
    memcpy(out, labels[0], 16);
}

static bool add_x_label(struct x_labels *l, double v, double step, int gap, int shift,
                        enum sm_role role)
{
    char text[16];
    const struct sm_x_axis *a = l->axis;
    double most = fmax(fabs(a->lo), fabs(a->hi));
    if (a->log && a->unit == SM_X_VALUE)
        log_value_label(a, v, text);
    else if (a->log && a->unit != SM_X_SECONDS)
        sm_x_label_log(v, most, text);
    else
        sm_x_label(a->unit, v, step, most, text);
    int column = column_of(l, v), w = (int)strlen(text),
        from = w ? find_place(l, column, w, gap, shift) : -1;
    if (from < 0)
        return false;
    sm_grid_text(l->g, from, l->y + 1, w, role, 0, text);
    l->column[l->n] = column;
    l->from[l->n] = from;
    l->to[l->n++] = from + w;
    return true;
}

static void add_tick(struct x_labels *l, double v, double step, int gap)
{
    if (add_x_label(l, v, step, gap, 0, SM_ROLE_TEXT))
        sm_grid_put(l->g, column_of(l, v), l->y, l->glyphs->tee_b, SM_ROLE_DIM, 0);
}

/* The end of an axis has all its digits, unless it is a step that is a tick like the others. */
static double spacing_at(const struct sm_x_axis *a, double v, double step, double fine)
{
    return a->unit == SM_X_STEP && step > fine && fmod(v, step) == 0 ? step : fine;
}

static void label_axis(struct x_labels *l)
{
    const struct sm_x_axis *a = l->axis;
    double ticks[SM_TICKS_MAX], step, range = a->hi - a->lo;
    size_t n = sm_x_ticks(a->unit, a->lo, a->hi, l->w < 20 ? 2 : (size_t)l->w / 10, ticks, &step);
    if (a->log) {
        n = a->unit == SM_X_VALUE ? log_value_ticks(a, (size_t)l->w / 8 + 1, ticks)
                                  : log_x_ticks(a, ticks);
        step = 1;
    }
    double fine = step / 60;
    if (a->unit == SM_X_STEP)
        fine = fmin(range > 0 ? range / 100 : 1, 1);
    else if (a->unit == SM_X_VALUE)
        fine = range / 40;
    else if (a->unit == SM_X_WALL && l->w > 0)
        fine = fmax(range / l->w, fmin(step, 1)); /* 12:46.81 beside 11:12:40 is misread */
    bool cursor = isfinite(a->cursor) && a->cursor >= a->lo && a->cursor <= a->hi,
         at_end = cursor && column_of(l, a->cursor) == column_of(l, a->hi);
    if (!at_end)
        add_tick(l, a->hi, spacing_at(a, a->hi, step, fine), 1);
    if (cursor) /* beside the newest where both would touch */
        add_x_label(l, a->cursor, fine, 1, at_end ? 0 : CURSOR_SHIFT, SM_ROLE_ACCENT);
    if (a->unit != SM_X_WALL)
        add_tick(l, a->lo, spacing_at(a, a->lo, step, fine), 1);
    int labelled = 0;
    for (size_t i = 0; i < a->n_marks && labelled < MARK_LABELS; i++)
        if (a->marks[i] >= a->lo && a->marks[i] <= a->hi)
            labelled += add_x_label(l, a->marks[i], fine, 1, 4, SM_ROLE_WARN);
    for (size_t i = 0; i < n; i++)
        add_tick(l, ticks[i], step, 2);
}

void sm_x_axis_draw(const struct sm_x_axis *a, struct sm_grid *g, struct sm_rect room, int corner_x,
                    int x, int w, int y, bool labels, const struct sm_glyphs *glyphs)
{
    struct x_labels l = {.axis = a, .g = g, .glyphs = glyphs, .room = room, .x = x, .w = w, .y = y};
    for (int i = 0; i < w; i++)
        sm_grid_put(g, x + i, y, glyphs->h, SM_ROLE_DIM, 0);
    if (corner_x >= 0)
        sm_grid_put(g, corner_x, y, glyphs->bl, SM_ROLE_DIM, 0);
    if (!w || !(a->lo <= a->hi))
        return;
    if (labels)
        label_axis(&l);
    for (size_t i = 0; i < a->n_marks; i++)
        if (a->marks[i] >= a->lo && a->marks[i] <= a->hi)
            sm_grid_put(g, column_of(&l, a->marks[i]), y, glyphs->rule_mark, SM_ROLE_WARN, 0);
    if (isfinite(a->cursor) && a->cursor >= a->lo && a->cursor <= a->hi)
        sm_grid_put(g, column_of(&l, a->cursor), y, glyphs->v, SM_ROLE_ACCENT, SM_ATTR_BOLD);
}
