/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a style only where it changes, and none for blanks: rows stay short on slow lines. */
#include "plot/grid/grid_print.h"
#include "plot/grid/roles.h"

enum { SHOWS_ON_BLANK = SM_ATTR_REVERSE | SM_ATTR_UNDERLINE };

struct style {
    unsigned role, back, attr, plain;
};

struct ansi {
    enum sm_color_depth depth;
    bool light;
    struct style now; /* the terminal's current style; TEXT without attr is its default */
    struct sm_str *out;
};

static bool shows_nothing(const struct sm_cell *c)
{
    return c->rune == ' ' && !c->mark && !c->back && !(c->attr & SHOWS_ON_BLANK);
}

static void set_style(struct ansi *a, struct style s)
{
    if (s.role == a->now.role && s.back == a->now.back && s.attr == a->now.attr &&
        s.plain == a->now.plain)
        return;
    if (a->depth == SM_COLOR_ROLES) {
        sm_roles_add(a->out, &(struct sm_role_run){0, (uint16_t)s.role, (uint16_t)s.back,
                                                   (uint16_t)s.plain, (uint8_t)s.attr});
        a->now = s;
        return;
    }
    size_t before = a->out->len;
    sm_color_sgr(a->out, (enum sm_role)s.role, s.attr, a->depth, a->light);
    sm_color_sgr_back(a->out, (enum sm_role)s.back, a->depth, a->light);
    if (a->out->len == before && a->now.attr)
        sm_str_add(a->out, "\033[0m");
    a->now = s;
}

/* In mono a style consists of attributes only, including those that replace the role. */
static struct style style_of(const struct ansi *a, const struct sm_cell *c)
{
    if (shows_nothing(c) && !a->now.back && !(a->now.attr & SHOWS_ON_BLANK))
        return a->now;
    if (shows_nothing(c))
        return (struct style){SM_ROLE_TEXT, 0, 0, 0};
    if (a->depth == SM_COLOR_MONO)
        return (struct style){SM_ROLE_TEXT, 0,
                              c->attr | sm_color_of((enum sm_role)c->role, a->light).attr, 0};
    return (struct style){c->role, c->back, c->attr, a->depth == SM_COLOR_ROLES ? c->plain : 0};
}

static void add_cell(struct ansi *a, const struct sm_cell *c)
{
    if (!c->rune)
        return;
    set_style(a, style_of(a, c));
    char bytes[4];
    sm_str_addn(a->out, bytes, sm_utf8_encode(c->rune, bytes));
    if (c->mark)
        sm_str_addn(a->out, bytes, sm_utf8_encode(c->mark, bytes));
}

void sm_print_ansi(const struct sm_grid *g, enum sm_color_depth depth, bool light,
                   struct sm_str *out)
{
    struct ansi a = {.depth = depth, .light = light, .out = out};
    for (int y = 0; y < g->h; y++) {
        const struct sm_cell *row = g->cells + (size_t)y * (size_t)g->w;
        int w = g->w;
        while (w && shows_nothing(&row[w - 1]))
            w--;
        for (int x = 0; x < w; x++) {
            const struct sm_cell cell = depth < SM_COLOR_256 ? sm_cell_plain(&row[x]) : row[x];
            add_cell(&a, &cell);
        }
        set_style(&a, (struct style){SM_ROLE_TEXT, 0, 0, 0});
        sm_str_addc(out, '\n');
    }
}
