/* SPDX-License-Identifier: Apache-2.0 */
/* A rule that fires sends a signal to a process of the user, if rule actions are allowed. */
#include "tests/commands/driver.h"

#include "commands/session/incident.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct driver d;
static pid_t process;

/* The process waits for a signal. */
static int set_up(void **state)
{
    (void)state;
    process = fork();
    if (process == 0)
        alarm(600); /* should the test fail */
    while (process == 0)
        pause();
    assert_true(process > 0);
    driver_open(&d, "mlp_overfit", true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    driver_close(&d);
    return 0;
}

/* The status of the process after the rule has fired. */
static int run_rule(bool allowed, const char *signal_name)
{
    char line[80];
    int status = 0;
    snprintf(line, sizeof line, "set stop-action pid %d%s", (int)process, signal_name);
    driver_say(&d, line, SM_FROM_OPTION);
    driver_say(&d, allowed ? "set rule-actions on" : "set rule-actions off", SM_FROM_OPTION);
    driver_say(&d, "rule add overfit action=stop", SM_FROM_OPTION);
    driver_say(&d, "rule status -wait", SM_FROM_OPTION);
    assert_string_equal(sm_str_text(&d.err), "");
    pid_t ended = waitpid(process, &status, WUNTRACED | (allowed ? 0 : WNOHANG));
    assert_int_equal(ended, allowed ? process : 0);
    return status;
}

static const char *last_incident(void)
{
    return d.session->incidents->items[d.session->incidents->n - 1].text;
}

static void the_process_is_terminated(void **state)
{
    (void)state;
    int status = run_rule(true, "");
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_non_null(strstr(last_incident(), "SIGTERM was sent"));
}

static void the_process_is_suspended(void **state)
{
    (void)state;
    int status = run_rule(true, " SIGSTOP");
    assert_true(WIFSTOPPED(status));
}

static void no_signal_unless_allowed(void **state)
{
    (void)state;
    run_rule(false, "");
    assert_non_null(strstr(last_incident(), "action refused"));
}

static void readonly_refuses(void **state)
{
    (void)state;
    d.session->readonly = true;
    driver_say(&d, "set rule-actions on", SM_FROM_OPTION);
    run_rule(false, "");
    assert_non_null(strstr(last_incident(), "refused by --readonly"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_process_is_terminated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_process_is_suspended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_signal_unless_allowed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(readonly_refuses, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
