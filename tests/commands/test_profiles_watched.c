/* SPDX-License-Identifier: Apache-2.0 */
/* Of several runs with profiles only that of the run that is shown is read. */
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "commands/verdict/session_verdict.h"
#include "reader/trial.h"

#include <sys/stat.h>

enum { RUNS = 3 };

struct state {
    struct driver d;
    char dir[64];
};

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void make_run(const struct state *s, int run)
{
    static const char *const folders[] = {"", "/profiler-output", "/profiler-output/system",
                                          "/profiler-output/framework"};
    char path[256];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/run_%d%s", s->dir, run, folders[i]);
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/run_%d/metrics.csv", s->dir, run);
    put(path, "step,loss\n0,2\n1,1.5\n2,1.2\n");
    snprintf(path, sizeof path, "%s/run_%d/profiler-output/system/1600000020.algo-1.json", s->dir,
             run);
    put(path, "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Dimension\":\"CPUUtilization\",\"NodeId\":"
              "\"algo-1\",\"Timestamp\":1600000020,\"Value\":1}\n");
}

static int begin(void **state)
{
    static struct state s;
    struct sm_err err;
    *state = &s;
    if (!make_scratch(s.dir, sizeof s.dir))
        return -1;
    for (int run = 0; run < RUNS; run++)
        make_run(&s, run);
    sm_clock_freeze(1000000, 1700000000000000);
    driver_open(&s.d, NULL, false);
    return sm_session_open(s.d.session, s.dir, NULL, false, &err) ? 0 : -1;
}

static int end(void **state)
{
    struct state *s = *state;
    driver_close(&s->d);
    sm_clock_thaw();
    return remove_tree(s->dir);
}

static void settle(struct sm_session *x)
{
    for (int idle = 0; idle < 20;)
        idle = sm_session_pump(x) || sm_pool_pending(x->pool) ? 0 : idle + 1;
}

static size_t profiles_open(const struct sm_session *x)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n_trials; i++)
        n += sm_trial_profile_opened(x->trials[i].trial) != NULL;
    return n;
}

static void only_the_profile_of_the_run_shown_is_read(void **state)
{
    struct sm_session *x = ((struct state *)*state)->d.session;
    sm_session_verdict_watch(x, true);
    settle(x);
    assert_int_equal(x->n_trials, RUNS);
    assert_int_equal(profiles_open(x), 1);
    assert_non_null(sm_trial_profile_opened(x->trials[x->current].trial));
    for (size_t i = 0; i < RUNS; i++)
        assert_non_null(sm_trial_profile_root(x->trials[i].trial));
    assert_true(sm_session_verdict_settled(x));
    x->current = (x->current + 1) % RUNS;
    settle(x);
    assert_int_equal(profiles_open(x), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_the_profile_of_the_run_shown_is_read, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
