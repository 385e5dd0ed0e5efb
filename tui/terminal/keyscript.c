/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/keyscript.h"

#include "reader/base/mem.h"
#include "tui/terminal/key_action.h"

#include <stdio.h>
#include <string.h>

void sm_keyscript_open(struct sm_keyscript *s, const char *path)
{
    struct sm_str text = {0};
    char chunk[4096];
    FILE *f = fopen(path, "r");
    for (size_t n; f && (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
        sm_str_addn(&text, chunk, n);
    if (f)
        fclose(f);
    s->text = text.data ? text.data : sm_xstrdup("");
    s->next = s->text;
}

void sm_keyscript_clear(struct sm_keyscript *s)
{
    sm_free(s->text);
    *s = (struct sm_keyscript){0};
}

static bool starts_with(const char *word, size_t n, const char *with)
{
    return n > strlen(with) && strncmp(word, with, strlen(with)) == 0;
}

static void play_text(const char *text, size_t n, const struct sm_keyscript_ops *ops, void *ctx)
{
    for (size_t i = 0; i < n; i++)
        ops->key(ctx, text[i] == '~' ? ' ' : (unsigned char)text[i]);
}

static bool play_mouse(const char *word, size_t n, const struct sm_keyscript_ops *ops, void *ctx)
{
    static const struct {
        const char *name;
        enum sm_mouse_kind kind;
    } kinds[] = {{"click:", SM_MOUSE_CLICK},
                 {"move:", SM_MOUSE_MOVE},
                 {"release:", SM_MOUSE_RELEASE},
                 {"wheel-up:", SM_MOUSE_WHEEL_UP},
                 {"wheel-down:", SM_MOUSE_WHEEL_DOWN}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct sm_mouse m = {.kind = kinds[i].kind};
        if (!starts_with(word, n, kinds[i].name) ||
            sscanf(word + strlen(kinds[i].name), "%d,%d", &m.x, &m.y) != 2)
            continue;
        ops->mouse(ctx, &m);
        return true;
    }
    return false;
}

bool sm_keyscript_play(struct sm_keyscript *s, const struct sm_keyscript_ops *ops, void *ctx)
{
    const char *word = s->next + strspn(s->next, " \t\n");
    size_t n = strcspn(word, " \t\n");
    s->next = word + n;
    if (starts_with(word, n, "text:")) {
        play_text(word + 5, n - 5, ops, ctx);
    } else if (starts_with(word, n, "save:")) {
        char *path = sm_xstrndup(word + 5, n - 5);
        ops->save(ctx, path);
        sm_free(path);
    } else if (play_mouse(word, n, ops, ctx)) {
        return true;
    } else if (n && !sm_text_is((struct sm_text){word, n}, "wait")) {
        ops->key(ctx, sm_key_of_name(word, n));
    }
    return n > 0;
}
