/* SPDX-License-Identifier: Apache-2.0 */
#include "doc/completions.h"

#include "commands/language/cmd.h"
#include "reader/demo/faults.h"
#include "rules/builtin/rule_list.h"
#include "tui/app/options.h"
#include "tui/dashboard/layouts.h"
#include "tui/sample.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- what a value of an option can be ---- */

/* VALUE_LIST: words with commas between them, or a file */
enum value_kind { VALUE_NONE, VALUE_WORDS, VALUE_LIST, VALUE_FILE, VALUE_FOLDER, VALUE_OTHER };

static bool has_name(const struct sm_option_row *o, const char *name)
{
    const char *at = strstr(o->names, name);
    size_t n = strlen(name);
    return at && (at == o->names || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ');
}

static enum value_kind kind_of(const struct sm_option_row *o)
{
    if (!o->value)
        return VALUE_NONE;
    if (strstr(o->value, ",..."))
        return VALUE_LIST;
    if (has_name(o, "--layout") || has_name(o, "--demo") || strcmp(o->value, "COMMAND") == 0 ||
        islower((unsigned char)o->value[0]))
        return VALUE_WORDS;
    if (strcmp(o->value, "FILE") == 0)
        return VALUE_FILE;
    return strcmp(o->value, "DIR") == 0 ? VALUE_FOLDER : VALUE_OTHER;
}

/* Of "auto|FILE|NAME,..." the words in small letters. */
static void put_alternatives(const char *value)
{
    for (const char *p = value; *p;) {
        size_t n = strcspn(p, "|");
        if (islower((unsigned char)*p))
            printf("%.*s ", (int)n, p);
        p += n + (p[n] == '|');
    }
}

static void put_words(const struct sm_cmd_set *set, const struct sm_option_row *o)
{
    put_alternatives(o->value);
    if (has_name(o, "--rules")) {
        for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
            printf("%s ", (*r)->name);
    } else if (has_name(o, "--layout")) {
        for (const char *const *l = sm_layout_words; *l; l++)
            printf("%s ", *l);
    } else if (has_name(o, "--demo")) {
        fputs("list ", stdout);
        for (const struct sm_demo *d = sm_demo_table; d->name; d++)
            printf("%s ", d->name);
    } else if (strcmp(o->value, "COMMAND") == 0) {
        for (const struct sm_cmd *const *c = set->top; *c; c++)
            printf("%s ", (*c)->name);
    }
}

/* ---- text in quotes of a shell ---- */

static void put_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
    putchar('\'');
}

static void put_head(const char *first)
{
    printf("%s# SPDX-License"
           "-Identifier: Apache-2.0\n# Written by doc/completions.c from the "
           "program's tables: change the tables, then run make doc.\n",
           first);
}

/* Calls put for each name of an option: "-x --command" has two. */
static void each_name(const struct sm_option_row *o, void (*put)(const char *name, size_t n))
{
    for (const char *p = o->names; *p;) {
        size_t n = strcspn(p, " ");
        put(p, n);
        p += n + (p[n] == ' ');
    }
}

/* ---- bash ---- */

static bool first_name;
static void put_pattern(const char *name, size_t n)
{
    printf("%s%.*s", first_name ? "" : "|", (int)n, name);
    first_name = false;
}
static void put_word(const char *name, size_t n)
{
    printf("%.*s ", (int)n, name);
}

static void put_bash_value(const struct sm_cmd_set *set, const struct sm_option_row *o)
{
    enum value_kind kind = kind_of(o);
    if (kind == VALUE_NONE)
        return;
    fputs("        ", stdout);
    first_name = true;
    each_name(o, put_pattern);
    fputs(") ", stdout);
    if (kind == VALUE_WORDS || kind == VALUE_LIST) {
        fputs("words=\"", stdout);
        put_words(set, o);
        fputs(kind == VALUE_LIST ? "\" files=-f several=1" : "\"", stdout);
    } else if (kind == VALUE_FILE || kind == VALUE_FOLDER) {
        fputs(kind == VALUE_FILE ? "files=-f" : "files=-d", stdout);
    } else {
        fputs("return", stdout);
    }
    fputs(" ;;\n", stdout);
}

static void put_bash_rows(const struct sm_cmd_set *set, const struct sm_option_row *rows)
{
    fputs("    case $before in\n", stdout);
    for (const struct sm_option_row *o = rows; o->names; o++)
        put_bash_value(set, o);
    fputs("        *) case $word in\n               -*) words=\"", stdout);
    for (const struct sm_option_row *o = rows; o->names; o++)
        each_name(o, put_word);
    fputs("\" ;;\n               *) files=-f ;;\n           esac ;;\n    esac\n", stdout);
}

void sm_completion_bash(const struct sm_cmd_set *set)
{
    put_head("");
    fputs("_smdbg_tui() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words= "
          "files= several= list=\n"
          "    COMPREPLY=()\n"
          "    if [[ $word = = ]]; then word=\n"
          "    elif [[ $before = = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    if [[ ${COMP_WORDS[1]} = sample && $COMP_CWORD -gt 1 ]]; then\n",
          stdout);
    put_bash_rows(set, sm_sample_option_table);
    fputs("    else\n", stdout);
    put_bash_rows(set, sm_option_table);
    fputs("    [[ $COMP_CWORD -gt 1 || -z $files ]] || words=sample\n    fi\n"
          "    local IFS=$' \\t\\n'\n"
          "    [[ -z $several || $word != *,* ]] || list=${word%,*}, files=\n"
          "    [[ -z $words ]] || COMPREPLY+=($(compgen -P \"$list\" -W \"$words\" -- "
          "\"${word#\"$list\"}\"))\n"
          "    IFS=$'\\n'\n"
          "    [[ -z $files ]] || COMPREPLY+=($(compgen $files -- \"$word\"))\n"
          "}\ncomplete -F _smdbg_tui smdbg-tui\n",
          stdout);
}

/* ---- zsh ---- */

/* Text of a specification of _arguments, in which ':' and brackets have a meaning. */
static void put_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr(":[]\\", *text))
            putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

static void put_zsh_value(const struct sm_cmd_set *set, const struct sm_option_row *o)
{
    if (kind_of(o) == VALUE_NONE)
        return;
    putchar(':');
    put_zsh_text(o->value);
    putchar(':');
    switch (kind_of(o)) {
    case VALUE_WORDS:
        putchar('(');
        put_words(set, o);
        putchar(')');
        break;
    case VALUE_LIST:
        fputs("_alternative \"words\\:word\\:_sequence compadd - ", stdout);
        put_words(set, o);
        fputs("\" \"files\\:file\\:_files\"", stdout);
        break;
    case VALUE_FILE:
        fputs("_files", stdout);
        break;
    case VALUE_FOLDER:
        fputs("_files -/", stdout);
        break;
    default:
        putchar(' ');
        break;
    }
}

static void put_zsh_rows(const struct sm_cmd_set *set, const struct sm_option_row *rows)
{
    fputs("_arguments -s -S \\\n", stdout);
    for (const struct sm_option_row *o = rows; o->names; o++) {
        for (const char *p = o->names; *p;) {
            size_t n = strcspn(p, " ");
            /* a value of a long option may also follow '=' */
            printf("        '*%.*s%s[", (int)n, p, o->value && p[1] == '-' ? "=" : "");
            put_zsh_text(o->help);
            putchar(']');
            put_zsh_value(set, o);
            fputs("' \\\n", stdout);
            p += n + (p[n] == ' ');
        }
    }
}

void sm_completion_zsh(const struct sm_cmd_set *set)
{
    put_head("#compdef smdbg-tui\n");
    fputs("if [[ $words[2] = sample && $CURRENT -gt 2 ]]; then\n    shift words\n    (( CURRENT-- "
          "))\n    ",
          stdout);
    put_zsh_rows(set, sm_sample_option_table);
    fputs("        '*:program:_normal'\nelse\n    ", stdout);
    put_zsh_rows(set, sm_option_table);
    fputs("        '1:trial:_alternative \"files\\:trial\\:_files\" "
          "\"commands\\:command\\:(sample)\"' \\\n"
          "        '*:trial:_files'\nfi\n",
          stdout);
}

/* ---- fish ---- */

static void put_fish_name(const char *name, size_t n)
{
    if (name[1] == '-')
        printf(" -l %.*s", (int)n - 2, name + 2);
    else
        printf(n == 2 ? " -s %.*s" : " -o %.*s", (int)n - 1, name + 1);
}

static void put_fish_rows(const struct sm_cmd_set *set, const struct sm_option_row *rows,
                          const char *condition)
{
    for (const struct sm_option_row *o = rows; o->names; o++) {
        enum value_kind kind = kind_of(o);
        printf("complete -c smdbg-tui -n '%s'", condition);
        each_name(o, put_fish_name);
        if (kind == VALUE_WORDS || kind == VALUE_LIST) {
            fputs(kind == VALUE_LIST ? " -r -a '(__fish_append , " : " -x -a '", stdout);
            put_words(set, o);
            fputs(kind == VALUE_LIST ? ")'" : "'", stdout);
        } else if (kind == VALUE_FILE) {
            fputs(" -r -F", stdout);
        } else if (kind == VALUE_FOLDER) {
            fputs(" -x -a '(__fish_complete_directories)'", stdout);
        } else if (kind == VALUE_OTHER) {
            fputs(" -x", stdout);
        }
        fputs(" -d ", stdout);
        put_quoted(o->help);
        putchar('\n');
    }
}

void sm_completion_fish(const struct sm_cmd_set *set)
{
    put_head("");
    put_fish_rows(set, sm_option_table, "not __fish_seen_subcommand_from sample");
    fputs("complete -c smdbg-tui -n __fish_is_first_arg -a sample -d 'record what this machine "
          "does'\n",
          stdout);
    put_fish_rows(set, sm_sample_option_table, "__fish_seen_subcommand_from sample");
}
