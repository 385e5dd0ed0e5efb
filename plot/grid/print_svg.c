/* SPDX-License-Identifier: Apache-2.0 */
/* A grid as an SVG image: monospace text on a dark or light background, one run of equal cells at a
 * time. */
#include "plot/grid/grid_print.h"
#include "plot/grid/svg_shape.h"

enum { CELL_W = SM_SVG_CELL_W, CELL_H = SM_SVG_CELL_H, BASELINE = 14 };

static void add_xml_rune(struct sm_str *out, uint32_t rune)
{
    char bytes[4];
    if (rune == '<')
        sm_str_add(out, "&lt;");
    else if (rune == '>')
        sm_str_add(out, "&gt;");
    else if (rune == '&')
        sm_str_add(out, "&amp;");
    else
        sm_str_addn(out, bytes, sm_utf8_encode(rune, bytes));
}

static bool same_style(const struct sm_cell *a, const struct sm_cell *b)
{
    return a->role == b->role && a->back == b->back && a->attr == b->attr;
}

/* n is in cells; the rest in SVG units. */
static void add_rect(struct sm_str *out, int x, int y, int n, int h, uint32_t rgb)
{
    sm_str_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>", x, y,
                  n * CELL_W, h, (unsigned)rgb);
}

enum { UPPER_HALF = 0x2580, LOWER_HALF = 0x2584 };

static bool is_pixels(const struct sm_cell *c)
{
    return c->plain && (c->rune == UPPER_HALF || c->rune == LOWER_HALF);
}

/* Pixels are drawn as rectangles, not as text: fonts leave gaps between the characters. */
static void add_pixels(struct sm_str *out, const struct sm_cell *c, int x, int y, int n, bool light)
{
    uint32_t rgb = sm_color_of((enum sm_role)c->role, light).rgb;
    int half = CELL_H / 2;
    if (c->back)
        add_rect(out, x * CELL_W, y * CELL_H, n, CELL_H,
                 sm_color_of((enum sm_role)c->back, light).rgb);
    if (c->rune == LOWER_HALF)
        add_rect(out, x * CELL_W, y * CELL_H + half, n, CELL_H - half, rgb);
    else
        add_rect(out, x * CELL_W, y * CELL_H, n, c->back == c->role ? CELL_H : half, rgb);
    sm_str_addc(out, '\n');
}

static void add_shapes(struct sm_str *out, const struct sm_cell *cells, int x, int y, int n,
                       uint32_t ink)
{
    sm_str_add(out, "<path d=\"");
    for (int i = 0; i < n; i++)
        sm_svg_shape(out, cells[i].rune, (x + i) * CELL_W, y * CELL_H);
    sm_str_printf(out, "\" fill=\"#%06x\"/>\n", (unsigned)ink);
}

static void add_text(struct sm_str *out, const struct sm_cell *cells, int x, int y, int n,
                     uint32_t ink)
{
    sm_str_printf(
        out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s xml:space=\"preserve\">",
        x * CELL_W, y * CELL_H + BASELINE, n * CELL_W, (unsigned)ink,
        cells[0].attr & SM_ATTR_BOLD ? " font-weight=\"bold\"" : "");
    for (int i = 0; i < n; i++) {
        if (cells[i].rune)
            add_xml_rune(out, cells[i].rune);
        if (cells[i].mark)
            add_xml_rune(out, cells[i].mark);
    }
    sm_str_add(out, "</text>\n");
}

static void add_text_run(struct sm_str *out, const struct sm_cell *cells, int x, int y, int n,
                         bool light)
{
    const struct sm_color c = sm_color_of((enum sm_role)cells[0].role, light);
    uint32_t ground = light ? 0xffffff : 0x1c1c1c,
             ink = c.is_default ? (light ? 0x202020u : 0xd0d0d0u) : c.rgb;
    bool reverse = cells[0].attr & SM_ATTR_REVERSE;
    if (reverse)
        add_rect(out, x * CELL_W, y * CELL_H, n, CELL_H, ink);
    else if (cells[0].back)
        add_rect(out, x * CELL_W, y * CELL_H, n, CELL_H,
                 sm_color_of((enum sm_role)cells[0].back, light).rgb);
    if (sm_svg_is_shape(cells[0].rune))
        add_shapes(out, cells, x, y, n, reverse ? ground : ink);
    else
        add_text(out, cells, x, y, n, reverse ? ground : ink);
}

static bool is_svg_blank(const struct sm_cell *c)
{
    return c->rune == ' ' && !c->back && !(c->attr & SM_ATTR_REVERSE);
}

/* Whether b can follow a in one run. A rune that may come from another font has its own width, so
 * it gets its own run. */
static bool continues_run(const struct sm_cell *a, const struct sm_cell *b)
{
    enum { LATIN_LAST = 0x24f };
    return same_style(a, b) && is_svg_blank(a) == is_svg_blank(b) && is_pixels(a) == is_pixels(b) &&
           sm_svg_is_shape(a->rune) == sm_svg_is_shape(b->rune) &&
           (sm_svg_is_shape(a->rune) || !b->rune ||
            (a->rune <= LATIN_LAST && b->rune <= LATIN_LAST));
}

void sm_print_svg(const struct sm_grid *g, bool light, struct sm_str *out)
{
    sm_str_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "font-family=\"DejaVu Sans Mono, monospace\" "
                  "font-size=\"15\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
                  g->w * CELL_W, g->h * CELL_H, light ? "#ffffff" : "#1c1c1c");
    for (int y = 0; y < g->h; y++)
        for (int x = 0, n; x < g->w; x += n) {
            const struct sm_cell *c = &g->cells[y * g->w + x];
            for (n = 1; x + n < g->w && continues_run(c, c + n);)
                n++;
            if (is_pixels(c))
                add_pixels(out, c, x, y, n, light);
            else if (!is_svg_blank(c))
                add_text_run(out, c, x, y, n, light);
        }
    sm_str_add(out, "</svg>\n");
}
