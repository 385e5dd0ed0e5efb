/* SPDX-License-Identifier: Apache-2.0 */
/* smdbg-tui sample: its command line, and the program that it runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/remove_tree.h"
#include "tests/scratch.h"
#include "tests/tui/pty.h"
#include "tui/sample.h"

#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS_MAX = 16 };

static bool parse(const char *line, struct sm_sample_options *o, struct sm_err *err)
{
    static char text[512], name[] = "sample";
    static char *argv[ARGS_MAX + 1];
    char *save = NULL;
    int argc = 1;
    argv[0] = name;
    strncpy(text, line, sizeof text - 1);
    for (char *w = strtok_r(text, " ", &save); w && argc < ARGS_MAX; w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    argv[argc] = NULL;
    *err = (struct sm_err){0};
    return sm_sample_parse(argc, argv, o, err);
}

static void clear_environment(void)
{
    static const char *const names[] = {"SM_CURRENT_HOST", "GROUP_RANK", "NODE_RANK",
                                        "SLURM_NODEID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

static void test_command_line(void **state)
{
    (void)state;
    struct sm_sample_options o;
    struct sm_err err;
    clear_environment();
    assert_true(parse("", &o, &err));
    assert_string_equal(o.out, "profiler-output");
    assert_true(o.interval_ms == 500 && o.node == 1 && !o.pid && !o.argv && !o.root);
    assert_true(parse("-o x --interval=100 -n 3 --sensors /host -- prog -i 5 -- z", &o, &err));
    assert_string_equal(o.out, "x");
    assert_true(o.interval_ms == 100 && o.node == 3);
    assert_string_equal(o.argv[0], "prog");
    assert_string_equal(o.argv[4], "z");
    assert_null(o.argv[5]);
    assert_true(parse("--pid 77 -h", &o, &err));
    assert_true(o.pid == 77 && o.help);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"-i 99", "--interval requires a number from 100 to 60000"},
        {"-i 60001", "60000"},
        {"-i 1x", "\"1x\""},
        {"-i", "-i requires a value: MS"},
        {"--interva=5", "unknown option --interva of sample"},
        {"--help=1", "--help takes no value"},
        {"-n 0", "--node requires"},
        {"--", "-- requires a program"},
        {"-p 5 -- x", "not both"},
        {"python train.py", "sample -- python"},
    };
    struct sm_sample_options o;
    struct sm_err err;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_false(parse(lines[i][0], &o, &err));
        assert_int_equal(err.code, SM_ERR_USAGE);
        if (!strstr(err.msg, lines[i][1]))
            fail_msg("%s: \"%s\" is not in \"%s\"", lines[i][0], lines[i][1], err.msg);
    }
}

static void test_node_of_environment(void **state)
{
    (void)state;
    struct sm_sample_options o;
    struct sm_err err;
    clear_environment();
    setenv("SLURM_NODEID", "4", 1);
    assert_true(parse("", &o, &err));
    assert_int_equal(o.node, 5);
    setenv("SM_CURRENT_HOST", "algo-2", 1);
    assert_true(parse("", &o, &err));
    assert_int_equal(o.node, 2);
    setenv("SM_CURRENT_HOST", "somewhere", 1);
    assert_true(parse("", &o, &err));
    assert_int_equal(o.node, 5);
    clear_environment();
}

/* ---- programs ---- */

static char dir[64], out[128];

static int set_up(void **state)
{
    (void)state;
    if (!make_scratch(dir, sizeof dir))
        return -1;
    snprintf(out, sizeof out, "%s/prof", dir);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return remove_tree(dir);
}

static struct rlimit file_limit; /* of the recording; 0: none */

/* Records a line of sh in another process. report: what $1 of the line is, a pipe of the test. */
static pid_t start(const char *line, int *report)
{
    char name[] = "sample", o[] = "-o", dashes[] = "--", sh[] = "sh", c[] = "-c",
         fd[] = "/dev/fd/9", *text = strdup(line),
         *argv[] = {name, o, out, dashes, sh, c, text, sh, fd, NULL};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 9);
        if (file_limit.rlim_max)
            setrlimit(RLIMIT_FSIZE, &file_limit);
        _exit(sm_sample_main(9, argv));
    }
    close(ends[1]);
    free(text);
    *report = ends[0];
    return pid;
}

static int status_of(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool has_marker(void)
{
    char path[256];
    struct stat st;
    snprintf(path, sizeof path, "%s/system/training_job_end.ts", out);
    return stat(path, &st) == 0;
}

/* The number of lines of the recording that have this text; each must be whole. */
static int count_lines(const char *text)
{
    char pattern[256], line[1024];
    glob_t found;
    int n = 0;
    snprintf(pattern, sizeof pattern, "%s/system/incremental/*/*.algo-1.json", out);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *f = fopen(found.gl_pathv[i], "r");
        assert_non_null(f);
        while (fgets(line, sizeof line, f)) {
            assert_true(line[0] == '{' && strcmp(line + strlen(line) - 2, "}\n") == 0);
            n += strstr(line, text) != NULL;
        }
        fclose(f);
    }
    globfree(&found);
    return n;
}

static void test_status_and_environment(void **state)
{
    (void)state;
    char said[256] = {0}, want[256], *real = realpath(dir, NULL);
    struct rlimit files;
    int report;
    pid_t pid = start("echo $SMDBG_PROFILER_DIR $SMDBG_NODE $(ulimit -n) >$1; exit 7", &report);
    assert_int_equal(status_of(pid), 7);
    assert_true(read(report, said, sizeof said - 1) > 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    snprintf(want, sizeof want, "%s/prof 1 %llu\n", real, (unsigned long long)files.rlim_cur);
    assert_string_equal(said, want);
    assert_true(has_marker());
    assert_true(count_lines("\"MemoryUsedPercent\"") >= 1);
    assert_true(count_lines("\"Name\":\"tree\",\"Dimension\":\"Processes\"") >= 1);
    close(report);
    free(real);
}

/* The shell says that its trap is set before the signal is sent to the sampler. */
static void test_signals_are_passed_on(void **state)
{
    (void)state;
    char said[16];
    int report;
    pid_t pid = start("trap 'exit 42' TERM; echo >$1; while :; do sleep 0.01; done", &report);
    assert_true(read(report, said, sizeof said) > 0);
    kill(pid, SIGTERM);
    assert_int_equal(status_of(pid), 42);
    assert_true(has_marker());
    close(report);
}

static void test_program_is_killed(void **state)
{
    (void)state;
    int report;
    pid_t pid = start("kill -9 $$", &report);
    assert_int_equal(status_of(pid), 128 + 9);
    assert_true(has_marker());
    close(report);
}

/* The recording fails, and the program does not. */
static void test_file_limit(void **state)
{
    (void)state;
    int report;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &file_limit), 0);
    file_limit.rlim_cur = 0;
    pid_t pid = start("exit 5", &report);
    file_limit = (struct rlimit){0};
    assert_int_equal(status_of(pid), 5);
    assert_int_equal(count_lines("Name"), 0);
    close(report);
}

/* At a terminal it says how to look at the recording. */
static void test_terminal(void **state)
{
    (void)state;
    struct pty p = {0};
    char name[] = "sample", o[] = "-o", dashes[] = "--", program[] = "true",
         *argv[] = {name, o, out, dashes, program, NULL};
    if (!pty_start(&p, 200, 10))
        _exit(sm_sample_main(5, argv));
    pty_expect(&p, "recorded to ");
    pty_expect(&p, dir);
    pty_expect(&p, "/prof\" shows what held it up");
    assert_int_equal(pty_finish(&p), 0);
    pty_clear(&p);
}

static void test_process_by_number(void **state)
{
    (void)state;
    char name[] = "sample", o[] = "-o", p[] = "-p", number[16];
    char *argv[] = {name, o, out, p, number, NULL};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t followed = fork();
    if (followed == 0) {
        char c;
        close(ends[1]);
        _exit(read(ends[0], &c, 1) == 0 ? 0 : 1);
    }
    snprintf(number, sizeof number, "%d", (int)followed);
    pid_t sampler = fork();
    if (sampler == 0) {
        close(ends[1]);
        _exit(sm_sample_main(5, argv));
    }
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(status_of(followed), 0);
    int status = status_of(sampler); /* 1 if it began when the process was gone */
    assert_true(status == 0 ? has_marker() : status == 1);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_line),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_node_of_environment),
        TEST(test_status_and_environment),
        TEST(test_signals_are_passed_on),
        TEST(test_program_is_killed),
        TEST(test_file_limit),
        TEST(test_terminal),
        TEST(test_process_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
