/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/csv_columns.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/tables/column_name.h"
#include "reader/tables/row_phase.h"

#include <string.h>

enum { COLUMNS_MAX = 16384, NAME_BYTES_MAX = 4096, SAME_NAMES = 7 };

/* ---- what they are ---- */

static bool is_not_step(const struct sm_csv_columns *c, size_t column)
{
    for (size_t i = 0; i < c->n_not_steps; i++)
        if (c->not_steps[i] == column)
            return true;
    return false;
}

static size_t best_step(const struct sm_csv_columns *c)
{
    size_t best = c->n;
    unsigned best_rank = 0;
    if (c->n_not_steps == sizeof c->not_steps / sizeof *c->not_steps)
        return best;
    for (size_t i = 0; i < c->n; i++) {
        unsigned rank = sm_step_rank(c->items[i].name, c->items[i].name_n);
        if (rank && !is_not_step(c, i) && (!best_rank || rank < best_rank)) {
            best = i;
            best_rank = rank;
        }
    }
    return best;
}

static size_t epoch_column(const struct sm_csv_columns *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (i != c->step && sm_same_letters(c->items[i].name, "epoch"))
            return i;
    return c->n;
}

static size_t time_column(const struct sm_csv_columns *c)
{
    double seconds;
    for (size_t i = 0; i < c->n; i++)
        if (sm_is_time(c->items[i].name, c->items[i].name_n, 1e9, &seconds))
            return i;
    return c->n;
}

static size_t phase_column(const struct sm_csv_columns *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (sm_is_phase_name(c->items[i].name, c->items[i].name_n))
            return i;
    return c->n;
}

void sm_csv_columns_reject_step(struct sm_csv_columns *c)
{
    if (c->n_not_steps < sizeof c->not_steps / sizeof *c->not_steps)
        c->not_steps[c->n_not_steps++] = c->step;
}

/* ---- names ---- */

/* More than a few of one name get the number of their column. False: no memory. *id may be
 * SM_NAME_NONE, if even that one is there. */
static bool add_unique(struct sm_csv_columns *c, const char *p, size_t n, uint32_t *id)
{
    struct sm_str name = {0};
    sm_str_addn(&name, p, n);
    for (size_t i = 0; i <= SAME_NAMES && !name.failed; i++) {
        *id = sm_names_find(c->names, name.data, name.len);
        if (*id == SM_NAME_NONE)
            break;
        sm_str_truncate(&name, n);
        sm_str_printf(&name, ".%zu", i + 1 < SAME_NAMES ? i + 1 : c->n);
    }
    bool fresh = *id == SM_NAME_NONE, ok = !name.failed;
    *id = fresh && ok ? sm_names_add(c->names, name.data, name.len) : SM_NAME_NONE;
    sm_str_clear(&name);
    return ok && (!fresh || *id != SM_NAME_NONE);
}

static bool add_column(struct sm_csv_columns *c, struct sm_text name)
{
    uint32_t id = SM_NAME_NONE;
    size_t n = name.n < NAME_BYTES_MAX ? name.n : NAME_BYTES_MAX;
    if (!SM_VEC_ROOM(c->items, c->n, c->cap))
        return false;
    struct sm_csv_column *x = &c->items[c->n];
    *x = (struct sm_csv_column){.name = ""};
    bool usable = n && !memchr(name.p, 0, n);
    if (usable && !add_unique(c, name.p, n, &id))
        return false;
    if (id != SM_NAME_NONE) {
        x->name = sm_names_text(c->names, id);
        x->name_n = sm_names_length(c->names, id);
    }
    c->n++;
    return true;
}

bool sm_csv_columns_set(struct sm_csv_columns *c, const struct sm_csv_cells *cells)
{
    sm_csv_columns_clear(c);
    c->names = sm_names_new();
    for (size_t i = 0; c->names && i < cells->n && i < COLUMNS_MAX; i++)
        if (!add_column(c, cells->items[i]))
            return false;
    c->step = best_step(c);
    c->epoch = epoch_column(c);
    c->time = time_column(c);
    c->phase = phase_column(c);
    return c->names;
}

bool sm_csv_columns_set_numbers(struct sm_csv_columns *c, size_t n)
{
    struct sm_csv_cells cells = {0};
    struct sm_str text = {0};
    for (size_t i = 0; i < n && i < COLUMNS_MAX; i++)
        sm_str_printf(&text, "%scolumn %zu", i ? "," : "", i + 1);
    bool ok = !text.failed && sm_csv_split(sm_str_text(&text), text.len, ',', &cells) &&
              sm_csv_columns_set(c, &cells);
    sm_csv_cells_clear(&cells);
    sm_str_clear(&text);
    return ok;
}

void sm_csv_columns_clear(struct sm_csv_columns *c)
{
    sm_names_free(c->names);
    sm_free(c->items);
    c->names = NULL;
    c->items = NULL;
    c->n = c->cap = 0;
}
