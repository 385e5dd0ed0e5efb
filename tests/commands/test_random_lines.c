/* SPDX-License-Identifier: Apache-2.0 */
/* Random lines, generated from the tables of commands, with valid, invalid and missing arguments.
 * Each line gets an answer: no command waits forever, no output is harmful, and the next line
 * works. */
#include "commands/language/language.h"
#include "commands/pictures/pictures.h"
#include "commands/stops/stops.h"
#include "commands/support/support.h"
#include "commands/trials/trials.h"
#include "commands/values/values.h"
#include "tests/commands/harmless.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <stdlib.h>
#include <unistd.h>

enum { LINES = 500, SEEDS = 10, DEPTH = 3 };

static struct driver d;
static char dir[64], root[PATH_MAX], trials[PATH_MAX + 64];
static uint64_t state;

static unsigned pick(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

#define ONE_OF(list) list[pick(sizeof list / sizeof *list)]

/* ---- words ---- */

static const char *const numbers[] = {"0",
                                      "1",
                                      "2",
                                      "-1",
                                      "10",
                                      "20",
                                      "1e308",
                                      "-1e308",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "18446744073709551616",
                                      "nan",
                                      "inf",
                                      "0x7f",
                                      ".5",
                                      "1k"};
static const char *const steps[] = {"0",         "4",
                                    "20",        "first",
                                    "last",      ".",
                                    "+1",        "-1",
                                    "~13",       "all",
                                    "0:20",      "0:20:4",
                                    "::0",       "20:0",
                                    "4..8",      "@8",
                                    "@global:4", "@8/worker_0",
                                    "@-10m",     "@12:30:05",
                                    "4,8",       "-99999999999999999999",
                                    "'a"};
static const char *const tensors[] = {"CNN_fc1.weight",
                                      "CNN_conv0.bias",
                                      "relu0_output_0",
                                      "CrossEntropyLoss_output_0",
                                      "nosuch",
                                      "CNN_conv0.weight[0]",
                                      "CNN_fc1.bias[-1]",
                                      "CNN_fc1.bias[99]",
                                      "CNN_fc1.bias[::0]",
                                      "x[",
                                      "\"\""};
static const char *const patterns[] = {"*",        "*bias",   "/relu/", "/(a+)+$/", "/(/",
                                       "+weights", "+nosuch", "!*bias", "[a-"};
static const char *const parts[] = {"mean(CNN_fc1.weight)",
                                    "CNN_fc1.bias",
                                    "CrossEntropyLoss_output_0@all",
                                    "CNN_fc1.bias@first",
                                    "$s",
                                    "$v",
                                    "$t",
                                    "$prev",
                                    "$",
                                    "$$9",
                                    "$nosuch",
                                    "nan",
                                    "1",
                                    "0",
                                    "l2(CNN_fc1.bias@4)",
                                    "ema(CrossEntropyLoss_output_0@all, 0.6)",
                                    "\"text\"",
                                    "z(CNN_fc1.bias, 3)",
                                    "max(",
                                    ")",
                                    "1e308"};
static const char *const operators[] = {" + ", " - ",  " * ",  " / ",  " % ",     " ** ",
                                        " > ", " == ", " && ", " || ", " ? 1 : ", " "};
static const char *const texts[] = {"weights",
                                    "mean",
                                    "train",
                                    "worker_0",
                                    "global",
                                    "VanishingGradient",
                                    "threshold=1",
                                    "on",
                                    "auto",
                                    "16",
                                    "print",
                                    "info",
                                    "a",
                                    "\xff\xfe",
                                    "\x1b[31m",
                                    "\"\\x1b[2J\\n\"",
                                    "\xe2\x80\xae",
                                    "#",
                                    "\\",
                                    "'",
                                    "$arg0",
                                    "--",
                                    "-"};
static const char *const files[] = {"/f",     "/f.npy",  "/f.csv", "/f.json",
                                    "/f.svg", "/f.smdz", "/no/f",  ""};

static void add_line(struct sm_str *out, int depth);

static void add_expression(struct sm_str *out)
{
    sm_str_add(out, ONE_OF(parts));
    while (pick(3) == 0)
        sm_str_printf(out, "%s%s", ONE_OF(operators), ONE_OF(parts));
}

static void add_argument(struct sm_str *out, enum sm_arg_kind kind, const char *const *words,
                         int depth)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    if (pick(12) == 0)
        sm_str_add(out, ONE_OF(texts));
    else if (n)
        sm_str_add(out, words[pick((unsigned)n)]);
    else if (kind == SM_ARG_TENSOR)
        sm_str_add(out, ONE_OF(tensors));
    else if (kind == SM_ARG_PATTERN)
        sm_str_add(out, pick(2) ? ONE_OF(patterns) : ONE_OF(tensors));
    else if (kind == SM_ARG_STEP)
        sm_str_add(out, ONE_OF(steps));
    else if (kind == SM_ARG_NUMBER)
        sm_str_add(out, ONE_OF(numbers));
    else if (kind == SM_ARG_EXPR)
        add_expression(out);
    else if (kind == SM_ARG_FILE && pick(4))
        sm_str_printf(out, "%s%s", dir, ONE_OF(files));
    else if (kind == SM_ARG_FILE)
        sm_str_printf(out, "%s/mlp_exploding_tensor", trials);
    else if (kind == SM_ARG_COMMAND && depth < DEPTH)
        add_line(out, depth + 1);
    else
        sm_str_add(out, pick(3) ? ONE_OF(texts) : ONE_OF(numbers));
}

/* ---- lines ---- */

/* Commands that end the session, run programs or lines of files, have a body, or print text of the
 * user unchanged. */
static bool is_excluded(const struct sm_cmd *c)
{
    return (c->flags & (SM_CMD_SHELL | SM_CMD_BODY | SM_CMD_ELSE | SM_CMD_TEXT)) ||
           c == &sm_cmd_quit || c == &sm_cmd_source || c == &sm_cmd_echo || c == &sm_cmd_printf ||
           c == &sm_cmd_eval || c == &sm_cmd_dprintf;
}

static const struct sm_cmd *pick_command(const struct sm_cmd *const *table)
{
    size_t n = 0;
    while (table[n])
        n++;
    const struct sm_cmd *c;
    do
        c = table[pick((unsigned)n)];
    while (is_excluded(c));
    return c;
}

static void add_arguments(struct sm_str *out, const struct sm_cmd *c, int depth)
{
    for (const struct sm_arg *a = c->args; a && a->name; a++) {
        if (pick(a->required ? 12 : 3) == 0)
            continue;
        sm_str_printf(out, " %s%s", a->keyword ? a->keyword : "", a->keyword ? " " : "");
        add_argument(out, a->kind, a->words, depth);
    }
    for (const struct sm_option *o = c->options; o && o->name; o++) {
        if (pick(4))
            continue;
        sm_str_printf(out, " -%s%s", o->name, o->value ? " " : "");
        if (o->value)
            add_argument(out, o->kind, o->words, depth);
    }
    if ((c->flags & SM_CMD_LISTING) && pick(4) == 0)
        sm_str_add(out, pick(2) ? " -json" : " -csv");
}

static void add_line(struct sm_str *out, int depth)
{
    const struct sm_cmd *c = pick_command(sm_commands(d.session)->top);
    sm_str_add(out, c->name);
    const struct sm_cmd *const *subs = sm_cmd_subs(sm_commands(d.session), c);
    if (subs && pick(8)) {
        c = pick_command(subs);
        sm_str_printf(out, " %s", c->name);
    }
    add_arguments(out, c, depth);
}

/* ---- tests ---- */

static int open_trial(void **unused)
{
    (void)unused;
    /* the folder, with all files that lines write, is removed at the end */
    if (!make_scratch(dir, sizeof dir) || !getcwd(root, sizeof root) || chdir(dir) != 0)
        return -1;
    snprintf(trials, sizeof trials, "%s/tests/trials", root);
    driver_open(&d, NULL, true);
    sm_exec_keep_going(d.exec, true);
    return 0;
}

static int close_trial(void **unused)
{
    (void)unused;
    driver_close(&d);
    return chdir(root) == 0 ? remove_tree(dir) : -1;
}

static void run_line(const char *line)
{
    driver_say(&d, line, SM_FROM_OPTION);
    assert_harmless(line, &d.out);
    assert_harmless(line, &d.err);
    assert_sentences(line, &d.err);
}

static void open_again(void)
{
    struct sm_str line = {0};
    sm_str_printf(&line, "open %s/cnn_dead_relu", trials);
    run_line(sm_str_text(&line));
    assert_int_equal(d.err.len, 0);
    sm_str_clear(&line);
}

static void test_every_line_gets_an_answer(void **unused)
{
    (void)unused;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        state = seed;
        open_again();
        for (int i = 0; i < LINES; i++) {
            struct sm_str line = {0};
            add_line(&line, 0);
            run_line(sm_str_text(&line));
            sm_str_clear(&line);
        }
        open_again();
        run_line("echo still listening\\n");
        assert_string_equal(sm_str_text(&d.out), "still listening\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_line_gets_an_answer, open_trial, close_trial)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
