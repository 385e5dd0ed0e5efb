/* Growth for flat arrays that are plain struct members: items, count, capacity. */
#ifndef SM_VEC_H
#define SM_VEC_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `want` items of `item_size`; grows by half. False: out of memory or overflow,
 * array unchanged. */
bool sm_vec_reserve(void **items, size_t *capacity, size_t want, size_t item_size);

/* Appends room for one item to the array `items` with counters `n` and `cap`: true when items[n]
 * may be written. */
#define SM_VEC_ROOM(items, n, cap)                                                                 \
    sm_vec_reserve((void **)&(items), &(cap), (n) + 1, sizeof *(items))

#endif
