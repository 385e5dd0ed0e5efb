/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/features.h"
#include "commands/language/cmd_set.h"
#include "commands/language/command_line.h"
#include "commands/pictures/pictures.h"
#include "commands/stops/stops.h"
#include "commands/support/support.h"
#include "commands/trials/trials.h"
#include "commands/values/values.h"

#include <stdlib.h>
#include <string.h>

/* The built-in commands; kept until the program ends. */
static struct sm_cmd_set *command_set(void)
{
    static struct sm_cmd_set *set;
    if (!set)
        set = sm_cmd_set_new(sm_command_features);
    return set;
}

static struct sm_arena arena;
static struct sm_line line;
static struct sm_err err;

static bool parse(const char *text)
{
    sm_arena_reset(&arena);
    err = (struct sm_err){0};
    return sm_line_parse(command_set(), text, strlen(text), &arena, &line, &err);
}

static struct sm_call call(void)
{
    return (struct sm_call){.cmd = line.cmd,
                            .option_values = line.option_values,
                            .keyword_values = line.keyword_values};
}

static const char *keyword(const char *name)
{
    struct sm_call c = call();
    const struct sm_word *w = sm_call_keyword(&c, name);
    return w ? w->text.p : NULL;
}

static const char *option(const char *name)
{
    struct sm_call c = call();
    const struct sm_word *w = sm_call_option(&c, name);
    return w ? w->text.p : NULL;
}

static void assert_error(const char *text, const char *want)
{
    assert_false(parse(text));
    assert_string_equal(err.msg, want);
    assert_int_equal(err.code, SM_ERR_USAGE);
}

static void empty_lines(void **state)
{
    (void)state;
    const char *const empty[] = {"", "   ", "# comment", "\t # x", "-", "\r"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        assert_true(parse(empty[i]));
        assert_null(line.cmd);
    }
}

static void names_need_no_quotes(void **state)
{
    (void)state;
    assert_true(parse("tensor gradient/CNN_fc0.bias:0-x step 100"));
    assert_ptr_equal(line.cmd, &sm_cmd_tensor);
    assert_int_equal(line.n_words, 1);
    assert_string_equal(line.words[0].text.p, "gradient/CNN_fc0.bias:0-x");
    assert_int_equal(line.words[0].column, 8);
    assert_string_equal(keyword("step"), "100");
    assert_false(line.words[0].quoted);
}

static void slices_attach(void **state)
{
    (void)state;
    assert_true(parse("tensor w[0, :, 2] step 7"));
    assert_string_equal(line.words[0].text.p, "w");
    assert_string_equal(line.words[0].slice.p, "[0, :, 2]");
    assert_string_equal(keyword("step"), "7");
    assert_true(parse("tensor \"a b\"[1]"));
    assert_string_equal(line.words[0].text.p, "a b");
    assert_string_equal(line.words[0].slice.p, "[1]");
    assert_true(line.words[0].quoted);
    assert_true(parse("tensor w[0]@12"));
    assert_string_equal(line.words[0].slice.p, "[0]");
    assert_string_equal(keyword("step"), "12");
    assert_true(parse("tensors conv[0-9]_* x[ab]"));
    assert_string_equal(line.words[0].text.p, "conv[0-9]_*");
    assert_string_equal(line.words[1].text.p, "x[ab]");
    assert_error("tensor w[0", "Unmatched \"[\" at column 9.");
    assert_error("tensor \"w\"[0]x", "Unexpected text after \"]\" at column 14.");
}

static void quotes_and_escapes(void **state)
{
    (void)state;
    assert_true(parse("tensors 'a\\n' \"a\\n\\x41\\101\\u00e9\\u{1F600}\\q\" plain"));
    assert_int_equal(line.n_words, 3);
    assert_string_equal(line.words[0].text.p, "a\\n");
    assert_string_equal(line.words[1].text.p, "a\nAA\xc3\xa9\xf0\x9f\x98\x80q");
    assert_true(line.words[1].quoted);
    assert_error("tensors \"a", "Unmatched double quote at column 9.");
    assert_error("tensors 'a", "Unmatched single quote at column 9.");
}

static void quoted_words_are_literal(void **state)
{
    (void)state;
    assert_true(parse("stat \"*\" step 0"));
    assert_true(line.words[0].quoted);
    assert_string_equal(keyword("step"), "0");
    assert_true(parse("tensors \"step\" \"-json\" \"@3\""));
    assert_int_equal(line.n_words, 3);
    assert_int_equal(line.output, SM_OUTPUT_TEXT);
    assert_null(keyword("step"));
    assert_true(parse("tensor -- step"));
    assert_string_equal(line.words[0].text.p, "step");
    assert_true(parse("tensor step 5 -- -json"));
    assert_string_equal(line.words[0].text.p, "-json");
    assert_string_equal(keyword("step"), "5");
}

static void three_forms_of_a_step(void **state)
{
    (void)state;
    const char *const same[] = {"tensor w step 100", "tensor w @100", "tensor w step @100",
                                "tensor step 100 w"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_true(parse(same[i]));
        assert_int_equal(line.n_words, 1);
        assert_string_equal(keyword("step"), "100");
    }
    assert_true(parse("stat w 100"));
    assert_string_equal(keyword("step"), "100");
    assert_true(parse("stat w ~137"));
    assert_string_equal(keyword("step"), "~137");
    assert_true(parse("tensor w @eval:12/worker_1"));
    assert_string_equal(keyword("step"), "12");
    assert_string_equal(keyword("mode"), "eval");
    assert_string_equal(keyword("worker"), "worker_1");
    assert_true(parse("tensor w @EVAL"));
    assert_string_equal(keyword("mode"), "EVAL");
    assert_null(keyword("step"));
    assert_true(parse("tensor w @12:30:05"));
    assert_string_equal(keyword("step"), "@12:30:05");
    assert_true(parse("tensor w @-10m"));
    assert_string_equal(keyword("step"), "@-10m");
    assert_true(parse("stat w @100:200:10"));
    assert_string_equal(keyword("step"), "100:200:10");
    assert_error("tensor w step", "\"step\" requires a value (STEP).");
}

static void options(void **state)
{
    (void)state;
    assert_true(parse("tensors -sort mean -r -json"));
    assert_string_equal(option("sort"), "mean");
    assert_non_null(option("r"));
    assert_null(option("where"));
    assert_int_equal(line.output, SM_OUTPUT_JSON);
    assert_true(parse("tensors --so=nam -field name,steps -csv"));
    assert_string_equal(option("sort"), "name");
    assert_string_equal(line.fields, "name,steps");
    assert_int_equal(line.output, SM_OUTPUT_CSV);
    assert_true(parse("tensors -wh 'max > 3' -0"));
    assert_string_equal(option("where"), "max > 3");
    assert_int_equal(line.output, SM_OUTPUT_NUL);
    assert_true(parse("tensors -help"));
    assert_true(line.help);
    assert_error("tensors -zzz", "Undefined option \"-zzz\".  Try \"help tensors\".");
    assert_error("tensors -js", "Ambiguous option \"-js\": -json, -jsonl.");
    assert_error("tensors -sort", "Option \"-sort\" requires a value (KEY).");
    assert_error("tensors -r=1", "Option \"-r\" does not accept a value.");
    assert_error("tensors -sort x", "Undefined item \"x\" for sort.  Choose one of: name, steps, "
                                    "last, size, dtype, mean, std, nan.");
    assert_error("quit -json", "Undefined option \"-json\".  Try \"help quit\".");
}

static void counts_arguments(void **state)
{
    (void)state;
    assert_error("quit 1 2", "Too many arguments: \"2\".  Try \"help quit\".");
    assert_error("open", "Argument required (PATH).  Try \"help open\".");
    assert_error("source", "Argument required (FILE).  Try \"help source\".");
    assert_true(parse("history -5")); /* a number, not an option */
    assert_string_equal(line.words[0].text.p, "-5");
}

static void formats(void **state)
{
    (void)state;
    assert_true(parse("x/20g w"));
    assert_int_equal(line.format.count, 20);
    assert_int_equal(line.format.letter, 'g');
    assert_int_equal(line.format.precision, -1);
    assert_true(parse("print/.6f 1"));
    assert_int_equal(line.format.precision, 6);
    assert_int_equal(line.format.letter, 'f');
    assert_true(parse("x /4x w"));
    assert_int_equal(line.format.count, 4);
    assert_true(parse("x /name/x"));
    assert_false(line.format.given);
    assert_string_equal(line.words[0].text.p, "/name/x");
    assert_error("x/4q w", "Undefined output format \"q\".");
    assert_error("tensor/4 w", "\"tensor\" does not accept /FMT.");
}

static void raw_commands(void **state)
{
    (void)state;
    assert_true(parse("echo  a 'b  c' -json # not this"));
    assert_string_equal(line.raw.p, "a 'b  c' -json");
    assert_true(parse("echo don't"));
    assert_string_equal(line.raw.p, "don't");
    assert_true(parse("shell ls | wc > x # y"));
    assert_string_equal(line.raw.p, "ls | wc > x # y");
    assert_int_equal(line.redirect, SM_REDIRECT_NONE);
    assert_true(parse("!ls -l"));
    assert_ptr_equal(line.cmd, &sm_cmd_shell);
    assert_string_equal(line.raw.p, "ls -l");
    assert_true(parse("|tensors | wc"));
    assert_ptr_equal(line.cmd, &sm_cmd_pipe);
    assert_true(parse("print(1+2)"));
    assert_string_equal(line.raw.p, "(1+2)");
    assert_true(parse("print a - json -json"));
    assert_string_equal(line.raw.p, "a - json");
    assert_int_equal(line.output, SM_OUTPUT_JSON);
    assert_true(parse("print -jsonl a"));
    assert_string_equal(line.raw.p, "a");
    assert_int_equal(line.output, SM_OUTPUT_JSONL);
    assert_true(parse("complete info "));
    assert_string_equal(line.raw.p, "info ");
}

static void redirections(void **state)
{
    (void)state;
    assert_true(parse("tensors > out.txt"));
    assert_int_equal(line.redirect, SM_REDIRECT_WRITE);
    assert_string_equal(line.target, "out.txt");
    assert_true(parse("tensors -json >>'a b' # c"));
    assert_int_equal(line.redirect, SM_REDIRECT_APPEND);
    assert_string_equal(line.target, "a b");
    assert_true(parse("tensors | grep x > y"));
    assert_int_equal(line.redirect, SM_REDIRECT_PIPE);
    assert_string_equal(line.target, "grep x > y");
    assert_error("tensors >", "Expected a file name after column 9.");
    assert_error("tensors |", "Expected a shell command after column 9.");
    assert_error("tensors > a b", "Unexpected text after the file name \"a\" (\">\" before a word "
                                  "redirects to a file; quote a comparison).");
    assert_true(parse("tensors /a|b>c/")); /* in a word they are ordinary characters */
    assert_string_equal(line.words[0].text.p, "/a|b>c/");
}

static void greater_than_in_expressions(void **state)
{
    (void)state;
    const char *const compare[] = {"print a > 3", "print a > b", "print a >= ./b", "print a || b"};
    for (size_t i = 0; i < sizeof compare / sizeof *compare; i++) {
        assert_true(parse(compare[i]));
        assert_int_equal(line.redirect, SM_REDIRECT_NONE);
        assert_string_equal(line.raw.p, compare[i] + 6);
    }
    assert_true(parse("print a > 3 > ./out"));
    assert_string_equal(line.raw.p, "a > 3");
    assert_string_equal(line.target, "./out");
    assert_true(parse("print a -json > out"));
    assert_string_equal(line.target, "out");
    assert_true(parse("print a >> out"));
    assert_int_equal(line.redirect, SM_REDIRECT_APPEND);
    assert_true(parse("print a | cat"));
    assert_string_equal(line.raw.p, "a");
    assert_string_equal(line.target, "cat");
    assert_true(parse("wait mean(w) > 3 && x < 4 -timeout 5s"));
    assert_string_equal(line.words[0].text.p, "mean(w) > 3 && x < 4");
    assert_string_equal(option("timeout"), "5s");
}

static void forgiven_lines(void **state)
{
    (void)state;
    assert_true(parse("-tensors"));
    assert_true(line.forgiven);
    assert_true(parse("- tensors"));
    assert_true(line.forgiven);
    assert_true(parse("tensors"));
    assert_false(line.forgiven);
}

static void continuation(void **state)
{
    (void)state;
    assert_true(sm_line_continues("a\\", 2));
    assert_false(sm_line_continues("a\\\\", 3));
    assert_true(sm_line_continues("a\\\\\\", 4));
    assert_false(sm_line_continues("a", 1));
    assert_false(sm_line_continues("", 0));
}

static void quoting_reads_back(void **state)
{
    (void)state;
    const char *const names[] = {"conv0", "a b",     "it's", "x[0]",    "-json",    "a|b",
                                 "#x",    "a\"b\\c", "!x",   "@3",      "\xc3\xa9", "/a/",
                                 "+c",    "a>b",     "*",    "\x1b[2J", "\xff\xfe", "a\nb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sm_str text = {0};
        sm_str_add(&text, "tensors ");
        sm_line_quote(&text, names[i], strlen(names[i]));
        assert_true(parse(sm_str_text(&text)));
        assert_int_equal(line.n_words, 1);
        assert_string_equal(line.words[0].text.p, names[i]);
        assert_int_equal(line.words[0].slice.n, 0);
        sm_str_clear(&text);
    }
}

static void invalid_lines_are_refused(void **state)
{
    (void)state;
    assert_false(sm_line_parse(command_set(), "echo \0x", 7, &arena, &line, &err));
    assert_string_equal(err.msg, "The line contains a zero byte.");
    char *big = malloc(SM_LINE_MAX + 2);
    memset(big, 'x', SM_LINE_MAX + 1);
    assert_false(sm_line_parse(command_set(), big, SM_LINE_MAX + 1, &arena, &line, &err));
    assert_int_equal(err.code, SM_ERR_LIMIT);
    free(big);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_lines),
        cmocka_unit_test(names_need_no_quotes),
        cmocka_unit_test(slices_attach),
        cmocka_unit_test(quotes_and_escapes),
        cmocka_unit_test(quoted_words_are_literal),
        cmocka_unit_test(three_forms_of_a_step),
        cmocka_unit_test(options),
        cmocka_unit_test(counts_arguments),
        cmocka_unit_test(formats),
        cmocka_unit_test(raw_commands),
        cmocka_unit_test(redirections),
        cmocka_unit_test(greater_than_in_expressions),
        cmocka_unit_test(forgiven_lines),
        cmocka_unit_test(continuation),
        cmocka_unit_test(quoting_reads_back),
        cmocka_unit_test(invalid_lines_are_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sm_arena_clear(&arena);
    return failed;
}
