#include "commands/language/cmd.h"

#include "commands/answer/typed_number.h"
#include "commands/language/user.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *help;
} classes[SM_CLASS_COUNT] = {
    [SM_CLASS_FILES] = {"files", "Opening trials and checking what is in them"},
    [SM_CLASS_DATA] = {"data", "Looking at tensors: values, statistics, plots"},
    [SM_CLASS_STATUS] = {"status", "What the trial and the session hold"},
    [SM_CLASS_RUNNING] = {"running", "Moving along the steps and waiting for new ones"},
    [SM_CLASS_STACK] = {"stack", "Where a problem came from"},
    [SM_CLASS_BREAKPOINTS] = {"breakpoints", "Stopping where a condition holds"},
    [SM_CLASS_RULES] = {"rules", "Judging a run by rules"},
    [SM_CLASS_SUPPORT] = {"support", "Help, settings, scripts and the shell"},
    [SM_CLASS_TUI] = {"text-user-interface", "The dashboard"},
    [SM_CLASS_USER] = {"user-defined", "What define made"},
    [SM_CLASS_ALIASES] = {"aliases", "What alias made"},
};

const char *sm_class_name(enum sm_class c)
{
    return classes[c].name;
}

const char *sm_class_help(enum sm_class c)
{
    return classes[c].help;
}

/* ---- finding a command ---- */

struct search {
    const char *word;
    size_t n;
    const struct sm_cmd **found; /* distinct commands whose name or alias begins with the word */
    size_t n_found;
    const struct sm_cmd *exact;
};

static void look_at_name(struct search *s, const struct sm_cmd *cmd, const char *name, size_t n)
{
    if (n < s->n || memcmp(name, s->word, s->n) != 0)
        return;
    if (n == s->n)
        s->exact = cmd;
    if (!s->n_found || s->found[s->n_found - 1] != cmd)
        s->found[s->n_found++] = cmd;
}

static void look_at_command(struct search *s, const struct sm_cmd *cmd)
{
    look_at_name(s, cmd, cmd->name, strlen(cmd->name));
    for (const char *a = cmd->aliases; a && *a;) {
        size_t n = strcspn(a, " ");
        look_at_name(s, cmd, a, n);
        a += n + (a[n] == ' ');
    }
}

static int by_name(const void *a, const void *b)
{
    const struct sm_cmd *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* The nearest name within two edits, of several the one of the most similar length; NULL: none. */
static const char *near_miss(const struct sm_cmd *const *list, const char *word)
{
    const char *best = NULL;
    size_t least = SIZE_MAX, n = strlen(word);
    for (; *list; list++) {
        size_t other = strlen((*list)->name), d = sm_edit_distance((*list)->name, word, 2);
        size_t cost = d * 100 + (other > n ? other - n : n - other);
        if (d <= 2 && d < n && cost < least) {
            least = cost;
            best = (*list)->name;
        }
    }
    return best;
}

static void say_undefined(const struct sm_cmd *parent, const struct sm_cmd *const *list,
                          const char *word, size_t n, struct sm_err *err)
{
    char *copy = sm_xstrndup(word, n);
    const char *near = near_miss(list, copy);
    sm_err_set(err, SM_ERR_USAGE, "Undefined %s%scommand: \"%s\".  Try \"help%s%s\".%s%s%s",
               parent ? parent->name : "", parent ? " " : "", copy, parent ? " " : "",
               parent ? parent->name : "", near ? "  Did you mean \"" : "", near ? near : "",
               near ? "\"?" : "");
    sm_err_kind(err, SM_ERR_IS_NO_COMMAND);
    sm_free(copy);
}

/* As the word meant it: the name, or else the alias that begins so. */
static struct sm_text meant(const struct sm_cmd *cmd, const struct search *s)
{
    const char *name = cmd->name;
    if (strncmp(name, s->word, s->n) == 0 || !cmd->aliases)
        return sm_text(name);
    for (const char *a = cmd->aliases; *a; a += strcspn(a, " "), a += *a == ' ')
        if (strncmp(a, s->word, s->n) == 0)
            return (struct sm_text){a, strcspn(a, " ")};
    return sm_text(name);
}

static void say_ambiguous(const struct sm_cmd *parent, struct search *s, size_t shown,
                          struct sm_err *err)
{
    struct sm_str names = {0};
    qsort(s->found, s->n_found, sizeof *s->found, by_name);
    for (size_t i = 0; i < s->n_found; i++) {
        struct sm_text name = meant(s->found[i], s);
        sm_str_printf(&names, "%s%.*s", i ? ", " : "", (int)name.n, name.p);
    }
    sm_err_set(err, SM_ERR_USAGE, "Ambiguous %s%scommand \"%.*s\": %s.", parent ? parent->name : "",
               parent ? " " : "", (int)shown, s->word, sm_str_text(&names));
    sm_err_kind(err, SM_ERR_IS_AMBIGUOUS);
    sm_str_clear(&names);
}

static const struct sm_cmd *choose(const struct search *s)
{
    return s->exact ? s->exact : s->n_found == 1 ? s->found[0] : NULL;
}

/* What people defined and begins so. */
static void look_at_users(struct search *s, const struct sm_users *users)
{
    for (size_t i = 0; i < users->n; i++)
        look_at_command(s, &users->items[i]->cmd);
}

const struct sm_cmd *sm_cmd_find_in_line(const struct sm_users *users, const struct sm_cmd *parent,
                                         const char *word, size_t n, size_t shown,
                                         struct sm_err *err)
{
    const struct sm_cmd *const *list = parent ? parent->subs : sm_cmd_table;
    const struct sm_user *own = users && !parent && n ? sm_users_find(users, word, n) : NULL;
    size_t count = users ? users->n : 0;
    if (own)
        return &own->cmd;
    for (size_t i = 0; list[i]; i++)
        count++;
    struct search s = {.word = word, .n = n, .found = sm_xalloc((count + 1) * sizeof *s.found)};
    for (size_t i = 0; n && list[i] && !s.exact; i++)
        look_at_command(&s, list[i]);
    if (n && users && !parent && !s.n_found)
        look_at_users(&s, users);
    const struct sm_cmd *found = choose(&s);
    if (!found && s.n_found)
        say_ambiguous(parent, &s, shown, err);
    else if (!found)
        say_undefined(parent, list, word, n, err);
    sm_free(s.found);
    return found;
}

const struct sm_cmd *sm_cmd_find(const struct sm_users *users, const struct sm_cmd *parent,
                                 const char *word, size_t n, struct sm_err *err)
{
    return sm_cmd_find_in_line(users, parent, word, n, n, err);
}

bool sm_cmd_is_builtin(const char *name, size_t n)
{
    const struct sm_cmd *found[1];
    struct search s = {.word = name, .n = n, .found = found};
    for (const struct sm_cmd *const *list = sm_cmd_table; *list && !s.exact; list++) {
        s.n_found = 0;
        look_at_command(&s, *list);
    }
    return n && s.exact;
}

/* ---- what a call was given ---- */

const struct sm_word *sm_call_option(const struct sm_call *c, const char *name)
{
    for (size_t i = 0; c->cmd->options && c->cmd->options[i].name; i++)
        if (strcmp(c->cmd->options[i].name, name) == 0)
            return c->option_values ? c->option_values[i] : NULL;
    return NULL;
}

bool sm_call_flag(const struct sm_call *c, const char *name)
{
    return sm_call_option(c, name) != NULL;
}

const struct sm_word *sm_call_keyword(const struct sm_call *c, const char *keyword)
{
    for (size_t i = 0; c->cmd->args && c->cmd->args[i].name; i++)
        if (c->cmd->args[i].keyword && strcmp(c->cmd->args[i].keyword, keyword) == 0)
            return c->keyword_values ? c->keyword_values[i] : NULL;
    return NULL;
}

bool sm_call_int(const struct sm_word *w, int64_t min, int64_t max, int64_t *out,
                 struct sm_err *err)
{
    if (sm_text_is(w->text, "unlimited")) {
        *out = max;
        return true;
    }
    if (!sm_number_int(w->text, out))
        return sm_err_set(err, SM_ERR_USAGE, "Invalid number \"%.*s\".", (int)w->text.n, w->text.p);
    if (*out < min || *out > max)
        return sm_err_set(err, SM_ERR_USAGE,
                          "integer %" PRId64 " out of range: %" PRId64 " to %" PRId64, *out, min,
                          max);
    return true;
}

bool sm_call_double(const struct sm_word *w, double *out, struct sm_err *err)
{
    return sm_number_double(w->text, out) ||
           sm_err_set(err, SM_ERR_USAGE, "Invalid number \"%.*s\".", (int)w->text.n, w->text.p);
}

bool sm_call_duration(const struct sm_word *w, int64_t *us, struct sm_err *err)
{
    return sm_number_duration(w->text, us) ||
           sm_err_set(err, SM_ERR_USAGE,
                      "Invalid duration \"%.*s\": 500ms, 10s, 5m or 2h are expected.",
                      (int)w->text.n, w->text.p);
}

const char *sm_call_take(struct sm_call *c, const char **at)
{
    size_t n = strcspn(*at, " \t");
    const char *word = sm_arena_xstrndup(&c->arena, *at, n);
    *at += n;
    *at += strspn(*at, " \t");
    return word;
}
