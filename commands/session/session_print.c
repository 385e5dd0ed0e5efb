/* SPDX-License-Identifier: Apache-2.0 */
/* How a session prints: its settings, its terminal and the environment. */
#include "commands/session/session.h"
#include "commands/session/session_settings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static unsigned to_unsigned(int64_t v)
{
    return v > UINT_MAX ? UINT_MAX : (unsigned)v;
}

/* In columns: the setting, else the width of the terminal, else COLUMNS, else 0 (unlimited). */
static int get_width(const struct sm_session *s)
{
    int64_t set = sm_session_settings(s)->width;
    if (set >= 0)
        return set > INT_MAX ? 0 : (int)set;
    if (!s->batch && s->term.on_tty && s->term.w > 0)
        return s->term.w;
    const char *columns = getenv("COLUMNS");
    int n = columns ? atoi(columns) : 0;
    return n > 0 ? n : 0;
}

static bool is_color_forced(void)
{
    const char *force = getenv("CLICOLOR_FORCE");
    return force && *force && strcmp(force, "0") != 0;
}

static enum sm_color_depth get_depth(const struct sm_session *s)
{
    enum { AUTO, ALWAYS, NEVER };
    int64_t set = sm_session_settings(s)->color;
    if (set == AUTO && is_color_forced())
        set = ALWAYS;
    if (set == NEVER || (set == AUTO && !s->term.on_tty))
        return SM_COLOR_MONO;
    return set == ALWAYS && s->term.depth == SM_COLOR_MONO ? SM_COLOR_256 : s->term.depth;
}

static enum sm_symbols get_symbols(const struct sm_session *s)
{
    const char *term = getenv("TERM");
    int64_t set = sm_session_settings(s)->symbols;
    if (set > 0)
        return (enum sm_symbols)(set - 1);
    if (!s->term.utf8)
        return SM_SYMBOLS_ASCII;
    return term && (strcmp(term, "linux") == 0 || strncmp(term, "vt", 2) == 0) ? SM_SYMBOLS_BLOCK
                                                                               : SM_SYMBOLS_BRAILLE;
}

void sm_session_print_options(const struct sm_session *s, struct sm_print_options *out)
{
    enum { LIGHT = 1, LOCAL = 0, NUMPY = 0 };
    const struct sm_session_settings *v = sm_session_settings(s);
    *out = (struct sm_print_options){
        .width = get_width(s),
        .glyphs = sm_glyphs(get_symbols(s)),
        .depth = get_depth(s),
        .light = v->background == LIGHT,
        .threshold = to_unsigned(v->print_threshold),
        .edgeitems = to_unsigned(v->print_edgeitems),
        .precision = to_unsigned(v->print_precision),
        .linewidth = to_unsigned(v->print_linewidth),
        .numpy_style = v->print_precision_style == NUMPY,
        .local_time = v->time_zone == LOCAL,
    };
    for (size_t i = 0; i < SM_STYLED_ROLES; i++)
        sm_style_parse(v->style[i], &out->styles.of[i], NULL);
}
