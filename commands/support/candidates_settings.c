/* SPDX-License-Identifier: Apache-2.0 */
/* Completion of settings, their values, and topics of show. */
#include "commands/language/language.h"
#include "commands/language/user.h"
#include "commands/support/candidates.h"

#include <string.h>

/* Offers the next word of the settings whose names start with the words so far. *row: the setting
 * with exactly these words as its name. */
static bool offer_setting_names(struct completer *c, size_t first)
{
    bool named = false;
    for (size_t i = 0; i < c->s->settings.n; i++) {
        const char *p = sm_setting_row(&c->s->settings, i)->name;
        bool same = true;
        for (size_t k = first; same && k < c->n_words; k++) {
            size_t n = strcspn(p, " ");
            same =
                n && strncmp(p, c->words[k], strlen(c->words[k])) == 0 && strlen(c->words[k]) <= n;
            p += n + (p[n] == ' ');
        }
        named = named || (same && !*p);
        if (!same || !*p)
            continue;
        char *word = sm_xstrndup(p, strcspn(p, " "));
        sm_candidates_add(c, word);
        sm_free(word);
    }
    sm_candidates_sort(c);
    return named;
}

static void offer_setting_value(struct completer *c, size_t first)
{
    static const char *const bools[] = {"off", "on", NULL};
    size_t used;
    struct sm_err err;
    const struct sm_setting *row =
        sm_setting_find(&c->s->settings, "set", c->words + first, c->n_words - first, &used, &err);
    if (!row || used != c->n_words - first)
        return;
    sm_candidates_words(c, row->type == SM_SETTING_BOOL ? bools : row->words);
    if ((row->type == SM_SETTING_INT || row->type == SM_SETTING_SIZE) &&
        row->max >= SM_SETTING_UNLIMITED)
        sm_candidates_add(c, "unlimited");
}

void sm_candidates_settings(struct completer *c, size_t first, bool values)
{
    if (offer_setting_names(c, first) && values)
        offer_setting_value(c, first);
}

void sm_candidates_users(struct completer *c)
{
    const struct sm_users *users = sm_users(c->s);
    for (size_t i = 0; i < users->n; i++)
        if (users->items[i]->body)
            sm_candidates_add(c, users->items[i]->name);
    sm_candidates_sort(c);
}

/* show accepts some topics besides settings. */
void sm_candidates_shown(struct completer *c)
{
    static const char *const topics[] = {"convenience", "history", "user",
                                         "values",      "version", NULL};
    sm_candidates_settings(c, 0, false);
    if (c->n_words == 1 && strcmp(c->words[0], "user") == 0)
        sm_candidates_users(c);
    if (!c->n_words)
        sm_candidates_words(c, topics);
    sm_candidates_sort(c);
}
