/* SPDX-License-Identifier: Apache-2.0 */
/* What a program in the sandbox can still do, tried in a child. */
#include "tui/app/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_LANDLOCK = 77 };
static char file[] = "/tmp/smdbg-sandbox-XXXXXX";

static bool can_open(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void *try_in_thread(void *ctx)
{
    *(bool *)ctx = can_open(file, O_WRONLY);
    return NULL;
}

/* The number of the first thing that went wrong; 0: none. */
static int try_all(void)
{
    char other[64];
    char *const argv[] = {(char[]){"true"}, NULL};
    bool in_thread = true;
    pthread_t thread;
    snprintf(other, sizeof other, "%s-2", file);
    if (!can_open(file, O_RDONLY) || !can_open("/dev/null", O_RDWR))
        return 1;
    if (can_open(file, O_WRONLY) || can_open(file, O_RDWR) || can_open(other, O_WRONLY | O_CREAT))
        return 2;
    if (truncate(file, 0) == 0 || unlink(file) == 0 || mkdir(other, 0700) == 0)
        return 3;
    if (rename(file, other) == 0 || symlink(file, other) == 0 || link(file, other) == 0)
        return 4;
    if (pthread_create(&thread, NULL, try_in_thread, &in_thread) != 0 ||
        pthread_join(thread, NULL) != 0 || in_thread)
        return 5;
    execv("/bin/true", argv);
    return errno == EACCES ? 0 : 6;
}

static void test_only_reading_is_left(void **state)
{
    int status = -1;
    (void)state;
    pid_t pid = fork();
    if (pid == 0)
        _exit(sm_sandbox_enter() ? try_all() : NO_LANDLOCK);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_LANDLOCK)
        skip(); /* the kernel has none */
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(access(file, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_only_reading_is_left)};
    int fd = mkstemp(file);
    if (fd < 0)
        return 1;
    close(fd);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(file);
    return status;
}
