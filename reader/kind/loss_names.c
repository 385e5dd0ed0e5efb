/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/kind/loss_names.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const of_validation[] = {"val",  "valid",   "validation", "eval", "evaluation",
                                            "test", "testing", "dev",        NULL},
                         *const said_of_both[] = {"train", "training", "epoch", "step", "iter",
                                                  "batch", "avg",      "mean",  NULL};

struct word {
    const char *p;
    size_t n;
};

/* The next word, of letters or of digits; a capital after a small letter begins one. False at the
 * end. */
static bool next_word(const char **at, struct word *out)
{
    const char *p = *at;
    while (*p && !isalnum((unsigned char)*p))
        p++;
    *out = (struct word){p, 0};
    bool digits = isdigit((unsigned char)*p);
    while (isalnum((unsigned char)*p) && !isdigit((unsigned char)*p) == !digits &&
           !(p > out->p && islower((unsigned char)p[-1]) && isupper((unsigned char)*p)))
        p++;
    out->n = (size_t)(p - out->p);
    *at = p;
    return out->n;
}

static bool is_word_of(const struct word *w, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == w->n && strncasecmp(*list, w->p, w->n) == 0)
            return true;
    return false;
}

bool sm_name_is_of_validation(const char *name)
{
    for (struct word w; next_word(&name, &w);)
        if (is_word_of(&w, of_validation))
            return true;
    return false;
}

/* The next word that is not said of both. */
static bool next_own_word(const char **at, struct word *out)
{
    while (next_word(at, out))
        if (!is_word_of(out, of_validation) && !is_word_of(out, said_of_both))
            return true;
    return false;
}

bool sm_name_is_of_training(const char *name)
{
    static const char *const of_training[] = {"train", "training", NULL};
    for (struct word w; next_word(&name, &w);)
        if (is_word_of(&w, of_training))
            return true;
    return false;
}

void sm_name_add_own_words(const char *name, size_t n, struct sm_str *out)
{
    const char *at = name;
    for (struct word w; next_own_word(&at, &w) && w.p < name + n;) {
        sm_str_add(out, " ");
        for (size_t i = 0; i < w.n; i++)
            sm_str_addn(out, (const char[]){(char)tolower((unsigned char)w.p[i])}, 1);
    }
}

void sm_name_add_validation_word(const char *name, size_t n, struct sm_str *out)
{
    const char *at = name;
    for (struct word w; next_word(&at, &w) && w.p < name + n;)
        if (is_word_of(&w, of_validation)) {
            sm_str_addn(out, w.p, w.n);
            return;
        }
}

bool sm_name_validates(const char *validation, const char *training)
{
    struct word v, t;
    if (!sm_name_is_of_validation(validation) || sm_name_is_of_validation(training))
        return false;
    for (;;) {
        bool more = next_own_word(&validation, &v);
        if (next_own_word(&training, &t) != more)
            return false;
        if (!more)
            return true;
        if (v.n != t.n || strncasecmp(v.p, t.p, v.n) != 0)
            return false;
    }
}
