/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/user.h"

#include "commands/language/cmd_set.h"

#include "reader/base/grow.h"

#include <ctype.h>
#include <string.h>

static void clear_user(struct sm_user *x)
{
    sm_body_unref(x->body);
    sm_free(x->name);
    sm_free(x->summary);
    sm_free(x->help);
    sm_free(x->line);
    sm_free(x);
}

struct sm_users *sm_users_new(const struct sm_cmd_set *set)
{
    struct sm_users *u = sm_xalloc_zero(1, sizeof *u);
    u->set = set;
    return u;
}

void sm_users_free(struct sm_users *u)
{
    for (size_t i = 0; u && i < u->n; i++)
        clear_user(u->items[i]);
    if (u)
        sm_free(u->items);
    sm_free(u);
}

struct sm_user *sm_users_find(const struct sm_users *u, const char *name, size_t n)
{
    for (size_t i = 0; i < u->n; i++)
        if (strlen(u->items[i]->name) == n && memcmp(u->items[i]->name, name, n) == 0)
            return u->items[i];
    return NULL;
}

bool sm_users_check_name(const struct sm_users *u, const char *name, size_t n, struct sm_err *err)
{
    size_t good = 0;
    while (good < n && (isalnum((unsigned char)name[good]) || strchr("-_", name[good])))
        good++;
    if (!n || good < n || !isalpha((unsigned char)*name))
        return sm_err_set(err, SM_ERR_USAGE,
                          "Invalid command name \"%.*s\": use letters, digits, \"-\" and \"_\".",
                          (int)n, name);
    if (sm_cmd_is_builtin(u->set, name, n) || (n == 3 && memcmp(name, "end", n) == 0) ||
        (n == 4 && memcmp(name, "else", n) == 0))
        return sm_err_set(err, SM_ERR_USAGE,
                          "Cannot redefine the built-in command \"%.*s\".  Try \"help define\".",
                          (int)n, name);
    return true;
}

static void set_text(char **field, const char *p, size_t n)
{
    sm_free(*field);
    *field = sm_xstrndup(p, n);
}

/* Updates the record after a change of the texts. */
static void update_record(const struct sm_users *u, struct sm_user *x)
{
    static const struct sm_arg args[] = {{.name = "ARG", .kind = SM_ARG_TEXT, .repeats = true},
                                         {0}};
    x->cmd = (struct sm_cmd){
        .name = x->name,
        .cmd_class = x->body ? SM_CLASS_USER : SM_CLASS_ALIASES,
        .summary = x->summary,
        .help = x->help,
        .args = args,
        .flags = SM_CMD_RAW,
        .run = u->run,
    };
}

static struct sm_user *find_or_add(struct sm_users *u, const char *name, size_t n)
{
    struct sm_user *x = sm_users_find(u, name, n);
    if (x)
        return x;
    SM_GROW(u->items, u->n, u->cap);
    x = u->items[u->n++] = sm_xalloc_zero(1, sizeof *x);
    x->name = sm_xstrndup(name, n);
    return x;
}

void sm_users_define(struct sm_users *u, const char *name, size_t n, struct sm_body *body)
{
    struct sm_user *x = find_or_add(u, name, n);
    bool was_alias = x->line != NULL;
    sm_body_ref(body);
    sm_body_unref(x->body);
    x->body = body;
    sm_free(x->line);
    x->line = NULL;
    if (!x->summary || was_alias)
        set_text(&x->summary, "User-defined", 12);
    update_record(u, x);
}

void sm_users_alias(struct sm_users *u, const char *name, size_t n, const char *line, bool unlisted)
{
    struct sm_user *x = find_or_add(u, name, n);
    struct sm_str summary = {0};
    sm_str_printf(&summary, "Alias for \"%s\"", line);
    set_text(&x->summary, sm_str_text(&summary), summary.len);
    set_text(&x->line, line, strlen(line));
    sm_str_clear(&summary);
    x->unlisted = unlisted;
    update_record(u, x);
}

void sm_user_document(struct sm_user *x, const char *text)
{
    size_t n = strcspn(text, "\n"), first = n;
    const char *rest = text + n + (text[n] == '\n');
    while (first && strchr(". \t", text[first - 1]))
        first--;
    set_text(&x->summary, text, first);
    sm_free(x->help);
    x->help = *rest ? sm_xstrdup(rest) : NULL;
    x->cmd.summary = x->summary;
    x->cmd.help = x->help;
}

bool sm_users_expand(const struct sm_users *u, const char *text, struct sm_text *out, size_t *taken)
{
    size_t at = strspn(text, " \t"), end;
    if (text[at] == '-')
        at += 1 + strspn(text + at + 1, " \t");
    for (end = at; isalnum((unsigned char)text[end]) || (text[end] && strchr("-_", text[end]));)
        end++;
    const struct sm_user *x = end > at ? sm_users_find(u, text + at, end - at) : NULL;
    if (!x || x->body)
        return false;
    *out = sm_text(x->line);
    *taken = end;
    return true;
}
