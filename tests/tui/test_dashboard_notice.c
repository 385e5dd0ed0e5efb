/* SPDX-License-Identifier: Apache-2.0 */
/* The line for the person: what happens by itself waits for what they have asked for, and is not
 * lost. */
#include "tui/dashboard/dashboard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *told(const struct sm_dashboard *d)
{
    return sm_str_text(&d->notice);
}

static void finish(struct sm_dashboard *d)
{
    sm_str_clear(&d->notice);
    sm_str_clear(&d->event);
}

static void test_an_answer_is_kept(void **state)
{
    struct sm_dashboard d = {0};
    (void)state;
    sm_dashboard_report_event(&d, "Breakpoint 1, a");
    assert_string_equal(told(&d), "Breakpoint 1, a");
    sm_dashboard_warn(&d, "Undefined command");
    sm_dashboard_report_event(&d, "Breakpoint 1, b");
    sm_dashboard_report_event(&d, "Breakpoint 1, c");
    assert_string_equal(told(&d), "Undefined command");
    int64_t due = sm_dashboard_notice_due(&d);
    assert_int_equal(due, d.event_after_us);
    sm_dashboard_age_notice(&d, due - 1);
    assert_string_equal(told(&d), "Undefined command");
    sm_dashboard_age_notice(&d, due);
    assert_string_equal(told(&d), "Breakpoint 1, c"); /* the last */
    sm_dashboard_age_notice(&d, d.notice_until_us);
    assert_string_equal(told(&d), "");
    assert_int_equal(sm_dashboard_notice_due(&d), INT64_MAX);
    finish(&d);
}

static void test_a_question_is_kept_longer(void **state)
{
    struct sm_dashboard d = {.asked_quit = true};
    (void)state;
    sm_dashboard_say(&d, "Quit?");
    sm_dashboard_report_event(&d, "fired");
    sm_dashboard_age_notice(&d, d.event_after_us);
    assert_string_equal(told(&d), "Quit?");
    sm_dashboard_age_notice(&d, d.notice_until_us);
    assert_string_equal(told(&d), "fired");
    assert_false(d.asked_quit);
    d.paste.asked = true;
    sm_dashboard_say(&d, "3 lines were pasted");
    sm_dashboard_report_event(&d, "fired again");
    assert_int_equal(sm_dashboard_notice_due(&d), INT64_MAX);
    sm_dashboard_age_notice(&d, d.notice_until_us);
    assert_string_equal(told(&d), "3 lines were pasted");
    finish(&d);
}

/* It says why no trial is open. */
static void test_without_a_trial_it_stays(void **state)
{
    struct sm_session session = {0};
    struct sm_dashboard d = {.session = &session};
    (void)state;
    sm_dashboard_warn(&d, "no run in 1 file");
    assert_int_equal(sm_dashboard_notice_due(&d), INT64_MAX);
    sm_dashboard_age_notice(&d, d.notice_until_us);
    assert_string_equal(told(&d), "no run in 1 file");
    finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_is_kept),
        cmocka_unit_test(test_a_question_is_kept_longer),
        cmocka_unit_test(test_without_a_trial_it_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
