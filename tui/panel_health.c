/* Which layer goes wrong, and since when: tensors over the steps, one statistic as heat, what is wrong as a mark. */
#include "commands/fired.h"
#include "plot/pixel.h"
#include "plot/table.h"
#include "reader/base/mem.h"
#include "tui/healthmap.h"
#include "tui/listing.h"
#include "tui/open_rule.h"
#include "tui/panel_list.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER_W = 10, CELL_MAX = 3, ASK_MOST = 256, FIRED_MAX = 64 };

struct state {
    struct sm_rows rows;
    uint32_t *tensors;                   /* name ids of the rows */
    size_t n, cap, statistic;
    size_t bad;                          /* rows with something wrong, of those drawn last */
    struct sm_map_columns columns;       /* as drawn last */
    const struct sm_trial *trial;
    uint64_t version;
    uint32_t seen;                       /* the current tensor when the cursor was last put on one */
};

/* Those with values; the cursor goes where others have chosen. */
static void update(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    if (t && (s->trial != t || s->version != sm_trial_version(t))) {
        s->trial = t;
        s->version = sm_trial_version(t);
        s->tensors = sm_xrealloc(s->tensors, sm_trial_tensor_count(t) + 1, sizeof *s->tensors);
        s->n = 0;
        for (size_t i = 0; i < sm_trial_tensor_count(t); i++)
            if (sm_trial_tensor(t, i)->has_value)
                s->tensors[s->n++] = sm_trial_tensor(t, i)->name;
        s->seen = SM_NAME_NONE;
    }
    for (size_t i = 0; s->seen != v->session->at.tensor && i < s->n; i++)
        if (s->tensors[i] == v->session->at.tensor) {
            s->rows.cursor = i;
            s->seen = v->session->at.tensor;
        }
}

/* ---- drawing ---- */

struct shape {
    int name_w, x, cell, number;         /* where the cells begin, columns of each, of the number behind them (0: none) */
    struct sm_map_columns columns;
};

static struct shape shape_of(const struct sm_view *v, int w)
{
    struct shape s = {.name_w = w / 3 > 28 ? 28 : w / 3, .number = w >= 60 ? NUMBER_W : 0};
    s.x = 1 + s.name_w + 1;
    size_t steps = sm_trial_step_count(sm_session_trial(v->session)), room = w - s.x - s.number > 0 ? (size_t)(w - s.x - s.number) : 0;
    s.cell = steps && room / steps > 1 ? (int)(room / steps) : 1;
    s.cell = s.cell > CELL_MAX ? CELL_MAX : s.cell;
    s.columns = (struct sm_map_columns){steps, steps < room ? steps : room};
    return s;
}

static void put_cell(const struct sm_view *v, struct sm_grid *g, int x, int y, int w, const struct sm_map_cell *c, int level)
{
    const struct sm_glyphs *gl = v->glyphs;
    const uint32_t marks[] = {[SM_MAP_NOTHING] = ' ', [SM_MAP_AWAITED] = '.', [SM_MAP_NAN] = gl->nan, [SM_MAP_INF] = gl->pos_inf, [SM_MAP_ZERO] = '0'};
    for (int i = 0; i < w; i++) {
        struct sm_pixel p = {.role = (enum sm_role)(SM_ROLE_HEAT_0 + (level > 0 ? level : 0)), .level = level};
        if (c->kind == SM_MAP_NUMBER)
            sm_pixel_put(g, x + i, y, p, p, gl);
        else
            sm_grid_put(g, x + i, y, marks[c->kind], c->kind == SM_MAP_AWAITED ? SM_ROLE_DIM : c->kind == SM_MAP_ZERO ? SM_ROLE_WARN : SM_ROLE_PROBLEM, 0);
    }
}

/* What it came to: the newest number, or what is wrong. */
static void put_last(struct sm_grid *g, int x, int y, const struct sm_map_cell *cells, size_t n)
{
    static const char *const words[] = {[SM_MAP_NOTHING] = "", [SM_MAP_AWAITED] = "...", [SM_MAP_NAN] = "NaN", [SM_MAP_INF] = "Inf", [SM_MAP_ZERO] = "all 0"};
    char text[32];
    while (n && cells[n - 1].kind == SM_MAP_NOTHING)
        n--;
    if (!n)
        return;
    const struct sm_map_cell *c = &cells[n - 1];
    if (c->kind == SM_MAP_NUMBER)
        sm_format_double(c->v, 3, text);
    sm_grid_printf(g, x, y, NUMBER_W, c->kind == SM_MAP_NUMBER ? SM_ROLE_TEXT : SM_ROLE_PROBLEM, 0, "%*s", NUMBER_W - 1, c->kind == SM_MAP_NUMBER ? text : words[c->kind]);
}

/* NaN and Inf at any time; zeros when they are the newest: fresh biases are zero. */
static bool is_bad(const struct sm_map_cell *cells, size_t n)
{
    enum sm_map_cell_kind last = SM_MAP_NOTHING;
    for (size_t i = 0; i < n; i++) {
        if (cells[i].kind == SM_MAP_NAN || cells[i].kind == SM_MAP_INF)
            return true;
        last = cells[i].kind != SM_MAP_NOTHING ? cells[i].kind : last;
    }
    return last == SM_MAP_ZERO;
}

/* True: something is wrong. */
static bool draw_row(const struct state *s, const struct sm_view *v, size_t i, const struct shape *sh, struct sm_grid *g, struct sm_rect row, size_t *budget)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    const char *name = sm_names_text(sm_trial_names(t), s->tensors[i]);
    const struct sm_trial_tensor *x = sm_trial_find(t, name, sm_names_length(sm_trial_names(t), s->tensors[i]));
    struct sm_map_cell *cells = sm_xalloc_zero(sh->columns.columns + 1, sizeof *cells);
    int *levels = sm_xalloc_zero(sh->columns.columns + 1, sizeof *levels);
    struct sm_str escaped = {0}, text = {0};
    sm_map_row(v->session, x, s->statistic, &sh->columns, cells, budget);
    sm_map_levels(cells, sh->columns.columns, levels);
    for (size_t c = 0; c < sh->columns.columns; c++) {
        put_cell(v, g, row.x + sh->x + (int)c * sh->cell, row.y, sh->cell, &cells[c], levels[c]);
    }
    bool bad = is_bad(cells, sh->columns.columns);
    sm_str_add_escaped(&escaped, name, strlen(name));
    sm_elide_name(&text, sm_str_text(&escaped), sh->name_w, v->glyphs);
    if (bad)
        sm_grid_put(g, row.x, row.y, v->glyphs->warn, SM_ROLE_PROBLEM, SM_ATTR_BOLD);
    sm_grid_text(g, row.x + 1, row.y, sh->name_w, SM_ROLE_TEXT, 0, sm_str_text(&text));
    if (sh->number)
        put_last(g, row.x + sh->x + (int)sh->columns.columns * sh->cell, row.y, cells, sh->columns.columns);
    sm_str_clear(&escaped);
    sm_str_clear(&text);
    sm_free(cells);
    sm_free(levels);
    return bad;
}

/* Below the rows: where rules fired and where we stand, and the first and the last step. */
static void draw_axis(const struct sm_view *v, const struct shape *sh, struct sm_grid *g, struct sm_rect r)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    int64_t fired[FIRED_MAX];
    size_t n = sh->columns.steps, n_fired = sm_fired_steps(v->session, fired, FIRED_MAX);
    int w = (int)sh->columns.columns * sh->cell;
    if (!n || !w)
        return;
    for (int x = 0; x < w; x++)
        sm_grid_put(g, r.x + sh->x + x, r.y, v->glyphs->h, SM_ROLE_DIM, 0);
    size_t now = sm_trial_step_at(t, sm_session_step(v->session));
    size_t column = sm_map_column(&sh->columns, now < n ? now : n - 1);
    for (size_t i = 0; i < n_fired; i++) {
        size_t at = sm_trial_step_at(t, (struct sm_step){fired[i]});
        if (at < n)
            sm_grid_put(g, r.x + sh->x + (int)sm_map_column(&sh->columns, at) * sh->cell, r.y, v->glyphs->rule_mark, SM_ROLE_WARN, 0);
    }
    sm_grid_put(g, r.x + sh->x + (int)column * sh->cell, r.y, v->glyphs->v, SM_ROLE_ACCENT, SM_ATTR_BOLD);
    if (r.h < 2)
        return;
    int used = sm_grid_printf(g, r.x + sh->x, r.y + 1, w, SM_ROLE_DIM, 0, "%lld", (long long)sm_trial_step(t, 0)->step.n);
    char last[32];
    int k = snprintf(last, sizeof last, "%lld", (long long)sm_trial_step(t, n - 1)->step.n);
    if (used + k + 1 < w)
        sm_grid_text(g, r.x + sh->x + w - k, r.y + 1, k, SM_ROLE_DIM, 0, last);
}

static void draw(struct sm_panel *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    size_t budget = ASK_MOST;
    int axis = r.h >= 6 ? 2 : r.h >= 4;
    update(s, v);
    struct shape sh = shape_of(v, r.w);
    s->columns = sh.columns;
    s->bad = 0;
    sm_rows_show(&s->rows, s->n, r.h - axis);
    for (int y = 0; y < r.h - axis && s->rows.top + (size_t)y < s->n; y++) {
        struct sm_rect row = {r.x, r.y + y, r.w, 1};
        s->bad += draw_row(s, v, s->rows.top + (size_t)y, &sh, g, row, &budget);
        sm_rows_mark(&s->rows, g, (struct sm_rect){row.x, row.y, 1 + sh.name_w, 1}, s->rows.top + (size_t)y, focused);
    }
    if (axis)
        draw_axis(v, &sh, g, (struct sm_rect){r.x, r.y + r.h - axis, r.w, axis});
    if (!s->n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "no values yet");
    sm_rows_note(&s->rows, s->n, note);
    sm_str_printf(note, "%s%s", note->len ? "  " : "", sm_map_statistic(s->statistic));
    if (sh.columns.columns < sh.columns.steps && r.w >= 60)
        sm_str_printf(note, "  %zu steps in %zu columns (newest)", sh.columns.steps, sh.columns.columns);
}

/* ---- actions ---- */

/* To the last step of the next column, or of the one before. */
static void move_column(const struct state *s, struct sm_view *v, int by)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t n = sm_trial_step_count(t), now = sm_trial_step_at(t, sm_session_step(v->session));
    if (!n || s->columns.steps != n || !s->columns.columns)
        return;
    size_t column = sm_map_column(&s->columns, now < n ? now : n - 1);
    if (by > 0 ? column + 1 < s->columns.columns : column > 0)
        column = by > 0 ? column + 1 : column - 1;
    sm_view_go(v, sm_trial_step(t, sm_map_from(&s->columns, column + 1) - 1)->step.n);
}

static bool act(struct sm_panel *p, struct sm_view *v, enum sm_action a)
{
    struct state *s = p->state;
    update(s, v);
    if (!s->trial)
        return false;
    if (a == SM_ACT_LEFT || a == SM_ACT_RIGHT) {
        move_column(s, v, a == SM_ACT_RIGHT ? 1 : -1);
    } else if (a == SM_ACT_STATISTIC) {
        s->statistic = sm_map_statistic(s->statistic + 1) ? s->statistic + 1 : 0;
    } else if (!sm_rows_act(&s->rows, s->n, a)) {
        return false;
    } else if (s->rows.cursor < s->n) {
        v->session->at.tensor = s->seen = s->tensors[s->rows.cursor];
    }
    return true;
}

static void click(struct sm_panel *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    update(s, v);
    if (sm_rows_click(&s->rows, s->n, y))
        v->session->at.tensor = s->seen = s->tensors[s->rows.cursor];
}

static void clear(struct sm_panel *p)
{
    sm_free(((struct state *)p->state)->tensors);
}

const struct sm_panel_ops sm_panel_health = {
    .name = "health",
    .title = "health",
    .help =
        "Every tensor over the steps: one statistic as heat, from the row's smallest (light) to its largest by magnitude; NaN, Inf and\n"
        "values of nothing but zeros have marks of their own. Rules that fired are marked below. v takes another statistic; h and l go\n"
        "along the steps.",
    .context = SM_CTX_LIST,
    .hints = {"? help", ": command", "v statistic", "h l step", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 3,
    .clear = clear,
    .draw = draw,
    .act = act,
    .click = click,
};
