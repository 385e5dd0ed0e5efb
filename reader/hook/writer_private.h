/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the writer: writer.c has the steps, writer_files.c the files. */
#ifndef SM_WRITER_PRIVATE_H
#define SM_WRITER_PRIVATE_H

#include "reader/format/index_json.h"
#include "reader/hook/writer.h"

#include <sys/uio.h>

/* A file that is being written: under its temporary name, or without one. */
struct hook_file {
    int fd; /* -1: none */
    bool named;
};

struct sm_writer {
    char *dir, *worker;
    struct hook_file events; /* of the step */
    struct sm_str held;      /* the records of the step so far, if they may go to the shared file */
    int shared_fd;           /* -1: none is open */
    struct sm_str shared_name;
    uint64_t shared_len;
    bool in_step;
    int64_t step;
    struct sm_index index; /* names are offsets into index.strings until the end of the step */
    uint64_t offset;
    struct sm_str path, record; /* scratch */
    struct hook_spares *spares; /* NULL: none; not owned */
};

bool hook_writer_no_memory(struct sm_err *err); /* returns false */
/* The path of a file of the trial. Valid until the next call; NULL: no memory. */
char *hook_file_path(struct sm_writer *w, const struct sm_str *relative, bool temporary);
bool hook_make_folders(struct sm_writer *w, const struct sm_str *relative, struct sm_err *err);
/* Takes a file that was made ahead, or makes one, for hook_file_finish or hook_file_discard. */
bool hook_file_open(struct sm_writer *w, const struct sm_str *relative, struct hook_file *f,
                    struct sm_err *err);
/* Closes it and gives it its name, whatever had that name before. False: it is removed. */
bool hook_file_finish(struct sm_writer *w, const struct sm_str *relative, struct hook_file *f,
                      struct sm_err *err);
void hook_file_discard(struct sm_writer *w, const struct sm_str *relative, struct hook_file *f);
/* Writes a file under its temporary name, then renames it. */
bool hook_write_file(struct sm_writer *w, const struct sm_str *relative, const struct sm_str *bytes,
                     struct sm_err *err);
struct iovec hook_iovec(const void *p, size_t n);
/* Writes all parts; changes the array. False: errno is set. */
bool hook_write_parts(int fd, struct iovec *parts, int n);

/* ---- writer_spare.c: taking what was made ahead ---- */

/* An empty file without a name, open for appending. -1: none; s may be NULL. */
int hook_spares_take(struct hook_spares *s);
/* Gives it a name that nothing has. False: errno is set. */
bool hook_spare_name(int fd, const char *path);

#endif
