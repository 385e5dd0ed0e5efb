#include "commands/runs/run_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run_key {
    struct sm_run_row row;
    struct sm_run_value value;
    size_t place;
    bool missing;
    int sign; /* -1: reversed */
};

static int compare_keys(const void *a, const void *b)
{
    const struct run_key *x = a, *y = b;
    int order = 0;
    bool x_text = x->value.type == SM_RUN_TEXT, y_text = y->value.type == SM_RUN_TEXT;
    if (x->missing || y->missing)
        order = x->missing - y->missing;
    else if (x_text && y_text)
        order = x->sign * sm_natural_cmp(x->value.text.p, y->value.text.p);
    else if (x_text || y_text)
        order = x_text - y_text;
    else
        order =
            x->sign * ((x->value.number > y->value.number) - (x->value.number < y->value.number));
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* Whether the best of a column come first, and are the largest. */
static bool is_rising(const struct sm_run_table *t, const char *key)
{
    bool metric = strcmp(key, "best") == 0 || strcmp(key, "newest") == 0 ||
                  strcmp(key, "metric") == 0 || (t->metric && strcmp(key, t->metric) == 0);
    return metric && t->metric && !sm_run_metric_falls(t->metric);
}

static void sort_rows(const struct sm_session *s, struct sm_run_table *t, const char *key,
                      bool reverse)
{
    struct sm_arena arena = {0};
    struct sm_text name = {key, strlen(key)};
    struct run_key *keys = sm_arena_xalloc(&arena, (t->n + 1) * sizeof *keys);
    int sign = reverse != is_rising(t, key) ? -1 : 1;
    for (size_t i = 0; i < t->n; i++) {
        struct run_key *k = &keys[i];
        *k = (struct run_key){.row = t->rows[i], .place = i, .sign = sign};
        if (!sm_run_value_field(s, &k->row, name, &k->value))
            sm_run_value_config(s, &k->row, name, &arena, &k->value);
        k->missing = k->value.type == SM_RUN_MISSING ||
                     (k->value.type == SM_RUN_NUMBER && isnan(k->value.number));
    }
    qsort(keys, t->n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < t->n; i++)
        t->rows[i] = keys[i].row;
    sm_arena_clear(&arena);
}

struct named_values {
    const struct sm_session *session;
    const struct sm_run_row *row;
    struct sm_arena *arena;
};

static bool value_of(void *ctx, struct sm_text name, struct sm_run_value *out)
{
    const struct named_values *n = ctx;
    return sm_run_value_any(n->session, n->row, name, n->arena, out);
}

static void filter_rows(const struct sm_session *s, struct sm_run_table *t,
                        const struct sm_run_filter *filter)
{
    struct sm_arena arena = {0};
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        struct named_values n = {s, &t->rows[i], &arena};
        const char *name = t->rows[i].name;
        if (sm_run_filter_matches(filter, value_of, &n, (struct sm_text){name, strlen(name)}))
            t->rows[kept++] = t->rows[i];
        sm_arena_reset(&arena);
    }
    sm_arena_clear(&arena);
    t->n = kept;
}

static int compare_trials(const void *a, const void *b)
{
    const struct sm_run_row *x = a, *y = b;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

void sm_run_table_choose(const struct sm_session *s, struct sm_run_table *t,
                         const struct sm_run_choice *c)
{
    if (c->filter)
        filter_rows(s, t, c->filter);
    if (c->best && c->best < t->n) {
        sort_rows(s, t, "best", false);
        t->n = c->best;
        if (!c->sort)
            qsort(t->rows, t->n, sizeof *t->rows, compare_trials);
    }
    if (c->sort)
        sort_rows(s, t, c->sort, c->reverse);
}
