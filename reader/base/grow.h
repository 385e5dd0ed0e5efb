/* SPDX-License-Identifier: Apache-2.0 */
/* Growing flat arrays above the reader, where lack of memory may stop the program. */
#ifndef SM_GROW_H
#define SM_GROW_H

#include "reader/base/mem.h"

/* Makes room for items[n]. */
#define SM_GROW(items, n, cap)                                                                     \
    do {                                                                                           \
        if ((n) >= (cap)) {                                                                        \
            (cap) = 2 * (cap) + 4;                                                                 \
            (items) = sm_xrealloc((items), (cap), sizeof *(items));                                \
        }                                                                                          \
    } while (0)

#endif
