/* SPDX-License-Identifier: Apache-2.0 */
/* doc/stories: one for each fault demo; at most six commands lead to the tensor and step at which
 * the fault started. Slow runs, found and mended, of recordings. Faults that checkpoints show. */
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "reader/demo/train.h"

#include <sys/wait.h>
#include <unistd.h>

enum { COMMANDS_MAX = 6 };

/* steps: the number that the fault needs to show. tensor, step: current at the end of the story.
 * output: text that must be in its output. */
static const struct story {
    const char *demo;
    int64_t steps;
    const char *tensor;
    int64_t step;
    const char *output;
} stories[] = {
    {"vanishing_gradient", 1, "gradient/dense2_weight", 0, "gradient/dense2_weight  mean |x| "},
    {"exploding_tensor", 15, "conv0_weight", 1, "conv0_weight"},
    {"dead_relu", 1, "relu0_output_0", 0, "first zero  origin\n"},
    {"poor_weight_initialization", 1, "conv0_weight", 0, "[gradients] p95-p5 = 0 < 0.001"},
    {"saturated_activation", 1, "dense0_weight", 0, "of 24 nodes saturated"},
    {"loss_not_decreasing", 500, "CrossEntropyLoss_output_0", 440, "fell too little"},
    {"overfit", 60, "CrossEntropyLoss_output_0", 52, "ratio 0."},
    {"class_imbalance", 200, "eval_labels", 202, "class counts 0:"},
    {"unnormalized_input", 160, "CNN_input_0", 0, "mean of channel 0 = "},
    {"stalled", 1200, NULL, 298, "last step         298\n"},
    {"all_zero", 1, "conv0_weight", 0, "conv0_weight  all 200 are 0  first zero  origin\n"},
    {"unchanged_tensor", 60, "conv1_weight", -1, "$1 = 0\n"},
};

static char dir[64];

static void exit_child(void *ctx)
{
    (void)ctx;
    _exit(0);
}

/* Trains in a child process: a demo that stalls does not return. */
static void train(const struct story *s, const char *path)
{
    struct sm_demo_result result;
    struct sm_err err;
    int status;
    const struct sm_demo_run run = {.demo = sm_demo_find(s->demo),
                                    .seed = 1,
                                    .dir = path,
                                    .steps = s->steps,
                                    .stalled = exit_child};
    assert_non_null(run.demo);
    pid_t child = fork();
    if (child == 0)
        _exit(!sm_demo_train(&run, &result, &err));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static size_t count_commands(const char *file)
{
    char line[400];
    size_t n = 0;
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        n += line[0] != '#' && line[0] != '\n';
    fclose(f);
    return n;
}

static void expect_place(struct driver *d, const struct story *s)
{
    const struct sm_place *at = &d->session->at;
    const struct sm_trial *t = sm_session_trial(d->session);
    if (s->tensor && (at->tensor == SM_NAME_NONE ||
                      strcmp(sm_names_text(sm_trial_names(t), at->tensor), s->tensor) != 0))
        fail_msg("%s ends at another tensor:\n%s", s->demo, sm_str_text(&d->out));
    if (s->step >= 0 && sm_session_step(d->session).n != s->step)
        fail_msg("%s ends at step %lld:\n%s", s->demo, (long long)sm_session_step(d->session).n,
                 sm_str_text(&d->out));
}

static void run_story(const struct story *s)
{
    struct driver d;
    struct sm_err err;
    char path[128], file[128];
    snprintf(path, sizeof path, "%s/%s", dir, s->demo);
    snprintf(file, sizeof file, "doc/stories/%s.smdbg", s->demo);
    train(s, path);
    driver_open(&d, NULL, true);
    assert_true(sm_session_open(d.session, path, NULL, true, &err));
    sm_exec_file(d.exec, file, NULL, 0);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.err), "");
    if (!strstr(sm_str_text(&d.out), s->output))
        fail_msg("%s does not print \"%s\":\n%s", s->demo, s->output, sm_str_text(&d.out));
    expect_place(&d, s);
    assert_in_range(count_commands(file), 1, COMMANDS_MAX);
    driver_close(&d);
}

/* found: in the output, before `mended`. */
static const struct slow {
    const char *story, *sample, *found, *mended;
} slow_runs[] = {
    {"input_bound", "tests/samples/profile_slow_loader",
     "CAUSE input-bound, since step 0\n  the data loader is waited for in 93 %",
     "SPEED balanced\n"},
    {"straggling_worker", "tests/samples/profile_straggler",
     "CAUSE straggling worker, since step 0\n  algo-1-11010: 119 ms for a step, the others 59.7 ms",
     "SPEED balanced\n"},
    {"throttled", "tests/samples/profile_limited",
     "CAUSE throttled, since step 0\n  the CPU limit stopped the program in 100 %",
     "SPEED balanced\n"},
};

static void run_slow(const struct slow *s)
{
    struct driver d;
    struct sm_err err;
    char file[128];
    snprintf(file, sizeof file, "doc/stories/%s.smdbg", s->story);
    driver_open(&d, NULL, true);
    assert_true(sm_session_open(d.session, s->sample, NULL, true, &err));
    sm_exec_file(d.exec, file, NULL, 0);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.err), "");
    const char *found = strstr(sm_str_text(&d.out), s->found);
    if (!found || !strstr(found, s->mended))
        fail_msg("%s does not print \"%s\" and then \"%s\":\n%s", s->story, s->found, s->mended,
                 sm_str_text(&d.out));
    assert_in_range(count_commands(file), 1, COMMANDS_MAX);
    driver_close(&d);
}

static void slow_runs_are_found_and_mended(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof slow_runs / sizeof *slow_runs; i++)
        run_slow(&slow_runs[i]);
}

/* Checkpoints: what must be in the output. */
static const struct saved {
    const char *story, *sample, *found, *cause; /* cause: NULL, or what the verdict begins with */
} of_checkpoints[] = {
    {"lora_never_trained", "tests/samples/checkpoints/lora",
     "2 of 8 are all zero at both steps: layers.1.q_proj.lora_B.weight, "
     "layers.1.v_proj.lora_B.weight.\n",
     "CAUSE a layer that is not trained, since step 10\n"},
    {"exchanged_layers", "tests/samples/checkpoints/converted",
     "layers.1.attn.weight  model.layers.2.self_attn.kernel\n"
     "5 equal (5 as bfloat16), 0 close, 2 different, 0 incomparable.\n",
     NULL},
    {"checkpoint_with_nan", "tests/samples/checkpoints/nan", "block1.weight   400  (1, 2)    nan",
     "CAUSE NaN or infinity that arises in the network, since step 301 to 400\n"},
};

static void checkpoints_are_explained(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof of_checkpoints / sizeof *of_checkpoints; i++) {
        const struct saved *s = &of_checkpoints[i];
        struct driver d;
        struct sm_err err;
        char file[128];
        snprintf(file, sizeof file, "doc/stories/%s.smdbg", s->story);
        driver_open(&d, NULL, true);
        assert_true(sm_session_open(d.session, s->sample, NULL, true, &err));
        sm_exec_file(d.exec, file, NULL, 0);
        driver_run(&d);
        assert_string_equal(sm_str_text(&d.err), "");
        if (!strstr(sm_str_text(&d.out), s->found))
            fail_msg("%s does not print \"%s\":\n%s", s->story, s->found, sm_str_text(&d.out));
        size_t n = s->cause ? strlen(s->cause) : 0;
        if (n && strncmp(sm_str_text(&d.out), s->cause, n) != 0)
            fail_msg("%s does not begin with \"%s\"", s->story, s->cause);
        assert_in_range(count_commands(file), 1, COMMANDS_MAX);
        driver_close(&d);
    }
}

static void every_fault_has_its_story(void **state)
{
    (void)state;
    for (const struct sm_demo *x = sm_demo_table; x->name; x++) {
        bool found = !x->rule;
        for (size_t i = 0; i < sizeof stories / sizeof *stories; i++)
            found = found || strcmp(stories[i].demo, x->name) == 0;
        if (!found)
            fail_msg("no story for %s", x->name);
    }
}

static void stories_end_at_the_origin(void **state)
{
    (void)state;
    assert_non_null(make_scratch(dir, sizeof dir));
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++)
        run_story(&stories[i]);
    assert_int_equal(remove_tree(dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_has_its_story),
        cmocka_unit_test(stories_end_at_the_origin),
        cmocka_unit_test(slow_runs_are_found_and_mended),
        cmocka_unit_test(checkpoints_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
