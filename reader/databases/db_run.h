/* SPDX-License-Identifier: Apache-2.0 */
/* A run in a database, read turn by turn: what is new is read while the database holds still, and
 * handed on when it is known that it did. */
#ifndef SM_DB_RUN_H
#define SM_DB_RUN_H

#include "reader/databases/db_rows.h"
#include "reader/databases/latest.h"
#include "reader/databases/notes.h"
#include "reader/logs/log_kind.h"

struct sm_db_run;
struct sm_db_table {
    const char *table, *key; /* its name and the column of the run; constant */
    const char *columns;     /* SQL, see sm_db_rows_read; valid for the turn */
    /* Adds points and notes of a row, and the bytes that it took to r->bytes. */
    void (*row)(struct sm_db_run *r, struct sqlite3_stmt *row);
};
enum { SM_DB_RUN_TABLES = 3 };
struct sm_db_run_ops {
    double per_second; /* units of times */
    /* The i-th table whose rows are read once. False: the database has none such. */
    bool (*table)(struct sm_db_run *r, unsigned i, struct sm_db_table *out);
    /* Adds what is said of the run as a whole to r->info. */
    bool (*info)(struct sm_db_run *r, struct sm_err *err);
};

struct sm_db_run {
    const struct sm_db_run_ops *ops;
    struct sm_source *source; /* borrowed */
    char *file, *id;
    struct sm_database *db; /* NULL: not opened yet */
    struct sm_points points;
    struct sm_latest latest;
    struct sm_notes info, notes; /* of the whole run; of rows */
    uint32_t info_sum;           /* of the info that was handed on */
    struct sm_db_place places[SM_DB_RUN_TABLES];
    uint64_t version, epoch; /* of what was handed on; 0: nothing */
    bool unfinished;
    size_t most_rows;      /* of a turn */
    size_t bytes;          /* of this turn */
    struct sm_err trouble; /* of a row that was left out in this turn; code SM_OK: none */
    uint32_t said;         /* sum of the last message */
};
/* member: "FILE#ID". False: no memory, or there is no ID. */
bool sm_db_run_init(struct sm_db_run *r, const struct sm_db_run_ops *ops, struct sm_source *source,
                    const char *member);
void sm_db_run_clear(struct sm_db_run *r);
bool sm_db_run_poll(struct sm_db_run *r, struct sm_log_sink *sink);

/* Whether a file of this name may be a database, or what SQLite keeps beside one. */
bool sm_db_is_name(const char *name);

/* Calls each for the databases of a folder that nobody has claimed, between begin and end. If it
 * holds and each said so, the file is claimed with what belongs to it and the runs are added. */
struct sm_db_found {
    struct sm_str bytes; /* of each run: id, 0, name, 0 */
    size_t n;
};
void sm_db_found_add(struct sm_db_found *found, struct sm_text id, struct sm_text name);
void sm_db_runs_find(struct sm_run_folder *folder,
                     bool (*each)(struct sm_database *db, struct sm_db_found *found));

#endif
