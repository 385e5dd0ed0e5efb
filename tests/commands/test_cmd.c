/* SPDX-License-Identifier: Apache-2.0 */
/* Finding commands with the messages of gdb, and checks of all records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/answer/typed_number.h"
#include "commands/features.h"
#include "commands/language/cmd_set.h"
#include "commands/language/command_line.h"
#include "commands/language/help.h"
#include "commands/pictures/pictures.h"
#include "commands/stops/stops.h"
#include "commands/support/support.h"
#include "commands/trials/trials.h"
#include "commands/values/values.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* The built-in commands; kept until the program ends. */
static struct sm_cmd_set *command_set(void)
{
    static struct sm_cmd_set *set;
    if (!set)
        set = sm_cmd_set_new(sm_command_features);
    return set;
}

static struct sm_err err;

static const struct sm_cmd *find(const char *word)
{
    err = (struct sm_err){0};
    return sm_cmd_find(command_set(), NULL, word, strlen(word), &err);
}

static void exact_then_alias_then_prefix(void **state)
{
    (void)state;
    assert_ptr_equal(find("tensor"), &sm_cmd_tensor); /* also a prefix of tensors */
    assert_ptr_equal(find("t"), &sm_cmd_tensor);      /* aliases precede prefixes */
    assert_ptr_equal(find("p"), &sm_cmd_print);
    assert_ptr_equal(find("i"), &sm_cmd_info);
    assert_ptr_equal(find("l"), &sm_cmd_list);
    assert_ptr_equal(find("h"), &sm_cmd_help);
    assert_ptr_equal(find("q"), &sm_cmd_quit);
    assert_ptr_equal(find("exit"), &sm_cmd_quit);
    assert_ptr_equal(find("pt"), &sm_cmd_tensor);
    assert_ptr_equal(find("inspect"), &sm_cmd_print);
    assert_ptr_equal(find("insp"), &sm_cmd_print);
    assert_ptr_equal(find("inf"), &sm_cmd_info);
    assert_ptr_equal(find("so"), &sm_cmd_source);
    assert_ptr_equal(find("his"), NULL);
    assert_ptr_equal(find("hist"), &sm_cmd_hist);
    assert_ptr_equal(find("histo"), &sm_cmd_history);
}

static void messages_are_those_of_gdb(void **state)
{
    (void)state;
    assert_null(find("nosuch"));
    assert_string_equal(err.msg, "Undefined command: \"nosuch\".  Try \"help\".");
    assert_int_equal(err.code, SM_ERR_USAGE);
    assert_null(find("tensro"));
    assert_string_equal(err.msg,
                        "Undefined command: \"tensro\".  Try \"help\".  Did you mean \"tensor\"?");
    assert_null(find("sh"));
    assert_string_equal(err.msg, "Ambiguous command \"sh\": shell, show.");
    assert_null(sm_cmd_find(command_set(), &sm_cmd_info, "nosuch", 6, &err));
    assert_string_equal(err.msg, "Undefined info command: \"nosuch\".  Try \"help info\".");
    assert_null(sm_cmd_find(command_set(), &sm_cmd_info, "t", 1, &err));
    assert_string_equal(err.msg, "Ambiguous info command \"t\": tensor, tensors, trial, trials.");
    assert_null(find(""));
    assert_string_equal(err.msg, "Undefined command: \"\".  Try \"help\".");
    struct sm_line line;
    struct sm_arena arena = {0};
    assert_false(sm_line_parse(command_set(), "zz 6", 4, &arena, &line, &err));
    assert_string_equal(err.msg, "Undefined command: \"zz\".  Try \"help\".");
    assert_false(sm_line_parse(command_set(), "se 6  ", 6, &arena, &line, &err));
    assert_string_equal(err.msg, "Ambiguous command \"se 6\": series, set.");
    assert_false(sm_line_parse(command_set(), "(1+2)", 5, &arena, &line, &err));
    assert_string_equal(err.msg, "Undefined command: \"(1+2)\".  Try \"help\".");
    sm_arena_clear(&arena);
}

/* ---- all records ---- */

static void check_record(const struct sm_cmd *c, bool top)
{
    assert_non_null(c->name);
    assert_non_null(c->summary);
    size_t n = strlen(c->summary);
    bool stop = n > 3 && c->summary[n - 1] == '.' && strcmp(c->summary + n - 3, "...") != 0;
    if (n > 70 || stop)
        fail_msg("%s: \"%s\" is too long or ends in a full stop", c->name, c->summary);
    if (!c->run && !sm_cmd_subs(command_set(), c))
        fail_msg("%s has neither a function nor subcommands", c->name);
    for (const struct sm_arg *a = c->args; a && a->name; a++)
        if (a->kind == SM_ARG_WORD && !a->words)
            fail_msg("%s: %s has no words", c->name, a->name);
    for (const struct sm_option *o = c->options; o && o->name; o++)
        if ((o->kind == SM_ARG_FLAG) != !o->value || !o->help)
            fail_msg("%s: -%s lacks its value's name or help", c->name, o->name);
    if (top && c->example) {
        struct sm_err e = {0};
        if (sm_cmd_find(command_set(), NULL, c->example, strcspn(c->example, " /"), &e) != c)
            fail_msg("%s: the example runs another command", c->name);
    }
    for (const struct sm_cmd *const *s = sm_cmd_subs(command_set(), c); s && *s; s++)
        check_record(*s, false);
}

static void records_are_valid(void **state)
{
    (void)state;
    for (const struct sm_cmd *const *c = command_set()->top; *c; c++) {
        check_record(*c, true);
        for (const struct sm_cmd *const *d = command_set()->top; d != c; d++)
            assert_string_not_equal((*c)->name, (*d)->name);
    }
}

static void examples_parse(void **state)
{
    (void)state;
    for (const struct sm_cmd *const *c = command_set()->top; *c; c++) {
        struct sm_line line;
        struct sm_arena arena = {0};
        if ((*c)->example && !sm_line_parse(command_set(), (*c)->example, strlen((*c)->example),
                                            &arena, &line, &err))
            fail_msg("%s: %s", (*c)->example, err.msg);
        sm_arena_clear(&arena);
    }
}

/* A command or a subcommand by its whole name. */
static const struct sm_cmd *named(struct sm_text name)
{
    const struct sm_cmd *found = NULL;
    for (size_t at = 0; at < name.n;) {
        size_t n = strcspn(name.p + at, " ,");
        found = sm_cmd_find(command_set(), found, name.p + at, n, &err);
        if (!found || strlen(found->name) != n)
            return NULL;
        at += n + 1;
    }
    return found;
}

static void related_commands_exist(void **state)
{
    (void)state;
    const struct sm_cmd_set *set = command_set();
    for (size_t i = 0; i < set->n; i++) {
        const char *names = set->top[i] ? set->top[i]->see_also : NULL;
        struct sm_text name;
        while (sm_see_also_next(&names, &name)) {
            const struct sm_cmd *other = named(name);
            if (!other || other == set->top[i])
                fail_msg("%s: see also \"%.*s\"", set->top[i]->name, (int)name.n, name.p);
        }
    }
}

/* Documented abbreviations must not change their meaning. */
static void abbreviations_are_stable(void **state)
{
    (void)state;
    static const char *const pinned[][2] = {
        {"p", "print"},         {"i", "info"},          {"t", "tensor"},  {"l", "list"},
        {"h", "help"},          {"q", "quit"},          {"x", "x"},       {"lt", "tensors"},
        {"pt", "tensor"},       {"op", "open"},         {"cl", "close"},  {"re", "refresh"},
        {"ap", "apropos"},      {"ec", "echo"},         {"so", "source"}, {"wa", NULL},
        {"wai", "wait"},        {"pl", "plot"},         {"do", "doctor"}, {"bt", "backtrace"},
        {"where", "backtrace"}, {"fr", "frame"},        {"up", "up"},     {"s", "step"},
        {"n", "next"},          {"rs", "reverse-step"}, {"ne", "next"},   {"go", "goto"},
        {"und", "undisplay"},   {"w", "with"},          {"as", "assert"}, {"ou", "output"},
        {"un", NULL},           {"bi", "bisect"},       {"pri", NULL},    {"print", "print"},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        const struct sm_cmd *c = find(pinned[i][0]);
        if (!pinned[i][1] ? c != NULL : !c || strcmp(c->name, pinned[i][1]) != 0)
            fail_msg("\"%s\" is %s, not %s", pinned[i][0], c ? c->name : err.msg,
                     pinned[i][1] ? pinned[i][1] : "ambiguous");
    }
}

/* ---- numbers ---- */

static bool whole(const char *text, int64_t min, int64_t max, int64_t *n)
{
    struct sm_word w = {.text = sm_text(text)};
    err = (struct sm_err){0};
    return sm_call_int(&w, min, max, n, &err);
}

static void numbers_as_typed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t n;
    } good[] = {{"12", 12},
                {"0x1f", 31},
                {"1e3", 1000},
                {"4k", 4000},
                {"2Ki", 2048},
                {"3Mi", 3 << 20},
                {"1.5k", 1500},
                {"-7", -7},
                {"unlimited", INT64_MAX},
                {"9223372036854775807", INT64_MAX},
                {"1g", 1000000000}};
    int64_t n;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(whole(good[i].text, INT64_MIN, INT64_MAX, &n));
        assert_int_equal(n, good[i].n);
    }
    const char *const bad[] = {
        "", "x", "1.5", "1e400", "nan", "12x", " 1", "0x", "9223372036854775808", "--1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (whole(bad[i], INT64_MIN, INT64_MAX, &n))
            fail_msg("\"%s\" is no whole number", bad[i]);
    assert_false(whole("500", 1, 100, &n));
    assert_string_equal(err.msg, "integer 500 out of range: 1 to 100");
}

static void doubles_and_durations(void **state)
{
    (void)state;
    double d;
    int64_t us;
    struct sm_word w = {.text = SM_TEXT("-2.5e3")};
    assert_true(sm_call_double(&w, &d, &err));
    assert_true(d == -2500);
    w.text = SM_TEXT("-inf");
    assert_true(sm_call_double(&w, &d, &err) && isinf(d) && d < 0);
    w.text = SM_TEXT("1..2");
    assert_false(sm_call_double(&w, &d, &err));
    static const struct {
        const char *text;
        int64_t us;
    } good[] = {{"500ms", 500000}, {"10s", 10000000}, {"5m", 300000000}, {"2h", 7200000000},
                {"3", 3000000},    {"0.5", 500000},   {".5s", 500000},   {"1d", 86400000000}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        w.text = sm_text(good[i].text);
        assert_true(sm_call_duration(&w, &us, &err));
        assert_int_equal(us, good[i].us);
    }
    const char *const bad[] = {"", "-5s", "5 s", "5x", "inf", "nan", "1e30d"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        w.text = sm_text(bad[i]);
        if (sm_call_duration(&w, &us, &err))
            fail_msg("\"%s\" is no duration", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_then_alias_then_prefix),
        cmocka_unit_test(messages_are_those_of_gdb),
        cmocka_unit_test(records_are_valid),
        cmocka_unit_test(examples_parse),
        cmocka_unit_test(related_commands_exist),
        cmocka_unit_test(abbreviations_are_stable),
        cmocka_unit_test(numbers_as_typed),
        cmocka_unit_test(doubles_and_durations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
