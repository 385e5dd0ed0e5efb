/* SPDX-License-Identifier: Apache-2.0 */
/* diff, and several open trials, on small trials written by the hook. */
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "reader/hook/smdbg_hook.h"

#include <math.h>
#include <unistd.h>

static struct driver d;
static char dir[64];

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void save(smdbg_hook *h, const char *name, int64_t n, float v)
{
    const float data[] = {v, 2, 3, NAN};
    assert_int_equal(smdbg_hook_save(h, name, SMDBG_FLOAT32, 1, &n, NULL, data), 0);
}

/* Ten steps; from step 4 on w2 is the next representable number, from step 6 on w1 is different. */
static void write_trial(const char *name, bool other)
{
    smdbg_hook *h = smdbg_hook_new(path_of(name));
    const char *const settings[][2] = {{"save_all", "true"}, {"rank", "0"}, {"world_size", "1"}};
    smdbg_hook_set(h, "save_interval", other ? "2" : "1");
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        smdbg_hook_set(h, settings[i][0], settings[i][1]);
    for (int i = 0; i < 10; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        save(h, "w1", 4, other && i >= 6 ? 1.5f : 1);
        save(h, "w2", 4, other && i >= 4 ? nextafterf(1, 2) : 1);
        save(h, "same", 4, (float)i);
        save(h, "shaped", other ? 3 : 4, 1);
        save(h, other ? "b_alone" : "a_alone", 4, 1);
    }
    assert_int_equal(smdbg_hook_close(h), 0);
}

/* Four steps of two workers; worker 1 of the other trial is slightly different from step 2 on. */
static void write_workers(const char *name, bool other)
{
    const char *const settings[][2] = {{"save_all", "true"},
                                       {"save_interval", "1"},
                                       {"include_workers", "all"},
                                       {"world_size", "2"}};
    for (int rank = 0; rank < 2; rank++) {
        smdbg_hook *h = smdbg_hook_new(path_of(name));
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
            smdbg_hook_set(h, settings[i][0], settings[i][1]);
        smdbg_hook_set(h, "rank", rank ? "1" : "0");
        for (int i = 0; i < 4; i++) {
            smdbg_hook_step(h, SMDBG_TRAIN);
            save(h, "w", 4, other && rank && i >= 2 ? 1.25f : 1);
            save(h, "same", 4, (float)i);
        }
        assert_int_equal(smdbg_hook_close(h), 0);
    }
}

static int setup(void **state)
{
    struct sm_err err;
    (void)state;
    assert_non_null(make_scratch(dir, sizeof dir));
    write_trial("one", false);
    write_trial("two", true);
    driver_open(&d, NULL, false);
    assert_true(sm_session_open(d.session, path_of("one"), NULL, true, &err));
    assert_true(sm_session_open(d.session, path_of("two"), NULL, true, &err));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    driver_close(&d);
    return remove_tree(dir);
}

static void two_trials(void **state)
{
    (void)state;
    assert_answer(&d, "diff 1 two in w*",
                  "a: one\n"
                  "b: two\n"
                  "CONFIGURATION          A                       B\n"
                  "collection all: saves  every step of any mode  every 2 steps of any mode\n"
                  "First divergence: step 6, w1: max |a - b| 0.5, 1 of 4 beyond the limits.\n"
                  "NAME  STEP     MAX-ABS     MAX-REL      ULP  BEYOND  SIZE  STATUS\n"
                  "w1       6         0.5     0.33333  4194304       1     4  different\n"
                  "w2       8  1.1921e-07  1.1921e-07        1       0     4  close\n"
                  "0 equal, 1 close, 1 different, 0 incomparable.\n");
}

static void limits(void **state)
{
    (void)state;
    assert_answer(&d, "diff 1 2 in w* -rtol 0 -atol 0 -field name,step,ulp,status",
                  "NAME  STEP      ULP  STATUS\nw2       4        1  different\nw1       6  "
                  "4194304  different\n");
    assert_answer(&d, "diff 1 2 in w2 -rtol 0 -atol 0 -ulp 1 -field status", "STATUS\nclose\n");
    assert_complaint(&d, "diff 1 2 -rtol -1", "A limit must not be negative.\n");
}

static void incomparable_tensors_are_listed_separately(void **state)
{
    (void)state;
    assert_answer(
        &d, "diff 1 2 -csv -field name,status,why",
        "name,status,why\nw1,different,\nw2,close,\nsame,equal,\na_alone,incomparable,only in a\n"
        "shaped,incomparable,other shape\nb_alone,incomparable,only in b\n");
    driver_prompt(&d, "diff 1 2 in w1 -json");
    assert_non_null(
        strstr(sm_str_text(&d.out),
               "\"first_divergence\":{\"step\":6,\"tensor\":\"w1\",\"worker\":null},\"tensors\":[{"
               "\"name\":\"w1\","
               "\"step\":6,\"max_abs\":0.5,\"max_rel\":0.33333333333333331,\"ulp\":4194304,"
               "\"status\":\"different\""));
}

static void steps_of_one_trial(void **state)
{
    (void)state;
    driver_prompt(&d, "trial 2");
    assert_answer(&d, "diff @4 @6 -field name,step,status",
                  "NAME     STEP  STATUS\nsame        4  different\nw1          4  "
                  "different\nb_alone     4  equal\n"
                  "shaped      4  equal\nw2          4  equal\n");
    driver_prompt(&d, "goto 8");
    assert_answer(&d, "diff @6 in same -field step,max_abs", "STEP  MAX-ABS\n   8        2\n");
    assert_complaint(&d, "diff @8 2@8", "Both sides are the same.  Try \"help diff\".\n");
    assert_complaint(&d, "diff @7", "There is no step 7 of two.\n");
    assert_complaint(&d, "diff nosuch",
                     "No trial, worker or mode \"nosuch\".  Steps are written @100.\n");
}

static void every_worker(void **state)
{
    struct sm_err err;
    (void)state;
    write_workers("three", false);
    write_workers("four", true);
    assert_true(sm_session_open(d.session, path_of("three"), NULL, true, &err));
    assert_true(sm_session_open(d.session, path_of("four"), NULL, true, &err));
    assert_answer(
        &d, "diff three four",
        "a: three\n"
        "b: four\n"
        "The configuration is the same.\n"
        "First divergence: step 2, w, worker_1: max |a - b| 0.25, 1 of 4 beyond the limits.\n"
        "NAME  STEP  MAX-ABS  MAX-REL      ULP  BEYOND  SIZE  STATUS     WORKER\n"
        "w        2     0.25      0.2  2097152       1     4  different  worker_1\n"
        "1 equal, 0 close, 1 different, 0 incomparable.\n");
    driver_prompt(&d, "trial four");
    assert_answer(&d, "diff @1 @3 in w -field name,worker", "NAME  WORKER\nw     worker_1\n");
    assert_answer(&d, "diff worker_0 worker_1 in w -field step,worker", "STEP  WORKER\n   2  -\n");
}

static void a_verdict_on_request(void **state)
{
    (void)state;
    driver_say(&d, "diff 1 2", SM_FROM_OPTION);
    assert_int_equal(sm_exec_status(d.exec), 0);
    driver_say(&d, "set batch-exit on", SM_FROM_OPTION);
    driver_say(&d, "diff 1 2 in same", SM_FROM_OPTION);
    driver_say(&d, "diff 1 2", SM_FROM_OPTION);
    assert_int_equal(sm_exec_status(d.exec), 3);
}

/* A trial with the steps from `from` to the one before `end`. */
static void write_late(const char *name, const char *from, const char *end)
{
    const char *const settings[][2] = {
        {"save_all", "true"}, {"save_interval", "1"}, {"start_step", from}, {"end_step", end}};
    smdbg_hook *h = smdbg_hook_new(path_of(name));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        smdbg_hook_set(h, settings[i][0], settings[i][1]);
    for (int i = 0; i < 10; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        save(h, "w", 4, (float)i);
    }
    assert_int_equal(smdbg_hook_close(h), 0);
}

static void no_step_in_common(void **state)
{
    struct sm_err err;
    (void)state;
    write_late("early", "0", "4");
    write_late("late", "6", "9");
    write_late("single", "9", "10");
    write_late("first", "0", "1");
    for (size_t i = 0; i < 4; i++)
        assert_true(sm_session_open(
            d.session, path_of((const char *[]){"early", "late", "single", "first"}[i]), NULL, true,
            &err));
    driver_say(&d, "diff early late -field name", SM_FROM_OPTION);
    assert_int_equal(sm_exec_status(d.exec), 4);
    driver_prompt(&d, "diff early late in w");
    assert_non_null(strstr(sm_str_text(&d.out),
                           "\nNothing can be compared: no step in common; \"diff 3@3 4@8\" "
                           "compares the last ones.\n"));
    driver_prompt(&d, "diff first single");
    assert_non_null(
        strstr(sm_str_text(&d.out), "\nNo step in common: compared at the last steps, 0 and 9.\n"));
    assert_answer(&d, "diff first single -field name,max_abs", "NAME  MAX-ABS\nw           9\n");
    assert_answer(&d, "diff 3@3 4@8 -field name,max_abs", "NAME  MAX-ABS\nw           5\n");
}

static void each_trial_keeps_its_place(void **state)
{
    (void)state;
    driver_prompt(&d, "whatis w1");
    driver_prompt(&d, "goto 5");
    driver_prompt(&d, "tensor w1");
    assert_answer(&d, "trial two -field number,name", "NUM  NAME\n  1  one\n  2  two\n");
    assert_answer(&d, "print $_tensor", "$1 = \"w1\"\n");
    assert_answer(&d, "print $_step", "$2 = 8\n");
    driver_prompt(&d, "goto 2");
    driver_prompt(&d, "trial 1");
    assert_answer(&d, "print $_step", "$3 = 5\n");
    driver_prompt(&d, "remove-trial one");
    assert_answer(&d, "print $_step", "$4 = 2\n");
    assert_complaint(&d, "trial one", "No trial \"one\".  Try \"info trials\".\n");
    char line[160];
    snprintf(line, sizeof line, "add-trial %s as third", path_of("one"));
    driver_prompt(&d, line);
    assert_string_equal(sm_str_text(&d.err), "");
    assert_string_equal(sm_str_text(&d.out),
                        "Trial 2, third: one: smdebug trial, 1 worker, ended\n10 steps (TRAIN "
                        "0..9), 5 tensors in 6 collections\n");
    assert_complaint(&d, line, "There is already a trial \"third\".\n");
    assert_answer(&d, "info trials -field name,steps",
                  "NAME   STEPS\ntwo        5\nthird     10\n");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(two_trials),
        TEST(limits),
        TEST(incomparable_tensors_are_listed_separately),
        TEST(steps_of_one_trial),
        TEST(every_worker),
        TEST(a_verdict_on_request),
        TEST(no_step_in_common),
        TEST(each_trial_keeps_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
