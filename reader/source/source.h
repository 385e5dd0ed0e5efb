/* Where bytes come from: a directory tree of files that may still be growing.
 *
 * A source is immutable and may be used by several threads at once. Paths are relative to its root,
 * with '/', and never leave it: "..", absolute paths and links that point outside are
 * SM_ERR_REFUSED. Files are read with positioned reads and never mapped, as mapping one that
 * shrinks kills the process. A missing file "x" is looked for as "x.zst" too and then reads as if
 * it were not compressed (source_zst). */
#ifndef SM_SOURCE_H
#define SM_SOURCE_H

#include "reader/base/err.h"
#include "reader/base/str.h"

#include <stdatomic.h>
#include <stdint.h>

struct sm_stat {
    uint64_t size_bytes; /* as stored; for x.zst the size of the compressed file */
    int64_t mtime_us;
    uint64_t device, inode; /* identity: another inode under the same name is a replaced file */
    bool is_dir;
    bool compressed; /* it is x.zst: size_bytes is not what x would have */
};

struct sm_source;
/* What a source knows of a value without its record; begin with {0}, clear bytes. */
struct sm_facts_columns;
struct sm_source_known {
    struct sm_str bytes;                    /* packed facts (reader/facts_pack.h); empty: none */
    const struct sm_facts_columns *columns; /* which the bytes have; the source's */
    bool only;                              /* the value's bytes were left out */
};
struct sm_source_ops {
    /* Calls each (with the inode: a replaced file has another) for every name in directory `dir`
     * ("" is the root), in any order; not "." and "..". A directory that does not exist is
     * SM_ERR_MISSING. each returning false stops early (still true). */
    bool (*list)(struct sm_source *s, const char *dir,
                 bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir), void *ctx,
                 struct sm_err *err);
    bool (*stat)(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err);
    /* Reads up to n bytes at offset into buf; *got < n only at the end of the file. */
    bool (*read)(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                 size_t *got, struct sm_err *err);
    void (*free)(struct sm_source *s);
    /* Optional shortcut: the whole file appended to out, and its stat unless that is NULL, with as
     * few calls as possible. */
    bool (*slurp)(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                  struct sm_stat *st, struct sm_err *err);
    /* Optional: *fd is a descriptor of the file for pread, the caller's to close; -1: this one must
     * be read by its path. */
    bool (*open)(struct sm_source *s, const char *path, int *fd, struct sm_err *err);
    /* Optional, of a source that may have only a part of a file: what is known of value `value` of
     * a record. False: neither that nor the whole record is there. */
    bool (*about)(struct sm_source *s, const char *path, uint64_t offset, uint64_t length,
                  unsigned value, struct sm_source_known *out, struct sm_err *err);
};
struct sm_source {
    const struct sm_source_ops *ops;
    atomic_uint refs;
    char *root; /* as the user wrote it; for messages and watching */
};

/* How everybody calls a source: checks the path, counts reads for the tests, then asks the ops. */
bool sm_source_list(struct sm_source *s, const char *dir,
                    bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                    void *ctx, struct sm_err *err);
bool sm_source_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err);
bool sm_source_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                    size_t *got, struct sm_err *err);

/* The op; where there is none nothing is known beforehand. */
bool sm_source_about(struct sm_source *s, const char *path, uint64_t offset, uint64_t length,
                     unsigned value, struct sm_source_known *out, struct sm_err *err);

/* One file held open, so that several reads look its path up once. For one thread; a plain value.
 */
struct sm_file {
    struct sm_source *source; /* borrowed, as the path is */
    const char *path;         /* NULL: closed, as is a zero-initialised one */
    int fd;                   /* -1: read by path */
};
/* f is closed before */
bool sm_file_open(struct sm_file *f, struct sm_source *s, const char *path, struct sm_err *err);
bool sm_file_read(const struct sm_file *f, uint64_t offset, void *buf, size_t n, size_t *got,
                  struct sm_err *err);
void sm_file_close(struct sm_file *f);

struct sm_source *sm_source_ref(struct sm_source *s);
void sm_source_unref(struct sm_source *s); /* NULL is fine */

/* An existing or not yet existing directory; opening never fails for lack of it. */
struct sm_source *sm_source_dir_new(const char *path, struct sm_err *err);
/* Over another source (which it keeps): transparent .zst. Whole decompressed files are kept in a
 * small bounded cache. */
struct sm_source *sm_source_zst_new(struct sm_source *below, struct sm_err *err);

/* Files in memory, for tests and fuzzing; sm_source_mem_put copies. Faults: the n-th read from now
 * fails (1 = next). */
struct sm_source *sm_source_mem_new(struct sm_err *err);
bool sm_source_mem_put(struct sm_source *s, const char *path, const void *bytes, size_t n);
bool sm_source_mem_remove(struct sm_source *s, const char *path);
/* For implementations. init fills ops, refs and root. */
/* the op; -1 where there is none */
bool sm_source_open(struct sm_source *s, const char *path, int *fd, struct sm_err *err);
bool sm_source_pread(int fd, const char *path, uint64_t offset, void *buf, size_t n, size_t *got,
                     struct sm_err *err);
bool sm_source_init(struct sm_source *s, const struct sm_source_ops *ops, const char *root);
void sm_source_fail_read_at(unsigned long n); /* any kind of source; 0 none */
unsigned long sm_source_read_count(void);

/* The whole of a file of at most `limit` bytes, appended to out. SM_ERR_LIMIT beyond. */
bool sm_source_slurp(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                     struct sm_err *err);

/* The same with the stat of the file that was read. */
bool sm_source_load(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                    struct sm_stat *st, struct sm_err *err);

/* True when `path` is relative, has no empty, "." or ".." part and no 0 byte. */
bool sm_source_path_ok(const char *path, size_t n);

#endif
