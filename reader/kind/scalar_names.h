/* SPDX-License-Identifier: Apache-2.0 */
/* The collections of runs whose files name none: which names are losses, scalars and histograms. */
#ifndef SM_SCALAR_NAMES_H
#define SM_SCALAR_NAMES_H

#include "reader/kind/tail_news.h"

/* Whether a scalar of this name is in the collection of losses. For the loop's thread. */
bool sm_scalar_is_loss(const char *name, size_t n);
/* Adds those collections. False: no memory. */
bool sm_scalar_collections(struct sm_tail_changes *n);

#endif
