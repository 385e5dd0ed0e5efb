/* SPDX-License-Identifier: Apache-2.0 */
/* Files of tensors that are open for reading, the storages that are held in memory, and the
 * decompressors that are at some place of one: some of each are kept, for all threads. Internal to
 * ckpt_source.c. */
#ifndef SM_CKPT_OPEN_H
#define SM_CKPT_OPEN_H

#include "reader/tensor_files/ckpt_gather.h"

struct sm_ckpt_open;
struct sm_ckpt_open *sm_ckpt_open_new(struct sm_source *files); /* NULL: no memory; borrows files */
void sm_ckpt_open_free(struct sm_ckpt_open *o);                 /* may be NULL */

/* The file whose storages are read, as it was when its header was read; all borrowed. */
struct sm_ckpt_origin {
    const char *path, *folder; /* the folder has '/' at its end, or is empty */
    const struct sm_stat *st;
};
struct sm_ckpt_handle;
struct sm_ckpt_held;
struct sm_ckpt_stream;
/* For one thread, from begin to end. Reading fails if the file was written anew since. */
struct sm_ckpt_reader {
    struct sm_ckpt_bytes bytes;
    struct sm_ckpt_open *open;
    const struct sm_ckpt_origin *origin;
    const char *file; /* whose handle it is: sm_ckpt_storage.file */
    struct sm_ckpt_handle *handle;
    struct sm_ckpt_held *held;
    struct sm_ckpt_stream *stream;
};
void sm_ckpt_reader_begin(struct sm_ckpt_reader *r, struct sm_ckpt_open *o,
                          const struct sm_ckpt_origin *origin);
void sm_ckpt_reader_end(struct sm_ckpt_reader *r);

#endif
