/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/databases/trackio.h"
#include "reader/kind/run_info.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { METRICS, SYSTEM };

static const char *key_of(struct sm_database *db, const char *table)
{
    return sm_database_has(db, table, "run_id") ? "run_id" : "run_name";
}

/* ---- rows ---- */

static void add_row(struct sm_db_run *r, sqlite3_stmt *row, bool system)
{
    struct sm_err err;
    struct sm_text time = sm_database_text(row, 1);
    struct sm_point like = {.system = system,
                            .time = sm_trackio_time_us(time.p, time.n),
                            .step = sqlite3_column_int64(row, 2)};
    struct sm_text json = sm_database_text(row, 0);
    r->bytes += json.n + 64;
    if (!sm_trackio_add(&r->points, json.p, json.n, &like, &err) && !r->trouble.code) {
        r->trouble = err;
        sm_err_prefix(&r->trouble, "row %lld of %s", (long long)sqlite3_column_int64(row, 3),
                      system ? "system_metrics" : "metrics");
    }
}

static void add_metrics(struct sm_db_run *r, sqlite3_stmt *row)
{
    add_row(r, row, false);
}

static void add_system(struct sm_db_run *r, sqlite3_stmt *row)
{
    add_row(r, row, true);
}

static bool trackio_table(struct sm_db_run *r, unsigned i, struct sm_db_table *out)
{
    if (i == METRICS && sm_database_has(r->db, "metrics", "step"))
        *out = (struct sm_db_table){"metrics", key_of(r->db, "metrics"),
                                    "metrics, timestamp, step, id", add_metrics};
    else if (i == SYSTEM && sm_database_has(r->db, "system_metrics", "metrics"))
        *out = (struct sm_db_table){"system_metrics", key_of(r->db, "system_metrics"),
                                    "metrics, timestamp, 0, id", add_system};
    else
        return false;
    return true;
}

/* ---- what is said of a run ---- */

static sqlite3_stmt *one_run(struct sm_db_run *r, const char *columns, const char *table,
                             const char *order, struct sm_err *err)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "SELECT %s FROM %s WHERE %s = ?1 ORDER BY %s LIMIT 1", columns, table,
                  key_of(r->db, table), order);
    sqlite3_stmt *q = text.failed ? NULL : sm_database_query(r->db, text.data, err);
    if (text.failed)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", r->file);
    sm_str_clear(&text);
    if (q)
        sm_database_bind(q, 1, r->id);
    return q;
}

static bool note_name(struct sm_db_run *r, struct sm_err *err)
{
    struct sm_text name = sm_text(r->id);
    sqlite3_stmt *q = NULL;
    if (strcmp(key_of(r->db, "metrics"), "run_id") == 0) {
        q = one_run(r, "run_name", "metrics", "step", err);
        if (!q)
            return false;
        if (sm_database_next(r->db, q, err) && sm_database_text(q, 0).n)
            name = sm_database_text(q, 0);
        else if (err->code != SM_OK)
            return false;
    }
    sm_notes_add(&r->info, SM_NOTE_NAME, (struct sm_text){"", 0}, name);
    return true;
}

static bool note_config(struct sm_db_run *r, struct sm_err *err)
{
    if (!sm_database_has(r->db, "configs", "config"))
        return true;
    sqlite3_stmt *q = one_run(r, "config, created_at", "configs", "id DESC", err);
    if (!q)
        return false;
    if (!sm_database_next(r->db, q, err))
        return err->code == SM_OK;
    struct sm_text time = sm_database_text(q, 1);
    int64_t began_us = sm_trackio_time_us(time.p, time.n);
    if (began_us > 0)
        sm_notes_add_number(&r->info, SM_NOTE_BEGAN, (double)began_us * 1e-6);
    struct sm_text json = sm_database_text(q, 0);
    if (!sm_trackio_config(&r->info, json.p, json.n, &r->trouble) && r->trouble.code)
        sm_err_prefix(&r->trouble, "config of a run");
    return true;
}

/* Columns: level, title, text, step, timestamp. */
static void note_alert(struct sm_db_run *r, sqlite3_stmt *row, struct sm_str *text)
{
    struct sm_text level = sm_database_text(row, 0), title = sm_database_text(row, 1);
    struct sm_text more = sm_database_text(row, 2), time = sm_database_text(row, 4);
    bool steps = sqlite3_column_type(row, 3) == SQLITE_INTEGER;
    sm_str_truncate(text, 0);
    sm_str_addn(text, level.p, level.n);
    sm_str_add(text, level.n ? ": " : "");
    sm_str_addn(text, title.p, title.n);
    sm_str_add(text, title.n && more.n ? ": " : "");
    sm_str_addn(text, more.p, more.n);
    sm_notes_add_alert(&r->info, (struct sm_text){sm_str_text(text), text->len},
                       steps ? sqlite3_column_int64(row, 3) : -1,
                       (double)sm_trackio_time_us(time.p, time.n) * 1e-6);
}

static bool note_alerts(struct sm_db_run *r, struct sm_err *err)
{
    struct sm_str text = {0};
    bool has =
        sm_database_has(r->db, "alerts", "level") && sm_database_has(r->db, "alerts", "title") &&
        sm_database_has(r->db, "alerts", "text") && sm_database_has(r->db, "alerts", "step") &&
        sm_database_has(r->db, "alerts", "timestamp");
    if (!has)
        return true;
    sm_str_printf(
        &text,
        "SELECT level, title, text, step, timestamp FROM alerts WHERE %s = ?1 ORDER BY id "
        "LIMIT %d",
        key_of(r->db, "alerts"), SM_RUN_ALERTS_MAX);
    sqlite3_stmt *q = sm_database_query(r->db, sm_str_text(&text), err);
    if (q)
        sm_database_bind(q, 1, r->id);
    while (q && sm_database_next(r->db, q, err))
        note_alert(r, q, &text);
    sm_str_clear(&text);
    return q && err->code == SM_OK;
}

static bool trackio_info(struct sm_db_run *r, struct sm_err *err)
{
    return note_name(r, err) && note_config(r, err) && note_alerts(r, err);
}

static const struct sm_db_run_ops ops = {
    .per_second = 1e6, .table = trackio_table, .info = trackio_info};

/* ---- which runs there are ---- */

/* One run after the other by the index; without one, a walk through all rows. */
static const char *const by_index[2] = {
    "SELECT run_name, run_name, rowid FROM metrics WHERE run_name > ?1 ORDER BY run_name, rowid "
    "LIMIT 1",
    "SELECT run_id, run_name, rowid FROM metrics WHERE run_id > ?1 ORDER BY run_id, rowid LIMIT 1"};
static const char *const by_row[2] = {"SELECT run_name, run_name FROM metrics ORDER BY id",
                                      "SELECT run_id, run_name FROM metrics ORDER BY id"};

/* A run with its first row, by which runs are ordered. */
struct started {
    int64_t row;
    char *id, *name;
};
struct starts {
    struct started *items;
    size_t n, cap;
    bool failed;
};

static void add_start(struct starts *s, struct sm_text id, struct sm_text name, int64_t row)
{
    struct started x = {row, sm_strndup(id.p, id.n), sm_strndup(name.n ? name.p : "", name.n)};
    if (x.id && x.name && SM_VEC_ROOM(s->items, s->n, s->cap)) {
        s->items[s->n++] = x;
        return;
    }
    sm_free(x.id);
    sm_free(x.name);
    s->failed = true;
}

static int by_first_row(const void *a, const void *b)
{
    const struct started *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static void hand_starts(struct starts *s, struct sm_db_found *found)
{
    if (s->n)
        qsort(s->items, s->n, sizeof *s->items, by_first_row);
    for (size_t i = 0; i < s->n; i++) {
        sm_db_found_add(found, sm_text(s->items[i].id), sm_text(s->items[i].name));
        sm_free(s->items[i].id);
        sm_free(s->items[i].name);
    }
    sm_free(s->items);
}

static bool find_by_index(struct sm_database *db, bool ids, struct sm_db_found *found)
{
    struct sm_err err;
    struct starts starts = {0};
    const char *last = "";
    bool more = true, ok = true;
    while (more && ok) {
        sqlite3_stmt *q = sm_database_query(db, by_index[ids], &err);
        ok = q;
        if (q)
            sqlite3_bind_text(q, 1, last, (int)strlen(last), SQLITE_STATIC);
        more = q && sm_database_next(db, q, &err);
        if (more) {
            add_start(&starts, sm_database_text(q, 0), sm_database_text(q, 1),
                      sqlite3_column_int64(q, 2));
            more = !starts.failed && sqlite3_column_type(q, 0) == SQLITE_TEXT;
            last = more ? starts.items[starts.n - 1].id : "";
            sqlite3_reset(q); /* it holds `last` */
        }
    }
    hand_starts(&starts, found);
    return ok;
}

static bool find_by_row(struct sm_database *db, bool ids, struct sm_db_found *found)
{
    struct sm_err err;
    struct sm_names *seen = sm_names_new();
    sqlite3_stmt *q = seen ? sm_database_query(db, by_row[ids], &err) : NULL;
    while (q && sm_database_next(db, q, &err)) {
        struct sm_text id = sm_database_text(q, 0);
        uint32_t n = sm_names_count(seen);
        if (sm_names_add(seen, id.p, id.n) == n)
            sm_db_found_add(found, id, sm_database_text(q, 1));
    }
    sm_names_free(seen);
    return q;
}

static bool find_runs(struct sm_database *db, struct sm_db_found *found)
{
    if (!sm_database_has(db, "metrics", "run_name") || !sm_database_has(db, "metrics", "metrics") ||
        !sm_database_has(db, "metrics", "step"))
        return false;
    const char *key = key_of(db, "metrics");
    bool ids = strcmp(key, "run_id") == 0;
    return sm_database_has_index(db, "metrics", key) ? find_by_index(db, ids, found)
                                                     : find_by_row(db, ids, found);
}

void sm_trackio_find(struct sm_run_folder *folder)
{
    sm_db_runs_find(folder, find_runs);
}

/* ---- the format ---- */

static void *open_run(const struct sm_trial_input *in)
{
    struct sm_db_run *r = sm_alloc_zero(1, sizeof *r);
    const char *member = in->options.member ? in->options.member : "";
    if (r && !sm_db_run_init(r, &ops, in->source, member)) {
        sm_db_run_clear(r);
        sm_free(r);
        return NULL;
    }
    return r;
}

static void close_run(void *state)
{
    sm_db_run_clear(state);
    sm_free(state);
}

static bool poll_run(void *state, struct sm_log_sink *sink)
{
    return sm_db_run_poll(state, sink);
}

const struct sm_log_format sm_trackio_format = {
    .open = open_run, .close = close_run, .poll = poll_run};
