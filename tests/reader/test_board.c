/* SPDX-License-Identifier: Apache-2.0 */
/* TensorBoard directories: files without an index that grow. */
#include "tests/reader/board.h"

#include "reader/trial_kinds.h"

static void test_the_original_library_s_files(void **state)
{
    struct live *l = *state;
    open_shipped(l, "tensorboard");
    assert_true(sm_trial_traits(l->trial)->runs);
    assert_int_equal(sm_trial_worker_count(l->trial), 2);
    assert_string_equal(steps_text(l), "0 4 8 10 13 17 21 22");
    assert_int_equal(sm_trial_step(l->trial, 3)->mode, SM_MODE_EVAL); /* named after the run */
    assert_int_equal(tensor(l, "CrossEntropyLoss_output_0")->n_entries, 8);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_true(scalar_value(l, "CrossEntropyLoss_output_0", 0) >
                scalar_value(l, "CrossEntropyLoss_output_0", 22));
}

static void test_a_trial_is_none(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_healthy");
    assert_false(sm_trial_traits(l->trial)->runs);
    unsigned long before = sm_source_read_count();
    assert_false(sm_trial_kind_tensorboard.detect(l->source));
    /* lists the root through two sources; reads none of its steps */
    assert_int_equal(sm_source_read_count() - before, 2);
}

static void check_root(const char *path, const char *root)
{
    struct sm_err err;
    struct sm_source *source = sm_source_of_path(path, &err);
    assert_non_null(source);
    assert_string_equal(source->root, root);
    sm_source_unref(source);
}

static void test_a_path_opens_by_its_kind(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    struct sm_err err;
    add_record(&bytes, "loss", 0, 1);
    write_run(l, "run", &bytes, bytes.len);
    put_file(in(l, "run/other"), "x", 1);
    sm_str_clear(&bytes);
    char *run = strdup(in(l, "run"));
    check_root(in(l, "run/events.out.tfevents.1.host"), run);
    check_root(run, run);
    check_root(in(l, "absent"), in(l, "absent"));
    check_root(in(l, "absent.tfevents"), in(l, "absent.tfevents"));
    assert_null(sm_source_of_path(in(l, "run/other"), &err));
    assert_non_null(strstr(err.msg, "neither a trial directory nor an archive"));
    free(run);
}

static void test_it_grows_record_by_record(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    size_t ends[4];
    for (int i = 0; i < 4; i++) { /* two tags per step */
        add_record(&bytes, i % 2 ? "accuracy" : "loss", i / 2, (float)i);
        ends[i] = bytes.len;
    }
    write_run(l, "run", &bytes, ends[0]);
    live_open(l);
    assert_string_equal(steps_text(l), "0");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    /* truncated at every byte: half a record is no error */
    for (size_t n = ends[0] + 1; n <= bytes.len; n++) {
        write_run(l, "run", &bytes, n);
        live_beat(l);
        size_t whole = 0;
        for (int i = 0; i < 4; i++)
            whole += ends[i] <= n;
        size_t entries =
            tensor(l, "loss")->n_entries + (whole > 1 ? tensor(l, "accuracy")->n_entries : 0);
        assert_int_equal(entries, whole);
    }
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_float_equal(scalar_value(l, "accuracy", 1), 3, 0);
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
    bad.data[first + 20] ^= 1; /* in the second payload, so its checksum is wrong */
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
    add_record(&bad, "loss", 2, 2);
    bad.data[first] ^= 1;
    write_run(l, "bad", &bad, bad.len);
    write_run(l, "good", &good, good.len);
    live_open(l);
    assert_int_equal(tensor(l, "loss")->n_entries, 2);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    assert_int_equal(sm_trial_problems(l->trial)->items[0].offset, (int64_t)first);
    assert_true(has_problem(l, "bad/events.out.tfevents.1.host", "the rest of the file is not"));
    live_beat(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    sm_str_clear(&good);
    sm_str_clear(&bad);
}

/* The record itself is not read, which is reported; the records after it are. */
static void test_a_giant_record_is_left_out(void **state)
{
    struct live *l = *state;
    enum { GIANT = 300 << 20 };
    struct sm_str before = {0}, after = {0};
    uint8_t header[SM_FRAME_HEADER];
    add_record(&before, "loss", 0, 0);
    add_record(&after, "loss", 1, 1);
    sm_frame_head(header, GIANT);
    size_t first = before.len;
    sm_str_addn(&before, header, sizeof header);
    write_run(l, "run", &before, before.len);
    live_open(l);
    assert_string_equal(steps_text(l), "0");
    assert_true(has_problem(l, "run/events.out.tfevents.1.host", "314572816 bytes"));
    assert_int_equal(sm_trial_problems(l->trial)->items[0].offset, (int64_t)first);
    FILE *f = fopen(in(l, "run/events.out.tfevents.1.host"), "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)(first + GIANT + SM_FRAME_OVERHEAD), SEEK_SET), 0);
    assert_int_equal(fwrite(after.data, 1, after.len, f), after.len);
    assert_int_equal(fclose(f), 0);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1");
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    sm_str_clear(&before);
    sm_str_clear(&after);
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

/* The old form: three values in one record, and more in the same step. */
static void add_step(struct sm_str *out, int64_t step)
{
    static const double limits[] = {-1, 0, 2, 4}, counts[] = {0, 2, 3, 1};
    struct sm_err err;
    struct sm_str payload = {0};
    struct sm_event_value v[] = {
        {.tag = sm_text("loss"), .kind = SM_VALUE_SCALAR, .simple = (float)step + 0.5f},
        {.tag = sm_text("layer/weights"),
         .kind = SM_VALUE_HISTOGRAM,
         .histo = {.min = -0.75,
                   .max = 3.5,
                   .num = 6,
                   .sum = 4,
                   .limits = limits,
                   .counts = counts,
                   .n = 4}},
        {.tag = sm_text("accuracy"), .kind = SM_VALUE_SCALAR, .simple = 0.25f},
    };
    struct sm_event e = {.wall_time = 1e9, .step = step, .values = v, .n_values = 3};
    assert_true(sm_event_write(&payload, &e, &err));
    sm_frame_write(out, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    sm_str_clear(&payload);
}

static void assert_tensor(struct live *l, const char *name, int64_t step, enum sm_dtype dtype,
                          size_t n, const double *expected)
{
    struct sm_err err;
    struct sm_tensor *t;
    while (!sm_fetch_tensor(l->fetch, l->trial, (struct sm_entry[]){value_at(l, name, step)}, &t,
                            &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    assert_int_equal(t->dtype, dtype);
    assert_int_equal(t->n, n);
    for (size_t i = 0; i < n; i++)
        assert_float_equal(sm_dtype_load(dtype, t->data + i * sm_dtype_info(dtype)->size_bytes),
                           expected[i], 0);
    sm_tensor_unref(t);
}

static void test_every_value_of_a_record(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_step(&bytes, 0);
    add_step(&bytes, 1);
    write_run(l, "run", &bytes, bytes.len);
    live_open(l);
    assert_string_equal(steps_text(l), "0 1");
    assert_int_equal(sm_trial_tensor_count(l->trial), 3);
    assert_float_equal(scalar_value(l, "accuracy", 1), 0.25, 0);
    assert_float_equal(scalar_value(l, "loss", 1), 1.5, 0);
    static const double rows[] = {-0.75, -1, 0, -1, 0,   2,
                                  0,     2,  3, 2,  3.5, 1}; /* left, right, count */
    assert_tensor(l, "layer/weights", 0, SM_DTYPE_FLOAT64, 12, rows);
    assert_tensor(l, "accuracy", 0, SM_DTYPE_FLOAT32, 1, (const double[]){0.25});
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    sm_str_clear(&bytes);
}

/* An image as written by TensorFlow 1: height, width, colours, file. */
static void test_an_image(void **state)
{
    static const char payload[] = "\x09\0\0\0\0\0\0\x59\x40\x10\x07"    /* time, step 7 */
                                  "\x2a\x14\x0a\x12\x0a\x03pic\x22\x0b" /* a value of that tag */
                                  "\x08\x02\x10\x03\x18\x01\x22\x03PNG";
    struct live *l = *state;
    struct sm_str bytes = {0};
    struct sm_err err;
    struct sm_tensor *t;
    sm_frame_write(&bytes, (struct sm_bytes){(const uint8_t *)payload, sizeof payload - 1}, true);
    write_run(l, "run", &bytes, bytes.len);
    live_open(l);
    while (!sm_fetch_tensor(l->fetch, l->trial, (struct sm_entry[]){value_at(l, "pic", 7)}, &t,
                            &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    assert_int_equal(t->dtype, SM_DTYPE_STRING);
    assert_int_equal(t->n, 3);
    assert_true(sm_text_is(t->strings[0], "3") && sm_text_is(t->strings[1], "2") &&
                sm_text_is(t->strings[2], "PNG"));
    sm_tensor_unref(t);
    sm_str_clear(&bytes);
}

/* Loggers name losses in many ways; what only belongs to a loss is none. */
static void test_losses_by_name(void **state)
{
    static const char *const losses[] = {"loss",
                                         "Loss",
                                         "train/loss",
                                         "eval/loss",
                                         "val_loss",
                                         "train_loss_step",
                                         "train_loss_epoch",
                                         "epoch_loss",
                                         "batch_loss",
                                         "loss/train",
                                         "Loss/val",
                                         "losses/total",
                                         "CrossEntropyLoss_output_0",
                                         "trainLoss",
                                         "box_loss",
                                         "kl_loss.mean",
                                         "loss_1",
                                         "mlogloss",
                                         "cross_entropy",
                                         "train/CrossEntropy",
                                         "nll",
                                         "valid/nll_loss",
                                         "train/xent"};
    static const char *const others[] = {
        "train/loss_scale", "loss_scaler/scale", "loss_weight", "loss-coefficient",
        "lossless",         "accuracy",          "epoch",       "train/learning_rate",
        "entropy",          "train/grad_norm",   "glossary"};
    struct live *l = *state;
    struct sm_str bytes = {0};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        add_record(&bytes, losses[i], 0, 1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        add_record(&bytes, others[i], 0, 1);
    write_run(l, "run", &bytes, bytes.len);
    live_open(l);
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (!sm_trial_in_named(l->trial, "losses", tensor(l, losses[i])->name))
            fail_msg("%s is no loss", losses[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (sm_trial_in_named(l->trial, "losses", tensor(l, others[i])->name))
            fail_msg("%s is a loss", others[i]);
        assert_true(sm_trial_in_named(l->trial, "scalars", tensor(l, others[i])->name));
    }
    sm_str_clear(&bytes);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_the_original_library_s_files),
        T(test_a_trial_is_none),
        T(test_a_path_opens_by_its_kind),
        T(test_it_grows_record_by_record),
        T(test_damage_is_counted_and_the_rest_read),
        T(test_a_broken_length_ends_one_file_only),
        T(test_a_giant_record_is_left_out),
        T(test_zeros_at_the_end_are_not_yet_there),
        T(test_every_value_of_a_record),
        T(test_an_image),
        T(test_losses_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
