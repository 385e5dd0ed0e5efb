/* SPDX-License-Identifier: Apache-2.0 */
/* The time view of the tensor pane: the distribution of the values over the steps, or one
 * statistic. */
#include "commands/pictures/hist_over_time.h"
#include "commands/place/statistic.h"
#include "commands/stops/chart_marks.h"
#include "plot/scalar_form.h"
#include "reader/base/mem.h"
#include "tui/tensor_pane/tensor_pane.h"

#include <math.h>
#include <string.h>

/* Limits of the steps read: of single numbers nearly all, so that spikes are visible. BYTES_MAX
 * limits histograms and slices, which need the values. */
enum { STEPS_MAX = 128, STEPS_MIN = 8, NUMBERS_MAX = 8192, MARKS_MAX = 64 };
#define BYTES_MAX ((uint64_t)256 << 20)

static const char *const pictures[] = {"heat", "ridge", "bands"};
enum { PICTURES = sizeof pictures / sizeof *pictures };

static const char *drawing_name(size_t drawn)
{
    return drawn < PICTURES ? pictures[drawn] : sm_statistic(drawn - PICTURES)->key;
}

static bool is_picture(const struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame)
{
    return s->drawn < PICTURES && frame->facts->n != 1;
}

static size_t most_steps(const struct sm_tensor_pane_frame *frame, struct sm_rect r,
                         bool histograms)
{
    uint64_t most = BYTES_MAX / (frame->e.length ? frame->e.length : 1);
    size_t room = r.w < STEPS_MIN ? STEPS_MIN : r.w < STEPS_MAX ? (size_t)r.w : STEPS_MAX;
    if (frame->facts->n == 1)
        return NUMBERS_MAX;
    if (!histograms && !frame->slice)
        return room;
    return most < STEPS_MIN ? STEPS_MIN : most < room ? (size_t)most : room;
}

/* The data of one frame. */
struct plot {
    double *x, *y, marks[MARKS_MAX];
    int64_t *steps;
    size_t n, n_marks;
    const struct sm_histogram **h;
};

static void fill_plot(struct plot *p, const struct sm_step_window *o,
                      const struct sm_tensor_pane_frame *frame, bool histograms,
                      const struct sm_statistic *statistic)
{
    p->x = sm_xalloc_zero(o->n + 1, sizeof *p->x);
    p->y = sm_xalloc_zero(o->n + 1, sizeof *p->y);
    p->h = sm_xalloc_zero(o->n + 1, sizeof *p->h);
    p->steps = sm_xalloc_zero(o->n + 1, sizeof *p->steps);
    for (size_t i = 0; i < o->n; i++) {
        const struct sm_step_window_step *step = &o->items[i];
        if (histograms ? !step->has_histogram : !step->has_stats)
            continue;
        if (statistic && !sm_statistic_known(&step->stats, statistic))
            continue;
        p->steps[p->n] = step->step;
        p->x[p->n] = (double)step->step;
        p->h[p->n] = &step->histogram;
        if (!histograms)
            p->y[p->n] = sm_statistic_of(&step->stats, statistic);
        p->n++;
    }
    p->n_marks = sm_chart_marks(frame->v->session, p->steps, NULL, p->n, p->marks, MARKS_MAX);
}

static void clear_plot(struct plot *p)
{
    sm_free(p->x);
    sm_free(p->y);
    sm_free(p->h);
    sm_free(p->steps);
}

static double cursor_step(const struct sm_tensor_pane_frame *frame)
{
    return (double)sm_trial_part(frame->trial, frame->e.part)->step.n;
}

static void draw_line(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                      const struct plot *p, const char *name, struct sm_grid *g, struct sm_rect r)
{
    const struct sm_session *session = frame->v->session;
    struct sm_scalar_form form = sm_scalar_form(
        session->n_trials > 1 ? session->trials[session->current].style : 0, 0); /* as in charts */
    struct sm_line_series line = {.label = name,
                                  .x = p->x,
                                  .y = p->y,
                                  .n = p->n,
                                  .role = form.role,
                                  .dash = form.dash,
                                  .marker = form.marker};
    const struct sm_step_range *steps = sm_view_range(frame->v);
    const double range[] = {(double)steps->lo, (double)steps->hi};
    struct sm_line_chart chart = {.series = &line,
                                  .n_series = 1,
                                  .y_scale = s->log_counts ? SM_Y_SYMLOG : SM_Y_LINEAR,
                                  .marks = p->marks,
                                  .n_marks = p->n_marks,
                                  .range = steps->set ? range : NULL,
                                  .place = &s->place,
                                  .cursor_x = cursor_step(frame)};
    sm_line_draw(g, r, &chart, frame->v->glyphs);
}

static void draw_picture(const struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                         const struct plot *p, struct sm_grid *g, struct sm_rect r)
{
    struct sm_hist_over_time film = {.x = p->x,
                                     .h = p->h,
                                     .n = p->n,
                                     .as = (enum sm_hist_as)s->drawn,
                                     .log_counts = s->log_counts,
                                     .map = s->map == SM_HEAT_CIVIDIS ? SM_HEAT_CIVIDIS
                                                                      : SM_HEAT_VIRIDIS,
                                     .marks = p->marks,
                                     .n_marks = p->n_marks,
                                     .cursor_x = cursor_step(frame)};
    sm_hist_over_time_draw(g, r, &film, frame->v->glyphs);
}

/* "2nd", "4th", "32nd": of a power of two. */
static const char *ordinal_ending(size_t n)
{
    return n % 10 == 2 && n / 10 % 10 != 1 ? "nd" : "th";
}

/* Draws "mean at every 4th of 84 train steps", or "at 21 of 84" that the worker has, and how many
 * are still being read. */
static void draw_caption(const struct sm_step_window *o, const char *name, enum sm_mode mode,
                         bool others, struct sm_grid *g, struct sm_rect r)
{
    static const char *const modes[SM_MODES] = {
        [SM_MODE_TRAIN] = " train", [SM_MODE_EVAL] = " eval", [SM_MODE_PREDICT] = " predict"};
    struct sm_str text = {0};
    sm_str_printf(&text, "%s at ", name);
    if (o->stride > 1)
        sm_str_printf(&text, "every %zu%s of ", o->stride, ordinal_ending(o->stride));
    else if (o->n < o->all)
        sm_str_printf(&text, "%zu of ", o->n);
    sm_str_printf(&text, "%zu%s step%s", o->all, modes[mode] ? modes[mode] : "",
                  o->all == 1 ? "" : "s");
    if (o->unread)
        sm_str_printf(&text, ", reading %zu", o->unread);
    if (others && (int)text.len + 16 < r.w)
        sm_str_add(&text, (int)text.len + 24 < r.w ? "   d u: other drawings" : "   d u: others");
    sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_tensor_pane_draw_time(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                              struct sm_grid *g, struct sm_rect r)
{
    struct sm_rect below = {r.x + 1, r.y + 1, r.w - 2, r.h - 1};
    const struct sm_statistic *statistic = NULL;
    struct plot p = {0};
    bool picture = is_picture(s, frame);
    const char *name = frame->facts->n == 1 ? "value" : drawing_name(s->drawn);
    if (!frame->facts->has_stats) {
        sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "values of this type have no statistics");
        return;
    }
    if (!picture)
        statistic = sm_statistic_find(sm_text(frame->facts->n == 1 ? "mean" : name));
    enum sm_mode mode = (enum sm_mode)sm_trial_part(frame->trial, frame->e.part)->mode;
    sm_step_window_choose(&s->window, frame->v->session, frame->x, mode, frame->slice,
                          most_steps(frame, below, picture));
    s->unfinished = sm_step_window_read(&s->window, frame->v->session, picture);
    fill_plot(&p, &s->window, frame, picture, statistic);
    if (below.w > 0 && below.h > 0 && p.n && picture)
        draw_picture(s, frame, &p, g, below);
    else if (below.w > 0 && below.h > 0 && p.n)
        draw_line(s, frame, &p, name, g, below);
    draw_caption(&s->window, name, mode, frame->facts->n != 1 && frame->focused, g, r);
    clear_plot(&p);
}

/* ---- actions ---- */

static bool act_on_time(struct sm_tensor_pane *s, struct sm_view *v, enum sm_key_action a)
{
    size_t n = PICTURES + sm_statistic_offered_count();
    if (a == SM_ACT_DRAWN_NEXT || a == SM_ACT_DRAWN_PREV)
        s->drawn = (s->drawn + (a == SM_ACT_DRAWN_NEXT ? 1 : n - 1)) % n;
    else if (a == SM_ACT_LOG_COUNTS)
        s->log_counts = !s->log_counts;
    else
        return false;
    if (a == SM_ACT_LOG_COUNTS)
        v->notice = s->log_counts ? "logarithmic" : "linear";
    return true;
}

/* The index of a drawing; -1 if there is none of that name. */
static long find_drawn(const char *name)
{
    const struct sm_statistic *x = sm_statistic_offered(sm_text(name));
    for (size_t i = 0; i < PICTURES; i++)
        if (strcmp(pictures[i], name) == 0)
            return (long)i;
    return x ? PICTURES + (x - sm_statistic(0)) : -1;
}

bool sm_tensor_pane_set_drawn(struct sm_tensor_pane *s, const char *name, struct sm_err *err)
{
    struct sm_str names = {0};
    long drawn = find_drawn(name);
    if (drawn >= 0) {
        s->drawn = (size_t)drawn;
        return true;
    }
    for (size_t i = 0; i < PICTURES; i++)
        sm_str_printf(&names, " %s", pictures[i]);
    for (size_t i = 0; sm_statistic_names[i]; i++)
        sm_str_printf(&names, " %s", sm_statistic_names[i]);
    sm_err_set(err, SM_ERR_USAGE, "No drawing over time \"%s\". There are:%s.", name,
               sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

const struct sm_tensor_pane_view sm_tensor_pane_time = {
    .name = "time", .draw = sm_tensor_pane_draw_time, .act = act_on_time};
