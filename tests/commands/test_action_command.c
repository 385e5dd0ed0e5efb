/* Commands of actions: none outlives its limit or the session, whatever it does with its output,
 * and none keeps a worker busy. */
#include "tests/commands/driver.h"

#include "commands/judge/action_command.h"
#include "commands/session/incident.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct driver d;
static char folder[] = "/tmp/smdbg-action-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    driver_open(&d, NULL, true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return 0;
}

static void start(const char *text)
{
    const struct sm_action a = {.who = "test", .step = 3};
    sm_action_command_start(d.session, &a, text);
}

/* The number in a file that a command writes; -1: none yet. */
static long number_in(const char *name)
{
    FILE *f = fopen(name, "r");
    long n = -1;
    if (f && fscanf(f, "%ld\n", &n) != 1)
        n = -1;
    if (f)
        fclose(f);
    return n;
}

static const char *last_incident(void)
{
    const struct sm_incidents *l = d.session->incidents;
    return l->n ? l->items[l->n - 1].text : "";
}

static void assert_killed(const char *name)
{
    int status = 0;
    pid_t pid = (pid_t)number_in(name);
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

static void the_output_and_status_are_recorded(void **state)
{
    (void)state;
    start("echo \"step $SMDBG_STEP\"; echo more >&2; exit 3");
    sm_action_commands_wait(d.session);
    assert_non_null(strstr(last_incident(), "ended with status 3: step 3\nmore"));
}

static void a_command_that_closes_its_output_has_the_limit_too(void **state)
{
    (void)state;
    driver_say(&d, "set action-timeout 100ms", SM_FROM_OPTION);
    start("exec >&- 2>&-; echo $$ >closed; sleep 1000");
    sm_action_commands_wait(d.session);
    assert_non_null(strstr(last_incident(), "was ended after 0.1 s"));
    assert_int_equal(kill((pid_t)number_in("closed"), 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void what_a_shell_leaves_behind_has_the_limit_too(void **state)
{
    (void)state;
    driver_say(&d, "set action-timeout 100ms", SM_FROM_OPTION);
    start("(sleep 1000 >/dev/null 2>&1 & echo $! >left); exit 0");
    sm_action_commands_wait(d.session);
    assert_non_null(strstr(last_incident(), "was ended after 0.1 s"));
    assert_killed("left"); /* now a child of this program */
}

static void commands_end_with_the_session(void **state)
{
    (void)state;
    start("echo $$ >session; exec sleep 1000");
    while (number_in("session") < 0)
        sm_action_commands_pump(d.session);
    sm_action_commands_end(d.session);
    assert_int_equal(sm_action_commands_open(d.session), 0);
    waitpid((pid_t)number_in("session"), NULL, 0); /* unless it is gone already */
    assert_int_equal(kill((pid_t)number_in("session"), 0), -1);
}

static void many_run_a_few_at_a_time(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        start("mkdir slot$$; ls -d slot* | wc -l; rmdir slot$$");
    assert_int_equal(sm_action_commands_open(d.session), 20);
    sm_action_commands_wait(d.session);
    const struct sm_incidents *l = d.session->incidents;
    assert_int_equal(l->n, 20);
    for (size_t i = 0; i < l->n; i++)
        assert_true(atoi(strstr(l->items[i].text, "status 0: ") + 10) <=
                    SM_ACTION_COMMANDS_AT_ONCE);
    for (int i = 0; i < SM_ACTION_COMMANDS_MAX + 5; i++)
        start("true");
    assert_int_equal(sm_action_commands_open(d.session), SM_ACTION_COMMANDS_MAX);
    assert_non_null(strstr(last_incident(), "too many others wait"));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(the_output_and_status_are_recorded),
        T(a_command_that_closes_its_output_has_the_limit_too),
        T(what_a_shell_leaves_behind_has_the_limit_too),
        T(commands_end_with_the_session),
        T(many_run_a_few_at_a_time),
    };
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || !mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const files[] = {"closed", "left", "session"};
    for (size_t i = 0; i < 3; i++)
        unlink(files[i]);
    rmdir(folder);
    return status;
}
