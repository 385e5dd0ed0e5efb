/* SPDX-License-Identifier: Apache-2.0 */
/* MLflow's SQLite store: runs, metrics(key, value, timestamp, step, is_nan, run_uuid), params,
 * tags, experiments. Its schema has grown over the years; what a database lacks is left out. */
#include "reader/databases/mlflow.h"

#include <sqlite3.h>
#include <string.h>

enum { METRICS, PARAMS };

struct sm_mlflow_status sm_mlflow_status(struct sm_text word)
{
    static const struct {
        const char *word, *number;
        struct sm_mlflow_status status;
    } words[] = {
        {"FINISHED", "3", {true, 0}}, {"FAILED", "4", {true, 1}}, {"KILLED", "5", {true, 1}}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sm_text_is(word, words[i].word) || sm_text_is(word, words[i].number))
            return words[i].status;
    return (struct sm_mlflow_status){false, 0};
}

int64_t sm_mlflow_time_ms(int64_t time)
{
    const int64_t ms_1973 = 100000000000;
    return time > -ms_1973 && time < ms_1973 ? time * 1000 : time;
}

/* ---- rows ---- */

static void add_metric(struct sm_db_run *r, sqlite3_stmt *row)
{
    struct sm_text key = sm_database_text(row, 0);
    bool is_nan = sqlite3_column_int(row, 4) != 0;
    struct sm_point p = {.value = is_nan ? NAN : sqlite3_column_double(row, 1),
                         .time = sm_mlflow_time_ms(sqlite3_column_int64(row, 2)),
                         .step = sqlite3_column_int64(row, 3),
                         .system = sm_mlflow_is_system(key.p, key.n)};
    r->bytes += key.n + 40;
    if (key.n)
        sm_points_add(&r->points, key.p, key.n, &p);
}

static void add_param(struct sm_db_run *r, sqlite3_stmt *row)
{
    struct sm_text key = sm_database_text(row, 0);
    struct sm_str copy = {0}; /* it may go when the value is converted */
    sm_str_addn(&copy, key.p, key.n);
    struct sm_text value = sm_database_text(row, 1);
    r->bytes += copy.len + value.n;
    if (copy.len)
        sm_notes_add(&r->notes, SM_NOTE_CONFIG_TEXT, (struct sm_text){copy.data, copy.len}, value);
    sm_str_clear(&copy);
}

static const char *metric_columns(struct sm_database *db)
{
    bool steps = sm_database_has(db, "metrics", "step");
    bool nans = sm_database_has(db, "metrics", "is_nan");
    return steps && nans ? "key, value, timestamp, step, is_nan"
           : steps       ? "key, value, timestamp, step, value IS NULL"
                         : "key, value, timestamp, 0, value IS NULL";
}

static bool mlflow_table(struct sm_db_run *r, unsigned i, struct sm_db_table *out)
{
    if (i == METRICS && sm_database_has(r->db, "metrics", "run_uuid"))
        *out = (struct sm_db_table){"metrics", "run_uuid", metric_columns(r->db), add_metric};
    else if (i == PARAMS && sm_database_has(r->db, "params", "run_uuid"))
        *out = (struct sm_db_table){"params", "run_uuid", "key, value", add_param};
    else
        return false;
    return true;
}

/* ---- what is said of a run ---- */

static bool note_tags(struct sm_db_run *r, struct sm_err *err)
{
    if (!sm_database_has(r->db, "tags", "run_uuid") ||
        !sm_database_has_index(r->db, "tags", "run_uuid"))
        return true;
    sqlite3_stmt *q =
        sm_database_query(r->db, "SELECT key, value FROM tags WHERE run_uuid = ?1", err);
    if (!q)
        return false;
    sm_database_bind(q, 1, r->id);
    struct sm_str key = {0};
    while (sm_database_next(r->db, q, err)) {
        struct sm_text name = sm_database_text(q, 0);
        if (name.n >= 7 && memcmp(name.p, "mlflow.", 7) == 0)
            continue;
        sm_str_truncate(&key, 0);
        sm_str_add(&key, "tags.");
        sm_str_addn(&key, name.p, name.n);
        if (!key.failed)
            sm_notes_add_string(&r->info, SM_NOTE_SUMMARY, (struct sm_text){key.data, key.len},
                                sm_database_text(q, 1));
    }
    sm_str_clear(&key);
    return err->code == SM_OK;
}

/* The tag is what MLflow shows; the column came later and is the same. */
static bool note_name(struct sm_db_run *r, struct sm_text column, struct sm_err *err)
{
    sqlite3_stmt *q = NULL;
    if (sm_database_has(r->db, "tags", "run_uuid") &&
        !(q = sm_database_query(r->db,
                                "SELECT value FROM tags WHERE key = 'mlflow.runName' AND "
                                "run_uuid = ?1",
                                err)))
        return false;
    if (q)
        sm_database_bind(q, 1, r->id);
    bool tagged = q && sm_database_next(r->db, q, err);
    struct sm_text name = tagged ? sm_database_text(q, 0) : column;
    sm_notes_add(&r->info, SM_NOTE_NAME, (struct sm_text){"", 0}, name.n ? name : sm_text(r->id));
    return err->code == SM_OK;
}

static void note_run(struct sm_db_run *r, sqlite3_stmt *q)
{
    struct sm_mlflow_status status = sm_mlflow_status(sm_database_text(q, 1));
    sm_notes_add_number(&r->info, SM_NOTE_ENDED, status.ended ? status.exit_code : -1);
    if (sqlite3_column_int64(q, 2) > 0)
        sm_notes_add_number(&r->info, SM_NOTE_BEGAN,
                            (double)sm_mlflow_time_ms(sqlite3_column_int64(q, 2)) / 1000);
    sm_notes_add_string(&r->info, SM_NOTE_SUMMARY, SM_TEXT("status"), sm_database_text(q, 1));
    if (sm_database_text(q, 3).n)
        sm_notes_add_string(&r->info, SM_NOTE_SUMMARY, SM_TEXT("experiment"),
                            sm_database_text(q, 3));
}

static bool mlflow_info(struct sm_db_run *r, struct sm_err *err)
{
    bool experiments = sm_database_has(r->db, "experiments", "name");
    sqlite3_stmt *q = sm_database_query(
        r->db,
        experiments ? "SELECT r.name, r.status, r.start_time, e.name FROM runs AS r LEFT JOIN "
                      "experiments AS e ON e.experiment_id = r.experiment_id WHERE r.run_uuid = ?1"
                    : "SELECT name, status, start_time, '' FROM runs WHERE run_uuid = ?1",
        err);
    if (!q)
        return false;
    sm_database_bind(q, 1, r->id);
    if (!sm_database_next(r->db, q, err))
        return err->code == SM_OK; /* the run was removed */
    note_run(r, q);
    return note_name(r, sm_database_text(q, 0), err) && note_tags(r, err);
}

const struct sm_db_run_ops sm_mlflow_tables = {
    .per_second = 1e3, .table = mlflow_table, .info = mlflow_info};

/* ---- which runs there are ---- */

static const char *name_of(struct sm_database *db, struct sm_text id, struct sm_text column,
                           struct sm_str *out)
{
    struct sm_err err;
    sqlite3_stmt *q = sm_database_query(
        db, "SELECT value FROM tags WHERE key = 'mlflow.runName' AND run_uuid = ?1", &err);
    sm_str_truncate(out, 0);
    sm_str_addn(out, column.p, column.n);
    if (!q)
        return sm_str_text(out);
    sqlite3_bind_text(q, 1, id.p, (int)id.n, SQLITE_TRANSIENT);
    if (sm_database_next(db, q, &err) && sm_database_text(q, 0).n) {
        sm_str_truncate(out, 0);
        sm_str_addn(out, sm_database_text(q, 0).p, sm_database_text(q, 0).n);
    }
    return sm_str_text(out);
}

static bool find_runs(struct sm_database *db, struct sm_db_found *found)
{
    struct sm_err err;
    struct sm_str name = {0};
    if (!sm_database_has(db, "runs", "run_uuid") || !sm_database_has(db, "metrics", "run_uuid"))
        return false;
    bool experiments = sm_database_has(db, "experiments", "lifecycle_stage");
    sqlite3_stmt *q = sm_database_query(
        db,
        experiments ? "SELECT r.run_uuid, r.name FROM runs AS r LEFT JOIN experiments AS e ON "
                      "e.experiment_id = r.experiment_id WHERE r.lifecycle_stage IS NOT 'deleted' "
                      "AND e.lifecycle_stage IS NOT 'deleted' ORDER BY r.start_time, r.rowid"
                    : "SELECT run_uuid, name FROM runs WHERE lifecycle_stage IS NOT 'deleted' "
                      "ORDER BY start_time, rowid",
        &err);
    while (q && sm_database_next(db, q, &err)) {
        struct sm_text id = sm_database_text(q, 0);
        name_of(db, id, sm_database_text(q, 1), &name);
        sm_db_found_add(found, id, (struct sm_text){sm_str_text(&name), name.len});
    }
    sm_str_clear(&name);
    return q;
}

void sm_mlflow_find_tables(struct sm_run_folder *folder)
{
    sm_db_runs_find(folder, find_runs);
}
