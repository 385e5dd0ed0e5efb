/* Is it learning: losses, metrics and other scalars as line charts, TRAIN and EVAL told apart. */
#include "commands/fired.h"
#include "reader/base/mem.h"
#include "reader/series.h"
#include "tui/panel_list.h"

#include <math.h>
#include <string.h>

enum { CHART_MIN_W = 36, CHART_MIN_H = 9, SERIES_MAX = 8, MARKS_MAX = 64 };

struct state {
    uint32_t *tensors;                   /* name ids of what is charted */
    size_t n, cap, first;                /* first: the chart in the upper left corner */
    enum sm_y_scale y_scale;
    enum sm_x_unit x_unit;
    bool clip;
    double smoothing;
    const struct sm_trial *trial;
    uint64_t version;
    size_t shown, pinned;                /* charts drawn last; tensors pinned when the list was made */
};

static bool is_loss_like(const struct sm_trial *t, uint32_t id)
{
    static const char *const names[] = {"losses", "metrics", "sm_metrics", "scalars"};
    for (size_t c = 0; c < sm_trial_collection_count(t); c++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(sm_trial_collection(t, c)->name, names[k]) == 0 && sm_trial_in_collection(t, c, id))
                return true;
    return strncmp(sm_names_text(sm_trial_names(t), id), "scalar/", 7) == 0;
}

static void update(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    const struct sm_tags *pinned = t ? &v->session->trials[v->session->current].pinned : NULL;
    if (!t || (s->trial == t && s->version == sm_trial_version(t) && s->pinned == pinned->n))
        return;
    s->trial = t;
    s->version = sm_trial_version(t);
    s->pinned = pinned->n;
    s->tensors = sm_xrealloc(s->tensors, sm_trial_tensor_count(t) + 1, sizeof *s->tensors);
    s->n = 0;
    for (size_t i = 0; i < pinned->n; i++)
        s->tensors[s->n++] = pinned->names[i];
    for (int losses = 1; losses >= 0; losses--)            /* losses first, then the other scalars */
        for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
            const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
            bool loss = strcasestr(sm_trial_tensor_name(t, x), "loss") != NULL;
            if (loss == (losses == 1) && !sm_tags_has(pinned, x->name) && is_loss_like(t, x->name))
                s->tensors[s->n++] = x->name;
        }
    if (s->first >= s->n)
        s->first = 0;
}

/* ---- one chart ---- */

struct chart {
    struct sm_line_series lines[SERIES_MAX];
    size_t n;
    struct sm_arena arena;
};

static double x_of(const struct state *s, const struct sm_point *p, double begin)
{
    return s->x_unit == SM_X_STEP ? (double)p->step.n : s->x_unit == SM_X_SECONDS ? p->time - begin : p->time;
}

static void add_line(const struct state *s, struct chart *c, const struct sm_series *series, enum sm_mode mode, const char *label)
{
    double *x = sm_arena_xalloc(&c->arena, (series->n + 1) * sizeof *x), *y = sm_arena_xalloc(&c->arena, (series->n + 1) * sizeof *y);
    size_t n = 0;
    for (size_t i = 0; i < series->n; i++) {
        const struct sm_point *p = &series->points[i];
        if (p->mode != mode || !p->known)
            continue;
        x[n] = x_of(s, p, series->points[0].time);
        y[n++] = p->value;
    }
    if (!n || c->n == SERIES_MAX)
        return;
    if (s->smoothing > 0)
        sm_smooth(y, n, s->smoothing, y);
    c->lines[c->n] = (struct sm_line_series){.label = label, .x = x, .y = y, .n = n,
                                             .role = (enum sm_role)(SM_ROLE_SERIES_0 + c->n), .dash = (unsigned)c->n % 4};
    c->n++;
}

/* Where rules fired, along the x of this series. */
static size_t find_marks(const struct state *s, const struct sm_view *v, const struct sm_series *series, struct sm_arena *arena, double marks[MARKS_MAX])
{
    int64_t *steps = sm_arena_xalloc(arena, (series->n + 1) * sizeof *steps);
    double *x = sm_arena_xalloc(arena, (series->n + 1) * sizeof *x);
    for (size_t i = 0; i < series->n; i++) {
        steps[i] = series->points[i].step.n;
        x[i] = x_of(s, &series->points[i], series->points[0].time);
    }
    return sm_fired_marks(v->session, steps, s->x_unit == SM_X_STEP ? NULL : x, series->n, marks, MARKS_MAX);
}

static void draw_chart(const struct state *s, const struct sm_view *v, uint32_t id, struct sm_grid *g, struct sm_rect r)
{
    static const char *const labels[SM_MODES] = {"", "train", "eval", "predict", "value"};
    struct sm_trial *t = sm_session_trial(v->session);
    const char *name = sm_names_text(sm_trial_names(t), id);
    const struct sm_trial_tensor *x = sm_trial_find(t, name, sm_names_length(sm_trial_names(t), id));
    struct sm_series_spec spec;
    struct sm_series series = {0};
    struct chart c = {0};
    struct sm_str title = {0}, elided = {0};
    if (sm_series_default(v->session->fetch, t, x, &spec, NULL))
        sm_series_read(v->session->fetch, t, &spec, &series, NULL);
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        add_line(s, &c, &series, (enum sm_mode)m, labels[m]);
    sm_str_add_escaped(&title, name, strlen(name));
    sm_elide_middle(&elided, sm_str_text(&title), r.w - 2, v->glyphs);
    sm_grid_text(g, r.x + 1, r.y, r.w - 2, SM_ROLE_TITLE, 0, sm_str_text(&elided));
    struct sm_step now = sm_session_step(v->session);
    double marks[MARKS_MAX];
    size_t n_marks = find_marks(s, v, &series, &c.arena, marks);
    struct sm_line_chart chart = {
        .series = c.lines, .n_series = c.n, .y_scale = s->y_scale, .x_unit = s->x_unit, .clip_outliers = s->clip,
        .legend = c.n > 1, .marks = marks, .n_marks = n_marks, .cursor_x = v->session->at.follow || s->x_unit != SM_X_STEP ? (double)NAN : (double)now.n,
    };
    struct sm_rect inside = {r.x, r.y + 1, r.w, r.h - 1};
    if (c.n)
        sm_line_draw(g, inside, &chart, v->glyphs);
    else
        sm_grid_text(g, r.x + 2, r.y + 1, r.w - 2, SM_ROLE_DIM, 0, series.n ? "..." : "no numbers yet");
    sm_str_clear(&title);
    sm_str_clear(&elided);
    sm_series_clear(&series);
    sm_arena_clear(&c.arena);
}

static void draw(struct sm_panel *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    (void)focused;
    update(s, v);
    int across = r.w / CHART_MIN_W, down = r.h / CHART_MIN_H;
    across = across < 1 ? 1 : across;
    down = down < 1 ? 1 : down;
    while ((size_t)(across * down) > s->n && across * down > 1) {          /* nothing is left empty */
        if (down > 1 && (size_t)(across * (down - 1)) >= s->n)
            down--;
        else if (across > 1 && (size_t)((across - 1) * down) >= s->n)
            across--;
        else
            break;
    }
    s->shown = (size_t)(across * down);
    for (int i = 0; i < across * down && s->first + (size_t)i < s->n; i++) {
        int cx = i % across, cy = i / across;
        struct sm_rect cell = {r.x + cx * r.w / across, r.y + cy * r.h / down, 0, 0};
        cell.w = r.x + (cx + 1) * r.w / across - cell.x;
        cell.h = r.y + (cy + 1) * r.h / down - cell.y;
        draw_chart(s, v, s->tensors[s->first + (size_t)i], g, cell);
    }
    if (!s->n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "no loss, metric or scalar was saved");
    if (s->n > s->shown)
        sm_str_printf(note, "%zu", s->first + 1);
    if (s->n > s->shown && s->shown > 1)
        sm_str_printf(note, "-%zu", s->first + s->shown < s->n ? s->first + s->shown : s->n);
    if (s->n > s->shown)
        sm_str_printf(note, " of %zu  ", s->n);
    if (s->smoothing > 0)
        sm_str_printf(note, "smoothing %g", s->smoothing);
}

static void next_chart(struct state *s, bool forward)
{
    if (forward && s->first + 1 < s->n)
        s->first++;
    else if (!forward && s->first)
        s->first--;
}

static bool act(struct sm_panel *p, struct sm_view *v, enum sm_action a)
{
    struct state *s = p->state;
    update(s, v);
    switch (a) {
    case SM_ACT_DOWN:
    case SM_ACT_RIGHT:
        next_chart(s, true);
        return true;
    case SM_ACT_UP:
    case SM_ACT_LEFT:
        next_chart(s, false);
        return true;
    case SM_ACT_PAGE_DOWN:
        s->first += s->first + s->shown < s->n ? s->shown : 0;
        return true;
    case SM_ACT_PAGE_UP:
        s->first -= s->first < s->shown ? s->first : s->shown;
        return true;
    case SM_ACT_PIN:
        if (s->first < s->n)
            v->notice = sm_tags_toggle(&v->session->trials[v->session->current].pinned, s->tensors[s->first]) ? "pinned" : "no longer pinned";
        return true;
    case SM_ACT_FIRST:
        s->first = 0;
        return true;
    case SM_ACT_LAST:
        s->first = s->n ? s->n - 1 : 0;
        return true;
    case SM_ACT_Y_SCALE:
        s->y_scale = (enum sm_y_scale)((s->y_scale + 1) % 3);
        v->notice = s->y_scale == SM_Y_LINEAR ? "y axis: linear" : s->y_scale == SM_Y_LOG ? "y axis: logarithmic" : "y axis: symlog";
        return true;
    case SM_ACT_X_AXIS:
        s->x_unit = (enum sm_x_unit)((s->x_unit + 1) % 3);
        v->notice = s->x_unit == SM_X_STEP ? "x axis: step" : s->x_unit == SM_X_SECONDS ? "x axis: seconds since the first value" : "x axis: wall time";
        return true;
    case SM_ACT_OUTLIERS:
        s->clip = !s->clip;
        v->notice = s->clip ? "outliers are clipped" : "the whole range is shown";
        return true;
    case SM_ACT_SMOOTH:
        s->smoothing = s->smoothing <= 0 ? 0.6 : s->smoothing < 0.9 ? 0.9 : 0;
        return true;
    default:
        return false;
    }
}

static void clear(struct sm_panel *p)
{
    sm_free(((struct state *)p->state)->tensors);
}

const struct sm_panel_ops sm_panel_scalars = {
    .name = "scalars",
    .title = "losses and scalars",
    .help = "A chart for each loss, metric and scalar over the steps; TRAIN and EVAL are lines of their own.",
    .context = SM_CTX_PLOT,
    .hints = {"? help", ": command", "y x s axes", "[ ] step", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 5,
    .clear = clear,
    .draw = draw,
    .act = act,
};
