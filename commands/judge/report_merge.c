/* SPDX-License-Identifier: Apache-2.0 */
/* Joins results of `-batch --rules --json`: the parts of --shard become one result. */
#include "commands/judge/report_merge.h"
#include "commands/judge/judge.h"
#include "commands/judge/merge_node.h"
#include "commands/judge/merge_runs.h"

#include "commands/answer/json_tree.h"
#include "commands/judge/describe_rule.h"
#include "commands/session/read_file.h"
#include "rules/builtin/rule_list.h"
#include "rules/run.h"

#include <string.h>

/* ---- rows ---- */

/* One rule of one trial in one file. */
struct row {
    struct sm_node *node;
    const char *file;
    struct sm_text trial, instance, path;
    int64_t part, of, steps, last; /* of: number of parts; 0 if not divided */
    bool used;
};
struct rows {
    struct sm_arena *arena;
    struct row *items;
    size_t n, cap;
};

static void grow_rows(struct rows *rows)
{
    if (rows->n < rows->cap)
        return;
    struct row *more =
        sm_arena_xalloc(rows->arena, (rows->cap = 2 * rows->cap + 64) * sizeof *more);
    if (rows->n)
        memcpy(more, rows->items, rows->n * sizeof *more);
    rows->items = more;
}

static bool add_row(struct rows *rows, const char *file, struct sm_node *node, struct sm_err *err)
{
    enum { PARTS_MAX = 100000 };
    struct sm_node *shard =
        node->type == SM_NODE_MAP ? sm_merge_member(node, "shard", SM_NODE_MAP) : NULL;
    struct row x = {.node = node,
                    .file = file,
                    .trial = sm_merge_text(node, "trial"),
                    .instance = sm_merge_text(node, "instance"),
                    .path = sm_merge_text(shard, "path"),
                    .part = sm_merge_int(shard, "part", 0),
                    .of = sm_merge_int(shard, "of", 0),
                    .steps = sm_merge_int(shard, "steps", 0),
                    .last = sm_merge_int(shard, "last_step", -1)};
    bool valid = node->type == SM_NODE_MAP && x.instance.n &&
                 sm_merge_member(node, "datapoints", SM_NODE_INT) &&
                 sm_merge_member(node, "violations", SM_NODE_INT) &&
                 sm_merge_member(node, "triggered", SM_NODE_INT) &&
                 sm_merge_member(node, "details", SM_NODE_LIST) &&
                 sm_merge_member(node, "skipped", SM_NODE_MAP) && sm_merge_text(node, "status").n;
    if (!valid || (shard && (x.part < 1 || x.of < x.part || x.of > PARTS_MAX)))
        return sm_err_set(err, SM_ERR_DATA, "%s: not a result of -batch --rules --json", file);
    grow_rows(rows);
    rows->items[rows->n++] = x;
    return true;
}

enum { RESULT_MAX = 512 << 20 };

static bool read_rows(struct sm_result *r, struct rows *rows, const char *file, struct sm_err *err)
{
    struct sm_str text = {0};
    struct sm_node *list, *root = r->root;
    r->root = NULL;
    bool ok = sm_read_file(file, RESULT_MAX, &text, err) &&
              (sm_json_tree(r, text.data, text.len, &list, err) || sm_err_prefix(err, "%s", file));
    r->root = root;
    if (ok && list->type != SM_NODE_LIST)
        ok = sm_err_set(err, SM_ERR_DATA, "%s: not a result of -batch --rules --json", file);
    for (struct sm_node *x = ok ? list->first : NULL; ok && x; x = x->next)
        ok = add_row(rows, file, x, err);
    sm_str_clear(&text);
    return ok;
}

/* ---- parts of one rule ---- */

/* Finds all parts of the row's rule and trial. Fails if parts are missing or do not belong
 * together. */
static bool find_parts(struct rows *rows, const struct row *of, struct row **parts,
                       struct sm_err *err)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct row *x = &rows->items[i];
        if (!sm_text_same(x->trial, of->trial) || !sm_text_same(x->instance, of->instance) ||
            !sm_text_same(x->path, of->path))
            continue;
        if (x->of != of->of || x->steps != of->steps || x->last != of->last)
            return sm_err_set(err, SM_ERR_DATA, "%s and %s: not parts of the same steps of %.*s",
                              of->file, x->file, (int)of->trial.n, of->trial.p);
        if (parts[x->part - 1])
            return sm_err_set(err, SM_ERR_DATA, "%s and %s: both are part %lld",
                              parts[x->part - 1]->file, x->file, (long long)x->part);
        parts[x->part - 1] = x;
        x->used = true;
    }
    for (int64_t k = 0; k < of->of; k++)
        if (!parts[k])
            return sm_err_set(err, SM_ERR_MISSING, "part %lld of %lld of %.*s is missing",
                              (long long)k + 1, (long long)of->of, (int)of->trial.n, of->trial.p);
    return true;
}

static bool has_status(const struct row *x, enum sm_rule_status s)
{
    return sm_text_same(sm_merge_text(x->node, "status"), sm_text(sm_rule_status_name(s)));
}

static bool has_fired(const struct row *x)
{
    return sm_merge_int(x->node, "triggered", 0) > 0;
}

/* Without --shard the rule would have ended in this part: an Error, or a rule that fires once. */
static bool is_last(struct row *x)
{
    return has_status(x, SM_RULE_ERROR) ||
           (has_fired(x) &&
            !sm_merge_flag(sm_merge_member(x->node, "shard", SM_NODE_MAP), "continues"));
}

/* The part whose row is used for the joined result. */
static struct row *main_part(struct row **parts, size_t n)
{
    struct row *fired = NULL, *failed = NULL, *started = NULL, *judged = NULL;
    for (size_t k = n; k-- > 0;) { /* the first of each kind */
        bool quiet = !sm_merge_member(parts[k]->node, "reason", SM_NODE_TEXT);
        fired = has_fired(parts[k]) ? parts[k] : fired;
        failed = has_status(parts[k], SM_RULE_ERROR) ? parts[k] : failed;
        if (sm_merge_flag(sm_merge_member(parts[k]->node, "shard", SM_NODE_MAP), "begun"))
            started = !quiet || !started ? parts[k] : started;
        if (quiet && sm_merge_int(parts[k]->node, "datapoints", 0) > 0)
            judged = parts[k];
    }
    return failed ? failed : fired ? fired : judged ? judged : started ? started : parts[0];
}

static void set_sum(struct sm_node *to, struct row **parts, size_t n, const char *key)
{
    int64_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += sm_merge_int(parts[k]->node, key, 0);
    sm_merge_member(to, key, SM_NODE_INT)->i = sum;
}

static void join_details(struct sm_result *r, struct sm_node *to, struct row **parts, size_t n)
{
    struct sm_node all = {.type = SM_NODE_LIST, .key = "details"};
    size_t count = 0;
    for (size_t k = 0; k < n; k++)
        for (const struct sm_node *x =
                 sm_merge_member(parts[k]->node, "details", SM_NODE_LIST)->first;
             x && count < SM_RULE_FINDINGS_MAX; x = x->next, count++)
            sm_merge_append(&all, sm_merge_copy(r, x));
    struct sm_node *details = sm_merge_member(to, "details", SM_NODE_LIST);
    details->first = all.first;
    details->last = all.last;
}

static void join_skipped(struct sm_result *r, struct sm_node *to, struct row **parts, size_t n)
{
    struct sm_node all = {.type = SM_NODE_MAP, .key = "skipped"};
    size_t count = 0;
    for (size_t k = 0; k < n; k++)
        for (const struct sm_node *x =
                 sm_merge_member(parts[k]->node, "skipped", SM_NODE_MAP)->first;
             x; x = x->next) {
            struct sm_node *known = sm_merge_member(&all, x->key, SM_NODE_INT);
            if (known && x->type == SM_NODE_INT)
                known->i += x->i;
            else if (count++ < SM_RULE_SKIPS)
                sm_merge_append(&all, sm_merge_copy(r, x));
        }
    struct sm_node *skipped = sm_merge_member(to, "skipped", SM_NODE_MAP);
    skipped->first = all.first;
    skipped->last = all.last;
}

/* Copies the member from another row. */
static void copy_member(struct sm_node *to, const struct sm_node *from, const char *key)
{
    const struct sm_node *value = sm_node_get(from, key);
    for (struct sm_node *x = to->first; x && value; x = x->next)
        if (strcmp(x->key, key) == 0) {
            struct sm_node *next = x->next;
            *x = *value;
            x->next = next;
            return;
        }
}

static void join_steps(struct sm_node *to, struct row **parts, size_t n)
{
    bool fired = false;
    for (size_t k = 0; k < n; k++) {
        if (!has_fired(parts[k]))
            continue;
        if (!fired)
            copy_member(to, parts[k]->node, "first_step");
        if (!fired)
            copy_member(to, parts[k]->node, "tensor");
        if (!fired)
            copy_member(to, parts[k]->node, "worker");
        copy_member(to, parts[k]->node, "last_step");
        fired = true;
    }
}

static struct sm_node *join_parts(struct sm_result *r, struct row **parts, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (sm_text_same(
                sm_merge_text(sm_merge_member(parts[k]->node, "shard", SM_NODE_MAP), "judged"),
                SM_TEXT("whole")))
            return parts[k]->node;
    size_t used = 0;
    while (used < n && !is_last(parts[used++]))
        ;
    struct sm_node *to = main_part(parts, used)->node;
    set_sum(to, parts, used, "datapoints");
    set_sum(to, parts, used, "violations");
    set_sum(to, parts, used, "triggered");
    join_steps(to, parts, used);
    join_details(r, to, parts, used);
    join_skipped(r, to, parts, used);
    return to;
}

/* ---- the command ---- */

static void add_reason(struct sm_result *out, struct sm_node *row)
{
    struct sm_text reason = sm_merge_text(row, "reason"), name = sm_merge_text(row, "rule"),
                   trial = sm_merge_text(row, "trial");
    const struct sm_rule *rule = sm_rule_find(sm_result_escape(out, name.p, name.n));
    sm_result_text(out, "\n%s: %s", sm_result_escape(out, trial.p, trial.n),
                   sm_result_escape(out, reason.p, reason.n));
    if (rule)
        sm_result_text(out, "  %s", rule->advice);
}

static bool join_all(struct sm_result *out, struct rows *rows, struct sm_node *list, bool *fired,
                     struct sm_err *err)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct row *x = &rows->items[i];
        struct row **parts = sm_arena_xalloc(rows->arena, ((size_t)x->of + 1) * sizeof *parts);
        if (x->used)
            continue;
        if (x->of && !find_parts(rows, x, parts, err))
            return false;
        struct sm_node *node = x->of ? join_parts(out, parts, (size_t)x->of) : x->node;
        sm_merge_remove(node, "shard");
        node = sm_merge_copy(out, node);
        node->key = NULL;
        sm_merge_append(list, node);
        *fired = *fired || sm_merge_int(node, "triggered", 0) > 0;
    }
    return true;
}

bool sm_report_merge(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct rows rows = {.arena = &c->arena};
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    bool fired = false, several = false;
    if (!c->n_words)
        return sm_err_set(err, SM_ERR_USAGE, "Argument required (FILE).  Try \"help report\".");
    for (size_t i = 0; i < c->n_words; i++)
        if (!read_rows(out, &rows, c->words[i].text.p, err))
            return false;
    if (!join_all(out, &rows, list, &fired, err) || !sm_merge_runs_join(list, err))
        return false;
    for (size_t i = 1; i < rows.n; i++)
        several = several || !sm_text_same(rows.items[i].trial, rows.items[0].trial);
    sm_describe_status(out, list, several);
    for (struct sm_node *x = list->first; x; x = x->next)
        if (sm_merge_int(x, "triggered", 0) > 0)
            add_reason(out, x);
    sm_judge(c->session)->merged_fired = sm_judge(c->session)->merged_fired || fired;
    return true;
}
