/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/db_vfs.h"

#include "reader/base/clock.h"

#include <pthread.h>
#include <string.h>

struct db_file {
    sqlite3_file base;
    struct sm_db_pages *pages;
};

/* SQLite opens the file within sqlite3_open_v2, in the same thread. */
static _Thread_local struct sm_db_pages *opening;

/* ---- the file ---- */

static int file_close(sqlite3_file *f)
{
    (void)f;
    return SQLITE_OK;
}

static int file_read(sqlite3_file *f, void *buf, int n, sqlite3_int64 offset)
{
    struct sm_err err;
    size_t got = 0;
    if (n < 0 || offset < 0 ||
        !sm_db_pages_read(((struct db_file *)f)->pages, (uint64_t)offset, buf, (size_t)n, &got,
                          &err))
        return SQLITE_IOERR_READ;
    return got < (size_t)n ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int file_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 offset)
{
    (void)f, (void)p, (void)n, (void)offset;
    return SQLITE_READONLY;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    (void)f, (void)size;
    return SQLITE_READONLY;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size)
{
    *size = (sqlite3_int64)((struct db_file *)f)->pages->size_bytes;
    return SQLITE_OK;
}

static int file_nothing(sqlite3_file *f, int flags)
{
    (void)f, (void)flags;
    return SQLITE_OK;
}

static int file_is_reserved(sqlite3_file *f, int *out)
{
    (void)f;
    *out = 0;
    return SQLITE_OK;
}

static int file_control(sqlite3_file *f, int op, void *arg)
{
    (void)f, (void)op, (void)arg;
    return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *f)
{
    (void)f;
    return 4096;
}

/* No lock, no journal and no check for changes: sm_db_pages sees to these. */
static int file_traits(sqlite3_file *f)
{
    (void)f;
    return SQLITE_IOCAP_IMMUTABLE;
}

/* ---- the file system ---- */

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out_flags)
{
    static const sqlite3_io_methods methods = {.iVersion = 1,
                                               .xClose = file_close,
                                               .xRead = file_read,
                                               .xWrite = file_write,
                                               .xTruncate = file_truncate,
                                               .xSync = file_nothing,
                                               .xFileSize = file_size,
                                               .xLock = file_nothing,
                                               .xUnlock = file_nothing,
                                               .xCheckReservedLock = file_is_reserved,
                                               .xFileControl = file_control,
                                               .xSectorSize = file_sector,
                                               .xDeviceCharacteristics = file_traits};
    (void)vfs, (void)name;
    f->pMethods = NULL;
    if (!(flags & SQLITE_OPEN_MAIN_DB) || !opening)
        return SQLITE_CANTOPEN;
    ((struct db_file *)f)->pages = opening;
    f->pMethods = &methods;
    if (out_flags)
        *out_flags = SQLITE_OPEN_READONLY;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs, (void)name, (void)sync;
    return SQLITE_IOERR_DELETE;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs, (void)name, (void)flags;
    *out = 0;
    return SQLITE_OK;
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int n, char *out)
{
    (void)vfs;
    sqlite3_snprintf(n, out, "%s", name);
    return SQLITE_OK;
}

/* SQLite seeds its hash functions and row numbers with it; nothing here depends on that. */
static int vfs_random(sqlite3_vfs *vfs, int n, char *out)
{
    (void)vfs;
    memset(out, 0, (size_t)n);
    return n;
}

static int vfs_sleep(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    return us;
}

static int vfs_time(sqlite3_vfs *vfs, double *days)
{
    (void)vfs;
    *days = 2440587.5 + (double)sm_clock_wall_us() / 86400e6;
    return SQLITE_OK;
}

static void register_vfs(void)
{
    static sqlite3_vfs vfs = {.iVersion = 1,
                              .szOsFile = (int)sizeof(struct db_file),
                              .mxPathname = 64,
                              .zName = "smdbg",
                              .xOpen = vfs_open,
                              .xDelete = vfs_delete,
                              .xAccess = vfs_access,
                              .xFullPathname = vfs_full_path,
                              .xRandomness = vfs_random,
                              .xSleep = vfs_sleep,
                              .xCurrentTime = vfs_time};
    sqlite3_vfs_register(&vfs, 0);
}

/* ---- the connection ---- */

static int authorize(void *ctx, int action, const char *a, const char *b, const char *c,
                     const char *d)
{
    (void)ctx, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

static bool setup(sqlite3 *db)
{
    static const struct {
        int what, value;
    } limits[] = {{SQLITE_LIMIT_LENGTH, 32 * 1024 * 1024},
                  {SQLITE_LIMIT_SQL_LENGTH, 1024 * 1024},
                  {SQLITE_LIMIT_COLUMN, 200},
                  {SQLITE_LIMIT_EXPR_DEPTH, 100},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 10},
                  {SQLITE_LIMIT_VDBE_OP, 25000},
                  {SQLITE_LIMIT_FUNCTION_ARG, 8},
                  {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    static const int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
                              SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                              SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db, limits[i].what, limits[i].value);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        if (sqlite3_db_config(db, off[i], 0, NULL) != SQLITE_OK)
            return false;
    return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
           sqlite3_exec(db,
                        "PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON; "
                        "PRAGMA cache_size=-8192; PRAGMA mmap_size=0",
                        NULL, NULL, NULL) == SQLITE_OK;
}

void sm_db_vfs_guard(sqlite3 *db)
{
    sqlite3_set_authorizer(db, authorize, NULL);
}

bool sm_db_vfs_fail(sqlite3 *db, int rc, const char *path, struct sm_err *err)
{
    enum sm_err_code code = (rc & 0xff) == SQLITE_NOMEM   ? SM_ERR_MEMORY
                            : (rc & 0xff) == SQLITE_IOERR ? SM_ERR_IO
                                                          : SM_ERR_DATA;
    return sm_err_set(err, code, "%s: %s", path, db ? sqlite3_errmsg(db) : sqlite3_errstr(rc));
}

sqlite3 *sm_db_vfs_open(struct sm_db_pages *pages, struct sm_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sqlite3 *db = NULL;
    pthread_once(&once, register_vfs);
    opening = pages;
    int rc = sqlite3_open_v2("database", &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, "smdbg");
    opening = NULL;
    if (rc == SQLITE_OK && setup(db)) {
        sm_db_vfs_guard(db);
        return db;
    }
    sm_db_vfs_fail(db, rc ? rc : sqlite3_errcode(db), pages->path, err);
    sqlite3_close(db);
    return NULL;
}
