/* SPDX-License-Identifier: Apache-2.0 */
/* The rules attached to the trial: those that fired first, the quiet ones in one line if there is
 * little space. */
#include "commands/judge/session_rules.h"
#include "commands/language/command_line.h"
#include "plot/table.h"
#include "plot/wrap.h"
#include "tui/panes/listing.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"
#include "tui/panes/rule_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_W = 26 }; /* at most */
struct state {
    struct sm_rows rows;
    struct sm_rule_rows lines;
};

static struct sm_rules *rules_of(const struct sm_view *v)
{
    struct sm_session *s = v->session;
    return s->current < s->n_trials ? sm_session_rules_at(s, s->current) : NULL;
}

static void init_rules(struct sm_pane *p, struct sm_view *v)
{
    struct state *s = p->state;
    (void)v;
    sm_rule_rows_init(&s->lines);
}

static void clear_rules(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_rule_rows_clear(&s->lines);
}

static void forget_rules(struct sm_pane *p)
{
    sm_rule_rows_forget(&((struct state *)p->state)->lines);
}

static const struct sm_rule_rows *lines_of(const struct sm_pane *p, const struct sm_view *v)
{
    struct state *s = p->state;
    sm_rule_rows_read(&s->lines, v->session);
    return &s->lines;
}

static bool has_rules(const struct sm_pane *p, const struct sm_view *v)
{
    return lines_of(p, v)->n > 0;
}

/* ---- drawing ---- */

static uint32_t glyph_of(const struct sm_rule_row *r, const struct sm_glyphs *g, enum sm_role *role)
{
    static const enum sm_role roles[] = {SM_ROLE_PROBLEM, SM_ROLE_WARN, SM_ROLE_DIM, SM_ROLE_OK};
    const uint32_t glyphs[] = {g->warn, g->error, g->waiting, g->ok};
    int rank = sm_rule_row_rank(r);
    *role = roles[rank];
    if (rank && r->attached->status == SM_RULE_STOPPED) {
        *role = SM_ROLE_DIM;
        return g->ended;
    }
    return glyphs[rank];
}

static void add_span(struct sm_str *out, int64_t first, int64_t last, uint64_t times,
                     const struct sm_glyphs *g)
{
    char sign[4];
    if (first < 0) /* a moment before the first step, or of no step */
        sm_str_addc(out, '-');
    else
        sm_str_printf(out, "@%lld", (long long)first);
    if (last > first && first >= 0)
        sm_str_printf(out, "..%lld", (long long)last);
    if (times > 1) {
        sm_str_addc(out, ' ');
        sm_str_addn(out, sign, sm_utf8_encode(g->times, sign));
        sm_str_printf(out, "%llu", (unsigned long long)times);
    }
}

/* Adds "@3900" or "@3900..4200 x31". */
static void add_steps(struct sm_str *out, const struct sm_rule_row *r, const struct sm_glyphs *g)
{
    const struct sm_rule_instance *i = r->attached;
    if (r->saved) {
        const struct sm_node *last = sm_node_get(r->saved, "last_step");
        int64_t first = sm_node_get(r->saved, "first_step")->i;
        add_span(out, first, last->type == SM_NODE_INT ? last->i : first,
                 (uint64_t)sm_node_get(r->saved, "triggered")->i, g);
    } else if (i->triggered) {
        add_span(out, i->first_fired, i->last_fired, i->triggered, g);
    } else if (i->status != SM_RULE_NO_ISSUES) {
        sm_str_add(out, sm_rule_status_name(i->status));
    }
}

static void add_saved(struct sm_str *out, const struct sm_node *row)
{
    const struct sm_node *tensor = sm_node_get(row, "tensor"), *what = sm_node_get(row, "what");
    sm_str_add(out, "when saved: ");
    if (tensor->type == SM_NODE_TEXT) {
        sm_str_add_escaped(out, tensor->text.p, tensor->text.n);
        sm_str_add(out, ": ");
    }
    if (what->type == SM_NODE_TEXT)
        sm_str_add_escaped(out, what->text.p, what->text.n);
}

static void add_finding(struct sm_str *out, const struct sm_rules *r, const struct sm_rule_row *row)
{
    const struct sm_rule_instance *i = row->attached;
    if (row->saved) {
        add_saved(out, row->saved);
        return;
    }
    const struct sm_finding *f = i->n_findings ? &i->findings[0] : NULL;
    if (f && f->worker && sm_trial_worker_count(sm_rules_trial(r)) > 1) {
        sm_str_add_escaped(out, f->worker, strlen(f->worker));
        sm_str_add(out, ": ");
    }
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
    int name, steps; /* including the gap after them */
};

/* Column widths that fit the texts, within w columns. */
static struct columns columns_of(const struct sm_rule_rows *r, int w, const struct sm_glyphs *g)
{
    struct columns c = {0};
    for (size_t i = 0; i < r->n; i++) {
        const char *text = sm_rule_row_name(&r->items[i]);
        struct sm_str steps = {0};
        add_steps(&steps, &r->items[i], g);
        int name = (int)sm_text_width(text, strlen(text)) + 2,
            width = (int)sm_text_width(sm_str_text(&steps), steps.len) + 2;
        c.name = name > c.name ? name : c.name;
        c.steps = width > c.steps ? width : c.steps;
        sm_str_clear(&steps);
    }
    int most = w / 2 < NAME_W ? w / 2 : NAME_W;
    c.name = c.name > most ? most : c.name;
    c.steps = c.steps > w / 4 ? w / 4 : c.steps;
    return c;
}

static void draw_row(const struct sm_view *v, const struct sm_rule_row *row, struct columns c,
                     struct sm_grid *g, struct sm_rect at)
{
    bool fired = !sm_rule_row_rank(row);
    enum sm_role role, quiet = fired ? SM_ROLE_TEXT : SM_ROLE_DIM;
    struct sm_str steps = {0}, what = {0}, name = {0};
    uint32_t glyph = glyph_of(row, v->glyphs, &role);
    int x = at.x + 3, w = at.w - 4;
    sm_elide_name(&name, sm_rule_row_name(row), c.name - 1, v->glyphs);
    add_steps(&steps, row, v->glyphs);
    add_finding(&what, rules_of(v), row);
    sm_grid_put(g, at.x + 1, at.y, glyph, role, fired ? SM_ATTR_BOLD : 0);
    sm_grid_text(g, x, at.y, c.name, quiet, fired ? SM_ATTR_BOLD : 0, sm_str_text(&name));
    sm_cut_text(g, x + c.name, at.y, what.len ? c.steps - 1 : w - c.name, SM_ROLE_TEXT,
                sm_str_text(&steps), v->glyphs);
    sm_cut_text(g, x + c.name + c.steps, at.y, w - c.name - c.steps, quiet, sm_str_text(&what),
                v->glyphs);
    sm_str_clear(&steps);
    sm_str_clear(&what);
    sm_str_clear(&name);
}

/* Text wrapped over several rows, cut in the last one. */
static void draw_wrapped(const struct sm_view *v, struct sm_grid *g, struct sm_rect at,
                         const struct sm_str *text)
{
    const char *rest = sm_str_text(text);
    for (int y = 0; y + 1 < at.h; y++) {
        size_t n = sm_wrap_text(rest, at.w);
        sm_grid_printf(g, at.x, at.y + y, at.w, SM_ROLE_DIM, 0, "%.*s", (int)n, rest);
        rest += n + (rest[n] == ' ');
    }
    sm_cut_text(g, at.x, at.y + at.h - 1, at.w, SM_ROLE_DIM, rest, v->glyphs);
}

/* True if none of the rules from row `from` on has judged a step yet. */
static bool none_has_judged(const struct sm_rule_rows *r, size_t from)
{
    for (size_t k = from; k < r->n; k++)
        if (!r->items[k].attached || sm_rule_has_judged(r->items[k].attached))
            return false;
    return true;
}

/* Draws "2 more fired: Overfit DeadRelu, 4 quiet", "12 rules quiet: VanishingGradient DeadRelu ..."
 * or "3 rules wait: ...". */
static void draw_rest(const struct sm_view *v, const struct sm_rule_rows *r, size_t from,
                      struct sm_grid *g, struct sm_rect at)
{
    size_t n = r->n, fired = from;
    struct sm_str text = {0};
    bool wait = none_has_judged(r, from);
    while (fired < n && !sm_rule_row_rank(&r->items[fired]))
        fired++;
    if (fired > from)
        sm_str_printf(&text, "%zu more fired:", fired - from);
    else
        sm_str_printf(&text, "%zu rules %s:", n - from, wait ? "wait" : "quiet");
    for (size_t k = from; k < (fired > from ? fired : n); k++)
        sm_str_printf(&text, " %s", sm_rule_row_name(&r->items[k]));
    if (fired > from && fired < n)
        sm_str_printf(&text, ", %zu quiet", n - fired);
    uint32_t glyph = fired > from ? v->glyphs->warn : wait ? v->glyphs->waiting : v->glyphs->ok;
    sm_grid_put(g, at.x + 1, at.y, glyph,
                fired > from ? SM_ROLE_PROBLEM
                : wait       ? SM_ROLE_DIM
                             : SM_ROLE_OK,
                0);
    draw_wrapped(v, g, (struct sm_rect){at.x + 3, at.y, at.w - 4, at.h}, &text);
    sm_str_clear(&text);
}

/* The number of rules that get a row each: all of them if they fit into h rows, else those that are
 * not quiet. The last row summarizes the rest. */
static size_t count_single_rows(const struct sm_rule_rows *r, size_t h)
{
    size_t k = 0;
    if (r->n <= h)
        return r->n;
    while (k + 1 < h && sm_rule_row_rank(&r->items[k]) < SM_RULE_QUIET)
        k++;
    return k;
}

/* Adds "2 of 12 fired, 1 when saved". */
static void add_note(const struct sm_rule_rows *lines, const struct sm_rules *rules,
                     struct sm_str *note)
{
    size_t n = rules ? sm_rules_count(rules) : 0;
    if (note->len)
        sm_str_printf(note, "  %zu fired", rules ? sm_rules_fired(rules) : 0);
    else if (n)
        sm_str_printf(note, "%zu of %zu fired", sm_rules_fired(rules), n);
    if (lines->n_saved)
        sm_str_printf(note, "%s%zu when saved", note->len ? ", " : "", lines->n_saved);
}

static void draw_rules(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                       struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    const struct sm_rule_rows *lines = lines_of(p, v);
    size_t n = lines->n, h = r.h > 0 ? (size_t)r.h : 0;
    sm_rows_show(&s->rows, n, r.h);
    size_t top = focused ? s->rows.top : 0;
    size_t rows = focused || !h ? h : count_single_rows(lines, h);
    struct columns columns = columns_of(lines, r.w - 4, v->glyphs);
    for (size_t y = 0; y < rows && top + y < n; y++) {
        struct sm_rect at = {r.x, r.y + (int)y, r.w, 1};
        draw_row(v, &lines->items[top + y], columns, g, at);
        if (focused && top + y == s->rows.cursor)
            sm_grid_attr(g, at, SM_ATTR_REVERSE);
    }
    if (!focused && rows < n && h)
        draw_rest(v, lines, rows, g, (struct sm_rect){r.x, r.y + (int)rows, r.w, r.h - (int)rows});
    if (!n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0,
                     "no rules attached; \"rule auto\" attaches the applicable ones");
    if (focused)
        sm_rows_note(&s->rows, n, note);
    add_note(lines, rules_of(v), note);
}

/* ---- actions ---- */

/* Explains the current finding, or the finding saved in the archive. */
static void open_row(struct sm_view *v, const struct sm_rule_row *row)
{
    const char *name = sm_rule_row_name(row);
    struct sm_str line = {0};
    if (!row->saved) {
        sm_open_rule(v, name, -1);
        return;
    }
    sm_str_add(&line, "explain ");
    sm_line_quote(&line, name, strlen(name));
    sm_view_run(v, sm_str_text(&line));
    sm_str_clear(&line);
}

static bool act_on_rules(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    const struct sm_rule_rows *lines = lines_of(p, v);
    if (a != SM_ACT_OPEN)
        return sm_rows_act(&s->rows, lines->n, a);
    if (s->rows.cursor < lines->n)
        open_row(v, &lines->items[s->rows.cursor]);
    return true;
}

static void click_rules(struct sm_pane *p, struct sm_view *v, int y)
{
    sm_rows_click(&((struct state *)p->state)->rows, lines_of(p, v)->n, y);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_rules = {
    .name = "rules",
    .title = "rules",
    .help = "The attached rules. Those that fired come first, with step, tensor and number. Enter "
            "explains a rule and moves the other panes to its tensor and step. Findings marked "
            "\"when saved\" are stored in the archive, and the rule does not find them in the "
            "archive now.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "Enter explain", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 1,
    .init = init_rules,
    .clear = clear_rules,
    .forget = forget_rules,
    .wanted = has_rules,
    .draw = draw_rules,
    .act = act_on_rules,
    .click = click_rules,
};
