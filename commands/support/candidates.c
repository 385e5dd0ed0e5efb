/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/support/candidates.h"
#include "commands/language/language.h"

#include "commands/language/command_line.h"
#include "commands/language/user.h"
#include "reader/base/grow.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MAX = 10000 }; /* directory entries read at most */

static void add_candidate(struct completer *c, const char *text)
{
    for (size_t i = 0; i < c->out->n; i++)
        if (strcmp(c->out->items[i], text) == 0)
            return;
    if (c->out->n == SM_CANDIDATES_MAX) {
        c->out->more = true;
        return;
    }
    SM_GROW(c->out->items, c->out->n, c->out->cap);
    c->out->items[c->out->n++] = sm_arena_xstrndup(&c->out->arena, text, strlen(text));
}

static bool is_prefix_of(const struct completer *c, const char *text)
{
    return strncmp(text, c->partial, c->partial_n) == 0;
}

void sm_candidates_add(struct completer *c, const char *text)
{
    if (is_prefix_of(c, text))
        add_candidate(c, text);
}

static bool is_keyword(const struct sm_cmd *cmd, const char *name)
{
    for (const struct sm_arg *a = cmd ? cmd->args : NULL; a && a->name; a++)
        if (a->keyword && strcmp(a->keyword, name) == 0)
            return true;
    return false;
}

/* After an opening quote the name may contain escapes. */
static bool is_quoted_prefix_of(const struct completer *c, const struct sm_str *text)
{
    return c->quote && sm_str_text(text)[0] == '"' && is_prefix_of(c, sm_str_text(text) + 1);
}

/* A name of a trial or a file: quoted if the line would not read it as one word. */
void sm_candidates_name(struct completer *c, const char *name, size_t n)
{
    struct sm_str text = {0};
    bool as_it_is = c->partial_n <= n && memcmp(name, c->partial, c->partial_n) == 0;
    if (!as_it_is && !c->quote)
        return;
    sm_line_quote(&text, name, n);
    if ((c->quote || is_keyword(c->cmd, name)) && sm_str_text(&text)[0] != '"') {
        sm_str_truncate(&text, 0);
        sm_str_printf(&text, "\"%s\"", name);
    }
    if (as_it_is || is_quoted_prefix_of(c, &text))
        add_candidate(c, sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_candidates_words(struct completer *c, const char *const *words)
{
    for (; words && *words; words++)
        sm_candidates_add(c, *words);
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

void sm_candidates_sort(struct completer *c)
{
    if (c->out->n)
        qsort(c->out->items, c->out->n, sizeof *c->out->items, by_text);
}

/* ---- candidates by kind of argument ---- */

void sm_candidates_commands(struct completer *c, const struct sm_cmd *const *list)
{
    const struct sm_users *users = sm_users(c->s);
    for (size_t i = 0; list == sm_commands(c->s)->top && i < users->n; i++)
        if (!users->items[i]->unlisted)
            sm_candidates_add(c, users->items[i]->name);
    for (; *list; list++) {
        sm_candidates_add(c, (*list)->name);
        for (const char *a = (*list)->aliases; a && *a && c->partial_n;) {
            size_t n = strcspn(a, " ");
            char *alias = sm_xstrndup(a, n);
            if (n > c->partial_n)
                sm_candidates_add(c, alias);
            sm_free(alias);
            a += n + (a[n] == ' ');
        }
    }
    sm_candidates_sort(c);
}

static void offer_tensors(struct completer *c)
{
    const struct sm_trial *t = sm_session_trial(c->s);
    const struct sm_names *names = t ? sm_trial_names(t) : NULL;
    for (size_t i = 0; t && i < sm_trial_tensor_count(t) && !c->out->more; i++) {
        uint32_t id = sm_trial_tensor(t, i)->name;
        sm_candidates_name(c, sm_names_text(names, id), sm_names_length(names, id));
    }
}

static void offer_collections(struct completer *c, const char *prefix)
{
    const struct sm_trial *t = sm_session_trial(c->s);
    for (size_t i = 0; t && i < sm_trial_collection_count(t); i++) {
        const char *name = sm_trial_collection(t, i)->name;
        struct sm_str text = {0};
        sm_str_add(&text, prefix);
        sm_line_quote(&text, name, strlen(name));
        if (!*prefix)
            sm_candidates_name(c, name, strlen(name));
        else if (sm_str_text(&text)[strlen(prefix)] != '"')
            sm_candidates_add(c, sm_str_text(&text));
        sm_str_clear(&text);
    }
}

static void offer_steps(struct completer *c)
{
    static const char *const words[] = {"first", "last", "all", NULL};
    const struct sm_trial *t = sm_session_trial(c->s);
    sm_candidates_words(c, words);
    for (size_t i = 0; t && i < sm_trial_step_count(t) && !c->out->more; i++) {
        char text[24];
        snprintf(text, sizeof text, "%lld", (long long)sm_trial_step(t, i)->step.n);
        sm_candidates_add(c, text);
    }
}

static void offer_modes(struct completer *c)
{
    static const char *const words[] = {"eval", "global", "predict", "train", NULL};
    sm_candidates_words(c, words);
}

static void offer_workers(struct completer *c)
{
    const struct sm_trial *t = sm_session_trial(c->s);
    for (uint16_t i = 0; t && i < sm_trial_worker_count(t); i++)
        sm_candidates_name(c, sm_trial_worker(t, i), strlen(sm_trial_worker(t, i)));
}

/* ---- files ---- */

static DIR *open_directory(const char *dir)
{
    struct sm_str path = {0};
    const char *home = getenv("HOME");
    if (dir[0] == '~' && dir[1] == '/' && home)
        sm_str_printf(&path, "%s%s", home, dir + 1);
    else
        sm_str_add(&path, *dir ? dir : ".");
    DIR *d = opendir(sm_str_text(&path));
    sm_str_clear(&path);
    return d;
}

static void offer_file(struct completer *c, const char *dir, const struct dirent *e)
{
    struct sm_str path = {0}, text = {0};
    sm_str_printf(&path, "%s%s", dir, e->d_name);
    if (is_prefix_of(c, sm_str_text(&path))) {
        bool plain = !strpbrk(sm_str_text(&path), " \t\"'[]|>#\\") && !c->quote;
        if (plain)
            sm_str_add(&text, sm_str_text(&path));
        else
            sm_str_printf(&text, "'%s'", sm_str_text(&path));
        if (e->d_type == DT_DIR)
            sm_str_addc(&text, '/');
        if (plain || !strchr(sm_str_text(&path), '\''))
            add_candidate(c, sm_str_text(&text));
        c->out->finished = e->d_type != DT_DIR;
    }
    sm_str_clear(&path);
    sm_str_clear(&text);
}

static void offer_files(struct completer *c)
{
    char *partial = sm_xstrndup(c->partial, c->partial_n), *slash = strrchr(partial, '/');
    const char *last = slash ? slash + 1 : partial;
    bool hidden = *last == '.';
    char *dir = sm_xstrndup(partial, (size_t)(last - partial));
    DIR *d = open_directory(dir);
    struct dirent *e;
    for (size_t i = 0; d && i < ENTRIES_MAX && !c->out->more && (e = readdir(d)); i++)
        if (hidden ? strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0
                   : e->d_name[0] != '.')
            offer_file(c, dir, e);
    if (d)
        closedir(d);
    sm_candidates_sort(c);
    sm_free(dir);
    sm_free(partial);
}

/* ---- expressions ---- */

/* Names may contain characters that the lexer of expressions does not accept in a name. */
static bool in_name(char ch)
{
    return isalnum((unsigned char)ch) || strchr("_/:.", ch) || (unsigned char)ch >= 0x80;
}

static bool is_bare_name(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (const char *p = name; *p; p++)
        if (!in_name(*p) || (strchr("/:.", *p) && !isalnum((unsigned char)p[1]) && p[1] != '_'))
            return false;
    return true;
}

static void offer_variables(struct completer *c)
{
    sm_session_sync_variables(c->s);
    for (size_t i = 0; i < c->s->variables.n; i++)
        sm_candidates_add(c,
                          sm_arena_xprintf(&c->out->arena, "$%s", c->s->variables.items[i].name));
}

static void offer_expression(struct completer *c)
{
    const struct sm_trial *t = sm_session_trial(c->s);
    size_t begin = c->n, end = c->n;
    while (begin && in_name(c->line[begin - 1]) && begin > c->out->start)
        begin--;
    begin -= begin > c->out->start && c->line[begin - 1] == '$';
    c->out->start = begin;
    c->partial = c->line + begin;
    c->partial_n = end - begin;
    c->out->finished = false;
    if (c->partial_n && *c->partial == '$') {
        offer_variables(c);
        return;
    }
    for (size_t i = 0; t && i < sm_trial_tensor_count(t) && !c->out->more; i++) {
        const char *name = sm_trial_tensor_name(t, sm_trial_tensor(t, i));
        char *quoted = sm_arena_xprintf(&c->out->arena, "`%s`", name);
        if (is_prefix_of(c, name))
            add_candidate(c, is_bare_name(name) ? name : quoted);
    }
    for (size_t i = 0; i < sm_expr_func_count() && c->partial_n; i++) {
        char *call = sm_arena_xprintf(&c->out->arena, "%s(", sm_expr_func(i)->name);
        sm_candidates_add(c, call);
    }
}

void sm_candidates_options(struct completer *c)
{
    const struct sm_option *lists[] = {c->cmd->options, sm_line_options};
    for (size_t k = 0; k < 2; k++) {
        for (const struct sm_option *o = lists[k]; o && o->name; o++) {
            if (k && !(c->cmd->flags & SM_CMD_LISTING) && o != sm_line_options)
                break;
            sm_candidates_add(c, sm_arena_xprintf(&c->out->arena, "-%s", o->name));
        }
    }
}

void sm_candidates_kind(struct completer *c, enum sm_arg_kind kind, const char *const *words)
{
    switch (kind) {
    case SM_ARG_PATTERN:
    case SM_ARG_TENSOR:
        if (c->partial_n && c->partial[0] == '+')
            offer_collections(c, "+");
        else
            offer_tensors(c);
        break;
    case SM_ARG_COLLECTION:
        offer_collections(c, "");
        break;
    case SM_ARG_STEP:
        offer_steps(c);
        break;
    case SM_ARG_MODE:
        offer_modes(c);
        break;
    case SM_ARG_WORKER:
        offer_workers(c);
        break;
    case SM_ARG_FILE:
        offer_files(c);
        break;
    case SM_ARG_COMMAND:
        sm_candidates_commands(c, sm_commands(c->s)->top);
        break;
    case SM_ARG_EXPR:
        offer_expression(c);
        break;
    case SM_ARG_TEXT: /* any text is valid; these words are offered */
    case SM_ARG_WORD:
        sm_candidates_words(c, words);
        break;
    case SM_ARG_RULE:
        sm_candidates_rules(c);
        break;
    case SM_ARG_RULE_PARAM:
        sm_candidates_rule_params(c);
        break;
    case SM_ARG_ANY_RULE:
        sm_candidates_rules(c);
        sm_candidates_instances(c);
        break;
    case SM_ARG_INSTANCE:
        sm_candidates_instances(c);
        break;
    default:
        break;
    }
}
