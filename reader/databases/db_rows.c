/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/db_rows.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_ROWS = 200000, DENSE = 4 };

struct sm_db_rows {
    const char *table, *column;
    uint64_t epoch, version; /* of the database when it was looked through */
    bool begun, unfinished;
    bool indexed;
    int64_t base, last; /* rows up to base are left to the index; up to last were looked through */
    struct sm_names *runs;
    struct list {
        int64_t *ids;
        size_t n, cap;
    } * lists; /* by run */
    size_t n_lists, cap_lists;
    /* of this turn */
    struct fresh {
        uint32_t run;
        int64_t id;
    } * fresh;
    size_t n_fresh, cap_fresh;
    bool looked, has_shrunk, new_unfinished;
    int64_t new_last;
};

struct sm_db_rows *sm_db_rows_new(const char *table, const char *column)
{
    struct sm_db_rows *r = sm_alloc_zero(1, sizeof *r);
    if (r) {
        r->table = table;
        r->column = column;
    }
    return r;
}

static void forget(struct sm_db_rows *r)
{
    for (size_t i = 0; i < r->n_lists; i++)
        sm_free(r->lists[i].ids);
    sm_free(r->lists);
    sm_free(r->fresh);
    sm_names_free(r->runs);
    *r = (struct sm_db_rows){.table = r->table, .column = r->column};
}

void sm_db_rows_free(struct sm_db_rows *r)
{
    if (r)
        forget(r);
    sm_free(r);
}

static bool no_memory(const struct sm_database *db, struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", sm_database_path(db));
}

static bool damaged(const struct sm_db_rows *r, const struct sm_database *db, struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_DATA, "%s: rows of %s are out of order", sm_database_path(db),
                      r->table);
}

/* A query of this table; what holds the text is freed. */
static sqlite3_stmt *query(struct sm_database *db, struct sm_str *text, struct sm_err *err)
{
    sqlite3_stmt *q = NULL;
    if (text->failed)
        no_memory(db, err);
    else
        q = sm_database_query(db, text->data, err);
    sm_str_clear(text);
    return q;
}

/* ---- looking through new rows ---- */

/* INT64_MIN if there is no row. */
static bool greatest_row(struct sm_db_rows *r, struct sm_database *db, int64_t *out,
                         struct sm_err *err)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "SELECT rowid FROM \"%s\" ORDER BY rowid DESC LIMIT 1", r->table);
    sqlite3_stmt *q = query(db, &text, err);
    if (!q)
        return false;
    *out = sm_database_next(db, q, err) ? sqlite3_column_int64(q, 0) : INT64_MIN;
    sqlite3_reset(q);
    return err->code == SM_OK;
}

static bool note_fresh(struct sm_db_rows *r, struct sm_database *db, sqlite3_stmt *q,
                       struct sm_err *err)
{
    struct sm_text run = sm_database_text(q, 1);
    int64_t id = sqlite3_column_int64(q, 0);
    if (r->n_fresh && id <= r->new_last)
        return damaged(r, db, err);
    r->new_last = id;
    if (!r->runs && !(r->runs = sm_names_new()))
        return no_memory(db, err);
    uint32_t name = sm_names_add(r->runs, run.p, run.n);
    if (name == SM_NAME_NONE || !SM_VEC_ROOM(r->fresh, r->n_fresh, r->cap_fresh))
        return no_memory(db, err);
    r->fresh[r->n_fresh++] = (struct fresh){name, id};
    return true;
}

static bool look_through(struct sm_db_rows *r, struct sm_database *db, struct sm_err *err)
{
    struct sm_str text = {0};
    sm_str_printf(&text,
                  "SELECT rowid, \"%s\" FROM \"%s\" WHERE rowid > ?1 ORDER BY rowid LIMIT %d",
                  r->column, r->table, LOOK_ROWS);
    sqlite3_stmt *q = query(db, &text, err);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, r->last);
    r->new_last = r->last;
    while (sm_database_next(db, q, err))
        if (!note_fresh(r, db, q, err))
            return false;
    r->new_unfinished = r->n_fresh == LOOK_ROWS;
    return err->code == SM_OK;
}

static bool begin_rows(struct sm_db_rows *r, struct sm_database *db, struct sm_err *err)
{
    forget(r);
    r->epoch = sm_database_epoch(db);
    r->base = INT64_MIN;
    r->indexed = sm_database_has_index(db, r->table, r->column);
    if (r->indexed && !greatest_row(r, db, &r->base, err))
        return false;
    r->last = r->base;
    r->begun = true;
    return true;
}

bool sm_db_rows_look(struct sm_db_rows *r, struct sm_database *db, bool *more, struct sm_err *err)
{
    int64_t greatest;
    *more = false;
    if ((!r->begun || r->epoch != sm_database_epoch(db)) && !begin_rows(r, db, err))
        return false;
    if (r->looked || (r->version == sm_database_version(db) && !r->unfinished))
        return true;
    r->n_fresh = 0;
    if (!greatest_row(r, db, &greatest, err))
        return false;
    r->looked = true;
    r->has_shrunk = greatest < r->last;
    if (!r->has_shrunk && !look_through(r, db, err)) {
        r->looked = false;
        return false;
    }
    *more = r->has_shrunk || r->n_fresh;
    return true;
}

static struct list *list_of(struct sm_db_rows *r, uint32_t run)
{
    if (!sm_vec_reserve((void **)&r->lists, &r->cap_lists, (size_t)run + 1, sizeof *r->lists))
        return NULL;
    while (r->n_lists <= run)
        r->lists[r->n_lists++] = (struct list){0};
    return &r->lists[run];
}

static bool keep_fresh(struct sm_db_rows *r)
{
    for (size_t i = 0; i < r->n_fresh; i++) {
        struct list *l = list_of(r, r->fresh[i].run);
        if (!l || !SM_VEC_ROOM(l->ids, l->n, l->cap))
            return false;
        l->ids[l->n++] = r->fresh[i].id;
    }
    return true;
}

bool sm_db_rows_settle(struct sm_db_rows *r, uint64_t version, bool holds)
{
    bool ok = true;
    if (!holds && !r->version) /* what the look began with does not hold either */
        r->begun = false;
    if (r->looked && holds) {
        ok = !r->has_shrunk && keep_fresh(r);
        r->last = r->new_last;
        r->unfinished = r->new_unfinished;
        r->version = version;
    }
    r->looked = false;
    r->n_fresh = 0;
    return ok;
}

/* ---- reading the rows of a run ---- */

void sm_db_place_clear(struct sm_db_place *p)
{
    sm_free(p->ids);
    *p = (struct sm_db_place){0};
}

void sm_db_place_settle(struct sm_db_place *p, bool holds)
{
    if (holds) {
        p->at_id = p->new_id;
        p->at_noted = p->new_noted;
        p->indexed = p->new_indexed;
    }
    if (!p->indexed || p->at_id == p->n_ids) {
        sm_free(p->ids);
        p->ids = NULL;
        p->n_ids = p->at_id = 0;
    }
}

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The rows that were there before the first look. */
static bool find_indexed(struct sm_db_rows *r, struct sm_database *db, const char *run,
                         struct sm_db_place *p, struct sm_err *err)
{
    struct sm_str text = {0};
    size_t cap = 0;
    sm_db_place_clear(p);
    p->epoch = sm_database_epoch(db);
    p->new_indexed = true;
    if (!r->indexed)
        return true;
    sm_str_printf(&text, "SELECT rowid FROM \"%s\" WHERE \"%s\" = ?1 AND rowid <= ?2", r->table,
                  r->column);
    sqlite3_stmt *q = query(db, &text, err);
    if (!q)
        return false;
    sm_database_bind(q, 1, run);
    sqlite3_bind_int64(q, 2, r->base);
    while (sm_database_next(db, q, err)) {
        if (!SM_VEC_ROOM(p->ids, p->n_ids, cap))
            return no_memory(db, err);
        p->ids[p->n_ids++] = sqlite3_column_int64(q, 0);
    }
    if (p->n_ids)
        qsort(p->ids, p->n_ids, sizeof *p->ids, compare_ids);
    return err->code == SM_OK;
}

static const struct list *noted(const struct sm_db_rows *r, const char *run)
{
    static const struct list none = {0};
    uint32_t id = r->runs ? sm_names_find(r->runs, run, strlen(run)) : SM_NAME_NONE;
    return id != SM_NAME_NONE && id < r->n_lists ? &r->lists[id] : &none;
}

bool sm_db_rows_left(const struct sm_db_rows *r, const char *run, const struct sm_db_place *place)
{
    return place->new_id < place->n_ids || place->new_noted < noted(r, run)->n;
}

/* Rows that lie close together: one walk. */
static bool read_range(struct sm_db_rows *r, struct sm_database *db, const char *run,
                       const char *columns, const int64_t *ids, size_t n,
                       bool (*row)(void *ctx, sqlite3_stmt *query), void *ctx, size_t *done,
                       struct sm_err *err)
{
    struct sm_str text = {0};
    sm_str_printf(&text,
                  "SELECT %s, rowid FROM \"%s\" WHERE rowid BETWEEN ?1 AND ?2 AND +\"%s\" = ?3",
                  columns, r->table, r->column);
    sqlite3_stmt *q = query(db, &text, err);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, ids[0]);
    sqlite3_bind_int64(q, 2, ids[n - 1]);
    sm_database_bind(q, 3, run);
    int last = sqlite3_column_count(q) - 1;
    while (sm_database_next(db, q, err)) {
        int64_t id = sqlite3_column_int64(q, last);
        while (*done < n && ids[*done] <= id)
            ++*done;
        if (!row(ctx, q)) {
            sqlite3_reset(q);
            return true;
        }
    }
    *done = n;
    return err->code == SM_OK;
}

static bool read_each(struct sm_db_rows *r, struct sm_database *db, const char *columns,
                      const int64_t *ids, size_t n, bool (*row)(void *ctx, sqlite3_stmt *query),
                      void *ctx, size_t *done, struct sm_err *err)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "SELECT %s FROM \"%s\" WHERE rowid = ?1", columns, r->table);
    sqlite3_stmt *q = query(db, &text, err);
    for (bool more = q; more && *done < n;) {
        sqlite3_reset(q);
        sqlite3_bind_int64(q, 1, ids[(*done)++]);
        if (sm_database_next(db, q, err))
            more = row(ctx, q);
        else if (err->code != SM_OK)
            return false;
    }
    return q;
}

/* The next of at most `most` rows. */
static const int64_t *next_ids(const struct sm_db_rows *r, const char *run,
                               const struct sm_db_place *p, size_t most, size_t *n)
{
    const struct list *l = noted(r, run);
    bool own = p->new_id < p->n_ids;
    size_t left = own ? p->n_ids - p->new_id : l->n - p->new_noted;
    *n = left < most ? left : most;
    if (!*n)
        return NULL;
    return own ? p->ids + p->new_id : l->ids + p->new_noted;
}

bool sm_db_rows_read(struct sm_db_rows *r, struct sm_database *db, const char *run,
                     struct sm_db_place *place, const char *columns, size_t most,
                     bool (*row)(void *ctx, sqlite3_stmt *query), void *ctx, size_t *n,
                     struct sm_err *err)
{
    size_t done = 0, count = 0;
    *n = 0;
    if ((!place->indexed || place->epoch != sm_database_epoch(db)) &&
        !find_indexed(r, db, run, place, err))
        return false;
    place->new_id = place->at_id;
    place->new_noted = place->at_noted;
    place->new_indexed = true;
    bool own = place->at_id < place->n_ids;
    const int64_t *ids = next_ids(r, run, place, most, &count);
    if (!count)
        return true;
    bool dense = (uint64_t)ids[count - 1] - (uint64_t)ids[0] < (uint64_t)count * DENSE;
    bool ok = dense ? read_range(r, db, run, columns, ids, count, row, ctx, &done, err)
                    : read_each(r, db, columns, ids, count, row, ctx, &done, err);
    *(own ? &place->new_id : &place->new_noted) += done;
    *n = done;
    return ok;
}
