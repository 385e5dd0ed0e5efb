/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/kind/tensor_files.h"

const char *sm_tensor_files_name(enum sm_tensor_files k)
{
    static const char *const names[SM_FILES_KINDS] = {
        [SM_FILES_MSPROBE] = "msprobe", [SM_FILES_TE_DUMP] = "te_dump",
        [SM_FILES_DCP] = "dcp",         [SM_FILES_SAFETENSORS] = "safetensors",
        [SM_FILES_TORCH] = "torch",     [SM_FILES_NPY] = "npy"};
    return names[k];
}

enum sm_tensor_files sm_tensor_files_first(unsigned set)
{
    unsigned k = 0;
    while (k < SM_FILES_KINDS && !(set >> k & 1))
        k++;
    return (enum sm_tensor_files)k;
}
