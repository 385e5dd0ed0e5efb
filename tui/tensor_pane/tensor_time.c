/* The tensor pane's view over the steps: how the values are spread, or one statistic. */
#include "commands/place/statistic.h"
#include "commands/stops/chart_marks.h"
#include "commands/values/hist_over_time.h"
#include "reader/base/mem.h"
#include "tui/tensor_pane/tensor_pane.h"

#include <math.h>
#include <string.h>

/* Steps read at most, of single numbers nearly all: a spike is to be seen; and bytes, histograms
 * need all of them. */
enum { STEPS_MAX = 128, STEPS_MIN = 8, NUMBERS_MAX = 8192, MARKS_MAX = 64 };
#define BYTES_MAX ((uint64_t)256 << 20)

static const char *const pictures[] = {"heat", "ridge", "bands"};
enum { PICTURES = sizeof pictures / sizeof *pictures };

static const char *name_of(size_t drawn)
{
    return drawn < PICTURES ? pictures[drawn] : sm_statistic(drawn - PICTURES)->key;
}

static bool is_picture(const struct sm_tensor_pane *s, const struct sm_tensor_pane_now *now)
{
    return s->drawn < PICTURES && now->facts->n != 1;
}

static size_t most_steps(const struct sm_tensor_pane_now *now, struct sm_rect r, bool histograms)
{
    uint64_t most = BYTES_MAX / (now->e->length ? now->e->length : 1);
    size_t room = r.w < STEPS_MIN ? STEPS_MIN : r.w < STEPS_MAX ? (size_t)r.w : STEPS_MAX;
    if (now->facts->n == 1)
        return NUMBERS_MAX;
    if (!histograms && !now->slice)
        return room;
    return most < STEPS_MIN ? STEPS_MIN : most < room ? (size_t)most : room;
}

/* x, y and the rest of one frame. */
struct plot {
    double *x, *y, marks[MARKS_MAX];
    int64_t *steps;
    size_t n, n_marks;
    const struct sm_histogram **h;
};

static void begin(struct plot *p, const struct sm_step_window *o,
                  const struct sm_tensor_pane_now *now, bool histograms,
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
    p->n_marks = sm_chart_marks(now->v->session, p->steps, NULL, p->n, p->marks, MARKS_MAX);
}

static void end(struct plot *p)
{
    sm_free(p->x);
    sm_free(p->y);
    sm_free(p->h);
    sm_free(p->steps);
}

static double cursor_of(const struct sm_tensor_pane_now *now)
{
    return (double)sm_trial_part(now->trial, now->e->part)->step.n;
}

static void draw_line(const struct sm_tensor_pane *s, const struct sm_tensor_pane_now *now,
                      const struct plot *p, const char *name, struct sm_grid *g, struct sm_rect r)
{
    struct sm_line_series line = {
        .label = name, .x = p->x, .y = p->y, .n = p->n, .role = SM_ROLE_SERIES_0};
    struct sm_line_chart chart = {.series = &line,
                                  .n_series = 1,
                                  .y_scale = s->log_counts ? SM_Y_SYMLOG : SM_Y_LINEAR,
                                  .marks = p->marks,
                                  .n_marks = p->n_marks,
                                  .cursor_x = cursor_of(now)};
    sm_line_draw(g, r, &chart, now->v->glyphs);
}

static void draw_picture(const struct sm_tensor_pane *s, const struct sm_tensor_pane_now *now,
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
                                     .cursor_x = cursor_of(now)};
    sm_hist_over_time_draw(g, r, &film, now->v->glyphs);
}

/* "mean at 21 of 84 train steps", and what is still on its way. */
static void say_what(const struct sm_step_window *o, const char *name, enum sm_mode mode,
                     bool others, struct sm_grid *g, struct sm_rect r)
{
    static const char *const modes[SM_MODES] = {
        [SM_MODE_TRAIN] = " train", [SM_MODE_EVAL] = " eval", [SM_MODE_PREDICT] = " predict"};
    struct sm_str text = {0};
    sm_str_printf(&text, "%s at ", name);
    if (o->n < o->all)
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

void sm_tensor_pane_draw_over(struct sm_tensor_pane *s, const struct sm_tensor_pane_now *now,
                              struct sm_grid *g, struct sm_rect r)
{
    struct sm_rect below = {r.x + 1, r.y + 1, r.w - 2, r.h - 1};
    const struct sm_statistic *statistic = NULL;
    struct plot p = {0};
    bool picture = is_picture(s, now);
    const char *name = now->facts->n == 1 ? "value" : name_of(s->drawn);
    if (!now->facts->has_stats) {
        sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "values of this type have no statistics");
        return;
    }
    if (!picture)
        statistic = sm_statistic_find(sm_text(now->facts->n == 1 ? "mean" : name));
    enum sm_mode mode = (enum sm_mode)sm_trial_part(now->trial, now->e->part)->mode;
    sm_step_window_choose(&s->over, now->v->session, now->x, mode, now->slice,
                          most_steps(now, below, picture));
    s->unfinished = sm_step_window_read(&s->over, now->v->session, picture);
    begin(&p, &s->over, now, picture, statistic);
    if (below.w > 0 && below.h > 0 && p.n && picture)
        draw_picture(s, now, &p, g, below);
    else if (below.w > 0 && below.h > 0 && p.n)
        draw_line(s, now, &p, name, g, below);
    say_what(&s->over, name, mode, now->facts->n != 1 && now->focused, g, r);
    end(&p);
}

/* ---- actions ---- */

static bool act(struct sm_tensor_pane *s, struct sm_view *v, enum sm_key_action a)
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

/* -1: no drawing has that name. */
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
    sm_err_set(err, SM_ERR_USAGE, "Nothing over time is called \"%s\". There are:%s.", name,
               sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

const struct sm_tensor_pane_view sm_tensor_pane_time = {
    .name = "time", .draw = sm_tensor_pane_draw_over, .act = act};
