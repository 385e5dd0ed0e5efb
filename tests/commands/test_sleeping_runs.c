/* SPDX-License-Identifier: Apache-2.0 */
/* Rules on the runs of a directory that sleep. */
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/sleeping_runs.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS = 40, DIVERGED = 20, STALLED = 35, STEPS = 200, MINUTE_US = 61 * 1000000 };

struct state {
    struct driver d;
    char dir[64];
};

static double loss_at(int run, int step)
{
    double usual = 2 * exp(-step / 60.0) + 0.1 + 0.01 * (step * 7 % 5);
    if (run == DIVERGED && step > 100)
        return usual * pow(1.2, step - 100);
    return run == STALLED ? 2 + 0.01 * (step * 7 % 5) : usual;
}

static FILE *open_run(const struct state *s, int run, const char *how)
{
    char path[128];
    snprintf(path, sizeof path, "%s/run_%02d", s->dir, run);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/run_%02d/metrics.csv", s->dir, run);
    FILE *f = fopen(path, how);
    assert_non_null(f);
    return f;
}

static int begin(void **state)
{
    static struct state s;
    struct sm_err err;
    *state = &s;
    if (!make_scratch(s.dir, sizeof s.dir))
        return -1;
    for (int run = 0; run < RUNS; run++) {
        FILE *f = open_run(&s, run, "w");
        fprintf(f, "step,loss\n");
        for (int i = 0; i < STEPS; i++)
            fprintf(f, "%d,%.6g\n", i, loss_at(run, i));
        fclose(f);
    }
    sm_clock_freeze(1000000, 1700000000000000);
    driver_open(&s.d, NULL, false);
    s.d.session->open_options.follow = true;
    sm_judge(s.d.session)->auto_rules = true;
    return sm_session_open(s.d.session, s.dir, NULL, false, &err) ? 0 : -1;
}

static int end(void **state)
{
    struct state *s = *state;
    driver_close(&s->d);
    sm_clock_thaw();
    return remove_tree(s->dir);
}

static size_t handles(const struct state *s)
{
    size_t n = 0;
    for (size_t k = 0; k < SM_SLEEPERS; k++)
        n += sm_judge(s->d.session)->sleepers[k].handle != NULL;
    return n;
}

/* Returns how many handles were open at most. */
static size_t settle(struct state *s)
{
    struct sm_session *x = s->d.session;
    size_t most = 0;
    for (int idle = 0; idle < 20;) {
        bool news = sm_session_pump(x) || sm_pool_pending(s->d.pool) || sm_sleepers_busy(x);
        idle = news ? 0 : idle + 1;
        most = handles(s) > most ? handles(s) : most;
    }
    return most;
}

static size_t fired(const struct state *s, size_t i)
{
    return sm_run_findings(s->d.session, i).fired;
}

static void every_run_is_judged(void **state)
{
    struct state *s = *state;
    struct sm_session *x = s->d.session;
    assert_int_equal(x->n_trials, RUNS);
    assert_true(sm_runs_judged(x).judged < RUNS);
    assert_in_range(settle(s), 1, SM_SLEEPERS);
    assert_int_equal(sm_runs_judged(x).n, RUNS);
    assert_int_equal(sm_runs_judged(x).judged, RUNS);
    assert_int_equal(handles(s), 0);
    for (size_t i = 0; i < RUNS; i++) {
        assert_int_equal(fired(s, i) > 0, i == DIVERGED || i == STALLED);
        assert_int_equal(sm_trial_glance(x->trials[i].trial) != NULL, i >= SM_RUNS_SHOWN);
    }
    assert_string_equal(sm_run_findings(x, STALLED).worst, "LossNotDecreasing");
    assert_in_range(sm_run_findings(x, DIVERGED).step, 101, STEPS);
}

/* With all judged, there is nothing to do before files change. */
static void all_is_quiet_then(void **state)
{
    struct state *s = *state;
    settle(s);
    assert_int_equal(sm_sleepers_deadline_us(s->d.session), INT64_MAX);
}

static void a_run_that_goes_on_is_judged_again(void **state)
{
    struct state *s = *state;
    enum { LAST = RUNS - 1 };
    settle(s);
    assert_int_equal(fired(s, LAST), 0);
    FILE *f = open_run(s, LAST, "a");
    for (int i = STEPS; i < STEPS + 10; i++)
        fprintf(f, "%d,nan\n", i);
    fclose(f);
    sm_trial_refresh(s->d.session->trials[LAST].trial);
    settle(s);
    assert_int_equal(fired(s, LAST), 0); /* not at once */
    sm_clock_advance(MINUTE_US);
    settle(s);
    assert_true(fired(s, LAST) > 0);
    assert_int_equal(sm_run_findings(s->d.session, LAST).step, STEPS);
    assert_non_null(sm_trial_glance(s->d.session->trials[LAST].trial));
}

/* What was found stays until the rules of the trial itself have found it. */
static void a_run_that_wakes_keeps_what_was_found(void **state)
{
    struct state *s = *state;
    settle(s);
    sm_trial_wake(s->d.session->trials[STALLED].trial);
    assert_int_equal(fired(s, STALLED), 1);
    settle(s);
    assert_null(sm_trial_glance(s->d.session->trials[STALLED].trial));
    assert_string_equal(sm_run_findings(s->d.session, STALLED).worst, "LossNotDecreasing");
}

/* The status of the rules of all runs is that of all, not only of those that are awake. */
static void the_status_of_all_is_of_all(void **state)
{
    struct state *s = *state;
    settle(s);
    driver_prompt(&s->d, "rule status -all");
    assert_true(sm_rules_is_auto(sm_session_rules_at(s->d.session, RUNS - 1)));
    settle(s);
    const char *text = driver_prompt(&s->d, "rule status -all -field trial,status");
    assert_non_null(strstr(text, "run_39"));
    for (size_t i = 0; i < RUNS; i++) {
        assert_non_null(sm_session_rules_at(s->d.session, i));
        assert_true(sm_rules_is_auto(sm_session_rules_at(s->d.session, i)));
        assert_int_equal(fired(s, i) > 0, i == DIVERGED || i == STALLED);
    }
}

static void a_run_is_closed_while_it_is_judged(void **state)
{
    struct state *s = *state;
    struct sm_session *x = s->d.session;
    for (int i = 0; i < 100000 && !handles(s); i++)
        sm_session_pump(x);
    assert_int_not_equal(handles(s), 0);
    while (x->n_trials > 3)
        sm_session_close(x, x->n_trials - 1);
    assert_int_equal(handles(s), 0);
    settle(s);
    assert_int_equal(sm_runs_judged(x).n, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_run_is_judged, begin, end),
        cmocka_unit_test_setup_teardown(all_is_quiet_then, begin, end),
        cmocka_unit_test_setup_teardown(a_run_that_goes_on_is_judged_again, begin, end),
        cmocka_unit_test_setup_teardown(a_run_that_wakes_keeps_what_was_found, begin, end),
        cmocka_unit_test_setup_teardown(the_status_of_all_is_of_all, begin, end),
        cmocka_unit_test_setup_teardown(a_run_is_closed_while_it_is_judged, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
