/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/name_pairs.h"

#include "commands/session/read_file.h"
#include "reader/base/str.h"

#include <string.h>

enum { FILE_MAX = 64 << 20, STARS_MAX = 8 };

/* What stands for each * of a pattern. */
struct captures {
    struct sm_text items[STARS_MAX];
    size_t n;
};

static size_t count_stars(const char *pattern)
{
    size_t n = 0;
    for (; *pattern; pattern++)
        n += *pattern == '*';
    return n;
}

/* The shortest text that fits stands for a *: where what follows does not match, the last * takes
 * one byte more. */
static bool match(const char *pattern, const char *name, struct captures *c)
{
    const char *after = NULL; /* the pattern behind the last * */
    while (*name || *pattern) {
        if (*pattern == '*') {
            c->items[c->n++] = (struct sm_text){name, 0};
            after = ++pattern;
        } else if (*pattern && *pattern == *name) {
            pattern++;
            name++;
        } else if (after && *name) {
            struct sm_text *star = &c->items[c->n - 1];
            pattern = after;
            name = star->p + ++star->n;
        } else {
            return false;
        }
    }
    return true;
}

static const char *fill(const char *pattern, const struct captures *c, struct sm_arena *arena)
{
    struct sm_str out = {0};
    size_t star = 0;
    for (; *pattern; pattern++) {
        if (*pattern == '*')
            sm_str_addn(&out, c->items[star].p, c->items[star].n);
        else
            sm_str_addc(&out, *pattern);
        star += *pattern == '*';
    }
    const char *name = sm_arena_xstrndup(arena, sm_str_text(&out), out.len);
    sm_str_clear(&out);
    return name;
}

const char *sm_name_pairs_find(const struct sm_name_pairs *p, const char *name,
                               struct sm_arena *arena)
{
    for (size_t i = 0; i < p->n; i++) {
        struct captures c = {.n = 0};
        if (match(p->items[i].from, name, &c))
            return fill(p->items[i].to, &c, arena);
    }
    return name;
}

/* The next word of a line; NULL at its end. *at is moved behind it. */
static const char *take_word(const char **at, const char *end, struct sm_arena *arena)
{
    while (*at < end && strchr(" \t\r", **at))
        ++*at;
    if (*at == end)
        return NULL;
    bool quoted = **at == '"';
    const char *from = *at + quoted, *to = from;
    while (to < end && !(quoted ? *to == '"' : strchr(" \t\r", *to) != NULL))
        to++;
    *at = to < end ? to + quoted : end;
    return sm_arena_xstrndup(arena, from, (size_t)(to - from));
}

static bool add_line(struct sm_name_pairs *out, const char *line, const char *end, size_t number,
                     struct sm_arena *arena, struct sm_err *err)
{
    const char *from = take_word(&line, end, arena);
    if (!from || *from == '#')
        return true;
    const char *to = take_word(&line, end, arena);
    if (!to || take_word(&line, end, arena))
        return sm_err_set(err, SM_ERR_USAGE, "Line %zu is not two names.", number);
    if (count_stars(to) > count_stars(from) || count_stars(from) > STARS_MAX)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Line %zu has more * in the second name than in the first, or too many.",
                          number);
    out->items[out->n++] = (struct sm_name_pair){from, to};
    return true;
}

bool sm_name_pairs_parse(const char *text, struct sm_arena *arena, struct sm_name_pairs *out,
                         struct sm_err *err)
{
    size_t lines = 1;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    *out = (struct sm_name_pairs){.items = sm_arena_xalloc(arena, lines * sizeof *out->items)};
    for (size_t i = 1; i <= lines; i++) {
        const char *end = text + strcspn(text, "\n");
        if (!add_line(out, text, end, i, arena, err))
            return false;
        text = *end ? end + 1 : end;
    }
    return out->n || sm_err_set(err, SM_ERR_USAGE, "It has no pairs of names.");
}

bool sm_name_pairs_read(const char *file, struct sm_arena *arena, struct sm_name_pairs *out,
                        struct sm_err *err)
{
    struct sm_str text = {0};
    bool ok = sm_read_file(file, FILE_MAX, &text, err);
    if (ok && !sm_name_pairs_parse(sm_str_text(&text), arena, out, err))
        ok = sm_err_prefix(err, "%s", file);
    sm_str_clear(&text);
    return ok;
}
