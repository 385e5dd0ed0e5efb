/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/database.h"

#include "reader/base/mem.h"
#include "reader/databases/db_rows.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { QUERIES = 24, TABLES = 4, PROGRESS_OPS = 2000 };

struct sm_database {
    pthread_mutex_t lock;
    struct sm_database *next; /* in the list of all; with refs under its lock */
    unsigned refs;
    uint64_t device, inode;
    struct sm_source *only; /* of a source without devices: not shared with others */
    struct sm_db_pages pages;
    sqlite3 *sql; /* of the pages as they are; NULL until it is needed */
    struct {
        char *text;
        sqlite3_stmt *stmt;
    } queries[QUERIES];
    size_t n_queries;
    uint64_t version, epoch, schema, file_inode;
    bool asked;         /* in this turn: pages were read */
    bool failed;        /* in this turn: what is in its cache may be wrong */
    uint64_t failed_at; /* version at which a turn failed before; 0: none */
    uint64_t ops;       /* left until the queries of this turn are stopped */
    struct {
        const char *table, *column;
        struct sm_db_rows *rows;
    } tables[TABLES];
    size_t n_tables;
};

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sm_database *all;

static void close_connection(struct sm_database *db)
{
    for (size_t i = 0; i < db->n_queries; i++) {
        sqlite3_finalize(db->queries[i].stmt);
        sm_free(db->queries[i].text);
    }
    db->n_queries = 0;
    sqlite3_close(db->sql);
    db->sql = NULL;
}

static void free_database(struct sm_database *db)
{
    close_connection(db);
    for (size_t i = 0; i < db->n_tables; i++)
        sm_db_rows_free(db->tables[i].rows);
    sm_db_pages_clear(&db->pages);
    pthread_mutex_destroy(&db->lock);
    sm_free(db);
}

static struct sm_database *new_database(struct sm_source *source, const char *path,
                                        const struct sm_stat *st, struct sm_err *err)
{
    struct sm_database *db = sm_alloc_zero(1, sizeof *db);
    if (!db) {
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
        return NULL;
    }
    pthread_mutex_init(&db->lock, NULL);
    db->refs = 1;
    db->epoch = 1;
    db->device = st->device;
    db->inode = st->inode;
    db->only = st->device ? NULL : source;
    if (!sm_db_pages_init(&db->pages, source, path)) {
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
        free_database(db);
        return NULL;
    }
    return db;
}

static bool is_of(const struct sm_database *db, const struct sm_source *source, const char *path,
                  const struct sm_stat *st)
{
    return db->device == st->device && db->inode == st->inode &&
           db->only == (st->device ? NULL : source) &&
           (st->device || strcmp(db->pages.path, path) == 0);
}

struct sm_database *sm_database_get(struct sm_source *source, const char *path, struct sm_err *err)
{
    struct sm_stat st;
    if (!sm_source_stat(source, path, &st, err))
        return NULL;
    pthread_mutex_lock(&all_lock);
    struct sm_database *db = all;
    while (db && !is_of(db, source, path, &st))
        db = db->next;
    if (db)
        db->refs++;
    else if ((db = new_database(source, path, &st, err))) {
        db->next = all;
        all = db;
    }
    pthread_mutex_unlock(&all_lock);
    return db;
}

void sm_database_release(struct sm_database *db)
{
    pthread_mutex_lock(&all_lock);
    bool last = db && !--db->refs;
    for (struct sm_database **at = &all; last && *at; at = &(*at)->next)
        if (*at == db) {
            *at = db->next;
            break;
        }
    pthread_mutex_unlock(&all_lock);
    if (last)
        free_database(db);
}

/* ---- a turn ---- */

static atomic_ulong work; /* of all databases */

uint64_t sm_database_work(void)
{
    return atomic_load(&work);
}

static int count_ops(void *ctx)
{
    struct sm_database *db = ctx;
    atomic_fetch_add_explicit(&work, PROGRESS_OPS, memory_order_relaxed);
    db->ops -= db->ops < PROGRESS_OPS ? db->ops : PROGRESS_OPS;
    return db->ops == 0;
}

/* What a query may cost: a few operations for each byte of the file. A damaged database can make a
 * walk through it endless. */
static void refill_ops(struct sm_database *db)
{
    db->ops = 20000000 + 8 * db->pages.size_bytes;
}

/* Version and epoch follow what the pages say. */
static void note_change(struct sm_database *db)
{
    uint64_t schema = sm_db_u32(db->pages.header + 40);
    if (db->version && (schema != db->schema || db->pages.stat.inode != db->file_inode))
        db->epoch++;
    db->schema = schema;
    db->file_inode = db->pages.stat.inode;
    db->version++;
}

static bool connect(struct sm_database *db, struct sm_err *err)
{
    if (memcmp(db->pages.header, "SQLite format 3", 16) != 0)
        return sm_err_set(err, SM_ERR_DATA, "%s: not a SQLite database", db->pages.path);
    if (!db->sql &&
        (!sm_db_pages_open(&db->pages, err) || !(db->sql = sm_db_vfs_open(&db->pages, err))))
        return false;
    sqlite3_progress_handler(db->sql, PROGRESS_OPS, count_ops, db);
    refill_ops(db);
    return true;
}

/* An error is believed when it comes again and nothing has changed: the time of a file may not tell
 * of a writer that was at work. */
static bool failed_twice(struct sm_database *db)
{
    bool twice = db->failed_at == db->version;
    db->failed_at = db->version;
    return twice;
}

bool sm_database_begin(struct sm_database *db, struct sm_err *err)
{
    bool changed = false;
    pthread_mutex_lock(&db->lock);
    db->asked = db->failed = false;
    bool ok = sm_db_pages_look(&db->pages, &changed, err);
    if (ok && changed) {
        close_connection(db);
        note_change(db);
        db->failed_at = 0;
    }
    if (ok && connect(db, err))
        return true;
    if (ok && (!sm_db_pages_hold(&db->pages) || !failed_twice(db)))
        sm_err_set(err, SM_ERR_WAIT, "%s: is being written", db->pages.path);
    sm_db_pages_close(&db->pages);
    pthread_mutex_unlock(&db->lock);
    return false;
}

bool sm_database_end(struct sm_database *db)
{
    bool holds = (!db->asked || sm_db_pages_hold(&db->pages)) && (!db->failed || failed_twice(db));
    for (size_t i = 0; i < db->n_queries; i++)
        sqlite3_reset(db->queries[i].stmt);
    if (!holds || db->failed) /* pages in its cache may be of two states */
        close_connection(db);
    for (size_t i = 0; i < db->n_tables; i++)
        if (!sm_db_rows_settle(db->tables[i].rows, db->version, holds))
            db->epoch++;
    sm_db_pages_close(&db->pages);
    pthread_mutex_unlock(&db->lock);
    return holds;
}

uint64_t sm_database_version(const struct sm_database *db)
{
    return db->version;
}

uint64_t sm_database_epoch(const struct sm_database *db)
{
    return db->epoch;
}

const char *sm_database_path(const struct sm_database *db)
{
    return db->pages.path;
}

/* ---- queries ---- */

static sqlite3_stmt *prepare(struct sm_database *db, const char *text, struct sm_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db->sql, text, -1, &stmt, NULL);
    if (rc != SQLITE_OK) {
        sm_db_vfs_fail(db->sql, rc, db->pages.path, err);
        db->failed = true;
    }
    return rc == SQLITE_OK ? stmt : NULL;
}

/* The list is short, and full only if the same text is never asked for again. */
static void forget_queries(struct sm_database *db)
{
    for (size_t i = 0; i < db->n_queries; i++) {
        sqlite3_finalize(db->queries[i].stmt);
        sm_free(db->queries[i].text);
    }
    db->n_queries = 0;
}

sqlite3_stmt *sm_database_query(struct sm_database *db, const char *text, struct sm_err *err)
{
    bool first = !db->asked;
    db->asked = true;
    if (first && !sm_db_pages_open(&db->pages, err))
        return NULL;
    for (size_t i = 0; i < db->n_queries; i++)
        if (strcmp(db->queries[i].text, text) == 0) {
            sqlite3_reset(db->queries[i].stmt);
            sqlite3_clear_bindings(db->queries[i].stmt);
            return db->queries[i].stmt;
        }
    if (db->n_queries == QUERIES)
        forget_queries(db);
    char *copy = sm_strdup(text);
    sqlite3_stmt *stmt = copy ? prepare(db, text, err) : NULL;
    if (!copy)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", db->pages.path);
    if (!stmt) {
        sm_free(copy);
        return NULL;
    }
    db->queries[db->n_queries].text = copy;
    db->queries[db->n_queries++].stmt = stmt;
    return stmt;
}

bool sm_database_next(struct sm_database *db, sqlite3_stmt *query, struct sm_err *err)
{
    sm_err_clear(err);
    int rc = sqlite3_step(query);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
        sm_db_vfs_fail(db->sql, rc, db->pages.path, err);
        db->failed = true;
    }
    return rc == SQLITE_ROW;
}

struct sm_text sm_database_text(sqlite3_stmt *query, int column)
{
    int type = sqlite3_column_type(query, column);
    const char *p = type == SQLITE_NULL   ? NULL
                    : type == SQLITE_BLOB ? sqlite3_column_blob(query, column)
                                          : (const char *)sqlite3_column_text(query, column);
    int n = sqlite3_column_bytes(query, column);
    return p && n > 0 ? (struct sm_text){p, (size_t)n} : (struct sm_text){"", 0};
}

void sm_database_bind(sqlite3_stmt *query, int at, const char *text)
{
    sqlite3_bind_text(query, at, text, -1, SQLITE_STATIC);
}

static bool answers(struct sm_database *db, const char *text, const char *a, const char *b)
{
    struct sm_err err;
    sqlite3_stmt *q = sm_database_query(db, text, &err);
    if (!q)
        return false;
    sm_database_bind(q, 1, a);
    if (b)
        sm_database_bind(q, 2, b);
    return sm_database_next(db, q, &err);
}

bool sm_database_has(struct sm_database *db, const char *table, const char *column)
{
    return answers(
               db,
               "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?1",
               table, NULL) &&
           sqlite3_table_column_metadata(db->sql, "main", table, column, NULL, NULL, NULL, NULL,
                                         NULL) == SQLITE_OK;
}

/* The authorizer, which allows no PRAGMA, is put aside for these two, which only look at the
 * schema. */
bool sm_database_has_index(struct sm_database *db, const char *table, const char *column)
{
    struct sm_err err;
    if (!sm_database_has(db, table, column)) /* which opens the files, too */
        return false;
    sqlite3_set_authorizer(db->sql, NULL, NULL);
    sqlite3_stmt *q = prepare(db,
                              "SELECT 1 FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) "
                              "AS i WHERE i.seqno = 0 AND i.name = ?2 AND NOT l.partial",
                              &err);
    bool has = false;
    if (q) {
        sm_database_bind(q, 1, table);
        sm_database_bind(q, 2, column);
        has = sm_database_next(db, q, &err);
    }
    sqlite3_finalize(q);
    sm_db_vfs_guard(db->sql);
    return has;
}

struct sm_db_rows *sm_database_rows(struct sm_database *db, const char *table, const char *column,
                                    struct sm_err *err)
{
    for (size_t i = 0; i < db->n_tables; i++)
        if (strcmp(db->tables[i].table, table) == 0 && strcmp(db->tables[i].column, column) == 0)
            return db->tables[i].rows;
    struct sm_db_rows *r = db->n_tables < TABLES ? sm_db_rows_new(table, column) : NULL;
    if (!r) {
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", db->pages.path);
        return NULL;
    }
    db->tables[db->n_tables].table = table;
    db->tables[db->n_tables].column = column;
    db->tables[db->n_tables++].rows = r;
    return r;
}
