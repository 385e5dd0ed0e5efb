/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/keyline.h"

#include <string.h>

enum { F_BAR_MIN_W = 100, GAP = 2 };

/* ---- keys ---- */

/* Returns the start of the next hint. */
static int put_hint(struct sm_grid *g, int x, int y, const char *text)
{
    int n = (int)sm_text_width(text, strlen(text)) + GAP;
    if (x + n > g->w)
        return g->w; /* omits all hints after the first that does not fit */
    sm_grid_text(g, x + 1, y, n, SM_ROLE_DIM, 0, text);
    return x + n;
}

/* "F4" of "\\ F4"; empty if there is none. */
static struct sm_text f_key(const char *keys)
{
    for (const char *p = keys; *p; p += strcspn(p, " "), p += *p == ' ')
        if (p[0] == 'F' && p[1] >= '1' && p[1] <= '9')
            return (struct sm_text){p, strcspn(p, " ")};
    return (struct sm_text){0};
}

static int put_f_keys(struct sm_grid *g, int x, int y, const struct sm_pane_ops *ops)
{
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++) {
        const struct sm_action_row *row = sm_action_row((enum sm_key_action)a);
        struct sm_text key = f_key(row->keys);
        int n = (int)(key.n + strlen(row->name)) + GAP;
        if (!key.n || (row->context != SM_CTX_ALL && !(ops && sm_pane_has(ops, row->id))) ||
            x + n > g->w)
            continue;
        x += 1 + sm_grid_printf(g, x + 1, y, n, SM_ROLE_ACCENT, 0, "%.*s", (int)key.n, key.p);
        x += 1 + sm_grid_text(g, x, y, n, SM_ROLE_DIM, 0, row->name);
    }
    return x;
}

void sm_keyline_draw(struct sm_grid *g, int y, const char *mode, const char *const *hints,
                     const struct sm_pane_ops *ops)
{
    int x = 1 + sm_grid_text(g, 0, y, g->w, SM_ROLE_ACCENT, SM_ATTR_BOLD, mode);
    for (size_t i = 0; hints[i]; i++)
        x = put_hint(g, x, y, hints[i]);
    if (g->w >= F_BAR_MIN_W)
        put_f_keys(g, x + GAP, y, ops);
}

/* ---- candidates ---- */

static void put_word(struct sm_grid *g, int x, int y, int w, const char *word)
{
    struct sm_str text = {0};
    sm_str_add_escaped(&text, word, strlen(word));
    sm_grid_text(g, x, y, w, SM_ROLE_TEXT, 0, sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_keyline_candidates(struct sm_grid *g, struct sm_rect r, const char *const *words, size_t n)
{
    int widest = 1;
    for (size_t i = 0; i < n; i++) {
        int w = (int)sm_text_width(words[i], strlen(words[i]));
        widest = w > widest ? w : widest;
    }
    int across = r.w / (widest + GAP) > 0 ? r.w / (widest + GAP) : 1;
    int rows = (int)((n + (size_t)across - 1) / (size_t)across), most = r.h / 2;
    size_t shown = rows > most ? (size_t)most * (size_t)across : n;
    rows = rows > most ? most + 1 : rows; /* the last row shows the number of omitted candidates */
    struct sm_rect box = {r.x, r.y + r.h - rows, r.w, rows};
    sm_grid_blank(g, box);
    for (size_t i = 0; i < shown; i++)
        put_word(g, box.x + (int)(i % (size_t)across) * (widest + GAP),
                 box.y + (int)(i / (size_t)across), r.w, words[i]);
    if (shown < n)
        sm_grid_printf(g, box.x, box.y + rows - 1, r.w, SM_ROLE_DIM, 0, "+%zu more", n - shown);
}
