/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_order.h"

#include "commands/runs/config_columns.h"
#include "commands/runs/config_key.h"
#include "commands/runs/run_metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct run_key {
    struct sm_run_row row;
    struct sm_run_value value;
    size_t place;
    bool missing;
    bool diverged; /* sorted by the best value, it comes after those that have not */
    int sign;      /* -1: reversed */
};

static int compare_keys(const void *a, const void *b)
{
    const struct run_key *x = a, *y = b;
    int order = 0;
    bool x_text = x->value.type == SM_RUN_TEXT, y_text = y->value.type == SM_RUN_TEXT;
    if (x->missing || y->missing)
        order = x->missing - y->missing;
    else if (x->diverged != y->diverged)
        order = x->diverged - y->diverged;
    else if (x_text && y_text)
        order = x->sign * sm_natural_cmp(x->value.text.p, y->value.text.p);
    else if (x_text || y_text)
        order = x_text - y_text;
    else
        order =
            x->sign * ((x->value.number > y->value.number) - (x->value.number < y->value.number));
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* ---- names of columns ---- */

/* Headers of the command and of the pane; field: what they show, NULL: the field of that name. */
static const struct {
    const char *name, *field;
} columns[] = {
    {"run", NULL},       {"state", NULL},       {"age", NULL},       {"steps", NULL},
    {"step", NULL},      {"rate", NULL},        {"newest", NULL},    {"best", NULL},
    {"best_step", NULL}, {"trend", NULL},       {"rules", NULL},     {"issues", NULL},
    {"kind", NULL},      {"path", NULL},        {"errors", NULL},    {"first_step", NULL},
    {"name", "run"},     {"last_step", "step"}, {"steps/s", "rate"}, {"metric", "newest"},
    {"diff", "newest"},  {"at", "best_step"},   {"issue", "rules"},  {"worst_rule", "rules"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *field_of(const char *name)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcasecmp(columns[i].name, name) == 0)
            return columns[i].field ? columns[i].field : columns[i].name;
    return NULL;
}

bool sm_run_is_field(const char *name)
{
    return field_of(name) != NULL;
}

bool sm_run_some_config(const struct sm_session *s, const struct sm_run_table *t, const char *key)
{
    for (size_t i = 0; i < t->n; i++)
        if (sm_config_get(&sm_trial_info(s->trials[t->rows[i].trial].trial)->config, key))
            return true;
    return false;
}

bool sm_run_some_has(const struct sm_session *s, const struct sm_run_table *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (sm_run_series_name(s->trials[t->rows[i].trial].trial, name))
            return true;
    return sm_run_some_config(s, t, name);
}

static bool no_column(const struct sm_session *s, const struct sm_run_table *t, const char *name,
                      struct sm_err *err)
{
    enum { KEYS = 6 };
    struct sm_str text = {0};
    const char *keys[KEYS];
    size_t all, n = sm_run_table_differs(s, t, keys, KEYS, &all);
    for (size_t i = 0; i < COLUMNS && !columns[i].field; i++)
        sm_str_printf(&text, "%s%s", i ? ", " : "", columns[i].name);
    for (size_t i = 0; i < n; i++) {
        sm_str_add(&text, ", ");
        sm_str_add_escaped(&text, keys[i], strlen(keys[i]));
    }
    sm_err_set(err, SM_ERR_MISSING, "No column \"%s\".  Columns: %s%s.", name, sm_str_text(&text),
               all > n ? " ..." : "");
    sm_str_clear(&text);
    return false;
}

const char *sm_run_sort_key(const struct sm_session *s, const struct sm_run_table *t,
                            const char *name, struct sm_err *err)
{
    const char *field = field_of(name);
    if (sm_run_some_has(s, t, name) || !t->n)
        return name;
    return field || no_column(s, t, name, err) ? field : NULL;
}

/* ---- order ---- */

/* Whether the largest come first. */
static bool is_rising(const struct sm_session *s, const struct sm_run_table *t, const char *key)
{
    bool metric = strcmp(key, "best") == 0 || strcmp(key, "newest") == 0 ||
                  (t->metric && strcmp(key, t->metric) == 0);
    bool series = t->n && sm_run_series_name(s->trials[t->rows[0].trial].trial, key);
    return strcmp(key, "rules") == 0 || strcmp(key, "issues") == 0 ||
           (metric && t->metric && !sm_run_metric_falls(t->metric)) ||
           (series && !metric && !sm_run_metric_falls(key));
}

/* By how bad the findings are: the worst one, then their number. */
static bool severity_value(const struct sm_run_row *row, const char *key, struct sm_run_value *out)
{
    *out = (struct sm_run_value){.type = row->issues ? SM_RUN_NUMBER : SM_RUN_MISSING,
                                 .number = (double)row->issues + (row->fatal ? 1e6 : 0)};
    return strcmp(key, "rules") == 0;
}

/* Whether it is a column of the table's metric: runs with another one have nothing there. */
static bool is_of_metric(const struct sm_run_table *t, const char *key)
{
    static const char *const names[] = {"newest", "best", "best_step", "trend"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(key, names[i]) == 0)
            return t->metric;
    return false;
}

static bool sort_rows(const struct sm_session *s, struct sm_run_table *t, const char *key,
                      bool reverse, struct sm_err *err)
{
    bool known = true;
    struct sm_arena arena = {0};
    struct sm_text name = {key, strlen(key)};
    struct run_key *keys = sm_arena_xalloc(&arena, (t->n + 1) * sizeof *keys);
    int sign = reverse != is_rising(s, t, key) ? -1 : 1;
    bool by_best = strcmp(key, "best") == 0, by_metric = is_of_metric(t, key);
    for (size_t i = 0; i < t->n; i++) {
        struct run_key *k = &keys[i];
        *k = (struct run_key){.row = t->rows[i], .place = i, .sign = sign};
        if (!severity_value(&k->row, key, &k->value) &&
            !sm_run_value_any(s, &k->row, name, &arena, &k->value))
            known = sm_run_value_series(s, &k->row, name, &k->value, err) && known;
        k->missing = k->value.type == SM_RUN_MISSING ||
                     (by_metric && !sm_run_row_comparable(t, &k->row)) ||
                     (k->value.type == SM_RUN_NUMBER && isnan(k->value.number));
        k->diverged = by_best && sm_run_row_diverged(&k->row);
    }
    qsort(keys, t->n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < t->n; i++)
        t->rows[i] = keys[i].row;
    sm_arena_clear(&arena);
    return known;
}

/* ---- the filter ---- */

enum { NAMES_KEPT = 8 };
struct named_values {
    const struct sm_session *session;
    const struct sm_run_table *table;
    const struct sm_run_row *row;
    struct sm_arena *arena;
    struct sm_err *err;
    bool waits;
    /* names of the filter, and whether the configuration of some run has them */
    struct {
        const char *name;
        bool some;
    } kept[NAMES_KEPT];
};

static bool some_config(struct named_values *n, const char *name)
{
    size_t i = 0;
    while (i < NAMES_KEPT && n->kept[i].name && n->kept[i].name != name)
        i++;
    if (i < NAMES_KEPT && n->kept[i].name)
        return n->kept[i].some;
    bool some = sm_run_some_config(n->session, n->table, name);
    if (i < NAMES_KEPT) {
        n->kept[i].name = name;
        n->kept[i].some = some;
    }
    return some;
}

/* The name of a series is no name of its own: alone it is a part of a run's name. */
static bool value_of(void *ctx, struct sm_text name, struct sm_run_value *out)
{
    struct named_values *n = ctx;
    if (sm_run_value_any(n->session, n->row, name, n->arena, out))
        return true;
    if (!sm_run_value_series(n->session, n->row, name, out, n->err))
        n->waits = true;
    return some_config(n, name.p);
}

static bool is_known(void *ctx, struct sm_text name, struct sm_run_value *out)
{
    const struct named_values *n = ctx;
    return sm_run_value_any(n->session, n->row, name, n->arena, out) ||
           sm_run_some_has(n->session, n->table, name.p);
}

const char *sm_run_unknown_name(const struct sm_session *s, const struct sm_run_table *t,
                                const struct sm_run_filter *filter)
{
    struct sm_arena arena = {0};
    struct named_values n = {.session = s, .table = t, .row = t->rows, .arena = &arena};
    const char *name = filter && t->n ? sm_run_filter_unknown(filter, is_known, &n) : NULL;
    sm_arena_clear(&arena);
    return name;
}

static bool filter_rows(const struct sm_session *s, struct sm_run_table *t,
                        const struct sm_run_filter *filter, struct sm_err *err)
{
    struct sm_arena arena = {0};
    const struct sm_run_table all = *t;
    struct sm_run_row *chosen = sm_xalloc((t->n + 1) * sizeof *chosen);
    struct named_values n = {.session = s, .table = &all, .arena = &arena, .err = err};
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        const char *name = t->rows[i].name;
        n.row = &t->rows[i];
        if (sm_run_filter_matches(filter, value_of, &n, (struct sm_text){name, strlen(name)}))
            chosen[kept++] = t->rows[i];
        sm_arena_reset(&arena);
    }
    if (kept)
        memcpy(t->rows, chosen, kept * sizeof *chosen);
    t->n = kept;
    sm_free(chosen);
    sm_arena_clear(&arena);
    return !n.waits;
}

static void drop_unlisted(const struct sm_session *s, struct sm_run_table *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++)
        if (!s->trials[t->rows[i].trial].unlisted)
            t->rows[kept++] = t->rows[i];
    t->n = kept;
}

bool sm_run_table_choose(const struct sm_session *s, struct sm_run_table *t,
                         const struct sm_run_choice *c, struct sm_err *err)
{
    bool known = true;
    if (!c->unlisted)
        drop_unlisted(s, t);
    if (c->filter)
        known = filter_rows(s, t, c->filter, err);
    if (c->best) {
        sort_rows(s, t, "best", false, err);
        t->n = c->best < t->n ? c->best : t->n;
    }
    return (!c->sort || sort_rows(s, t, c->sort, c->reverse, err)) && known;
}
