/* SPDX-License-Identifier: Apache-2.0 */
/* A table that a logger saved as JSON ({"columns":[...],"data":[[...],...]}, as W&B writes them),
 * as lines of text in columns. */
#ifndef SM_TABLE_TEXT_H
#define SM_TABLE_TEXT_H

#include "reader/tensor/tensor.h"

/* Appends what is said of the table, then a header and at most 200 rows, with line ends; escaped.
 * Cells are cut at 40 columns. False: the tensor is no such table, nothing was added. */
bool sm_table_text(const struct sm_tensor *t, struct sm_str *out);

#endif
