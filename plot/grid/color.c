/* SPDX-License-Identifier: Apache-2.0 */
/* Two themes, for dark and for light backgrounds. The background is never set, so each colour must
 * be readable on any usual one: all but the lowest steps of a heat map have a contrast of 2 or
 * more. */
#include "plot/grid/color.h"

#include "plot/grid/roles.h"

/* .c256 and .c16 follow the colour they replace; tests/plot/test_color.c checks that no .c256 is
 * nearer. The actual 16 colours depend on the user's terminal, so those are chosen by hue, a
 * different one for each series. */
#define COLOR(value, of_256, of_16)                                                                \
    {                                                                                              \
        .rgb = (value), .c256 = (of_256), .c16 = (of_16)                                           \
    }
#define MONO(value, of_256, of_16, a)                                                              \
    {                                                                                              \
        .rgb = (value), .c256 = (of_256), .c16 = (of_16), .attr = (a)                              \
    }

/* Okabe and Ito's eight (Color Universal Design, 2008), the most readable first. Black would be
 * invisible on black. */
#define DARK_SERIES                                                                                \
    COLOR(0x56b4e9, 74, 14), COLOR(0xe69f00, 178, 3), COLOR(0x009e73, 35, 2),                      \
        COLOR(0xf0e442, 221, 11), COLOR(0xcc79a7, 175, 13), COLOR(0xd55e00, 166, 9),               \
        COLOR(0x0072b2, 25, 12), COLOR(0xeeeeee, 255, 15)
/* The same hues in the same order; yellow is darkened to show on white. */
#define LIGHT_SERIES                                                                               \
    COLOR(0x0072b2, 25, 4), COLOR(0xd55e00, 166, 9), COLOR(0x009e73, 35, 2),                       \
        COLOR(0x8a7c00, 100, 3), COLOR(0xcc79a7, 175, 5), COLOR(0xe69f00, 178, 11),                \
        COLOR(0x56b4e9, 74, 6), COLOR(0x000000, 16, 0)

/* The same colours, nearer to the background: the points behind a smoothed line. */
#define DARK_FAINT                                                                                 \
    COLOR(0x3e718f, 60, 8), COLOR(0x8d660e, 94, 8), COLOR(0x0e654e, 23, 8),                        \
        COLOR(0x928c33, 101, 8), COLOR(0x7f516a, 95, 8), COLOR(0x84420e, 94, 8),                   \
        COLOR(0x0e4d70, 23, 8), COLOR(0x919191, 246, 8)
#define LIGHT_FAINT                                                                                \
    COLOR(0x73accc, 74, 7), COLOR(0xdea273, 179, 7), COLOR(0x73c2ac, 73, 7),                       \
        COLOR(0xb8b173, 143, 7), COLOR(0xd9b0c6, 182, 7), COLOR(0xe6c273, 179, 7),                 \
        COLOR(0x9ecde8, 152, 7), COLOR(0x737373, 243, 7)

/* viridis (matplotlib, CC0) at 16 even steps. Reversed on light backgrounds: high values are
 * farthest from the background. */
#define DARK_HEAT                                                                                  \
    COLOR(0x440154, 53, 5), COLOR(0x481a6c, 53, 5), COLOR(0x472f7d, 54, 5),                        \
        COLOR(0x414487, 60, 4), COLOR(0x39568c, 60, 4), COLOR(0x31688e, 60, 4),                    \
        COLOR(0x2a788e, 30, 6), COLOR(0x23888e, 30, 6), COLOR(0x1f988b, 30, 6),                    \
        COLOR(0x22a884, 36, 2), COLOR(0x35b779, 72, 2), COLOR(0x54c568, 77, 2),                    \
        COLOR(0x7ad151, 113, 10), COLOR(0xa5db36, 149, 10), COLOR(0xd2e21b, 184, 11),              \
        COLOR(0xfde725, 220, 11)
#define LIGHT_HEAT                                                                                 \
    COLOR(0xfde725, 220, 11), COLOR(0xd2e21b, 184, 11), COLOR(0xa5db36, 149, 10),                  \
        COLOR(0x7ad151, 113, 10), COLOR(0x54c568, 77, 2), COLOR(0x35b779, 72, 2),                  \
        COLOR(0x22a884, 36, 2), COLOR(0x1f988b, 30, 6), COLOR(0x23888e, 30, 6),                    \
        COLOR(0x2a788e, 30, 6), COLOR(0x31688e, 60, 4), COLOR(0x39568c, 60, 4),                    \
        COLOR(0x414487, 60, 4), COLOR(0x472f7d, 54, 5), COLOR(0x481a6c, 53, 5),                    \
        COLOR(0x440154, 53, 5)

/* cividis (Nunez, Anderton and Renslow, 2018) at 16 even steps of its published polynomial, for
 * users who cannot distinguish red or green; reversed in the same way. */
#define DARK_CIVIDIS                                                                               \
    COLOR(0x002051, 17, 4), COLOR(0x022c65, 17, 4), COLOR(0x14386d, 23, 4),                        \
        COLOR(0x2b446e, 239, 4), COLOR(0x42506e, 240, 4), COLOR(0x575c6e, 59, 8),                  \
        COLOR(0x696970, 242, 8), COLOR(0x787573, 243, 8), COLOR(0x868276, 244, 8),                 \
        COLOR(0x948f78, 245, 3), COLOR(0xa49d78, 144, 3), COLOR(0xb6ab73, 143, 3),                 \
        COLOR(0xcaba6a, 179, 3), COLOR(0xe0c95d, 185, 11), COLOR(0xf2d950, 221, 11),               \
        COLOR(0xfdea45, 221, 11)
#define LIGHT_CIVIDIS                                                                              \
    COLOR(0xfdea45, 221, 11), COLOR(0xf2d950, 221, 11), COLOR(0xe0c95d, 185, 11),                  \
        COLOR(0xcaba6a, 179, 3), COLOR(0xb6ab73, 143, 3), COLOR(0xa49d78, 144, 3),                 \
        COLOR(0x948f78, 245, 3), COLOR(0x868276, 244, 8), COLOR(0x787573, 243, 8),                 \
        COLOR(0x696970, 242, 8), COLOR(0x575c6e, 59, 8), COLOR(0x42506e, 240, 4),                  \
        COLOR(0x2b446e, 239, 4), COLOR(0x14386d, 23, 4), COLOR(0x022c65, 17, 4),                   \
        COLOR(0x002051, 17, 4)

/* In the order of enum sm_role. */
static const struct sm_color dark[SM_ROLE_COUNT] = {
    {.rgb = 0xd0d0d0, .c256 = 252, .c16 = 7, .is_default = true},
    COLOR(0x8a8a8a, 245, 8),
    {.rgb = 0xd0d0d0, .c256 = 252, .c16 = 7, .is_default = true, .attr = SM_ATTR_BOLD},
    MONO(0x5fd7ff, 81, 14, SM_ATTR_BOLD),
    MONO(0xff5f5f, 203, 9, SM_ATTR_BOLD),
    MONO(0xffaf00, 214, 11, SM_ATTR_BOLD),
    COLOR(0x5fd7af, 79, 10),
    COLOR(0x6c6c6c, 242, 8),
    DARK_SERIES,
    DARK_HEAT,
    DARK_CIVIDIS,
    DARK_FAINT,
};

static const struct sm_color light[SM_ROLE_COUNT] = {
    {.rgb = 0x303030, .c256 = 236, .c16 = 0, .is_default = true},
    COLOR(0x767676, 243, 8),
    {.rgb = 0x303030, .c256 = 236, .c16 = 0, .is_default = true, .attr = SM_ATTR_BOLD},
    MONO(0x005f87, 24, 4, SM_ATTR_BOLD),
    MONO(0xd70000, 160, 1, SM_ATTR_BOLD),
    MONO(0xaf5f00, 130, 3, SM_ATTR_BOLD),
    COLOR(0x00875f, 29, 2),
    COLOR(0x9e9e9e, 247, 8),
    LIGHT_SERIES,
    LIGHT_HEAT,
    LIGHT_CIVIDIS,
    LIGHT_FAINT,
};

/* channel levels of xterm's colour cube */
static const unsigned char cube[] = {0, 95, 135, 175, 215, 255};

static unsigned cube_nearest(unsigned v)
{
    unsigned i = 0;
    while (i < 5 && 2 * v > (unsigned)cube[i] + cube[i + 1])
        i++;
    return i;
}

static unsigned squared_distance(unsigned a, unsigned b)
{
    return (a - b) * (a - b); /* unsigned arithmetic wraps, so the sign does not matter */
}

/* The nearer of the cube's nearest colour and the grey ramp's. */
static unsigned nearest_256(unsigned r, unsigned g, unsigned b)
{
    unsigned i = cube_nearest(r), j = cube_nearest(g), k = cube_nearest(b), mean = (r + g + b) / 3;
    unsigned step = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10, grey = 8 + 10 * step;
    unsigned of_cube =
        squared_distance(cube[i], r) + squared_distance(cube[j], g) + squared_distance(cube[k], b);
    unsigned of_grey =
        squared_distance(grey, r) + squared_distance(grey, g) + squared_distance(grey, b);
    return of_grey < of_cube ? 232 + step : 16 + 36 * i + 6 * j + k;
}

static unsigned nearest_16(unsigned r, unsigned g, unsigned b)
{
    unsigned most = r > g ? r : g, bright = (most > b ? most : b) > 191 ? 8 : 0;
    return bright | (r > 127) | (unsigned)(g > 127) << 1 | (unsigned)(b > 127) << 2;
}

/* Expands five bits to eight, so that 31 becomes 255. */
static struct sm_color color_of_rgb(unsigned bits)
{
    unsigned r = bits >> 10 & 31, g = bits >> 5 & 31, b = bits & 31;
    r = r << 3 | r >> 2;
    g = g << 3 | g >> 2;
    b = b << 3 | b >> 2;
    return (struct sm_color){.rgb = r << 16 | g << 8 | b,
                             .c256 = (uint8_t)nearest_256(r, g, b),
                             .c16 = (uint8_t)nearest_16(r, g, b)};
}

struct sm_color sm_color_of(enum sm_role role, bool light_background)
{
    if (role >= SM_ROLE_COUNT && role <= SM_ROLE_RGB_LAST)
        return color_of_rgb((unsigned)role - SM_ROLE_COUNT);
    return (light_background ? light : dark)[(unsigned)role < SM_ROLE_COUNT ? role : SM_ROLE_TEXT];
}

static void add_foreground(struct sm_str *out, const struct sm_color *c, enum sm_color_depth depth)
{
    if (depth == SM_COLOR_TRUE)
        sm_str_printf(out, ";38;2;%u;%u;%u", c->rgb >> 16, c->rgb >> 8 & 255u, c->rgb & 255u);
    else if (depth == SM_COLOR_256)
        sm_str_printf(out, ";38;5;%u", (unsigned)c->c256);
    else
        sm_str_printf(out, ";%u", c->c16 < 8 ? 30u + c->c16 : 82u + c->c16);
}

void sm_color_sgr(struct sm_str *out, enum sm_role role, unsigned attr, enum sm_color_depth depth,
                  bool light_background)
{
    const struct sm_color c = sm_color_of(role, light_background);
    if (depth == SM_COLOR_ROLES) {
        sm_roles_add(out, &(struct sm_role_run){.role = (uint16_t)role, .attr = (uint8_t)attr});
        return;
    }
    if (depth == SM_COLOR_MONO || c.is_default)
        attr |= c.attr;
    if (depth == SM_COLOR_MONO && !attr)
        return;
    sm_str_add(out, "\033[0");
    if (attr & SM_ATTR_BOLD)
        sm_str_add(out, ";1");
    if (attr & SM_ATTR_UNDERLINE)
        sm_str_add(out, ";4");
    if (attr & SM_ATTR_REVERSE)
        sm_str_add(out, ";7");
    if (depth != SM_COLOR_MONO && !c.is_default)
        add_foreground(out, &c, depth);
    sm_str_addc(out, 'm');
}

void sm_color_sgr_back(struct sm_str *out, enum sm_role back, enum sm_color_depth depth,
                       bool light_background)
{
    const struct sm_color c = sm_color_of(back, light_background);
    if (back == SM_ROLE_TEXT || depth < SM_COLOR_256)
        return;
    if (depth == SM_COLOR_TRUE)
        sm_str_printf(out, "\033[48;2;%u;%u;%um", c.rgb >> 16, c.rgb >> 8 & 255u, c.rgb & 255u);
    else
        sm_str_printf(out, "\033[48;5;%um", (unsigned)c.c256);
}
