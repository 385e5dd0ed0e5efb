/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/app/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { ARGS_MAX = 16 };

/* Parses the blank-separated words of one line. */
static bool parse(const char *line, struct sm_options *o, struct sm_err *err)
{
    static char text[512], name[] = "smdbg-tui";
    char *argv[ARGS_MAX + 1] = {name}, *save = NULL;
    int argc = 1;
    strncpy(text, line, sizeof text - 1);
    for (char *w = strtok_r(text, " ", &save); w && argc < ARGS_MAX; w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    *err = (struct sm_err){0};
    return sm_options_parse(argc, argv, o, err);
}

static void expect_refusal(const char *line, const char *message)
{
    struct sm_options o;
    struct sm_err err;
    assert_false(parse(line, &o, &err));
    assert_int_equal(err.code, SM_ERR_USAGE);
    if (!strstr(err.msg, message))
        fail_msg("%s: \"%s\" is not in \"%s\"", line, message, err.msg);
    sm_options_clear(&o);
}

static void test_commands_keep_their_order(void **state)
{
    (void)state;
    struct sm_options o;
    struct sm_err err;
    assert_true(parse("-ex one -x two --eval-command=three --command four -iex five -ix=six a b",
                      &o, &err));
    assert_int_equal(o.n_items, 6);
    const struct {
        const char *text;
        enum sm_start kind;
        bool early;
    } want[] = {{"one", SM_START_COMMAND, false},   {"two", SM_START_FILE, false},
                {"three", SM_START_COMMAND, false}, {"four", SM_START_FILE, false},
                {"five", SM_START_COMMAND, true},   {"six", SM_START_FILE, true}};
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(o.items[i].text, want[i].text);
        assert_int_equal(o.items[i].kind, want[i].kind);
        assert_int_equal(o.items[i].early, want[i].early);
    }
    assert_int_equal(o.n_trials, 2);
    assert_string_equal(o.trials[1], "b");
    assert_true(sm_options_have_commands(&o, true));
    sm_options_clear(&o);
    assert_true(parse("-ex one -ix two", &o, &err));
    assert_true(sm_options_have_commands(&o, false));
    assert_false(sm_options_have_commands(&o, true));
    sm_options_clear(&o);
}

static void test_one_dash_or_two(void **state)
{
    (void)state;
    static const char *const batches[] = {"-batch", "--batch", "--batch-silent", "-batch-silent"};
    struct sm_options o;
    struct sm_err err;
    for (size_t i = 0; i < 4; i++) {
        assert_true(parse(batches[i], &o, &err));
        assert_true(o.batch);
        assert_int_equal(o.batch_silent, i >= 2);
        sm_options_clear(&o);
    }
    assert_true(parse("-nw -no-follow --no-color -U -q", &o, &err));
    assert_int_equal(o.tui, SM_NO);
    assert_int_equal(o.follow, SM_NO);
    assert_int_equal(o.color, SM_NO);
    assert_string_equal(o.symbols, "ascii");
    assert_true(o.quiet);
    sm_options_clear(&o);
}

static void test_beginnings_of_names(void **state)
{
    (void)state;
    struct sm_options o;
    struct sm_err err;
    assert_true(parse("--insp --eval print", &o, &err));
    assert_true(o.inspect);
    assert_int_equal(o.n_items, 1);
    sm_options_clear(&o);
    expect_refusal("--s", "ambiguous option --s: --stop-on-error, --steps");
    expect_refusal("--nosuch=3", "unknown option --nosuch");
}

static void test_where_options_end(void **state)
{
    (void)state;
    struct sm_options o;
    struct sm_err err;
    assert_true(parse("-batch -x - -- -batch --x -", &o, &err));
    assert_string_equal(o.items[0].text, "-");
    assert_int_equal(o.n_trials, 3);
    assert_string_equal(o.trials[0], "-batch");
    sm_options_clear(&o);
}

static void test_values(void **state)
{
    (void)state;
    struct sm_options o;
    struct sm_err err;
    assert_true(
        parse("-d 500 --threads 0 --size 100x30 --color=always --symbols block -i=tui", &o, &err));
    assert_int_equal(o.delay_tenths, 100);
    assert_int_equal(o.threads, 0);
    assert_int_equal(o.columns, 100);
    assert_int_equal(o.lines, 30);
    assert_int_equal(o.color, SM_YES);
    assert_int_equal(o.tui, SM_YES);
    assert_string_equal(o.symbols, "block");
    sm_options_clear(&o);
    assert_true(parse("-d -3", &o, &err));
    assert_int_equal(o.delay_tenths, 1);
    assert_int_equal(o.threads, -1);
    sm_options_clear(&o);
    expect_refusal("-d fast", "-d requires TENTHS, not \"fast\"");
    expect_refusal("--threads 65", "--threads requires N");
    expect_refusal("--threads 1.5", "--threads requires N");
    expect_refusal("--size 80", "WxH");
    expect_refusal("--size 0x5", "WxH");
    expect_refusal("--color=red", "auto|always|never");
    expect_refusal("--interpreter=xml", "console|tui|json");
    expect_refusal("-batch=1", "-batch takes no value");
    expect_refusal("-x", "-x requires a value: FILE");
}

static void test_restrictions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t first, last, stride;
    } good[] = {{"--steps 10:20", 10, 19, 1},
                {"--steps :5:2", 0, 4, 2},
                {"--steps 7:", 7, INT64_MAX, 1},
                {"--steps ::3", 0, INT64_MAX, 3}};
    static const char *const bad[] = {"--steps 5",
                                      "--steps 5:5",
                                      "--steps 5:4",
                                      "--steps 1:9:0",
                                      "--steps -4:9",
                                      "--steps 1:2:3:4",
                                      "--steps 1:99999999999999999999"};
    struct sm_options o;
    struct sm_err err;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sm_trial_options t = {0};
        assert_true(parse(good[i].text, &o, &err));
        assert_true(sm_options_restrict(&o, &t, &err));
        assert_int_equal(t.first.n, good[i].first);
        assert_int_equal(t.last.n, good[i].last);
        assert_int_equal(t.stride, good[i].stride);
        assert_true(t.follow);
        sm_options_clear(&o);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refusal(bad[i], "--steps requires A:B[:S]");
    struct sm_trial_options t = {0};
    assert_true(parse("--mode EVAL --worker worker_1 --no-follow", &o, &err));
    assert_true(sm_options_restrict(&o, &t, &err));
    assert_int_equal(t.mode, SM_MODE_EVAL);
    assert_string_equal(t.worker, "worker_1");
    assert_false(t.follow);
    assert_int_equal(t.stride, 0);
    sm_options_clear(&o);
    expect_refusal("--mode sleep", "--mode requires train");
}

static void test_replay(void **state)
{
    (void)state;
    struct sm_options o;
    struct sm_err err;
    assert_true(parse("--replay from to --speed 2.5", &o, &err));
    assert_string_equal(o.replay_src, "from");
    assert_string_equal(o.replay_dst, "to");
    assert_true(o.speed > 2.4 && o.speed < 2.6);
    assert_int_equal(o.interval_ms, -1);
    sm_options_clear(&o);
    expect_refusal("--replay from", "two directories");
    expect_refusal("--interval 5", "for --replay");
    expect_refusal("--replay a b --speed 0", "--speed requires X");
}

static void test_demo(void **state)
{
    (void)state;
    struct sm_options o;
    struct sm_err err;
    assert_true(parse("--demo", &o, &err));
    assert_string_equal(o.demo, "");
    assert_null(o.out);
    assert_int_equal(o.seed, -1);
    sm_options_clear(&o);
    assert_true(parse("--demo --seed 3 -nw", &o, &err));
    assert_string_equal(o.demo, "");
    assert_int_equal(o.seed, 3);
    assert_int_equal(o.tui, SM_NO);
    sm_options_clear(&o);
    assert_true(parse("--demo Dead-Relu --out d --speed 2", &o, &err));
    assert_string_equal(o.demo, "Dead-Relu");
    assert_string_equal(o.out, "d");
    assert_true(o.speed > 1.9);
    sm_options_clear(&o);
    assert_true(parse("--demo=list", &o, &err));
    sm_options_clear(&o);
    expect_refusal("--demo nothing", "--demo list");
    expect_refusal("--demo overfit trial", "cannot be used with");
    expect_refusal("--demo --replay a b", "cannot be used with");
    expect_refusal("--out d", "for --demo");
    expect_refusal("--seed 1", "for --demo");
    expect_refusal("--demo --seed -1", "--seed requires N");
    expect_refusal("--demo --interval 5", "for --replay");
    expect_refusal("--speed 2", "--replay and --demo");
}

static void test_contradiction(void **state)
{
    (void)state;
    expect_refusal("--keep-going --stop-on-error", "contradict");
}

/* Every row is in --help, and each of its names is found and means that row alone. */
static void test_table_and_help_agree(void **state)
{
    (void)state;
    struct sm_str help = {0};
    sm_options_help(&help);
    for (const struct sm_option_row *row = sm_option_table; row->names; row++) {
        assert_non_null(strstr(sm_str_text(&help), row->help));
        for (const char *p = row->names; *p; p += strspn(p, " ")) {
            char line[80] = "";
            struct sm_options o;
            struct sm_err err;
            size_t n = strcspn(p, " ");
            memcpy(line, p, n);
            parse(line, &o, &err);
            assert_null(strstr(err.msg, "ambiguous"));
            assert_null(strstr(err.msg, "unknown"));
            sm_options_clear(&o);
            p += n;
        }
    }
    for (const char *line = sm_str_text(&help); *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 110);
    sm_str_clear(&help);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_keep_their_order),
        cmocka_unit_test(test_one_dash_or_two),
        cmocka_unit_test(test_beginnings_of_names),
        cmocka_unit_test(test_where_options_end),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_restrictions),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_demo),
        cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_table_and_help_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
