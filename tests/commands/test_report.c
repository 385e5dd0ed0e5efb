/* SPDX-License-Identifier: Apache-2.0 */
/* report: the summary of a run. */
#include "tests/commands/driver.h"

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is missing in %s", part, text);
}

static void test_no_best_of_nan(void **state)
{
    struct driver d;
    (void)state;
    driver_open(&d, NULL, true);
    struct sm_err err = {0};
    d.session->open_options.first.n = 20;
    d.session->open_options.last.n = 50;
    d.session->open_options.stride = 1;
    assert_true(sm_session_open(d.session, "tests/trials/mlp_exploding_tensor", NULL, true, &err));
    assert_has(driver_prompt(&d, "report -json"),
               "\"first\":\"nan\",\"best\":null,\"best_step\":null,\"last\":\"nan\"}");
    driver_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_best_of_nan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
