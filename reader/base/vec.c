/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/vec.h"

#include "reader/base/mem.h"

#include <stdint.h>

bool sm_vec_reserve(void **items, size_t *capacity, size_t want, size_t item_size)
{
    if (want <= *capacity)
        return true;
    size_t grown = *capacity <= SIZE_MAX / 2 ? *capacity + *capacity / 2 : want;
    if (grown < want)
        grown = want;
    if (grown < 4)
        grown = 4;
    void *p = sm_realloc(*items, grown, item_size);
    if (!p)
        return false;
    *items = p;
    *capacity = grown;
    return true;
}
