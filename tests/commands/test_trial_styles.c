/* SPDX-License-Identifier: Apache-2.0 */
/* Each trial that is drawn has a style of its own, and keeps it while others come and go. */
#include "commands/session/trial_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TRIALS = 40 };

static void assert_differ(const struct sm_session *s)
{
    for (size_t i = 0; i < s->n_trials; i++)
        for (size_t k = 0; k < i; k++)
            if (sm_trials_shown(s, i) && sm_trials_shown(s, k))
                assert_int_not_equal(s->trials[i].style, s->trials[k].style);
}

static void test_styles_do_not_repeat(void **state)
{
    struct sm_open_trial trials[TRIALS] = {0};
    struct sm_session s = {.trials = trials, .n_trials = TRIALS};
    (void)state;
    sm_trials_restyle(&s);
    assert_differ(&s);
    assert_int_equal(trials[39].style, 39);
    for (size_t i = 0; i < TRIALS; i++)
        sm_trials_hide(&s, i, i % 5 != 3);
    assert_differ(&s);
    assert_int_equal(trials[38].style, 38); /* kept */
    sm_trials_hide(&s, 1, false);
    assert_int_equal(trials[1].style, 1); /* the least that is free: 0 is that of the current one */
    s.current = 2;
    sm_trials_restyle(&s);
    assert_int_equal(trials[2].style, 0);
    assert_differ(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_styles_do_not_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
