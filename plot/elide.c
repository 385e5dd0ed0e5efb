/* SPDX-License-Identifier: Apache-2.0 */
/* Shortening texts and names. */
#include "plot/table.h"
#include "plot/wrap.h"

#include <ctype.h>
#include <string.h>

/* tail_sixths: how many sixths of the kept text are from the end. */
static void elide_text(struct sm_str *out, const char *text, int w, int tail_sixths,
                       const struct sm_glyphs *glyphs)
{
    size_t n = strlen(text);
    int full = (int)sm_text_width(text, n);
    if (full <= w) {
        sm_str_addn(out, text, n);
        return;
    }
    if (w <= 0)
        return;
    bool dots = glyphs->set == SM_SYMBOLS_ASCII && w >= 5;
    int rest = w - (dots ? 3 : 1), tail = rest * tail_sixths / 6;
    size_t from = sm_wrap_head(text, n, full - tail);
    /* a wide rune crosses the cut */
    while (from < n && (int)sm_text_width(text + from, n - from) > tail)
        from += sm_wrap_head(text + from, n - from, 2);
    sm_str_addn(out, text, sm_wrap_head(text, n, rest - tail));
    char bytes[4];
    if (dots)
        sm_str_add(out, "...");
    else
        sm_str_addn(out, bytes, sm_utf8_encode(glyphs->ellipsis, bytes));
    sm_str_addn(out, text + from, n - from);
}

void sm_elide_middle(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs)
{
    elide_text(out, text, w, 3, glyphs);
}

/* ---- names of parts ---- */

/* "model.layers.10.self_attn.k_proj.weight": what tells such names apart are the numbers, and words
 * near the end. Where the middle has a number they become "…10…k_proj.weight". */
enum { WORDS_MAX = 24, PART_LEAST = 3 };
struct word {
    const char *p;
    size_t n; /* bytes */
    int w;    /* columns of the word, or of what is kept of it */
    bool number, kept;
    bool differs; /* from that of a name that would look the same */
};
struct words {
    struct word items[WORDS_MAX];
    size_t n;
    int w; /* room */
    const struct sm_glyphs *glyphs;
};

static int ellipsis_width(const struct words *x)
{
    return x->glyphs->set == SM_SYMBOLS_ASCII && x->w >= 5 ? 3 : 1;
}

/* Only digits, maybe after a mark for what was left out before it. */
static bool is_number(const char *p, size_t n)
{
    while (n && !isalnum((unsigned char)*p)) {
        p++;
        n--;
    }
    return n && strspn(p, "0123456789") >= n;
}

/* False: there are too few words, or too many. */
static bool split(struct words *x, const char *text)
{
    for (const char *p = text;; p++) {
        size_t n = strcspn(p, "./");
        if (x->n == WORDS_MAX)
            return false;
        x->items[x->n++] =
            (struct word){.p = p, .n = n, .w = (int)sm_text_width(p, n), .number = is_number(p, n)};
        p += n;
        if (!*p)
            return x->n > 2;
    }
}

/* Columns of the kept words, with the points between them and marks for what is left out. */
static int width_of(const struct words *x)
{
    int w = 0;
    for (size_t i = 0; i < x->n; i++) {
        bool before = i && x->items[i - 1].kept;
        if (x->items[i].kept)
            w += x->items[i].w + before;
        else if (before || i == 0)
            w += ellipsis_width(x);
    }
    return w;
}

/* Keeps a word if there is room. */
static bool keep(struct words *x, struct word *word)
{
    word->kept = true;
    if (width_of(x) > x->w)
        word->kept = false;
    return word->kept;
}

/* Keeps as much of a word as there is room for, if that is worth it. */
static void keep_part(struct words *x, struct word *word)
{
    int whole = word->w;
    word->w = 0;
    word->kept = true;
    word->w = x->w - width_of(x);
    word->kept = word->w >= PART_LEAST + ellipsis_width(x) && word->w < whole;
    word->w = word->kept ? word->w : whole;
}

static bool is_weight(const struct word *x)
{
    return x->n == 6 && memcmp(x->p, "weight", 6) == 0;
}

/* Whether a shortened name has lost a number. It lost what is between its two ends. */
static bool loses_number(const struct words *x, const char *cut)
{
    const char *text = x->items[0].p;
    size_t n = strlen(text), m = strlen(cut), head = 0, tail = 0;
    while (head < m && text[head] == cut[head])
        head++;
    while (tail < m - head && text[n - 1 - tail] == cut[m - 1 - tail])
        tail++;
    for (size_t i = 0; i < x->n; i++) {
        size_t at = (size_t)(x->items[i].p - text);
        if (x->items[i].number && at + x->items[i].n > head && at < n - tail)
            return true;
    }
    return false;
}

/* Keeps words from `to` back to `from` while there is room, and a part of the next one. A word
 * before a number, as "layers", is kept whole or not at all. */
static bool keep_words(struct words *x, size_t from, size_t to, bool weights)
{
    for (size_t i = to; i-- > from;) {
        struct word *word = &x->items[i];
        if (word->kept || is_weight(word) != weights || keep(x, word))
            continue;
        if (!weights && !(i + 1 < x->n && x->items[i + 1].number))
            keep_part(x, word);
        return false;
    }
    return true;
}

/* Keeps the words that differ, and the last one and the numbers if asked for. */
static bool keep_first(struct words *x, bool last, bool numbers)
{
    for (size_t i = 0; i < x->n; i++)
        x->items[i].kept =
            x->items[i].differs || (numbers && x->items[i].number) || (last && i == x->n - 1);
    return width_of(x) <= x->w;
}

/* The last word, all numbers, those that differ, and from the end what there is room for; "weight"
 * inside only when what is beside it was. */
static bool choose(struct words *x)
{
    size_t number = 0;
    bool differs = false;
    for (size_t i = 0; i < x->n; i++) {
        number = x->items[i].number ? i : number;
        differs = differs || x->items[i].differs;
    }
    if (!keep_first(x, true, true) &&
        !(differs && (keep_first(x, true, false) || keep_first(x, false, false))))
        return false;
    if (keep_words(x, number, x->n, false) && keep_words(x, number, x->n, true))
        keep_words(x, 0, number, false);
    return true;
}

static void add_ellipsis(const struct words *x, struct sm_str *out)
{
    char bytes[4];
    if (ellipsis_width(x) == 3)
        sm_str_add(out, "...");
    else
        sm_str_addn(out, bytes, sm_utf8_encode(x->glyphs->ellipsis, bytes));
}

static void add_words(const struct words *x, struct sm_str *out)
{
    for (size_t i = 0; i < x->n; i++) {
        const struct word *word = &x->items[i];
        bool before = i && x->items[i - 1].kept;
        struct sm_str text = {0};
        if (!word->kept && (before || i == 0))
            add_ellipsis(x, out);
        if (!word->kept)
            continue;
        if (before)
            sm_str_addc(out, word->p[-1]);
        sm_str_addn(&text, word->p, word->n);
        elide_text(out, sm_str_text(&text), word->w, 2, x->glyphs);
        sm_str_clear(&text);
    }
}

void sm_elide_name(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs)
{
    struct words words = {.w = w, .glyphs = glyphs};
    struct sm_str cut = {0};
    elide_text(&cut, text, w, 4, glyphs);
    bool lost = split(&words, text) && loses_number(&words, sm_str_text(&cut)) && choose(&words);
    if (lost)
        add_words(&words, out);
    else
        sm_str_addn(out, sm_str_text(&cut), cut.len);
    sm_str_clear(&cut);
}

/* ---- names of a list ---- */

static bool is_same_word(const struct word *a, const struct word *b)
{
    return a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

/* Marks the words that are not those of the other name. */
static void mark_differing(struct words *x, const char *other)
{
    struct words y = {0};
    size_t head = 0, tail = 0;
    if (!split(&y, other))
        return;
    size_t least = x->n < y.n ? x->n : y.n;
    while (head < least && is_same_word(&x->items[head], &y.items[head]))
        head++;
    while (tail < least - head &&
           is_same_word(&x->items[x->n - 1 - tail], &y.items[y.n - 1 - tail]))
        tail++;
    for (size_t i = head; i < x->n - tail; i++)
        x->items[i].differs =
            x->items[i].differs || x->n != y.n || !is_same_word(&x->items[i], &y.items[i]);
}

/* From the word on in which the names differ first. */
static void add_from(const struct words *x, const char *text, size_t same, struct sm_str *out)
{
    struct sm_str rest = {0};
    while (same && text[same - 1] != '.' && text[same - 1] != '/')
        same--;
    if (same)
        add_ellipsis(x, &rest);
    sm_str_add(&rest, text + same);
    sm_elide_end(out, sm_str_text(&rest), x->w, x->glyphs);
    sm_str_clear(&rest);
}

static bool becomes(const char *other, const struct words *x, const char *cut)
{
    struct sm_str text = {0};
    sm_elide_name(&text, other, x->w, x->glyphs);
    bool same = strcmp(sm_str_text(&text), cut) == 0;
    sm_str_clear(&text);
    return same;
}

void sm_elide_apart(struct sm_str *out, const char *text, const char *const *others, size_t n,
                    int w, const struct sm_glyphs *glyphs)
{
    struct words words = {.w = w, .glyphs = glyphs};
    struct sm_str cut = {0};
    size_t same = strlen(text), alike = 0;
    bool whole = (int)sm_text_width(text, same) <= w, by_words = !whole && split(&words, text);
    sm_elide_name(&cut, text, w, glyphs);
    for (size_t i = 0; i < n && !whole; i++) {
        size_t k = 0;
        if (strcmp(others[i], text) == 0 || !becomes(others[i], &words, sm_str_text(&cut)))
            continue;
        while (k < same && text[k] == others[i][k])
            k++;
        same = k;
        alike++;
        if (by_words)
            mark_differing(&words, others[i]);
    }
    if (!alike)
        sm_str_addn(out, sm_str_text(&cut), cut.len);
    else if (by_words && choose(&words))
        add_words(&words, out);
    else
        add_from(&words, text, same, out);
    sm_str_clear(&cut);
}

void sm_elide_end(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs)
{
    elide_text(out, text, w, 0, glyphs);
}
