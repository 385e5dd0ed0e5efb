/* Which tensors there are, and what and where each is. */
#include "commands/args.h"
#include "commands/cmd_list.h"
#include "commands/describe.h"
#include "commands/evaluate.h"
#include "commands/why.h"
#include "reader/format/location.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { STATS_ROWS = 200, TREND_POINTS = 8 };               /* longer listings leave the statistics out unless asked */

static const struct sm_column tensors_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "kind", .header = "KIND", .hidden = true},
    {.key = "dtype", .header = "DTYPE"},
    {.key = "shape", .header = "SHAPE", .format = SM_COL_SHAPE},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "modes", .header = "MODES", .format = SM_COL_LIST, .hidden = true},
    {.key = "workers", .header = "WORKERS", .format = SM_COL_LIST, .hidden = true},
    {.key = "collections", .header = "COLLECTIONS", .format = SM_COL_LIST, .hidden = true},
    {.key = "reductions", .header = "REDUCTIONS", .format = SM_COL_LIST, .hidden = true},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER, .text_only = true},
    {.key = "std", .header = "STD", .format = SM_COL_NUMBER, .text_only = true},
    {.key = "nan", .header = "NAN", .format = SM_COL_NUMBER, .text_only = true},
    {.key = "trend", .header = "TREND", .format = SM_COL_SPARK, .text_only = true},
};
/* Without the statistics. */
enum { PLAIN_COLUMNS = COUNT(tensors_columns) - 4 };

/* The newest of the wanted steps that has something of the tensor; n < 0: none has. */
static struct sm_step newest_of(const struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_steps *wanted)
{
    size_t from, to;
    for (size_t i = wanted->n; i-- > 0;)
        if (sm_trial_entries_at(t, x, wanted->items[i], &from, &to))
            return wanted->items[i];
    return (struct sm_step){-1};
}

/* The value entry that a listing shows: at the asked step, else the newest. */
static const struct sm_entry *shown_value(const struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_step step)
{
    if (step.n < 0)
        return sm_newest_value(t, x);
    return sm_trial_entry(t, x, step, SM_WORKER_ANY, SM_ENTRY_VALUE, SM_REDUCE_NONE);
}

/* The entry whose number a trend shows at a step: the value, or the saved mean. */
static const struct sm_entry *trend_entry(const struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_step step)
{
    if (x->has_value)
        return sm_trial_entry(t, x, step, SM_WORKER_ANY, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    return sm_trial_entry(t, x, step, SM_WORKER_ANY, SM_ENTRY_REDUCTION, SM_REDUCE_MEAN);
}

/* A few means over the steps, evenly spread. False: some are still being read. */
static bool add_trend(struct sm_call *c, struct sm_result *out, struct sm_node *row, struct sm_trial *t,
                      const struct sm_trial_tensor *x, struct sm_err *err)
{
    struct sm_node *list = sm_node_list(out, row, "trend");
    size_t n = x->n_entries < TREND_POINTS ? x->n_entries : TREND_POINTS;
    bool all = true;
    int64_t before = -1;
    for (size_t i = 0; i < n; i++) {
        size_t k = n > 1 ? i * (x->n_entries - 1) / (n - 1) : 0;
        struct sm_step step = sm_trial_part(t, x->entries[k].part)->step;
        const struct sm_entry *e = step.n == before ? NULL : trend_entry(t, x, step);
        before = step.n;
        const struct sm_facts *facts;
        if (!e)
            continue;
        if (sm_fetch_stats(c->session->fetch, t, e, &facts, err))
            sm_node_double(out, list, NULL, sm_stats_get(&facts->stats, SM_REDUCE_MEAN), false);
        else if (err->code == SM_ERR_WAIT)
            all = false;
    }
    return all;
}

static bool add_stats(struct sm_call *c, struct sm_result *out, struct sm_node *row, struct sm_trial *t,
                      const struct sm_trial_tensor *x, const struct sm_entry *e, struct sm_err *err)
{
    const struct sm_facts *facts = NULL;
    if (e && !sm_fetch_stats(c->session->fetch, t, e, &facts, err) && err->code == SM_ERR_WAIT)
        return add_trend(c, out, row, t, x, err), false;
    if (facts && facts->has_stats && facts->stats.finite) {
        sm_node_double(out, row, "mean", facts->stats.mean, false);
        sm_node_double(out, row, "std", sm_stats_get(&facts->stats, SM_REDUCE_STD), false);
        sm_node_uint(out, row, "nan", facts->stats.nan);
    } else if (facts && facts->has_stats) {
        sm_node_uint(out, row, "nan", facts->stats.nan);
    }
    return add_trend(c, out, row, t, x, err);
}

static bool add_row(struct sm_call *c, struct sm_result *out, struct sm_node *list, struct sm_trial *t,
                    const struct sm_trial_tensor *x, struct sm_step step, bool stats, struct sm_err *err)
{
    const struct sm_entry *e = shown_value(t, x, step);
    const struct sm_facts *facts = NULL;
    bool known = true;
    if (e && !sm_fetch_head(c->session->fetch, t, e, &facts, err))
        known = err->code != SM_ERR_WAIT;
    struct sm_node *row = sm_describe_tensor(out, list, t, x, facts);
    if (stats && !add_stats(c, out, row, t, x, e, err))
        known = false;
    return known;
}

/* ---- which rows ---- */

static bool in_mode(const struct sm_trial_tensor *x, enum sm_mode mode)
{
    return mode == SM_MODE_ANY || mode == SM_MODE_GLOBAL || x->modes >> mode & 1;
}

/* -where EXPR with $t the tensor at the step; 1 keep, 0 drop, -1 error or wait. */
static int passes_where(struct sm_call *c, struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_step step,
                        const struct sm_expr *where, struct sm_err *err)
{
    const struct sm_entry *e = shown_value(t, x, step);
    if (!e)
        return 0;
    struct sm_value subject = {.type = SM_TENSOR};
    if (!sm_fetch_tensor(c->session->fetch, t, e, &subject.tensor, err))
        return err->code == SM_ERR_WAIT ? -1 : 0;
    struct sm_expr_env env;
    sm_evaluate_env(c, &env);
    env.step = sm_trial_part(t, e->part)->step;
    env.subject = &subject;
    bool keep;
    bool ok = sm_evaluate_condition(c, &env, where, sm_call_option(c, "where"), &keep, err);
    sm_value_clear(&subject);
    return ok ? keep : -1;
}

static bool select_tensors(struct sm_call *c, struct sm_selection *out, struct sm_err *err)
{
    const struct sm_word *collection = sm_call_keyword(c, "collection");
    if (!sm_args_select(c, c->words, c->n_words, out, err))
        return false;
    if (!collection)
        return true;
    const struct sm_trial *t = sm_session_trial(c->session);
    size_t i = 0, kept = 0;
    while (i < sm_trial_collection_count(t) && !sm_text_is(collection->text, sm_trial_collection(t, i)->name))
        i++;
    if (i == sm_trial_collection_count(t))
        return sm_err_set(err, SM_ERR_MISSING, "No collection \"%.*s\". Try \"info collections\".", (int)collection->text.n,
                          collection->text.p);
    for (size_t k = 0; k < out->n; k++)
        if (sm_trial_in_collection(t, i, out->items[k]->name))
            out->items[kept++] = out->items[k];
    out->n = kept;
    return true;
}

/* wanted NULL: whatever was saved last. */
static bool narrow(struct sm_call *c, struct sm_selection *sel, enum sm_mode mode, const struct sm_steps *wanted,
                   struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_expr *where = NULL;
    const struct sm_word *w = sm_call_option(c, "where");
    if (w && !sm_expr_parse(w->text.p, w->text.n, &c->arena, &where, err))
        return false;
    size_t kept = 0;
    bool waiting = false;
    for (size_t i = 0; i < sel->n; i++) {
        const struct sm_trial_tensor *x = sel->items[i];
        struct sm_step step = wanted ? newest_of(t, x, wanted) : (struct sm_step){-1};
        if (!in_mode(x, mode) || (wanted && step.n < 0))
            continue;
        int keep = where ? passes_where(c, t, x, step, where, err) : 1;
        if (keep < 0 && err->code != SM_ERR_WAIT)
            return false;
        waiting = waiting || keep < 0;
        if (keep > 0)
            sel->items[kept++] = x;
    }
    sel->n = kept;
    return !waiting;
}

/* ---- order ---- */

static const char *const sort_keys[] = {"name", "steps", "last", "size", "dtype", "mean", "std", "nan", NULL};

struct sort_row {
    struct sm_node *node;
    double number;
    const char *text;
    size_t place;
};

static int compare_rows(const void *a, const void *b)
{
    const struct sort_row *x = a, *y = b;
    int order = x->text && y->text ? sm_natural_cmp(x->text, y->text) : (x->number > y->number) - (x->number < y->number);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static double number_of(const struct sm_node *n)
{
    if (!n)
        return -(double)INFINITY;
    switch (n->type) {
    case SM_NODE_INT:
        return (double)n->i;
    case SM_NODE_UINT:
        return (double)n->u;
    case SM_NODE_DOUBLE:
    case SM_NODE_FLOAT:
        return n->d;
    default:
        return -(double)INFINITY;
    }
}

static double size_of(const struct sm_node *shape)
{
    double n = 1;
    if (!shape || shape->type != SM_NODE_LIST)
        return -1;
    for (const struct sm_node *d = shape->first; d; d = d->next)
        n *= number_of(d);
    return n;
}

static void sort_rows(struct sm_call *c, struct sm_node *list, const char *key, bool reverse)
{
    size_t n = 0;
    for (const struct sm_node *x = list->first; x; x = x->next)
        n++;
    struct sort_row *rows = sm_arena_xalloc(&c->arena, (n + 1) * sizeof *rows);
    size_t i = 0;
    for (struct sm_node *x = list->first; x; x = x->next, i++) {
        const struct sm_node *v = sm_node_get(x, strcmp(key, "last") == 0 ? "last_step" : strcmp(key, "size") == 0 ? "shape" : key);
        rows[i] = (struct sort_row){.node = x, .place = i};
        if (v && v->type == SM_NODE_TEXT)
            rows[i].text = v->text.p;
        else
            rows[i].number = strcmp(key, "size") == 0 ? size_of(v) : number_of(v);
    }
    qsort(rows, n, sizeof *rows, compare_rows);
    list->first = list->last = NULL;
    for (size_t k = 0; k < n; k++) {
        struct sm_node *x = rows[reverse ? n - 1 - k : k].node;
        x->next = NULL;
        if (list->last)
            list->last->next = x;
        else
            list->first = x;
        list->last = x;
    }
}

/* The columns with those that only people get otherwise. */
static const struct sm_column *with_statistics(struct sm_result *out)
{
    struct sm_column *columns = sm_arena_xalloc(&out->arena, sizeof tensors_columns);
    memcpy(columns, tensors_columns, sizeof tensors_columns);
    for (size_t i = PLAIN_COLUMNS; i < COUNT(tensors_columns) - 1; i++)
        columns[i].text_only = false;
    return columns;
}

static bool run_tensors(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_selection sel;
    struct sm_steps steps;
    enum sm_mode mode;
    const struct sm_word *at = sm_call_keyword(c, "step");
    const struct sm_steps *wanted = at ? &steps : NULL;
    if (!sm_args_mode_given(c, &mode, err) || (at && !sm_args_steps(c, mode, at->text, NULL, &steps, err)) ||
        !select_tensors(c, &sel, err) || !narrow(c, &sel, mode, wanted, err))
        return false;
    const struct sm_word *sort = sm_call_option(c, "sort");
    bool by_stats = sort && (sm_text_is(sort->text, "mean") || sm_text_is(sort->text, "std") || sm_text_is(sort->text, "nan"));
    bool stats = by_stats || sm_call_flag(c, "stats") || (c->output == SM_OUTPUT_TEXT && sel.n <= STATS_ROWS);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    bool known = true;
    for (size_t i = 0; i < sel.n; i++)
        known = add_row(c, out, list, t, sel.items[i],
                        wanted ? newest_of(t, sel.items[i], wanted) : (struct sm_step){-1}, stats, err) && known;
    if (!known)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu tensors", sel.n);
    if (sort || sm_call_flag(c, "r"))
        sort_rows(c, list, sort ? sort->text.p : "name", sm_call_flag(c, "r"));
    sm_result_listing(out, list, sm_call_flag(c, "stats") ? with_statistics(out) : tensors_columns, stats ? COUNT(tensors_columns) : PLAIN_COLUMNS);
    if (!sel.n && at)
        sm_result_dim(out, "No tensor that matches was saved at step %s.", sm_result_escape(out, at->text.p, at->text.n));
    else if (!sel.n)
        sm_result_dim(out, "No tensor matches.");
    else if (!stats && c->output == SM_OUTPUT_TEXT)
        sm_result_dim(out, "%zu tensors; statistics are left out beyond %d, -stats shows them.", sel.n, STATS_ROWS);
    return true;
}

static const struct sm_arg tensors_args[] = {
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .repeats = true},
    {.name = "COLLECTION", .kind = SM_ARG_COLLECTION, .keyword = "collection"},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {0},
};
static const struct sm_option tensors_options[] = {
    {.name = "sort", .kind = SM_ARG_WORD, .value = "KEY", .help = "order by this column", .words = sort_keys},
    {.name = "r", .kind = SM_ARG_FLAG, .help = "reverse the order"},
    {.name = "where", .kind = SM_ARG_EXPR, .value = "EXPR", .help = "only tensors for which EXPR of $t is true"},
    {.name = "stats", .kind = SM_ARG_FLAG, .help = "statistics also in long listings and for machines"},
    {0},
};
const struct sm_cmd sm_cmd_tensors = {
    .name = "tensors",
    .aliases = "lt",
    .cmd_class = SM_CLASS_DATA,
    .summary = "List tensors by pattern, collection, step or mode",
    .help = "Patterns: a name, a glob (*_weight), /regex/, +collection, !pattern for all others.\n"
            "Statistics and shape are those of the newest step, or of the step asked for.",
    .example = "tensors collection weights -sort mean -r",
    .see_also = "tensor stat info",
    .args = tensors_args,
    .options = tensors_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_tensors,
};
const struct sm_cmd sm_cmd_info_tensors = {
    .name = "tensors",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List tensors (the same as the command \"tensors\")",
    .example = "info tensors",
    .see_also = "tensors",
    .args = tensors_args,
    .options = tensors_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_tensors,
};

/* ---- info tensor NAME ---- */

static const struct sm_column tensor_columns[] = {
    {.key = "name", .header = "name"},
    {.key = "kind", .header = "kind"},
    {.key = "collections", .header = "collections", .format = SM_COL_LIST},
    {.key = "dtype", .header = "dtype"},
    {.key = "shape", .header = "shape", .format = SM_COL_SHAPE},
    {.key = "steps", .header = "steps", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "first step", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "last step", .format = SM_COL_NUMBER},
    {.key = "modes", .header = "modes", .format = SM_COL_LIST},
    {.key = "workers", .header = "workers", .format = SM_COL_LIST},
    {.key = "reductions", .header = "reductions", .format = SM_COL_LIST},
};
static const struct sm_column at_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER"},
    {.key = "dtype", .header = "DTYPE"},
    {.key = "shape", .header = "SHAPE", .format = SM_COL_SHAPE},
    {.key = "bytes", .header = "BYTES", .format = SM_COL_BYTES},
    {.key = "file", .header = "FILE", .hidden = true},
    {.key = "offset", .header = "OFFSET", .format = SM_COL_NUMBER},
    {.key = "length", .header = "LENGTH", .format = SM_COL_NUMBER},
    {.key = "crc", .header = "CRC"},
    {.key = "time", .header = "TIME", .format = SM_COL_TIME, .hidden = true},
};

static void no_place(struct sm_result *out, struct sm_node *row)
{
    static const char *const keys[] = {"bytes", "file", "offset", "length", "crc"};
    for (size_t i = 0; i < COUNT(keys); i++)
        sm_node_null(out, row, keys[i]);
}

/* Where one value lies. False: its head is still being read. */
static bool add_value_place(struct sm_call *c, struct sm_result *out, struct sm_node *row, struct sm_trial *t,
                            const struct sm_entry *e, struct sm_err *err)
{
    const struct sm_facts *facts = NULL;
    if (!sm_fetch_head(c->session->fetch, t, e, &facts, err) && err->code == SM_ERR_WAIT)
        return false;
    const struct sm_part *p = sm_trial_part(t, e->part);
    sm_node_text(out, row, "dtype", facts ? sm_dtype_info(facts->dtype)->name : NULL);
    if (facts)
        sm_node_dims(out, row, "shape", facts->dims, facts->n_dims);
    else
        sm_node_null(out, row, "shape");
    if (facts)
        sm_node_uint(out, row, "bytes", facts->content_bytes);
    else
        sm_node_null(out, row, "bytes");
    sm_node_text(out, row, "file", sm_trial_event_path(t, p));
    sm_node_uint(out, row, "offset", e->offset);
    sm_node_uint(out, row, "length", e->length);
    sm_node_text(out, row, "crc", sm_crc_name(facts ? facts->crc : SM_CRC_UNCHECKED));
    sm_node_double(out, row, "time", facts ? facts->wall_time : (double)p->time_us / 1e6, false);
    return true;
}

static void add_bare_place(struct sm_result *out, struct sm_node *row, const struct sm_trial *t,
                           const struct sm_entry *shape, const struct sm_part *p)
{
    sm_node_null(out, row, "dtype");
    if (shape) {
        unsigned n_dims;
        const uint64_t *dims = sm_trial_shape(t, shape, &n_dims);
        sm_node_dims(out, row, "shape", dims, n_dims);
    } else {
        sm_node_null(out, row, "shape");
    }
    no_place(out, row);
    sm_node_double(out, row, "time", (double)p->time_us / 1e6, false);
}

/* One row for the entries [i, end) of one step and worker. */
static bool add_at(struct sm_call *c, struct sm_result *out, struct sm_node *list, struct sm_trial *t,
                   const struct sm_entry *e, size_t n, struct sm_err *err)
{
    const struct sm_entry *value = NULL, *shape = NULL;
    for (size_t i = 0; i < n; i++) {
        if (e[i].kind == SM_ENTRY_VALUE)
            value = &e[i];
        else if (e[i].kind == SM_ENTRY_SHAPE)
            shape = &e[i];
    }
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_describe_place(out, row, t, e);
    if (value)
        return add_value_place(c, out, row, t, value, err);
    add_bare_place(out, row, t, shape, sm_trial_part(t, e->part));
    return true;
}

static bool add_places(struct sm_call *c, struct sm_result *out, struct sm_node *list, struct sm_trial *t,
                       const struct sm_trial_tensor *x, struct sm_err *err)
{
    bool known = true;
    for (size_t i = 0, end; i < x->n_entries; i = end) {
        for (end = i + 1; end < x->n_entries && x->entries[end].part == x->entries[i].part;)
            end++;
        if (!sm_trial_part(t, x->entries[i].part)->replaced)
            known = add_at(c, out, list, t, &x->entries[i], end - i, err) && known;
    }
    return known;
}

/* The tensor alone, whether or not it was saved at the current step. */
static const struct sm_trial_tensor *named_tensor(struct sm_call *c, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_trial_tensor *x = NULL;
    struct sm_str text = {0};
    if (!c->n_words && c->session->at.tensor < sm_trial_tensor_count(t)) {
        const char *name = sm_names_text(sm_trial_names(t), c->session->at.tensor);
        return sm_trial_find(t, name, sm_names_length(sm_trial_names(t), c->session->at.tensor));
    }
    if (!c->n_words) {
        sm_err_set(err, SM_ERR_USAGE, "Which tensor?  \"tensors\" lists them.");
        return NULL;
    }
    x = sm_trial_find(t, c->words[0].text.p, c->words[0].text.n);
    if (x) {
        c->session->at.tensor = x->name;
        return x;
    }
    sm_why_no_tensor(t, c->words[0].text, &text);
    sm_err_set(err, SM_ERR_MISSING, "%s", sm_str_text(&text));
    sm_str_clear(&text);
    return NULL;
}

static bool run_info_tensor(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial_tensor *x = named_tensor(c, err);
    if (!x)
        return false;
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_entry *newest = sm_newest_value(t, x);
    const struct sm_facts *facts = NULL;
    bool known = true;
    if (newest && !sm_fetch_head(c->session->fetch, t, newest, &facts, err))
        known = err->code != SM_ERR_WAIT;
    struct sm_node *map = sm_describe_tensor(out, NULL, t, x, facts);
    struct sm_node *at = sm_node_list(out, map, "at");
    if (!add_places(c, out, at, t, x, err) || !known)
        return sm_err_set(err, SM_ERR_WAIT, "reading the heads of %zu records", x->n_entries);
    out->root = map;
    out->columns = tensor_columns;
    out->n_columns = COUNT(tensor_columns);
    sm_result_fields(out, map, tensor_columns, COUNT(tensor_columns));
    sm_result_table(out, at, at_columns, COUNT(at_columns));
    return true;
}

static const struct sm_arg name_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"},
    {0},
};
static const struct sm_arg only_name_args[] = {{.name = "NAME", .kind = SM_ARG_TENSOR}, {0}};
const struct sm_cmd sm_cmd_info_tensor = {
    .name = "tensor",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "One tensor: what it is and where each value lies",
    .example = "info tensor CNN_conv0.weight",
    .see_also = "tensor whatis",
    .args = only_name_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_tensor,
};

/* ---- info location, whatis ---- */

static bool run_info_location(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_target target;
    const struct sm_entry *e;
    if (!sm_args_target(c, &target, err) || !sm_args_entry(c, &target, &e, err))
        return false;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "name", target.name);
    sm_describe_place(out, map, target.trial, e);
    if (!add_value_place(c, out, map, target.trial, e, err))
        return false;
    out->root = map;
    out->columns = at_columns;
    out->n_columns = COUNT(at_columns);
    struct sm_str index = {0};
    const struct sm_part *p = sm_trial_part(target.trial, e->part);
    sm_location_index(&index, p->step.n, sm_trial_worker(target.trial, p->worker));
    const char *file = sm_trial_event_path(target.trial, p);
    sm_result_text(out, "%s", sm_result_escape(out, file ? file : "-", strlen(file ? file : "-")));
    sm_result_text(out, "offset %llu, length %llu, by %s", (unsigned long long)e->offset, (unsigned long long)e->length,
                   sm_result_escape(out, sm_str_text(&index), index.len));
    sm_str_clear(&index);
    return true;
}

const struct sm_cmd sm_cmd_info_location = {
    .name = "location",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "File, offset, length and checksum of a value",
    .example = "info location CNN_conv0.weight step 10",
    .args = name_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_location,
};

static bool run_whatis(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial_tensor *x = named_tensor(c, err);
    if (!x)
        return false;
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_entry *e = sm_newest_value(t, x);
    const struct sm_facts *facts = NULL;
    if (e && !sm_fetch_head(c->session->fetch, t, e, &facts, err))
        return false;
    struct sm_node *map = sm_describe_tensor(out, NULL, t, x, facts);
    out->root = map;
    out->columns = tensor_columns;
    out->n_columns = COUNT(tensor_columns);
    struct sm_str shape = {0};
    if (facts)
        sm_shape_text(&shape, facts->dims, facts->n_dims);
    sm_result_text(out, "type = %s%s%s", facts ? sm_dtype_info(facts->dtype)->name : sm_describe_kind(x, NULL),
                   facts ? " " : "", sm_str_text(&shape));
    sm_str_clear(&shape);
    return true;
}

const struct sm_cmd sm_cmd_whatis = {
    .name = "whatis",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Element type and shape of a tensor, without reading its values",
    .example = "whatis CNN_conv0.weight",
    .see_also = "info tensor",
    .args = only_name_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_whatis,
};
