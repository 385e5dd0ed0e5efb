/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/style.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned rgb;
} colors[] = {
    {"black", 0x000000},  {"red", 0xcd0000},   {"green", 0x00cd00},
    {"yellow", 0xcdcd00}, {"blue", 0x0000ee},  {"magenta", 0xcd00cd},
    {"cyan", 0x00cdcd},   {"white", 0xe5e5e5}, {"gray", 0x7f7f7f},
};
static const struct {
    const char *name;
    uint8_t attr;
} attrs[] = {{"normal", 0},
             {"bold", SM_ATTR_BOLD},
             {"reverse", SM_ATTR_REVERSE},
             {"underline", SM_ATTR_UNDERLINE}};

static bool is_word(const char *p, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(p, word, n) == 0;
}

static uint16_t role_of(unsigned rgb)
{
    return (uint16_t)sm_role_rgb(rgb >> 16, rgb >> 8 & 255u, rgb & 255u);
}

static bool parse_color(const char *p, size_t n, uint16_t *role, struct sm_err *err)
{
    *role = SM_ROLE_TEXT;
    if (is_word(p, n, "default"))
        return true;
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        if (!is_word(p, n, colors[i].name))
            continue;
        *role = role_of(colors[i].rgb);
        return true;
    }
    if (n == 6 && strspn(p, "0123456789abcdefABCDEF") >= 6) {
        *role = role_of((unsigned)strtoul(p, NULL, 16));
        return true;
    }
    return sm_err_set(err, SM_ERR_USAGE,
                      "Undefined colour \"%.*s\". Valid are default, black, red, green, yellow, "
                      "blue, magenta, cyan, "
                      "white, gray and rrggbb, such as ff8800.",
                      (int)n, p);
}

static bool parse_attr(const char *p, size_t n, uint8_t *attr, struct sm_err *err)
{
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++) {
        if (is_word(p, n, attrs[i].name)) {
            *attr = attrs[i].attr;
            return true;
        }
    }
    return sm_err_set(err, SM_ERR_USAGE,
                      "Undefined attribute \"%.*s\". Valid are normal, bold, reverse, underline.",
                      (int)n, p);
}

bool sm_style_parse(const char *text, struct sm_style *out, struct sm_err *err)
{
    const char *p = text + strspn(text, " \t");
    *out = (struct sm_style){0};
    for (unsigned i = 0; *p; i++) {
        size_t n = strcspn(p, " \t");
        bool ok = i == 0   ? parse_color(p, n, &out->role, err)
                  : i == 1 ? parse_color(p, n, &out->back, err)
                  : i == 2
                      ? parse_attr(p, n, &out->attr, err)
                      : sm_err_set(
                            err, SM_ERR_USAGE,
                            "Too many words in a style: expected FOREGROUND BACKGROUND ATTRIBUTE.");
        if (!ok)
            return false;
        out->set = true;
        p += n + strspn(p + n, " \t");
    }
    return true;
}

bool sm_style_check(const char *text, struct sm_err *err)
{
    struct sm_style style;
    return sm_style_parse(text, &style, err);
}

void sm_styles_apply(const struct sm_styles *s, struct sm_grid *g)
{
    for (size_t i = 0; i < (size_t)g->w * (size_t)g->h; i++) {
        struct sm_cell *c = &g->cells[i];
        const struct sm_style *style = c->role < SM_STYLED_ROLES ? &s->of[c->role] : NULL;
        if (!style || !style->set)
            continue;
        c->role = style->role;
        c->back = c->back ? c->back : style->back;
        c->attr |= style->attr;
    }
}
