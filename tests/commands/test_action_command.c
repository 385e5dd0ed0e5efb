/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of actions: none outlives its limit or the session, whatever it does with its output,
 * and none keeps a worker busy. */
#include "tests/commands/driver.h"

#include "commands/judge/action_command.h"
#include "commands/judge/keeper.h"
#include "commands/session/incident.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
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

/* On a busy machine the limit may end a shell before it has written its file. */
static void assert_gone(const char *name)
{
    pid_t pid = (pid_t)number_in(name);
    if (pid <= 0)
        return;
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
}

/* Runs a command until it has written its file. */
static void start_and_await(const char *text, const char *name)
{
    start(text);
    while (number_in(name) < 0)
        sm_action_commands_pump(d.session);
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
    assert_gone("closed");
}

static void what_a_shell_leaves_behind_has_the_limit_too(void **state)
{
    (void)state;
    driver_say(&d, "set action-timeout 100ms", SM_FROM_OPTION);
    start("(sleep 1000 >/dev/null 2>&1 & echo $! >left); exit 0");
    sm_action_commands_wait(d.session);
    assert_non_null(strstr(last_incident(), "was ended after 0.1 s"));
    assert_gone("left");
}

static void what_leaves_the_session_of_its_shell_has_the_limit_too(void **state)
{
    (void)state;
    driver_say(&d, "set action-timeout 500ms", SM_FROM_OPTION);
    start("setsid sleep 1000 >/dev/null 2>&1 & echo $! >away");
    sm_action_commands_wait(d.session);
    assert_non_null(strstr(last_incident(), "was ended after 0.5 s"));
    assert_gone("away");
}

/* As a daemon starts: a session of its own, and no living parent. */
static void a_daemon_ends_with_the_session(void **state)
{
    (void)state;
    start_and_await("setsid -f sh -c 'echo $$ >daemon; exec sleep 1000 >&- 2>&-'", "daemon");
    sm_action_commands_end(d.session);
    assert_gone("daemon");
}

/* A name in /proc/PID/stat may hold what stands behind it. */
static void a_name_with_parentheses_hides_nothing(void **state)
{
    (void)state;
    start_and_await("cp /bin/sleep './a) S 1 (b'; setsid './a) S 1 (b' 1000 & echo $! >named",
                    "named");
    sm_action_commands_end(d.session);
    assert_gone("named");
}

static void each_new_child_of_what_is_killed_is_killed(void **state)
{
    (void)state;
    start_and_await("echo '[ $1 = 0 ] && echo $$ >deep && exec sleep 1000; "
                    "setsid -f sh ./nest $(($1-1)); sleep 1000' >nest; sh ./nest 12",
                    "deep");
    sm_action_commands_end(d.session);
    assert_gone("deep");
}

/* As the one above, but nobody asks the keeper to end. */
static void commands_end_with_a_program_that_is_killed(void **state)
{
    (void)state;
    char text[] = "setsid -f sh -c 'echo $$ >killed; exec sleep 1000'";
    pid_t program = fork();
    if (program == 0) {
        sm_keeper_start(text, environ, STDERR_FILENO);
        for (;;)
            pause();
    }
    while (number_in("killed") < 0)
        poll(NULL, 0, 5);
    kill(program, SIGKILL);
    waitpid(program, NULL, 0);
    for (int i = 0; i < 2000 && kill((pid_t)number_in("killed"), 0) == 0; i++)
        poll(NULL, 0, 5);
    assert_gone("killed");
}

static void commands_end_with_the_session(void **state)
{
    (void)state;
    start_and_await("echo $$ >session; exec sleep 1000", "session");
    sm_action_commands_end(d.session);
    assert_int_equal(sm_action_commands_open(d.session), 0);
    assert_gone("session");
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
        T(what_leaves_the_session_of_its_shell_has_the_limit_too),
        T(a_daemon_ends_with_the_session),
        T(a_name_with_parentheses_hides_nothing),
        T(each_new_child_of_what_is_killed_is_killed),
        T(commands_end_with_a_program_that_is_killed),
        T(commands_end_with_the_session),
        T(many_run_a_few_at_a_time),
    };
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const files[] = {"closed", "left",    "away",   "daemon",    "named",
                                        "deep",   "session", "killed", "a) S 1 (b", "nest"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    rmdir(folder);
    return status;
}
