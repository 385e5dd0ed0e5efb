/* SPDX-License-Identifier: Apache-2.0 */
/* The containers of torch's pickles: zip files, and the form before torch 1.6. For the files
 * torch_*.c of this room.
 *
 * The room reader/torch reads what torch.save, torch.jit.save and torch.distributed.checkpoint
 * write, as formats of files of tensors (reader/tensor_files/ckpt_format.h): the tree that
 * reader/pickle makes of a pickle, and the tensors in it (torch_reader.h, dcp_reader.h). Nothing in
 * a pickle is executed. */
#ifndef SM_TORCH_FILE_H
#define SM_TORCH_FILE_H

#include "reader/pickle/zip_directory.h"
#include "reader/torch/torch_reader.h"

/* Memory of one pickle as a tree. */
enum { SM_TORCH_TREE_MAX = 256 << 20 };

/* A zip file that torch.save or torch.jit.save wrote, opened. */
struct sm_torch_zip {
    struct sm_torch_container container; /* of the pickle that is read */
    struct sm_zip zip;
    const struct sm_zip_member *pickle;
    struct sm_text root; /* the folder inside, with its '/' */
    const char *folder;  /* of the storages, below root */
    bool big_endian;
    int64_t fault_at; /* where in the file a pickle is damaged; -1: not known */
    uint64_t lost;    /* tensors of a file that is cut whose elements are not there */
};
/* False: it has no data.pkl, or its directory is damaged. */
bool sm_torch_zip_open(struct sm_torch_zip *z, struct sm_file_span span, struct sm_err *err);
/* The same of a file whose end is missing: what is whole before that. */
bool sm_torch_zip_open_cut(struct sm_torch_zip *z, struct sm_file_span span, struct sm_err *err);
void sm_torch_zip_close(struct sm_torch_zip *z);
/* Adds what its data.pkl holds, names beginning with `prefix`, and constants.pkl of TorchScript.
 * False: one is damaged; what stands before the damage was added. */
bool sm_torch_zip_read(struct sm_torch_zip *z, const char *prefix, struct sm_ckpt_file *out,
                       struct sm_err *err);
/* The tree of a member that is a pickle. False: the tree has what stands before the damage. */
bool sm_torch_zip_tree(struct sm_torch_zip *z, const struct sm_zip_member *m,
                       struct sm_pickle *tree, struct sm_err *err);

/* Pickles after one another, or one alone. False: one is damaged, *at is where in the file, or -1;
 * what stands before it was added. */
bool sm_torch_legacy_read(struct sm_file_span span, struct sm_ckpt_file *out, int64_t *at,
                          struct sm_err *err);
/* The storage that alone is in such a file, as torch pickles one: where it lies in the span's file,
 * and the type of its elements. */
bool sm_torch_legacy_storage(struct sm_file_span span, struct sm_ckpt_storage *out,
                             enum sm_dtype *dtype, struct sm_err *err);

#endif
