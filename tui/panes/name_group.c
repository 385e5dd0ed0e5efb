/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/name_group.h"

#include "plot/table.h"

#include <string.h>

static size_t common_length(const char *a, const char *b, size_t most)
{
    size_t n = 0;
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

struct sm_name_group sm_name_group(const struct sm_tensor_list *l, const struct sm_names *names,
                                   size_t row)
{
    struct sm_name_group g = {.from = row, .to = row + 1};
    while (g.from && !l->rows[g.from - 1].group)
        g.from--;
    while (g.to < l->n && !l->rows[g.to].group)
        g.to++;
    const char *first = sm_names_text(names, l->rows[g.from].tensor);
    size_t common = strlen(first);
    for (size_t i = g.from; i < g.to; i++) {
        const char *name = sm_names_text(names, l->rows[i].tensor);
        int w = (int)sm_text_width(name, strlen(name));
        common = common_length(first, name, common);
        g.names.longest = w > g.names.longest ? w : g.names.longest;
    }
    for (size_t i = 0; i < common && g.to - g.from > 1; i++)
        if (strchr("/._:", first[i]))
            g.names.common = i + 1;
    return g;
}
