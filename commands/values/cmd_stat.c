/* stat: print statistics of tensors. */
#include "commands/answer/read_errors.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "commands/values/values.h"
#include "reader/tensor/slice.h"
#include "reader/tensor/statistic_list.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { STATISTICS_MAX = INT8_MAX };

/* ---- the statistics, in the order of the output ---- */

struct shown {
    const struct sm_statistic *items[STATISTICS_MAX];
    size_t n;
};

/* Statistics with position 0 come last (UINT8_MAX), in the order of the list. */
static uint8_t order_of(const struct sm_statistic *x)
{
    return (uint8_t)(x->order - 1);
}

static uint8_t column_of(const struct sm_statistic *x)
{
    return (uint8_t)(x->column - 1);
}

static uint8_t line_of(const struct sm_statistic *x)
{
    return (uint8_t)(x->line - 1);
}

static void list_statistics(struct shown *out, uint8_t (*place)(const struct sm_statistic *x))
{
    out->n = 0;
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        size_t k = out->n;
        if (x->hidden)
            continue;
        for (; k && place(out->items[k - 1]) > place(x); k--)
            out->items[k] = out->items[k - 1];
        out->items[k] = x;
        out->n++;
    }
}

static const struct sm_column place_columns[] = {
    {.key = "name", .header = "name"},
    {.key = "step", .header = "step", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "mode"},
    {.key = "mode_step", .header = "mode step", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "worker"},
    {.key = "dtype", .header = "dtype"},
    {.key = "shape", .header = "shape", .format = SM_COL_SHAPE},
};

/* The columns of tables: the place of the value, and its statistics. */
static struct sm_column *stat_columns(struct sm_result *out, size_t *n)
{
    struct shown shown;
    list_statistics(&shown, column_of);
    *n = COUNT(place_columns);
    struct sm_column *all =
        sm_arena_xalloc(&out->arena, (COUNT(place_columns) + shown.n) * sizeof *all);
    memcpy(all, place_columns, sizeof place_columns);
    for (size_t i = 0; i < shown.n; i++)
        all[(*n)++] = (struct sm_column){.key = shown.items[i]->key,
                                         .header = sm_statistic_title(shown.items[i]),
                                         .format = SM_COL_NUMBER};
    return all;
}

/* ---- a row ---- */

static bool is_size(const struct sm_statistic *x)
{
    return strcmp(x->key, "size") == 0;
}

/* x: NULL if no payload was saved. The size is known for all types. */
static void add_statistics(struct sm_result *out, struct sm_node *row, const struct sm_summary *x)
{
    struct shown shown;
    double v;
    list_statistics(&shown, order_of);
    for (size_t i = 0; i < shown.n; i++) {
        const struct sm_statistic *s = shown.items[i];
        if (x && is_size(s))
            sm_node_uint(out, row, s->key, x->n);
        else if (!x || !sm_summary_get(x, s, &v))
            sm_node_null(out, row, s->key);
        else if (s->kind == SM_STATISTIC_COUNT)
            sm_node_uint(out, row, s->key, (uint64_t)v);
        else
            sm_node_double(out, row, s->key, v, false);
    }
}

/* Adds the reductions that the hook saved at this step for this worker. Returns false while they
 * are being read. */
static bool add_saved(struct sm_call *c, struct sm_result *out, struct sm_node *row,
                      struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_step step,
                      uint16_t worker, struct sm_err *err)
{
    struct sm_node *saved = sm_node_map(out, row, "saved");
    size_t from, to;
    bool known = true;
    if (!sm_trial_entries_at(t, x, step, &from, &to))
        return true;
    for (size_t i = from; i < to; i++) {
        const struct sm_entry *e = &x->entries[i];
        const struct sm_facts *facts;
        if (e->kind != SM_ENTRY_REDUCTION || sm_trial_part(t, e->part)->worker != worker)
            continue;
        if (sm_fetch_stats(c->session->fetch, t, e, &facts, err))
            sm_node_element(out, saved, sm_reduction_name(e->reduction), facts->dtype,
                            facts->first);
        else if (err->code == SM_ERR_WAIT)
            known = false;
    }
    return known;
}

/* The entry of the place: the value, else any reduction, else the shape. */
static const struct sm_entry *entry_for(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                        struct sm_step step, uint16_t worker)
{
    const struct sm_entry *e = sm_trial_entry(t, x, step, worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    size_t from, to;
    if (e || !sm_trial_entries_at(t, x, step, &from, &to))
        return e;
    for (size_t i = from; i < to; i++)
        if (worker == SM_WORKER_ANY || sm_trial_part(t, x->entries[i].part)->worker == worker)
            return &x->entries[i];
    return NULL;
}

/* known: NULL if there is no value, or if it cannot be read. Returns false with SM_ERR_WAIT while
 * something is being read. */
static bool add_row(struct sm_call *c, struct sm_result *out, struct sm_node *parent,
                    struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_entry *e,
                    const struct sm_summary *known, struct sm_err *err)
{
    struct sm_node *row = sm_node_map(out, parent, NULL);
    sm_node_textn(out, row, "name", sm_names_text(sm_trial_names(t), x->name),
                  sm_names_length(sm_trial_names(t), x->name));
    sm_describe_place(out, row, t, e);
    sm_node_text(out, row, "dtype", known ? sm_dtype_info(known->dtype)->name : NULL);
    if (known)
        sm_node_dims(out, row, "shape", known->dims, known->n_dims);
    else
        sm_node_null(out, row, "shape");
    add_statistics(out, row, known);
    return add_saved(c, out, row, t, x, sm_trial_part(t, e->part)->step,
                     sm_trial_part(t, e->part)->worker, err);
}

static bool add_stat(struct sm_call *c, struct sm_result *out, struct sm_node *parent,
                     struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_entry *e,
                     const struct sm_slice *slice, enum sm_summary_want want, struct sm_err *err)
{
    struct sm_summary summary;
    if (e->kind != SM_ENTRY_VALUE)
        return add_row(c, out, parent, t, x, e, NULL, err);
    if (!sm_summary_read(c->session->summaries, t, e,
                         &(struct sm_summary_spec){.slice = slice, .want = want}, &summary, err))
        return false;
    bool ok = add_row(c, out, parent, t, x, e, &summary, err);
    sm_summary_clear(&summary);
    return ok;
}

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
static size_t text_of_line(struct sm_result *out, const struct sm_node *row,
                           const struct shown *shown, size_t i)
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
static void text_of_one(struct sm_result *out, struct sm_node *row)
{
    struct shown shown;
    list_statistics(&shown, line_of);
    for (size_t i = 0; i < shown.n;)
        i = text_of_line(out, row, &shown, i);
    const struct sm_node *saved = sm_node_get(row, "saved");
    for (const struct sm_node *n = saved ? saved->first : NULL; n; n = n->next)
        sm_result_text(out, "saved %-12s %s", n->key, number_text(out, n));
}

/* Text tables have no quantiles. */
static enum sm_summary_want want_of(const struct sm_call *c)
{
    return c->output == SM_OUTPUT_TEXT && !c->fields ? SM_SUMMARY_STATS : SM_SUMMARY_QUANTILES;
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

/* Rows of a list, some of which may be unreadable. */
struct rows {
    struct sm_node *list;
    size_t n;
    struct sm_read_errors unread;
    bool waiting;
};

/* Returns false if the command fails. */
static bool add_to(struct rows *r, struct sm_call *c, struct sm_result *out, struct sm_trial *t,
                   const struct sm_trial_tensor *x, const struct sm_entry *e,
                   const struct sm_slice *slice, struct sm_err *err)
{
    r->n++;
    if (add_stat(c, out, r->list, t, x, e, slice, want_of(c), err))
        return true;
    if (sm_read_errors_note(&r->unread, err) && add_row(c, out, r->list, t, x, e, NULL, err))
        return true;
    r->waiting = true;
    return err->code == SM_ERR_WAIT;
}

/* All columns, with the headers of the table for its columns. */
static struct sm_column *whole_columns(struct sm_result *out, const struct sm_column *table,
                                       size_t n, size_t *n_all)
{
    struct sm_column *all = stat_columns(out, n_all);
    for (size_t i = 0; i < *n_all; i++) {
        all[i].header = all[i].key;
        for (size_t k = 0; k < n; k++)
            if (strcmp(table[k].key, all[i].key) == 0)
                all[i].header = table[k].header;
    }
    return all;
}

static bool end_rows(const struct rows *r, struct sm_result *out, const struct sm_column *columns,
                     size_t n_columns, struct sm_err *err)
{
    if (r->waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu values", r->n);
    sm_result_listing(out, r->list, columns, n_columns);
    out->columns = whole_columns(out, columns, n_columns, &out->n_columns);
    return sm_read_errors_say(&r->unread, r->n, out, err);
}

static bool stat_over_steps(struct sm_call *c, struct sm_result *out,
                            const struct sm_places *places, struct sm_err *err)
{
    struct rows rows = {.list = sm_node_list(out, NULL, NULL)};
    for (size_t i = 0; i < places->n; i++) {
        const struct sm_place *p = &places->items[i];
        const struct sm_entry *e = entry_for(p->trial, sm_place_tensor(p), p->step, p->worker);
        if (e && !add_to(&rows, c, out, p->trial, sm_place_tensor(p), e, p->slice, err))
            return false;
    }
    return end_rows(&rows, out, steps_table, COUNT(steps_table), err);
}

/* Reports why numbers are missing in the row of a value. */
static void say_missing(struct sm_result *out, const struct sm_node *row)
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
    const struct sm_entry *e = entry_for(p->trial, x, p->step, p->worker);
    if (!e && !sm_place_entry(p, &e, err))
        return false;
    if (!add_stat(c, out, NULL, p->trial, x, e, p->slice, SM_SUMMARY_QUANTILES, err))
        return false;
    struct sm_node *row = out->root;
    struct sm_str head = {0};
    sm_place_add_heading(&head, p, e);
    const struct sm_node *dtype = sm_node_get(row, "dtype");
    sm_str_printf(&head, "  %s",
                  dtype && dtype->type == SM_NODE_TEXT ? dtype->text.p : "saved reductions only");
    sm_result_text(out, "%s", sm_str_text(&head));
    sm_str_clear(&head);
    text_of_one(out, row);
    if (dtype && dtype->type == SM_NODE_TEXT)
        say_missing(out, row);
    out->columns = stat_columns(out, &out->n_columns);
    return true;
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

static struct sm_step newest_up_to(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                   struct sm_step step)
{
    if (step.n >= 0)
        return step;
    const struct sm_entry *e = sm_newest_value(t, x);
    return e ? sm_trial_part(t, e->part)->step : x->last;
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
    struct rows rows = {.list = sm_node_list(out, NULL, NULL)};
    for (size_t i = 0; i < sel.n; i++) {
        const struct sm_entry *e =
            entry_for(t, sel.items[i], newest_up_to(t, sel.items[i], step), SM_WORKER_ANY);
        if (e && !add_to(&rows, c, out, t, sel.items[i], e, NULL, err))
            return false;
    }
    return end_rows(&rows, out, stat_table, COUNT(stat_table), err);
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
    .see_also = "hist tensor tensors",
    .args = stat_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_stat,
};
