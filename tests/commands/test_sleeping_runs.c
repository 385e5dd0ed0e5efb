/* SPDX-License-Identifier: Apache-2.0 */
/* Rules on the runs of a directory that sleep. */
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/sleeping_runs.h"
#include "commands/session/incident.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS = 40, DIVERGED = 20, STALLED = 35, STEPS = 200, MINUTE_US = 61 * 1000000 };

struct state {
    struct driver d;
    char base[64], dir[80]; /* the runs are in base/runs */
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
    if (!make_scratch(s.base, sizeof s.base))
        return -1;
    snprintf(s.dir, sizeof s.dir, "%s/runs", s.base);
    mkdir(s.dir, 0700);
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
    return remove_tree(s->base);
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

/* ---- as if each were opened alone ---- */

static void write_text(const struct state *s, const char *name, const char *text, char *path,
                       size_t size)
{
    snprintf(path, size, "%s/%s", s->base, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

static void cut(struct sm_str *text, const char *part)
{
    for (char *at; part[0] && (at = strstr(text->data, part));) {
        memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
        text->len -= strlen(part);
    }
}

/* What `rule status` says of each run that is opened alone, as rows of JSON. */
static void status_of_each(const struct state *s, const char *load, struct sm_str *out)
{
    for (int run = 0; run < RUNS; run++) {
        struct driver d;
        struct sm_err err;
        char path[128];
        snprintf(path, sizeof path, "%s/run_%02d", s->dir, run);
        driver_open(&d, NULL, true);
        assert_true(sm_session_open(d.session, path, NULL, false, &err));
        driver_say(&d, load, SM_FROM_OPTION);
        driver_say(&d, "rule auto", SM_FROM_OPTION);
        sm_str_add(out, driver_say(&d, "rule status -wait -jsonl", SM_FROM_OPTION));
        driver_close(&d);
    }
}

static const char loss_rule[] = "name = too_low\nsummary = The loss is low\nregex = loss\n"
                                "when = min(x) < 0.2\nmessage = it is {min(x)}\nadvice = None.\n";

static void what_is_found_is_that_of_each_alone(void **state)
{
    struct state *s = *state;
    struct sm_str alone = {0}, together = {0};
    struct driver d;
    struct sm_err err;
    char path[128], load[256], trial[64];
    write_text(s, "low.rule", loss_rule, path, sizeof path);
    snprintf(load, sizeof load, "rule load -all -quiet %s", path);
    status_of_each(s, load, &alone);
    driver_open(&d, NULL, true);
    assert_true(sm_session_open(d.session, s->dir, NULL, false, &err));
    driver_say(&d, load, SM_FROM_OPTION);
    for (size_t i = 0; i < RUNS; i++)
        sm_rules_auto(sm_session_rules_of(d.session, i), sm_rule_table);
    sm_str_add(&together, driver_say(&d, "rule status -wait -all -jsonl", SM_FROM_OPTION));
    for (int run = 0; run < RUNS; run++) {
        snprintf(trial, sizeof trial, ",\"trial\":\"run_%02d\"", run);
        assert_non_null(strstr(together.data, trial));
        cut(&together, trial);
    }
    assert_string_equal(together.data, alone.data);
    for (size_t i = SM_RUNS_SHOWN; i < RUNS; i++)
        assert_non_null(sm_trial_glance(d.session->trials[i].trial));
    assert_true(sm_session_rules_fired(d.session) > RUNS / 2);
    driver_close(&d);
    sm_str_clear(&alone);
    sm_str_clear(&together);
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

static size_t events_with(const struct state *s, const char *part)
{
    const struct sm_incidents *l = s->d.session->incidents;
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += strstr(l->items[i].text, part) != NULL;
    return n;
}

static void append(const struct state *s, int run, int from, int to)
{
    FILE *f = open_run(s, run, "a");
    for (int i = from; i < to; i++)
        fprintf(f, "%d,%.6g\n", i, loss_at(run, i));
    fclose(f);
    sm_trial_refresh(s->d.session->trials[run].trial);
    sm_clock_advance(MINUTE_US);
}

/* A firing is an event, with the name of the run: once, also when the run is judged again, and when
 * it wakes. */
static void a_finding_is_an_event_once(void **state)
{
    struct state *s = *state;
    settle(s);
    assert_int_equal(events_with(s, "run_35: LossNotDecreasing fired"), 1);
    assert_int_equal(events_with(s, "run_34: LossNotDecreasing fired"), 0);
    size_t all = s->d.session->incidents->total;
    append(s, STALLED, STEPS, STEPS + 50);
    settle(s);
    assert_int_equal(s->d.session->incidents->total, all);
    sm_trial_wake(s->d.session->trials[STALLED].trial);
    settle(s);
    assert_int_equal(sm_run_findings(s->d.session, STALLED).fired, 1);
    assert_int_equal(s->d.session->incidents->total, all);
}

static void read_log(const char *path, struct sm_str *out)
{
    char line[512];
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        sm_str_add(out, line);
    if (f)
        fclose(f);
}

/* Actions run for each firing of each run, once: also of a rule that goes on after it has fired. */
static void actions_are_those_of_all_runs(void **state)
{
    struct state *s = *state;
    struct sm_str text = {0};
    char log[128], path[128], line[512];
    snprintf(log, sizeof log, "%s/log", s->base);
    snprintf(line, sizeof line,
             "[{\"RuleConfigurationName\":\"LossNotDecreasing\",\"RuleParameters\":"
             "{\"rule_to_invoke\":\"LossNotDecreasing\",\"policy\":\"continue\","
             "\"action\":\"log %s\"}}]",
             log);
    write_text(s, "list.json", line, path, sizeof path);
    snprintf(line, sizeof line, "rule load -all -quiet %s", path);
    driver_prompt(&s->d, "set rule-actions on");
    driver_prompt(&s->d, line);
    assert_string_equal(sm_str_text(&s->d.err), "");
    settle(s);
    read_log(log, &text);
    size_t first = count_of(text.data, "run_35: LossNotDecreasing");
    assert_in_range(first, 2, STEPS);
    append(s, STALLED, STEPS, STEPS + 50);
    settle(s);
    sm_trial_wake(s->d.session->trials[STALLED].trial);
    settle(s);
    sm_str_truncate(&text, 0);
    read_log(log, &text);
    size_t then = count_of(text.data, "run_35: LossNotDecreasing");
    assert_in_range(then, first + 1, first + 50);
    assert_int_equal(then, sm_rules_item(sm_session_rules_at(s->d.session, STALLED), 0)->triggered);
    sm_str_clear(&text);
}

/* Rules of runs to come, and those that are attached later, are judged, too. */
static void runs_to_come_have_the_rules(void **state)
{
    struct state *s = *state;
    sm_rules_add(sm_session_rules_to_come(s->d.session), sm_rule_find("loss_not_decreasing"), NULL,
                 NULL, 0, NULL);
    FILE *f = open_run(s, RUNS, "w");
    fprintf(f, "step,loss\n");
    for (int i = 0; i < STEPS; i++)
        fprintf(f, "%d,%.6g\n", i, loss_at(STALLED, i));
    fclose(f);
    for (int i = 0; i < 3; i++) {
        sm_clock_advance(MINUTE_US);
        settle(s);
    }
    assert_int_equal(s->d.session->n_trials, RUNS + 1);
    assert_string_equal(sm_run_findings(s->d.session, RUNS).worst, "LossNotDecreasing");
    assert_non_null(sm_trial_glance(s->d.session->trials[RUNS].trial));
}

/* A rule that is attached to runs that sleep is judged at once. */
static void a_rule_that_is_added_is_judged(void **state)
{
    struct state *s = *state;
    char path[128], load[256];
    settle(s);
    assert_int_equal(fired(s, RUNS - 1), 0);
    write_text(s, "low.rule", loss_rule, path, sizeof path);
    snprintf(load, sizeof load, "rule load -all -quiet %s", path);
    driver_prompt(&s->d, load);
    settle(s);
    assert_string_equal(sm_run_findings(s->d.session, RUNS - 1).worst, "too_low");
    assert_non_null(sm_trial_glance(s->d.session->trials[RUNS - 1].trial));
}

static void few_files_are_open_at_once(void **state)
{
    struct state *s = *state;
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = RUNS - 5;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    settle(s);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(sm_runs_judged(s->d.session).judged, RUNS);
    assert_true(fired(s, STALLED) > 0);
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
        cmocka_unit_test_setup_teardown(what_is_found_is_that_of_each_alone, begin, end),
        cmocka_unit_test_setup_teardown(a_finding_is_an_event_once, begin, end),
        cmocka_unit_test_setup_teardown(actions_are_those_of_all_runs, begin, end),
        cmocka_unit_test_setup_teardown(runs_to_come_have_the_rules, begin, end),
        cmocka_unit_test_setup_teardown(a_rule_that_is_added_is_judged, begin, end),
        cmocka_unit_test_setup_teardown(few_files_are_open_at_once, begin, end),
        cmocka_unit_test_setup_teardown(a_run_is_closed_while_it_is_judged, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
