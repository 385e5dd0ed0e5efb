/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a drawing with a screen written out in the test. Include after <cmocka.h>. */
#ifndef TESTS_PLOT_SCREEN_H
#define TESTS_PLOT_SCREEN_H

#include "plot/grid/glyphs.h"
#include "plot/grid/grid_print.h"

#include <stdio.h>
#include <string.h>

__attribute__((unused)) static void assert_screen(const struct sm_grid *g, const char *want)
{
    struct sm_str s = {0};
    sm_print_plain(g, &s);
    if (strcmp(sm_str_text(&s), want))
        print_error("drawn:\n%swanted:\n%s", sm_str_text(&s), want);
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}

__attribute__((unused)) static void assert_ascii(const struct sm_grid *g)
{
    for (int i = 0; i < g->w * g->h; i++)
        assert_in_range(g->cells[i].rune, 0x20, 0x7e);
}

typedef void draw_fn(struct sm_grid *g, struct sm_rect r, const void *arg);

/* Draws at every size from 0x0 to 60x20 into a grid full of another rune, and checks that nothing
 * outside was overwritten. */
__attribute__((unused)) static void assert_stays_inside(draw_fn *draw, const void *arg)
{
    enum { CANARY = 0x2603, MARGIN = 2, W = 60, H = 20 };
    struct sm_grid g;
    sm_grid_init(&g, W + 2 * MARGIN, H + 2 * MARGIN);
    for (int w = 0; w <= W; w++)
        for (int h = 0; h <= H; h++) {
            for (int i = 0; i < g.w * g.h; i++)
                g.cells[i] = (struct sm_cell){.rune = CANARY};
            draw(&g, (struct sm_rect){MARGIN, MARGIN, w, h}, arg);
            for (int y = 0; y < g.h; y++)
                for (int x = 0; x < g.w; x++) {
                    bool inside = x >= MARGIN && y >= MARGIN && x < MARGIN + w && y < MARGIN + h;
                    if (inside == (sm_grid_at(&g, x, y)->rune == CANARY))
                        fail_msg("%dx%d: cell %d,%d is %s", w, h, x, y,
                                 inside ? "not drawn" : "overwritten");
                }
        }
    sm_grid_clear(&g);
}

/* With every glyph set; `arg` points to it. */
__attribute__((unused)) static void assert_any_size(draw_fn *draw)
{
    for (enum sm_symbols set = SM_SYMBOLS_BRAILLE; set <= SM_SYMBOLS_ASCII; set++)
        assert_stays_inside(draw, &set);
}

#endif
