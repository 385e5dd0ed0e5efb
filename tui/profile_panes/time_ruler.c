/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/profile_panes/time_ruler.h"

#include <string.h>

/* Of a time in or outside of the columns. */
static size_t column_of(const struct sm_buckets *b, int64_t ns)
{
    uint64_t i =
        ns <= b->from_ns ? 0 : ((uint64_t)ns - (uint64_t)b->from_ns) / (uint64_t)b->width_ns;
    return i < b->n ? (size_t)i : b->n ? b->n - 1 : 0;
}

bool sm_time_ruler_make(struct sm_time_ruler *t, const struct sm_view *v,
                        const struct sm_profile *p, int w)
{
    struct sm_time_range window, step;
    int64_t ns;
    *t = (struct sm_time_ruler){0};
    if (!sm_profile_window_shown(v, p, &window))
        return false;
    t->buckets =
        sm_buckets_of(sm_profile_metrics(p), window.from_ns, window.to_ns, w > 0 ? (size_t)w : 1);
    if (sm_profile_step_range(v, p, &step) && step.to_ns >= window.from_ns &&
        step.from_ns <= window.to_ns) {
        t->has_step = true;
        t->step_from = column_of(&t->buckets, step.from_ns);
        t->step_to = column_of(&t->buckets, step.to_ns);
    }
    if (sm_profile_moment(v, &ns) && ns >= window.from_ns && ns <= window.to_ns) {
        t->has_moment = true;
        t->moment = column_of(&t->buckets, ns);
    }
    return true;
}

void sm_time_ruler_mark(const struct sm_time_ruler *t, struct sm_grid *g, struct sm_rect r)
{
    for (size_t i = t->step_from; t->has_step && i <= t->step_to && (int)i < r.w; i++)
        for (int y = 0; y < r.h; y++) {
            struct sm_cell *c = sm_grid_at(g, r.x + (int)i, r.y + y);
            if (c && c->rune != ' ')
                c->attr |= SM_ATTR_UNDERLINE;
        }
    if (t->has_moment && (int)t->moment < r.w)
        sm_grid_attr(g, (struct sm_rect){r.x + (int)t->moment, r.y, 1, r.h}, SM_ATTR_REVERSE);
}

static void add_label(const struct sm_profile *p, int64_t ns, char out[16])
{
    int64_t from = 0, to = 0;
    sm_profile_span(p, &from, &to);
    if (ns == from)
        strcpy(out, "0 s");
    else
        sm_format_nanoseconds((double)ns - (double)from, out);
}

void sm_time_ruler_draw(const struct sm_time_ruler *t, const struct sm_view *v,
                        const struct sm_profile *p, struct sm_grid *g, int x, int y, int label_w)
{
    const struct sm_glyphs *glyphs = v->glyphs;
    int w = (int)t->buckets.n;
    char text[16];
    for (int i = 0; i < w; i++) {
        bool step = t->has_step && (size_t)i >= t->step_from && (size_t)i <= t->step_to;
        sm_grid_put(g, x + i, y, step ? glyphs->dash[2] : glyphs->h,
                    step ? SM_ROLE_ACCENT : SM_ROLE_BORDER, step ? SM_ATTR_BOLD : 0);
    }
    if (t->has_moment)
        sm_grid_put(g, x + (int)t->moment, y, glyphs->rule_mark, SM_ROLE_ACCENT, SM_ATTR_BOLD);
    add_label(p, t->buckets.from_ns, text);
    int n = (int)strlen(text);
    if (n + 1 <= label_w)
        sm_grid_text(g, x - 1 - n, y, n, SM_ROLE_DIM, 0, text);
    add_label(p, t->buckets.from_ns + t->buckets.width_ns * (int64_t)t->buckets.n, text);
    n = (int)strlen(text);
    bool room = !t->has_moment || (int)t->moment < w - n - 1;
    if (w >= 3 * n && room && !(t->has_step && (int)t->step_to >= w - n - 1)) {
        sm_grid_text(g, x + w - n - 1, y, 1, SM_ROLE_DIM, 0, " ");
        sm_grid_text(g, x + w - n, y, n, SM_ROLE_DIM, 0, text);
    }
}

int64_t sm_time_ruler_ns(const struct sm_time_ruler *t, int column)
{
    return t->buckets.from_ns + t->buckets.width_ns * (int64_t)(column > 0 ? column : 0);
}

void sm_time_ruler_note(const struct sm_time_ruler *t, const struct sm_view *v,
                        const struct sm_profile *p, struct sm_str *note)
{
    struct sm_time_range step, window;
    int64_t ns, from, to;
    char text[16];
    if (sm_profile_moment(v, &ns))
        sm_profile_moment_text(p, ns, t->buckets.width_ns, note);
    else if (sm_profile_step_range(v, p, &step))
        sm_profile_moment_text(p, step.from_ns, step.to_ns - step.from_ns + 1, note);
    if (sm_profile_window_shown(v, p, &window) && sm_profile_span(p, &from, &to) &&
        (window.from_ns > from || window.to_ns < to)) {
        sm_format_nanoseconds((double)window.to_ns - (double)window.from_ns, text);
        sm_str_printf(note, "%s%s shown", note->len ? "  " : "", text);
    }
    sm_profile_note(p, note);
}
