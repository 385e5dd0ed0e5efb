/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a folder of tensors are, the main ones first: a folder of checkpoints is of the
 * first kind that it has, and has parts of all. */
#ifndef SM_TENSOR_FILES_H
#define SM_TENSOR_FILES_H

enum sm_tensor_files {
    SM_FILES_MSPROBE,
    SM_FILES_TE_DUMP,
    SM_FILES_DCP,
    SM_FILES_SAFETENSORS,
    SM_FILES_TORCH,
    SM_FILES_NPY,
    SM_FILES_KINDS
};
/* As JSON has it: "safetensors". */
const char *sm_tensor_files_name(enum sm_tensor_files k);
/* The first kind of a set of bits 1 << k; KINDS: it is empty. */
enum sm_tensor_files sm_tensor_files_first(unsigned set);

#endif
