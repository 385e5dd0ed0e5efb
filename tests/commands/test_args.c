/* SPDX-License-Identifier: Apache-2.0 */
/* The tensor, step, mode and worker that a line names, in a real trial. cnn_healthy: TRAIN 0, 10,
 * ... 80 at the global steps 0 10 20 34 44 54 68 78 88, EVAL 0 2 4 6 8 10 11 at 30 32 64 66 98 100
 * 101; weights are saved up to 100. */
#include "commands/language/command_line.h"
#include "commands/place/place.h"
#include "commands/place/select.h"
#include "tests/commands/driver.h"

static struct driver d;

static int set_up(void **state)
{
    (void)state;
    driver_open(&d, "cnn_healthy", false);
    driver_prompt(&d, "info trial");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return 0;
}

/* A parsed call of a command with the arguments step, mode and worker. */
static const struct sm_arg args[] = {{.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
                                     {.name = "NAME", .kind = SM_ARG_TENSOR, .repeats = true},
                                     {0}};
static const struct sm_cmd command = {.name = "test", .args = args};
static struct sm_word mode_word;
static const struct sm_word *keywords[3];

static struct sm_call new_call(const char *mode)
{
    mode_word = (struct sm_word){.text = sm_text(mode ? mode : "")};
    keywords[0] = mode ? &mode_word : NULL;
    return (struct sm_call){.session = d.session, .cmd = &command, .keyword_values = keywords};
}

/* "0 10 20", or the error. */
static const char *steps(const char *spec, const char *mode, const char *tensor)
{
    static char text[300];
    struct sm_call c = new_call(mode);
    struct sm_steps out = {0};
    struct sm_err err = {0};
    struct sm_trial *t = sm_session_trial(d.session);
    const struct sm_trial_tensor *of = tensor ? sm_trial_find(t, tensor, strlen(tensor)) : NULL;
    text[0] = 0;
    struct sm_place among = sm_place_all(d.session, SM_MODE_ANY);
    among.tensor = of ? of->name : SM_NAME_NONE;
    if (!sm_place_mode_given(&c, &among.mode, &err) ||
        !sm_place_steps(&c, among, sm_text(spec), &out, &err))
        snprintf(text, sizeof text, "%s", err.msg);
    for (size_t i = 0; i < out.n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld", i ? " " : "",
                 (long long)out.items[i].n);
    sm_arena_clear(&c.arena);
    return text;
}

static void step_specs(void **state)
{
    (void)state;
    assert_string_equal(steps("20", NULL, NULL), "20");
    /* not on disk, but returned: the command explains why it has no value */
    assert_string_equal(steps("21", NULL, NULL), "21");
    assert_string_equal(steps("10:34", NULL, NULL), "10 20 30 32");
    assert_string_equal(steps("10..34", NULL, NULL), "10 20 30 32 34");
    assert_string_equal(steps("11:35", NULL, NULL), "20 30 32 34");
    assert_string_equal(steps("10:60:10", NULL, NULL), "10 20 30");
    assert_string_equal(steps("98:", NULL, NULL), "98 100 101");
    assert_string_equal(steps(":20", NULL, NULL), "0 10");
    assert_string_equal(steps("::44", NULL, NULL), "0 44 88");
    assert_string_equal(steps("100..", NULL, NULL), "100 101");
    assert_string_equal(steps("first", NULL, NULL), "0");
    assert_string_equal(steps("last", NULL, NULL), "101");
    assert_string_equal(steps("last", NULL, "CNN_conv0.weight"), "100");
    assert_string_equal(steps("~50", NULL, NULL), "54");
    assert_string_equal(steps("~31", NULL, NULL), "30");
    assert_string_equal(steps("20,0,5..15,20", NULL, NULL), "0 10 20");
    assert_string_equal(steps("all", NULL, "gradient/CNN_fc0.bias"), "0 10 20 34 44 54 68 78 88");
}

static void mode_steps(void **state)
{
    (void)state;
    assert_string_equal(steps("4", "eval", NULL), "64");
    assert_string_equal(steps("30..50", "train", NULL), "34 44 54");
    assert_string_equal(steps("10:11", "EVAL", NULL), "100");
    assert_string_equal(steps("last", "train", NULL), "88");
    assert_string_equal(steps("all", "eval", "CNN_conv0.weight"), "30 32 64 66 98 100");
    assert_string_equal(steps("3", "eval", NULL), "There is no step 3 of EVAL.  Nearest: 2.");
    assert_string_equal(steps("last", "predict", NULL), "There are no PREDICT steps yet.");
    assert_string_equal(steps("34", "global", NULL), "34");
    assert_string_equal(steps("1", "nosuch", NULL),
                        "Undefined mode \"nosuch\".  Choose one of: train, eval, predict, global.");
}

static void relative_steps(void **state)
{
    (void)state;
    assert_string_equal(steps(".", NULL, NULL), "101"); /* no step is chosen: the newest */
    driver_prompt(&d, "tensor CNN_conv0.weight step 34");
    assert_string_equal(steps(".", NULL, NULL), "34");
    assert_string_equal(steps("+1", NULL, NULL), "44");
    assert_string_equal(steps("-2", NULL, NULL), "30");
    assert_string_equal(steps("-1", "train", NULL), "20");
    assert_string_equal(steps(".:50", NULL, NULL), "34 44");
    assert_string_equal(steps("-9", NULL, NULL), "There is no step -9 from the current step.");
}

static void bad_specs(void **state)
{
    (void)state;
    const char *const bad[] = {"",  "x",  "1:x",  "1:2:0", "1:2:-1",
                               "~", "~x", "1,,2", "1.5",   "@noon"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!strstr(steps(bad[i], NULL, NULL), "nvalid"))
            fail_msg("\"%s\" gave %s", bad[i], steps(bad[i], NULL, NULL));
    assert_complaint(&d, "tensor CNN_conv0.weight step 1:20", "Expected one step, not \"1:20\".\n");
}

static void steps_by_wall_time(void **state)
{
    (void)state;
    driver_prompt(&d, "info steps"); /* reads the times */
    assert_string_equal(steps("@-100d", NULL, NULL), "0");
    assert_string_equal(steps("@-100ms", NULL, NULL), "34");
    assert_string_equal(steps("@02:47:50", NULL, NULL), "0");
    assert_string_equal(steps("@-0s", NULL, NULL), "101");
}

/* ---- selections ---- */

static const char *selected(const char *words)
{
    static struct sm_str text;
    struct sm_call c = new_call(NULL);
    struct sm_selection out = {0};
    struct sm_err err = {0};
    struct sm_word list[8];
    size_t n = 0, at = 0;
    while (sm_line_word(words, strlen(words), &at, &c.arena, &list[n], &err))
        n++;
    sm_str_truncate(&text, 0);
    if (!sm_args_select(&c, list, n, &out, &err))
        sm_str_add(&text, err.msg);
    for (size_t i = 0; i < out.n; i++)
        sm_str_printf(&text, "%s%s", i ? " " : "",
                      sm_trial_tensor_name(sm_session_trial(d.session), out.items[i]));
    sm_arena_clear(&c.arena);
    return sm_str_text(&text);
}

static void patterns(void **state)
{
    (void)state;
    assert_string_equal(selected("labels"), "labels");
    assert_string_equal(selected("CNN_conv*.weight"), "CNN_conv0.weight CNN_conv1.weight");
    assert_string_equal(selected("relu[02]_output_0"), "relu0_output_0 relu2_output_0");
    assert_string_equal(selected("relu?_input_[0]"), "relu0_input_0 relu1_input_0 relu2_input_0");
    assert_string_equal(selected("/^CNN.*bias$/"),
                        "CNN_conv0.bias CNN_conv1.bias CNN_fc0.bias CNN_fc1.bias");
    assert_string_equal(selected("+losses"), "CrossEntropyLoss_output_0");
    assert_string_equal(selected("labels scalar/*"), "labels scalar/accuracy scalar/learning_rate");
    assert_string_equal(selected("CNN_* !*bias !/fc/"), "CNN_conv0.weight CNN_conv1.weight");
    assert_string_equal(selected("!*_* !gradient*"), "labels probabilities scalar/accuracy");
    assert_string_equal(selected("nosuch*"), "");
    assert_string_equal(selected("label"), "No tensor \"label\". Did you mean \"labels\"?");
    assert_string_equal(selected("\"CNN*\""),
                        "No tensor \"CNN*\". Did you mean \"CNN_conv0.bias\"?");
    assert_string_equal(selected("\"zz*\""), "No tensor \"zz*\". Try \"tensors\".");
    assert_string_equal(selected("+nosuch"),
                        "No collection \"nosuch\".  Try \"info collections\".");
    assert_non_null(strstr(selected("/(/"), "Invalid regular expression \"(\""));
}

static void case_may_be_ignored(void **state)
{
    (void)state;
    assert_string_equal(selected("cnn_conv?.BIAS"), "");
    driver_prompt(&d, "set case off");
    assert_string_equal(selected("cnn_conv?.BIAS"), "CNN_conv0.bias CNN_conv1.bias");
    assert_string_equal(selected("/CONV1.bias/"), "CNN_conv1.bias gradient/CNN_conv1.bias");
    assert_string_equal(selected("LABELS"), "labels");
}

static void a_hostile_regex_terminates(void **state)
{
    (void)state;
    assert_string_equal(selected("/(.+)+(.+)+(.+)+\\d\\d\\d$/"), "");
}

/* ---- targets ---- */

static void the_current_place_changes(void **state)
{
    (void)state;
    struct sm_place *at = &d.session->at;
    assert_true(at->follow);
    driver_prompt(&d, "tensor CNN_conv0.bias");
    assert_int_equal(at->step.n, -1); /* the newest was shown, but no step is chosen */
    assert_true(at->tensor != SM_NAME_NONE);
    driver_prompt(&d, "tensor CNN_conv0.bias step 20");
    assert_int_equal(at->step.n, 20);
    assert_false(at->follow);
    const char *answer = driver_prompt(&d, "tensor labels[0]");
    assert_non_null(strstr(answer, "step 20 (train 20)"));
    driver_prompt(&d, "tensor step 34"); /* the current tensor */
    assert_non_null(strstr(sm_str_text(&d.out), "labels  step 34 (train 30)"));
    driver_prompt(&d, "tensor last");
    assert_true(at->follow);
    driver_prompt(&d, "tensor CNN_conv0.bias@10");
    assert_int_equal(at->step.n, 10);
    driver_prompt(&d, "tensor CNN_conv0.bias mode eval");
    assert_int_equal(at->step.n, 100);
    assert_int_equal(at->mode, SM_MODE_EVAL);
    driver_prompt(&d, "tensor CNN_conv0.bias worker 0");
    assert_int_equal(at->worker, 0);
}

static void missing_values_are_explained(void **state)
{
    (void)state;
    assert_complaint(&d, "tensor CNN_conv0.wieght",
                     "No tensor \"CNN_conv0.wieght\". Did you mean \"CNN_conv0.weight\"?\n");
    assert_int_equal(d.session->exit_code, 4);
    assert_complaint(&d, "tensor CNN_conv0.weight 13",
                     "No value of CNN_conv0.weight at step 13: nothing was saved at that step. "
                     "Nearest: 10, 20.\n");
    assert_complaint(&d, "tensor labels 5000",
                     "No value of labels at step 5000: the newest step is 101. Nearest: 100.\n");
    assert_complaint(&d, "tensor labels worker nosuch",
                     "No worker \"nosuch\".  Workers: worker_0.\n");
    assert_complaint(&d, "tensor gradient/CNN_fc0.bias 30",
                     "No value of gradient/CNN_fc0.bias at step 30: it was saved in TRAIN steps "
                     "only, and step 30 is EVAL 0. "
                     "Nearest: 20, 34.\n");
    assert_complaint(&d, "tensor labels 101",
                     "No value of labels at step 101: collection custom_labels saves every 2 steps "
                     "of EVAL, and step 101 is "
                     "EVAL 11. Nearest: 100.\n");
    assert_int_equal(d.session->exit_code, 4);
}

static void without_a_trial(void **state)
{
    (void)state;
    driver_prompt(&d, "close");
    assert_complaint(&d, "tensor x", "No trial is open.  Use \"open PATH\".\n");
    assert_int_equal(d.session->exit_code, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(step_specs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mode_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relative_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_specs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(steps_by_wall_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(patterns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(case_may_be_ignored, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hostile_regex_terminates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_current_place_changes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_values_are_explained, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_trial, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
