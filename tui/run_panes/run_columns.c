/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/run_panes/run_columns.h"

#include "commands/runs/config_columns.h"
#include "commands/session/trial_list.h"
#include "reader/base/mem.h"
#include "tui/panes/baseline.h"

#include <math.h>
#include <string.h>

enum {
    NAME_MIN_W = 10,
    NAME_MAX_W = 40,
    HEADER_MAX_W = 12,
    TEXT_MAX_W = 40,
    ISSUE_W = 12,
    DIGITS = 4
};

static const struct {
    const char *header, *sort;
    int least, most; /* columns; least 0: as wide as its text */
    bool left;
} kinds[SM_RUN_COL_KINDS] = {
    [SM_RUN_COL_STATE] = {"STATE", "state", 0, 10, true},
    [SM_RUN_COL_AGE] = {"AGE", "age", 8, 8, false},
    [SM_RUN_COL_STEPS] = {"STEPS", "steps", 0, 10, false},
    [SM_RUN_COL_STEP] = {"STEP", "step", 0, 12, false},
    [SM_RUN_COL_RATE] = {"STEPS/S", "rate", 0, 10, false},
    [SM_RUN_COL_METRIC] = {"METRIC", "newest", 0, HEADER_MAX_W, false},
    [SM_RUN_COL_DIFF] = {"DIFF", NULL, 8, 8, false},
    [SM_RUN_COL_BEST] = {"BEST", "best", 0, HEADER_MAX_W, false},
    [SM_RUN_COL_AT] = {"AT", "best_step", 0, 12, false},
    [SM_RUN_COL_EXTRA] = {"", NULL, 0, HEADER_MAX_W, false},
    [SM_RUN_COL_KEY] = {"", NULL, 0, HEADER_MAX_W, false},
    [SM_RUN_COL_TREND] = {"TREND", "trend", 6, 12, true},
    [SM_RUN_COL_ISSUE] = {"RULES", "rules", 0, ISSUE_W, true},
    [SM_RUN_COL_KIND] = {"KIND", "kind", 0, 13, true},
    [SM_RUN_COL_PATH] = {"PATH", "path", 0, TEXT_MAX_W, true},
};

/* ---- texts ---- */

static void add_number(struct sm_str *out, bool known, double v)
{
    char text[32];
    if (!known) {
        sm_str_addc(out, '-');
        return;
    }
    sm_format_double(v, DIGITS, text);
    sm_str_add(out, text);
}

static void add_step(struct sm_str *out, bool known, int64_t step)
{
    if (known)
        sm_str_printf(out, "%lld", (long long)step);
    else
        sm_str_addc(out, '-');
}

static const char *state_word(const struct sm_trial *t)
{
    return !sm_trial_scanned(t)  ? "reading"
           : sm_trial_emptied(t) ? "deleted"
                                 : sm_trial_state_word(t);
}

static void add_age(const struct sm_view *v, const struct sm_trial *t, struct sm_str *out)
{
    char text[32];
    if (!sm_trial_newest_us(t))
        return;
    sm_format_age(v->now_us - sm_trial_newest_us(t), text);
    sm_str_add(out, text);
}

static void add_rate(const struct sm_trial *t, struct sm_str *out)
{
    char text[32];
    double rate = sm_trial_steps_per_second(t);
    if (!isfinite(rate) || sm_trial_state(t) != SM_TRIAL_LIVE)
        return;
    sm_format_rate(rate, text);
    sm_str_add(out, text);
}

static void add_difference(const struct sm_view *v, const struct sm_run_table *t,
                           const struct sm_run_row *row, struct sm_str *out)
{
    size_t baseline;
    const struct sm_run_row *other = NULL;
    if (!sm_trials_baseline(v->session, &baseline))
        return;
    if (baseline == row->trial) {
        sm_str_add(out, "baseline");
        return;
    }
    for (size_t i = 0; i < t->n; i++)
        other = t->rows[i].trial == baseline ? &t->rows[i] : other;
    if (other && sm_run_row_comparable(t, other) && sm_run_row_comparable(t, row))
        sm_baseline_add(out, row->newest, other->newest, kinds[SM_RUN_COL_DIFF].most);
}

static void add_value(const struct sm_run_value *x, bool is_bool, struct sm_str *out)
{
    if (x->type == SM_RUN_NUMBER && is_bool)
        sm_str_add(out, x->number != 0 ? "true" : "false");
    else if (x->type == SM_RUN_NUMBER)
        add_number(out, true, x->number);
    else if (x->type == SM_RUN_TEXT)
        sm_str_add_escaped(out, x->text.p, x->text.n);
    else
        sm_str_addc(out, '-');
}

/* A key of the configuration; of a column that was added also a series. */
static void add_named(const struct sm_view *v, const struct sm_run_row *row,
                      const struct sm_run_column *c, struct sm_str *out)
{
    struct sm_arena arena = {0};
    struct sm_run_value x;
    struct sm_err err;
    bool config = sm_run_value_config(v->session, row,
                                      (struct sm_text){c->header, strlen(c->header)}, &arena, &x);
    if (!config && c->kind == SM_RUN_COL_EXTRA)
        sm_run_extra_value(v->session, row, c->header, &arena, &x, &err);
    add_value(&x, config && !x.text.n, out);
    sm_arena_clear(&arena);
}

void sm_run_column_text(const struct sm_view *v, const struct sm_run_table *t,
                        const struct sm_run_row *row, const struct sm_run_column *c,
                        struct sm_str *out)
{
    const struct sm_trial *trial = v->session->trials[row->trial].trial;
    struct sm_trial_range range = sm_trial_range(trial);
    switch (c->kind) {
    case SM_RUN_COL_STATE:
        sm_str_add(out, state_word(trial));
        break;
    case SM_RUN_COL_AGE:
        add_age(v, trial, out);
        break;
    case SM_RUN_COL_STEPS:
        sm_str_printf(out, "%llu", (unsigned long long)range.steps);
        break;
    case SM_RUN_COL_STEP:
        add_step(out, range.steps, range.last);
        break;
    case SM_RUN_COL_RATE:
        add_rate(trial, out);
        break;
    case SM_RUN_COL_METRIC:
        sm_str_add(out, row->about && sm_run_row_comparable(t, row) ? "~" : "");
        add_number(out, sm_run_row_comparable(t, row), row->newest);
        break;
    case SM_RUN_COL_DIFF:
        add_difference(v, t, row, out);
        break;
    case SM_RUN_COL_BEST:
        sm_str_add(out,
                   row->about && sm_run_row_comparable(t, row) && !isnan(row->best) ? "~" : "");
        add_number(out, sm_run_row_comparable(t, row) && !isnan(row->best), row->best);
        break;
    case SM_RUN_COL_AT:
        add_step(out, sm_run_row_comparable(t, row) && row->best_step >= 0, row->best_step);
        break;
    case SM_RUN_COL_EXTRA:
    case SM_RUN_COL_KEY:
        add_named(v, row, c, out);
        break;
    case SM_RUN_COL_ISSUE:
        if (row->worst_rule)
            sm_str_add_escaped(out, row->worst_rule, strlen(row->worst_rule));
        if (row->issues > 1)
            sm_str_printf(out, " +%zu", row->issues - 1);
        break;
    case SM_RUN_COL_KIND:
        sm_str_add(out, sm_trial_kind_name(trial));
        break;
    case SM_RUN_COL_PATH:
        sm_str_add_escaped(out, row->path, strlen(row->path));
        break;
    case SM_RUN_COL_TREND:
    case SM_RUN_COL_KINDS:
        break;
    }
}

/* ---- the plan ---- */

struct plan {
    const struct sm_view *v;
    const struct sm_run_table *table;
    size_t from, to; /* rows */
    struct sm_run_column all[SM_RUN_COLUMNS_MAX];
    size_t n;
};

static int text_w(const char *text)
{
    return (int)sm_text_width(text, strlen(text));
}

/* As wide as its texts; 0 if it has none to show. */
static int width_of(const struct plan *p, const struct sm_run_column *c)
{
    int w = 0, most = kinds[c->kind].most, header = text_w(c->header);
    struct sm_str text = {0};
    if (kinds[c->kind].least)
        return kinds[c->kind].least;
    for (size_t i = p->from; i < p->to; i++) {
        sm_str_truncate(&text, 0);
        sm_run_column_text(p->v, p->table, &p->table->rows[i], c, &text);
        int x = (int)sm_text_width(sm_str_text(&text), text.len);
        w = x > w ? x : w;
    }
    sm_str_clear(&text);
    if (!w && (c->kind == SM_RUN_COL_RATE || c->kind == SM_RUN_COL_ISSUE))
        return 0;
    header = header < HEADER_MAX_W ? header : HEADER_MAX_W;
    w = header > w ? header : w;
    return w < most ? w : most;
}

static void add_column(struct plan *p, enum sm_run_column_kind kind, const char *header,
                       const char *sort)
{
    struct sm_run_column c = {.kind = kind,
                              .header = header ? header : kinds[kind].header,
                              .sort = sort ? sort : kinds[kind].sort,
                              .left = kinds[kind].left};
    c.w = width_of(p, &c);
    if (c.w && p->n < SM_RUN_COLUMNS_MAX)
        p->all[p->n++] = c;
}

static bool is_among(const char *const *keys, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(keys[i], name) == 0)
            return true;
    return false;
}

/* The key that sorts, if it is none of those that differ, has a column, too. */
static void add_sort_key(struct plan *p, const char *const *keys, size_t n_keys)
{
    const char *sort = sm_run_view(p->v->session)->sort;
    bool there =
        !sort || !sm_run_some_config(p->v->session, p->table, sort) || is_among(keys, n_keys, sort);
    if (!there && !sm_run_extra_has(&sm_run_view(p->v->session)->extra, sort))
        add_column(p, SM_RUN_COL_KEY, sort, sort);
}

/* What the user added, and the series that sorts. */
static struct sm_run_extra add_extra(struct plan *p)
{
    const struct sm_run_view *view = sm_run_view(p->v->session);
    struct sm_run_extra extra = view->extra;
    sm_run_extra_add_sort(p->v->session, p->table, view->sort, &extra);
    for (size_t i = 0; i < extra.n; i++)
        add_column(p, SM_RUN_COL_EXTRA, extra.names[i], extra.names[i]);
    return extra;
}

static void add_columns(struct plan *p, const char *const *keys, size_t n_keys)
{
    add_column(p, SM_RUN_COL_STATE, NULL, NULL);
    if (!p->v->timeless)
        add_column(p, SM_RUN_COL_AGE, NULL, NULL);
    add_column(p, SM_RUN_COL_STEPS, NULL, NULL);
    add_column(p, SM_RUN_COL_STEP, NULL, NULL);
    if (!p->v->timeless)
        add_column(p, SM_RUN_COL_RATE, NULL, NULL);
    add_column(p, SM_RUN_COL_METRIC, p->table->metric, NULL);
    if (p->v->session->baseline)
        add_column(p, SM_RUN_COL_DIFF, NULL, NULL);
    add_column(p, SM_RUN_COL_BEST, NULL, NULL);
    add_column(p, SM_RUN_COL_AT, NULL, NULL);
    struct sm_run_extra extra = add_extra(p);
    add_sort_key(p, keys, n_keys);
    for (size_t i = 0; i < n_keys; i++)
        if (!sm_run_extra_has(&extra, keys[i]))
            add_column(p, SM_RUN_COL_KEY, keys[i], keys[i]);
    add_column(p, SM_RUN_COL_TREND, NULL, NULL);
    add_column(p, SM_RUN_COL_ISSUE, NULL, NULL);
    add_column(p, SM_RUN_COL_KIND, NULL, NULL);
    add_column(p, SM_RUN_COL_PATH, NULL, NULL);
}

static bool sorts(const struct plan *p, const struct sm_run_column *c)
{
    const char *sort = sm_run_view(p->v->session)->sort;
    return sort && c->sort && strcmp(sort, c->sort) == 0;
}

static void take_column(const struct plan *p, size_t i, int *room, bool *taken)
{
    if (taken[i] || p->all[i].w + 1 > *room)
        return;
    taken[i] = true;
    *room -= p->all[i].w + 1;
}

/* The most important that fits is taken first: what sorts, then keys one after the other. */
static void choose_columns(struct plan *p, int *room, bool *taken)
{
    static const enum sm_run_column_kind order[] = {
        SM_RUN_COL_METRIC, SM_RUN_COL_EXTRA, SM_RUN_COL_STEP, SM_RUN_COL_DIFF, SM_RUN_COL_BEST,
        SM_RUN_COL_TREND,  SM_RUN_COL_ISSUE, SM_RUN_COL_KEY,  SM_RUN_COL_AT,   SM_RUN_COL_RATE,
        SM_RUN_COL_STATE,  SM_RUN_COL_STEPS, SM_RUN_COL_AGE,  SM_RUN_COL_KIND, SM_RUN_COL_PATH};
    for (size_t i = 0; i < p->n; i++)
        if (sorts(p, &p->all[i]))
            take_column(p, i, room, taken);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < p->n; i++)
            if (p->all[i].kind == order[k])
                take_column(p, i, room, taken);
}

static int longest_name(const struct plan *p)
{
    int longest = NAME_MIN_W;
    struct sm_str name = {0};
    for (size_t i = p->from; i < p->to; i++) {
        const char *text = p->table->rows[i].name;
        sm_str_truncate(&name, 0);
        sm_str_printf(&name, "%zu ", p->table->rows[i].trial + 1);
        sm_str_add_escaped(&name, text, strlen(text));
        int w = (int)sm_text_width(sm_str_text(&name), name.len);
        longest = w > longest ? w : longest;
    }
    sm_str_clear(&name);
    return longest < NAME_MAX_W ? longest : NAME_MAX_W;
}

/* What differs between all runs of the session that are listed: a filter does not take away the
 * column that it is about. */
static size_t keys_that_differ(const struct sm_view *v, const char **keys, size_t *all)
{
    const struct sm_session *s = v->session;
    struct sm_run_table every = {.rows =
                                     sm_xalloc_zero(s->n_trials + 1, sizeof(struct sm_run_row))};
    for (size_t i = 0; i < s->n_trials; i++)
        if (!s->trials[i].unlisted || sm_run_view(s)->unlisted)
            every.rows[every.n++].trial = i;
    size_t n = sm_run_table_differs(s, &every, keys, SM_RUN_KEYS, all);
    sm_free(every.rows);
    return n;
}

void sm_run_columns_plan(const struct sm_view *v, const struct sm_run_table *t, size_t from, int h,
                         int w, struct sm_run_columns *out)
{
    struct plan p = {.v = v, .table = t, .from = from < t->n ? from : t->n};
    const char *keys[SM_RUN_KEYS];
    bool taken[SM_RUN_COLUMNS_MAX] = {false};
    size_t all, n_keys = keys_that_differ(v, keys, &all), shown = 0;
    p.to = p.from + (size_t)h < t->n ? p.from + (size_t)h : t->n;
    add_columns(&p, keys, n_keys);
    int name = longest_name(&p), least = w / 4 > NAME_MIN_W ? w / 4 : NAME_MIN_W;
    least = name < least ? name : least;
    int room = w - SM_RUN_HEAD_W - least;
    *out = (struct sm_run_columns){0};
    choose_columns(&p, &room, taken);
    for (size_t i = 0; i < p.n; i++)
        if (taken[i]) {
            out->items[out->n++] = p.all[i];
            shown += p.all[i].kind == SM_RUN_COL_KEY ||
                     (p.all[i].kind == SM_RUN_COL_EXTRA && is_among(keys, n_keys, p.all[i].header));
        }
    out->more_keys = all > shown ? all - shown : 0;
    room = (room > 0 ? room : 0) + (w - SM_RUN_HEAD_W < least ? w - SM_RUN_HEAD_W - least : 0);
    out->name_w = least + room < name ? least + room : name;
    for (size_t i = 0; i < out->n && room > name - least; i++)
        if (out->items[i].kind == SM_RUN_COL_ISSUE)
            out->items[i].w += (room - (name - least)) < ISSUE_W ? room - (name - least) : ISSUE_W;
}
