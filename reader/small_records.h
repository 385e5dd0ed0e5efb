/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that are read with the index: where the records of a step fill a small file, opening that
 * file again for each of them would cost more than reading it once. */
#ifndef SM_SMALL_RECORDS_H
#define SM_SMALL_RECORDS_H

#include "reader/kind/tail_news.h"

/* Fills b->known for the values of one element whose event file is small. What cannot be read, or
 * is not whole, is left for later, and not reported. In a worker. */
void sm_small_records_read(struct sm_source *source, struct sm_batch *b);

#endif
