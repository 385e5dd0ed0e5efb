/* SPDX-License-Identifier: Apache-2.0 */
/* Watchers share one inotify instance: each gets the events of its own directories. */
#include "reader/source/watch.h"

#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];
struct seen {
    unsigned n, lost, tag;
    char name[64];
};

static void note(void *ctx, unsigned tag, const char *name)
{
    struct seen *s = ctx;
    s->n++;
    s->tag = tag;
    s->lost += !name;
    if (name)
        snprintf(s->name, sizeof s->name, "%s", name);
}

static char *in_root(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", root, name);
    return path;
}

static void put(const char *name, const char *text)
{
    char path[128];
    FILE *f = fopen(in_root(name, path), "a");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Events are there as soon as the call that caused them returns; what was read a moment ago is not
 * read again. */
static void pump_until(const unsigned *n, unsigned least)
{
    struct pollfd p = {sm_watch_fd(), POLLIN, 0};
    while (*n < least && poll(&p, 1, 10000) > 0)
        sm_watch_pump();
}

static int begin(void **state)
{
    (void)state;
    char path[128];
    return make_scratch(root, sizeof root) && mkdir(in_root("a", path), 0700) == 0 &&
                   mkdir(in_root("b", path), 0700) == 0
               ? 0
               : -1;
}

static int end(void **state)
{
    (void)state;
    return remove_tree(root);
}

static void each_gets_its_own(void **state)
{
    (void)state;
    struct seen one = {0}, two = {0};
    char path[128];
    struct sm_watch *a = sm_watch_new(note, &one, NULL), *b = sm_watch_new(note, &two, NULL);
    assert_true(sm_watch_add(a, in_root("a", path), 1, NULL));
    assert_true(sm_watch_add(b, in_root("b", path), 2, NULL));
    assert_true(sm_watch_add(b, in_root("a", path), 3, NULL)); /* both watch it */
    put("b/x", "1");
    pump_until(&two.n, 1);
    assert_int_equal(one.n, 0);
    assert_int_equal(two.tag, 2);
    assert_string_equal(two.name, "x");
    put("a/y", "1");
    pump_until(&one.n, 1);
    assert_int_equal(one.tag, 1);
    assert_int_equal(two.tag, 3);
    sm_watch_free(b);
    unsigned before = one.n;
    put("a/y", "2"); /* a file that grows */
    pump_until(&one.n, before + 1);
    assert_true(one.n > before);
    sm_watch_free(a);
    assert_int_equal(sm_watch_fd(), -1);
}

static void a_removed_directory_is_said(void **state)
{
    (void)state;
    struct seen one = {0};
    char path[128];
    struct sm_watch *a = sm_watch_new(note, &one, NULL);
    assert_true(sm_watch_add(a, in_root("a", path), 1, NULL));
    assert_int_equal(rmdir(in_root("a", path)), 0);
    pump_until(&one.lost, 1);
    assert_int_equal(one.lost > 0, 1);
    assert_int_equal(mkdir(in_root("a", path), 0700), 0);
    assert_true(sm_watch_add(a, in_root("a", path), 7, NULL));
    put("a/z", "1");
    pump_until(&one.tag, 7);
    assert_string_equal(one.name, "z");
    sm_watch_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_gets_its_own, begin, end),
        cmocka_unit_test_setup_teardown(a_removed_directory_is_said, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
