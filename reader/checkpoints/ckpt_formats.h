/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file of tensors has. */
#ifndef SM_CKPT_FORMATS_H
#define SM_CKPT_FORMATS_H

#include "reader/tensor_files/ckpt_format.h"

/* By its content, else by its name; NULL: none. */
const struct sm_ckpt_format *sm_ckpt_format_of(const char *name, const uint8_t *head, size_t n);
/* By its content alone. */
const struct sm_ckpt_format *sm_ckpt_format_of_content(const uint8_t *head, size_t n);

#endif
