/* SPDX-License-Identifier: Apache-2.0 */
/* A superfluous word or option after the example of each command is an error, in every command of
 * the table. The exceptions are documented: the command takes the rest of the line. */
#include "commands/judge/judge.h"
#include "commands/language/language.h"
#include "commands/pictures/pictures.h"
#include "commands/stops/stops.h"
#include "commands/support/support.h"
#include "commands/trials/trials.h"
#include "commands/values/values.h"
#include "tests/commands/driver.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct driver d;

/* Text to the end of the line, as their help says. */
static bool takes_any_text(const struct sm_cmd *c)
{
    const struct sm_cmd *const rest[] = {&sm_cmd_alias, &sm_cmd_apropos, &sm_cmd_assert,
                                         &sm_cmd_complete, &sm_cmd_echo};
    for (size_t i = 0; i < COUNT(rest); i++)
        if (c == rest[i])
            return true;
    return c->flags & (SM_CMD_SHELL | SM_CMD_BODY | SM_CMD_ELSE | SM_CMD_TEXT);
}

/* "[0]" after an expression is its slice; after the name of a tensor the slice of the tensor. */
static bool may_have_slice(const struct sm_cmd *c)
{
    for (const struct sm_arg *a = c->args; a && a->name; a++)
        if (a->kind == SM_ARG_EXPR || a->kind == SM_ARG_COMMAND ||
            (a->kind == SM_ARG_TENSOR && !a->whole))
            return true;
    return c->flags & SM_CMD_LINE;
}

static void open_trial(void)
{
    driver_open(&d, "cnn_healthy", true);
    sm_exec_keep_going(d.exec, true);
    driver_say(&d, "info trial", SM_FROM_OPTION);
}

static bool fails(const struct sm_cmd *parent, const struct sm_cmd *c, const char *word)
{
    struct sm_str line = {0};
    if (c->example)
        sm_str_add(&line, c->example);
    else
        sm_str_printf(&line, "%s%s%s", parent ? parent->name : "", parent ? " " : "", c->name);
    sm_str_printf(&line, " %s", word);
    driver_say(&d, sm_str_text(&line), SM_FROM_OPTION);
    bool failed = d.err.len > 0;
    if (!failed)
        print_error("\"%s\" succeeded\n", sm_str_text(&line));
    sm_str_clear(&line);
    return failed;
}

static unsigned count_accepted(const struct sm_cmd *parent, const struct sm_cmd *c)
{
    unsigned n = 0;
    if (!c->run || takes_any_text(c))
        return 0;
    n += !fails(parent, c, "zzqx");
    n += !fails(parent, c, "-zzqx");
    n += !may_have_slice(c) && !fails(parent, c, "[0]");
    return n;
}

static void test_superfluous_words_are_errors(void **unused)
{
    (void)unused;
    unsigned accepted = 0;
    open_trial();
    const struct sm_cmd_set *set = sm_commands(d.session);
    for (const struct sm_cmd *const *c = set->top; *c; c++) {
        accepted += count_accepted(NULL, *c);
        for (const struct sm_cmd *const *s = sm_cmd_subs(set, *c); s && *s; s++)
            accepted += count_accepted(*c, *s);
    }
    driver_close(&d);
    assert_int_equal(accepted, 0);
}

/* The slice is that of the tensor, or an error; it is never ignored. */
static void test_slice_after_blank(void **unused)
{
    (void)unused;
    static const char *const same[][2] = {
        {"tensor CNN_fc1.weight [0,1] step 10", "tensor CNN_fc1.weight[0,1] step 10"},
        {"stat CNN_fc1.bias   [0:2]", "stat CNN_fc1.bias[0:2]"},
        {"x/2g CNN_fc1.bias [3:] step 10", "x/2g CNN_fc1.bias[3:] step 10"},
        {"series CNN_fc1.bias [0]", "series CNN_fc1.bias[0]"},
    };
    static const char *const wrong[] = {"tensor CNN_fc1.bias[0] [1]",
                                        "tensor CNN_fc1.bias step 10 [0]",
                                        "tensor CNN_fc1.bias @10 [0]",
                                        "whatis CNN_fc1.bias[0]",
                                        "info tensor CNN_fc1.bias [0]",
                                        "plot CNN_fc1.bias [0]",
                                        "tensors CNN* [0]",
                                        "series CNN_fc1.bias[0:2]",
                                        "tensor CNN_fc1.bias \"[0]\""};
    struct sm_str first = {0};
    open_trial();
    for (size_t i = 0; i < COUNT(same); i++) {
        sm_str_truncate(&first, 0);
        sm_str_add(&first, driver_say(&d, same[i][0], SM_FROM_OPTION));
        assert_string_equal(sm_str_text(&d.err), "");
        assert_string_equal(driver_say(&d, same[i][1], SM_FROM_OPTION), sm_str_text(&first));
        assert_true(first.len > 0);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        driver_say(&d, wrong[i], SM_FROM_OPTION);
        if (!d.err.len)
            fail_msg("\"%s\" succeeded: %s", wrong[i], sm_str_text(&d.out));
    }
    sm_str_clear(&first);
    driver_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_superfluous_words_are_errors),
                                       cmocka_unit_test(test_slice_after_blank)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
