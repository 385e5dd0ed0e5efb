/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a result as SVG: plots with colours, everything else as lines of text. */
#include "commands/answer/print.h"

#include "reader/base/utf8.h"

#include <limits.h>
#include <string.h>

/* Grids and lines, one below the other. They are measured first, then drawn. */
struct page {
    struct sm_grid *g; /* NULL: measure only */
    int w, h;
};

static void add_grid(struct page *p, const struct sm_grid *from)
{
    if (p->g)
        sm_grid_copy(p->g, 0, p->h, from);
    p->w = from->w > p->w ? from->w : p->w;
    p->h += from->h;
}

static void add_lines(struct page *p, const char *text, enum sm_role role)
{
    for (const char *end; (end = strchr(text, '\n')) && p->h < SHRT_MAX; text = end + 1) {
        struct sm_str line = {0};
        sm_str_addn(&line, text, (size_t)(end - text));
        size_t w = sm_text_width(sm_str_text(&line), line.len);
        if (p->g)
            sm_grid_text(p->g, 0, p->h, p->g->w, role, 0, sm_str_text(&line));
        p->w = w > (size_t)p->w ? (int)(w < SHRT_MAX ? w : SHRT_MAX) : p->w;
        p->h++;
        sm_str_clear(&line);
    }
}

static void add_blocks(struct page *p, const struct sm_result *r, const struct sm_print_options *o)
{
    struct sm_print_options plain = *o;
    plain.depth = SM_COLOR_MONO;
    for (const struct sm_block *b = r->first; b; b = b->next) {
        struct sm_block alone = *b;
        struct sm_result one = {.first = &alone, .last = &alone};
        struct sm_str text = {0};
        alone.next = NULL;
        if (b->kind == SM_BLOCK_GRID) {
            add_grid(p, b->grid);
            continue;
        }
        if (b->kind != SM_BLOCK_GRAPHIC)
            sm_print_text(&one, &plain, &text);
        add_lines(p, sm_str_text(&text), b->kind == SM_BLOCK_DIM ? SM_ROLE_DIM : SM_ROLE_TEXT);
        sm_str_clear(&text);
    }
}

void sm_print_picture(const struct sm_result *r, const struct sm_print_options *o,
                      struct sm_str *out)
{
    struct page size = {0};
    struct sm_grid g;
    add_blocks(&size, r, o);
    sm_grid_init(&g, size.w, size.h);
    add_blocks(&(struct page){.g = &g}, r, o);
    sm_print_svg(&g, o->light, out);
    sm_grid_clear(&g);
}
