/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests tensor names for a pattern that matches none. */
#include "rules/private.h"

#include <ctype.h>
#include <string.h>

enum { WORDS_MAX = 8, WORD_MIN = 3, WORD_MAX = 40, NAMES_SHOWN = 3 };

struct words {
    struct sm_text items[WORDS_MAX];
    size_t n;
};

/* Runs of letters, without escapes: "relu" and "output" from ".*relu_output\d". */
static void extract_words(struct words *w, const char *pattern)
{
    for (const char *p = pattern; *p && w->n < WORDS_MAX;) {
        size_t n = 0;
        if (*p == '\\' && p[1])
            p += 2;
        while (isalpha((unsigned char)p[n]))
            n++;
        if (n >= WORD_MIN)
            w->items[w->n++] = (struct sm_text){p, n};
        p += n + (n == 0 && *p);
    }
}

static void copy_lower(char *to, const char *p, size_t n)
{
    n = n < WORD_MAX ? n : WORD_MAX;
    for (size_t i = 0; i < n; i++)
        to[i] = (char)tolower((unsigned char)p[i]);
    to[n] = 0;
}

/* The word, or one with a similar spelling, ignoring case. */
static bool contains_similar(const char *name, struct sm_text word)
{
    char want[WORD_MAX + 1], have[WORD_MAX + 1];
    copy_lower(want, word.p, word.n);
    for (const char *p = name; *p;) {
        size_t n = 0;
        while (isalpha((unsigned char)p[n]))
            n++;
        copy_lower(have, p, n);
        if (n &&
            (strstr(have, want) ||
             (n >= WORD_MIN && sm_edit_distance(have, want, word.n / 4 + 1) <= word.n / 4 + 1)))
            return true;
        p += n + (n == 0);
    }
    return false;
}

static size_t count_words(const struct words *w, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++)
        n += contains_similar(name, w->items[i]);
    return n;
}

static size_t highest_count(const struct words *w, const struct sm_trial *t)
{
    size_t best = 0;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        size_t here = count_words(w, sm_trial_tensor_name(t, sm_trial_tensor(t, i)));
        best = here > best ? here : best;
    }
    return best;
}

static void add_name(struct sm_str *out, size_t *shown, const char *name)
{
    sm_str_add(out, (*shown)++ ? ", " : "");
    sm_str_add_escaped(out, name, strlen(name));
}

/* Adds the names that contain the most words of the pattern. */
static void add_similar(struct sm_str *out, size_t *shown, const struct sm_trial *t,
                        const char *pattern)
{
    struct words w = {.n = 0};
    extract_words(&w, pattern);
    size_t best = highest_count(&w, t);
    for (size_t i = 0; best && i < sm_trial_tensor_count(t) && *shown < NAMES_SHOWN; i++) {
        const char *name = sm_trial_tensor_name(t, sm_trial_tensor(t, i));
        if (count_words(&w, name) == best)
            add_name(out, shown, name);
    }
}

static void find_similar(const struct sm_rule_private *own, const struct sm_trial *t,
                         struct sm_str *out)
{
    size_t shown = 0;
    for (size_t k = 0; k < own->n_needs && !shown; k++) {
        const struct sm_need *n = &own->needs[k];
        for (size_t p = 0; n->regex && n->regex->set && p < n->regex->n && !shown; p++)
            add_similar(out, &shown, t, n->regex->items[p]);
    }
}

bool sm_rule_similar(const struct sm_rule_instance *i, const struct sm_trial *t, struct sm_str *out)
{
    struct sm_rule_private *p = i->own;
    uint64_t key = 1 + sm_trial_tensor_count(t);
    if (p->similar_key != key) { /* cached: panes call this often */
        struct sm_str names = {0};
        find_similar(p, t, &names);
        sm_free(p->similar);
        p->similar = names.len ? sm_xstrdup(sm_str_text(&names)) : NULL;
        p->similar_key = key;
        sm_str_clear(&names);
    }
    if (p->similar)
        sm_str_add(out, p->similar);
    return p->similar != NULL;
}
