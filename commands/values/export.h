/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor as a file for other programs. */
#ifndef SM_EXPORT_H
#define SM_EXPORT_H

#include "reader/base/str.h"
#include "reader/tensor/tensor.h"

/* numpy's .npy, version 1.0, C order. SM_ERR_USAGE for strings and bfloat16, which have no .npy
 * type. */
bool sm_export_npy(const struct sm_tensor *t, struct sm_str *out, struct sm_err *err);
/* One line per row: the last dimension across, all others down. Full precision. */
void sm_export_csv(const struct sm_tensor *t, struct sm_str *out);
/* The raw bytes. */
void sm_export_bin(const struct sm_tensor *t, struct sm_str *out);

#endif
