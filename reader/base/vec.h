/* SPDX-License-Identifier: Apache-2.0 */
/* Growing flat arrays whose items, count and capacity are plain struct members. */
#ifndef SM_VEC_H
#define SM_VEC_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `want` items of `item_size`; grows by half. False: no memory or overflow, the
 * array is unchanged. */
bool sm_vec_reserve(void **items, size_t *capacity, size_t want, size_t item_size);

/* Makes room for one more item in array `items` with counters `n` and `cap`; true if items[n] may
 * be written. */
#define SM_VEC_ROOM(items, n, cap)                                                                 \
    sm_vec_reserve((void **)&(items), &(cap), (n) + 1, sizeof *(items))

#endif
