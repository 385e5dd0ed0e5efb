/* SPDX-License-Identifier: Apache-2.0 */
/* Three glyph sets with the same meanings: braille, block and ASCII. Drawing code names a meaning,
 * never a character. */
#ifndef SM_GLYPHS_H
#define SM_GLYPHS_H

#include "plot/grid/cell.h"
#include "reader/base/str.h"

enum sm_symbols { SM_SYMBOLS_BRAILLE, SM_SYMBOLS_BLOCK, SM_SYMBOLS_ASCII };

enum { SM_MARKERS = 14 };
struct sm_glyphs {
    enum sm_symbols set;
    /* dots per cell: braille 2x4, block 2x2 (quadrants), ASCII 1x2 (' . :) */
    int dots_x, dots_y;
    uint32_t bar[9]; /* empty to full, growing upwards: " ▁▂▃▄▅▆▇█", ASCII " .:-=+*#%" */
    uint32_t shade[16];                                  /* heat without colour, light to dark */
    uint32_t h, v, tl, tr, bl, br;                       /* borders */
    uint32_t tee_l, tee_r, tee_b;                        /* ┤ ├ ┬ for axes */
    uint32_t live, stalled, waiting, ended, error;       /* ● ◐ ○ ■ ✖ / * ~ . # ! */
    uint32_t warn, ok, nan, pos_inf, neg_inf, rule_mark; /* ▲ ✓ ✕ ↑ ↓ ▲ / ! v x I i ^ */
    /* ▸ ▾ ▸ … × / + - > ~ x ; the plain printer writes "..." */
    uint32_t folded, unfolded, cursor, ellipsis, times;
    uint32_t marker[SM_MARKERS]; /* of lines; the first is none */
    uint32_t dash[4]; /* legend samples of the line styles: ── ┄┄ ══ ·· / -- .. == ~~ */
    /* cells of raw points and of the smoothed line over them; 0: their dots */
    uint32_t raw, smooth;
};

const struct sm_glyphs *sm_glyphs(enum sm_symbols set);

/* The rune for the given dots of one cell: bit (y * dots_x + x), y from the top. No dots give '
 * '. */
uint32_t sm_glyphs_dots(const struct sm_glyphs *g, unsigned bits);

/* The glyph for a value without a place on a scale: nan, pos_inf or neg_inf; 0 if v is finite. */
uint32_t sm_glyphs_mark(const struct sm_glyphs *g, double v);

#endif
