/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/bookmark.h"

#include "reader/base/grow.h"
#include "reader/base/mem.h"

#include <string.h>

bool sm_bookmark_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static struct sm_bookmark *find_bookmark(const struct sm_bookmarks *b, const char *trial,
                                         char letter)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].letter == letter && strcmp(b->items[i].trial, trial) == 0)
            return &b->items[i];
    return NULL;
}

void sm_bookmarks_set(struct sm_bookmarks *b, const char *trial, char letter, int64_t step)
{
    struct sm_bookmark *x = find_bookmark(b, trial, letter);
    if (!x) {
        SM_GROW(b->items, b->n, b->cap);
        x = &b->items[b->n++];
        *x = (struct sm_bookmark){.trial = sm_xstrdup(trial), .letter = letter};
    }
    x->step = step;
}

bool sm_bookmarks_find(const struct sm_bookmarks *b, const char *trial, char letter, int64_t *step)
{
    const struct sm_bookmark *x = find_bookmark(b, trial, letter);
    if (x)
        *step = x->step;
    return x;
}

void sm_bookmarks_clear(struct sm_bookmarks *b)
{
    for (size_t i = 0; i < b->n; i++)
        sm_free(b->items[i].trial);
    sm_free(b->items);
    *b = (struct sm_bookmarks){0};
}
