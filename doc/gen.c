/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the reference pages from the tables of the program: `make doc`.
 *
 *   gen commands|settings|functions|rules   Markdown on stdout
 *   gen schema                          protocol.schema.json
 *   gen man                             the manual page
 *
 * The output depends only on the tables; `make check` compares it with the committed pages. */
#include "commands/answer/shape.h"
#include "commands/language/help.h"
#include "commands/session/setting.h"
#include "commands/session/version.h"
#include "doc/completions.h"
#include "rules/builtin/rule_list.h"
#include "rules/expr/expr.h"
#include "rules/rule.h"
#include "tui/app/options.h"
#include "tui/program_features.h"
#include "tui/sample.h"
#include "tui/terminal/key_action.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char note[] = "<!-- Written by doc/gen.c from the program's tables: change the "
                           "tables, then run `make doc`. -->\n\n";

/* ---- texts ---- */

/* Writes a cell of a Markdown table, with '|' escaped. */
static void put_cell(const char *s)
{
    for (; *s; s++) {
        if (*s == '|')
            putchar('\\');
        putchar(*s == '\n' ? ' ' : *s);
    }
}

/* Writes text outside of code, with Markdown's markup characters escaped. */
static void put_plain(const char *s)
{
    for (; *s; s++) {
        if (strchr("|*<_`\\", *s))
            putchar('\\');
        putchar(*s == '\n' ? ' ' : *s);
    }
}

/* Writes text for troff: escapes dashes, backslashes, and a line that would be a request. */
static void put_troff(const char *s)
{
    for (bool start = true; *s; s++) {
        if (start && (*s == '.' || *s == '\''))
            fputs("\\&", stdout);
        if (*s == '\\')
            fputs("\\e", stdout);
        else if (*s == '-')
            fputs("\\-", stdout);
        else
            putchar(*s);
        start = *s == '\n';
    }
}

/* Calls put for each name in a list separated by blanks, with ", " in between. */
static void put_names(const char *names, const char *open, const char *close,
                      void (*put)(const char *))
{
    bool first = true;
    for (const char *p = names; p && *p; p += strspn(p, " ")) {
        struct sm_str name = {0};
        size_t n = strcspn(p, " ");
        sm_str_addn(&name, p, n);
        printf("%s%s", first ? "" : ", ", open);
        put(sm_str_text(&name));
        fputs(close, stdout);
        sm_str_clear(&name);
        first = false;
        p += n;
    }
}

/* ---- commands ---- */

static void put_command_options(const struct sm_cmd *cmd)
{
    bool any = cmd->options && cmd->options->name;
    if (any)
        fputs("| option | meaning |\n|---|---|\n", stdout);
    for (const struct sm_option *o = cmd->options; o && o->name; o++) {
        printf("| `-%s", o->name);
        if (o->value) {
            putchar(' ');
            put_cell(o->value);
        }
        fputs("` | ", stdout);
        put_plain(o->help);
        for (size_t i = 0; o->words && o->words[i]; i++)
            printf("%s`%s`", i ? ", " : ": ", o->words[i]);
        fputs(" |\n", stdout);
    }
    if (any)
        putchar('\n');
    if (cmd->flags & SM_CMD_LISTING)
        printf("For other programs: `%s -field A,B,C`.\n\n", &SM_PRINTER_OPTIONS[1]);
}

static struct sm_cmd_set *set; /* every command of the program */

static void put_see_also(const char *names)
{
    struct sm_text name;
    for (bool first = true; sm_see_also_next(&names, &name); first = false)
        printf("%s`%.*s`", first ? "" : ", ", (int)name.n, name.p);
}

static void put_command(const struct sm_cmd *parent, const struct sm_cmd *cmd)
{
    struct sm_str usage = {0};
    sm_help_usage(set, &usage, parent, cmd);
    printf("### %s%s%s\n\n", parent ? parent->name : "", parent ? " " : "", cmd->name);
    put_plain(cmd->summary);
    fputs(".\n\n", stdout);
    if (cmd->run)
        printf("    %s\n\n", sm_str_text(&usage));
    if (cmd->aliases) {
        fputs("Also: ", stdout);
        put_names(cmd->aliases, "`", "`", put_cell);
        fputs(".\n\n", stdout);
    }
    if (cmd->help) {
        put_plain(cmd->help);
        fputs("\n\n", stdout);
    }
    put_command_options(cmd);
    if (cmd->example)
        printf("Example: `%s`\n\n", cmd->example);
    if (cmd->see_also) {
        fputs("See also: ", stdout);
        put_see_also(cmd->see_also);
        fputs(".\n\n", stdout);
    }
    sm_str_clear(&usage);
}

static bool class_has_commands(enum sm_class c)
{
    for (const struct sm_cmd *const *cmd = set->top; *cmd; cmd++)
        if ((*cmd)->cmd_class == c)
            return true;
    return false;
}

static void put_commands(void)
{
    fputs("# Commands\n\n", stdout);
    fputs(note, stdout);
    fputs(
        "Names can be shortened to an unambiguous prefix. [language.md](language.md) describes the "
        "grammar,\n"
        "[settings.md](settings.md) the settings. At the prompt, `help COMMAND` prints these "
        "texts.\n\n",
        stdout);
    for (int c = 0; c < SM_CLASS_COUNT; c++) {
        if (!class_has_commands((enum sm_class)c))
            continue;
        printf("## %s\n\n", sm_class_name((enum sm_class)c));
        put_plain(sm_class_help((enum sm_class)c));
        fputs("\n\n", stdout);
        for (const struct sm_cmd *const *cmd = set->top; *cmd; cmd++) {
            if ((*cmd)->cmd_class != (enum sm_class)c)
                continue;
            put_command(NULL, *cmd);
            for (const struct sm_cmd *const *sub = sm_cmd_subs(set, *cmd); sub && *sub; sub++)
                put_command(*cmd, *sub);
        }
    }
}

/* ---- settings ---- */

/* The settings with their initial values; never freed. */
static const struct sm_settings *settings_of_all(void)
{
    static struct sm_settings all;
    if (!all.n)
        sm_settings_init(&all, sm_program_features);
    return &all;
}

static void put_setting_values(const struct sm_setting *row)
{
    static const char *const kinds[] = {
        [SM_SETTING_BOOL] = "`on` or `off`", [SM_SETTING_INT] = "integer",
        [SM_SETTING_REAL] = "number",        [SM_SETTING_ENUM] = "one of",
        [SM_SETTING_SIZE] = "size",          [SM_SETTING_DURATION] = "time",
        [SM_SETTING_TEXT] = "text",
    };
    fputs(kinds[row->type], stdout);
    for (size_t i = 0; row->words && row->words[i]; i++)
        printf("%s `%s`", row->type == SM_SETTING_ENUM && !i ? "" : ",", row->words[i]);
    if ((row->type == SM_SETTING_INT || row->type == SM_SETTING_SIZE) && row->max >= 9e18)
        fputs(", `unlimited`", stdout);
    if (row->unit)
        printf(" (%s)", row->unit);
}

static void put_settings(void)
{
    fputs("# Settings\n\n", stdout);
    fputs(note, stdout);
    fputs("`set NAME VALUE` changes a setting, `show NAME` prints it, `info settings` lists all "
          "settings, "
          "`info set` writes them\n"
          "as a command file. To set them in every session, use `~/.config/smdbg/init`.\n\n"
          "| setting | values | default | meaning |\n|---|---|---|---|\n",
          stdout);
    for (size_t i = 0; i < settings_of_all()->n; i++) {
        const struct sm_setting *row = sm_setting_row(settings_of_all(), i);
        printf("| `%s` | ", row->name);
        put_setting_values(row);
        if (row->initial && *row->initial)
            printf(" | `%s` | ", row->initial);
        else
            fputs(" | (empty) | ", stdout);
        put_plain(row->help);
        fputs(" |\n", stdout);
    }
}

/* ---- functions ---- */

static void put_functions(void)
{
    fputs("# Functions of expressions\n\n", stdout);
    fputs(note, stdout);
    fputs("For `print`, `tensors -where` and `wait`. [language.md](language.md) describes the rest "
          "of "
          "the language.\n\n"
          "| function | returns |\n|---|---|\n",
          stdout);
    for (size_t i = 0; i < sm_expr_func_count(); i++) {
        const struct sm_expr_func *f = sm_expr_func(i);
        printf("| `%s(", f->name);
        put_cell(f->args);
        fputs(")` | ", stdout);
        put_plain(f->help);
        fputs(" |\n", stdout);
    }
}

/* ---- rules ---- */

static void put_rule_params(const struct sm_rule *rule)
{
    if (rule->params && rule->params->name)
        fputs("| parameter | type | default | meaning |\n|---|---|---|---|\n", stdout);
    for (const struct sm_rule_param *p = rule->params; p && p->name; p++) {
        printf("| `%s` | %s | ", p->name, sm_rule_type_name(p->type));
        if (p->initial)
            putchar('`');
        put_cell(p->initial ? p->initial : p->required ? "(required)" : "none");
        if (p->initial)
            putchar('`');
        printf("%s%s | ", p->unit ? " " : "", p->unit ? p->unit : "");
        put_plain(p->help);
        fputs(" |\n", stdout);
    }
    if (rule->params && rule->params->name)
        putchar('\n');
}

static void put_rule(const struct sm_rule *rule)
{
    printf("### %s\n\n`%s`, %s. ", rule->class_name, rule->name, sm_rule_group_name(rule->group));
    put_plain(rule->summary);
    printf(".\n\nFires %s", strncmp(rule->fires, "never", 5) == 0 ? "" : "when ");
    put_plain(rule->fires);
    if (rule->how_auto) {
        fputs(".\n\nUnder `rule auto` ", stdout);
        put_plain(rule->how_auto->differs);
    }
    fputs(".\n\n", stdout);
    put_rule_params(rule);
    fputs("The hook must save: ", stdout);
    put_plain(rule->saves);
    fputs(".\n\nWhen it fires: ", stdout);
    put_plain(rule->advice);
    fputs("\n\n", stdout);
}

static void put_file(const char *path)
{
    FILE *f = fopen(path, "r");
    for (int c; f && (c = fgetc(f)) != EOF;)
        putchar(c);
    if (f)
        fclose(f);
}

static void put_rules(void)
{
    put_file("doc/rules.in.md");
    fputs("\n## The rules\n\n", stdout);
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++)
        put_rule(*r);
}

/* ---- the schema of the protocol ---- */

/* Calls put for each command that can run, with its parent. */
static void each_command(void (*put)(const struct sm_cmd *parent, const struct sm_cmd *cmd))
{
    for (const struct sm_cmd *const *cmd = set->top; *cmd; cmd++) {
        if ((*cmd)->run)
            put(NULL, *cmd);
        for (const struct sm_cmd *const *sub = sm_cmd_subs(set, *cmd); sub && *sub; sub++)
            put(*cmd, *sub);
    }
}

/* "info steps", with '_' for what a JSON pointer would have to escape. */
static void put_full_name(const struct sm_cmd *parent, const struct sm_cmd *cmd, bool plain)
{
    struct sm_str name = {0};
    sm_str_printf(&name, "%s%s%s", parent ? parent->name : "", parent ? " " : "", cmd->name);
    for (size_t i = 0; i < name.len; i++)
        putchar(plain && strchr(" -", name.data[i]) ? '_' : name.data[i]);
    sm_str_clear(&name);
}

static bool first_command;

static void put_command_name(const struct sm_cmd *parent, const struct sm_cmd *cmd)
{
    fputs(first_command ? "\"" : ", \"", stdout);
    put_full_name(parent, cmd, false);
    putchar('"');
    first_command = false;
}

static void put_data_schema(const struct sm_cmd *parent, const struct sm_cmd *cmd)
{
    struct sm_str schema = {0};
    if (!cmd->answer)
        return;
    if (!sm_shape_schema(cmd->answer, &schema)) {
        fprintf(stderr, "gen: the answer of %s is not a shape: %s\n", cmd->name, cmd->answer);
        exit(EXIT_FAILURE);
    }
    fputs("    \"data_", stdout);
    put_full_name(parent, cmd, true);
    printf("\": %s,\n", sm_str_text(&schema));
    sm_str_clear(&schema);
}

static void put_data_choice(const struct sm_cmd *parent, const struct sm_cmd *cmd)
{
    printf("%s        {\"if\": {\"properties\": {\"cmd\": {\"const\": \"",
           first_command ? "" : ",\n");
    put_full_name(parent, cmd, false);
    fputs("\"}}, \"required\": [\"cmd\", \"data\"], \"not\": {\"required\": [\"fields\"]}},\n"
          "         \"then\": {\"properties\": {\"data\": ",
          stdout);
    if (cmd->answer) {
        fputs("{\"$ref\": \"#/$defs/data_", stdout);
        put_full_name(parent, cmd, true);
        fputs("\"}}}}", stdout);
    } else {
        fputs("false}}}", stdout);
    }
    first_command = false;
}

static void put_schema_of_commands(void)
{
    struct sm_str definitions = {0};
    fputs("    \"command\": {\"enum\": [", stdout);
    first_command = true;
    each_command(put_command_name);
    fputs("]},\n    \"data_of_command\": {\n      \"allOf\": [\n", stdout);
    first_command = true;
    each_command(put_data_choice);
    fputs("\n      ]\n    },\n", stdout);
    each_command(put_data_schema);
    sm_shape_definitions(&definitions);
    printf("    %s,\n", sm_str_text(&definitions));
    sm_str_clear(&definitions);
}

static void put_schema(void)
{
    char line[4096];
    FILE *f = fopen("doc/protocol.in.json", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (strcmp(line, "@COMMANDS@\n") == 0)
            put_schema_of_commands();
        else
            fputs(line, stdout);
    }
    if (f)
        fclose(f);
}

/* ---- the manual page ---- */

static void put_man_rules(void)
{
    fputs(".SH RULES\n.B help rule\n.I NAME\ndescribes a rule.\n", stdout);
    for (const struct sm_rule *const *r = sm_rule_table; *r; r++) {
        fputs(".TP\n\\fB", stdout);
        put_troff((*r)->name);
        fputs("\\fR\n", stdout);
        put_troff((*r)->summary);
        fputs(".\n", stdout);
    }
}

static void put_man_option_rows(const struct sm_option_row *o)
{
    for (; o->names; o++) {
        fputs(".TP\n", stdout);
        put_names(o->names, "\\fB", "\\fR", put_troff);
        if (o->value) {
            fputs(" \\fI", stdout);
            put_troff(o->value);
            fputs("\\fR", stdout);
        }
        putchar('\n');
        put_troff(o->help);
        fputs(".\n", stdout);
    }
}

static void put_man_options(void)
{
    fputs(
        ".SH OPTIONS\nLong names may have one dash or two, and can be shortened to an unambiguous "
        "prefix.\n",
        stdout);
    put_man_option_rows(sm_option_table);
}

static void put_man_sample(void)
{
    fputs(".SH RECORDING\n.B smdbg\\-tui sample\nrecords what this machine does as the system "
          "metrics of a profile, which the same program shows.\nWith a\n.I PROGRAM\nit records "
          "until that ends, passes signals on to it and returns its exit status; without, until "
          "SIGINT or\nSIGTERM. A directory named sample is opened as ./sample.\n",
          stdout);
    put_man_option_rows(sm_sample_option_table);
}

static void put_man_commands(void)
{
    fputs(".SH COMMANDS\n.B help\n.I COMMAND\ndescribes a command.\n", stdout);
    for (const struct sm_cmd *const *cmd = set->top; *cmd; cmd++) {
        fputs(".TP\n\\fB", stdout);
        put_troff((*cmd)->name);
        fputs("\\fR\n", stdout);
        put_troff((*cmd)->summary);
        fputs(".\n", stdout);
    }
}

static void put_man_keys(void)
{
    fputs(".SH KEYS\nKeys of the dashboard. C\\-d is Control and d, S\\-Tab is Shift and Tab.\n",
          stdout);
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++) {
        const struct sm_action_row *row = sm_action_row((enum sm_key_action)a);
        fputs(".TP\n\\fB", stdout);
        put_troff(row->keys);
        fputs("\\fR\n", stdout);
        put_troff(row->help);
        if (row->context != SM_CTX_ALL)
            printf(" (%s)", sm_context_name(row->context));
        fputs(".\n", stdout);
    }
}

static void put_man(void)
{
    printf(".\\\" Written by doc/gen.c from the program's tables: change the tables, then run make "
           "doc.\n"
           ".TH SMDBG\\-TUI 1 \"\" \"smdbg\\-tui %s\" \"User Commands\"\n",
           SMDBG_VERSION);
    fputs(
        ".SH NAME\nsmdbg\\-tui \\- debugger for machine\\-learning training in a terminal\n"
        ".SH SYNOPSIS\n.B smdbg\\-tui\n[\\fIOPTION\\fR]... [\\fITRIAL\\fR]...\n.br\n"
        ".B smdbg\\-tui \\-\\-replay\n.I SRC DST\n[\\fB\\-\\-speed\\fR \\fIX\\fR | "
        "\\fB\\-\\-interval\\fR \\fIMS\\fR]\n.br\n"
        ".B smdbg\\-tui \\-\\-demo\n[\\fINAME\\fR] [\\fB\\-\\-seed\\fR \\fIN\\fR] "
        "[\\fB\\-\\-speed\\fR \\fIX\\fR] "
        "[\\fB\\-\\-out\\fR \\fIDIR\\fR]\n.br\n"
        ".B smdbg\\-tui sample\n[\\fIOPTION\\fR]... [\\fB\\-\\-\\fR \\fIPROGRAM\\fR "
        "[\\fIARG\\fR]...]\n"
        ".SH DESCRIPTION\nOpens trial directories written by the debugger library of Amazon "
        "SageMaker (smdebug), also while "
        "the job\nis still writing. On a terminal it shows a dashboard with a prompt. With\n.BR "
        "\\-\\-no\\-tui ,\n.B \\-x\n"
        "or\n.B \\-ex\nit shows only a prompt. With\n.B \\-batch\nit runs commands and exits. "
        "Without a\n.I TRIAL\nit opens "
        "./debug\\-output or $SMDEBUG_OUT. It never writes into a trial. With\n.B \\-\nas a\n.I "
        "TRIAL\nit reads a plain log of a terminal from standard input, as in\n"
        ".BR \"torchrun ... 2>&1 | smdbg\\-tui -\" ;\nkeys then come from the terminal, and with\n"
        ".B \\-batch\nit waits for the end of the pipe. When it quits, the program that writes "
        "into the pipe gets SIGPIPE:\nwhere that must go on, write into a file and open the "
        "file.\n",
        stdout);
    put_man_options();
    put_man_sample();
    put_man_commands();
    put_man_rules();
    put_man_keys();
    fputs(
        ".SH EXIT STATUS\n"
        ".TP\n0\nEvery command succeeded.\n"
        ".TP\n1\nA command failed: unknown or ambiguous name, bad syntax, or an evaluation error.\n"
        ".TP\n2\nThe command line was wrong.\n"
        ".TP\n3\nA rule of\n.B \\-\\-rules\nfired in a batch.\n"
        ".TP\n4\nA tensor, step, collection or worker does not exist or was not saved.\n"
        ".TP\n5\nThe trial is missing, unreadable, or too damaged to be read.\n"
        ".TP\n6\nA wait timed out.\n"
        ".TP\n7\nDamaged or missing data was skipped, with \"set strict on\".\n"
        ".PP\nThe first failure sets the status;\n.B quit\n.I N\noverrides it.\n"
        ".SH FILES\n"
        ".TP\n/etc/smdbg/init, ~/.config/smdbg/init\nCommands run at the start (or below "
        "$XDG_CONFIG_HOME).\n"
        ".TP\n~/.local/state/smdbg/history\nThe lines typed at the prompt (or below "
        "$XDG_STATE_HOME).\n"
        ".SH ENVIRONMENT\n"
        ".TP\nSMDEBUG_OUT\nThe trial to open if none is given and ./debug\\-output does not "
        "exist.\n"
        ".TP\nNO_COLOR\nDisables colours if set and not empty.\n"
        ".TP\nSMDBG_PROFILER_DIR, SMDBG_NODE\nSet by\n.B sample\nfor its program: the profiler's "
        "directory and the number of the machine.\n"
        ".TP\nSMDBG_HISTFILE, SMDBG_HISTSIZE\nThe file of the history and its number of lines.\n"
        ".SH SEE ALSO\n.BR gdb (1),\n.BR less (1)\n",
        stdout);
}

/* ---- which page ---- */

static void put_bash(void)
{
    sm_completion_bash(set);
}
static void put_zsh(void)
{
    sm_completion_zsh(set);
}
static void put_fish(void)
{
    sm_completion_fish(set);
}

int main(int argc, char **argv)
{
    set = sm_cmd_set_new(sm_program_features);
    static const struct {
        const char *name;
        void (*put)(void);
    } pages[] = {
        {"commands", put_commands}, {"settings", put_settings}, {"functions", put_functions},
        {"rules", put_rules},       {"schema", put_schema},     {"man", put_man},
        {"bash", put_bash},         {"zsh", put_zsh},           {"fish", put_fish}};
    for (size_t i = 0; argc == 2 && i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(argv[1], pages[i].name) == 0) {
            pages[i].put();
            return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    }
    fputs("usage: gen commands|settings|functions|rules|schema|man|bash|zsh|fish\n", stderr);
    return 2;
}
