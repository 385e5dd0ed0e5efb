/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/tensor_row.h"

#include "commands/session/survey_limit.h"
#include "plot/table.h"
#include "reader/analysis/tensor_health.h"
#include "reader/analysis/worker_values.h"
#include "reader/base/mem.h"
#include "tui/panes/baseline.h"

#include <string.h>

enum {
    TREND_W = 8,
    INFO_W = 11,
    OTHERS_MAX = 64,
    LARGE_BYTES = 1 << 20,
    NARROW = 40,
    WIDE = 56
}; /* below NARROW columns trend and info are shorter; from WIDE on there is a mean column */

static void draw_trend(const struct sm_view *v, const struct sm_trial_tensor *x, struct sm_grid *g,
                       int px, int py, int w)
{
    struct sm_trend trend;
    struct sm_session *s = v->session;
    struct sm_trial *t = sm_session_trial(s);
    struct sm_fetch *f = sm_survey_is_costly(s, t) ? NULL : s->fetch;
    sm_tensor_health_trend(t, f, &s->trends, x, s->at.worker, w > 0 ? (size_t)w : 0, &trend);
    sm_spark_draw(g, px, py, w, trend.v, trend.n, SM_ROLE_DIM, v->glyphs);
    for (size_t i = 0; i < trend.n; i++)
        if (trend.pending[i])
            sm_grid_put(g, px + (int)i, py, '.', SM_ROLE_DIM, 0);
}

/* Without the common prefix of the group, if a name of it is too long. Escaped, in the arena. */
static const char *shorter_name(const struct sm_view *v, const char *name,
                                const struct sm_row_names *names, int column,
                                struct sm_arena *arena)
{
    struct sm_str text = {0};
    char ellipsis[4];
    if (names->longest > column && names->common) {
        sm_str_addn(&text, ellipsis, sm_utf8_encode(v->glyphs->ellipsis, ellipsis));
        name += names->common;
    }
    sm_str_add_escaped(&text, name, strlen(name));
    const char *kept = sm_arena_xstrndup(arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return kept;
}

/* Long names lose the common prefix of their group, then their middle if they are still too long.
 * column: the width that all rows have for a name; w: that of this row. */
static void draw_name(const struct sm_view *v, const char *name, struct sm_row_names names,
                      struct sm_grid *g, int x, int y, int column, int w)
{
    struct sm_str text = {0};
    struct sm_arena arena = {0};
    const char *whole = shorter_name(v, name, &names, column, &arena);
    const char **near = sm_arena_xalloc(&arena, (names.n_near + 1) * sizeof *near);
    size_t n = (int)sm_text_width(whole, strlen(whole)) > w ? names.n_near : 0;
    for (size_t i = 0; i < n; i++)
        near[i] = shorter_name(v, names.near[i], &names, column, &arena);
    sm_elide_apart(&text, whole, near, n, w, v->glyphs);
    sm_grid_text(g, x, y, w, SM_ROLE_TEXT, 0, sm_str_text(&text));
    sm_arena_clear(&arena);
    sm_str_clear(&text);
}

/* Returns the column where the text begins. */
static int draw_right(struct sm_grid *g, int right, int y, int room, enum sm_role role,
                      const struct sm_str *text)
{
    int w = (int)sm_text_width(sm_str_text(text), text->len), left = right - (w < room ? w : room);
    sm_grid_text(g, left, y, room, role, role == SM_ROLE_PROBLEM ? SM_ATTR_BOLD : 0,
                 sm_str_text(text));
    return left;
}

static void add_scalar(const struct sm_facts *f, int room, struct sm_str *out)
{
    char text[32];
    sm_format_fit(sm_dtype_load(f->dtype, f->first), 5, room, text);
    sm_str_add(out, text);
}

/* Adds "8x1x3x3", or the value of a scalar, in at most `room` columns. */
static void add_shape(const struct sm_facts *f, int room, const struct sm_glyphs *g,
                      struct sm_str *out)
{
    enum sm_dtype_kind kind = sm_dtype_info(f->dtype)->kind;
    struct sm_str shape = {0};
    char times[4];
    size_t n = sm_utf8_encode(g->times, times);
    if (f->n == 1 && kind == SM_KIND_STRING) {
        sm_str_add(out, "text");
    } else if (f->n == 1 && kind != SM_KIND_COMPLEX && kind != SM_KIND_OTHER) {
        add_scalar(f, room, out);
    } else {
        for (unsigned i = 0; i < f->n_dims; i++) {
            sm_str_addn(&shape, times, i ? n : 0);
            sm_str_printf(&shape, "%llu", (unsigned long long)f->dims[i]);
        }
        sm_elide_middle(out, sm_str_text(&shape), room, g);
    }
    sm_str_clear(&shape);
}

/* Describes a value: its shape, and its problem or mean. Returns true if there is a problem. */
static bool describe_value(const struct sm_view *v, const struct sm_facts *f, int room,
                           struct sm_str *shape, struct sm_str *state)
{
    struct sm_str health = {0};
    char text[32];
    bool problem = sm_tensor_health_text(f, &health);
    add_shape(f, room, v->glyphs, shape);
    if (problem && (int)health.len + 2 <= room) {
        sm_str_addn(state, text, sm_utf8_encode(v->glyphs->warn, text));
        sm_str_addc(state, ' ');
    }
    sm_str_add(state, sm_str_text(&health));
    if (!state->len && f->has_stats && f->n > 1) {
        sm_format_double(sm_stats_get(&f->stats, SM_REDUCE_MEAN), 3, text);
        sm_str_add(state, text);
    }
    sm_str_clear(&health);
    return problem;
}

bool sm_tensor_row_others(const struct sm_view *v, const struct sm_trial_tensor *x,
                          const struct sm_entry *e, int room, struct sm_str *out)
{
    struct sm_session *s = v->session;
    struct sm_trial *t = sm_session_trial(s);
    struct sm_worker_values values = {0};
    struct sm_worker_defects d;
    size_t n = sm_trial_worker_count(t);
    if (s->at.worker != SM_WORKER_ANY || n < 2 || n > OTHERS_MAX)
        return false;
    sm_worker_values_read(&values, t, x, sm_trial_part(t, e->part)->step, SM_WORKER_ANY);
    sm_worker_values_defects(&values, t, s->fetch, e, &d);
    sm_worker_values_clear(&values);
    if (!sm_entry_exists(&d.first))
        return false;
    struct sm_str text = {0};
    char sign[4];
    sm_worker_defects_describe(t, &d, &text);
    sm_str_truncate(out, 0);
    if ((int)text.len + 2 <= room) {
        sm_str_addn(out, sign, sm_utf8_encode(v->glyphs->warn, sign));
        sm_str_addc(out, ' ');
        sm_str_add_escaped(out, sm_str_text(&text), text.len);
    } else {
        sm_str_printf(out, "%llu %s", (unsigned long long)(d.nan ? d.nan : d.infinite),
                      d.nan ? "NaN" : "Inf");
    }
    sm_str_clear(&text);
    return true;
}

/* With a baseline, replaces the value of a scalar, or the mean, with the difference from it. */
static bool describe_difference(const struct sm_view *v, const struct sm_trial_tensor *x,
                                const struct sm_entry *e, const struct sm_facts *f, int room,
                                struct sm_str *shape, struct sm_str *state)
{
    const struct sm_facts *other =
        sm_baseline_is_other(v->session) ? sm_baseline_facts(v->session, x, e) : NULL;
    struct sm_str text = {0};
    bool shown = other && sm_baseline_text(f, other, room, &text);
    if (shown) {
        struct sm_str *to = f->n == 1 ? shape : state;
        sm_str_truncate(to, 0);
        sm_str_add(to, sm_str_text(&text));
    }
    sm_str_clear(&text);
    return shown;
}

/* Of a large value in a trial that costs too much, only what stands before its elements is read. */
static bool fetch_shown(const struct sm_view *v, const struct sm_entry *e,
                        const struct sm_facts **facts)
{
    struct sm_session *s = v->session;
    struct sm_trial *t = sm_session_trial(s);
    if (e->length > LARGE_BYTES && sm_survey_is_costly(s, t))
        return sm_fetch_head(s->fetch, t, e, facts, NULL);
    return sm_fetch_number(s->fetch, t, e, facts, NULL);
}

/* Draws the shape, and the mean if it has a column (means > 0). A problem replaces the mean, or
 * without that column the shape. Returns the column where it begins. */
static int draw_info(const struct sm_view *v, const struct sm_trial_tensor *x, struct sm_grid *g,
                     int left, int right, int y, int room, int means)
{
    const struct sm_session *s = v->session;
    struct sm_entry e =
        sm_tensor_health_entry(sm_session_trial(s), x, sm_session_step(s), s->at.worker);
    const struct sm_facts *facts;
    struct sm_str shape = {0}, state = {0};
    enum sm_role role = SM_ROLE_TEXT, quiet = SM_ROLE_TEXT;
    bool wrong = false;
    if (!x->has_value) {
        sm_str_add(&shape, x->reductions[0] || x->reductions[1] ? "reduced" : "shape");
        quiet = SM_ROLE_DIM;
    } else if (!sm_entry_exists(&e)) {
        sm_str_addc(&shape, '-');
    } else if (fetch_shown(v, &e, &facts)) {
        bool problem = describe_value(v, facts, room, &shape, &state) ||
                       sm_tensor_row_others(v, x, &e, room, &state);
        role = problem ? SM_ROLE_PROBLEM : SM_ROLE_TEXT;
        wrong = role == SM_ROLE_PROBLEM || strcmp(sm_str_text(&state), "all 0") == 0;
        if (!wrong && describe_difference(v, x, &e, facts, room, &shape, &state))
            wrong = facts->n > 1; /* a single column shows the state */
    } else {
        sm_str_add(&shape, "...");
        quiet = SM_ROLE_DIM;
    }
    if (role == SM_ROLE_PROBLEM)
        sm_grid_put(g, left, y, v->glyphs->warn, role, SM_ATTR_BOLD);
    if (means)
        draw_right(g, right, y, means - 1, role, &state);
    int begin = means || !wrong ? draw_right(g, right - means, y, room, quiet, &shape)
                                : draw_right(g, right, y, room, role, &state);
    sm_str_clear(&shape);
    sm_str_clear(&state);
    return begin;
}

/* The columns of a row after the name: shape, mean, trend; 0 if they do not fit. */
struct columns {
    int info, means, trend;
};

static struct columns columns_in(int w)
{
    int narrow = w < NARROW ? 3 : 0;
    return (struct columns){.info = w >= 22 ? INFO_W - narrow + 1 : 0,
                            .means = w >= WIDE ? INFO_W : 0,
                            .trend = w >= 34 ? TREND_W - narrow + 1 : 0};
}

bool sm_tensor_row_draw_header(struct sm_grid *g, struct sm_rect r)
{
    struct columns c = columns_in(r.w);
    int right = r.x + r.w - c.trend;
    if (!c.means)
        return false;
    sm_grid_text(g, r.x + 2, r.y, r.w - 2, SM_ROLE_DIM, 0, "NAME");
    sm_grid_text(g, right - c.means - 5, r.y, 5, SM_ROLE_DIM, 0, "SHAPE");
    sm_grid_text(g, right - 4, r.y, 4, SM_ROLE_DIM, 0, "MEAN");
    sm_grid_text(g, right + 1, r.y, c.trend, SM_ROLE_DIM, 0, "TREND");
    return true;
}

void sm_tensor_row_draw(const struct sm_view *v, const struct sm_trial_tensor *x,
                        struct sm_row_names names, int indent, struct sm_grid *g, struct sm_rect r)
{
    struct columns c = columns_in(r.w);
    const char *name = sm_trial_tensor_name(sm_session_trial(v->session), x);
    int right = r.x + r.w - c.trend, left = r.x + indent, end = right;
    if (c.info)
        end = draw_info(v, x, g, r.x, right, r.y, c.info - 1, c.means) - 1;
    draw_name(v, name, names, g, left, r.y, right - c.info - c.means - left, end - left);
    if (c.trend)
        draw_trend(v, x, g, r.x + r.w - c.trend + 1, r.y, c.trend - 1);
}

void sm_tensor_row_draw_group(const struct sm_view *v, const char *group, size_t count, bool folded,
                              struct sm_grid *g, struct sm_rect r)
{
    struct sm_str name = {0}, shown = {0};
    sm_str_add_escaped(&name, group, strlen(group));
    sm_elide_middle(&shown, sm_str_text(&name), r.w - 7, v->glyphs);
    sm_grid_put(g, r.x, r.y, folded ? v->glyphs->folded : v->glyphs->unfolded, SM_ROLE_ACCENT, 0);
    sm_grid_text(g, r.x + 1, r.y, r.w - 7, SM_ROLE_TITLE, SM_ATTR_BOLD, sm_str_text(&shown));
    sm_grid_printf(g, r.x + r.w - 5, r.y, 5, SM_ROLE_DIM, 0, "%5zu", count);
    sm_str_clear(&name);
    sm_str_clear(&shown);
}
