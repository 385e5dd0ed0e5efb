/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/values/stat_rows.h"

#include "commands/place/describe.h"
#include "reader/tensor/statistic_list.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- the order of the statistics ---- */

/* Statistics with position 0 come last (UINT8_MAX), in the order of the list. */
static uint8_t key_position(const struct sm_statistic *x)
{
    return (uint8_t)(x->order - 1);
}

static uint8_t column_position(const struct sm_statistic *x)
{
    return (uint8_t)(x->column - 1);
}

static uint8_t line_position(const struct sm_statistic *x)
{
    return (uint8_t)(x->line - 1);
}

void sm_stat_list(struct sm_stat_list *out, enum sm_stat_order order)
{
    static uint8_t (*const positions[])(const struct sm_statistic *x) = {
        [SM_STAT_KEYS] = key_position,
        [SM_STAT_COLUMNS] = column_position,
        [SM_STAT_LINES] = line_position};
    uint8_t (*position)(const struct sm_statistic *x) = positions[order];
    out->n = 0;
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        size_t k = out->n;
        if (x->hidden)
            continue;
        for (; k && position(out->items[k - 1]) > position(x); k--)
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

struct sm_column *sm_stat_columns(struct sm_result *out, size_t *n)
{
    struct sm_stat_list shown;
    sm_stat_list(&shown, SM_STAT_COLUMNS);
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

/* ---- rows ---- */

static bool is_size(const struct sm_statistic *x)
{
    return strcmp(x->key, "size") == 0;
}

/* x: NULL if no payload was saved. The size is known for all types. */
static void add_statistics(struct sm_result *out, struct sm_node *row, const struct sm_summary *x)
{
    struct sm_stat_list shown;
    struct sm_exact exact;
    double v;
    sm_stat_list(&shown, SM_STAT_KEYS);
    for (size_t i = 0; i < shown.n; i++) {
        const struct sm_statistic *s = shown.items[i];
        if (x && is_size(s))
            sm_node_uint(out, row, s->key, x->n);
        else if (!x || !sm_summary_get(x, s, &v))
            sm_node_null(out, row, s->key);
        else if (s->kind == SM_STATISTIC_COUNT)
            sm_node_uint(out, row, s->key, (uint64_t)v);
        else if (x->stats.finite && sm_statistic_exact(&x->stats, x->dtype, s, &exact))
            sm_node_exact(out, row, s->key, &exact, false);
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
        struct sm_entry e = sm_tensor_entry(t, x, i);
        const struct sm_facts *facts;
        if (e.kind != SM_ENTRY_REDUCTION || sm_trial_part(t, e.part)->worker != worker)
            continue;
        if (sm_fetch_stats(c->session->fetch, t, &e, &facts, err))
            sm_node_element(out, saved, sm_reduction_name(e.reduction), facts->dtype, facts->first);
        else if (err->code == SM_ERR_WAIT)
            known = false;
    }
    return known;
}

struct sm_entry sm_stat_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                              struct sm_step step, uint16_t worker)
{
    struct sm_entry e = sm_trial_entry(t, x, step, worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    size_t from, to;
    if (sm_entry_exists(&e) || !sm_trial_entries_at(t, x, step, &from, &to))
        return e;
    for (size_t i = from; i < to; i++)
        if (worker == SM_WORKER_ANY || sm_tensor_part(t, x, i)->worker == worker)
            return sm_tensor_entry(t, x, i);
    return sm_entry_none();
}

/* known: NULL if there is no value, or if it cannot be read. Returns false with SM_ERR_WAIT while
 * something is being read. */
static bool add_stat_row(struct sm_call *c, struct sm_result *out, struct sm_node *parent,
                         struct sm_trial *t, const struct sm_trial_tensor *x,
                         const struct sm_entry *e, const struct sm_summary *known,
                         struct sm_err *err)
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
    bool ok = add_saved(c, out, row, t, x, sm_trial_part(t, e->part)->step,
                        sm_trial_part(t, e->part)->worker, err);
    if (known && known->stats.inexact)
        sm_node_bool(out, row, "inexact", true);
    return ok;
}

bool sm_stat_add(struct sm_call *c, struct sm_result *out, struct sm_node *parent,
                 struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_entry *e,
                 const struct sm_slice *slice, enum sm_summary_want want, struct sm_err *err)
{
    struct sm_summary summary;
    if (e->kind != SM_ENTRY_VALUE)
        return add_stat_row(c, out, parent, t, x, e, NULL, err);
    if (!sm_summary_read(c->session->summaries, t, e,
                         &(struct sm_summary_spec){.slice = slice, .want = want}, &summary, err))
        return false;
    bool ok = add_stat_row(c, out, parent, t, x, e, &summary, err);
    sm_summary_clear(&summary);
    return ok;
}

/* Text tables have no quantiles. */
static enum sm_summary_want table_summary(const struct sm_call *c)
{
    return c->output == SM_OUTPUT_TEXT && !c->fields ? SM_SUMMARY_STATS : SM_SUMMARY_QUANTILES;
}

bool sm_stat_rows_add(struct sm_stat_rows *r, struct sm_call *c, struct sm_result *out,
                      struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_entry *e,
                      const struct sm_slice *slice, struct sm_err *err)
{
    r->n++;
    if (sm_stat_add(c, out, r->list, t, x, e, slice, table_summary(c), err))
        return true;
    if (sm_read_errors_add(&r->unread, err) && add_stat_row(c, out, r->list, t, x, e, NULL, err))
        return true;
    r->waiting = true;
    return err->code == SM_ERR_WAIT;
}

/* All columns, with the headers of the table for its columns. */
static struct sm_column *all_columns(struct sm_result *out, const struct sm_column *table, size_t n,
                                     size_t *n_all)
{
    struct sm_column *all = sm_stat_columns(out, n_all);
    for (size_t i = 0; i < *n_all; i++) {
        all[i].header = all[i].key;
        for (size_t k = 0; k < n; k++)
            if (strcmp(table[k].key, all[i].key) == 0)
                all[i].header = table[k].header;
    }
    return all;
}

bool sm_stat_rows_end(const struct sm_stat_rows *r, struct sm_result *out,
                      const struct sm_column *columns, size_t n_columns, struct sm_err *err)
{
    if (r->waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu values", r->n);
    sm_result_listing(out, r->list, columns, n_columns);
    out->columns = all_columns(out, columns, n_columns, &out->n_columns);
    return sm_read_errors_report(&r->unread, r->n, out, err);
}
