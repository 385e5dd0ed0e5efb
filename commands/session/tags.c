/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/tags.h"

#include "reader/base/grow.h"
#include "reader/base/mem.h"

#include <string.h>

static size_t find_name(const struct sm_tags *t, uint32_t name)
{
    size_t i = 0;
    while (i < t->n && t->names[i] != name)
        i++;
    return i;
}

bool sm_tags_has(const struct sm_tags *t, uint32_t name)
{
    return find_name(t, name) < t->n;
}

bool sm_tags_toggle(struct sm_tags *t, uint32_t name)
{
    size_t i = find_name(t, name);
    if (i < t->n) {
        memmove(t->names + i, t->names + i + 1, (t->n - i - 1) * sizeof *t->names);
        t->n--;
        return false;
    }
    SM_GROW(t->names, t->n, t->cap);
    t->names[t->n++] = name;
    return true;
}

void sm_tags_clear(struct sm_tags *t)
{
    sm_free(t->names);
    *t = (struct sm_tags){0};
}
