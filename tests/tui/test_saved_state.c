/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts and bookmarks from one session to the next. */
#include "commands/session/session.h"
#include "tui/app/user_files.h"
#include "tui/dashboard/panes.h"
#include "tui/dashboard/saved_state.h"

#include "reader/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[64];

static int begin(void **state)
{
    (void)state;
    snprintf(home, sizeof home, "%s/smdbg_state_XXXXXX", "/tmp");
    assert_non_null(mkdtemp(home));
    setenv("HOME", home, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    return 0;
}

static int end(void **state)
{
    static const char *const left[] = {
        "/.local/state/smdbg/session", "/.local/state/smdbg", "/.local/state", "/.local",
        "/.config/smdbg/layouts",      "/.config/smdbg",      "/.config",      ""};
    char path[128];
    (void)state;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        snprintf(path, sizeof path, "%s%s", home, left[i]);
        remove(path);
    }
    return access(home, F_OK) == 0; /* nothing else was written */
}

static const struct sm_session writes, reads = {.readonly = true};

static void test_nothing_to_keep_writes_nothing(void **state)
{
    struct sm_layouts l;
    struct sm_bookmarks b = {0};
    char *path;
    (void)state;
    sm_layouts_init(&l);
    sm_saved_state_load(&l, &b, sm_pane_table);
    assert_int_equal(l.current, 0);
    sm_saved_state_save(&writes, &l, &b);
    path = sm_user_file_state("session");
    assert_int_equal(access(path, F_OK), -1);
    sm_free(path);
    sm_layouts_clear(&l);
}

static void test_what_was_saved_comes_back(void **state)
{
    struct sm_layouts l, again;
    struct sm_bookmarks b = {0}, c = {0};
    struct stat st;
    int64_t step;
    size_t i;
    (void)state;
    sm_layouts_init(&l);
    sm_layouts_change(&l, 0, " tensors 9 value 3 -hidden");
    assert_true(sm_layouts_define(&l, "mine", " {-horizontal value 2 steps 1} 3 rules 0", NULL));
    assert_true(sm_layouts_find(&l, "mine", &l.current, NULL));
    sm_bookmarks_set(&b, "/runs/a b", 'x', 4200);
    sm_bookmarks_set(&b, "/runs/other", 'x', 7);
    sm_saved_state_save(&reads, &l, &b); /* --readonly: not even a directory */
    char *refused = sm_user_file_state("session");
    assert_int_equal(access(refused, F_OK), -1);
    sm_free(refused);
    sm_saved_state_save(&writes, &l, &b);

    sm_layouts_init(&again);
    sm_saved_state_load(&again, &c, sm_pane_table);
    assert_string_equal(again.items[again.current].name, "mine");
    assert_true(sm_layouts_find(&again, "mine", &i, NULL));
    assert_string_equal(again.items[i].spec, " {-horizontal value 2 steps 1} 3 rules 0");
    assert_string_equal(again.items[0].spec, " tensors 9 value 3 -hidden");
    sm_layouts_change(&again, 0, NULL);
    assert_false(sm_layouts_is_changed(&again, 0));
    assert_true(sm_bookmarks_find(&c, "/runs/a b", 'x', &step));
    assert_int_equal(step, 4200);
    assert_true(sm_bookmarks_find(&c, "/runs/other", 'x', &step));
    assert_int_equal(step, 7);
    assert_false(sm_bookmarks_find(&c, "/runs/a b", 'y', &step));
    char *path = sm_user_file_state("session");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    sm_free(path);
    sm_layouts_clear(&l);
    sm_layouts_clear(&again);
    sm_bookmarks_clear(&b);
    sm_bookmarks_clear(&c);
}

/* The layouts that are chosen for what is open are not those of the next session. */
static void test_a_layout_for_what_was_open(void **state)
{
    static const char *const names[] = {"plots", "runs", "system"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sm_layouts l, again;
        struct sm_bookmarks b = {0}, c = {0};
        sm_layouts_init(&l);
        sm_bookmarks_set(&b, "/runs/a", 'x', 1);
        assert_true(sm_layouts_find(&l, names[i], &l.current, NULL));
        sm_saved_state_save(&writes, &l, &b);
        sm_layouts_init(&again);
        sm_saved_state_load(&again, &c, sm_pane_table);
        assert_int_equal(again.current, i ? 0 : l.current);
        sm_layouts_clear(&l);
        sm_layouts_clear(&again);
        sm_bookmarks_clear(&b);
        sm_bookmarks_clear(&c);
    }
}

static void test_lines_that_make_no_sense(void **state)
{
    static const char text[] = "layout nosuch\nlayout\nbookmark\nbookmark a\nbookmark a x "
                               "/runs\nbookmark a -3 /runs\nbookmark ? 3 /runs\n"
                               "bookmark b 5 relative\nbookmark c 5 /runs\n\n\x01";
    static const char layouts[] = "one\nmain value 1\nbad nosuch 1\ngood value 1\n";
    struct sm_layouts l;
    struct sm_bookmarks b = {0};
    struct sm_str s = {0};
    char *session = sm_user_file_state("session"), *defined = sm_user_file_config("layouts");
    (void)state;
    sm_str_add(&s, text);
    assert_true(sm_user_file_write(&writes, session, &s));
    sm_str_truncate(&s, 0);
    sm_str_add(&s, layouts);
    assert_true(sm_user_file_write(&writes, defined, &s));
    sm_layouts_init(&l);
    size_t ours = l.n;
    sm_saved_state_load(&l, &b, sm_pane_table);
    assert_int_equal(l.current, 0);
    assert_int_equal(b.n, 1);
    assert_int_equal(b.items[0].letter, 'c');
    assert_int_equal(l.n, ours + 1);
    assert_string_equal(l.items[ours].name, "good");
    sm_layouts_clear(&l);
    sm_bookmarks_clear(&b);
    sm_str_clear(&s);
    sm_free(session);
    sm_free(defined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing_to_keep_writes_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_what_was_saved_comes_back, begin, end),
        cmocka_unit_test_setup_teardown(test_a_layout_for_what_was_open, begin, end),
        cmocka_unit_test_setup_teardown(test_lines_that_make_no_sense, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
