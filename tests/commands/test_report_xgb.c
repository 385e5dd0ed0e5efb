/* SPDX-License-Identifier: Apache-2.0 */
/* report xgb for a trial of each task, written by the test. The expected JSON is computed by hand.
 */
#include "tests/commands/driver.h"
#include "tests/reader/live.h"

struct world {
    struct live *live;
    struct driver d;
};

static void put_floats(struct sm_writer *w, const char *name, const float *x, uint64_t n,
                       uint64_t columns)
{
    struct sm_err err;
    struct sm_event_value v = {.tag = sm_text(name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_dims = columns ? 2 : 1,
                               .dims = {n, columns},
                               .n_elements = n * (columns ? columns : 1)};
    v.content = (struct sm_bytes){(const uint8_t *)x, v.n_elements * sizeof *x};
    assert_true(sm_writer_tensor(w, &v, 1e9, &err));
}

static void put_objective(struct sm_writer *w, const char *text)
{
    struct sm_err err;
    struct sm_text s = sm_text(text);
    struct sm_event_value v = {.tag = sm_text("hyperparameters/objective"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_STRING,
                               .n_dims = 1,
                               .dims = {1},
                               .n_elements = 1,
                               .strings = &s};
    assert_true(sm_writer_tensor(w, &v, 1e9, &err));
}

/* Writes one step. objective: NULL if not saved. */
static void write_round(struct live *l, int64_t step, const char *objective, const float *labels,
                        const float *predictions, uint64_t n, uint64_t columns)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, SM_MODE_GLOBAL, step, &err));
    if (objective)
        put_objective(w, objective);
    put_floats(w, "labels", labels, n, 0);
    if (predictions)
        put_floats(w, "predictions", predictions, n, columns);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static void write_metric(struct live *l, int64_t step, const char *name, float v)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    char other[64];
    snprintf(other, sizeof other, "train-%s", strchr(name, '-') + 1);
    const float trained = 1 / (float)(step + 1);
    assert_true(sm_writer_begin_step(w, step, SM_MODE_GLOBAL, step, &err));
    put_floats(w, other, &trained, 1, 0);
    put_floats(w, name, &v, 1, 0);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static const char *run_line(struct world *w, const char *line)
{
    struct sm_err err = {0};
    write_collections(w->live, "worker_0", 1);
    driver_open(&w->d, NULL, true);
    assert_true(sm_session_open(w->d.session, w->live->path, NULL, true, &err));
    return driver_say(&w->d, line, SM_FROM_OPTION);
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is missing in %s", part, text);
}

static void test_two_classes(void **state)
{
    struct world *w = *state;
    const float labels[] = {0, 0, 1, 1}, bad[] = {0.9f, 0.9f, 0.1f, 0.2f},
                good[] = {0.1f, 0.4f, 0.35f, 0.8f};
    write_round(w->live, 0, "binary:logistic", labels, bad, 4, 0);
    write_round(w->live, 5, "binary:logistic", labels, good, 4, 0);
    const char *text = run_line(w, "report xgb -json");
    assert_has(text, "\"task\":\"binary "
                     "classification\",\"objective\":\"binary:logistic\",\"labels\":{\"step\":5,"
                     "\"classes\":[{\"class\":0,\"count\":2},{\"class\":1,\"count\":2}]}");
    assert_has(text, "\"confusion\":{\"classes\":[0,1],\"counts\":[[2,0],[1,1]]}");
    assert_has(text, "\"accuracy\":0.75");
    assert_has(
        text,
        "\"class_accuracy\":[{\"class\":\"0\",\"values\":[0,1],\"first\":0,\"best\":1,\"last\":1},"
        "{\"class\":\"1\",\"values\":[0,0.5],\"first\":0,\"best\":0.5,\"last\":0.5}]");
    assert_has(text, "\"roc\":{\"auc\":0.75,\"false_positive_rate\":[0,0,0.5,0.5,1],\"true_"
                     "positive_rate\":[0,0.5,0.5,1,1]}");
    text = driver_say(&w->d, "report xgb", SM_FROM_OPTION);
    assert_has(text, "Area under the curve 0.75.");
    assert_has(text, "Overall accuracy 0.75.");
}

static void test_raw_scores_are_cut_at_0(void **state)
{
    struct world *w = *state;
    const float labels[] = {0, 0, 1, 1}, scores[] = {-0.1f, 0.2f, 0.3f, 4};
    write_round(w->live, 0, "binary:logitraw", labels, scores, 4, 0);
    assert_has(run_line(w, "report xgb -json"), "\"counts\":[[1,1],[0,2]]");
}

static void test_two_columns_of_scores(void **state)
{
    struct world *w = *state;
    const float labels[] = {0, 1, 1}, scores[] = {0.6f, 0.4f, 0.3f, 0.7f, 0.8f, 0.2f};
    write_round(w->live, 0, "binary:logistic", labels, scores, 3, 2);
    const char *text = run_line(w, "report xgb -json");
    assert_has(text, "\"counts\":[[1,0],[1,1]]");
    assert_has(text, "\"auc\":0.5");
}

static void test_numbers(void **state)
{
    struct world *w = *state;
    const float labels[] = {0, 2.5f, 5, 10}, first[] = {1, 2, 5, 6}, last[] = {0.5f, 2.5f, 5, 9};
    write_round(w->live, 0, "reg:squarederror", labels, first, 4, 0);
    write_round(w->live, 1, "reg:squarederror", labels, last, 4, 0);
    const char *text = run_line(w, "report xgb -json");
    assert_has(text, "\"task\":\"regression\"");
    assert_has(text, "\"residuals\":{\"mean\":0.125,");
    assert_has(text, "\"mean_absolute\":0.375,\"root_mean_square\":0.55901699437494745,");
    assert_has(text, "\"error_by_label\":[{\"from\":0,\"to\":1,\"count\":1,\"values\":[1,0.5],"
                     "\"first\":1,\"best\":0.5,\"last\":0.5},");
    assert_has(
        text,
        "{\"from\":9,\"to\":10,\"count\":1,\"values\":[4,1],\"first\":4,\"best\":1,\"last\":1}]");
    assert_has(driver_say(&w->d, "report xgb", SM_FROM_OPTION),
               "Residuals (label - prediction) at the newest step");
}

static void test_the_task_is_guessed(void **state)
{
    struct world *w = *state;
    const float labels[] = {0, 1, 2.5f}, predictions[] = {0, 1, 2};
    write_round(w->live, 0, NULL, labels, predictions, 3, 0);
    assert_has(run_line(w, "report xgb"),
               "regression, guessed from the labels: hyperparameters/objective was not saved.");
}

static void test_mismatched_predictions_are_omitted(void **state)
{
    struct world *w = *state;
    const float labels[] = {0, 1, 1}, scores[] = {0.6f, 0.4f, 0.3f, 0.7f, 0.8f, 0.2f, 1, 1, 1};
    write_round(w->live, 0, "binary:logistic", labels, scores, 3, 3);
    write_round(w->live, 1, "binary:logistic", labels, NULL, 3, 0);
    const char *text = run_line(w, "report xgb -json");
    assert_has(text, "\"scored_steps\":[]");
    assert_null(strstr(text, "confusion"));
}

static void test_comments(void **state)
{
    struct world *w = *state;
    const float falls_and_rises[] = {1, 0.5f, 0.4f, 0.6f, 0.8f};
    for (int64_t step = 0; step < 5; step++)
        write_metric(w->live, step, "validation-rmse", falls_and_rises[step]);
    assert_has(run_line(w, "report xgb"),
               "Validation was best at step 2 (0.4) and has lost 100% since, "
               "training has not: overfitting.");
}

static void test_comment_on_more_rounds(void **state)
{
    struct world *w = *state;
    for (int64_t step = 0; step < 5; step++)
        write_metric(w->live, step, "eval-auc", 0.5f + 0.1f * (float)step);
    assert_has(run_line(w, "report xgb"),
               "Validation still improves (11.1% over the last quarter): underfitting so far");
}

static void test_no_boosted_trees(void **state)
{
    struct world *w = *state;
    write_step(w->live, "worker_0", 0);
    assert_string_equal(run_line(w, "report xgb"), "");
    assert_has(sm_str_text(&w->d.err),
               "No metrics, importances or labels of boosted trees were saved.");
}

static int setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    void *live = NULL;
    int failed = live_setup(&live);
    w->live = live;
    *state = w;
    return failed;
}

static int teardown(void **state)
{
    struct world *w = *state;
    void *live = w->live;
    driver_close(&w->d);
    free(w);
    return live_teardown(&live);
}

#define UNIT(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(test_two_classes),
        UNIT(test_raw_scores_are_cut_at_0),
        UNIT(test_two_columns_of_scores),
        UNIT(test_numbers),
        UNIT(test_the_task_is_guessed),
        UNIT(test_mismatched_predictions_are_omitted),
        UNIT(test_comments),
        UNIT(test_comment_on_more_rounds),
        UNIT(test_no_boosted_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
