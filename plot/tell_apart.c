/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/tell_apart.h"

#include "plot/table.h"

#include <ctype.h>
#include <string.h>

/* A name, and where its words begin; at[n] is its end. */
struct words {
    const char *text;
    size_t n, *at;
};
/* What all names have in common. */
struct common {
    size_t head, tail; /* words at the start and at the end */
    bool alike;        /* all names have the same number of words */
    bool *same;        /* then: the word at this place */
};

static int class_of(char c)
{
    bool letter = isalpha((unsigned char)c) || (unsigned char)c >= 128;
    return isdigit((unsigned char)c) ? 1 : letter ? 2 : 0;
}

static struct words split(const char *text, struct sm_arena *arena)
{
    size_t bytes = strlen(text);
    struct words w = {text, 0, sm_arena_xalloc(arena, (bytes + 1) * sizeof *w.at)};
    for (size_t i = 0; i < bytes; i++)
        if (!i || !class_of(text[i]) || class_of(text[i]) != class_of(text[i - 1]))
            w.at[w.n++] = i;
    w.at[w.n] = bytes;
    return w;
}

static bool is_same_word(const struct words *a, size_t i, const struct words *b, size_t k)
{
    size_t n = a->at[i + 1] - a->at[i];
    return n == b->at[k + 1] - b->at[k] && memcmp(a->text + a->at[i], b->text + b->at[k], n) == 0;
}

/* Lowers c to what the first name has in common with this one. */
static void compare_with(struct common *c, const struct words *first, const struct words *name)
{
    size_t i = 0;
    while (i < c->head && i < name->n && is_same_word(first, i, name, i))
        i++;
    c->head = i;
    for (i = 0; i < c->tail && i < name->n;)
        if (is_same_word(first, first->n - 1 - i, name, name->n - 1 - i))
            i++;
        else
            break;
    c->tail = i;
    c->alike = c->alike && name->n == first->n;
    for (i = 0; c->alike && i < first->n; i++)
        c->same[i] = c->same[i] && is_same_word(first, i, name, i);
}

static bool is_common(const struct common *c, size_t word, size_t words)
{
    return c->alike ? c->same[word] : word < c->head || word >= words - c->tail;
}

/* Replaces each stretch of common words by an ellipsis, unless that is as wide. */
static void add_words(const struct common *c, const struct words *w, const struct sm_glyphs *glyphs,
                      struct sm_str *out)
{
    char bytes[4];
    for (size_t i = 0; i < w->n;) {
        size_t from = i;
        bool common = is_common(c, i, w->n);
        while (++i < w->n && is_common(c, i, w->n) == common)
            ;
        const char *start = w->text + w->at[from];
        size_t n = w->at[i] - w->at[from];
        if (common && i - from < w->n && sm_text_width(start, n) > 1)
            sm_str_addn(out, bytes, sm_utf8_encode(glyphs->ellipsis, bytes));
        else
            sm_str_addn(out, start, n);
    }
}

static bool all_fit(const char *const *names, size_t n, int w)
{
    for (size_t i = 0; i < n; i++)
        if ((int)sm_text_width(names[i], strlen(names[i])) > w)
            return false;
    return true;
}

typedef void cut_fn(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs);

static const char *cut_to(const char *name, int w, cut_fn *cut, const struct sm_glyphs *glyphs,
                          struct sm_arena *arena)
{
    struct sm_str text = {0};
    cut(&text, name, w, glyphs);
    const char *kept = sm_arena_xstrndup(arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return kept;
}

/* Whether the starts of names that differ do, too. */
static bool starts_differ(const char *const *names, size_t n, int w, const struct sm_glyphs *glyphs,
                          struct sm_arena *arena)
{
    enum { MOST = 64 };
    const char *starts[MOST];
    for (size_t i = 0; i < n && n <= MOST; i++) {
        starts[i] = cut_to(names[i], w, sm_elide_end, glyphs, arena);
        for (size_t k = 0; k < i; k++)
            if (strcmp(starts[i], starts[k]) == 0 && strcmp(names[i], names[k]) != 0)
                return false;
    }
    return n <= MOST;
}

/* Without what is common in them. */
static void drop_common(const char *const *names, size_t n, const struct sm_glyphs *glyphs,
                        struct sm_arena *arena, const char **out)
{
    struct words first = split(names[0], arena);
    struct common c = {first.n, first.n, true, sm_arena_xalloc(arena, first.n + 1)};
    memset(c.same, true, first.n);
    for (size_t i = 1; i < n; i++) {
        struct words name = split(names[i], arena);
        compare_with(&c, &first, &name);
    }
    for (size_t i = 0; i < n; i++) {
        struct words name = split(names[i], arena);
        struct sm_str text = {0};
        add_words(&c, &name, glyphs, &text);
        out[i] = sm_arena_xstrndup(arena, sm_str_text(&text), text.len);
        sm_str_clear(&text);
    }
}

void sm_tell_apart(const char *const *names, size_t n, int w, const struct sm_glyphs *glyphs,
                   struct sm_arena *arena, const char **out)
{
    cut_fn *cut = sm_elide_name;
    if (n > 1 && !all_fit(names, n, w)) {
        drop_common(names, n, glyphs, arena, out);
        cut = starts_differ(out, n, w, glyphs, arena) ? sm_elide_end : sm_elide_name;
        names = (const char *const *)out;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = cut_to(names[i], w, cut, glyphs, arena);
}
