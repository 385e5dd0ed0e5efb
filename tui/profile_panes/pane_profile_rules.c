/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules of the profile say, whether they are attached or not. */
#include "commands/language/command_line.h"
#include "commands/profile/profile_rules.h"
#include "reader/trial.h"
#include "tui/panes/answer_view.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum rank { FIRED, WRONG, WAITS, QUIET, NO_DATA };
/* What the rows are made of. */
struct judged {
    struct sm_profile_rules rules;
    const struct sm_glyphs *glyphs;
};
struct state {
    struct sm_answer_rows rows; /* the first: helpers take it for the state */
    struct judged judged;
    struct sm_answer_view report; /* of a report alone */
};

static bool is_report(const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    return t && strcmp(sm_trial_kind_name(t), "profile_report") == 0;
}

static const struct sm_column report_columns[] = {
    {.key = "rule", .header = "RULE"},
    {.key = "status", .header = "STATUS"},
    {.key = "rule_triggered", .header = "FIRED", .format = SM_COL_NUMBER},
    {.key = "violations", .header = "VIOLATIONS", .format = SM_COL_NUMBER},
    {.key = "datapoints", .header = "POINTS", .format = SM_COL_NUMBER},
};

static const struct sm_column columns[] = {
    {.key = "label", .header = "  RULE"},
    {.key = "status", .header = "STATUS"},
    {.key = "rule_triggered", .header = "FIRED", .format = SM_COL_NUMBER},
    {.key = "datapoints", .header = "POINTS", .format = SM_COL_NUMBER},
    {.key = "worst", .header = "WORST"},
};

/* ---- rows ---- */

static enum rank rank_of(const struct sm_rule_instance *i, const struct sm_profile *p)
{
    return i->triggered                       ? FIRED
           : i->status == SM_RULE_ERROR       ? WRONG
           : !i->rule->suits_profile(p)       ? NO_DATA
           : i->status == SM_RULE_IN_PROGRESS ? WAITS
                                              : QUIET;
}

/* These two never fire: other panes have what they sum up. */
static bool is_listed(const struct sm_rule_instance *i)
{
    return i->rule != &sm_rule_overall_system_usage &&
           i->rule != &sm_rule_overall_framework_metrics;
}

/* The finding that is farthest from its limit. */
static const struct sm_finding *worst_of(const struct sm_rule_instance *i)
{
    const struct sm_finding *worst = NULL;
    for (size_t k = 0; k < i->n_findings; k++) {
        const struct sm_finding *f = &i->findings[k];
        if (f->violated &&
            (!worst || fabs(f->value - f->limit) > fabs(worst->value - worst->limit)))
            worst = f;
    }
    return worst;
}

static void add_row(struct sm_answer_making *m, const struct sm_profile *p,
                    const struct sm_rule_instance *i, enum rank rank)
{
    const struct sm_glyphs *g = ((const struct judged *)m->with)->glyphs;
    const uint32_t marks[] = {[FIRED] = g->warn,
                              [WRONG] = g->error,
                              [WAITS] = g->waiting,
                              [QUIET] = g->ok,
                              [NO_DATA] = ' '};
    const struct sm_finding *f = worst_of(i);
    struct sm_str text = {0};
    char mark[4];
    sm_profile_rule_row(&m->result, m->list, i, p);
    sm_str_addn(&text, mark, sm_utf8_encode(marks[rank], mark));
    sm_str_printf(&text, " %s", i->rule->class_name);
    sm_node_text(&m->result, m->list->last, "label", sm_str_text(&text));
    sm_str_truncate(&text, 0);
    if (f && f->node)
        sm_str_printf(&text, "%s ", f->node);
    sm_str_add(&text, f ? f->text : "");
    sm_node_text(&m->result, m->list->last, "worst", sm_str_text(&text));
    sm_node_int(&m->result, m->list->last, "rank", rank);
    sm_str_clear(&text);
}

/* Those that have fired first, the most often fired before others. */
static bool add_part(struct sm_answer_making *m, const struct sm_profile *p)
{
    const struct judged *j = m->with;
    const struct sm_rule_instance *sorted[SM_PROFILE_RULES];
    size_t n = 0;
    if (m->part)
        return false;
    for (size_t k = 0; k < SM_PROFILE_RULES; k++) {
        const struct sm_rule_instance *i = j->rules.items[k];
        size_t at = is_listed(i) ? n++ : n;
        if (at == n)
            continue;
        for (; at && (rank_of(i, p) < rank_of(sorted[at - 1], p) ||
                      (rank_of(i, p) == rank_of(sorted[at - 1], p) &&
                       i->triggered > sorted[at - 1]->triggered));
             at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = i;
    }
    for (size_t k = 0; k < n; k++)
        add_row(m, p, sorted[k], rank_of(sorted[k], p));
    return true;
}

/* The status in its colour; what has not judged is dim. */
static enum sm_role role_of(const struct sm_node *row, const struct sm_column *c)
{
    static const enum sm_role roles[] = {[FIRED] = SM_ROLE_PROBLEM,
                                         [WRONG] = SM_ROLE_WARN,
                                         [WAITS] = SM_ROLE_WARN,
                                         [QUIET] = SM_ROLE_OK,
                                         [NO_DATA] = SM_ROLE_DIM};
    int64_t rank = sm_node_get(row, "rank")->i;
    bool status = strcmp(c->key, "status") == 0 || strcmp(c->key, "label") == 0;
    return rank == NO_DATA ? SM_ROLE_DIM : status ? roles[rank] : SM_ROLE_TEXT;
}

/* ---- the pane ---- */

static void init_profile_rules(struct sm_pane *p, struct sm_view *v)
{
    struct state *s = p->state;
    (void)v;
    s->rows.with = &s->judged;
    s->rows.table.role = role_of;
}

static void draw_profile_rules(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                               struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_look look = {
        add_part, {columns, sizeof columns / sizeof *columns}, NULL, "", NULL};
    struct state *s = p->state;
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    size_t fired = 0;
    if (is_report(v)) {
        const struct sm_answer_view_look report = {
            .line = "profile rules",
            .columns = {report_columns, sizeof report_columns / sizeof *report_columns, 3},
            .nothing = "the report has no rules"};
        sm_answer_view_draw(&s->report, v, &report, g, r, focused, note);
        return;
    }
    if (x && !sm_profile_is_read(x)) {
        sm_profile_say(v, g, r, "reading the profile");
        sm_profile_note(x, note);
        return;
    }
    if (x && !sm_profile_rules_judge(v->session, SM_PROFILE_COMPLETE, false, &s->judged.rules))
        p->unfinished = true;
    s->judged.glyphs = v->glyphs;
    s->rows.stale = true;
    if (!sm_answer_pane_draw(p, v, &look, g, r, focused, note))
        return;
    for (size_t k = 0; k < SM_PROFILE_RULES; k++)
        fired += s->judged.rules.items[k]->triggered > 0;
    sm_str_printf(note, "%s%zu fired", note->len ? "  " : "", fired);
}

static bool act_on_profile_rules(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    struct sm_str line = {0};
    bool report = is_report(v);
    if (a != SM_ACT_OPEN)
        return report ? sm_answer_view_act(&s->report, v, a) : sm_answer_pane_act(p, v, a);
    const struct sm_node *row = sm_node_rows_chosen(report ? &s->report.table : &s->rows.table);
    if (!row)
        return true;
    const struct sm_text name = sm_node_get(row, "rule")->text;
    sm_str_add(&line, "profile rule ");
    sm_line_quote(&line, name.p, name.n);
    sm_view_run(v, sm_str_text(&line));
    sm_str_clear(&line);
    return true;
}

static void click_profile_rules(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    if (is_report(v))
        sm_answer_view_click(&s->report, v, y);
    else
        sm_answer_pane_click(p, v, y);
}

static void clear_profile_rules(struct sm_pane *p)
{
    sm_answer_view_clear(&((struct state *)p->state)->report);
    sm_answer_pane_clear(p);
}

const struct sm_pane_ops sm_pane_profile_rules = {
    .name = "profile-rules",
    .title = "rules of the profile",
    .help = "What the rules of the group profiler say of this profile, whether they are attached "
            "or not: status, how often each has fired, its data points, and the worst that it has "
            "found. Those that have fired come first; what the profile has no data for is dim. "
            "Enter shows the details of a rule, with its box plots, and what to do. The command: "
            "profile rules.",
    .context = SM_CTX_LIST,
    .own = sm_answer_pane_keys,
    .hints = {"? help", ": command", "Enter details", "< > sort", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 3,
    .init = init_profile_rules,
    .clear = clear_profile_rules,
    .forget = clear_profile_rules,
    .draw = draw_profile_rules,
    .act = act_on_profile_rules,
    .click = click_profile_rules,
};
