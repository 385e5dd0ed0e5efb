/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes what is sent as a terminal does, and compares it pixel by pixel. */
#include "plot/raster.h"

#include "reader/base/mem.h"
#include "reader/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a sixel terminal ---- */

struct screen {
    int w, h, colors, next;
    uint32_t palette[256], *pixels; /* 0: background; else 1 << 24 | percents */
};

static long read_number(const char **p)
{
    char *end;
    long v = strtol(*p, &end, 10);
    *p = end;
    return v;
}

static void define_color(struct screen *s, const char **p, long color)
{
    long v[4];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(*(*p)++, ';');
        v[i] = read_number(p);
    }
    assert_in_range(color, 0, 255);
    assert_int_equal(v[0], 2);
    for (int i = 1; i < 4; i++)
        assert_in_range(v[i], 0, 100);
    s->palette[color] = 1u << 24 | (uint32_t)v[1] << 16 | (uint32_t)v[2] << 8 | (uint32_t)v[3];
    s->colors++;
}

static void put_sixel(struct screen *s, int x, int y, char c, uint32_t color)
{
    assert_in_range(c, '?', '~');
    for (int k = 0; k < 6; k++)
        if ((c - '?') >> k & 1) {
            assert_in_range(x, 0, s->w - 1);
            assert_in_range(y + k, 0, s->h - 1);
            s->pixels[(y + k) * s->w + x] = color;
        }
}

static void show_sixel(struct screen *s, const char *p)
{
    static const char begin[] = "\033P0;1;0q\"1;1;";
    int x = 0, y = 0, color = -1;
    assert_memory_equal(p, begin, sizeof begin - 1);
    p += sizeof begin - 1;
    s->w = (int)read_number(&p);
    assert_int_equal(*p++, ';');
    s->h = (int)read_number(&p);
    s->pixels = sm_xalloc_zero((size_t)(s->w * s->h) + 1, sizeof *s->pixels);
    while (*p != '\033') {
        char c = *p++;
        long times = c == '!' ? read_number(&p) : 1;
        c = c == '!' ? *p++ : c;
        if (c == '#') {
            color = (int)read_number(&p);
            if (*p == ';')
                define_color(s, &p, color);
        } else if (c == '$') {
            x = 0;
        } else if (c == '-') {
            x = 0;
            y += 6;
        } else {
            assert_true(color >= 0 && s->palette[color]);
            for (; times > 0; times--)
                put_sixel(s, x++, y, c, s->palette[color]);
        }
    }
    assert_string_equal(p, "\033\\");
}

static uint32_t percents(const uint8_t *p)
{
    return p[3] ? 1u << 24 | (uint32_t)lround(p[0] / 2.55) << 16 |
                      (uint32_t)lround(p[1] / 2.55) << 8 | (uint32_t)lround(p[2] / 2.55)
                : 0;
}

static int percent_distance(uint32_t a, uint32_t b)
{
    int most = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        int d = abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff));
        most = d > most ? d : most;
    }
    return a >> 24 == b >> 24 ? most : 1000;
}

/* The largest difference of a pixel, in hundredths. */
static int sixel_error(const struct sm_raster *r, int *colors)
{
    struct sm_str text = {0};
    struct screen s = {0};
    int most = 0;
    sm_raster_sixel(r, &text);
    show_sixel(&s, sm_str_text(&text));
    assert_int_equal(s.w, r->w);
    assert_int_equal(s.h, r->h);
    for (int i = 0; i < r->w * r->h; i++) {
        int d = percent_distance(s.pixels[i], percents(r->rgba + i * 4));
        most = d > most ? d : most;
    }
    *colors = s.colors;
    sm_free(s.pixels);
    sm_str_clear(&text);
    return most;
}

/* ---- a kitty terminal ---- */

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static void unbase64(const char *p, size_t n, struct sm_str *out)
{
    assert_int_equal(n % 4, 0);
    for (; n; p += 4, n -= 4) {
        int pad = (p[3] == '=') + (p[2] == '=');
        uint32_t v = 0;
        for (int k = 0; k < 4 - pad; k++) {
            assert_true(digit(p[k]) >= 0);
            v |= (uint32_t)digit(p[k]) << (18 - 6 * k);
        }
        for (int k = 0; k < 3 - pad; k++)
            sm_str_addc(out, (char)(v >> (16 - 8 * k)));
        assert_true(!pad || n == 4);
    }
}

static void check_kitty(const struct sm_raster *r)
{
    struct sm_str text = {0}, pixels = {0}, first = {0};
    sm_raster_kitty(r, &text);
    sm_str_printf(&first, "a=T,q=2,f=32,s=%d,v=%d,", r->w, r->h);
    const char *p = sm_str_text(&text);
    for (bool more = *p; more;) {
        assert_memory_equal(p, "\033_G", 3);
        p += 3;
        if (!pixels.len) {
            assert_memory_equal(p, sm_str_text(&first), first.len);
            p += first.len;
        }
        assert_memory_equal(p, "m=", 2);
        more = p[2] == '1';
        assert_int_equal(p[3], ';');
        const char *end = strstr(p, "\033\\");
        assert_non_null(end);
        p += 4;
        assert_in_range(end - p, 1, 4096);
        unbase64(p, (size_t)(end - p), &pixels);
        p = end + 2;
    }
    assert_string_equal(p, "");
    assert_int_equal(pixels.len, r->w * r->h * 4);
    assert_memory_equal(sm_str_text(&pixels), r->rgba, pixels.len);
    sm_str_clear(&first);
    sm_str_clear(&pixels);
    sm_str_clear(&text);
}

/* ---- tests ---- */

static uint32_t seed = 1;
static uint8_t random_byte(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint8_t)(seed >> 24);
}

/* of: the number of colours; 0: each pixel has its own. Some pixels stay transparent. */
static void paint_random(struct sm_raster *r, int w, int h, int of)
{
    uint8_t colors[256][3];
    for (int i = 0; i < 256; i++)
        for (int k = 0; k < 3; k++)
            colors[i][k] = random_byte();
    sm_raster_init(r, w, h);
    for (int i = 0; i < w * h; i++) {
        uint8_t own[3] = {random_byte(), random_byte(), random_byte()};
        memcpy(r->rgba + i * 4, of ? colors[random_byte() % of] : own, 3);
        r->rgba[i * 4 + 3] = random_byte() < 230 ? 255 : 0;
    }
}

static void few_colours_come_back_exactly(void **state)
{
    static const struct {
        int w, h, colors;
    } cases[] = {{1, 1, 1},    {1, 7, 2},     {300, 1, 1}, {5, 6, 3},
                 {64, 64, 16}, {33, 50, 256}, {200, 13, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sm_raster r;
        int colors;
        paint_random(&r, cases[i].w, cases[i].h, cases[i].colors);
        assert_in_range(sixel_error(&r, &colors), 0, 1); /* rounding of a half */
        assert_in_range(colors, 0, cases[i].colors);
        check_kitty(&r);
        sm_raster_clear(&r);
    }
}

static void many_colours_are_quantised(void **state)
{
    struct sm_raster r;
    int colors;
    (void)state;
    paint_random(&r, 100, 100, 0);
    /* half a step of 20 hundredths, and rounding */
    assert_in_range(sixel_error(&r, &colors), 2, 11);
    assert_int_equal(colors, 252);
    check_kitty(&r);
    sm_raster_clear(&r);
}

static void repeated_pixels_are_counted(void **state)
{
    struct sm_raster r;
    struct sm_str text = {0};
    (void)state;
    sm_raster_init(&r, 1000, 60);
    for (int i = 0; i < 1000 * 60; i++)
        memcpy(r.rgba + i * 4, "\xff\x00\x00\xff", 4);
    sm_raster_sixel(&r, &text);
    assert_string_equal(sm_str_text(&text), "\033P0;1;0q\"1;1;1000;60#0;2;100;0;0"
                                            "#0!1000~-#0!1000~-#0!1000~-#0!1000~-#0!1000~-#0!1000~-"
                                            "#0!1000~-#0!1000~-#0!1000~-#0!1000~-\033\\");
    sm_str_clear(&text);
    sm_raster_clear(&r);
}

static void sizes_are_bounded(void **state)
{
    struct sm_raster r;
    struct sm_str text = {0};
    (void)state;
    sm_raster_init(&r, 1 << 30, 3);
    assert_int_equal(r.w, SM_RASTER_MAX);
    sm_raster_clear(&r);
    sm_raster_init(&r, -1, 0);
    sm_raster_kitty(&r, &text);
    assert_string_equal(sm_str_text(&text), "");
    sm_raster_sixel(&r, &text);
    assert_string_equal(sm_str_text(&text), "\033P0;1;0q\"1;1;0;0\033\\");
    sm_str_clear(&text);
    sm_raster_clear(&r);
}

static const uint8_t *raster_pixel(const struct sm_raster *r, int x, int y)
{
    return r->rgba + (y * r->w + x) * 4;
}

static void a_bitmap_is_painted_and_clipped(void **state)
{
    static const double grey[] = {0, 1, 0.2, NAN}, colours[] = {1, 0, 0};
    const struct sm_bitmap one = {
        .v = grey, .planes = 1, .rows = 2, .cols = 2, .lo = 0, .hi = 1, .map = SM_HEAT_GREY};
    const struct sm_bitmap red = {
        .v = colours, .planes = 3, .rows = 1, .cols = 1, .lo = 0, .hi = 1, .map = SM_HEAT_GREY};
    struct sm_raster r;
    (void)state;
    sm_raster_init(&r, 7, 7);
    sm_raster_bitmap(&r, 1, 1, 2, &one);
    sm_raster_bitmap(&r, 6, -1, 3, &red);
    assert_memory_equal(raster_pixel(&r, 0, 0), "\0\0\0\0", 4);
    assert_memory_equal(raster_pixel(&r, 2, 2), "\0\0\0\xff", 4);
    assert_memory_equal(raster_pixel(&r, 3, 1), "\xff\xff\xff\xff", 4);
    assert_memory_equal(raster_pixel(&r, 1, 4), "\x33\x33\x33\xff", 4);
    assert_memory_not_equal(raster_pixel(&r, 4, 4), raster_pixel(&r, 1, 4), 4);
    assert_memory_equal(raster_pixel(&r, 5, 5), "\0\0\0\0", 4);
    assert_memory_equal(raster_pixel(&r, 6, 1), "\xff\0\0\xff", 4);
    assert_memory_equal(raster_pixel(&r, 6, 2), "\0\0\0\0", 4);
    sm_raster_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_colours_come_back_exactly),
        cmocka_unit_test(many_colours_are_quantised),
        cmocka_unit_test(repeated_pixels_are_counted),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(a_bitmap_is_painted_and_clipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
