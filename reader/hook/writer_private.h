/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the writer: writer.c has the steps, writer_files.c the files. */
#ifndef SM_WRITER_PRIVATE_H
#define SM_WRITER_PRIVATE_H

#include "reader/format/index_json.h"
#include "reader/hook/writer.h"

#include <sys/uio.h>

struct sm_writer {
    char *dir, *worker;
    int fd;             /* the event file being written; -1: none yet */
    struct sm_str held; /* the records of the step so far, if they may go to the shared file */
    int shared_fd;      /* -1: none is open */
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
/* The open file; -1: an error. */
int hook_create_temporary(struct sm_writer *w, const struct sm_str *relative, struct sm_err *err);
void hook_remove_temporary(struct sm_writer *w, const struct sm_str *relative);
bool hook_rename_final(struct sm_writer *w, const struct sm_str *relative, struct sm_err *err);
/* Opens a file that no step has as its own, so that a step written again cannot replace it, for the
 * numbers of the present step and of those behind it. -1: an error. */
int hook_create_shared(struct sm_writer *w, struct sm_str *name, struct sm_err *err);
/* Writes a file under its temporary name, then renames it. */
bool hook_write_file(struct sm_writer *w, const struct sm_str *relative, const struct sm_str *bytes,
                     struct sm_err *err);
struct iovec hook_iovec(const void *p, size_t n);
/* Writes all parts; changes the array. False: errno is set. */
bool hook_write_parts(int fd, struct iovec *parts, int n);

/* ---- writer_spare.c: taking what was made ahead. spares may be NULL ---- */

/* Writes a file of the folder index into a spare one. False: it must be made now. */
bool hook_spares_use(struct hook_spares *s, struct sm_writer *w, const struct sm_str *relative,
                     const struct sm_str *bytes);
/* Says which step was the last, and whether a shared file is wanted. Returns whether any is. */
bool hook_spares_want(struct hook_spares *s, int64_t step, bool shared);
/* The next shared file, whose name is set. -1: none. */
int hook_spares_shared(struct hook_spares *s, struct sm_str *name);

#endif
