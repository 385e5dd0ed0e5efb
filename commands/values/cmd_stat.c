/* SPDX-License-Identifier: Apache-2.0 */
/* stat: print statistics of tensors. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/other_workers.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/values/stat_rows.h"
#include "commands/values/values.h"
#include "reader/tensor/statistic_list.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *number_text(struct sm_result *out, const struct sm_node *n)
{
    char text[32], imaginary[32];
    if (!n || n->type == SM_NODE_NULL)
        return "-";
    if (n->type == SM_NODE_UINT)
        return sm_arena_xprintf(&out->arena, "%llu", (unsigned long long)n->u);
    if (n->type == SM_NODE_INT)
        return sm_arena_xprintf(&out->arena, "%lld", (long long)n->i);
    if (n->type == SM_NODE_BOOL)
        return n->b ? "True" : "False";
    if (n->type == SM_NODE_LIST) { /* a complex number */
        sm_format_double(n->first->d, 6, text);
        sm_format_double(n->first->next->d, 6, imaginary);
        return sm_arena_xprintf(&out->arena, "%s%s%sj", text, *imaginary == '-' ? "" : "+",
                                imaginary);
    }
    sm_format_double(n->d, 6, text);
    return sm_arena_xstrndup(&out->arena, text, strlen(text));
}

/* Prints one line: the statistics with the same tens digit in `line`, or one statistic if it is 0.
 * Returns the index of the next. */
static size_t print_stat_line(struct sm_result *out, const struct sm_node *row,
                              const struct sm_stat_list *shown, size_t i)
{
    const struct sm_statistic *first = shown->items[i];
    struct sm_str line = {0};
    do {
        const char *key = shown->items[i]->key;
        sm_str_printf(&line, "%-12s %-12s ", key, number_text(out, sm_node_get(row, key)));
    } while (++i < shown->n && first->line && shown->items[i]->line / 10 == first->line / 10);
    while (line.len && line.data[line.len - 1] == ' ')
        sm_str_truncate(&line, line.len - 1);
    sm_result_text(out, "%s", sm_str_text(&line));
    sm_str_clear(&line);
    return i;
}

/* "min -0.61  max 0.74  mean ...", in groups of one line. */
static void print_stat_lines(struct sm_result *out, struct sm_node *row)
{
    struct sm_stat_list shown;
    sm_stat_list(&shown, SM_STAT_LINES);
    for (size_t i = 0; i < shown.n;)
        i = print_stat_line(out, row, &shown, i);
    const struct sm_node *saved = sm_node_get(row, "saved");
    for (const struct sm_node *n = saved ? saved->first : NULL; n; n = n->next)
        sm_result_text(out, "saved %-12s %s", n->key, number_text(out, n));
}

static const struct sm_column steps_table[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "min", .header = "MIN", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "std", .header = "STD", .format = SM_COL_NUMBER},
    {.key = "l2", .header = "L2", .format = SM_COL_NUMBER},
    {.key = "nan", .header = "NAN", .format = SM_COL_NUMBER},
    {.key = "pos_inf", .header = "+INF", .format = SM_COL_NUMBER},
    {.key = "neg_inf", .header = "-INF", .format = SM_COL_NUMBER},
    {.key = "zero", .header = "ZERO", .format = SM_COL_NUMBER},
};

static bool stat_over_steps(struct sm_call *c, struct sm_result *out,
                            const struct sm_places *places, struct sm_err *err)
{
    struct sm_stat_rows rows = {.list = sm_node_list(out, NULL, NULL)};
    struct sm_listed_value *values = sm_arena_xalloc(&c->arena, (places->n + 1) * sizeof *values);
    const struct sm_place *first = places->items;
    size_t n = 0;
    for (size_t i = 0; i < places->n; i++) {
        const struct sm_place *p = &places->items[i];
        struct sm_entry e = sm_stat_entry(p->trial, sm_place_tensor(p), p->step, p->worker);
        if (sm_entry_exists(&e) &&
            !sm_stat_rows_add(&rows, c, out, p->trial, sm_place_tensor(p), &e, p->slice, err))
            return false;
        if (sm_entry_exists(&e))
            values[n++] = (struct sm_listed_value){sm_place_tensor(p), e};
    }
    return sm_stat_rows_end(&rows, out, steps_table, COUNT(steps_table), err) &&
           (first->worker != SM_WORKER_ANY ||
            sm_other_workers_note_list(c, out, first->trial, values, n, err));
}

/* Reports why numbers are missing in the row of a value. */
static void report_missing(struct sm_result *out, const struct sm_node *row)
{
    size_t numbers = 0, missing = 0;
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        const struct sm_node *n = sm_node_get(row, x->key);
        if (n && x->kind != SM_STATISTIC_COUNT)
            ++*(n->type == SM_NODE_NULL ? &missing : &numbers);
    }
    if (!numbers)
        sm_result_dim(out, "No statistics: no element is a finite real number.");
    else if (missing)
        sm_result_dim(out,
                      "-: the archive has neither this statistic nor the values to compute it.");
    if (sm_node_get(row, "inexact"))
        sm_result_dim(out, "Integers beyond 2^53: min, max and abs_max are exact, sums and the "
                           "numbers made of them are rounded.");
}

static bool stat_of_one(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_places places;
    if (!sm_places_read(c, &places, err))
        return false;
    if (places.n > 1)
        return stat_over_steps(c, out, &places, err);
    const struct sm_place *p = places.items;
    const struct sm_trial_tensor *x = sm_place_tensor(p);
    struct sm_entry e = sm_stat_entry(p->trial, x, p->step, p->worker);
    if (!sm_entry_exists(&e) && !sm_place_entry(p, &e, err))
        return false;
    if (!sm_stat_add(c, out, NULL, p->trial, x, &e, p->slice, SM_SUMMARY_QUANTILES, err))
        return false;
    struct sm_node *row = out->root;
    struct sm_str head = {0};
    sm_place_add_heading(&head, p, &e);
    const struct sm_node *dtype = sm_node_get(row, "dtype");
    sm_str_printf(&head, "  %s",
                  dtype && dtype->type == SM_NODE_TEXT ? dtype->text.p : "saved reductions only");
    sm_result_text(out, "%s", sm_str_text(&head));
    sm_str_clear(&head);
    print_stat_lines(out, row);
    if (dtype && dtype->type == SM_NODE_TEXT)
        report_missing(out, row);
    out->columns = sm_stat_columns(out, &out->n_columns);
    return sm_other_workers_note(c, out, p, &e, err);
}

static bool is_pattern(const struct sm_call *c)
{
    if (c->n_words != 1)
        return c->n_words > 1;
    struct sm_text w = c->words[0].text;
    return !c->words[0].quoted &&
           (memchr(w.p, '*', w.n) || memchr(w.p, '?', w.n) || (w.n && strchr("/+!", w.p[0]))) &&
           !sm_trial_find(sm_session_trial(c->session), w.p, w.n);
}

static struct sm_step step_or_newest(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                     struct sm_step step)
{
    if (step.n >= 0)
        return step;
    struct sm_entry e = sm_newest_value(t, x);
    return sm_entry_exists(&e) ? sm_trial_part(t, e.part)->step : x->last;
}

static const struct sm_column stat_table[] = {
    {.key = "name", .header = "NAME"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "size", .header = "SIZE", .format = SM_COL_NUMBER},
    {.key = "min", .header = "MIN", .format = SM_COL_NUMBER},
    {.key = "max", .header = "MAX", .format = SM_COL_NUMBER},
    {.key = "mean", .header = "MEAN", .format = SM_COL_NUMBER},
    {.key = "std", .header = "STD", .format = SM_COL_NUMBER},
    {.key = "nan", .header = "NAN", .format = SM_COL_NUMBER},
    {.key = "pos_inf", .header = "+INF", .format = SM_COL_NUMBER},
    {.key = "neg_inf", .header = "-INF", .format = SM_COL_NUMBER},
    {.key = "zero", .header = "ZERO", .format = SM_COL_NUMBER},
};

static bool stat_of_many(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_selection sel;
    struct sm_step step = {-1};
    enum sm_mode mode;
    const struct sm_word *at = sm_call_keyword(c, "step");
    if (!sm_args_select_some(c, c->words, c->n_words, &sel, err) ||
        !sm_place_mode_given(c, &mode, err) ||
        (at && !sm_place_step(c, sm_place_all(c->session, mode), at->text, &step, err)))
        return false;
    struct sm_stat_rows rows = {.list = sm_node_list(out, NULL, NULL)};
    struct sm_listed_value *values = sm_arena_xalloc(&c->arena, (sel.n + 1) * sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < sel.n; i++) {
        struct sm_entry e =
            sm_stat_entry(t, sel.items[i], step_or_newest(t, sel.items[i], step), SM_WORKER_ANY);
        if (sm_entry_exists(&e) && !sm_stat_rows_add(&rows, c, out, t, sel.items[i], &e, NULL, err))
            return false;
        if (sm_entry_exists(&e))
            values[n++] = (struct sm_listed_value){sel.items[i], e};
    }
    return sm_stat_rows_end(&rows, out, stat_table, COUNT(stat_table), err) &&
           sm_other_workers_note_list(c, out, t, values, n, err);
}

static bool run_stat(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return is_pattern(c) ? stat_of_many(c, out, err) : stat_of_one(c, out, err);
}

static const struct sm_arg stat_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR, .repeats = true},
    SM_PLACE_ROWS,
    {0},
};
const struct sm_cmd sm_cmd_stat = {
    .name = "stat",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print statistics of a tensor, or of all tensors that match a pattern",
    .help = "Computed over the finite elements in float64; variance divides by n, l1 and l2 are of "
            "the flattened tensor.\n"
            "Reductions saved by the hook are listed as \"saved\"; their definitions may differ. "
            "Several steps (\"step 0:100\",\n"
            "\"step all\") give one row per step.",
    .example = "stat CNN_conv0.weight step 10",
    .see_also = "hist, tensor, tensors",
    .args = stat_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = SM_SHAPE_STAT "|[" SM_SHAPE_STAT "]",
    .run = run_stat,
};
