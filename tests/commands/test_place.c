/* SPDX-License-Identifier: Apache-2.0 */
/* Places that words and texts name, in the current trial and in another trial. The current trial is
 * ddp_two_workers: TRAIN 0, 2, ... 18 of two workers. The other is cnn_healthy, whose steps are
 * listed in test_args.c. */
#include "commands/language/command_line.h"
#include "commands/place/place.h"
#include "tests/commands/driver.h"

static struct driver d;
static struct sm_place here, there; /* the current place; the other trial, at its step 34 */

static int set_up(void **state)
{
    (void)state;
    driver_open(&d, "ddp_two_workers", false);
    driver_prompt(&d, "add-trial tests/trials/cnn_healthy");
    driver_prompt(&d, "info trials");
    assert_int_equal(d.session->n_trials, 2);
    assert_int_equal(d.session->current, 0);
    here = d.session->at;
    there = sm_place_of_trial(d.session->trials[1].trial);
    there.step.n = 34;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_ptr_equal(d.session->at.trial, sm_session_trial(d.session));
    driver_close(&d);
    return 0;
}

/* "cnn_healthy labels[0] 34 EVAL worker_0 follow", without the parts that the place does not have.
 */
static const char *place_text(const struct sm_place *p, const char *error)
{
    static struct sm_str text;
    sm_str_truncate(&text, 0);
    if (error) {
        sm_str_add(&text, error);
        return sm_str_text(&text);
    }
    sm_str_add(&text, sm_trial_name(p->trial));
    if (p->tensor != SM_NAME_NONE) {
        sm_str_addc(&text, ' ');
        sm_place_add_name(&text, p);
    }
    if (p->step.n >= 0)
        sm_str_printf(&text, " %lld", (long long)p->step.n);
    if (p->mode != SM_MODE_ANY)
        sm_str_printf(&text, " %s", sm_mode_name((int)p->mode));
    if (p->worker != SM_WORKER_ANY)
        sm_str_printf(&text, " %s", sm_trial_worker(p->trial, p->worker));
    sm_str_add(&text, p->follow ? " follow" : "");
    return sm_str_text(&text);
}

static const char *operand(const struct sm_place *from, const char *text)
{
    struct sm_call c = {.session = d.session};
    struct sm_place p = {0};
    struct sm_err err = {0};
    bool ok = sm_place_parse_operand(&c, from, sm_text(text), &p, &err);
    sm_arena_clear(&c.arena);
    return place_text(&p, ok ? NULL : err.msg);
}

static const char *point(const struct sm_place *from, enum sm_mode mode, const char *text)
{
    struct sm_call c = {.session = d.session};
    struct sm_place p = {0};
    struct sm_err err = {0};
    bool ok = sm_place_parse_step(&c, from, mode, sm_text(text), &p, &err);
    sm_arena_clear(&c.arena);
    return place_text(&p, ok ? NULL : err.msg);
}

/* The words of `line` as the first argument and a second one, then one keyword or NULL. */
static const char *words(const struct sm_place *from, const char *line, const char *keyword,
                         const char *value)
{
    struct sm_word list[3], given = {.text = sm_text(value ? value : "")};
    const struct sm_word *values[8] = {0};
    const struct sm_cmd command = {.name = "test", .args = sm_place_args};
    struct sm_call c = {
        .session = d.session, .cmd = &command, .words = list, .keyword_values = values};
    struct sm_place p = {0};
    struct sm_err err = {0};
    size_t at = 0;
    while (c.n_words < 3 && sm_line_word(line, strlen(line), &at, &c.arena, &list[c.n_words], &err))
        c.n_words++;
    for (size_t i = 0; keyword && sm_place_args[i].name; i++)
        if (sm_place_args[i].keyword && strcmp(sm_place_args[i].keyword, keyword) == 0)
            values[i] = &given;
    bool ok = sm_place_parse(&c, from, &p, &err);
    const char *text = place_text(&p, ok ? NULL : err.msg);
    sm_arena_clear(&c.arena);
    return text;
}

static void splitting(void **state)
{
    (void)state;
    const char *const texts[][4] = {
        {"@100", "", "100", ""},
        {"@eval:12", "eval", "12", ""},
        {"@eval:12/worker_1", "eval", "12", "worker_1"},
        {"@EVAL", "EVAL", "", ""},
        {"@/worker_1", "", "", "worker_1"},
        {"@last/a", "", "last", "a"},
        {"@12:30:05", "", "@12:30:05", ""},
        {"@-10m", "", "@-10m", ""},
        {"@-10", "", "-10", ""},
        {"@evil:1", "", "evil:1", ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sm_place_words w;
        assert_true(sm_place_split(sm_text(texts[i][0]), &w));
        assert_true(sm_text_is(w.mode, texts[i][1]));
        assert_true(sm_text_is(w.step, texts[i][2]));
        assert_true(sm_text_is(w.worker, texts[i][3]));
    }
    assert_false(sm_place_split(SM_TEXT("@"), &(struct sm_place_words){0}));
}

static void operands(void **state)
{
    (void)state;
    assert_string_equal(operand(&here, "@10"), "ddp_two_workers 10");
    assert_string_equal(operand(&here, "2"), "cnn_healthy");
    assert_string_equal(operand(&here, "cnn_healthy@eval:4"), "cnn_healthy 64 EVAL");
    assert_string_equal(operand(&here, "2@last"), "cnn_healthy 101");
    assert_string_equal(operand(&here, "worker_1"), "ddp_two_workers worker_1");
    assert_string_equal(operand(&here, "@train:4/worker_1"), "ddp_two_workers 4 TRAIN worker_1");
    assert_string_equal(operand(&here, "eval"), "ddp_two_workers EVAL");
    assert_string_equal(operand(&there, "eval@4"), "cnn_healthy 64 EVAL");
    assert_string_equal(operand(&there, "@+1"), "cnn_healthy 44");
    assert_string_equal(operand(&there, "1@."), "ddp_two_workers 34");
    assert_string_equal(operand(&here, "@"), "Expected a step after \"@\".");
    assert_string_equal(operand(&here, "2@eval:12/worker_1"),
                        "No worker \"worker_1\".  Workers: worker_0.");
    assert_string_equal(operand(&there, "@eval:3"), "There is no step 3 of EVAL.  Nearest: 2.");
    assert_string_equal(operand(&here, "3"),
                        "No trial, worker or mode \"3\".  Steps are written @100.");
}

static void points(void **state)
{
    (void)state;
    assert_string_equal(point(&here, SM_MODE_ANY, "4"), "ddp_two_workers 4");
    assert_string_equal(point(&there, SM_MODE_ANY, "last"), "cnn_healthy 101 follow");
    assert_string_equal(point(&there, SM_MODE_ANY, "-1"), "cnn_healthy 32");
    assert_string_equal(point(&there, SM_MODE_EVAL, "4"), "cnn_healthy 64 EVAL");
    assert_string_equal(point(&there, SM_MODE_ANY, "@eval:4/worker_0"),
                        "cnn_healthy 64 EVAL worker_0");
    assert_string_equal(point(&there, SM_MODE_TRAIN, "@eval"), "cnn_healthy 101 EVAL follow");
    assert_string_equal(point(&there, SM_MODE_ANY, "35"), "There is no step 35 (nearest 34).");
    assert_string_equal(point(&here, SM_MODE_ANY, "@/nobody"),
                        "No worker \"nobody\".  Workers: worker_0, worker_1.");
}

static void words_of_a_call(void **state)
{
    (void)state;
    assert_string_equal(words(&here, "MLP_fc0.bias", NULL, NULL),
                        "ddp_two_workers MLP_fc0.bias 18 follow");
    assert_string_equal(words(&here, "MLP_fc0.bias[0,1:] 4", "worker", "1"),
                        "ddp_two_workers MLP_fc0.bias[0,1:] 4 worker_1");
    assert_string_equal(words(&here, "MLP_fc0.bias@train:4/worker_1", NULL, NULL),
                        "ddp_two_workers MLP_fc0.bias 4 TRAIN worker_1");
    assert_string_equal(words(&there, "labels", NULL, NULL), "cnn_healthy labels 34");
    assert_string_equal(words(&there, "labels", "step", "-1"), "cnn_healthy labels 32");
    assert_string_equal(words(&there, "labels last", NULL, NULL), "cnn_healthy labels 100 follow");
    assert_string_equal(words(&there, "labels", "mode", "eval"), "cnn_healthy labels 100 EVAL");
    assert_string_equal(words(&there, "labels 4", "mode", "eval"), "cnn_healthy labels 64 EVAL");
    assert_string_equal(words(&there, "labels 13", NULL, NULL),
                        "No value of labels at step 13: nothing was saved at that step. Nearest: "
                        "10, 20.");
    assert_string_equal(words(&there, "MLP_fc0.bias", NULL, NULL),
                        "No tensor \"MLP_fc0.bias\". Did you mean \"CNN_fc0.bias\"?");
    assert_string_equal(words(&there, "", NULL, NULL),
                        "Argument required (the name of a tensor).  Try \"help test\".");
    assert_int_equal(d.session->at.step.n, -1); /* parsing does not change the current place */
    assert_true(d.session->at.tensor == SM_NAME_NONE);
}

static void the_place_to_start_from_counts(void **state)
{
    (void)state;
    there.tensor = sm_trial_find(there.trial, "labels", 6)->name;
    there.mode = SM_MODE_EVAL; /* step numbers are still global */
    there.worker = 0;
    assert_string_equal(words(&there, "", NULL, NULL), "cnn_healthy labels 34 EVAL worker_0");
    assert_string_equal(words(&there, "44", NULL, NULL), "cnn_healthy labels 44 EVAL worker_0");
    there.follow = true;
    assert_string_equal(words(&there, "", NULL, NULL),
                        "cnn_healthy labels 100 EVAL worker_0 follow");
    assert_string_equal(words(&there, "-1", NULL, NULL), "cnn_healthy labels 98 EVAL worker_0");
}

static void headings(void **state)
{
    (void)state;
    const char *answer = driver_prompt(&d, "tensor MLP_out.bias[0:2] step 4 worker 1");
    assert_non_null(
        strstr(answer, "MLP_out.bias[0:2]  step 4 (train 4)  worker_1  float32 (2,)\n"));
    answer = driver_prompt(&d, "hist MLP_out.bias step 4");
    assert_non_null(strstr(answer, "MLP_out.bias  step 4 (train 4)  worker_1\n"));
    answer = driver_prompt(&d, "heatmap MLP_out.weight");
    assert_non_null(
        strstr(answer, "MLP_out.weight  step 4 (train 4)  worker_1  float32 (3, 12)\n"));
    answer = driver_prompt(&d, "tensor MLP_out.bias -s -json");
    assert_non_null(strstr(answer, "\"name\":\"MLP_out.bias\",\"step\":4,\"mode\":\"TRAIN\","
                                   "\"mode_step\":4,\"worker\":\"worker_1\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(splitting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_of_a_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_place_to_start_from_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(headings, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
