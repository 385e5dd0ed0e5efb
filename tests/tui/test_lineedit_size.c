/* SPDX-License-Identifier: Apache-2.0 */
/* readline reads the size of the terminal and sets what it has read. Where the size changes between
 * the two, it must not be set back. */
#include "tests/tui/pty.h"
#include "tui/program_features.h"
#include "tui/terminal/lineedit.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>

static unsigned short columns; /* of the terminal now */

/* Instead of that of the C library: the terminal has another size as soon as it was read. */
int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    long status = syscall(SYS_ioctl, fd, request, argument);
    if (request == TIOCGWINSZ && status == 0) {
        struct winsize later = {.ws_row = 24, .ws_col = ++columns};
        syscall(SYS_ioctl, fd, TIOCSWINSZ, &later);
    }
    return (int)status;
}

static void expect_size_after(void (*act)(struct sm_session *s))
{
    struct sm_err err;
    struct winsize size = {.ws_row = 24, .ws_col = columns = 80};
    int master, slave;
    assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
    assert_int_equal(dup2(slave, STDIN_FILENO), STDIN_FILENO);
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    struct sm_session *s = sm_session_new(pool, sm_program_features, &err);
    act(s);
    syscall(SYS_ioctl, slave, TIOCGWINSZ, &size);
    assert_int_equal(size.ws_col, columns);
    sm_session_free(s);
    sm_pool_free(pool);
    close(slave);
    close(master);
}

/* The terminal changes indeed. */
static void ask(struct sm_session *s)
{
    struct winsize size;
    (void)s;
    assert_int_equal(ioctl(STDIN_FILENO, TIOCGWINSZ, &size), 0);
    assert_int_equal(size.ws_col, 80);
    assert_int_equal(columns, 81);
}

static void test_a_size_is_not_set_back(void **state)
{
    (void)state;
    setenv("TERM", "xterm", 1);
    setenv("HOME", "/nonexistent", 1);
    setenv("INPUTRC", "/dev/null", 1);
    expect_size_after(ask);
    expect_size_after(sm_lineedit_init);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_size_is_not_set_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
