/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/glyphs.h"

#include <math.h>

/* Independent of the font: every font with braille has line drawing, blocks and geometric
 * shapes. */
#define UNICODE_GLYPHS                                                                             \
    .bar = {' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588},                  \
    .shade = {0xb7,   0xb7,   0xb7,   0x2591, 0x2591, 0x2591, 0x2591, 0x2592,                      \
              0x2592, 0x2592, 0x2593, 0x2593, 0x2593, 0x2588, 0x2588, 0x2588},                     \
    .h = 0x2500, .v = 0x2502, .tl = 0x250c, .tr = 0x2510, .bl = 0x2514, .br = 0x2518,              \
    .tee_l = 0x2524, .tee_r = 0x251c, .tee_b = 0x252c, .live = 0x25cf, .stalled = 0x25d0,          \
    .waiting = 0x25cb, .ended = 0x25a0, .error = 0x2716, .warn = 0x25b2, .ok = 0x2713,             \
    .nan = 0x2715, .pos_inf = 0x2191, .neg_inf = 0x2193, .rule_mark = 0x25b2, .folded = 0x25b8,    \
    .unfolded = 0x25be, .cursor = 0x25b8, .ellipsis = 0x2026, .times = 0xd7,                       \
    .dash = {0x2500, 0x2504, 0x2550, 0xb7},                                                        \
    .marker = {' ',    0x25cb, 0x25a1, 0x25b3, 0x25c7, 0x25bd, 0x25c9,                             \
               0x2022, 0x25cf, 0x25a0, 0x25b4, 0x25c6, 0x25be, 0x2605}

static const struct sm_glyphs sets[] = {
    [SM_SYMBOLS_BRAILLE] = {.set = SM_SYMBOLS_BRAILLE, .dots_x = 2, .dots_y = 4, UNICODE_GLYPHS},
    [SM_SYMBOLS_BLOCK] =
        {.set = SM_SYMBOLS_BLOCK, .dots_x = 2, .dots_y = 2, .raw = 0x2591, UNICODE_GLYPHS},
    [SM_SYMBOLS_ASCII] =
        {
            .set = SM_SYMBOLS_ASCII,
            .dots_x = 1,
            .dots_y = 2,
            .bar = {' ', '.', ':', '-', '=', '+', '*', '#', '%'},
            .shade = {'.', '.', ':', ':', '-', '-', '=', '=', '+', '+', '*', '*', '#', '#', '%',
                      '@'},
            .h = '-',
            .v = '|',
            .tl = '+',
            .tr = '+',
            .bl = '+',
            .br = '+',
            .tee_l = '+',
            .tee_r = '+',
            .tee_b = '+',
            .live = '*',
            .stalled = '~',
            .waiting = '.',
            .ended = '#',
            .error = '!',
            .warn = '!',
            .ok = 'v',
            .nan = 'x',
            .pos_inf = 'I',
            .neg_inf = 'i',
            .rule_mark = '^',
            .folded = '+',
            .unfolded = '-',
            .cursor = '>',
            .ellipsis = '~',
            .times = 'x',
            .raw = '.',
            .smooth = '*',
            .dash = {'-', '.', '=', '~'},
            .marker = {' ', 'o', '#', 'A', '@', 'V', '&', '+', 'O', '%', 'M', '$', 'W', '?'},
        },
};

const struct sm_glyphs *sm_glyphs(enum sm_symbols set)
{
    return &sets[set];
}

/* U+2800 numbers the older six dots first: 0 3, 1 4, 2 5 by row, then the bottom row 6 7. */
static uint32_t braille(unsigned bits)
{
    static const unsigned char dot[8] = {0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
    uint32_t rune = 0x2800;
    for (unsigned i = 0; i < 8; i++)
        if (bits >> i & 1)
            rune |= dot[i];
    return rune == 0x2800 ? ' ' : rune; /* fonts draw the empty pattern as eight rings */
}

uint32_t sm_glyphs_dots(const struct sm_glyphs *g, unsigned bits)
{
    static const uint32_t quadrants[16] = {' ',    0x2598, 0x259d, 0x2580, 0x2596, 0x258c,
                                           0x259e, 0x259b, 0x2597, 0x259a, 0x2590, 0x259c,
                                           0x2584, 0x2599, 0x259f, 0x2588};
    static const uint32_t halves[4] = {' ', '\'', '.', ':'};
    switch (g->set) {
    case SM_SYMBOLS_BRAILLE:
        return braille(bits);
    case SM_SYMBOLS_BLOCK:
        return quadrants[bits & 15];
    case SM_SYMBOLS_ASCII:
        break;
    }
    return halves[bits & 3];
}

uint32_t sm_glyphs_mark(const struct sm_glyphs *g, double v)
{
    if (isfinite(v))
        return 0;
    return isnan(v) ? g->nan : v > 0 ? g->pos_inf : g->neg_inf;
}
