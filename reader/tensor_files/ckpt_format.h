/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of files of tensors: the only list, X(NAME) one line each, the record being
 * sm_ckpt_format_NAME. A format is a file of this room, or of reader/torch, that defines its
 * record; reader/checkpoints/ckpt_formats.h finds that of a file. */
#ifndef SM_CKPT_FORMAT_H
#define SM_CKPT_FORMAT_H

#include "reader/kind/tensor_files.h"
#include "reader/source/source.h"
#include "reader/tensor_files/ckpt_file.h"

struct sm_ckpt_format {
    enum sm_tensor_files files;
    /* Whether the first n bytes of a file (SM_CKPT_HEAD of them, fewer if the file has fewer) are
     * those of this format and hardly of anything else, whatever its name is; NULL: only the
     * name says it. */
    bool (*begins)(const uint8_t *head, size_t n);
    /* By the file's name, without its folder, and its first bytes. A damaged file belongs to the
     * format that its name says. */
    bool (*owns)(const char *name, const uint8_t *head, size_t n);
    /* Reads what the file holds, in a worker; out->path and size_bytes are set. False: nothing can
     * be read of it, err says why, and where if it is an offset, *at (else -1). Problems of single
     * tensors go to out. Memory is bounded by what is said of the limits in ckpt_file.h and by the
     * size of the header, which is compared with the size of the file before it is read. */
    bool (*read)(const struct sm_file *f, struct sm_ckpt_file *out, int64_t *at,
                 struct sm_err *err);
};
enum { SM_CKPT_HEAD = 128 };

#define SM_CKPT_FORMATS(X) X(safetensors) X(npy) X(npz) X(msprobe) X(dcp) X(torch)

#define SM_CKPT_FORMAT_DECLARE(name) extern const struct sm_ckpt_format sm_ckpt_format_##name;
SM_CKPT_FORMATS(SM_CKPT_FORMAT_DECLARE)

#endif
