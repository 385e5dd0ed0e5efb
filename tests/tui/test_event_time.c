/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/event_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SECOND ((int64_t)1000000)
#define DAY    (86400 * SECOND)

static void assert_time(int64_t us, int64_t now_us, const char *want)
{
    char text[SM_EVENT_TIME_W];
    sm_event_time(us, now_us, false, text);
    assert_string_equal(text, want);
}

static void test_an_event_of_another_day_has_its_date(void **state)
{
    (void)state;
    int64_t midnight = 20000 * DAY; /* 2024-10-04 */
    assert_time(midnight, midnight, "00:00:00");
    assert_time(midnight + 3207 * SECOND, midnight + DAY - 1, "00:53:27");
    assert_time(midnight - SECOND, midnight, "10-03 23:59");
    assert_time(midnight + 3207 * SECOND, midnight + 5 * DAY, "10-04 00:53");
    assert_time(midnight - 366 * DAY, midnight, "10-04 00:00");
    assert_time(0, midnight, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_an_event_of_another_day_has_its_date)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
