/* SPDX-License-Identifier: Apache-2.0 */
/* The files of system metrics of one node:
 * <root>/system/incremental/YYYYMMDDHH/<minute>.<node>.json and the marker of the end. Each sample
 * is one write, so a reader sees whole lines only. */
#ifndef SM_SAMPLE_FILE_H
#define SM_SAMPLE_FILE_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Zero-initialised is closed. */
struct sm_sample_file {
    struct sm_str root, path;
    char node[32];
    int fd;         /* valid if minute is not 0 */
    int64_t minute; /* seconds since 1970 at its begin; 0: none is open */
};
/* Makes the directories, and removes an old marker of the end. False: they cannot be made, or
 * somebody else writes the metrics of this node into them. */
bool sm_sample_file_open(struct sm_sample_file *f, const char *root, const char *node,
                         int64_t wall_us, struct sm_err *err);
/* Appends the lines of a sample. False: nothing of them is in the file; the next call may work. */
bool sm_sample_file_write(struct sm_sample_file *f, struct sm_text lines, int64_t wall_us,
                          struct sm_err *err);
/* Closes the file; with the marker if `ended`. Memory is released in any case. */
bool sm_sample_file_close(struct sm_sample_file *f, bool ended, struct sm_err *err);

#endif
