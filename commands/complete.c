#include "commands/complete.h"

#include "commands/attached.h"
#include "commands/grow.h"
#include "commands/cmd_list.h"
#include "commands/line.h"
#include "commands/topic.h"
#include "commands/user.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ENTRIES_MAX = 10000 };            /* directory entries looked at */

struct completer {
    struct sm_session *s;
    const char *line;
    size_t n;
    struct sm_candidates *out;
    const char *partial;                 /* what is there of the word, without an opening quote */
    size_t partial_n;
    bool quote;                          /* the word began with a quote */
    /* the line so far */
    const struct sm_cmd *cmd;
    const char *words[64];               /* complete words behind the command, for settings and help */
    size_t n_words;
};

void sm_candidates_clear(struct sm_candidates *c)
{
    sm_arena_clear(&c->arena);
    sm_free(c->items);
    *c = (struct sm_candidates){0};
}

/* ---- candidates ---- */

static void put(struct completer *c, const char *text)
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

static bool begins(const struct completer *c, const char *text)
{
    return strncmp(text, c->partial, c->partial_n) == 0;
}

/* A word of our own: never needs quotes. */
static void offer(struct completer *c, const char *text)
{
    if (begins(c, text))
        put(c, text);
}

static bool is_keyword(const struct sm_cmd *cmd, const char *name)
{
    for (const struct sm_arg *a = cmd ? cmd->args : NULL; a && a->name; a++)
        if (a->keyword && strcmp(a->keyword, name) == 0)
            return true;
    return false;
}

/* A name from a trial or a directory: quoted where the line would read it otherwise. */
static void offer_name(struct completer *c, const char *name, size_t n)
{
    struct sm_str text = {0};
    if (!begins(c, name))
        return;
    sm_line_quote(&text, name, n);
    if ((c->quote || is_keyword(c->cmd, name)) && sm_str_text(&text)[0] != '"') {
        sm_str_truncate(&text, 0);
        sm_str_printf(&text, "\"%s\"", name);
    }
    put(c, sm_str_text(&text));
    sm_str_clear(&text);
}

static void offer_words(struct completer *c, const char *const *words)
{
    for (; words && *words; words++)
        offer(c, *words);
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

static void sort(struct completer *c)
{
    if (c->out->n)
        qsort(c->out->items, c->out->n, sizeof *c->out->items, by_text);
}

/* ---- what can stand at a place ---- */

static void offer_commands(struct completer *c, const struct sm_cmd *const *list)
{
    const struct sm_users *users = c->s->users;
    for (size_t i = 0; list == sm_cmd_table && i < users->n; i++)
        if (!users->items[i]->unlisted)
            offer(c, users->items[i]->name);
    for (; *list; list++) {
        offer(c, (*list)->name);
        for (const char *a = (*list)->aliases; a && *a && c->partial_n;) {
            size_t n = strcspn(a, " ");
            char *alias = sm_xstrndup(a, n);
            if (n > c->partial_n)
                offer(c, alias);
            sm_free(alias);
            a += n + (a[n] == ' ');
        }
    }
    sort(c);
}

static void offer_tensors(struct completer *c)
{
    const struct sm_trial *t = sm_session_trial(c->s);
    for (size_t i = 0; t && i < sm_trial_tensor_count(t) && !c->out->more; i++) {
        const char *name = sm_trial_tensor_name(t, sm_trial_tensor(t, i));
        offer_name(c, name, strlen(name));
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
            offer_name(c, name, strlen(name));
        else if (sm_str_text(&text)[strlen(prefix)] != '"')
            offer(c, sm_str_text(&text));
        sm_str_clear(&text);
    }
}

static void offer_steps(struct completer *c)
{
    static const char *const words[] = {"first", "last", "all", NULL};
    const struct sm_trial *t = sm_session_trial(c->s);
    offer_words(c, words);
    for (size_t i = 0; t && i < sm_trial_step_count(t) && !c->out->more; i++) {
        char text[24];
        snprintf(text, sizeof text, "%lld", (long long)sm_trial_step(t, i)->step.n);
        offer(c, text);
    }
}

static void offer_modes(struct completer *c)
{
    static const char *const words[] = {"eval", "global", "predict", "train", NULL};
    offer_words(c, words);
}

static void offer_workers(struct completer *c)
{
    const struct sm_trial *t = sm_session_trial(c->s);
    for (uint16_t i = 0; t && i < sm_trial_worker_count(t); i++)
        offer_name(c, sm_trial_worker(t, i), strlen(sm_trial_worker(t, i)));
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
    if (begins(c, sm_str_text(&path))) {
        bool plain = !strpbrk(sm_str_text(&path), " \t\"'[]|>#\\") && !c->quote;
        if (plain)
            sm_str_add(&text, sm_str_text(&path));
        else
            sm_str_printf(&text, "'%s'", sm_str_text(&path));
        if (e->d_type == DT_DIR)
            sm_str_addc(&text, '/');
        if (plain || !strchr(sm_str_text(&path), '\''))
            put(c, sm_str_text(&text));
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
        if (hidden ? strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 : e->d_name[0] != '.')
            offer_file(c, dir, e);
    if (d)
        closedir(d);
    sort(c);
    sm_free(dir);
    sm_free(partial);
}

/* ---- settings ---- */

/* The next word of the settings whose names begin with the words so far. *row: the one they name as a whole. */
static bool offer_setting_names(struct completer *c, size_t first)
{
    bool named = false;
    for (size_t i = 0; i < SM_SETTING_COUNT; i++) {
        const char *p = sm_setting_row(i)->name;
        bool same = true;
        for (size_t k = first; same && k < c->n_words; k++) {
            size_t n = strcspn(p, " ");
            same = n && strncmp(p, c->words[k], strlen(c->words[k])) == 0 && strlen(c->words[k]) <= n;
            p += n + (p[n] == ' ');
        }
        named = named || (same && !*p);
        if (!same || !*p)
            continue;
        char *word = sm_xstrndup(p, strcspn(p, " "));
        offer(c, word);
        sm_free(word);
    }
    sort(c);
    return named;
}

static void offer_setting_value(struct completer *c, size_t first)
{
    static const char *const bools[] = {"off", "on", NULL};
    size_t used;
    struct sm_err err;
    const struct sm_setting *row = sm_setting_find("set", c->words + first, c->n_words - first, &used, &err);
    if (!row || used != c->n_words - first)
        return;
    offer_words(c, row->type == SM_SETTING_BOOL ? bools : row->words);
    if ((row->type == SM_SETTING_INT || row->type == SM_SETTING_SIZE) && row->max >= SM_SETTING_UNLIMITED)
        offer(c, "unlimited");
}

static void offer_settings(struct completer *c, size_t first, bool values)
{
    if (offer_setting_names(c, first) && values)
        offer_setting_value(c, first);
}

/* show has a few words more. */
static void offer_shown(struct completer *c)
{
    static const char *const topics[] = {"convenience", "history", "user", "values", "version", NULL};
    offer_settings(c, 0, false);
    if (!c->n_words)
        offer_words(c, topics);
    sort(c);
}

/* ---- expressions ---- */

/* Names go on over what the language's own lexer takes. */
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

static void offer_expression(struct completer *c)
{
    const struct sm_trial *t = sm_session_trial(c->s);
    size_t begin = c->n, end = c->n;
    while (begin && in_name(c->line[begin - 1]) && begin > c->out->start)
        begin--;
    c->out->start = begin;
    c->partial = c->line + begin;
    c->partial_n = end - begin;
    c->out->finished = false;
    for (size_t i = 0; t && i < sm_trial_tensor_count(t) && !c->out->more; i++) {
        const char *name = sm_trial_tensor_name(t, sm_trial_tensor(t, i));
        char *quoted = sm_arena_xprintf(&c->out->arena, "`%s`", name);
        if (begins(c, name))
            put(c, is_bare_name(name) ? name : quoted);
    }
    for (size_t i = 0; i < sm_expr_func_count() && c->partial_n; i++) {
        char *call = sm_arena_xprintf(&c->out->arena, "%s(", sm_expr_func(i)->name);
        offer(c, call);
    }
}

/* ---- rules ---- */

static void offer_rules(struct completer *c)
{
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        offer(c, (*r)->name);
    for (size_t i = 0; i < c->s->n_customs; i++)
        offer(c, c->s->customs[i]->rule.name);
    sort(c);
}

static void offer_rule_params(struct completer *c)
{
    static const char *const common[] = {"action=", "end_step=", "policy=", "start_step=", NULL};
    const struct sm_rule *rule = c->n_words ? sm_attached_find(c->s, c->words[0]) : NULL;
    for (const struct sm_rule_param *p = rule ? rule->params : NULL; p && p->name; p++)
        offer(c, sm_arena_xprintf(&c->out->arena, "%s=", p->name));
    offer_words(c, common);
    sort(c);
    c->out->finished = false;
}

static void offer_instances(struct completer *c)
{
    const struct sm_rules *r = c->s->current < c->s->n_trials ? c->s->trials[c->s->current].rules : NULL;
    for (size_t i = 0; r && i < sm_rules_count(r); i++)
        offer_name(c, sm_rules_item(r, i)->name, strlen(sm_rules_item(r, i)->name));
    sort(c);
}

/* ---- the place in the line ---- */

static void offer_options(struct completer *c)
{
    const struct sm_option *lists[] = {c->cmd->options, sm_line_options};
    for (size_t k = 0; k < 2; k++) {
        for (const struct sm_option *o = lists[k]; o && o->name; o++) {
            if (k && !(c->cmd->flags & SM_CMD_LISTING) && o != sm_line_options)
                break;
            offer(c, sm_arena_xprintf(&c->out->arena, "-%s", o->name));
        }
    }
}

static void offer_kind(struct completer *c, enum sm_arg_kind kind, const char *const *words)
{
    switch (kind) {
    case SM_ARG_PATTERN:
        if (c->partial_n && c->partial[0] == '+') {
            offer_collections(c, "+");
            break;
        }
        offer_tensors(c);
        break;
    case SM_ARG_TENSOR:
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
        offer_commands(c, sm_cmd_table);
        break;
    case SM_ARG_EXPR:
        offer_expression(c);
        break;
    case SM_ARG_WORD:
        offer_words(c, words);
        break;
    case SM_ARG_RULE:
        offer_rules(c);
        break;
    case SM_ARG_RULE_PARAM:
        offer_rule_params(c);
        break;
    case SM_ARG_INSTANCE:
        offer_instances(c);
        break;
    default:
        break;
    }
}

static const struct sm_option *find_option(const struct sm_cmd *cmd, const char *name)
{
    const struct sm_option *found = NULL;
    for (const struct sm_option *o = cmd->options; o && o->name; o++) {
        if (strcmp(o->name, name) == 0)
            return o;
        if (strncmp(o->name, name, strlen(name)) == 0)
            found = o;
    }
    return found;
}

static const struct sm_arg *find_keyword(const struct sm_cmd *cmd, const char *word)
{
    for (const struct sm_arg *a = cmd->args; a && a->name; a++)
        if (a->keyword && strcmp(a->keyword, word) == 0)
            return a;
    return NULL;
}

static const struct sm_arg *place(const struct sm_cmd *cmd, size_t n)
{
    for (const struct sm_arg *a = cmd->args; a && a->name; a++) {
        if (a->keyword)
            continue;
        if (n == 0 || a->repeats || a->kind == SM_ARG_EXPR)
            return a;
        n--;
    }
    return NULL;
}

/* What the words before the cursor leave to be said. */
struct state {
    size_t places;                       /* words by place so far */
    bool value, literal, nothing;        /* a value of this kind is due; behind --; nothing can be offered */
    enum sm_arg_kind kind;
    const char *const *words;
};

static void take_word(struct completer *c, struct state *st, const struct sm_word *w)
{
    const struct sm_option *o = NULL;
    const struct sm_arg *a = NULL;
    const char *text = w->text.p;
    if (st->value) {
        st->value = false;
        return;
    }
    if (!w->quoted && !st->literal) {
        st->nothing = st->nothing || strcmp(text, "|") == 0;
        st->literal = strcmp(text, "--") == 0;
        o = text[0] == '-' && isalpha((unsigned char)text[1]) ? find_option(c->cmd, text + 1) : NULL;
        a = find_keyword(c->cmd, text);
        if (strcmp(text, ">") == 0 || strcmp(text, ">>") == 0)
            *st = (struct state){.value = true, .kind = SM_ARG_FILE};
    }
    if (o && o->kind != SM_ARG_FLAG)
        *st = (struct state){.places = st->places, .value = true, .kind = o->kind, .words = o->words};
    else if (a)
        *st = (struct state){.places = st->places, .value = true, .kind = a->kind, .words = a->words};
    else if (!o && !st->literal && !st->value && !(text[0] == '-' && text[1]) && (w->quoted || text[0] != '@'))
        st->places++;
    if (c->n_words < sizeof c->words / sizeof *c->words)
        c->words[c->n_words++] = text;
}

/* Reads the words up to the one the cursor is in, which begins at out->start. */
static void read_words(struct completer *c, size_t at, struct state *st)
{
    struct sm_word w;
    while (true) {
        while (at < c->n && isspace((unsigned char)c->line[at]))
            at++;
        c->out->start = at;
        if (at == c->n || !sm_line_word(c->line, c->n, &at, &c->out->arena, &w, NULL) || at == c->n)
            break;
        take_word(c, st, &w);
    }
    c->partial = c->line + c->out->start;
    c->partial_n = c->n - c->out->start;
    c->quote = c->partial_n && (*c->partial == '"' || *c->partial == '\'');
    c->partial += c->quote;
    c->partial_n -= c->quote;
}

/* The words of "help": commands, their subcommands, classes, settings. */
static void offer_help(struct completer *c)
{
    const struct sm_cmd *first = c->n_words ? sm_cmd_find(c->s->users, NULL, c->words[0], strlen(c->words[0]), NULL) : NULL;
    if (!c->n_words) {
        offer_commands(c, sm_cmd_table);
        for (int i = 0; i < SM_CLASS_COUNT; i++)
            offer(c, sm_class_name((enum sm_class)i));
        offer(c, "all");
        for (const struct sm_topic *t = sm_topics; t->name; t++)
            offer(c, t->name);
        sort(c);
    } else if (first && first->subs && c->n_words == 1) {
        offer_commands(c, first->subs);
        if (first == &sm_cmd_rule)
            offer_rules(c);
    } else if (first && (strcmp(first->name, "set") == 0 || strcmp(first->name, "show") == 0)) {
        offer_settings(c, 1, false);
    }
}

static void complete_arguments(struct completer *c, size_t at)
{
    struct state st = {0};
    read_words(c, at, &st);
    const struct sm_arg *a = place(c->cmd, st.places);
    if (st.nothing || (c->cmd->flags & SM_CMD_SHELL))
        return;
    if (st.value) {
        offer_kind(c, st.kind, st.words);
        return;
    }
    if (strcmp(c->cmd->name, "set") == 0)
        offer_settings(c, 0, true);
    else if (strcmp(c->cmd->name, "show") == 0)
        offer_shown(c);
    else if (strcmp(c->cmd->name, "help") == 0)
        offer_help(c);
    else if (!c->quote && !st.literal && c->partial_n && *c->partial == '-')
        offer_options(c);
    else if (a)
        offer_kind(c, a->kind, a->words);
    for (const struct sm_arg *k = c->cmd->args; !c->quote && !st.literal && c->partial_n && k && k->name; k++)
        if (k->keyword)
            offer(c, k->keyword);
}

/* The command's words; false when the cursor is in one of them. */
static bool complete_command(struct completer *c, size_t *at)
{
    const struct sm_cmd *const *list = sm_cmd_table;
    while (true) {
        while (*at < c->n && isspace((unsigned char)c->line[*at]))
            ++*at;
        size_t begin = *at;
        while (*at < c->n && (isalnum((unsigned char)c->line[*at]) || strchr("-_", c->line[*at])))
            ++*at;
        if (*at == c->n) {
            c->out->start = begin;
            c->partial = c->line + begin;
            c->partial_n = c->n - begin;
            offer_commands(c, list);
            return false;
        }
        const struct sm_cmd *cmd = sm_cmd_find(c->s->users, c->cmd, c->line + begin, *at - begin, NULL);
        if (!cmd)
            return false;
        c->cmd = cmd;
        if (!cmd->subs)
            return true;
        list = cmd->subs;
    }
}

static void complete(struct sm_session *s, const char *line, size_t cursor, struct sm_candidates *out)
{
    *out = (struct sm_candidates){.finished = true, .start = cursor};
    char *copy = sm_arena_xstrndup(&out->arena, line, cursor);
    struct completer c = {.s = s, .line = copy, .n = strlen(copy), .out = out};
    size_t at = strspn(copy, " \t");
    if (copy[at] == '-' && isalpha((unsigned char)copy[at + 1]))
        at++;
    if (copy[at] == '!' || copy[at] == '|' || copy[at] == '#' || strlen(copy) > SM_LINE_MAX || !complete_command(&c, &at))
        return;
    if (copy[at] == '/')                 /* behind a format */
        at += strcspn(copy + at, " \t");
    complete_arguments(&c, at);
}

/* Behind an alias: as if what it stands for had been typed. */
void sm_complete(struct sm_session *s, const char *line, size_t cursor, struct sm_candidates *out)
{
    struct sm_str whole = {0};
    struct sm_text stands_for;
    size_t taken;
    sm_str_addn(&whole, line, cursor);
    bool alias = sm_users_expand(s->users, sm_str_text(&whole), &stands_for, &taken) && taken < cursor;
    sm_str_truncate(&whole, 0);
    if (alias) {
        sm_str_addn(&whole, stands_for.p, stands_for.n);
        sm_str_addn(&whole, line + taken, cursor - taken);
        complete(s, sm_str_text(&whole), whole.len, out);
        out->start = out->start - stands_for.n + taken;
    } else {
        complete(s, line, cursor, out);
    }
    sm_str_clear(&whole);
}
