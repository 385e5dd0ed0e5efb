/* SPDX-License-Identifier: Apache-2.0 */
/* A screen as a file. */
#include "tui/terminal/screen.h"

#include "commands/session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What does not reach the disk is not saved. */
static void test_a_full_disk_is_told(void **state)
{
    (void)state;
    struct sm_grid g;
    struct sm_session session = {0};
    struct sm_err err = {0};
    sm_grid_init(&g, 10, 2);
    sm_grid_blank(&g, (struct sm_rect){0, 0, 10, 2});
    assert_false(sm_screen_save(&session, &g, "/dev/full", &err));
    assert_string_equal(err.msg, "/dev/full: No space left on device.");
    assert_true(sm_screen_save(&session, &g, "/dev/null", &err));
    session.readonly = true;
    assert_false(sm_screen_save(&session, &g, "/dev/null", &err));
    assert_string_equal(err.msg, "Writing files is refused with --readonly.");
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
