/* The rules attached to the trial: what fired first, the quiet ones in one line where room is short. */
#include "commands/attached.h"
#include "plot/table.h"
#include "plot/wrap.h"
#include "tui/listing.h"
#include "tui/open_rule.h"
#include "tui/panel_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_W = 26 };                    /* at most */
enum { QUIET = 3 };                      /* the last rank */

struct state {
    struct sm_rows rows;
};

static struct sm_rules *rules_of(const struct sm_view *v)
{
    struct sm_session *s = v->session;
    return s->current < s->n_trials ? s->trials[s->current].rules : NULL;
}

/* Problems first, then what is still judged, then the quiet. */
static int rank(const struct sm_rule_instance *i)
{
    if (i->triggered)
        return 0;
    return i->status == SM_RULE_ERROR ? 1 : i->status == SM_RULE_IN_PROGRESS ? 2 : QUIET;
}

/* By rank; what fired first is likely the origin; then in the order of attaching. */
static bool stands_before(const struct sm_rules *r, size_t a, size_t b)
{
    const struct sm_rule_instance *x = sm_rules_item(r, a), *y = sm_rules_item(r, b);
    if (rank(x) != rank(y))
        return rank(x) < rank(y);
    if (x->triggered && x->first_fired != y->first_fired)
        return x->first_fired < y->first_fired;
    return a < b;
}

/* The k-th row of the list. */
static const struct sm_rule_instance *row_at(const struct sm_rules *r, size_t k)
{
    size_t n = sm_rules_count(r);
    for (size_t i = 0; i < n; i++) {
        size_t before = 0;
        for (size_t j = 0; j < n; j++)
            before += j != i && stands_before(r, j, i);
        if (before == k)
            return sm_rules_item(r, i);
    }
    return NULL;
}

static bool wanted(const struct sm_panel *p, const struct sm_view *v)
{
    const struct sm_rules *r = rules_of(v);
    (void)p;
    return r && sm_rules_count(r) > 0;
}

/* ---- drawing ---- */

static uint32_t glyph_of(const struct sm_rule_instance *i, const struct sm_glyphs *g, enum sm_role *role)
{
    static const enum sm_role roles[] = {SM_ROLE_PROBLEM, SM_ROLE_WARN, SM_ROLE_DIM, SM_ROLE_OK};
    const uint32_t glyphs[] = {g->warn, g->error, g->waiting, g->ok};
    *role = roles[rank(i)];
    if (i->status == SM_RULE_STOPPED && !i->triggered) {
        *role = SM_ROLE_DIM;
        return g->ended;
    }
    return glyphs[rank(i)];
}

/* "@3900", "@3900..4200 x31" */
static void add_steps(struct sm_str *out, const struct sm_rule_instance *i, const struct sm_glyphs *g)
{
    char times[4];
    if (i->triggered)
        sm_str_printf(out, "@%lld", (long long)i->first_fired);
    if (i->last_fired > i->first_fired)
        sm_str_printf(out, "..%lld", (long long)i->last_fired);
    if (i->triggered > 1) {
        sm_str_addc(out, ' ');
        sm_str_addn(out, times, sm_utf8_encode(g->times, times));
        sm_str_printf(out, "%llu", (unsigned long long)i->triggered);
    }
    if (!i->triggered && i->status != SM_RULE_NO_ISSUES)
        sm_str_add(out, sm_rule_status_name(i->status));
}

static void add_what(struct sm_str *out, const struct sm_rules *r, const struct sm_rule_instance *i)
{
    const struct sm_finding *f = i->n_findings ? &i->findings[0] : NULL;
    if (f && f->tensor) {
        sm_str_add_escaped(out, f->tensor, strlen(f->tensor));
        sm_str_add(out, ": ");
    }
    if (f)
        sm_str_add_escaped(out, f->text, strlen(f->text));
    else
        sm_rule_reason(r, i, out);
}

struct columns {
    int name, steps;                     /* with the gap behind them */
};

/* As wide as what stands in them, in w. */
static struct columns columns_of(const struct sm_rules *r, int w, const struct sm_glyphs *g)
{
    struct columns c = {0};
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *x = sm_rules_item(r, i);
        struct sm_str steps = {0};
        add_steps(&steps, x, g);
        int name = (int)sm_text_width(x->name, strlen(x->name)) + 2, width = (int)sm_text_width(sm_str_text(&steps), steps.len) + 2;
        c.name = name > c.name ? name : c.name;
        c.steps = width > c.steps ? width : c.steps;
        sm_str_clear(&steps);
    }
    int most = w / 2 < NAME_W ? w / 2 : NAME_W;
    c.name = c.name > most ? most : c.name;
    c.steps = c.steps > w / 4 ? w / 4 : c.steps;
    return c;
}

static void draw_row(const struct sm_view *v, const struct sm_rules *r, const struct sm_rule_instance *i, struct columns c,
                     struct sm_grid *g, struct sm_rect at)
{
    enum sm_role role, quiet = i->triggered ? SM_ROLE_TEXT : SM_ROLE_DIM;
    struct sm_str steps = {0}, what = {0}, name = {0};
    uint32_t glyph = glyph_of(i, v->glyphs, &role);
    int x = at.x + 3, w = at.w - 4;
    sm_elide_name(&name, i->name, c.name - 1, v->glyphs);
    add_steps(&steps, i, v->glyphs);
    add_what(&what, r, i);
    sm_grid_put(g, at.x + 1, at.y, glyph, role, i->triggered ? SM_ATTR_BOLD : 0);
    sm_grid_text(g, x, at.y, c.name, quiet, i->triggered ? SM_ATTR_BOLD : 0, sm_str_text(&name));
    sm_cut_text(g, x + c.name, at.y, what.len ? c.steps - 1 : w - c.name, SM_ROLE_TEXT, sm_str_text(&steps), v->glyphs);
    sm_cut_text(g, x + c.name + c.steps, at.y, w - c.name - c.steps, quiet, sm_str_text(&what), v->glyphs);
    sm_str_clear(&steps);
    sm_str_clear(&what);
    sm_str_clear(&name);
}

/* Text that goes on in the next rows, cut in the last one. */
static void draw_wrapped(const struct sm_view *v, struct sm_grid *g, struct sm_rect at, const struct sm_str *text)
{
    const char *rest = sm_str_text(text);
    for (int y = 0; y + 1 < at.h; y++) {
        size_t n = sm_wrap_line(rest, strlen(rest), at.w);
        sm_grid_printf(g, at.x, at.y + y, at.w, SM_ROLE_DIM, 0, "%.*s", (int)n, rest);
        rest += n + (rest[n] == ' ');
    }
    sm_cut_text(g, at.x, at.y + at.h - 1, at.w, SM_ROLE_DIM, rest, v->glyphs);
}

/* "2 more fired: Overfit DeadRelu, 4 quiet"; "12 rules quiet: VanishingGradient DeadRelu ..." */
static void draw_rest(const struct sm_view *v, const struct sm_rules *r, size_t from, struct sm_grid *g,
                      struct sm_rect at)
{
    size_t n = sm_rules_count(r), fired = from;
    struct sm_str text = {0};
    while (fired < n && row_at(r, fired)->triggered)
        fired++;
    if (fired > from)
        sm_str_printf(&text, "%zu more fired:", fired - from);
    else
        sm_str_printf(&text, "%zu rules quiet:", n - from);
    for (size_t k = from; k < (fired > from ? fired : n); k++)
        sm_str_printf(&text, " %s", row_at(r, k)->name);
    if (fired > from && fired < n)
        sm_str_printf(&text, ", %zu quiet", n - fired);
    uint32_t glyph = fired > from ? v->glyphs->warn : v->glyphs->ok;
    sm_grid_put(g, at.x + 1, at.y, glyph, fired > from ? SM_ROLE_PROBLEM : SM_ROLE_OK, 0);
    draw_wrapped(v, g, (struct sm_rect){at.x + 3, at.y, at.w - 4, at.h}, &text);
    sm_str_clear(&text);
}

/* Of n rules in h rows, those with a row of their own: all; else those that are not quiet, as far as the last row, which
 * tells of the rest. */
static size_t rows_of_their_own(const struct sm_rules *r, size_t n, size_t h)
{
    size_t k = 0;
    if (n <= h)
        return n;
    while (k + 1 < h && rank(row_at(r, k)) < QUIET)
        k++;
    return k;
}

static void draw(struct sm_panel *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused,
                 struct sm_str *note)
{
    struct state *s = p->state;
    const struct sm_rules *rules = rules_of(v);
    size_t n = rules ? sm_rules_count(rules) : 0, h = r.h > 0 ? (size_t)r.h : 0;
    sm_rows_show(&s->rows, n, r.h);
    size_t top = focused ? s->rows.top : 0;
    size_t rows = focused || !h ? h : rows_of_their_own(rules, n, h);
    struct columns columns = n ? columns_of(rules, r.w - 4, v->glyphs) : (struct columns){0};
    for (size_t y = 0; y < rows && top + y < n; y++) {
        struct sm_rect at = {r.x, r.y + (int)y, r.w, 1};
        draw_row(v, rules, row_at(rules, top + y), columns, g, at);
        if (focused && top + y == s->rows.cursor)
            sm_grid_attr(g, at, SM_ATTR_REVERSE);
    }
    if (!focused && rows < n && h)
        draw_rest(v, rules, rows, g, (struct sm_rect){r.x, r.y + (int)rows, r.w, r.h - (int)rows});
    if (!n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "no rule is attached: \"rule auto\" attaches those that fit");
    if (focused)
        sm_rows_note(&s->rows, n, note);
    if (note->len)
        sm_str_printf(note, "  %zu fired", sm_rules_fired(rules));
    else if (n)
        sm_str_printf(note, "%zu of %zu fired", sm_rules_fired(rules), n);
}

/* ---- actions ---- */

static bool act(struct sm_panel *p, struct sm_view *v, enum sm_action a)
{
    struct state *s = p->state;
    const struct sm_rules *r = rules_of(v);
    size_t n = r ? sm_rules_count(r) : 0;
    if (a != SM_ACT_OPEN)
        return sm_rows_act(&s->rows, n, a);
    if (s->rows.cursor < n)
        sm_open_rule(v, row_at(r, s->rows.cursor)->name, -1);
    return true;
}

static void click(struct sm_panel *p, struct sm_view *v, int y)
{
    const struct sm_rules *r = rules_of(v);
    sm_rows_click(&((struct state *)p->state)->rows, r ? sm_rules_count(r) : 0, y);
}

static const enum sm_action own[] = {SM_ACT_NONE};

const struct sm_panel_ops sm_panel_rules = {
    .name = "rules",
    .title = "rules",
    .help =
        "The rules that judge the run: those that fired first, with the step, the tensor and the number. Enter explains a rule and\n"
        "moves the other panes to its tensor and step.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "Enter explain", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 1,
    .wanted = wanted,
    .draw = draw,
    .act = act,
    .click = click,
};
