/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/svg_shape.h"

enum { W = SM_SVG_CELL_W, H = SM_SVG_CELL_H, MID_X = W / 2, MID_Y = H / 2 };
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8 };

static const struct {
    uint32_t rune;
    unsigned arms;
} line[] = {
    {0x2500, LEFT | RIGHT},
    {0x2502, UP | DOWN},
    {0x250c, RIGHT | DOWN},
    {0x2510, LEFT | DOWN},
    {0x2514, RIGHT | UP},
    {0x2518, LEFT | UP},
    {0x251c, UP | DOWN | RIGHT},
    {0x2524, UP | DOWN | LEFT},
    {0x252c, LEFT | RIGHT | DOWN},
    {0x2534, LEFT | RIGHT | UP},
    {0x253c, LEFT | RIGHT | UP | DOWN},
};
enum { N_LINES = sizeof line / sizeof *line };

enum {
    DASHED = 0x2504,
    DOUBLE = 0x2550,
    UPPER_HALF = 0x2580,
    EIGHTH = 0x2581,
    FULL = 0x2588,
    LEFT_HALF = 0x258c,
    RIGHT_HALF = 0x2590,
    QUADRANT = 0x2596,
    QUADRANT_LAST = 0x259f,
    BRAILLE = 0x2800,
    BRAILLE_LAST = 0x28ff
};

/* Upper left 1, upper right 2, lower left 4, lower right 8. */
static const unsigned char quadrants[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};

static unsigned arms_of(uint32_t rune)
{
    for (int i = 0; i < N_LINES; i++)
        if (line[i].rune == rune)
            return line[i].arms;
    return 0;
}

bool sm_svg_is_shape(uint32_t rune)
{
    return arms_of(rune) || rune == DASHED || rune == DOUBLE ||
           (rune >= UPPER_HALF && rune <= FULL) || rune == LEFT_HALF || rune == RIGHT_HALF ||
           (rune >= QUADRANT && rune <= QUADRANT_LAST) || (rune > BRAILLE && rune <= BRAILLE_LAST);
}

static void add_box(struct sm_str *path, int x, int y, int w, int h)
{
    sm_str_printf(path, "M%d %dh%dv%dh-%dz", x, y, w, h, w);
}

static void add_arms(struct sm_str *path, unsigned arms, int x, int y)
{
    int left = arms & LEFT ? 0 : MID_X, right = arms & RIGHT ? W : MID_X + 1;
    int top = arms & UP ? 0 : MID_Y, bottom = arms & DOWN ? H : MID_Y + 1;
    if (arms & (LEFT | RIGHT))
        add_box(path, x + left, y + MID_Y, right - left, 1);
    if (arms & (UP | DOWN))
        add_box(path, x + MID_X, y + top, 1, bottom - top);
}

static void add_quadrants(struct sm_str *path, unsigned bits, int x, int y)
{
    for (int i = 0; i < 4; i++)
        if (bits & 1u << i)
            add_box(path, x + (i % 2 ? MID_X : 0), y + (i / 2 ? MID_Y : 0),
                    i % 2 ? W - MID_X : MID_X, i / 2 ? H - MID_Y : MID_Y);
}

/* Bits 0..2 and 6 are the left column from the top, 3..5 and 7 the right one (Unicode, Braille
 * Patterns). */
static void add_braille(struct sm_str *path, unsigned bits, int x, int y)
{
    for (int i = 0; i < 8; i++)
        if (bits & 1u << i) {
            int column = i < 6 ? i / 3 : i - 6, row = i < 6 ? i % 3 : 3;
            sm_str_printf(path, "M%d.3 %d.6a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0",
                          x + 1 + column * 9 / 2, y + 2 + row * H / 4);
        }
}

void sm_svg_shape(struct sm_str *path, uint32_t rune, int x, int y)
{
    if (rune == DASHED) {
        for (int i = 0; i < 3; i++)
            add_box(path, x + i * W / 3, y + MID_Y, W / 3 - 1, 1);
    } else if (rune == DOUBLE) {
        add_box(path, x, y + MID_Y - 1, W, 1);
        add_box(path, x, y + MID_Y + 1, W, 1);
    } else if (rune == UPPER_HALF) {
        add_box(path, x, y, W, MID_Y);
    } else if (rune >= EIGHTH && rune <= FULL) {
        int h = (int)(rune - EIGHTH + 1) * H / 8;
        add_box(path, x, y + H - h, W, h);
    } else if (rune == LEFT_HALF) {
        add_quadrants(path, 5, x, y);
    } else if (rune == RIGHT_HALF) {
        add_quadrants(path, 10, x, y);
    } else if (rune >= QUADRANT && rune <= QUADRANT_LAST) {
        add_quadrants(path, quadrants[rune - QUADRANT], x, y);
    } else if (rune > BRAILLE && rune <= BRAILLE_LAST) {
        add_braille(path, rune - BRAILLE, x, y);
    } else {
        add_arms(path, arms_of(rune), x, y);
    }
}
