/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels for terminals that show images, and the two protocols to send them: numbers in, bytes out.
 *
 * Sixel is from DEC's VT340 and supported by xterm, foot, mlterm, WezTerm, Windows Terminal and
 * tmux 3.4; kitty graphics by kitty, Ghostty, WezTerm and Konsole. Neither makes the terminal
 * answer. */
#ifndef SM_RASTER_H
#define SM_RASTER_H

#include "plot/chart.h"

struct sm_raster {
    int w, h;
    uint8_t *rgba; /* h rows of w pixels; alpha is 0 (background) or 255 */
};
enum { SM_RASTER_MAX = 2048 }; /* pixels across and down */
/* Transparent; larger sizes are limited to SM_RASTER_MAX; may stop the program. */
void sm_raster_init(struct sm_raster *r, int w, int h);
void sm_raster_clear(struct sm_raster *r); /* frees */
/* Draws each pixel of the image as zoom x zoom pixels, from (x, y); clipped. NaN and Inf have the
 * colours of a problem and a warning. */
void sm_raster_bitmap(struct sm_raster *r, int x, int y, int zoom, const struct sm_bitmap *m);

/* Exact (to sixel's hundredths) up to 256 colours; more are quantised to 252: 6 x 7 x 6 of red,
 * green, blue. */
void sm_raster_sixel(const struct sm_raster *r, struct sm_str *out);
/* Direct transmission, displayed at once, in chunks of at most 4096 bytes of base64. */
void sm_raster_kitty(const struct sm_raster *r, struct sm_str *out);

#endif
