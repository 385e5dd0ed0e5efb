/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of a table belong to which run.
 *
 * Row numbers only grow, so the rows that are new since the last look are those after the greatest
 * one that was seen. They are looked through once for all runs, and noted by run. Rows that were
 * there at the first look are found by the index of the run's column; without such an index they
 * are looked through, too. Either way the work for all runs of a table is linear in its rows. */
#ifndef SM_DB_ROWS_H
#define SM_DB_ROWS_H

#include "reader/databases/database.h"

/* How far one run has come. Zero-initialised: nothing was read. */
struct sm_db_place {
    uint64_t epoch;
    int64_t *ids; /* of the rows that the index has, until they were read */
    size_t n_ids, at_id, at_noted;
    bool indexed;             /* ids were found, or there is no index */
    size_t new_id, new_noted; /* after this read, if it holds */
    bool new_indexed;
};
void sm_db_place_clear(struct sm_db_place *p);
/* After sm_database_end. */
void sm_db_place_settle(struct sm_db_place *p, bool holds);

struct sm_db_rows *sm_db_rows_new(const char *table, const char *column);
void sm_db_rows_free(struct sm_db_rows *r);
/* Looks through rows that are new. What it finds is read after sm_database_end has said that it
 * holds. more: not all were looked through. */
bool sm_db_rows_look(struct sm_db_rows *r, struct sm_database *db, bool *more, struct sm_err *err);
/* By sm_database_end. False: row numbers have lost their meaning. */
bool sm_db_rows_settle(struct sm_db_rows *r, uint64_t version, bool holds);

/* Reads the next rows of a run, at most `most`, in the order of their numbers, with these columns
 * (SQL, the first is column 0), and calls row for each until it returns false; *n: for how many. A
 * place of another epoch begins anew. */
bool sm_db_rows_read(struct sm_db_rows *r, struct sm_database *db, const char *run,
                     struct sm_db_place *place, const char *columns, size_t most,
                     bool (*row)(void *ctx, struct sqlite3_stmt *query), void *ctx, size_t *n,
                     struct sm_err *err);
/* After a read: whether more rows of the run are known. */
bool sm_db_rows_left(const struct sm_db_rows *r, const char *run, const struct sm_db_place *place);

#endif
