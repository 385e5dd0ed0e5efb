/* SPDX-License-Identifier: Apache-2.0 */
/* Going from problem to problem, forward and back: missing steps, missing workers, damaged records
 * and values that are not finite, each once. */
#include "tui/dashboard/next_problem.h"
#include "tui/program_features.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct given {
    char dir[32];
    struct sm_pool *pool;
    struct sm_session *session;
    struct sm_problem_place at;
    struct sm_str notice;
};

static void shell(const char *dir, const char *command)
{
    char line[512];
    snprintf(line, sizeof line, "cd %s && %s", dir, command);
    assert_int_equal(system(line), 0);
}

static void settle(struct given *g)
{
    while (sm_session_pump(g->session) || sm_pool_pending(g->pool))
        ;
}

static int set_up(void **state)
{
    static struct given g;
    struct sm_err err;
    char path[64];
    g = (struct given){.dir = "/tmp/smdbg-problems-XXXXXX"};
    *state = &g;
    if (!mkdtemp(g.dir))
        return 1;
    snprintf(path, sizeof path, "cp -r tests/trials/cnn_healthy %s/run", g.dir);
    if (system(path) != 0)
        return 1;
    g.pool = sm_pool_new(0, 0, &err);
    g.session = g.pool ? sm_session_new(g.pool, sm_program_features, &err) : NULL;
    return !g.session;
}

static int tear_down(void **state)
{
    struct given *g = *state;
    char line[64];
    sm_problem_place_clear(&g->at);
    sm_str_clear(&g->notice);
    sm_session_free(g->session);
    sm_pool_free(g->pool);
    snprintf(line, sizeof line, "rm -r %s", g->dir);
    return system(line);
}

static void open_run(struct given *g)
{
    char path[64];
    struct sm_err err;
    snprintf(path, sizeof path, "%s/run", g->dir);
    assert_true(sm_session_open(g->session, path, NULL, false, &err));
    while (!sm_trial_scanned(sm_session_trial(g->session)))
        sm_session_pump(g->session);
    g->session->at.worker = SM_WORKER_ANY;
    g->session->at.tensor = SM_NAME_NONE;
    g->session->at.follow = true;
}

/* Goes to the next problem and returns the notice. */
static const char *go_to_problem(struct given *g, int direction)
{
    sm_str_truncate(&g->notice, 0);
    sm_next_problem_go(g->session, &g->at, direction, true, &g->notice);
    return sm_str_text(&g->notice);
}

static void read_everything(struct given *g)
{
    struct sm_trial *t = sm_session_trial(g->session);
    const struct sm_facts *f;
    sm_fetch_checksum(g->session->fetch, SM_CHECKSUM_FULL);
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++)
        for (size_t k = 0; k < sm_trial_tensor(t, i)->n_entries; k++)
            if (sm_tensor_entry(t, sm_trial_tensor(t, i), k).kind != SM_ENTRY_SHAPE)
                sm_fetch_stats(g->session->fetch, t,
                               (struct sm_entry[]){sm_tensor_entry(t, sm_trial_tensor(t, i), k)},
                               &f, NULL);
    sm_session_pump(g->session);
    settle(g);
}

static void test_no_problems(void **state)
{
    struct given *g = *state;
    open_run(g);
    assert_string_equal(
        go_to_problem(g, 1),
        "no problem among rules, files, steps, workers, and values read at this step");
    assert_true(g->session->at.follow);
}

static void test_missing_steps(void **state)
{
    struct given *g = *state;
    shell(g->dir, "rm run/index/000000000/000000000010_* run/index/000000000/000000000054_*");
    open_run(g);
    g->session->at.step.n = 0;
    g->session->at.follow = false;
    assert_string_equal(go_to_problem(g, 1), "1 saved step is missing before step 20");
    assert_int_equal(g->session->at.step.n, 20);
    assert_string_equal(go_to_problem(g, 1), "1 saved step is missing before step 68");
    /* again from the start */
    assert_string_equal(go_to_problem(g, 1), "1 saved step is missing before step 20");
    assert_string_equal(go_to_problem(g, -1), "1 saved step is missing before step 68");
    assert_string_equal(go_to_problem(g, -1), "1 saved step is missing before step 20");
    g->session->at.step.n = 30; /* the user moved to another step */
    assert_string_equal(go_to_problem(g, 1), "1 saved step is missing before step 68");
}

static void test_missing_workers(void **state)
{
    struct given *g = *state;
    shell(g->dir, "rm -r run && cp -r \"$OLDPWD\"/tests/trials/ddp_worker_lost run && rm "
                  "run/index/000000000/000000000002_worker_1.json "
                  "run/index/000000000/000000000004_worker_1.json");
    open_run(g);
    /* each gap once */
    assert_string_equal(go_to_problem(g, 1), "worker_1 is missing at step 2 and 1 after it");
    assert_int_equal(g->session->at.step.n, 2);
    assert_string_equal(go_to_problem(g, 1), "worker_1 is lost: nothing at step 10 and after it");
    assert_int_equal(g->session->at.step.n, 10);
    assert_string_equal(go_to_problem(g, 1), "worker_1 is missing at step 2 and 1 after it");
    assert_string_equal(go_to_problem(g, -1), "worker_1 is lost: nothing at step 10 and after it");
}

/* A worker that never evaluates is not missing from evaluation. */
static void test_worker_of_one_mode(void **state)
{
    struct given *g = *state;
    shell(g->dir, "cd run/index/000000000 && for f in $(grep -l TRAIN *); do sed "
                  "s/worker_0/worker_1/ $f >${f%_*}_1.json; done && "
                  "cd ../../events && for f in */*; do cp $f ${f%_*}_1.tfevents; done");
    open_run(g);
    assert_int_equal(sm_trial_worker_count(sm_session_trial(g->session)), 2);
    assert_true(strncmp(go_to_problem(g, 1), "no problem", 10) == 0);
}

static void test_a_damaged_record(void **state)
{
    struct given *g = *state;
    shell(g->dir, "truncate -s -100 run/events/000000000044/000000000044_worker_0.tfevents");
    open_run(g);
    assert_true(strncmp(go_to_problem(g, 1), "no problem", 10) == 0); /* not read yet */
    read_everything(g);
    go_to_problem(g, 1);
    assert_true(strncmp(sm_str_text(&g->notice), "damaged: ", 9) == 0);
    assert_non_null(strstr(sm_str_text(&g->notice), " at step 44: "));
    assert_int_equal(g->session->at.step.n, 44);
    assert_int_not_equal(g->session->at.tensor, SM_NAME_NONE);
    const char *name =
        sm_names_text(sm_trial_names(sm_session_trial(g->session)), g->session->at.tensor);
    assert_non_null(strstr(sm_str_text(&g->notice), name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_problems, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_workers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_worker_of_one_mode, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_damaged_record, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
