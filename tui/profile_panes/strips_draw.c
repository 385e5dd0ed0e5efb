/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/pixel.h"
#include "plot/scale.h"
#include "plot/scalebar.h"
#include "plot/table.h"
#include "tui/profile_panes/strips.h"

#include <math.h>
#include <string.h>

enum { NUMBER_W = 8, LABEL_MIN_W = 6, STRIP_MIN_W = 12, STRIP_MAX_H = 8, DIGITS = 4 };

struct strip_layout {
    int label_w, numbers; /* numbers: one, or three */
    int x, w;             /* of the strips */
};

static struct strip_layout lay_out(const struct sm_strips *s, struct sm_rect r)
{
    struct strip_layout l = {.label_w = LABEL_MIN_W};
    for (size_t i = 0; i < s->n; i++) {
        int k = (int)sm_text_width(s->items[i].label, strlen(s->items[i].label));
        l.label_w = k > l.label_w ? k : l.label_w;
    }
    l.label_w = l.label_w < r.w / 3 ? l.label_w : r.w / 3;
    int room = r.w - 1 - l.label_w - 1 - 2 * STRIP_MIN_W;
    l.numbers = s->heat                      ? room >= NUMBER_W + 1
                : room >= 3 * (NUMBER_W + 1) ? 3
                                             : room + STRIP_MIN_W > NUMBER_W;
    l.x = r.x + 1 + l.label_w + 1 + l.numbers * (NUMBER_W + 1);
    l.w = r.x + r.w - l.x;
    return l;
}

static void format_number(enum sm_usage u, double v, char out[32])
{
    if (isnan(v))
        strcpy(out, "-");
    else if (sm_usage_is_bytes(u) && v >= 0 && v < 1e18)
        sm_format_bytes_short((uint64_t)v, out);
    else
        sm_format_double(v, DIGITS, out);
}

static void draw_number(struct sm_grid *g, int x, int y, const char *text, enum sm_role role)
{
    int n = (int)strlen(text), pad = n < NUMBER_W ? NUMBER_W - n : 0;
    sm_grid_text(g, x + pad, y, NUMBER_W - pad, role, 0, text);
}

/* Bars from the bottom of r upwards: places 0 to 1. */
static void draw_bar(struct sm_grid *g, struct sm_rect r, double place, enum sm_role role,
                     const struct sm_glyphs *glyphs)
{
    enum { LEVELS = 8 };
    place = place < 0 ? 0 : place > 1 ? 1 : place;
    long eighths = lround(place * LEVELS * r.h);
    if (eighths < 1)
        eighths = 1;
    for (int y = 0; y < r.h; y++) {
        long here = eighths - (long)LEVELS * (r.h - 1 - y);
        if (here > 0)
            sm_grid_put(g, r.x, r.y + y, glyphs->bar[here > LEVELS ? LEVELS : here], role, 0);
    }
}

static void draw_strip(const struct sm_strip *x, struct sm_grid *g, struct sm_rect r,
                       const struct sm_glyphs *glyphs)
{
    enum { ROLES = SM_ROLE_SERIES_7 - SM_ROLE_SERIES_0 + 1 };
    double top = sm_usage_is_share(x->usage) ? 100 : 0;
    enum sm_role role = (enum sm_role)(SM_ROLE_SERIES_0 + (int)x->usage % ROLES);
    if (!top)
        for (size_t i = 0; i < x->n; i++)
            top = x->values[i] > top ? x->values[i] : top;
    for (size_t i = 0; i < x->n && (int)i < r.w; i++)
        if (!isnan(x->values[i]))
            draw_bar(g, (struct sm_rect){r.x + (int)i, r.y, 1, r.h},
                     top > 0 ? x->values[i] / top : 0, role, glyphs);
}

static void draw_heat(const struct sm_strip *x, struct sm_grid *g, struct sm_rect r,
                      const struct sm_glyphs *glyphs)
{
    for (size_t i = 0; i < x->n && (int)i < r.w; i++) {
        int level = sm_heat_level(sm_range_place(0, 100, x->values[i]));
        struct sm_pixel p = {.level = level, .role = sm_heat_role(SM_HEAT_VIRIDIS, level)};
        if (!isnan(x->values[i]))
            sm_pixel_put(g, r.x + (int)i, r.y, p, p, glyphs);
    }
}

static void draw_row(const struct sm_strips *s, const struct sm_strip *x, const struct sm_view *v,
                     struct sm_grid *g, struct sm_rect r, const struct strip_layout *l)
{
    bool at = s->ruler.has_moment && s->ruler.moment < x->n;
    const double numbers[] = {at ? x->values[s->ruler.moment] : x->newest, x->mean, x->p95};
    char text[32];
    sm_cut_text(g, r.x + 1, r.y, l->label_w, SM_ROLE_TEXT, x->label, v->glyphs);
    for (int i = 0; i < l->numbers; i++) {
        format_number(x->usage, numbers[i], text);
        if (i == 2 && x->p95_samples == SIZE_MAX)
            strcpy(text, "...");
        draw_number(g, r.x + 1 + l->label_w + 1 + i * (NUMBER_W + 1), r.y, text, SM_ROLE_TEXT);
    }
    struct sm_rect strip = {l->x, r.y, l->w, r.h};
    if (s->heat)
        draw_heat(x, g, strip, v->glyphs);
    else
        draw_strip(x, g, strip, v->glyphs);
}

static void draw_header(const struct sm_strips *s, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, const struct strip_layout *l)
{
    const char *const names[] = {s->ruler.has_moment ? "THERE" : "NEWEST", "MEAN", "P95"};
    char width[16];
    struct sm_str text = {0};
    sm_grid_text(g, r.x + 1, r.y, l->label_w, SM_ROLE_DIM, 0,
                 s->items[0].series != SM_NAME_NONE ? "DEVICE" : "USE");
    for (int i = 0; i < l->numbers; i++)
        draw_number(g, r.x + 1 + l->label_w + 1 + i * (NUMBER_W + 1), r.y, names[i], SM_ROLE_DIM);
    sm_format_nanoseconds((double)s->ruler.buckets.width_ns, width);
    bool others = false;
    for (size_t i = 0; i < s->n; i++)
        others = others || !sm_usage_is_share(s->items[i].usage);
    sm_str_printf(&text, "0 to 100 %%%s, means of %s", others ? " or the greatest" : "", width);
    if ((int)text.len > l->w) {
        sm_str_truncate(&text, 0);
        sm_str_printf(&text, "means of %s", width);
    }
    sm_cut_text(g, l->x, r.y, l->w, SM_ROLE_DIM, sm_str_text(&text), v->glyphs);
    sm_str_clear(&text);
}

static void draw_rows(struct sm_strips *s, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, const struct strip_layout *l, bool focused)
{
    for (size_t i = s->rows.top; i < s->n; i++) {
        int y = r.y + (int)(i - s->rows.top) * s->row_h;
        if (y + s->row_h > r.y + r.h)
            break;
        struct sm_rect row = {r.x, y, r.w, s->row_h};
        draw_row(s, &s->items[i], v, g, row, l);
        if (focused)
            sm_rows_mark(&s->rows, g, (struct sm_rect){r.x, y, l->x - r.x, 1}, i, true);
    }
}

void sm_strips_draw(struct sm_strips *s, const struct sm_view *v, const struct sm_profile *p,
                    struct sm_grid *g, struct sm_rect r, bool focused, struct sm_str *note,
                    bool *more)
{
    struct strip_layout l = lay_out(s, r);
    struct sm_time_ruler ruler;
    if (!s->n || l.w < 1 || !sm_time_ruler_make(&ruler, v, p, l.w))
        return;
    int head = r.h > 2, foot = r.h > 1, h = r.h - head - foot;
    s->row_h = s->heat || h <= (int)s->n ? 1 : h / (int)s->n;
    s->row_h = s->row_h > STRIP_MAX_H ? STRIP_MAX_H : s->row_h;
    sm_rows_show(&s->rows, s->n, h / s->row_h);
    sm_strips_read_values(s, p, &ruler, (size_t)(h / s->row_h));
    if (l.numbers == 3)
        sm_strips_read_p95(s, p, (size_t)(h / s->row_h), more);
    if (head)
        draw_header(s, v, g, r, &l);
    draw_rows(s, v, g, (struct sm_rect){r.x, r.y + head, r.w, h}, &l, focused);
    size_t left = s->n - s->rows.top;
    int used = (int)left * s->row_h < h ? (int)left * s->row_h : h / s->row_h * s->row_h;
    s->plot = (struct sm_rect){l.x, r.y + head, l.w, used};
    sm_time_ruler_mark(&ruler, g, s->plot);
    if (foot)
        sm_time_ruler_draw(&ruler, v, p, g, l.x, r.y + head + used, l.x - r.x);
    sm_time_ruler_note(&ruler, v, p, note);
    if (s->n > (size_t)(h / s->row_h)) {
        sm_str_add(note, note->len ? "  " : "");
        sm_rows_note(&s->rows, s->n, note);
    }
    if (s->choice.digits)
        sm_str_printf(note, "%snumber %0*d_", note->len ? "  " : "", s->choice.digits,
                      s->choice.typed);
    if (s->node && s->node <= s->nodes && s->n) {
        const char *node = sm_metric_name(sm_profile_metrics(p), s->items[0].node);
        sm_str_printf(note, "%snode ", note->len ? "  " : "");
        sm_str_add_escaped(note, node, strlen(node));
        sm_str_printf(note, ", %zu of %zu", s->node, s->nodes);
    }
    if (s->filter) {
        sm_str_printf(note, "%sfilter ", note->len ? "  " : "");
        sm_str_add_escaped(note, s->filter, strlen(s->filter));
    }
}

/* ---- keys ---- */

static bool choose_node(struct sm_strips *s, bool next)
{
    if (s->nodes < 2)
        return false;
    s->node = next ? (s->node + 1) % (s->nodes + 1) : (s->node ? s->node : s->nodes + 1) - 1;
    s->stale = true;
    return true;
}

/* Folding leaves the cursor on the use. */
static bool unfold(struct sm_strips *s, struct sm_view *v)
{
    const struct sm_strip *x = s->rows.cursor < s->n ? &s->items[s->rows.cursor] : NULL;
    size_t use = s->rows.cursor;
    while (x && use && s->items[use].series != SM_NAME_NONE)
        use--;
    if (!x || s->items[use].series != SM_NAME_NONE)
        return false;
    x = &s->items[use];
    bool same = s->unfolded && s->unfolded_node == x->node && s->unfolded_usage == x->usage;
    const char *why;
    const struct sm_profile *p = sm_profile_shown(v, &why);
    bool many = p && sm_usage_members(sm_profile_metrics(p), x->node, x->usage) > 1;
    if (!many)
        v->notice = "this has no single cores or GPUs";
    s->unfolded = many && !same;
    s->choice = (struct sm_number_choice){0};
    s->unfolded_node = x->node;
    s->unfolded_usage = x->usage;
    s->rows.cursor = same ? use : s->rows.cursor;
    s->stale = true;
    return true;
}

/* The numbers of the unfolded cores or GPUs. */
static bool find_numbers(const struct sm_strips *s, const struct sm_view *v,
                         struct sm_number_set *out)
{
    const char *why;
    const struct sm_profile *p = s->unfolded ? sm_profile_shown(v, &why) : NULL;
    const struct sm_metric_store *m = p ? sm_profile_metrics(p) : NULL;
    bool any = false;
    *out = (struct sm_number_set){0};
    for (size_t i = 0; m && i < m->n_series; i++) {
        const struct sm_metric_series *x = &m->series[i];
        if (x->key.node != s->unfolded_node || x->key.name == SM_NAME_NONE ||
            sm_usage_of(m, x) != s->unfolded_usage)
            continue;
        int number = sm_number_of_name(sm_metric_name(m, x->key.name));
        if (number >= 0 && !sm_number_set_has(out, number))
            sm_number_set_flip(out, number);
        any = any || number >= 0;
    }
    return any;
}

/* Any other key than a digit ends the number; with Enter it counts. */
static bool end_number(struct sm_strips *s, const struct sm_view *v, enum sm_key_action a)
{
    struct sm_number_set there;
    if (!s->choice.digits)
        return false;
    if (a == SM_ACT_OPEN && find_numbers(s, v, &there)) {
        s->stale = sm_number_choice_end(&s->choice, &there) || s->stale;
        return true;
    }
    s->choice.typed = s->choice.digits = 0;
    return false;
}

bool sm_strips_digit(struct sm_strips *s, struct sm_view *v, int digit)
{
    struct sm_number_set there;
    bool begun = s->choice.digits > 0;
    if (!find_numbers(s, v, &there))
        return false;
    if (!sm_number_choice_type(&s->choice, &there, digit)) {
        v->notice = begun ? "there is none with this number" : v->notice;
        return begun;
    }
    s->stale = true;
    return true;
}

bool sm_strips_act(struct sm_strips *s, struct sm_view *v, enum sm_key_action a)
{
    if (end_number(s, v, a))
        return true;
    if (a == SM_ACT_NEXT_HIT || a == SM_ACT_PREV_HIT)
        return choose_node(s, a == SM_ACT_NEXT_HIT);
    if (a == SM_ACT_OPEN && unfold(s, v))
        return true;
    const char *why;
    const struct sm_profile *p = sm_profile_shown(v, &why);
    int64_t width = s->ruler.buckets.width_ns;
    if (p && sm_profile_chart_act(v, p, width > 0 ? width : 1, a))
        return true;
    return sm_rows_act(&s->rows, s->n, a);
}

void sm_strips_click(struct sm_strips *s, struct sm_view *v, int x, int y)
{
    const char *why;
    const struct sm_profile *p = sm_profile_shown(v, &why);
    if (!p || !s->row_h || y < s->plot.y || y > s->plot.y + s->plot.h)
        return;
    if (y < s->plot.y + s->plot.h)
        sm_rows_click(&s->rows, s->n, (y - s->plot.y) / s->row_h);
    if (x >= s->plot.x && x < s->plot.x + (int)s->ruler.buckets.n)
        sm_profile_go_to(v, p, sm_time_ruler_ns(&s->ruler, x - s->plot.x),
                         s->ruler.buckets.width_ns);
}
