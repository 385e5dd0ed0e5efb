/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the rules pane for an archive without the values that a rule had tested. */
#include "tests/commands/driver.h"

#include "tui/panes/rule_rows.h"

#include <unistd.h>

static void test_findings_of_the_archive(void **state)
{
    char dir[] = "/tmp/rule_rows_XXXXXX", line[100];
    struct driver d;
    struct sm_rule_rows rows = {0};
    (void)state;
    assert_non_null(mkdtemp(dir));
    driver_open(&d, "mlp_exploding_tensor", true);
    sm_rule_rows_init(&rows);
    driver_say(&d, "rule add vanishing_gradient", SM_FROM_OPTION);
    driver_say(&d, "rule add dead_relu", SM_FROM_OPTION);
    driver_say(&d, "rule add exploding_tensor as boom", SM_FROM_OPTION);
    snprintf(line, sizeof line, "snapshot save %s/a.smdz -stats-only", dir);
    driver_say(&d, line, SM_FROM_OPTION);
    sm_rule_rows_read(&rows, d.session);
    assert_int_equal(rows.n, 3);
    assert_int_equal(rows.n_saved, 0);

    snprintf(line, sizeof line, "open %s/a.smdz", dir);
    driver_say(&d, line, SM_FROM_OPTION);
    sm_rule_rows_read(&rows, d.session);
    assert_int_equal(rows.n, 2); /* the quiet rule had no findings */
    assert_string_equal(sm_rule_row_name(&rows.items[0]), "DeadRelu");
    assert_null(rows.items[0].attached);

    driver_say(&d, "rule add exploding_tensor as boom", SM_FROM_OPTION);
    driver_say(&d, "rule add vanishing_gradient", SM_FROM_OPTION);
    driver_say(&d, "rule add dead_relu", SM_FROM_OPTION);
    driver_say(&d, "rule status -wait", SM_FROM_OPTION);
    sm_rule_rows_read(&rows, d.session);
    assert_string_equal(sm_str_text(&d.err), "");
    assert_int_equal(rows.n, 3);
    assert_int_equal(rows.n_saved, 1); /* its values are missing, so it cannot fire again */
    assert_string_equal(sm_rule_row_name(&rows.items[0]), "DeadRelu");
    assert_non_null(rows.items[0].attached);
    assert_non_null(rows.items[0].saved);
    assert_int_equal(sm_rule_row_rank(&rows.items[0]), 0);
    assert_string_equal(sm_rule_row_name(&rows.items[1]), "boom");
    assert_null(rows.items[1].saved);
    assert_int_equal(sm_rule_row_rank(&rows.items[2]), SM_RULE_QUIET);
    sm_rule_rows_clear(&rows);
    driver_close(&d);
    snprintf(line, sizeof line, "%s/a.smdz", dir);
    assert_int_equal(unlink(line), 0);
    assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings_of_the_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
