/* SPDX-License-Identifier: Apache-2.0 */
/* Where samples are written: minutes, hours in UTC, one writer, the marker of the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/sampler/sample_file.h"
#include "reader/sampler/sample_lines.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* 2026-11-23 18:59:59 UTC */
#define LATE_US (1795460399 * (int64_t)1000000)

static char dir[64], root[128];
static struct sm_err err;

static int set_up(void **state)
{
    (void)state;
    if (!make_scratch(dir, sizeof dir))
        return -1;
    snprintf(root, sizeof root, "%s/a/prof", dir);
    err = (struct sm_err){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return remove_tree(dir);
}

static const char *contents(const char *name)
{
    static char text[4096];
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    return f ? text : NULL;
}

static void test_minutes_and_hours(void **state)
{
    (void)state;
    struct sm_sample_file f;
    assert_true(sm_sample_file_open(&f, root, "algo-2", LATE_US, &err));
    assert_true(sm_sample_file_write(&f, SM_TEXT("one\n"), LATE_US, &err));
    assert_true(sm_sample_file_write(&f, SM_TEXT("two\n"), LATE_US + 999999, &err));
    assert_true(sm_sample_file_write(&f, SM_TEXT("three\n"), LATE_US + 1000000, &err));
    assert_true(sm_sample_file_write(&f, SM_TEXT("four\n"), LATE_US + 61000000, &err));
    assert_null(contents("system/training_job_end.ts"));
    assert_true(sm_sample_file_close(&f, true, &err));
    assert_string_equal(contents("system/incremental/2026112318/1795460340.algo-2.json"),
                        "one\ntwo\n");
    assert_string_equal(contents("system/incremental/2026112319/1795460400.algo-2.json"),
                        "three\n");
    assert_string_equal(contents("system/incremental/2026112319/1795460460.algo-2.json"), "four\n");
    assert_non_null(contents("system/training_job_end.ts"));
}

/* A recording that goes on appends, and has not ended. */
static void test_goes_on(void **state)
{
    (void)state;
    struct sm_sample_file f;
    for (int i = 0; i < 2; i++) {
        assert_true(sm_sample_file_open(&f, root, "algo-1", LATE_US, &err));
        assert_null(contents("system/training_job_end.ts"));
        assert_true(sm_sample_file_write(&f, SM_TEXT("x\n"), LATE_US, &err));
        assert_true(sm_sample_file_close(&f, true, &err));
    }
    assert_string_equal(contents("system/incremental/2026112318/1795460340.algo-1.json"), "x\nx\n");
}

static void test_one_writer_a_node(void **state)
{
    (void)state;
    struct sm_sample_file f, second, other;
    assert_true(sm_sample_file_open(&f, root, "algo-1", LATE_US, &err));
    assert_false(sm_sample_file_open(&second, root, "algo-1", LATE_US, &err));
    assert_int_equal(err.code, SM_ERR_REFUSED);
    assert_non_null(strstr(err.msg, "another sampler writes the metrics of algo-1"));
    assert_true(sm_sample_file_open(&other, root, "algo-2", LATE_US, &err));
    assert_true(sm_sample_file_close(&other, false, &err));
    assert_true(sm_sample_file_close(&f, false, &err));
    assert_null(contents("system/training_job_end.ts"));
}

/* A write that is cut by a limit leaves no part of a line, and the next one may work. */
static void test_no_torn_line(void **state)
{
    (void)state;
    struct sm_sample_file f;
    struct rlimit before, small = {.rlim_cur = 6};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_true(sm_sample_file_open(&f, root, "algo-1", LATE_US, &err));
    assert_true(sm_sample_file_write(&f, SM_TEXT("one\n"), LATE_US, &err));
    setrlimit(RLIMIT_FSIZE, &small);
    bool wrote = sm_sample_file_write(&f, SM_TEXT("three\n"), LATE_US, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(wrote);
    assert_string_equal(contents("system/incremental/2026112318/1795460340.algo-1.json"), "one\n");
    assert_true(sm_sample_file_write(&f, SM_TEXT("two\n"), LATE_US, &err));
    assert_string_equal(contents("system/incremental/2026112318/1795460340.algo-1.json"),
                        "one\ntwo\n");
    assert_true(sm_sample_file_close(&f, false, &err));
}

static void test_no_directory(void **state)
{
    (void)state;
    struct sm_sample_file f;
    assert_false(sm_sample_file_open(&f, "/dev/null/x", "algo-1", LATE_US, &err));
    assert_int_equal(err.code, SM_ERR_IO);
    assert_non_null(strstr(err.msg, "/dev/null"));
}

static const char *line_of(struct sm_sample_lines *lines, const char *name, double value)
{
    sm_sample_begin(lines, "algo-1", 1000001);
    sm_sample_add(lines, "t", name, "d", value);
    return sm_str_text(&lines->text);
}

static void expect_text(struct sm_sample_lines *lines, double value, const char *want)
{
    char whole[256];
    snprintf(whole, sizeof whole,
             "{\"Type\":\"t\",\"Name\":\"n\",\"Dimension\":\"d\",\"Value\":%s,"
             "\"NodeId\":\"algo-1\",\"Timestamp\":1.000001}\n",
             want);
    assert_string_equal(line_of(lines, "n", value), whole);
}

static void test_values(void **state)
{
    (void)state;
    struct sm_sample_lines lines = {0};
    expect_text(&lines, 0, "0.0");
    expect_text(&lines, 100, "100.0");
    expect_text(&lines, 0.004, "0.0");
    expect_text(&lines, 0.005, "0.01");
    expect_text(&lines, 99.999, "100.0");
    expect_text(&lines, 12.34, "12.34");
    expect_text(&lines, 12.3, "12.3");
    expect_text(&lines, -1.5, "-1.5");
    expect_text(&lines, 1e15, "1000000000000000.0");
    assert_string_equal(line_of(&lines, "n", 1.1e15), "");
    assert_string_equal(line_of(&lines, "n", 0.0 / 0.0), "");
    assert_non_null(strstr(line_of(&lines, "a\"b\\c\n\x1b\xffz", 1), "\"Name\":\"a_b_c___z\""));
    sm_sample_clear(&lines);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_minutes_and_hours), TEST(test_goes_on),      TEST(test_one_writer_a_node),
        TEST(test_no_torn_line),      TEST(test_no_directory), cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
