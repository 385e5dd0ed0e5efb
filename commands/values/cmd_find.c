/* find: search tensors for elements by their values. */
#include "commands/answer/read_errors.h"
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/elements.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/values/values.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void add_find_place(struct sm_result *out, struct sm_node *row, const void *ctx)
{
    const struct sm_place_value *v = ctx;
    sm_place_node(out, row, &v->place, v->entry);
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
    if (!sm_fetch_stats(c->session->fetch, t, v->entry, &facts, err) ||
        !sm_elements_are_numbers(facts->dtype, err))
        return false;
    if (!sm_element_filter_may_match(w, &facts->stats))
        return true;
    if (!sm_fetch_tensor(c->session->fetch, t, v->entry, &x, err))
        return false;
    rows->ctx = v;
    bool ok = sm_elements_find(c, w, x, sm_trial_part(t, v->entry->part)->step, rows, err);
    sm_tensor_unref(x);
    return ok;
}

/* The value of the tensor at the step, or its newest if step.n < 0; it is not read. */
static struct sm_place_value value_at(struct sm_trial *t, const struct sm_trial_tensor *x,
                                      struct sm_step step)
{
    struct sm_place_value v = {.place = sm_place_of_trial(t)};
    v.place.tensor = x->name;
    v.place.step = step;
    v.entry = step.n < 0 ? sm_newest_value(t, x) : sm_place_find_value(&v.place);
    return v;
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
    struct sm_element_rows rows = {.out = out,
                                   .list = sm_node_list(out, NULL, NULL),
                                   .most = sm_values_listed(c),
                                   .place = add_find_place};
    struct sm_read_errors unread = {0};
    struct sm_skipped skipped = {0};
    size_t searched = 0;
    bool waiting = false;
    for (size_t i = 0; i < sel.n; i++) {
        struct sm_place_value v = value_at(t, sel.items[i], step);
        searched += v.entry != NULL;
        if (!v.entry || find_in_tensor(c, &w, &v, &rows, err) || sm_read_errors_add(&unread, err) ||
            sm_skipped_add(&skipped, sm_place_name(&v.place), err))
            continue;
        if (err->code != SM_ERR_WAIT)
            return false;
        waiting = true;
    }
    if (waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu tensors", sel.n);
    sm_result_listing(out, rows.list, find_columns, COUNT(find_columns));
    size_t looked_at = searched - unread.n - skipped.n;
    sm_result_dim(out, "%llu element%s found in %zu tensor%s%s.", (unsigned long long)rows.found,
                  rows.found == 1 ? "" : "s", looked_at, looked_at == 1 ? "" : "s",
                  sm_values_listed_text(c, rows.found, rows.most));
    return sm_read_errors_report(&unread, searched, out, err) &&
           sm_skipped_report(&skipped, searched, out, err);
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
    .help = "Searches the newest value of each tensor, or the value at STEP. The condition is the "
            "last argument; in it x is the\n"
            "element: find in gradient/* where abs(x) > 10.",
    .example = "find nan in gradient/*",
    .see_also = "tensors, stat",
    .args = find_args,
    .options = find_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{" SM_SHAPE_VALUE ",index:[int],value:element}]",
    .run = run_find,
};
