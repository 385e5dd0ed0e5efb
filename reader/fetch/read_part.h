/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the selected elements of a large record by their places in the file, in a worker. Internal
 * to fetch.c and summary.c. */
#ifndef SM_READ_PART_H
#define SM_READ_PART_H

#include "reader/fetch/fetch_read.h"
#include "reader/tensor/slice.h"

/* Smaller records are read whole, if that is within the limit. */
enum { SM_PART_FROM_BYTES = 4 << 20 };

/* Fills x->tensor with the slice, x->ok and x->err; x as for sm_read_record with SM_WANT_TENSOR. At
 * most x->limit bytes are selected, and of a record that cannot be read in pieces there are no
 * more. Checksums are not verified. Gives up with SM_ERR_CANCELLED when *stop becomes true. */
void sm_read_part(const struct sm_file *f, const struct sm_slice *slice, const atomic_bool *stop,
                  struct sm_read *x, struct sm_scratch *scratch);

#endif
