/* SPDX-License-Identifier: Apache-2.0 */
/* The pages of a SQLite database as they are at one moment.
 *
 * The room reader/databases has the kinds of run that loggers keep in SQLite: `mlflow` (also as
 * folders of text files) and `trackio`. They read through libsqlite3, because its format of pages,
 * overflow and indexes is large, well documented and well tested there; what it would write or lock
 * is not used. db_pages.h (which pages count), db_vfs.h (SQLite's view of them), database.h (one
 * connection of all runs of a file), db_rows.h (which rows are whose), latest.h (which value of a
 * step counts).
 *
 * SQLite itself cannot read a database that another program writes without writing, too: a lock, or
 * the files -shm and -wal. So its pages are read here, without a lock, and what is not in the file
 * yet, or should not be in it, lies over them:
 *
 *     FILE-wal      frames up to the last commit count instead of the pages of FILE
 *     FILE-journal  of a transaction that has not ended: the pages as they were before it
 *
 * Nothing is copied and nothing is written. Whether a writer changed the file in the meantime is
 * checked after reading (sm_db_pages_hold); then what was read is dropped, and read again. */
#ifndef SM_DB_PAGES_H
#define SM_DB_PAGES_H

#include "reader/base/map.h"
#include "reader/source/source.h"

/* What lies over the pages: page number to offset of its content in `file`. */
struct sm_db_overlay {
    struct sm_map at;
    uint32_t page_bytes, pages; /* of a page; of the database */
    /* of a write-ahead log: how far it was read, the checksums there and its two salts */
    uint64_t taken;
    uint32_t sums[2], salts[2];
    bool big_endian; /* of the words that are summed */
};

struct sm_db_pages {
    struct sm_source *source;
    char *path, *paths[2]; /* of the database; of log and journal */
    struct sm_file file, files[2];
    struct sm_stat stat, stats[2]; /* zero: missing */
    bool looked, settled;          /* settled: no change can hide behind these times */
    struct sm_db_overlay wal, journal;
    const struct sm_db_overlay *over; /* one of them, or NULL */
    uint8_t header[100];
    uint32_t page_bytes;
    uint64_t size_bytes;
};
/* Keeps a reference to the source. False: no memory. */
bool sm_db_pages_init(struct sm_db_pages *p, struct sm_source *source, const char *path);
void sm_db_pages_clear(struct sm_db_pages *p);

/* Looks at the files. changed: other pages than at the last look. */
bool sm_db_pages_look(struct sm_db_pages *p, bool *changed, struct sm_err *err);
/* Opens the files as they were at the last look, if they are not open. */
bool sm_db_pages_open(struct sm_db_pages *p, struct sm_err *err);
/* Like pread, of open files; bytes after the end are zero. */
bool sm_db_pages_read(struct sm_db_pages *p, uint64_t offset, void *buf, size_t n, size_t *got,
                      struct sm_err *err);
/* Whether all that was read since the last look belongs together. */
bool sm_db_pages_hold(struct sm_db_pages *p);
void sm_db_pages_close(struct sm_db_pages *p); /* the files, until the next look */

/* From byte `taken` on; a file that is not a log leaves the overlay empty. False: no memory, or it
 * cannot be read. */
bool sm_db_wal_read(struct sm_db_overlay *o, const struct sm_file *f, uint64_t size_bytes,
                    struct sm_err *err);
bool sm_db_journal_read(struct sm_db_overlay *o, const struct sm_file *f, uint64_t size_bytes,
                        struct sm_err *err);
void sm_db_overlay_clear(struct sm_db_overlay *o);

static inline uint32_t sm_db_u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
/* 512 to 65536, a power of two. */
static inline bool sm_db_page_size_ok(uint32_t n)
{
    return n >= 512 && n <= 65536 && !(n & (n - 1));
}

#endif
