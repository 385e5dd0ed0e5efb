/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers are known when the trial is open if their event file is small, or has not much else; the
 * others are read on request. */
#include "reader/fetch/series.h"
#include "reader/fetch/survey.h"
#include "tests/reader/live.h"

static void write_numbers(struct live *l, int64_t step, size_t weights)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
    put_tensor(w, "loss", (float)step, 1);
    put_tensor(w, "weight", 0.5f, weights);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static unsigned flags_at(struct live *l, const char *name, int64_t step)
{
    struct sm_entry e = value_at(l, name, step);
    return sm_trial_brief(l->trial, &e).flags;
}

static void numbers_are_known_at_once(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 4; i++)
        write_numbers(l, i, i == 2 ? 8000 : 6);
    live_open(l);
    assert_true(flags_at(l, "loss", 1) & SM_BRIEF_ONE);
    assert_int_equal(flags_at(l, "weight", 1), 0); /* not one element */
    assert_int_equal(flags_at(l, "loss", 2), 0);   /* its file is large */
    assert_int_equal(sm_trial_seen(l->trial).read, 3);
    unsigned long before = sm_source_read_count();
    struct sm_entry e = value_at(l, "loss", 3);
    assert_true(sm_fetch_number(l->fetch, l->trial, &e, &facts, NULL));
    assert_true(facts->n == 1 && facts->stats.mean == 3);
    struct sm_series_spec series;
    assert_true(sm_series_default(l->fetch, l->trial, tensor(l, "loss"), &series, NULL));
    assert_null(series.reduction);
    assert_int_equal(sm_source_read_count(), before);
    e = value_at(l, "weight", 3);
    assert_false(sm_fetch_number(l->fetch, l->trial, &e, &facts, NULL)); /* it is being read */
    write_numbers(l, 4, 6);
    live_beat(l);
    assert_true(flags_at(l, "loss", 4) & SM_BRIEF_ONE);
}

/* What is damaged is reported by those who ask for it. */
static void a_damaged_number_is_not_known(void **state)
{
    struct live *l = *state;
    char path[512];
    size_t n;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 3; i++)
        write_numbers(l, i, 6);
    write_end(l);
    snprintf(path, sizeof path, "%s", in(l, "events/%012d/%012d_worker_0.tfevents", 1, 1));
    uint8_t *bytes = get_file(path, &n);
    for (size_t i = 0; i < n; i++)
        bytes[i] ^= i % 64 == 40;
    put_file(path, bytes, n);
    free(bytes);
    live_open(l);
    assert_true(flags_at(l, "loss", 0) & SM_BRIEF_ONE);
    assert_int_equal(flags_at(l, "loss", 1), 0);
    double mean;
    struct sm_err err;
    mean_at(l, "loss", 1, &mean, &err);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
}

static void many_numbers_are_known_at_once(void **state)
{
    enum { NUMBERS = 2000 };
    struct live *l = *state;
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    char name[32];
    write_collections(l, "worker_0", 1);
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    for (int i = 0; i < NUMBERS; i++) {
        snprintf(name, sizeof name, "number%d", i);
        put_tensor(w, name, (float)i, 1);
    }
    put_tensor(w, "weight", 0.5f, 6);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
    assert_int_equal(sm_trial_seen(l->trial).read, NUMBERS);
}

/* How often files are read to open a trial of arrays. */
static unsigned long reads_to_open(size_t elements)
{
    void *state = NULL;
    struct sm_err err;
    char name[32];
    assert_int_equal(live_setup(&state), 0);
    struct live *l = state;
    write_collections(l, "worker_0", 1);
    for (int step = 0; step < 8; step++) {
        struct sm_writer *w = writer(l, "worker_0");
        assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
        for (int i = 0; i < 20; i++) {
            snprintf(name, sizeof name, "Net_layer%d.weight", i);
            put_tensor(w, name, (float)i, elements);
        }
        assert_true(sm_writer_end_step(w, &err));
        sm_writer_close(w);
    }
    unsigned long before = sm_source_read_count();
    live_open(l);
    unsigned long n = sm_source_read_count() - before;
    live_teardown(&state);
    return n;
}

/* Small arrays are no numbers: their files are not read with the index, as large ones are not. */
static void arrays_are_read_on_request(void **state)
{
    (void)state;
    assert_in_range(reads_to_open(16), 1, reads_to_open(8000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_are_known_at_once, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(many_numbers_are_known_at_once, live_setup, live_teardown),
        cmocka_unit_test(arrays_are_read_on_request),
        cmocka_unit_test_setup_teardown(a_damaged_number_is_not_known, live_setup, live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
