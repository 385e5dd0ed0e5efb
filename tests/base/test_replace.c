/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/replace.h"
#include "tests/remove_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/smdbg-replace-XXXXXX";
static char path[64];

static void assert_contents(const char *want)
{
    char text[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fread(text, 1, sizeof text - 1, f), strlen(want));
    fclose(f);
    assert_string_equal(text, want);
}

static unsigned mode_of(void)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void test_a_new_file(void **state)
{
    (void)state;
    mode_t before = umask(027);
    assert_true(sm_replace_file(path, "one", 3, 0666));
    umask(before);
    assert_contents("one");
    assert_int_equal(mode_of(), 0640);
}

static void test_a_file_that_is_there(void **state)
{
    (void)state;
    assert_true(sm_replace_file(path, "one", 3, 0600));
    assert_int_equal(chmod(path, 0604), 0);
    assert_true(sm_replace_file(path, "another", 7, 0600));
    assert_contents("another");
    assert_int_equal(mode_of(), 0604);
}

static void test_no_room(void **state)
{
    struct rlimit before, small = {.rlim_cur = 4};
    (void)state;
    assert_true(sm_replace_file(path, "one", 3, 0600));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool ok = sm_replace_file(path, "another", 7, 0600);
    int why = errno;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(ok);
    assert_int_equal(why, EFBIG);
    assert_contents("one");
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(dir), 0); /* no other file was left */
    assert_int_equal(mkdir(dir, 0700), 0);
}

/* In containers with a common folder process numbers repeat, and one may have left its file. */
static void test_a_file_left_by_another(void **state)
{
    char left[96];
    (void)state;
    snprintf(left, sizeof left, "%s.%ld.tmp", path, (long)getpid());
    FILE *f = fopen(left, "w");
    assert_non_null(f);
    fclose(f);
    assert_true(sm_replace_file(path, "one", 3, 0600));
    assert_contents("one");
    assert_int_equal(unlink(left), 0);
}

/* What a program does when a signal ends it. */
static void test_the_end_of_the_program(void **state)
{
    struct sm_replacement r[3];
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(sm_replacement_begin(&r[i], path, 0600));
    assert_int_equal(access(r[1].temporary, F_OK), 0);
    assert_true(sm_replacement_end(&r[0], true));
    sm_replacements_unlink();
    assert_int_equal(access(r[1].temporary, F_OK), -1);
    assert_contents("");
    assert_false(sm_replacement_end(&r[1], true));
    assert_false(sm_replacement_end(&r[2], false));
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(dir), 0);
    assert_int_equal(mkdir(dir, 0700), 0);
}

static void test_no_folder(void **state)
{
    (void)state;
    assert_false(sm_replace_file("/nonexistent/file", "one", 3, 0600));
    assert_int_equal(errno, ENOENT);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(strrchr(dir, '-'), "-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof path, "%s/file", dir);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return remove_tree(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_new_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_file_that_is_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_file_left_by_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_end_of_the_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_folder, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
