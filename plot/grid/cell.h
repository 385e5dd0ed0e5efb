/* SPDX-License-Identifier: Apache-2.0 */
/* A grid of character cells: what every plot, pane and screen is drawn into.
 *
 * The room plot/grid is the drawing surface: cells (cell.h), glyph sets (glyphs.h), dots and lines
 * (canvas.h), pixels (pixel.h), colours and themes (color.h, style.h, roles.h), and printers of a
 * grid as plain text, ANSI or SVG (grid_print.h). It knows nothing of charts.
 *
 * A cell holds a rune and the *role* of its colour; the printer's theme decides which colour that
 * is. Drawing outside the grid is clipped and never an error. */
#ifndef SM_CELL_H
#define SM_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a colour means. Series 0..7 are Okabe and Ito's eight; heat and cividis 0..15 are steps of
 * the sequential maps. Values after the named ones are colours of images (sm_role_rgb). */
enum sm_role {
    SM_ROLE_TEXT, /* the terminal's default colour */
    SM_ROLE_DIM,  /* axes, hints, unimportant text */
    SM_ROLE_TITLE,
    SM_ROLE_ACCENT,  /* the selection's foreground, keys */
    SM_ROLE_PROBLEM, /* never the only sign of a problem: there is also a glyph */
    SM_ROLE_WARN,
    SM_ROLE_OK,
    SM_ROLE_BORDER,
    SM_ROLE_SERIES_0,
    SM_ROLE_SERIES_7 = SM_ROLE_SERIES_0 + 7,
    SM_ROLE_HEAT_0,
    SM_ROLE_HEAT_15 = SM_ROLE_HEAT_0 + 15,
    SM_ROLE_CIVIDIS_0,
    SM_ROLE_CIVIDIS_15 = SM_ROLE_CIVIDIS_0 + 15,
    SM_ROLE_FAINT_0, /* as series 0, nearer to the background */
    SM_ROLE_FAINT_7 = SM_ROLE_FAINT_0 + 7,
    SM_ROLE_COUNT,
    SM_ROLE_RGB_LAST = SM_ROLE_COUNT + (1 << 15) - 1
};
/* A literal colour, five bits per channel; r, g, b are 0..255. */
enum sm_role sm_role_rgb(unsigned r, unsigned g, unsigned b);

enum { SM_ATTR_BOLD = 1, SM_ATTR_REVERSE = 2, SM_ATTR_UNDERLINE = 4 };

struct sm_cell {
    uint32_t rune;  /* 0: the right half of the wide rune to the left; ' ' if empty */
    uint32_t mark;  /* a combining mark on the rune, or 0 */
    uint16_t role;  /* enum sm_role */
    uint16_t back;  /* background role, for images only; 0: the terminal's background */
    uint16_t plain; /* rune to use where a cell cannot have two colours; 0: the same */
    uint8_t attr;   /* SM_ATTR_* */
};
/* The cell for printers that show only one colour per cell. */
struct sm_cell sm_cell_plain(const struct sm_cell *c);

struct sm_grid {
    int w, h;
    struct sm_cell *cells; /* h rows of w cells, row-major */
};

struct sm_rect {
    int x, y, w, h;
};

/* Blank; negative sizes become 0; may stop the program. */
void sm_grid_init(struct sm_grid *g, int w, int h);
void sm_grid_resize(struct sm_grid *g, int w, int h); /* blanks all cells */
void sm_grid_clear(struct sm_grid *g);                /* frees */
/* The part of r inside the grid. */
struct sm_rect sm_grid_clip(const struct sm_grid *g, struct sm_rect r);
void sm_grid_blank(struct sm_grid *g, struct sm_rect r);
struct sm_cell *sm_grid_at(struct sm_grid *g, int x, int y); /* NULL if outside */
void sm_grid_put(struct sm_grid *g, int x, int y, uint32_t rune, enum sm_role role, unsigned attr);
/* Two pixels, one above the other; a bottom of 0 means no pixel. `plain` replaces both where there
 * are no colours. */
void sm_grid_halves(struct sm_grid *g, int x, int y, enum sm_role top, enum sm_role bottom,
                    uint32_t plain);
/* The same without an upper pixel. */
void sm_grid_lower_half(struct sm_grid *g, int x, int y, enum sm_role role, uint32_t plain);
/* Draws UTF-8 text from (x, y) over at most max_w columns and returns the columns used. Drops
 * control characters but escapes nothing: callers escape untrusted text first. A wide rune that
 * does not fit is not drawn. */
int sm_grid_text(struct sm_grid *g, int x, int y, int max_w, enum sm_role role, unsigned attr,
                 const char *text);
int sm_grid_printf(struct sm_grid *g, int x, int y, int max_w, enum sm_role role, unsigned attr,
                   const char *fmt, ...) __attribute__((format(printf, 7, 8)));
void sm_grid_attr(struct sm_grid *g, struct sm_rect r, unsigned attr); /* ors attr into the cells */
void sm_grid_copy(struct sm_grid *to, int x, int y, const struct sm_grid *from);

#endif
