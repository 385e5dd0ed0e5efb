/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/keymap.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

static struct sm_key_line *find_line(const struct sm_keymap *m, int key, enum sm_context context)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->items[i].key == key && m->items[i].context == context)
            return &m->items[i];
    return NULL;
}

void sm_keymap_bind(struct sm_keymap *m, int key, enum sm_context context, const char *line)
{
    struct sm_key_line *x = find_line(m, key, context);
    if (!x && *line && SM_VEC_ROOM(m->items, m->n, m->cap)) {
        x = &m->items[m->n++];
        *x = (struct sm_key_line){key, context, NULL};
    }
    if (!x)
        return;
    sm_free(x->line);
    x->line = sm_xstrdup(line);
    if (!*line) {
        sm_free(x->line);
        *x = m->items[--m->n];
    }
}

const char *sm_keymap_line(const struct sm_keymap *m, int key, enum sm_context context)
{
    const struct sm_key_line *x = find_line(m, key, context);
    x = x ? x : find_line(m, key, SM_CTX_ALL);
    return x ? x->line : NULL;
}

void sm_keymap_clear(struct sm_keymap *m)
{
    for (size_t i = 0; i < m->n; i++)
        sm_free(m->items[i].line);
    sm_free(m->items);
    *m = (struct sm_keymap){0};
}
