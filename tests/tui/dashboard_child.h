/* SPDX-License-Identifier: Apache-2.0 */
/* The program itself on a pseudo-terminal, as tests of its dashboard start it, look at it and end
 * it. */
#ifndef SM_TEST_DASHBOARD_CHILD_H
#define SM_TEST_DASHBOARD_CHILD_H

#include "tests/remove_tree.h"
#include "tests/tui/vt.h"

#include <limits.h>

enum { ARGS_MAX = 8, GOLDEN_W = 80, GOLDEN_H = 24 };
static const char trial[] = "tests/trials/cnn_healthy";

static struct pty term;
static struct vt screen;
static char home[] = "/tmp/smdbg-dashboard-XXXXXX";
static char program[PATH_MAX];

/* ---- the child ---- */

static inline void clean_environment(void)
{
    static const char *const ours[] = {
        "COLUMNS",  "LINES",          "XDG_STATE_HOME", "XDG_CONFIG_HOME", "SSH_CONNECTION",
        "NO_COLOR", "CLICOLOR_FORCE", "COLORTERM",      "SMDEBUG_OUT",     "ENV"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        unsetenv(ours[i]);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("HOME", home, 1);
    setenv("INPUTRC", "/dev/null", 1);
    setenv("PS1", "$ ", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* curses and readline keep theirs */
}

/* Words between blanks (~ is one inside a word); those with = in front of the program's arguments
 * go into the environment ("NAME=": is unset). */
static inline void run_child(const char *line)
{
    char text[512], no_rules[] = "--no-rules", *argv[ARGS_MAX + 3] = {program, no_rules},
                    *save = NULL;
    int argc = 2;
    clean_environment();
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok_r(text, " ", &save); w && argc < ARGS_MAX;
         w = strtok_r(NULL, " ", &save)) {
        for (char *blank = w; (blank = strchr(blank, '~'));)
            *blank = ' ';
        char *value = argc == 2 && *w != '-' ? strchr(w, '=') : NULL;
        if (!value) {
            argv[argc++] = w;
            continue;
        }
        *value++ = 0;
        if (strcmp(value, "-") == 0)
            unsetenv(w);
        else
            setenv(w, value, 1);
    }
    execv(program, argv);
    _exit(127);
}

static inline void start(const char *line)
{
    memset(&screen, 0, sizeof screen);
    vt_resize(&screen, GOLDEN_W, GOLDEN_H);
    if (!pty_start(&term, GOLDEN_W, GOLDEN_H))
        run_child(line);
}

static inline void type(const char *text)
{
    pty_type(&term, text);
}

static inline void expect(const char *text)
{
    vt_expect(&screen, &term, text);
}

static inline void resize(int w, int h)
{
    struct winsize size = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};
    assert_int_equal(ioctl(term.fd, TIOCSWINSZ, &size), 0);
}

/* ---- what is on the screen ---- */

static char golden[GOLDEN_H][512];

static inline void read_golden(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (int y = 0; y < GOLDEN_H; y++) {
        assert_non_null(fgets(golden[y], sizeof golden[y], f));
        golden[y][strcspn(golden[y], "\n")] = 0;
        for (size_t n = strlen(golden[y]); n && golden[y][n - 1] == ' ';)
            golden[y][--n] = 0;
    }
    fclose(f);
}

/* All but the status line, which has ages and sizes: -1; or a row that differs. */
static inline int differs(void)
{
    if (strncmp(vt_row(&screen, 0), golden[0], strlen(golden[0])) != 0)
        return 0;
    for (int y = 1; y < GOLDEN_H; y++)
        if (strcmp(vt_row(&screen, y), golden[y]) != 0)
            return y;
    return -1;
}

static inline void expect_golden(void)
{
    int row;
    for (vt_take(&screen, &term); (row = differs()) >= 0; vt_take(&screen, &term))
        if (!pty_hear(&term)) {
            print_error("row %d: \"%s\"\n", row, golden[row]);
            vt_fail(&screen, "the screen is not as it should be");
        }
}

static inline void start_on_the_trial(const char *options)
{
    char line[256];
    snprintf(line, sizeof line, "%s -n %s", options, trial);
    start(line);
    expect("NORMAL");
    expect("statistics"); /* the values have come */
    type("jjj");
    expect_golden();
}

/* ---- what the terminal was left like ---- */

static inline bool is_cooked(void)
{
    struct termios t;
    assert_int_equal(tcgetattr(term.fd, &t), 0);
    return (t.c_lflag & ICANON) && (t.c_lflag & ECHO) && (t.c_lflag & ISIG) && (t.c_iflag & IXON) &&
           (t.c_oflag & OPOST);
}

static inline void assert_given_back(void)
{
    vt_take(&screen, &term);
    if (screen.alternate)
        vt_fail(&screen, "the alternate screen was not left");
    assert_false(screen.hidden);
    assert_false(screen.pastes);
    assert_true(is_cooked());
    assert_string_equal(screen.unknown, "");
}

/* To the end of the output, with the terminal still there to be looked at. */
static inline int finish(void)
{
    while (pty_hear(&term))
        ;
    assert_given_back();
    return pty_finish(&term);
}

/* ---- before and after ---- */

static inline int set_up(void **state)
{
    (void)state;
    strcpy(strrchr(home, '-'), "-XXXXXX");
    return !mkdtemp(home);
}

static inline int tear_down(void **state)
{
    (void)state;
    pty_clear(&term);
    return remove_tree(home);
}

/* BUILD/tests/tui/this and BUILD/smdbg-tui */
static inline bool find_program(void)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 16);
    for (int up = 0; n > 0 && up < 3; up++)
        while (n > 0 && program[--n] != '/')
            ;
    if (n <= 0)
        return false;
    strcpy(program + n, "/smdbg-tui");
    return access(program, X_OK) == 0;
}

/* The golden screen is that of the trial with "jjj" typed. */
static inline bool prepare(void)
{
    if (!find_program()) {
        fprintf(stderr, "%s: no such program\n", program);
        return false;
    }
    read_golden("tests/screens/main_80x24.screen");
    return true;
}

#endif
