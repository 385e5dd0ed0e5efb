/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/judge.h"
#include "commands/language/language.h"
#include "commands/support/candidates.h"

#include "commands/language/command_line.h"
#include "commands/language/user.h"
#include "commands/support/support.h"
#include "commands/support/topic.h"

#include <ctype.h>
#include <string.h>

void sm_candidates_clear(struct sm_candidates *c)
{
    sm_arena_clear(&c->arena);
    sm_free(c->items);
    *c = (struct sm_candidates){0};
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

static bool is_field_option(const struct completer *c, const struct sm_word *w)
{
    return (c->cmd->flags & SM_CMD_LISTING) && strcmp(w->text.p, "-field") == 0;
}

static const struct sm_arg *find_keyword(const struct sm_cmd *cmd, const char *word)
{
    for (const struct sm_arg *a = cmd->args; a && a->name; a++)
        if (a->keyword && strcmp(a->keyword, word) == 0)
            return a;
    return NULL;
}

static const struct sm_arg *positional_arg(const struct sm_cmd *cmd, size_t n)
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

/* The state after the words before the cursor. */
struct state {
    size_t places; /* positional words so far */
    bool value;    /* the next word is a value of this kind */
    bool literal;  /* after -- */
    bool nothing;  /* there are no candidates */
    bool fields;   /* the value is that of -field */
    enum sm_arg_kind kind;
    const char *const *words;
};

static void skip_word(struct completer *c, struct state *st, const struct sm_word *w)
{
    const struct sm_option *o = NULL;
    const struct sm_arg *a = NULL;
    const char *text = w->text.p;
    if (st->value) {
        st->value = st->fields = false;
        return;
    }
    if (!w->quoted && !st->literal && is_field_option(c, w)) {
        st->value = st->fields = true;
        return;
    }
    if (!w->quoted && !st->literal) {
        st->nothing = st->nothing || strcmp(text, "|") == 0;
        st->literal = strcmp(text, "--") == 0;
        o = text[0] == '-' && isalpha((unsigned char)text[1]) ? find_option(c->cmd, text + 1)
                                                              : NULL;
        a = find_keyword(c->cmd, text);
        if (strcmp(text, ">") == 0 || strcmp(text, ">>") == 0)
            *st = (struct state){.value = true, .kind = SM_ARG_FILE};
    }
    if (o && o->kind != SM_ARG_FLAG)
        *st =
            (struct state){.places = st->places, .value = true, .kind = o->kind, .words = o->words};
    else if (a)
        *st =
            (struct state){.places = st->places, .value = true, .kind = a->kind, .words = a->words};
    else if (!o && !st->literal && !st->value && !(text[0] == '-' && text[1]) &&
             (w->quoted || text[0] != '@'))
        st->places++;
    if (c->n_words < sizeof c->words / sizeof *c->words)
        c->words[c->n_words++] = text;
}

/* Reads the words up to the word at the cursor, which starts at out->start. */
static void read_words(struct completer *c, size_t at, struct state *st)
{
    struct sm_word w;
    while (true) {
        while (at < c->n && isspace((unsigned char)c->line[at]))
            at++;
        c->out->start = at;
        if (at == c->n || !sm_line_word(c->line, c->n, &at, &c->out->arena, &w, NULL) || at == c->n)
            break;
        skip_word(c, st, &w);
    }
    c->partial = c->line + c->out->start;
    c->partial_n = c->n - c->out->start;
    c->quote = c->partial_n && (*c->partial == '"' || *c->partial == '\'');
    c->partial += c->quote;
    c->partial_n -= c->quote;
}

/* Words of "help": commands, subcommands, classes, settings. */
static void offer_help(struct completer *c)
{
    const struct sm_cmd *first =
        c->n_words ? sm_cmd_find(sm_commands(c->s), NULL, c->words[0], strlen(c->words[0]), NULL)
                   : NULL;
    if (!c->n_words) {
        sm_candidates_commands(c, sm_commands(c->s)->top);
        for (int i = 0; i < SM_CLASS_COUNT; i++)
            sm_candidates_add(c, sm_class_name((enum sm_class)i));
        sm_candidates_add(c, "all");
        for (const struct sm_topic *t = sm_topics; t->name; t++)
            sm_candidates_add(c, t->name);
        sm_candidates_sort(c);
    } else if (first && c->n_words == 1 && sm_cmd_subs(sm_commands(c->s), first)) {
        sm_candidates_commands(c, sm_cmd_subs(sm_commands(c->s), first));
        if (first == &sm_cmd_rule)
            sm_candidates_rules(c);
    } else if (first && (strcmp(first->name, "set") == 0 || strcmp(first->name, "show") == 0)) {
        sm_candidates_settings(c, 1, false);
    }
}

static void complete_arguments(struct completer *c, size_t at)
{
    struct state st = {0};
    read_words(c, at, &st);
    const struct sm_arg *a = positional_arg(c->cmd, st.places);
    if (st.nothing || (c->cmd->flags & SM_CMD_SHELL))
        return;
    if (st.value && st.fields)
        sm_candidates_fields(c);
    else if (st.value)
        sm_candidates_kind(c, st.kind, st.words);
    if (st.value)
        return;
    if (strcmp(c->cmd->name, "set") == 0 || c->cmd == &sm_cmd_with)
        sm_candidates_settings(c, 0, true);
    else if (strcmp(c->cmd->name, "show") == 0)
        sm_candidates_shown(c);
    else if (strcmp(c->cmd->name, "help") == 0)
        offer_help(c);
    else if (c->cmd == &sm_cmd_define || c->cmd == &sm_cmd_document)
        sm_candidates_users(c);
    else if (!c->quote && !st.literal && c->partial_n && *c->partial == '-')
        sm_candidates_options(c);
    else if (a)
        sm_candidates_kind(c, a->kind, a->words);
    for (const struct sm_arg *k = c->cmd->args;
         !c->quote && !st.literal && c->partial_n && k && k->name; k++)
        if (k->keyword)
            sm_candidates_add(c, k->keyword);
}

/* Skips the words of the command. Returns false if the cursor is in one of them. */
static bool complete_command(struct completer *c, size_t *at)
{
    const struct sm_cmd *const *list = sm_commands(c->s)->top;
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
            sm_candidates_commands(c, list);
            return false;
        }
        const struct sm_cmd *cmd =
            sm_cmd_find(sm_commands(c->s), c->cmd, c->line + begin, *at - begin, NULL);
        if (!cmd)
            return false;
        c->cmd = cmd;
        list = sm_cmd_subs(sm_commands(c->s), cmd);
        if (!list)
            return true;
    }
}

/* Where a command line starts within the arguments; 0 if there is none. */
static size_t line_within(const struct completer *c, size_t at)
{
    const char *begin = NULL;
    if (c->cmd == &sm_cmd_with || c->cmd == &sm_cmd_at)
        begin = strstr(c->line + at, " -- ");
    if (begin)
        return (size_t)(begin - c->line) + 4;
    if (c->cmd == &sm_cmd_alias)
        begin = strchr(c->line + at, '=');
    if (begin)
        return (size_t)(begin - c->line) + 1;
    return c->cmd == &sm_cmd_complete || c->cmd == &sm_cmd_pipe ? at : 0;
}

static void complete_line(struct sm_session *s, const char *line, size_t cursor,
                          struct sm_candidates *out)
{
    *out = (struct sm_candidates){.finished = true, .start = cursor};
    char *copy = sm_arena_xstrndup(&out->arena, line, cursor);
    struct completer c = {.s = s, .line = copy, .n = strlen(copy), .out = out};
    size_t at = strspn(copy, " \t");
    if (copy[at] == '-' && isalpha((unsigned char)copy[at + 1]))
        at++;
    if (copy[at] == '!' || copy[at] == '|' || copy[at] == '#' || strlen(copy) > SM_LINE_MAX ||
        !complete_command(&c, &at))
        return;
    for (size_t within; (within = line_within(&c, at)) != 0;) {
        c.cmd = NULL;
        at = within;
        if (!complete_command(&c, &at))
            return;
    }
    if (copy[at] == '/') /* after a format */
        at += strcspn(copy + at, " \t");
    complete_arguments(&c, at);
}

/* After an alias: completes as if its expansion had been typed. */
void sm_complete(struct sm_session *s, const char *line, size_t cursor, struct sm_candidates *out)
{
    struct sm_str whole = {0};
    struct sm_text stands_for;
    size_t taken;
    sm_str_addn(&whole, line, cursor);
    bool alias =
        sm_users_expand(sm_users(s), sm_str_text(&whole), &stands_for, &taken) && taken < cursor;
    sm_str_truncate(&whole, 0);
    if (alias) {
        sm_str_addn(&whole, stands_for.p, stands_for.n);
        sm_str_addn(&whole, line + taken, cursor - taken);
        complete_line(s, sm_str_text(&whole), whole.len, out);
        out->start = out->start - stands_for.n + taken;
    } else {
        complete_line(s, line, cursor, out);
    }
    sm_str_clear(&whole);
}
