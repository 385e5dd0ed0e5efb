/* SPDX-License-Identifier: Apache-2.0 */
/* A band of six rows is drawn once for each of its colours: a character is six pixels in a column,
 * and its bits say which of them have the colour. "$" returns to the left end, "-" starts the next
 * band, "!N" repeats a character. */
#include "plot/raster.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"

#include <string.h>

enum { COLORS = 256, BAND = 6, GROUND = -1, REDS = 6, GREENS = 7, BLUES = 6 };

struct palette {
    struct sm_map numbers; /* color_of -> register */
    bool cube;             /* more colours than registers: quantised to a cube */
    int n;
};

static unsigned quantise(uint8_t channel, unsigned levels)
{
    return (channel * (levels - 1) + 127) / 255;
}

/* In hundredths, as sixel requires; one byte per channel. */
static uint32_t color_of(const uint8_t *pixel)
{
    return quantise(pixel[0], 101) << 16 | quantise(pixel[1], 101) << 8 | quantise(pixel[2], 101);
}

static void define_register(struct sm_str *out, int number, unsigned r, unsigned g, unsigned b)
{
    sm_str_printf(out, "#%d;2;%u;%u;%u", number, r, g, b);
}

/* False if there are more colours than registers. */
static bool collect_colors(struct palette *p, const struct sm_raster *r, struct sm_str *out)
{
    for (size_t i = 0, n = (size_t)r->w * (size_t)r->h; i < n; i++) {
        const uint8_t *pixel = r->rgba + i * 4;
        uint32_t color = color_of(pixel);
        uint64_t known;
        if (!pixel[3] || sm_map_get(&p->numbers, color, &known))
            continue;
        if (p->n == COLORS || !sm_map_put(&p->numbers, color, (uint64_t)p->n))
            return false;
        define_register(out, p->n++, color >> 16, color >> 8 & 0xff, color & 0xff);
    }
    return true;
}

static void choose_cube(struct palette *p, struct sm_str *out)
{
    p->cube = true;
    p->n = REDS * GREENS * BLUES;
    for (int i = 0; i < p->n; i++)
        define_register(out, i, (unsigned)(i / (GREENS * BLUES) * 100 / (REDS - 1)),
                        (unsigned)(i / BLUES % GREENS * 100 / (GREENS - 1)),
                        (unsigned)(i % BLUES * 100 / (BLUES - 1)));
}

static int register_of(const struct palette *p, const uint8_t *pixel)
{
    uint64_t number = 0;
    if (!pixel[3])
        return GROUND;
    if (p->cube)
        return (int)((quantise(pixel[0], REDS) * GREENS + quantise(pixel[1], GREENS)) * BLUES +
                     quantise(pixel[2], BLUES));
    sm_map_get(&p->numbers, color_of(pixel), &number);
    return (int)number;
}

static void add_sixel_run(struct sm_str *out, uint8_t bits, int n)
{
    if (n > 3)
        sm_str_printf(out, "!%d", n);
    sm_str_fill(out, (char)('?' + bits), n > 3 ? 1 : (size_t)n);
}

static void add_color(struct sm_str *out, int number, const uint8_t *bits, int w)
{
    sm_str_printf(out, "#%d", number);
    while (w && !bits[w - 1])
        w--;
    for (int x = 0, n; x < w; x += n) {
        for (n = 1; x + n < w && bits[x + n] == bits[x];)
            n++;
        add_sixel_run(out, bits[x], n);
    }
}

/* bits: w characters for each colour, all zero before and after the call. */
static void add_band(struct sm_str *out, const struct palette *p, const struct sm_raster *r,
                     int top, uint8_t *bits)
{
    bool used[COLORS] = {false};
    size_t w = (size_t)r->w;
    const char *between = "";
    for (int k = 0; k < BAND && top + k < r->h; k++)
        for (size_t x = 0; x < w; x++) {
            int number = register_of(p, r->rgba + ((size_t)(top + k) * w + x) * 4);
            if (number == GROUND)
                continue;
            bits[(size_t)number * w + x] |= (uint8_t)(1 << k);
            used[number] = true;
        }
    for (int i = 0; i < p->n; i++) {
        if (!used[i])
            continue;
        sm_str_add(out, between);
        add_color(out, i, bits + (size_t)i * w, r->w);
        memset(bits + (size_t)i * w, 0, w);
        between = "$";
    }
}

void sm_raster_sixel(const struct sm_raster *r, struct sm_str *out)
{
    struct palette p = {0};
    struct sm_str colors = {0};
    uint8_t *bits = sm_xalloc_zero((size_t)r->w + 1, COLORS);
    sm_str_printf(out, "\033P0;1;0q\"1;1;%d;%d", r->w, r->h);
    if (!collect_colors(&p, r, &colors)) {
        sm_str_truncate(&colors, 0);
        choose_cube(&p, &colors);
    }
    sm_str_addn(out, sm_str_text(&colors), colors.len);
    for (int top = 0; top < r->h; top += BAND) {
        add_band(out, &p, r, top, bits);
        sm_str_addc(out, '-');
    }
    sm_str_add(out, "\033\\");
    sm_str_clear(&colors);
    sm_map_clear(&p.numbers);
    sm_free(bits);
}
