/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's view of a struct sm_db_pages: a file system with one file, which cannot be written. */
#ifndef SM_DB_VFS_H
#define SM_DB_VFS_H

#include "reader/databases/db_pages.h"

#include <sqlite3.h>

/* Opens a connection that reads these pages, which must outlive it: without locks, journals,
 * temporary files, views, triggers and extensions; only SELECT is allowed, and what a database can
 * make of it is bounded by its size. NULL on error. */
sqlite3 *sm_db_vfs_open(struct sm_db_pages *pages, struct sm_err *err);
/* Only SELECT from now on; a new connection is guarded already. */
void sm_db_vfs_guard(sqlite3 *db);
/* Sets err for a result code of SQLite. Returns false. */
bool sm_db_vfs_fail(sqlite3 *db, int rc, const char *path, struct sm_err *err);

#endif
