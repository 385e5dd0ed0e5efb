/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/earliest.h"

#include <string.h>

/* Two that follow each other, with the least time between them, become one. */
static void join_nearest(struct sm_earliest *x)
{
    size_t at = 0;
    for (size_t i = 1; i + 1 < x->n; i++)
        if (x->items[i + 1].ns - x->items[i].ns < x->items[at + 1].ns - x->items[at].ns)
            at = i;
    x->items[at].version = x->items[at + 1].version;
    x->n--;
    memmove(&x->items[at + 1], &x->items[at + 2], (x->n - at - 1) * sizeof *x->items);
}

/* An item with a later time than a newer one is never the answer: it is dropped. */
void sm_earliest_add(struct sm_earliest *x, uint64_t version, int64_t ns)
{
    while (x->n && x->items[x->n - 1].ns >= ns)
        x->n--;
    if (x->n && x->items[x->n - 1].version == version)
        return; /* it is earlier */
    if (x->n == SM_EARLIEST_ITEMS)
        join_nearest(x);
    x->items[x->n].version = version;
    x->items[x->n++].ns = ns;
}

int64_t sm_earliest_since(const struct sm_earliest *x, uint64_t version)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->items[i].version > version)
            return x->items[i].ns;
    return INT64_MAX;
}
