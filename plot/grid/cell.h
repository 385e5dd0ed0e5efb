/* A grid of character cells: what every plot, panel and screen is drawn into.
 *
 * The same grid goes to curses, to plain or ANSI text and to SVG. A cell holds a rune and the
 * *role* of its colour; which colour that is, the theme of the printer decides. Writing outside is
 * clipped, never an error. */
#ifndef SM_CELL_H
#define SM_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a colour means. Series 0..7 are Okabe-Ito's eight; heat and cividis 0..15 run through the
 * sequential maps. Behind the named ones are the colours of pictures (sm_role_rgb). */
enum sm_role {
    SM_ROLE_TEXT, /* the terminal's default colour */
    SM_ROLE_DIM,  /* quiet: axes, hints, what can wait */
    SM_ROLE_TITLE,
    SM_ROLE_ACCENT,  /* the selection's foreground, keys */
    SM_ROLE_PROBLEM, /* never the only sign of a problem: there is a glyph too */
    SM_ROLE_WARN,
    SM_ROLE_OK,
    SM_ROLE_BORDER,
    SM_ROLE_SERIES_0,
    SM_ROLE_SERIES_7 = SM_ROLE_SERIES_0 + 7,
    SM_ROLE_HEAT_0,
    SM_ROLE_HEAT_15 = SM_ROLE_HEAT_0 + 15,
    SM_ROLE_CIVIDIS_0,
    SM_ROLE_CIVIDIS_15 = SM_ROLE_CIVIDIS_0 + 15,
    SM_ROLE_COUNT,
    SM_ROLE_RGB_LAST = SM_ROLE_COUNT + (1 << 15) - 1
};
/* A colour that means itself, to five bits a channel. */
enum sm_role sm_role_rgb(unsigned r, unsigned g, unsigned b); /* 0..255 */

enum { SM_ATTR_BOLD = 1, SM_ATTR_REVERSE = 2, SM_ATTR_UNDERLINE = 4 };

struct sm_cell {
    uint32_t rune;  /* 0: the right half of a wide rune to the left; ' ' when empty */
    uint32_t mark;  /* a combining mark over it, or 0 */
    uint16_t role;  /* enum sm_role */
    uint16_t back;  /* the colour behind it: of pictures only; 0: the terminal's own */
    uint16_t plain; /* the rune that says it where two colours cannot be shown; 0: the same */
    uint8_t attr;   /* SM_ATTR_* */
};
/* The cell for a printer that has no two colours a cell. */
struct sm_cell sm_cell_plain(const struct sm_cell *c);

struct sm_grid {
    int w, h;
    struct sm_cell *cells; /* h rows of w */
};

struct sm_rect {
    int x, y, w, h;
};

/* blank; negative sizes are 0; may stop the program */
void sm_grid_init(struct sm_grid *g, int w, int h);
void sm_grid_resize(struct sm_grid *g, int w, int h); /* blank again */
void sm_grid_clear(struct sm_grid *g);                /* frees */
/* the part of r that lies on the grid */
struct sm_rect sm_grid_clip(const struct sm_grid *g, struct sm_rect r);
void sm_grid_blank(struct sm_grid *g, struct sm_rect r);
struct sm_cell *sm_grid_at(struct sm_grid *g, int x, int y); /* NULL outside */
void sm_grid_put(struct sm_grid *g, int x, int y, uint32_t rune, enum sm_role role, unsigned attr);
/* Two pixels above each other, the lower one 0: none. `plain` stands for both where there are no
 * colours. */
void sm_grid_halves(struct sm_grid *g, int x, int y, enum sm_role top, enum sm_role bottom,
                    uint32_t plain);
/* no pixel above it */
void sm_grid_lower_half(struct sm_grid *g, int x, int y, enum sm_role role, uint32_t plain);
/* UTF-8 text from (x, y) over at most max_w columns; escapes nothing (callers escape untrusted text
 * first) but drops controls. Returns the columns used. A wide rune that does not fit is not drawn.
 */
int sm_grid_text(struct sm_grid *g, int x, int y, int max_w, enum sm_role role, unsigned attr,
                 const char *text);
int sm_grid_printf(struct sm_grid *g, int x, int y, int max_w, enum sm_role role, unsigned attr,
                   const char *fmt, ...) __attribute__((format(printf, 7, 8)));
void sm_grid_attr(struct sm_grid *g, struct sm_rect r, unsigned attr); /* ors attr into the cells */
void sm_grid_copy(struct sm_grid *to, int x, int y, const struct sm_grid *from);

#endif
