/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/clock.h"
#include "tests/reader/database_run.h"

#define META                                                                                       \
    "artifact_uri: /x/artifacts\nend_time: null\nentry_point_name: ''\nexperiment_id: '1'\n"       \
    "lifecycle_stage: active\nrun_id: 9c18b396e917417f89cdddb7d2020124\nrun_name: quick fox\n"     \
    "source_name: ''\nsource_type: 4\nsource_version: ''\nstart_time: 1700000000500\n"

static int setup(void **state)
{
    if (scratch_setup(state) != 0)
        return -1;
    struct scratch *t = *state;
    static const char *const folders[] = {"metrics", "metrics/val", "params", "params/model",
                                          "tags"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        mkdir(in(t, folders[i]), 0777);
    put_text(t, "meta.yaml", "w", META "status: 1\ntags: []\nuser_id: someone\n");
    return 0;
}

static void test_run(void **state)
{
    struct scratch *t = *state;
    put_text(t, "metrics/loss", "w",
             "1700000000500 0.5 1\n1700000001000 nan 2\n"
             "1700000001500 -inf 3\n1700000002000 0.25 4 data abc\n");
    put_text(t, "metrics/val/rmse", "w", "1700000000500 1e-3 10\n");
    put_text(t, "params/lr", "w", "0.01");
    put_text(t, "params/model/depth", "w", "4");
    put_text(t, "tags/mlflow.user", "w", "someone");
    put_text(t, "tags/team", "w", "a \"b\"");
    struct run r = open_member(t, &sm_mlflow_format, NULL);
    const char *all = poll_member(&r);
    assert_non_null(strstr(all, "ended 0 0\nbegan 1700000000.5\nsummary status \"RUNNING\"\n"
                                "name quick fox\n"));
    assert_non_null(strstr(all, "config-text lr 0.01\n"));
    assert_non_null(strstr(all, "config-text model/depth 4\n"));
    assert_non_null(strstr(all, "summary tags.team \"a \\\"b\\\"\"\n"));
    assert_null(strstr(all, "mlflow.user"));
    assert_non_null(strstr(all, "point loss 1 0.5 @1700000000.5\n"));
    assert_string_equal(fake_sink_points(r.sink, "loss"), "1=0.5 2=nan 3=-inf 4=0.25");
    assert_string_equal(fake_sink_points(r.sink, "val/rmse"), "10=0.001");
    assert_string_equal(poll_member(&r), "");
    assert_int_equal(r.sink->problems, 0);
    close_member(&r);
}

/* Lines, metrics, params and the end come while it is followed. */
static void test_growth(void **state)
{
    struct scratch *t = *state;
    struct run r = open_member(t, &sm_mlflow_format, NULL);
    assert_null(strstr(poll_member(&r), "point"));
    put_text(t, "metrics/loss", "w", "1700000000500 0.5 1\n17000000");
    assert_string_equal(poll_member(&r), "point loss 1 0.5 @1700000000.5\n");
    put_text(t, "metrics/loss", "a", "01000 0.25 2\n");
    put_text(t, "metrics/val/new", "w", "1700000000500 3 1\n");
    put_text(t, "params/late", "w", "x");
    const char *news = poll_member(&r);
    assert_non_null(strstr(news, "config-text late x\n"));
    assert_non_null(strstr(news, "point loss 2 0.25 @1700000001\n"));
    assert_non_null(strstr(news, "point val/new 1 3 @1700000000.5\n"));
    put_text(t, "tags/mlflow.runName", "w", "slow fox");
    put_text(t, "meta.yaml", "w", META "status: 3\n");
    assert_string_equal(poll_member(&r), "ended 1 0\nbegan 1700000000.5\nsummary status "
                                         "\"FINISHED\"\nname slow fox\n");
    put_text(t, "metrics/loss", "a", "1700000001000 0.125 3"); /* ended: no more will come */
    assert_string_equal(poll_member(&r), "point loss 3 0.125 @1700000001\n");
    assert_string_equal(poll_member(&r), "");
    close_member(&r);
}

/* Of a run that ended a while ago only meta.yaml is looked at. */
static void test_ended(void **state)
{
    struct scratch *t = *state;
    struct stat st;
    put_text(t, "metrics/loss", "w", "1700000000500 0.5 1\n");
    put_text(t, "meta.yaml", "w", META "status: 3\n");
    struct run r = open_member(t, &sm_mlflow_format, NULL);
    poll_member(&r);
    put_text(t, "metrics/loss", "a", "1700000000500 0.25 2\n");
    poll_member(&r); /* the end is new, so the file may be late */
    assert_string_equal(fake_sink_points(r.sink, "loss"), "1=0.5 2=0.25");
    assert_int_equal(stat(in(t, "meta.yaml"), &st), 0);
    sm_clock_freeze(0, ((int64_t)st.st_mtim.tv_sec + 100) * 1000000);
    poll_member(&r);
    unsigned long reads = sm_source_read_count();
    assert_string_equal(poll_member(&r), "");
    assert_in_range(sm_source_read_count() - reads, 1, 2);
    put_text(t, "metrics/loss", "a", "1700000000500 0.125 3\n");
    put_text(t, "meta.yaml", "w", META "status: 1\nuser_id: resumed\n");
    poll_member(&r);
    assert_string_equal(fake_sink_points(r.sink, "loss"), "1=0.5 2=0.25 3=0.125");
    sm_clock_thaw();
    close_member(&r);
}

/* The value with the later time counts; a file that was written anew makes all anew. */
static void test_order_and_rewriting(void **state)
{
    struct scratch *t = *state;
    put_text(t, "metrics/x", "w",
             "1700000000001 1 3\n1700000000002 2 1\n1700000000005 3 3\n"
             "1700000000003 4 2\n1700000000004 5 9\n1700000000009 6 9\n"
             "1700000000008 7 9\n");
    put_text(t, "metrics/y", "w", "1700000000001 1 1\n");
    struct run r = open_member(t, &sm_mlflow_format, NULL);
    poll_member(&r);
    assert_string_equal(fake_sink_points(r.sink, "x"), "3=1 1=2 3=3 2=4 9=5 9=6");
    assert_string_equal(fake_sink_points(r.sink, "y"), "1=1");
    put_text(t, "metrics/y", "w", "1700000000001 8 2\n1700000000001 9 3\n");
    poll_member(&r);
    assert_string_equal(fake_sink_points(r.sink, "y"), "2=8 3=9");
    assert_string_equal(fake_sink_points(r.sink, "x"), "3=1 1=2 3=3 2=4 9=5 9=6");
    assert_int_equal(r.sink->problems, 0);
    close_member(&r);
}

static void test_old_lines_and_damage(void **state)
{
    struct scratch *t = *state;
    put_text(t, "metrics/old", "w", "1540000000 0.5\n1540000001 0.25\n"); /* 0.x: no step, seconds
                                                                           */
    put_text(t, "metrics/bad", "w",
             "1700000000500 1 1\nrubbish\nmore rubbish\n1700000000500 2 2\n"
             "1700000000500 2 two\n\n");
    struct run r = open_member(t, &sm_mlflow_format, NULL);
    const char *all = poll_member(&r);
    assert_non_null(
        strstr(all, "problem metrics/bad 18 expected milliseconds, a value and a step\n"));
    assert_non_null(strstr(all, "point old 0 0.5 @1540000000\npoint old 1 0.25 @1540000001\n"));
    assert_string_equal(fake_sink_points(r.sink, "bad"), "1=1 2=2");
    assert_int_equal(r.sink->problems, 1);
    close_member(&r);
}

static void same_meta(const char *text, const char *name, const char *status)
{
    struct sm_mlflow_meta m = {0};
    sm_mlflow_meta_parse(text, strlen(text), &m);
    assert_string_equal(sm_str_text(&m.name), name);
    assert_string_equal(sm_str_text(&m.status), status);
    sm_mlflow_meta_clear(&m);
}

/* As yaml.safe_dump writes texts. */
static void test_meta(void **state)
{
    (void)state;
    same_meta("run_name: plain name\nstatus: 3\n", "plain name", "3");
    same_meta("run_name: 'it''s: quoted'\nstatus: FINISHED", "it's: quoted", "FINISHED");
    same_meta("run_name: 'a name that is folded\n  into two lines'\nstatus: 1\n",
              "a name that is folded into two lines", "1");
    same_meta("run_name: \"tab\\there \\\"x\\\" \\xE9 \\u65e5\\\n  \\ and more\"\nstatus: 4\n",
              "tab\there \"x\" \xc3\xa9 \xe6\x97\xa5 and more", "4");
    same_meta("tags:\n- run_name: no\nrun_name: null\nstatus: 5\r\n", "", "5");
    same_meta("", "", "");
    same_meta("run_name: '\nstatus", " status", "");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, scratch_teardown)
    const struct CMUnitTest tests[] = {
        T(test_run),
        T(test_growth),
        T(test_ended),
        T(test_order_and_rewriting),
        T(test_old_lines_and_damage),
        cmocka_unit_test(test_meta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
