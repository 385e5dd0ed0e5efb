/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads requested only by the background are dropped as it advances; others stay. */
#include "tests/reader/live.h"

#include "reader/hook/writer.h"

/* 4 MiB per payload: more than four exceed the background's share */
enum { STEPS = 6, ELEMENTS = 1 << 20 };

static void write_steps(struct live *l)
{
    float *x = calloc(ELEMENTS, sizeof *x);
    struct sm_err err;
    for (int64_t s = 0; s < STEPS; s++) {
        struct sm_writer *w = writer(l, "worker_0");
        struct sm_event_value v = {.tag = sm_text("x"),
                                   .kind = SM_VALUE_TENSOR,
                                   .dtype = SM_DTYPE_FLOAT32,
                                   .n_dims = 1,
                                   .dims = {ELEMENTS},
                                   .n_elements = ELEMENTS};
        v.content = (struct sm_bytes){(const uint8_t *)x, ELEMENTS * sizeof *x};
        assert_true(sm_writer_begin_step(w, s, SM_MODE_GLOBAL, s, &err));
        assert_true(sm_writer_tensor(w, &v, 1e9, &err));
        assert_true(sm_writer_end_step(w, &err));
        sm_writer_close(w);
    }
    free(x);
}

/* Whether it is cached. */
static bool is_cached(struct live *l, int64_t step)
{
    struct sm_tensor *t = NULL;
    struct sm_err err;
    bool known =
        sm_fetch_tensor(l->fetch, l->trial, (struct sm_entry[]){value_at(l, "x", step)}, &t, &err);
    sm_tensor_unref(t);
    return known;
}

static void go_through(struct live *l, bool aside)
{
    sm_fetch_set_background(l->fetch, aside);
    for (int64_t s = 0; s < STEPS; s++) {
        assert_false(is_cached(l, s));
        live_settle(l);
        assert_true(is_cached(l, s));
        sm_fetch_lap(l->fetch);
    }
    sm_fetch_set_background(l->fetch, false);
}

static void test_the_background_keeps_its_last_steps(void **state)
{
    struct live *l = *state;
    write_steps(l);
    live_open(l);
    go_through(l, true);
    assert_true(is_cached(l, STEPS - 1) && is_cached(l, STEPS - 2));
    assert_false(is_cached(l, 0));
}

static void test_what_somebody_else_asked_for_stays(void **state)
{
    struct live *l = *state;
    write_steps(l);
    live_open(l);
    go_through(l, false);
    assert_true(is_cached(l, 0));
}

static void test_what_was_not_handed_out_waits(void **state)
{
    struct live *l = *state;
    write_steps(l);
    live_open(l);
    sm_fetch_set_background(l->fetch, true);
    for (int64_t s = 0; s < STEPS; s++)
        assert_false(is_cached(l, s));
    live_settle(l);
    for (int i = 0; i < 8; i++)
        sm_fetch_lap(l->fetch);
    for (int64_t s = 0; s < STEPS; s++)
        assert_true(is_cached(l, s));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_the_background_keeps_its_last_steps),
        T(test_what_somebody_else_asked_for_stays),
        T(test_what_was_not_handed_out_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
