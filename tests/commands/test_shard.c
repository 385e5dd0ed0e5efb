/* SPDX-License-Identifier: Apache-2.0 */
/* A trial that is judged in parts gives the same result, after joining, as if judged at once. */
#include "commands/judge/judge.h"
#include "tests/commands/driver.h"
#include "tests/reader/live.h"
#include "tests/scratch.h"

#include <sys/stat.h>
#include <unistd.h>

enum { PARTS_MAX = 64 };
struct world {
    char dir[64];
    struct sm_str merge; /* "report --merge FILES" */
};

static void save(const char *path, const char *text)
{
    put_file(path, text, strlen(text));
}

/* The status of rules on part k of n; n 0: on all of the trial. setup: the line that attaches them.
 * A trial with a slash is a path below tests/. */
static char *judge_part(const char *trial, const char *setup, unsigned k, unsigned n)
{
    struct driver d;
    struct sm_err err = {0};
    char path[256];
    driver_open(&d, NULL, true);
    d.session->part = k;
    d.session->parts = n;
    snprintf(path, sizeof path, "tests/%s%s", strchr(trial, '/') ? "" : "trials/", trial);
    assert_true(sm_session_open(d.session, path, NULL, true, &err));
    driver_say(&d, setup, SM_FROM_OPTION);
    char *text = sm_xstrdup(driver_say(&d, "rule status -wait -all -json", SM_FROM_OPTION));
    driver_close(&d);
    return text;
}

static void judge_parts(struct world *w, const char *trial, const char *setup, unsigned n)
{
    sm_str_truncate(&w->merge, 0);
    sm_str_add(&w->merge, "report --merge");
    for (unsigned k = 0; k < n; k++) {
        char path[128], *text = judge_part(trial, setup, k, n);
        snprintf(path, sizeof path, "%s/%u.json", w->dir, k);
        save(path, text);
        sm_str_printf(&w->merge, " %s", path);
        sm_free(text);
    }
}

static void assert_joined(struct world *w, const char *trial, const char *setup, unsigned n)
{
    struct driver d;
    char *undivided = judge_part(trial, setup, 0, 0);
    judge_parts(w, trial, setup, n);
    sm_str_add(&w->merge, " -json");
    driver_open(&d, NULL, true);
    assert_string_equal(driver_say(&d, sm_str_text(&w->merge), SM_FROM_OPTION), undivided);
    assert_int_equal(sm_judge(d.session)->merged_fired,
                     strstr(undivided, ":\"IssuesFound\"") != NULL);
    driver_close(&d);
    sm_free(undivided);
}

static void test_automatic_rules(void **state)
{
    static const char *const trials[] = {
        "cnn_dead_relu",  "cnn_class_imbalance", "mlp_overfit",
        "xgb_classifier", "ddp_two_workers",     "mlp_exploding_tensor",
        "shapes_only",    "tf_mirrored_names",   "killed_at_start"};
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        assert_joined(*state, trials[i], "rule auto", 2);
        assert_joined(*state, trials[i], "rule auto", 3);
    }
    assert_joined(*state, "mlp_poor_init", "rule auto", PARTS_MAX); /* more parts than steps */
}

static const char configurations[] =
    "[{\"RuleConfigurationName\":\"vg\",\"RuleParameters\":{\"rule_to_invoke\":"
    "\"VanishingGradient\",\"policy\":\"continue\"}},"
    "{\"RuleConfigurationName\":\"et\",\"RuleParameters\":{\"rule_to_invoke\":\"ExplodingTensor\","
    "\"policy\":\"continue\",\"workers\":\"all\"}},"
    "{\"RuleConfigurationName\":\"ratio\",\"RuleParameters\":{\"rule_to_invoke\":"
    "\"WeightUpdateRatio\",\"policy\":\"continue\"}},"
    "{\"RuleConfigurationName\":\"same\",\"RuleParameters\":{\"rule_to_invoke\":"
    "\"UnchangedTensor\",\"collection_names\":\"weights\",\"policy\":\"continue\"}},"
    "{\"RuleConfigurationName\":\"loss\",\"RuleParameters\":{\"rule_to_invoke\":"
    "\"LossNotDecreasing\",\"policy\":\"continue\"}},"
    "{\"RuleConfigurationName\":\"relu\",\"RuleParameters\":{\"rule_to_invoke\":\"DeadRelu\","
    "\"policy\":\"continue\",\"mode\":\"train\"}},"
    "{\"RuleConfigurationName\":\"bad\",\"RuleParameters\":{\"rule_to_invoke\":\"TensorVariance\","
    "\"collection_names\":\"nosuch\",\"max_threshold\":\"1\"}},"
    "{\"RuleConfigurationName\":\"late\",\"RuleParameters\":{\"rule_to_invoke\":\"AllZero\","
    "\"tensor_regex\":\"bias\",\"start_step\":\"10\",\"end_step\":\"17\"}},"
    "{\"RuleConfigurationName\":\"own\",\"RuleParameters\":{\"rule_to_invoke\":\"expr\",\"expr\":"
    "\"mean(abs(x)) > 0.05\",\"collection_names\":\"gradients\","
    "\"policy\":\"continue\",\"message\":\"mean {mean(abs(x))}\"}},"
    "{\"RuleConfigurationName\":\"ema\",\"RuleParameters\":{\"rule_to_invoke\":\"expr\",\"expr\":"
    "\"ema(CrossEntropyLoss_output_0, 0.5) > 0.9\",\"policy\":\"continue\"}},"
    "{\"RuleConfigurationName\":\"wrong\",\"RuleParameters\":{\"rule_to_invoke\":\"expr\",\"expr\":"
    "\"shape(x) > 3 && nosuch > 1\",\"collection_names\":\"gradients\"}},"
    "{\"RuleConfigurationName\":\"other\",\"RuleParameters\":{\"rule_to_invoke\":"
    "\"SimilarAcrossRuns\",\"other_trials\":\"tests/trials/cnn_healthy\"}}]";

static void test_rules_that_continue(void **state)
{
    static const char *const trials[] = {"cnn_dead_relu", "mlp_vanishing_gradient",
                                         "mlp_exploding_tensor", "ddp_two_workers"};
    struct world *w = *state;
    char path[128], line[256];
    snprintf(path, sizeof path, "%s/rules", w->dir);
    save(path, configurations);
    snprintf(line, sizeof line, "rule load -quiet %s", path);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        assert_joined(w, trials[i], line, 2);
        assert_joined(w, trials[i], line, 5);
    }
}

static void assert_refused(struct world *w, const char *files, const char *why)
{
    struct driver d;
    char line[1024];
    snprintf(line, sizeof line, "report --merge %s", files);
    driver_open(&d, NULL, true);
    driver_say(&d, line, SM_FROM_OPTION);
    if (!strstr(sm_str_text(&d.err), why))
        fail_msg("\"%s\" is missing in %s", why, sm_str_text(&d.err));
    assert_string_equal(sm_str_text(&d.out), "");
    driver_close(&d);
    (void)w;
}

static void test_results_that_cannot_be_joined(void **state)
{
    struct world *w = *state;
    char a[128], b[128], files[512];
    snprintf(a, sizeof a, "%s/0.json", w->dir);
    snprintf(b, sizeof b, "%s/1.json", w->dir);
    judge_parts(w, "mlp_overfit", "rule auto", 3);
    snprintf(files, sizeof files, "%s %s", a, b);
    assert_refused(w, files, "Part 3 of 3 of mlp_overfit is missing.");
    snprintf(files, sizeof files, "%s %s/2.json %s", a, w->dir, a);
    assert_refused(w, files, "both are part 1");
    judge_parts(w, "mlp_overfit", "rule auto", 2);
    snprintf(files, sizeof files, "%s %s %s/2.json", a, b, w->dir);
    assert_refused(w, files, "not parts of the same steps of mlp_overfit");
    save(a, "{\"a\":1}");
    assert_refused(w, a, "not a result of -batch --rules --json");
    save(a, "[{\"instance\":\"x\",\"status\":\"Error\",\"datapoints\":\"1\"}]");
    assert_refused(w, a, "not a result of -batch --rules --json");
    save(a, "[[1]]");
    assert_refused(w, a, "not a result of -batch --rules --json");
    save(a, "[1,");
    assert_refused(w, a, "0.json: ");
    assert_refused(w, "", "Argument required (FILE)");
    assert_refused(w, "/nonexistent/x", "/nonexistent/x: No such file");
}

static void test_results_of_several_trials(void **state)
{
    struct world *w = *state;
    struct driver d;
    char line[512], path[128], *text = judge_part("cnn_dead_relu", "rule add DeadRelu", 0, 0);
    judge_parts(w, "mlp_overfit", "rule add Overfit", 2);
    snprintf(path, sizeof path, "%s/whole.json", w->dir);
    save(path, text);
    sm_free(text);
    snprintf(line, sizeof line, "%s %s -field trial,instance,status,first_step",
             sm_str_text(&w->merge), path);
    driver_open(&d, NULL, true);
    assert_string_equal(driver_say(&d, line, SM_FROM_OPTION),
                        "TRIAL          RULE      STATUS       FIRST\n"
                        "mlp_overfit    Overfit   IssuesFound     22\n"
                        "cnn_dead_relu  DeadRelu  IssuesFound      0\n");
    driver_close(&d);
}

static void test_runs_are_dealt_out(void **state)
{
    struct world *w = *state;
    char files[512], setup_line[600], *part;
    snprintf(files, sizeof files, "%s/rules", w->dir);
    save(files,
         "[{\"RuleConfigurationName\":\"loss\",\"RuleParameters\":"
         "{\"rule_to_invoke\":\"LossNotDecreasing\"}},"
         "{\"RuleConfigurationName\":\"high\",\"RuleParameters\":{\"rule_to_invoke\":\"expr\","
         "\"expr\":\"x > 2\",\"tensor_regex\":\"loss\"}}]");
    snprintf(setup_line, sizeof setup_line, "rule load -all -quiet %s", files);
    assert_joined(w, "samples/sweep", setup_line, 2);
    assert_joined(w, "samples/sweep", setup_line, 3);
    assert_joined(w, "samples/sweep", setup_line, 40); /* more than runs: their steps are divided */
    part = judge_part("samples/sweep", setup_line, 1, 3);
    assert_null(strstr(part, "\"trial\":\"run-0\""));
    assert_non_null(strstr(part, "\"trial\":\"run-1\""));
    assert_null(strstr(part, "\"trial\":\"run-2\""));
    sm_free(part);
    judge_parts(w, "samples/sweep", setup_line, 3);
    snprintf(files, sizeof files, "%s/2.json %s/0.json", w->dir, w->dir);
    assert_refused(w, files, "Part 2 of 3 of the runs of tests/samples/sweep is missing.");
    snprintf(files, sizeof files, "%s/2.json %s/0.json %s/1.json %s/2.json", w->dir, w->dir, w->dir,
             w->dir);
    assert_refused(w, files, "run 3 of tests/samples/sweep is in two files.");
    part = judge_part("samples/sweep", setup_line, 1, 2);
    snprintf(files, sizeof files, "%s/1.json", w->dir);
    save(files, part);
    sm_free(part);
    snprintf(files, sizeof files, "%s/2.json %s/0.json %s/1.json", w->dir, w->dir, w->dir);
    assert_refused(w, files, "not parts of the same runs of tests/samples/sweep");
}

static int setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    return make_scratch(w->dir, sizeof w->dir) ? 0 : -1;
}

static int teardown(void **state)
{
    struct world *w = *state;
    remove_tree(w->dir);
    sm_str_clear(&w->merge);
    free(w);
    return 0;
}

#define UNIT(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(test_automatic_rules),
        UNIT(test_rules_that_continue),
        UNIT(test_results_that_cannot_be_joined),
        UNIT(test_results_of_several_trials),
        UNIT(test_runs_are_dealt_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
