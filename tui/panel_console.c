/* Commands and their answers, one below the other. */
#include "tui/listing.h"
#include "tui/panel_list.h"

#include <string.h>

struct state {
    size_t up;                           /* lines above the end that are shown last */
    int page;
};

static size_t lines_of(const struct sm_str *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->len; i++)
        n += text->data[i] == '\n';
    return n;
}

/* Where the line begins that has n lines behind it, itself counted. */
static size_t line_from_end(const struct sm_str *text, size_t n)
{
    size_t i = text->len;
    for (; i && n; n--)
        for (i--; i && text->data[i - 1] != '\n'; i--)
            ;
    return i;
}

static void draw(struct sm_panel *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    const struct sm_str *text = &v->console;
    size_t n = lines_of(text), h = r.h > 0 ? (size_t)r.h : 0;
    (void)focused;
    s->page = r.h;
    s->up = n <= h ? 0 : s->up > n - h ? n - h : s->up;
    size_t at = line_from_end(text, s->up + h);
    for (int y = 0; y < r.h && at < text->len; y++) {
        const char *end = memchr(text->data + at, '\n', text->len - at);
        size_t len = end ? (size_t)(end - text->data) - at : text->len - at;
        struct sm_str line = {0};
        sm_str_addn(&line, text->data + at, len);
        bool typed = strncmp(sm_str_text(&line), "(smdbg) ", 8) == 0;
        sm_grid_text(g, r.x + 1, r.y + y, r.w - 1, typed ? SM_ROLE_ACCENT : SM_ROLE_TEXT, 0, sm_str_text(&line));
        sm_str_clear(&line);
        at += len + 1;
    }
    if (!text->len)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "commands and their answers: \":\" begins one");
    if (s->up)
        sm_str_printf(note, "%zu more below", s->up);
    else if (n > h)
        sm_str_printf(note, "%zu more above", n - h);
}

static bool act(struct sm_panel *p, struct sm_view *v, enum sm_action a)
{
    struct state *s = p->state;
    size_t n = lines_of(&v->console), h = s->page > 0 ? (size_t)s->page : 0, most = n > h ? n - h : 0;
    struct sm_rows rows = {.cursor = most - (s->up < most ? s->up : most), .page = s->page};
    if (!sm_rows_act(&rows, most + 1, a))
        return false;
    s->up = most - rows.cursor;
    return true;
}

static const enum sm_action own[] = {SM_ACT_NONE};

const struct sm_panel_ops sm_panel_console = {
    .name = "cmd",
    .title = "console",
    .help = "What was typed and what was answered. While it is to be seen, answers come here and not over the panes.",
    .context = SM_CTX_VALUE,
    .own = own,
    .hints = {"? help", ": command", "j k scroll", "g G ends", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 20,
    .min_h = 2,
    .draw = draw,
    .act = act,
};
