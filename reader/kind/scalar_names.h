/* The collections of runs whose files name none: which names are losses, scalars and histograms. */
#ifndef SM_SCALAR_NAMES_H
#define SM_SCALAR_NAMES_H

#include "reader/kind/tail_news.h"

/* Adds those collections. False: no memory. */
bool sm_scalar_collections(struct sm_tail_changes *n);

#endif
