/* SPDX-License-Identifier: Apache-2.0 */
/* One SQLite database and its connection, shared by all the runs in it, each of which is read by a
 * worker of its own: one schema is parsed and one pass finds the new rows of all, where a thousand
 * connections would do the same a thousand times. A mutex gives it to one worker at a time. */
#ifndef SM_DATABASE_H
#define SM_DATABASE_H

#include "reader/databases/db_vfs.h"

struct sm_database;
struct sm_database *sm_database_get(struct sm_source *source, const char *path, struct sm_err *err);
void sm_database_release(struct sm_database *db); /* db may be NULL */

/* Takes the lock and looks at the files. After false the lock is not held: SM_ERR_MISSING: no such
 * file; SM_ERR_WAIT: it is being changed. */
bool sm_database_begin(struct sm_database *db, struct sm_err *err);
/* Gives back the lock. True: what was read since begin holds; false: another program wrote in the
 * meantime, or may have as there was an error, so all of it must be dropped and read again. */
bool sm_database_end(struct sm_database *db);

/* The rest: between begin and end. */

/* Counts the changes that were seen; never 0. */
uint64_t sm_database_version(const struct sm_database *db);
/* Counts how often row numbers have lost their meaning: another file, VACUUM, another schema. */
uint64_t sm_database_epoch(const struct sm_database *db);
const char *sm_database_path(const struct sm_database *db);
/* Whether it is a real table, neither a view nor virtual, with this column. */
bool sm_database_has(struct sm_database *db, const char *table, const char *column);
/* Whether an index of all rows begins with this column. */
bool sm_database_has_index(struct sm_database *db, const char *table, const char *column);

/* A query, kept until the database changes; it begins anew. NULL: see err. text is copied. */
struct sqlite3_stmt *sm_database_query(struct sm_database *db, const char *text,
                                       struct sm_err *err);
/* False: no further row, or err is set (its code is not SM_OK). */
bool sm_database_next(struct sm_database *db, struct sqlite3_stmt *query, struct sm_err *err);
/* Text or blob of a column, valid until the next row; empty for NULL. */
struct sm_text sm_database_text(struct sqlite3_stmt *query, int column);
void sm_database_bind(struct sqlite3_stmt *query, int at, const char *text); /* borrowed */

/* What queries have cost in this process, in operations of SQLite, about; for tests. */
uint64_t sm_database_work(void);

/* Which rows are whose (db_rows.h): made at the first call. The names are kept as they are given:
 * they must be constant. */
struct sm_db_rows;
struct sm_db_rows *sm_database_rows(struct sm_database *db, const char *table, const char *column,
                                    struct sm_err *err);

#endif
