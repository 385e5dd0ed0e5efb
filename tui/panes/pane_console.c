/* SPDX-License-Identifier: Apache-2.0 */
/* The console: commands and their output. */
#include "plot/table.h"
#include "tui/panes/listing.h"
#include "tui/panes/pane_list.h"
#include "tui/terminal/fold.h"

#include <string.h>

struct state {
    struct sm_fold fold; /* as drawn last */
    size_t up;           /* lines below the last visible line */
    int page;
};

/* True for lines that the user typed, including their wrapped lines. */
static bool is_typed(const char *text, size_t from)
{
    while (from && text[from - 1] != '\n')
        from--;
    return strncmp(text + from, "(smdbg) ", 8) == 0;
}

static void draw_line(const struct sm_view *v, const struct sm_fold_line *line, struct sm_grid *g,
                      struct sm_rect row)
{
    const char *text = sm_str_text(&v->console);
    struct sm_str shown = {0};
    sm_str_addn(&shown, text + line->from, line->n);
    sm_cut_text(g, row.x + line->indent, row.y, row.w - line->indent,
                is_typed(text, line->from) ? SM_ROLE_ACCENT : SM_ROLE_TEXT, sm_str_text(&shown),
                v->glyphs);
    sm_str_clear(&shown);
}

static void draw_console(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    size_t h = r.h > 0 ? (size_t)r.h : 0;
    (void)focused;
    sm_fold_text(&s->fold, sm_str_text(&v->console), v->console.len, r.w - 1, true);
    size_t n = s->fold.n;
    s->page = r.h;
    s->up = n <= h ? 0 : s->up > n - h ? n - h : s->up;
    size_t first = n > s->up + h ? n - s->up - h : 0;
    for (size_t y = 0; y < h && first + y < n; y++)
        draw_line(v, &s->fold.lines[first + y], g,
                  (struct sm_rect){r.x + 1, r.y + (int)y, r.w - 1, 1});
    if (!n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0,
                     "commands and their output; \":\" starts a command");
    if (s->up)
        sm_str_printf(note, "%zu more below", s->up);
    else if (n > h)
        sm_str_printf(note, "%zu more above", n - h);
}

static bool act_on_console(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    (void)v;
    size_t n = s->fold.n, h = s->page > 0 ? (size_t)s->page : 0, most = n > h ? n - h : 0;
    struct sm_rows rows = {.cursor = most - (s->up < most ? s->up : most), .page = s->page};
    if (!sm_rows_act(&rows, most + 1, a))
        return false;
    s->up = most - rows.cursor;
    return true;
}

static void clear_console(struct sm_pane *p)
{
    sm_fold_clear(&((struct state *)p->state)->fold);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_console = {
    .name = "cmd",
    .title = "console",
    .help = "Commands and their output. While this pane is visible, output is printed here and not "
            "over the other panes.",
    .context = SM_CTX_VALUE,
    .own = own,
    .hints = {"? help", ": command", "j k scroll", "g G ends", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 20,
    .min_h = 2,
    .clear = clear_console,
    .draw = draw_console,
    .act = act_on_console,
};
