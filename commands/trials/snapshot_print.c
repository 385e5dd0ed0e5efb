/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/session_rules.h"
#include "commands/trials/snapshot.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum {
    STEP_COLUMNS = 3,  /* step, mode, mode_step */
    SCALARS_BESIDE = 8 /* at most, as columns of one table */
};

static const struct sm_column scalar_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER", .hidden = true},
    {.key = "name", .header = "NAME"},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};
static const struct sm_column bad_columns[] = {
    {.key = "steps", .header = "STEPS"},
    {.key = "worker", .header = "WORKER"},
    {.key = "name", .header = "BAD VALUES OF"},
    {.key = "what", .header = "WHAT"},
};
static const struct sm_column finding_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "rule", .header = "RULE"},
    {.key = "tensor", .header = "TENSOR"},
    {.key = "text", .header = "WHAT", .wraps = true},
};
static const struct sm_column damage_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "file", .header = "FILE", .wraps = true},
    {.key = "message", .header = "MESSAGE", .wraps = true},
};

static const char *text_of(const struct sm_node *row, const char *key)
{
    return sm_node_get(row, key)->text.p;
}

/* One column for each name among the scalars, after the columns of the step. Returns 0 if there are
 * too many for one table. */
static size_t columns_of(struct sm_call *c, const struct sm_node *scalars, struct sm_result *out,
                         struct sm_column *columns)
{
    size_t n = 0;
    columns[n++] = (struct sm_column){.key = "step", .header = "STEP", .format = SM_COL_NUMBER};
    columns[n++] = (struct sm_column){.key = "mode", .header = "MODE"};
    columns[n++] =
        (struct sm_column){.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER};
    if (sm_trial_worker_count(sm_session_trial(c->session)) > 1)
        return 0;
    for (const struct sm_node *row = scalars->first; row; row = row->next) {
        const char *name = text_of(row, "name");
        size_t i = STEP_COLUMNS;
        while (i < n && strcmp(columns[i].key, name) != 0)
            i++;
        if (i < n)
            continue;
        if (n == STEP_COLUMNS + SCALARS_BESIDE)
            return 0;
        columns[n++] = (struct sm_column){.key = name,
                                          .header = sm_result_escape(out, name, strlen(name)),
                                          .format = SM_COL_NUMBER};
    }
    return n;
}

/* One row per step, one column per scalar. */
static void show_scalars(struct sm_call *c, const struct sm_node *scalars, struct sm_result *out)
{
    struct sm_column *columns =
        sm_arena_xalloc(&out->arena, (STEP_COLUMNS + SCALARS_BESIDE) * sizeof *columns);
    size_t n = columns_of(c, scalars, out, columns);
    struct sm_node *table = sm_node_list(out, NULL, NULL), *row = NULL;
    int64_t step = -1;
    if (!n) {
        struct sm_column *rows = sm_arena_xalloc(&out->arena, sizeof scalar_columns);
        memcpy(rows, scalar_columns, sizeof scalar_columns);
        rows[STEP_COLUMNS].hidden = sm_trial_worker_count(sm_session_trial(c->session)) < 2;
        sm_result_table(out, scalars, rows, COUNT(scalar_columns));
        return;
    }
    for (const struct sm_node *s = scalars->first; s; s = s->next) {
        if (!row || sm_node_get(s, "step")->i != step) {
            step = sm_node_get(s, "step")->i;
            row = sm_node_map(out, table, NULL);
            sm_node_int(out, row, "step", step);
            sm_node_text(out, row, "mode", text_of(s, "mode"));
            sm_node_int(out, row, "mode_step", sm_node_get(s, "mode_step")->i);
        }
        struct sm_node *value = sm_arena_xalloc(&out->arena, sizeof *value);
        *value = *sm_node_get(s, "value");
        value->key = text_of(s, "name");
        value->next = NULL;
        row->last->next = value;
        row->last = value;
    }
    if (table->first)
        sm_result_table(out, table, columns, n);
}

/* Consecutive values of a tensor with the same fault. */
struct stretch {
    struct sm_node *row;
    size_t at; /* of the last value */
    enum sm_fault fault;
    int64_t first, last;
    struct stretch *next;
};

static struct stretch *begin_stretch(const struct sm_bad_value *b, struct sm_node *list,
                                     struct sm_result *out)
{
    struct stretch *s = sm_arena_xalloc(&out->arena, sizeof *s);
    *s = (struct stretch){.row = sm_node_map(out, list, NULL),
                          .fault = b->fault,
                          .first = sm_node_get(b->node, "step")->i};
    const char *const keys[] = {"worker", "name", "what"};
    for (size_t k = 0; k < COUNT(keys); k++) {
        struct sm_text text = sm_node_get(b->node, keys[k])->text;
        sm_node_textn(out, s->row, keys[k], text.p, text.n);
    }
    return s;
}

/* One row per stretch, with the description of its first value. */
static void show_bad(const struct sm_snapshot *x, struct sm_result *out)
{
    struct stretch **open = sm_arena_xalloc(&out->arena,
                                            (x->origin.saved.n + 1) * sizeof(struct stretch *)),
                   *all = NULL, **end = &all;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    bool several = sm_trial_worker_count(x->origin.saved.trial) > 1;
    for (const struct sm_bad_value *b = x->bad; b; b = b->next) {
        struct stretch **s = &open[b->row];
        if (!*s || (*s)->fault != b->fault || (*s)->at + 1 != b->at) {
            *s = *end = begin_stretch(b, list, out);
            end = &(*s)->next;
        }
        (*s)->at = b->at;
        (*s)->last = sm_node_get(b->node, "step")->i;
    }
    for (struct stretch *s = all; s; s = s->next)
        sm_node_text(out, s->row, "steps",
                     s->last > s->first
                         ? sm_arena_xprintf(&out->arena, "%lld..%lld", (long long)s->first,
                                            (long long)s->last)
                         : sm_arena_xprintf(&out->arena, "%lld", (long long)s->first));
    struct sm_column *columns = sm_arena_xalloc(&out->arena, sizeof bad_columns);
    memcpy(columns, bad_columns, sizeof bad_columns);
    columns[1].hidden = !several;
    if (all)
        sm_result_table(out, list, columns, COUNT(bad_columns));
}

/* Which findings are missing from the answer, and why. */
static void say_state_of_rules(const struct sm_snapshot_lists *lists, const struct sm_rules *r,
                               struct sm_result *out)
{
    if (lists->stored && (!r || !sm_rules_count(r)))
        sm_result_dim(out,
                      "The findings were saved with the archive. \"rule auto\" judges it again.");
    else if (!r || !sm_rules_count(r))
        sm_result_dim(out, "No rule is attached, so there are no findings. Try \"rule auto\".");
    else if (!sm_rules_all_judged(r))
        sm_result_dim(out, "Rules are still judging; more findings may follow.");
}

void sm_snapshot_print(struct sm_call *c, const struct sm_snapshot *x,
                       const struct sm_snapshot_lists *lists, struct sm_result *out)
{
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    sm_result_text(out, "Steps %lld to %lld, around %lld", (long long)x->first.n,
                   (long long)x->last.n, (long long)x->around.n);
    show_scalars(c, lists->scalars, out);
    show_bad(x, out);
    if (lists->findings->first)
        sm_result_table(out, lists->findings, finding_columns, COUNT(finding_columns));
    if (lists->problems->first)
        sm_result_table(out, lists->problems, damage_columns, COUNT(damage_columns));
    say_state_of_rules(lists, r, out);
    out->rows = lists->scalars;
    out->columns = scalar_columns;
    out->n_columns = COUNT(scalar_columns);
}
