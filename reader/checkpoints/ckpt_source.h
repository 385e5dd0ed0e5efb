/* SPDX-License-Identifier: Apache-2.0 */
/* The source of a trial of checkpoints: a directory, some files of which read as event records.
 *
 * A trial reads a value as an event record, by file and offset (reader/kind/trial_kind.h). A file
 * of tensors that was added here has such records, one for each tensor, at offsets that this source
 * gives out. Nothing of them is stored but some hundred bytes each, their heads: the elements are
 * read from the file when they are asked for, by their places and through their strides, in pieces
 * of any size. The record's checksum is "unwritten", as smdebug's. Other files read as they are. */
#ifndef SM_CKPT_SOURCE_H
#define SM_CKPT_SOURCE_H

#include "reader/source/source.h"
#include "reader/tensor_files/ckpt_file.h"

/* Wraps a source, which it keeps a reference to. NULL: no memory. */
struct sm_source *sm_ckpt_source_new(struct sm_source *files, struct sm_err *err);
/* The source below, for reading files as they are; s itself if it is another one. Borrowed. */
struct sm_source *sm_ckpt_source_files(struct sm_source *s);

/* Where the record of a tensor begins, and its length. */
struct sm_ckpt_place {
    uint64_t offset, length;
};
/* The files of tensors that read as one file of records, named `path`. */
struct sm_ckpt_part {
    const char *path;
    struct sm_ckpt_file *const *files; /* each is as sm_ckpt_file.path says */
    const struct sm_stat *stats;       /* of each, when it was read */
    size_t n_files;
    int64_t step;
    double time; /* seconds since 1970 */
};
/* Adds them, and takes what is in the files over (they are empty then). The places are of the
 * tensors of the first file, of the second, and so on. May be called again for a path whose files
 * were written anew: records of before stay, but their elements are gone. False: no memory, nothing
 * was taken; or s is another source. In any thread. */
bool sm_ckpt_source_add(struct sm_source *s, const struct sm_ckpt_part *part,
                        struct sm_ckpt_place *places);

#endif
