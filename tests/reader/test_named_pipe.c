/* SPDX-License-Identifier: Apache-2.0 */
/* A named pipe as a source: it may be named before somebody writes into it. */
#include "reader/source/source_pipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <fcntl.h>
#include <unistd.h>

enum { LONG_US = 60000000 };

static void test_writer_comes_later(void **state)
{
    (void)state;
    static char path[128];
    char dir[] = "/tmp/smdbg_test_XXXXXX", got[32] = "";
    size_t n = 0;
    struct sm_err err;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/log", dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(sm_pipe_begin_named(path, true, &err));
    assert_true(sm_pipe_is_path(path));
    assert_false(sm_pipe_is_path("-"));
    assert_false(sm_pipe_ended(NULL));
    int fd = open(path, O_WRONLY);
    assert_int_equal(write(fd, "step 1 loss 3\n", 14), 14);
    assert_true(sm_pipe_wait(13, LONG_US));
    struct sm_source *s = sm_pipe_source();
    assert_true(sm_source_read(s, SM_PIPE_FILE, 0, got, sizeof got, &n, &err));
    assert_memory_equal(got, "step 1 loss 3\n", n);
    assert_int_equal(n, 14);
    assert_false(sm_pipe_ended(NULL));
    close(fd);
    assert_true(sm_pipe_wait(14, LONG_US));
    assert_true(sm_pipe_ended(NULL));
    sm_source_unref(s);
    unlink(path);
    rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_writer_comes_later)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
