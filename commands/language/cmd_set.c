/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/cmd_set.h"

#include "commands/language/gdb_word.h"

#include "commands/language/user.h"
#include "commands/session/feature.h"

#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

static int by_parent_and_name(const void *a, const void *b)
{
    const struct sm_cmd *const *x = a, *const *y = b;
    int parents = strcmp((*x)->parent ? (*x)->parent : "", (*y)->parent ? (*y)->parent : "");
    return parents ? parents : strcmp((*x)->name, (*y)->name);
}

static bool same_parent(const struct sm_cmd *a, const struct sm_cmd *b)
{
    return a->parent == b->parent || (a->parent && b->parent && strcmp(a->parent, b->parent) == 0);
}

/* Copies the sorted records and adds a NULL after the last one of each parent. */
static void separate_parents(struct sm_cmd_set *set, const struct sm_cmd **all, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (i && !same_parent(all[i - 1], all[i]))
            set->top[kept++] = NULL;
        set->top[kept++] = all[i];
    }
    set->top[kept] = NULL;
    set->n = kept;
}

struct sm_cmd_set *sm_cmd_set_new(const struct sm_feature *const *features)
{
    struct sm_cmd_set *set = sm_xalloc_zero(1, sizeof *set);
    size_t n = 0;
    for (size_t f = 0; features[f]; f++)
        for (size_t i = 0; features[f]->commands && features[f]->commands[i]; i++)
            n++;
    const struct sm_cmd **all = sm_xalloc((n + 1) * sizeof *all);
    n = 0;
    for (size_t f = 0; features[f]; f++)
        for (size_t i = 0; features[f]->commands && features[f]->commands[i]; i++)
            all[n++] = features[f]->commands[i];
    qsort(all, n, sizeof *all, by_parent_and_name);
    set->top = sm_xalloc((2 * n + 1) * sizeof *set->top);
    separate_parents(set, all, n);
    set->users = sm_users_new(set);
    sm_free(all);
    return set;
}

void sm_cmd_set_free(struct sm_cmd_set *set)
{
    if (!set)
        return;
    sm_users_free(set->users);
    sm_free(set->top);
    sm_free(set);
}

const struct sm_cmd *const *sm_cmd_subs(const struct sm_cmd_set *set, const struct sm_cmd *parent)
{
    /* a subcommand has none, also where its name is that of a command: "profile rule" */
    for (size_t i = 0; i < set->n && !parent->parent; i++)
        if (set->top[i] && set->top[i]->parent && strcmp(set->top[i]->parent, parent->name) == 0)
            return &set->top[i];
    return NULL;
}

/* ---- finding a command ---- */

struct search {
    const char *word;
    size_t n;
    const struct sm_cmd **found; /* distinct commands with a name or alias that starts with the word
                                  */
    size_t n_found;
    const struct sm_cmd *exact;
};

static void match_name(struct search *s, const struct sm_cmd *cmd, const char *name, size_t n)
{
    if (n < s->n || memcmp(name, s->word, s->n) != 0)
        return;
    if (n == s->n)
        s->exact = cmd;
    if (!s->n_found || s->found[s->n_found - 1] != cmd)
        s->found[s->n_found++] = cmd;
}

static void match_command(struct search *s, const struct sm_cmd *cmd)
{
    match_name(s, cmd, cmd->name, strlen(cmd->name));
    for (const char *a = cmd->aliases; a && *a;) {
        size_t n = strcspn(a, " ");
        match_name(s, cmd, a, n);
        a += n + (a[n] == ' ');
    }
}

static int by_name(const void *a, const void *b)
{
    const struct sm_cmd *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* The nearest name; among equals the one of the most similar length. NULL if none is near. */
static const char *near_miss(const struct sm_cmd *const *list, const char *word)
{
    const char *best = NULL;
    size_t least = SIZE_MAX, n = strlen(word);
    for (; *list; list++) {
        size_t other = strlen((*list)->name), d = sm_word_distance(word, (*list)->name);
        size_t cost = d * 100 + (other > n ? other - n : n - other);
        if (d != SM_NOT_NEAR && cost < least) {
            least = cost;
            best = (*list)->name;
        }
    }
    return best;
}

static void report_undefined(const struct sm_cmd *parent, const struct sm_cmd *const *list,
                             const char *word, size_t n, struct sm_err *err)
{
    char *copy = sm_xstrndup(word, n);
    const char *hint = sm_gdb_word_hint(parent ? parent->name : NULL, word, n);
    const char *near = hint ? NULL : near_miss(list, copy);
    sm_err_set(err, SM_ERR_USAGE, "Undefined %s%scommand: \"%s\".  Try \"help%s%s\".%s%s%s%s%s",
               parent ? parent->name : "", parent ? " " : "", copy, parent ? " " : "",
               parent ? parent->name : "", hint ? "  " : "", hint ? hint : "",
               near ? "  Did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    sm_err_kind(err, SM_ERR_IS_NO_COMMAND);
    sm_free(copy);
}

/* The name of cmd if it starts with the word, otherwise the matching alias. */
static struct sm_text matching_name(const struct sm_cmd *cmd, const struct search *s)
{
    const char *name = cmd->name;
    if (strncmp(name, s->word, s->n) == 0 || !cmd->aliases)
        return sm_text(name);
    for (const char *a = cmd->aliases; *a; a += strcspn(a, " "), a += *a == ' ')
        if (strncmp(a, s->word, s->n) == 0)
            return (struct sm_text){a, strcspn(a, " ")};
    return sm_text(name);
}

static void report_ambiguous(const struct sm_cmd *parent, struct search *s, size_t shown,
                             struct sm_err *err)
{
    struct sm_str names = {0};
    qsort(s->found, s->n_found, sizeof *s->found, by_name);
    for (size_t i = 0; i < s->n_found; i++) {
        struct sm_text name = matching_name(s->found[i], s);
        sm_str_printf(&names, "%s%.*s", i ? ", " : "", (int)name.n, name.p);
    }
    sm_err_set(err, SM_ERR_USAGE, "Ambiguous %s%scommand \"%.*s\": %s.", parent ? parent->name : "",
               parent ? " " : "", (int)shown, s->word, sm_str_text(&names));
    sm_err_kind(err, SM_ERR_IS_AMBIGUOUS);
    sm_str_clear(&names);
}

static const struct sm_cmd *matched_command(const struct search *s)
{
    return s->exact ? s->exact : s->n_found == 1 ? s->found[0] : NULL;
}

static void match_users(struct search *s, const struct sm_users *users)
{
    for (size_t i = 0; i < users->n; i++)
        match_command(s, &users->items[i]->cmd);
}

const struct sm_cmd *sm_cmd_find_in_line(const struct sm_cmd_set *set, const struct sm_cmd *parent,
                                         const char *word, size_t n, size_t shown,
                                         struct sm_err *err)
{
    const struct sm_cmd *const *list = parent ? sm_cmd_subs(set, parent) : set->top;
    const struct sm_user *own = !parent && n ? sm_users_find(set->users, word, n) : NULL;
    size_t count = set->users->n;
    if (own)
        return &own->cmd;
    for (size_t i = 0; list && list[i]; i++)
        count++;
    struct search s = {.word = word, .n = n, .found = sm_xalloc((count + 1) * sizeof *s.found)};
    for (size_t i = 0; n && list[i] && !s.exact; i++)
        match_command(&s, list[i]);
    if (n && !parent && !s.n_found)
        match_users(&s, set->users);
    bool foreign = !s.exact && sm_gdb_word_hint(parent ? parent->name : NULL, word, n);
    const struct sm_cmd *found = foreign ? NULL : matched_command(&s);
    if (!found && s.n_found && !foreign)
        report_ambiguous(parent, &s, shown, err);
    else if (!found)
        report_undefined(parent, list, word, n, err);
    sm_free(s.found);
    return found;
}

const struct sm_cmd *sm_cmd_find(const struct sm_cmd_set *set, const struct sm_cmd *parent,
                                 const char *word, size_t n, struct sm_err *err)
{
    return sm_cmd_find_in_line(set, parent, word, n, n, err);
}

bool sm_cmd_is_builtin(const struct sm_cmd_set *set, const char *name, size_t n)
{
    const struct sm_cmd *found[1];
    struct search s = {.word = name, .n = n, .found = found};
    for (const struct sm_cmd *const *list = set->top; *list && !s.exact; list++) {
        s.n_found = 0;
        match_command(&s, *list);
    }
    return n && s.exact;
}
