/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/step_files.h"
#include "reader/tables/tables.h"

#include "tests/reader/log_run.h"

static void test_nested(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_jsonl_format, "tests/samples/jsonl_nested", "metrics.jsonl");
    log_run_poll(r);
    assert_non_null(strstr(log_run_points(r, "train/loss"), "30=2.4272404525529163 35=nan 40=inf"));
    assert_non_null(strstr(log_run_points(r, "train/opt/lr"), "40=0.09227446944279201 45=-inf"));
    assert_string_equal(log_run_points(r, "val/loss"), "45=2.334594019551668");
    assert_string_equal(log_run_points(r, "train/opt/name"), "");
    assert_string_equal(log_run_points(r, "done"), "");
    assert_int_equal(r->sink->problems, 0); /* the torn last line may go on */
}

static void test_order(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_jsonl_format, "tests/samples/jsonl_order", "log.jsonl");
    assert_non_null(strstr(log_run_poll(r), "point loss 20 3.8232044598504635 @1700000068\n"));
    assert_int_equal(r->sink->problems, 0);
}

static void test_detectron(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_jsonl_format, "tests/samples/detectron2", "metrics.json");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "bbox/APl"), "239=nan");
}

static void read_text(struct log_run *r, const char *text)
{
    log_run_put(r, "t.jsonl", "w", text);
    log_run_open(r, &sm_jsonl_format, NULL, "t.jsonl");
    log_run_poll(r);
}

/* The best name of the whole file counts, whichever comes first; a row without it has the step of
 * the row before. */
static void test_better_step(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"epoch\":0,\"acc\":1}\n{\"epoch\":0,\"step\":5,\"loss\":2}\n"
                 "{\"epoch\":1,\"acc\":3}\n{\"step\":9,\"loss\":4}\n");
    assert_string_equal(log_run_points(r, "loss"), "5=2 9=4");
    assert_string_equal(log_run_points(r, "acc"), "0=1 5=3");
    assert_string_equal(log_run_points(r, "epoch"), "0=0 5=0 5=1");
}

static void test_nested_step(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"timing\":{\"step\":0.25},\"info\":{\"iter\":7},\"loss\":2}\n"
                 "{\"timing\":{\"step\":1.0},\"info\":{\"iter\":8},\"loss\":1}\n");
    assert_string_equal(log_run_points(r, "loss"), "7=2 8=1");
    assert_string_equal(log_run_points(r, "timing/step"), "7=0.25 8=1");
}

static void test_no_step(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"loss\":3}\n{\"msg\":\"x\"}\n{\"loss\":1}");
    assert_string_equal(log_run_points(r, "loss"), "0=3 2=1");
}

/* An epoch with a fraction is no step. */
static void test_fractions(void **state)
{
    struct log_run *r = *state;
    read_text(r,
              "{\"epoch\":0,\"loss\":3}\n{\"epoch\":0.5,\"loss\":2}\n{\"epoch\":1,\"loss\":1}\n");
    assert_string_equal(log_run_points(r, "loss"), "0=3 1=2 2=1");
    assert_string_equal(log_run_points(r, "epoch"), "0=0 1=0.5 2=1");
}

/* A row whose step is none is left out and named; the others stay as they are. */
static void test_bad_rows(void **state)
{
    static const char *const bad[] = {"1e30", "-9223372036854775809", "NaN", "\"x7\"", "2.5",
                                      "-4",   "99999999999999999999"};
    struct log_run *r = *state;
    for (size_t where = 0; where < 4; where++)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            struct sm_str s = {0};
            for (size_t k = 0; k < 4; k++)
                sm_str_printf(&s, "{\"epoch\":0,\"step\":%s,\"loss\":%d}\n",
                              k == where ? bad[i] : "1", k == where ? 77 : 5);
            log_run_put(r, "t.jsonl", "w", s.data);
            log_run_open(r, &sm_jsonl_format, NULL, "t.jsonl");
            const char *said = log_run_poll(r);
            char problem[99];
            snprintf(problem, sizeof problem, "line %zu: \"", where + 1);
            assert_non_null(strstr(said, problem));
            assert_string_equal(log_run_points(r, "loss"), "1=5 1=5 1=5");
            sm_log_restart(r->sink);
            r->format->close(r->state);
            sm_source_unref(r->in.source);
            r->state = NULL;
            r->in.source = NULL;
            sm_str_clear(&s);
        }
}

static void test_a_bad_row_comes(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"step\":1,\"loss\":5}\n{\"step\":2,\"loss\":6}\n");
    log_run_put(r, "t.jsonl", "a", "{\"step\":NaN,\"loss\":7}\n{\"step\":3,\"loss\":8}\n");
    const char *said = log_run_poll(r);
    assert_non_null(
        strstr(said, "problem t.jsonl 40 line 3: \"NaN\" is no step: the row is left out"));
    assert_string_equal(log_run_points(r, "loss"), "1=5 2=6 3=8");
    assert_int_equal(r->sink->restarts, 0);
}

static void test_iterations_of_epochs(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"env_info\":\"a\",\"seed\":3,\"opt\":{\"lr\":0.1}}\n"
                 "{\"mode\":\"train\",\"epoch\":1,\"iter\":50,\"loss\":9}\n"
                 "{\"mode\":\"train\",\"epoch\":1,\"iter\":100,\"loss\":8}\n"
                 "{\"mode\":\"train\",\"epoch\":2,\"iter\":50,\"loss\":7}\n");
    assert_string_equal(log_run_points(r, "loss"), "50=9 100=8 150=7");
}

static void test_settings(void **state)
{
    struct log_run *r = *state;
    log_run_put(r, "t.jsonl", "w",
                "{\"seed\":3,\"opt\":{\"lr\":0.1,\"name\":\"sgd\"},\"dims\":[1,2]}\n"
                "{\"step\":1,\"loss\":2,\"config\":{\"wd\":0.5}}\n"
                "{\"step\":2,\"loss\":1,\"config\":{\"wd\":0.5}}\n");
    log_run_open(r, &sm_jsonl_format, NULL, "t.jsonl");
    const char *said = log_run_poll(r);
    const char *after = strstr(said, "restart\n");
    assert_string_equal(after ? after + 8 : said,
                        "config seed 3\nconfig opt.lr 0.1\nconfig opt.name \"sgd\"\n"
                        "config dims [1,2]\nconfig wd 0.5\npoint loss 1 2\npoint loss 2 1\n");
}

static void test_words(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"step\":1,\"loss\":2,\"note\":\"NaN\"}\n{\"step\":2,\"loss\":\"NaN\"}\n"
                 "{\"step\":3,\"loss\":\"-Infinity\"}\n{\"step\":4,\"loss\":\"7\"}\n");
    assert_string_equal(log_run_points(r, "loss"), "1=2 2=nan 3=-inf");
    assert_string_equal(log_run_points(r, "note"), "");
}

static void test_damage(void **state)
{
    struct log_run *r = *state;
    log_run_put(r, "t.jsonl", "w",
                "{\"step\":1,\"loss\":2}\n{\"step\":2,\"lo{\"step\":3,\"loss\":1}\n[1]\n"
                "{\"step\":4,\"loss\":0}\n");
    log_run_open(r, &sm_jsonl_format, NULL, "t.jsonl");
    const char *said = log_run_poll(r);
    assert_non_null(strstr(said, "problem t.jsonl 20 "));
    assert_non_null(strstr(said, "problem t.jsonl 53 not a JSON object\n"));
    assert_string_equal(log_run_points(r, "loss"), "1=2 4=0");
}

static void test_grows(void **state)
{
    struct log_run *r = *state;
    read_text(r, "");
    log_run_put(r, "t.jsonl", "a", "\xef\xbb\xbf{\"step\":1,\"lo");
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "t.jsonl", "a", "ss\":2}");
    assert_string_equal(log_run_poll(r), "point loss 1 2\n");
    log_run_put(r, "t.jsonl", "a", "\n{\"step\":2,\"loss\":1}\n");
    assert_string_equal(log_run_poll(r), "point loss 2 1\n");
    log_run_put(r, "t.jsonl", "w", "{\"step\":0,\"loss\":5}\n");
    assert_string_equal(log_run_poll(r), "restart\npoint loss 0 5\n");
}

/* ---- a file for each step ---- */

static void test_step_names(void **state)
{
    (void)state;
    size_t n;
    int64_t step;
    assert_true(sm_step_file_name("metrics_step350.json", &n, &step));
    assert_int_equal(n, 12);
    assert_int_equal(step, 350);
    assert_true(sm_step_file_name("eval-epoch_7.json", &n, &step));
    assert_int_equal(n, 11);
    assert_false(sm_step_file_name("metrics.json", &n, &step));
    assert_false(sm_step_file_name("step5.json", &n, &step));
    assert_false(sm_step_file_name("metrics_v2.json", &n, &step));
    assert_false(sm_step_file_name("metrics_step5.txt", &n, &step));
    assert_false(sm_step_file_name("metrics_step99999999999999999999.json", &n, &step));
    assert_false(sm_step_file_name("model_step5.json", &n, &step));
}

static void test_step_files(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_jsonl_format, "tests/samples", "olmo_metrics/metrics_step*.json");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "train/CE loss"),
                        "50=16.69780857767773 100=14.46583508942031 250=nan");
}

static void test_step_files_come(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_jsonl_format, NULL, "metrics_step*.json");
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "metrics_step10.json", "w", "{\n \"loss\": 2");
    assert_string_equal(log_run_poll(r), ""); /* it may be being written */
    log_run_age(r, "metrics_step10.json");
    assert_non_null(strstr(log_run_poll(r), "problem metrics_step10.json -1 "));
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "metrics_step10.json", "a", "\n}\n");
    log_run_put(r, "metrics_step9.json", "w", "{\"loss\": 3}");
    log_run_put(r, "metrics_step9.txt", "w", "{\"loss\": 4}");
    assert_string_equal(log_run_poll(r), "point loss 9 3\npoint loss 10 2\n");
    assert_string_equal(log_run_poll(r), "");
}

static void test_one_step_file(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_jsonl_format, "tests/samples/olmo_metrics", "metrics_step50.json#step");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "train/CE loss"), "50=16.69780857767773");
}

/* ---- documents ---- */

static void test_history(void **state)
{
    struct log_run *r = *state;
    log_run_put(r, "history.json", "w",
                "{\n \"loss\": [3, 2.5, NaN],\n \"val\": {\"acc\": [0.5]}, "
                "\"names\": [\"a\", 1], \"deep\": [[1], 2], \"none\": []}");
    log_run_open(r, &sm_jsonl_format, NULL, "history.json");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "0=3 1=2.5 2=nan");
    assert_string_equal(log_run_points(r, "val/acc"), "0=0.5");
    assert_string_equal(log_run_points(r, "names"), "");
    assert_string_equal(log_run_points(r, "deep"), "");
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "history.json", "w", "{\"loss\": [3");
    assert_string_equal(log_run_poll(r), ""); /* it may be being written */
    log_run_age(r, "history.json");
    assert_non_null(strstr(log_run_poll(r), "problem history.json -1 "));
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "history.json", "w", "{\"epoch\": [1, 2, 4], \"loss\": [3, 2, 1]}");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=3 2=2 4=1");
}

/* Each series has its own steps, as Sacred writes them. */
static void test_series_with_steps(void **state)
{
    struct log_run *r = *state;
    log_run_put(r, "metrics.json", "w",
                "{\n\"train.loss\": {\"steps\": [0, 10], \"timestamps\": [\"a\", \"b\"], "
                "\"values\": [3, 2.5]}, \"acc\": {\"steps\": [7], \"values\": [0.5]}, "
                "\"odd\": {\"steps\": [1, 2], \"values\": [4]}}");
    log_run_open(r, &sm_jsonl_format, NULL, "metrics.json");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "train.loss"), "0=3 10=2.5");
    assert_string_equal(log_run_points(r, "acc"), "7=0.5");
    assert_string_equal(log_run_points(r, "train.loss/values"), "");
    assert_string_equal(log_run_points(r, "train.loss/steps"), "");
    assert_string_equal(log_run_points(r, "odd"), ""); /* two steps, one value */
    assert_string_equal(log_run_points(r, "odd/values"), "1=4");
}

/* A line that begins with a list, and is whole later; a document that is torn at first. */
static void test_which(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"tags\": [1, 2");
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "t.jsonl", "a", "], \"step\": 5, \"loss\": 2}\n{\"step\": 6, \"loss\": 1}\n");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "5=2 6=1");
    assert_string_equal(log_run_poll(r), "");
}

static void test_one_row(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"tags\": [1, 2], \"step\": 5, \"loss\": 2}\n");
    assert_string_equal(log_run_points(r, "loss"), "5=2");
}

static void test_torn_document(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\n \"loss\": [1, 2");
    assert_int_equal(r->sink->problems, 0);
    log_run_age(r, "t.jsonl");
    log_run_poll(r);
    assert_int_equal(r->sink->problems, 1);
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "t.jsonl", "a", "]\n}\n");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "0=1 1=2");
}

static void test_list_of_rows(void **state)
{
    struct log_run *r = *state;
    log_run_put(r, "log.json", "w", "[{\"epoch\": 1, \"loss\": 3},\n {\"loss\": 2, \"epoch\": 2}]");
    log_run_open(r, &sm_jsonl_format, NULL, "log.json");
    assert_string_equal(log_run_poll(r), "point loss 1 3\npoint loss 2 2\n");
    log_run_put(r, "log.json", "w",
                "[{\"epoch\": 1, \"loss\": 3},\n {\"loss\": 2, \"epoch\": 2},\n {\"epoch\": 3, "
                "\"loss\": 1}]");
    assert_string_equal(log_run_poll(r), "point loss 3 1\n");
}

/* ---- hostile ---- */

static void test_hostile(void **state)
{
    struct log_run *r = *state;
    struct sm_str s = {0};
    for (int i = 0; i < 1000; i++)
        sm_str_printf(&s, "{\"step\":%d.5,\"epoch\":%d.5,\"iter\":%d.5}\n", i, i, i);
    sm_str_add(&s, "{\"step\":1e300,\"a\\u0000b\":1,\"\":2}\n");
    sm_str_fill(&s, '{', 100000);
    sm_str_add(&s, "\n");
    read_text(r, s.data);
    assert_true(r->sink->restarts < 10);
    assert_non_null(strstr(log_run_points(r, "a?b"), "1000=1"));
    sm_str_clear(&s);
}

/* Names that look like steps and are none, one after the other: the file is not read anew for each
 * of them. */
static void test_many_false_steps(void **state)
{
    struct log_run *r = *state;
    struct sm_str s = {0};
    for (int i = 0; i < 1000; i++)
        sm_str_printf(&s, "{\"k%d\":{\"step\":%d},\"loss\":1}\n", i, i);
    for (int i = 0; i < 1000; i++)
        sm_str_printf(&s, "{\"k%d\":{\"step\":0.5},\"loss\":1}\n", i);
    read_text(r, s.data);
    assert_true(r->sink->restarts <= 16);
    sm_str_clear(&s);
}

#define ROW(mode, epoch, iter, loss)                                                               \
    "{\"mode\":\"" mode "\",\"epoch\":" #epoch ",\"iter\":" #iter ",\"lr\":1,\"loss\":" #loss "}"  \
    "\n"

/* Rows of validation have the metric of those of training; they count batches of their own. */
static void test_rows_of_two_phases(void **state)
{
    struct log_run *r = *state;
    read_text(r, ROW("train", 1, 50, 9) ROW("train", 1, 100, 8) ROW("val", 1, 10, 7)
                     ROW("train", 2, 50, 6) ROW("train", 2, 100, 5) ROW("val", 2, 10, 4));
    assert_string_equal(log_run_points(r, "train/loss"), "50=9 100=8 150=6 200=5");
    assert_string_equal(log_run_points(r, "val/loss"), "100=7 200=4");
    assert_string_equal(log_run_points(r, "lr"), "50=1 100=1 100=1 150=1 200=1 200=1");
    assert_string_equal(log_run_points(r, "loss"), "");
}

/* They keep their names where these do not meet. */
static void test_phases_with_names_of_their_own(void **state)
{
    struct log_run *r = *state;
    read_text(r, "{\"split\":\"train\",\"step\":1,\"loss\":9,\"epoch\":1}\n"
                 "{\"split\":\"eval\",\"step\":1,\"eval_loss\":8,\"epoch\":1}\n"
                 "{\"split\":\"other\",\"step\":2,\"loss\":7}\n");
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=7");
    assert_string_equal(log_run_points(r, "eval_loss"), "1=8");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, log_run_setup, log_run_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_nested),
        TEST(test_order),
        TEST(test_detectron),
        TEST(test_better_step),
        TEST(test_nested_step),
        TEST(test_no_step),
        TEST(test_fractions),
        TEST(test_bad_rows),
        TEST(test_a_bad_row_comes),
        TEST(test_iterations_of_epochs),
        TEST(test_settings),
        TEST(test_words),
        TEST(test_damage),
        TEST(test_grows),
        cmocka_unit_test(test_step_names),
        TEST(test_step_files),
        TEST(test_step_files_come),
        TEST(test_one_step_file),
        TEST(test_history),
        TEST(test_list_of_rows),
        TEST(test_which),
        TEST(test_one_row),
        TEST(test_series_with_steps),
        TEST(test_torn_document),
        TEST(test_hostile),
        TEST(test_many_false_steps),
        TEST(test_rows_of_two_phases),
        TEST(test_phases_with_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
