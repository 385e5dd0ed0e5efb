/* SPDX-License-Identifier: Apache-2.0 */
/* find: search tensors for elements by their values. */
#include "commands/answer/read_errors.h"
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/elements.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/values/values.h"
#include "reader/analysis/worker_values.h"

#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { WORKER_COLUMN = 2 };

static void add_find_place(struct sm_result *out, struct sm_node *row, const void *ctx)
{
    const struct sm_place_value *v = ctx;
    sm_place_node(out, row, &v->place, &v->entry);
}

static const struct sm_column find_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER", .hidden = true},
    {.key = "index", .header = "INDEX", .format = SM_COL_SHAPE},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static bool read_wanted(struct sm_call *c, struct sm_element_filter *w, struct sm_err *err)
{
    const struct sm_word *where = sm_call_keyword(c, "where");
    if (!where && !c->n_words)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Argument required (VALUE, or where CONDITION).  Try \"help find\".");
    if (where && c->n_words)
        return sm_err_set(err, SM_ERR_USAGE, "Both a value (\"%s\") and a condition are given.",
                          c->words[0].text.p);
    return where ? sm_element_filter_where(c, where->text, w, err)
                 : sm_element_filter_parse(c->words[0].text, w, err);
}

/* Searches one tensor. Its payload is read only if its statistics allow a match. */
static bool find_in_tensor(struct sm_call *c, const struct sm_element_filter *w,
                           const struct sm_place_value *v, struct sm_element_rows *rows,
                           struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_facts *facts;
    struct sm_tensor *x;
    if (!sm_fetch_stats(c->session->fetch, t, &v->entry, &facts, err) ||
        !sm_elements_are_numbers(facts->dtype, err))
        return false;
    if (!sm_element_filter_may_match(w, &facts->stats))
        return true;
    if (!sm_fetch_tensor(c->session->fetch, t, &v->entry, &x, err))
        return false;
    rows->ctx = v;
    bool ok = sm_elements_find(c, w, x, sm_trial_part(t, v->entry.part)->step, rows, err);
    sm_tensor_unref(x);
    return ok;
}

/* What the command has searched. */
struct search {
    const struct sm_element_filter *wanted;
    struct sm_element_rows rows;
    struct sm_read_errors unread;
    struct sm_skipped skipped;
    size_t values, tensors; /* values searched, of so many tensors */
    bool waiting;
};

static bool search_value(struct sm_call *c, struct search *s, const struct sm_trial_tensor *x,
                         const struct sm_entry *e, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_place_value v = {.place = sm_place_of_trial(t), .entry = *e};
    v.place.tensor = x->name;
    v.place.step = sm_trial_part(t, e->part)->step;
    v.place.worker = sm_trial_part(t, e->part)->worker;
    s->values++;
    if (find_in_tensor(c, s->wanted, &v, &s->rows, err) || sm_read_errors_add(&s->unread, err) ||
        sm_skipped_add(&s->skipped, sm_place_name(&v.place), err))
        return true;
    s->waiting = s->waiting || err->code == SM_ERR_WAIT;
    return err->code == SM_ERR_WAIT;
}

/* Searches the tensor's value at the step, or its newest if step.n < 0, from every worker. */
static bool search_tensor(struct sm_call *c, struct search *s, const struct sm_trial_tensor *x,
                          struct sm_step step, struct sm_err *err)
{
    struct sm_worker_values values = {0};
    bool ok = true;
    sm_worker_values_read(&values, sm_session_trial(c->session), x, step, SM_WORKER_ANY);
    for (size_t i = 0; ok && i < values.n; i++)
        ok = search_value(c, s, x, &values.items[i], err);
    s->tensors += values.n > 0;
    sm_worker_values_clear(&values);
    return ok;
}

/* The worker is shown if there are several. */
static const struct sm_column *columns_of(const struct sm_trial *t, struct sm_result *out)
{
    struct sm_column *columns = sm_arena_xalloc(&out->arena, sizeof find_columns);
    memcpy(columns, find_columns, sizeof find_columns);
    columns[WORKER_COLUMN].hidden = sm_trial_worker_count(t) < 2;
    return columns;
}

/* at: the step, n < 0: the newest of each tensor; it is said if nothing was found. */
static void report_count(struct sm_call *c, const struct search *s, struct sm_step at,
                         struct sm_result *out)
{
    char where[48] = "";
    if (!s->rows.found && at.n < 0)
        snprintf(where, sizeof where, " at the newest step of each");
    else if (!s->rows.found)
        snprintf(where, sizeof where, " at step %lld", (long long)at.n);
    size_t looked_at = s->values - s->unread.n - s->skipped.n;
    bool several = s->values > s->tensors;
    sm_result_dim(out, "%llu element%s found in %zu %s%s%s%s.", (unsigned long long)s->rows.found,
                  s->rows.found == 1 ? "" : "s", looked_at, several ? "value" : "tensor",
                  looked_at == 1 ? "" : "s", where,
                  sm_values_listed_text(c, s->rows.found, s->rows.most));
}

static bool run_find(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_selection sel;
    struct sm_element_filter w;
    struct sm_step step = {-1};
    const struct sm_word *in = sm_call_keyword(c, "in"), *at = sm_call_keyword(c, "step");
    if (!read_wanted(c, &w, err) || !sm_args_select_some(c, in, in != NULL, &sel, err) ||
        (at && !sm_place_step(c, sm_place_all(c->session, SM_MODE_ANY), at->text, &step, err)))
        return false;
    struct search s = {.wanted = &w,
                       .rows = {.out = out,
                                .list = sm_node_list(out, NULL, NULL),
                                .most = sm_values_listed(c),
                                .place = add_find_place}};
    for (size_t i = 0; i < sel.n; i++)
        if (!search_tensor(c, &s, sel.items[i], step, err))
            return false;
    if (s.waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu tensors", sel.n);
    sm_result_listing(out, s.rows.list, columns_of(t, out), COUNT(find_columns));
    report_count(c, &s, step, out);
    return sm_read_errors_report(&s.unread, s.values, out, err) &&
           sm_skipped_report(&s.skipped, s.values, out, err);
}

static const struct sm_arg find_args[] = {
    {.name = "VALUE", .kind = SM_ARG_TEXT},
    {.name = "PATTERN", .kind = SM_ARG_PATTERN, .keyword = "in"},
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},
    {.name = "CONDITION", .kind = SM_ARG_EXPR, .keyword = "where"},
    {0},
};
static const struct sm_option find_options[] = {
    {.name = "a", .kind = SM_ARG_FLAG, .help = "list all elements, not only \"print elements\""},
    {0},
};
const struct sm_cmd sm_cmd_find_value = {
    .name = "find",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Find elements: a number, a range LO:HI, nan, inf, or a condition",
    .help = "Searches the newest value of each tensor and worker, or the values at STEP. The "
            "condition is the last argument; in it x is\n"
            "the element: find in gradient/* where abs(x) > 10.",
    .example = "find nan in gradient/*",
    .see_also = "tensors, stat",
    .args = find_args,
    .options = find_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{" SM_SHAPE_VALUE ",index:[int],value:element}]",
    .run = run_find,
};
