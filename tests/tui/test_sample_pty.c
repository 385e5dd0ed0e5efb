/* SPDX-License-Identifier: Apache-2.0 */
/* The tensor pane with a value larger than memory-limit: it shows a sample and says which. */
#include "tests/tui/dashboard_child.h"

#include "reader/hook/writer.h"
#include "reader/kind/trial_options.h"

enum { N = 400000 };

/* A trial of one tensor: 0 1 2 ... */
static void write_ramp(const char *dir)
{
    struct sm_writer *w;
    struct sm_err err;
    float *x = malloc(N * sizeof *x);
    for (size_t i = 0; i < N; i++)
        x[i] = (float)i;
    struct sm_event_value v = {.tag = sm_text("ramp"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_dims = 1,
                               .dims = {N},
                               .n_elements = N,
                               .content = {(const uint8_t *)x, N * sizeof *x}};
    const struct sm_collections_def none = {.num_workers = 1};
    assert_true(sm_writer_open(dir, "worker_0", &w, &err));
    assert_true(sm_writer_collections(w, &none, &err));
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    assert_true(sm_writer_tensor(w, &v, 1e9, &err));
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    free(x);
}

static void test_the_pane_shows_a_sample(void **state)
{
    (void)state;
    char dir[sizeof home + 8], line[200];
    snprintf(dir, sizeof dir, "%s/trial", home);
    write_ramp(dir);
    snprintf(line, sizeof line, "-n --no-follow -ex set~memory-limit~1Mi --tui %s", dir);
    start(line);
    expect("ramp");
    type(":tensor ramp\r");
    type(":layout value\r");
    expect("max 4e+05"); /* the statistics are of all elements */
    type(":pane value set view values\r");
    expect("(400000,)[::8]");
    expect("[0]  0");
    type(":pane value set view histogram\r");
    expect("400k"); /* of the axis */
    type(":pane value set slice [399990:]\r");
    expect("(400000,)[399990:]");
    type(":pane value set view values\r");
    expect("[0]  399990");
    type("Q");
    assert_int_equal(finish(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_pane_shows_a_sample, set_up, tear_down),
    };
    if (!prepare())
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
