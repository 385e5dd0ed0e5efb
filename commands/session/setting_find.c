/* SPDX-License-Identifier: Apache-2.0 */
/* Finds settings by name, with abbreviations. */
#include "commands/session/setting.h"

#include "reader/base/mem.h"

#include <string.h>

/* Word k of a name, from 0; n is 0 if the name has fewer words. */
static struct sm_text name_word(const char *name, size_t k)
{
    while (k--) {
        name += strcspn(name, " ");
        if (*name)
            name++;
    }
    return (struct sm_text){name, strcspn(name, " ")};
}

/* True if the first k words of the names are equal. */
static bool same_group(const char *a, const char *b, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        struct sm_text x = name_word(a, i), y = name_word(b, i);
        if (!sm_text_same(x, y))
            return false;
    }
    return true;
}

/* The words that match as word k of a name. */
struct choice {
    const struct sm_setting *row; /* a setting with the matching word; the last one of several */
    struct sm_str all;            /* the different matching words */
    unsigned n;                   /* number of them; 1 if the word matches exactly */
};

/* Matches word k against the names whose first k words are those of `group`. */
static void match_word(const struct sm_settings *s, const char *group, size_t k, const char *word,
                       struct choice *c)
{
    struct sm_text last = {0};
    for (size_t i = 0; i < s->n_all; i++) {
        struct sm_text w = name_word(sm_setting_row(s, i)->name, k);
        if ((k && !same_group(sm_setting_row(s, i)->name, group, k)) || !w.n ||
            strncmp(w.p, word, strlen(word)) != 0)
            continue;
        if (sm_text_is(w, word)) {
            c->row = sm_setting_row(s, i);
            c->n = 1;
            return;
        }
        if (sm_text_same(last, w))
            continue;
        last = w;
        sm_str_printf(&c->all, "%s%.*s", c->n++ ? ", " : "", (int)w.n, w.p);
        c->row = sm_setting_row(s, i);
    }
}

/* The nearest word after the group; n is 0 if none is near. */
static struct sm_text near_word(const struct sm_settings *s, const char *group, size_t k,
                                const char *word)
{
    struct sm_text best = {"", 0};
    unsigned least = SM_NOT_NEAR;
    for (size_t i = 0; i < s->n; i++) {
        struct sm_text w = name_word(sm_setting_row(s, i)->name, k);
        if (!w.n || (k && !same_group(sm_setting_row(s, i)->name, group, k)))
            continue;
        char *name = sm_xstrndup(w.p, w.n);
        unsigned d = sm_word_distance(word, name);
        sm_free(name);
        if (d >= least)
            continue;
        least = d;
        best = w;
    }
    return best;
}

static bool report_unknown(const struct sm_settings *s, const char *group, size_t k,
                           const char *word, struct choice *c, const char *verb, struct sm_err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < k; i++)
        n = (size_t)(name_word(group, i).p - group) + name_word(group, i).n;
    const char *space = n ? " " : "";
    if (c->n > 1) {
        sm_err_set(err, SM_ERR_USAGE, "Ambiguous %s%s%.*s command \"%s\": %s.", verb, space, (int)n,
                   group, word, sm_str_text(&c->all));
        return sm_err_kind(err, SM_ERR_IS_AMBIGUOUS);
    }
    if (!*word)
        return sm_err_set(err, SM_ERR_USAGE,
                          "\"%s%s%.*s\" must be followed by the name of a setting.", verb, space,
                          (int)n, group);
    struct sm_text near = near_word(s, group, k, word);
    sm_err_set(err, SM_ERR_USAGE,
               "Undefined %s%s%.*s command: \"%s\".  Try \"help %s%s%.*s\".%s%.*s%s", verb, space,
               (int)n, group, word, verb, space, (int)n, group, near.n ? "  Did you mean \"" : "",
               (int)near.n, near.p, near.n ? "\"?" : "");
    return sm_err_kind(err, SM_ERR_IS_NO_COMMAND);
}

const struct sm_setting *sm_setting_find(const struct sm_settings *s, const char *verb,
                                         const char *const *words, size_t n, size_t *used,
                                         struct sm_err *err)
{
    const struct sm_setting *row = NULL;
    for (size_t k = 0;; k++) {
        if (row && !name_word(row->name, k).n) {
            *used = k;
            return row;
        }
        struct choice c = {0};
        const char *word = k < n ? words[k] : "";
        if (*word)
            match_word(s, row ? row->name : "", k, word, &c);
        bool found = c.n == 1;
        if (!found)
            report_unknown(s, row ? row->name : "", k, word, &c, verb, err);
        sm_str_clear(&c.all);
        if (!found)
            return NULL;
        row = c.row;
    }
}
