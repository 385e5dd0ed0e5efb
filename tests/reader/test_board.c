/* TensorBoard's directories: files without an index, which grow. */
#include "tests/reader/live.h"

#include "reader/board.h"
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"

/* A record with one float32 scalar tensor, as TensorBoard's writers frame it. */
static void add_record(struct sm_str *out, const char *tag, int64_t step, float value)
{
    struct sm_err err;
    struct sm_str payload = {0};
    struct sm_event_value v = {.tag = sm_text(tag), .kind = SM_VALUE_TENSOR, .dtype = SM_DTYPE_FLOAT32, .proto_dtype = 1, .n_elements = 1,
                               .content = {(const uint8_t *)&value, sizeof value}};
    struct sm_event e = {.wall_time = 1e9 + (double)step, .step = step, .values = &v, .n_values = 1};
    assert_true(sm_event_write(&payload, &e, &err));
    sm_frame_write(out, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    sm_str_clear(&payload);
}

static void write_run(struct live *l, const char *run, const struct sm_str *bytes, size_t n)
{
    mkdir(l->path, 0777);
    mkdir(in(l, "%s", run), 0777);
    put_file(in(l, "%s/events.out.tfevents.1.host", run), bytes->data, n);
}

static double value(struct live *l, const char *name, int64_t step)
{
    struct sm_err err;
    const struct sm_facts *f;
    const struct sm_entry *e = value_at(l, name, step);
    while (!sm_fetch_stats(l->fetch, l->trial, e, &f, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    return sm_dtype_load(f->dtype, f->first);
}

static void test_the_original_library_s_files(void **state)
{
    struct live *l = *state;
    open_shipped(l, "tensorboard");
    assert_true(sm_trial_is_tensorboard(l->trial));
    assert_int_equal(sm_trial_worker_count(l->trial), 2);
    assert_string_equal(steps_text(l), "0 4 8 10 13 17 21 22");
    assert_int_equal(sm_trial_step(l->trial, 3)->mode, SM_MODE_EVAL);                  /* the run is called so */
    assert_int_equal(tensor(l, "CrossEntropyLoss_output_0")->n_entries, 8);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_true(value(l, "CrossEntropyLoss_output_0", 0) > value(l, "CrossEntropyLoss_output_0", 22));
}

static void test_a_trial_is_none(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_healthy");
    assert_false(sm_trial_is_tensorboard(l->trial));
    unsigned long before = sm_source_read_count();
    assert_false(sm_board_is_one(l->source));
    assert_int_equal(sm_source_read_count() - before, 2);          /* the root, through two sources; none of its steps */
}

static void test_it_grows_record_by_record(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    size_t ends[4];
    for (int i = 0; i < 4; i++) {                          /* two tags a step */
        add_record(&bytes, i % 2 ? "accuracy" : "loss", i / 2, (float)i);
        ends[i] = bytes.len;
    }
    write_run(l, "run", &bytes, ends[0]);
    live_open(l);
    assert_string_equal(steps_text(l), "0");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    for (size_t n = ends[0] + 1; n <= bytes.len; n++) {    /* cut at every byte: half a record is no error */
        write_run(l, "run", &bytes, n);
        live_beat(l);
        size_t whole = 0;
        for (int i = 0; i < 4; i++)
            whole += ends[i] <= n;
        size_t entries = tensor(l, "loss")->n_entries + (whole > 1 ? tensor(l, "accuracy")->n_entries : 0);
        assert_int_equal(entries, whole);
    }
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_float_equal(value(l, "accuracy", 1), 3, 0);
    sm_str_clear(&bytes);
}

static void test_damage_is_counted_and_the_rest_read(void **state)
{
    struct live *l = *state;
    struct sm_str good = {0}, bad = {0};
    for (int i = 0; i < 3; i++)
        add_record(&good, "loss", i, (float)i);
    add_record(&bad, "loss", 0, 0);
    size_t first = bad.len;
    add_record(&bad, "loss", 1, 1);
    add_record(&bad, "loss", 2, 2);
    bad.data[first + 20] ^= 1;                             /* in the second payload: its checksum is wrong */
    write_run(l, "bad", &bad, bad.len);
    write_run(l, "good", &good, good.len);
    live_open(l);
    assert_int_equal(tensor(l, "loss")->n_entries, 5);
    assert_true(has_problem(l, "bad/events.out.tfevents.1.host", "checksum"));
    assert_int_equal(sm_trial_problems(l->trial)->items[0].offset, (int64_t)first);
    sm_str_clear(&good);
    sm_str_clear(&bad);
}

static void test_a_broken_length_ends_one_file_only(void **state)
{
    struct live *l = *state;
    struct sm_str good = {0}, bad = {0};
    add_record(&good, "loss", 0, 0);
    add_record(&bad, "loss", 0, 0);
    size_t first = bad.len;
    add_record(&bad, "loss", 1, 1);
    bad.data[first] ^= 1;
    write_run(l, "bad", &bad, bad.len);
    write_run(l, "good", &good, good.len);
    live_open(l);
    assert_int_equal(tensor(l, "loss")->n_entries, 2);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    live_beat(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    sm_str_clear(&good);
    sm_str_clear(&bad);
}

/* Blocks that a network file system has not delivered read as zeros. */
static void test_zeros_at_the_end_are_not_yet_there(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 0);
    sm_str_fill(&bytes, 0, 100);
    write_run(l, "run", &bytes, bytes.len);
    live_open(l);
    assert_string_equal(steps_text(l), "0");
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    sm_str_clear(&bytes);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_the_original_library_s_files),
        T(test_a_trial_is_none),
        T(test_it_grows_record_by_record),
        T(test_damage_is_counted_and_the_rest_read),
        T(test_a_broken_length_ends_one_file_only),
        T(test_zeros_at_the_end_are_not_yet_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
