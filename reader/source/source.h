/* SPDX-License-Identifier: Apache-2.0 */
/* Where bytes come from: a directory tree of files that may still be growing.
 *
 * The room reader/source reads files and knows nothing of their formats: source.h (the interface,
 * and sources over a directory, memory and compressed files) and watch.h (inotify). A further kind
 * of storage is a file here with the operations of struct sm_source_ops.
 *
 * A source is immutable and may be used by several threads at once. Paths are relative to its root,
 * use '/', and never leave it: "..", absolute paths and links that point outside are
 * SM_ERR_REFUSED. Files are read with positioned reads and never mapped, because mapping a file
 * that shrinks kills the process. If "x" is missing but "x.zst" or "x.gz" exists, "x" reads as the
 * decompressed content (source_packed.c). */
#ifndef SM_SOURCE_H
#define SM_SOURCE_H

#include "reader/base/err.h"
#include "reader/base/str.h"

#include <stdatomic.h>
#include <stdint.h>

struct sm_stat {
    uint64_t size_bytes; /* as stored: for x.zst and x.gz the size of the compressed file */
    int64_t mtime_us;
    uint64_t device, inode; /* identity: the same name with another inode is a replaced file */
    bool is_dir;
    bool compressed; /* stored as x.zst or x.gz, so size_bytes is not the size of x */
};

struct sm_source;
/* What a source knows of a value without its record; begin with {0}, clear bytes. */
struct sm_facts_columns;
struct sm_source_known {
    struct sm_str bytes; /* packed facts (reader/archive/facts_pack.h); empty: none */
    const struct sm_facts_columns *columns; /* which the bytes have; the source's */
    bool only;                              /* the value's bytes were left out */
};
struct sm_source_ops {
    /* Calls each(ctx, name, inode) for every name in directory `dir` ("" is the root) except "."
     * and "..", in any order. A missing directory is SM_ERR_MISSING. If each returns false, the
     * listing stops early and still returns true. */
    bool (*list)(struct sm_source *s, const char *dir,
                 bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir), void *ctx,
                 struct sm_err *err);
    bool (*stat)(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err);
    /* Reads up to n bytes at offset into buf; *got < n only at the end of the file. Where a
     * compressed file is torn or damaged the result is false, and *got bytes before that are good.
     */
    bool (*read)(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                 size_t *got, struct sm_err *err);
    void (*free)(struct sm_source *s);
    /* Optional: appends the whole file to out and sets *st (unless NULL), with few system calls. */
    bool (*slurp)(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                  struct sm_stat *st, struct sm_err *err);
    /* Optional: *fd is a descriptor of the file for pread, closed by the caller, or -1 if the file
     * must be read by its path. */
    bool (*open)(struct sm_source *s, const char *path, int *fd, struct sm_err *err);
    /* Optional, for sources that may hold only part of a file: gives what is stored about value
     * `value` of a record. False: neither that nor the whole record is there. */
    bool (*about)(struct sm_source *s, const char *path, uint64_t offset, uint64_t length,
                  unsigned value, struct sm_source_known *out, struct sm_err *err);
    /* Optional: whether the value itself was left out, and only facts of it are stored. No I/O. */
    bool (*left_out)(struct sm_source *s, const char *path, uint64_t offset, unsigned value);
    /* Optional, for sources that are far away: n bytes at offset of a file are going to be read, so
     * they may be fetched; n 0: up to 256 bytes, and none around them. Waits for nothing. False: it
     * does not matter to this source. */
    bool (*ahead)(struct sm_source *s, const char *path, uint64_t offset, uint64_t n);
    /* Optional, for sources that cannot be watched: how often to look for news at most; 0: as
     * usual. */
    int64_t (*beat_us)(struct sm_source *s);
    /* Optional, for sources that make records of files in another format: where the elements of the
     * record at an offset lie. Appends the path of the file. False: it is no such record, or no
     * memory. No I/O. */
    bool (*origin)(struct sm_source *s, const char *path, uint64_t offset, struct sm_str *file,
                   uint64_t *at);
    /* Optional, for such sources: the CRC-32 that the file has of the elements of the record at an
     * offset, which begins with `before`, that of no bytes or of some before them. False: it has
     * none. No I/O. */
    bool (*content_crc)(struct sm_source *s, const char *path, uint64_t offset, uint32_t *before,
                        uint32_t *crc32);
    /* Optional, for such sources: the bytes of the record at an offset before its elements, which
     * are not read from a file. 0: it is no such record. No I/O. */
    size_t (*head_bytes)(struct sm_source *s, const char *path, uint64_t offset);
    /* Reading a file in many pieces costs no more than reading it at once, although `open` gives no
     * descriptor. */
    bool in_pieces;
};
struct sm_source {
    const struct sm_source_ops *ops;
    atomic_uint refs;
    char *root; /* as the user wrote it; for messages and watching */
};

/* The operations as callers use them: check the path, count reads for the tests, then call ops. */
bool sm_source_list(struct sm_source *s, const char *dir,
                    bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                    void *ctx, struct sm_err *err);
bool sm_source_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err);
bool sm_source_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                    size_t *got, struct sm_err *err);

/* Calls ops->ahead; without one: false. */
bool sm_source_ahead(struct sm_source *s, const char *path, uint64_t offset, uint64_t n);
/* What ops->beat_us says, else 0. */
int64_t sm_source_beat_us(struct sm_source *s);

/* Where the elements of a record lie, appended to file: what ops->origin says, else the record
 * itself. False: the latter, or no memory (file->failed). */
bool sm_source_origin(struct sm_source *s, const char *path, uint64_t offset, struct sm_str *file,
                      uint64_t *at);
/* Calls ops->about; without one: true, nothing appended, the whole record can be read. */
bool sm_source_stored_facts(struct sm_source *s, const char *path, uint64_t offset, uint64_t length,
                            unsigned value, struct sm_source_known *out, struct sm_err *err);

/* An open file, so that several reads look its path up once. For one thread; a plain value. */
struct sm_file {
    struct sm_source *source; /* borrowed, like path */
    const char *path;         /* NULL if closed; zero-initialised is closed */
    int fd;                   /* -1: read by path */
    uint8_t *ahead;           /* bytes of it that were read at once, or NULL */
    uint64_t ahead_at;
    size_t ahead_n;
};
/* f must be closed. */
bool sm_file_open(struct sm_file *f, struct sm_source *s, const char *path, struct sm_err *err);
bool sm_file_read(const struct sm_file *f, uint64_t offset, void *buf, size_t n, size_t *got,
                  struct sm_err *err);
void sm_file_close(struct sm_file *f);
/* Reads bytes that are going to be asked for in small pieces; without effect if it cannot. */
void sm_file_ahead(struct sm_file *f, uint64_t offset, size_t n);
bool sm_file_has(const struct sm_file *f, uint64_t offset, uint64_t n); /* they were read ahead */

struct sm_source *sm_source_ref(struct sm_source *s);
void sm_source_unref(struct sm_source *s); /* s may be NULL */

/* A directory that may not exist yet; its absence is not an error here. */
struct sm_source *sm_source_dir_new(const char *path, struct sm_err *err);
/* Wraps another source, which it keeps a reference to, and reads x from x.zst or x.gz. Keeps the
 * last few decompressed files in a small bounded cache; a larger one that is read in order is
 * decompressed once. */
struct sm_source *sm_source_packed_new(struct sm_source *below, struct sm_err *err);
/* Both: a directory whose compressed files are read decompressed. */
struct sm_source *sm_source_tree_new(const char *path, struct sm_err *err);
/* The length of a file's name by which it is read: without .zst or .gz. */
size_t sm_source_plain_name(const char *name);

/* Files in memory, for tests and fuzzing; sm_source_mem_put copies. sm_source_mem_fail_read: the
 * n-th read from now fails (1 = next). */
struct sm_source *sm_source_mem_new(struct sm_err *err);
bool sm_source_mem_put(struct sm_source *s, const char *path, const void *bytes, size_t n);
bool sm_source_mem_remove(struct sm_source *s, const char *path);
/* For implementations: sets ops, refs and root. */
/* Calls ops->open; *fd is -1 if the source has none. */
bool sm_source_open(struct sm_source *s, const char *path, int *fd, struct sm_err *err);
bool sm_source_pread(int fd, const char *path, uint64_t offset, void *buf, size_t n, size_t *got,
                     struct sm_err *err);
bool sm_source_init(struct sm_source *s, const struct sm_source_ops *ops, const char *root);
void sm_source_fail_read_at(unsigned long n); /* n-th read of any source fails; 0: none */
unsigned long sm_source_read_count(void);

/* Appends a whole file of at most `limit` bytes to out; a larger one is SM_ERR_LIMIT. */
bool sm_source_slurp(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                     struct sm_err *err);

/* The same, with the stat of the file that was read. */
bool sm_source_load(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                    struct sm_stat *st, struct sm_err *err);

/* Whether `path` is relative and has no empty, "." or ".." part and no 0 byte. */
bool sm_source_path_ok(const char *path, size_t n);

#endif
