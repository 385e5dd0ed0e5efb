/* A rule that fires sends a signal to a process of the user's, if that is allowed. */
#include "tests/commands/driver.h"

#include "commands/session/incident.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct driver d;
static pid_t process;

/* It does nothing, until it gets a signal that ends it. */
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

/* What became of the process when the rule has fired. */
static int judge(bool allowed, const char *signal_name)
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

static void it_is_asked_to_end(void **state)
{
    (void)state;
    int status = judge(true, "");
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_non_null(strstr(last_incident(), "SIGTERM was sent"));
}

static void it_is_suspended(void **state)
{
    (void)state;
    int status = judge(true, " SIGSTOP");
    assert_true(WIFSTOPPED(status));
}

static void it_is_left_alone_unless_allowed(void **state)
{
    (void)state;
    judge(false, "");
    assert_non_null(strstr(last_incident(), "action refused"));
}

static void readonly_refuses(void **state)
{
    (void)state;
    d.session->readonly = true;
    driver_say(&d, "set rule-actions on", SM_FROM_OPTION);
    judge(false, "");
    assert_non_null(strstr(last_incident(), "refused by --readonly"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_is_asked_to_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_suspended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_left_alone_unless_allowed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(readonly_refuses, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
