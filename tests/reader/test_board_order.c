/* SPDX-License-Identifier: Apache-2.0 */
/* TensorBoard directories: the order of files, restarts, runs written anew, torn records. */
#include "tests/reader/board.h"

#include <fcntl.h>

/* ---- writing ---- */

static void put_run(struct live *l, const char *path, const struct sm_str *bytes)
{
    mkdir(l->path, 0777);
    put_file(in(l, "%s", path), bytes->data ? bytes->data : "", bytes->len);
}

/* Time, version. */
static void add_version(struct sm_str *out, int version)
{
    uint8_t payload[9 + 2 + 13] = {0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a, 13};
    memcpy(payload + 11, "brain.Event:", sizeof "brain.Event:");
    payload[23] = (uint8_t)('0' + version);
    sm_frame_write(out, (struct sm_bytes){payload, sizeof payload}, true);
}

/* A session log START at a step below 128. */
static void add_restart(struct sm_str *out, int step)
{
    uint8_t payload[] = {0x10, (uint8_t)step, 0x3a, 2, 0x08, 1};
    sm_frame_write(out, (struct sm_bytes){payload, sizeof payload}, true);
}

static void add_steps(struct sm_str *out, const char *tag, int from, int to, float base)
{
    for (int i = from; i < to; i++)
        add_record(out, tag, i, base + (float)i);
}

static void set_time(struct live *l, const char *path, int64_t seconds)
{
    struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, in(l, "%s", path), times, 0), 0);
}

/* As if it had just been written, by the clock of the test. */
static void renew(struct live *l, const char *path)
{
    set_time(l, path, sm_clock_wall_us() / 1000000);
}

/* So that it is not being written any more. */
static void age(struct live *l, const char *path)
{
    set_time(l, path, 1000000000);
}

/* ---- order ---- */

/* Of one tag and step, the value of the last file by name counts, in whatever order the directory
 * lists them and whichever grows last. */
static void test_the_last_file_by_name_counts(void **state)
{
    struct live *l = *state;
    for (int turn = 0; turn < 8; turn++) {
        struct sm_str first = {0}, last = {0};
        char a[64], b[64];
        snprintf(a, sizeof a, "events.out.tfevents.17.n%d.1", turn);
        snprintf(b, sizeof b, "events.out.tfevents.18.n%d.2", turn * 7);
        add_steps(&first, "loss", 0, 10, 100);
        add_steps(&last, "loss", 5, 10, 200);
        put_run(l, turn & 1 ? a : b, turn & 1 ? &first : &last);
        put_run(l, turn & 1 ? b : a, turn & 1 ? &last : &first);
        live_open(l);
        assert_float_equal(scalar_value(l, "loss", 4), 104, 0);
        assert_float_equal(scalar_value(l, "loss", 5), 205, 0);
        assert_float_equal(scalar_value(l, "loss", 9), 209, 0);
        assert_int_equal(sm_trial_step_count(l->trial), 10);
        live_close(l);
        remove_tree(l->path);
        sm_str_clear(&first);
        sm_str_clear(&last);
    }
}

static void test_an_earlier_file_that_grows_does_not_count(void **state)
{
    struct live *l = *state;
    struct sm_str first = {0}, last = {0};
    add_steps(&first, "loss", 0, 3, 100);
    add_steps(&last, "loss", 0, 5, 200);
    put_run(l, "tfevents.1", &first);
    put_run(l, "tfevents.2", &last);
    live_open(l);
    add_steps(&first, "loss", 3, 7, 100);
    put_run(l, "tfevents.1", &first);
    live_beat(l);
    assert_float_equal(scalar_value(l, "loss", 4), 204, 0);
    assert_float_equal(scalar_value(l, "loss", 6), 106, 0);
    sm_str_clear(&first);
    sm_str_clear(&last);
}

/* ---- restarts ---- */

static void test_a_session_start_removes_later_steps(void **state)
{
    struct live *l = *state;
    struct sm_str first = {0}, last = {0};
    add_version(&first, 2);
    add_steps(&first, "loss", 0, 10, 100);
    add_steps(&first, "accuracy", 8, 9, 0);
    add_version(&last, 2);
    add_restart(&last, 5);
    add_steps(&last, "loss", 5, 7, 200);
    put_run(l, "tfevents.1", &first);
    put_run(l, "tfevents.2", &last);
    live_open(l);
    assert_string_equal(steps_text(l), "0 1 2 3 4 5 6");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    assert_int_equal(tensor(l, "loss")->n_entries, 7);
    assert_int_equal(tensor(l, "loss")->last.n, 6);
    assert_float_equal(scalar_value(l, "loss", 4), 104, 0);
    assert_float_equal(scalar_value(l, "loss", 5), 205, 0);
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    /* the file before it is not read beyond that step later, either */
    add_steps(&first, "loss", 10, 12, 100);
    put_run(l, "tfevents.1", &first);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1 2 3 4 5 6");
    sm_str_clear(&first);
    sm_str_clear(&last);
}

static void test_a_session_start_while_followed(void **state)
{
    struct live *l = *state;
    struct sm_str first = {0}, last = {0}, other = {0};
    add_version(&first, 2);
    add_steps(&first, "loss", 0, 10, 100);
    add_steps(&other, "loss", 0, 9, 300);
    write_run(l, "a", &first, first.len);
    write_run(l, "b", &other, other.len);
    live_open(l);
    add_version(&last, 2);
    add_restart(&last, 3);
    put_run(l, "a/events.out.tfevents.2.host", &last);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1 2 3 4 5 6 7 8"); /* those of the other run stay */
    assert_int_equal(tensor(l, "loss")->n_entries, 12);
    assert_true(sm_trial_step(l->trial, 8)->complete);
    assert_int_equal(sm_trial_step(l->trial, 8)->n_workers, 1);
    assert_int_equal(sm_trial_step(l->trial, 2)->n_workers, 2);
    add_steps(&last, "loss", 3, 5, 200);
    put_run(l, "a/events.out.tfevents.2.host", &last);
    live_beat(l);
    assert_float_equal(scalar_value(l, "loss", 3), 203, 0);
    assert_int_equal(sm_trial_session_count(l->trial), 2); /* rules judge those steps again */
    sm_str_clear(&first);
    sm_str_clear(&last);
    sm_str_clear(&other);
}

/* In files without a version a tag's later steps go when it goes back; in those of version 2 they
 * stay. */
static void check_going_back(struct live *l, int version, const char *steps)
{
    struct sm_str bytes = {0};
    if (version)
        add_version(&bytes, version);
    add_steps(&bytes, "loss", 0, 8, 100);
    add_steps(&bytes, "other", 7, 8, 0);
    add_steps(&bytes, "loss", 3, 5, 200);
    put_run(l, "tfevents.1", &bytes);
    live_open(l);
    assert_string_equal(steps_text(l), steps);
    assert_float_equal(scalar_value(l, "loss", 3), 203, 0);
    assert_int_equal(tensor(l, "loss")->steps, version == 2 ? 8 : 5);
    assert_int_equal(tensor(l, "other")->steps, 1);
    live_close(l);
    sm_str_clear(&bytes);
}

static void test_a_step_that_goes_back(void **state)
{
    check_going_back(*state, 0, "0 1 2 3 4 7");
    check_going_back(*state, 1, "0 1 2 3 4 7");
    check_going_back(*state, 2, "0 1 2 3 4 5 6 7");
}

/* ---- written anew ---- */

static void test_a_run_that_is_removed_and_written_again(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0}, again = {0};
    add_steps(&bytes, "loss", 0, 10, 100);
    add_steps(&again, "loss", 0, 4, 200);
    write_run(l, "train", &bytes, bytes.len);
    live_open(l);
    assert_int_equal(sm_trial_step_count(l->trial), 10);
    remove_tree(in(l, "train"));
    live_beat(l);
    assert_true(sm_trial_emptied(l->trial));
    assert_int_equal(sm_trial_step_count(l->trial), 10); /* until something else is there */
    mkdir(in(l, "train"), 0777);
    put_run(l, "train/events.out.tfevents.2.host", &again);
    live_beat(l);
    assert_false(sm_trial_emptied(l->trial));
    assert_string_equal(steps_text(l), "0 1 2 3");
    assert_float_equal(scalar_value(l, "loss", 3), 203, 0);
    assert_true(sm_trial_step(l->trial, 3)->complete);
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    sm_str_clear(&bytes);
    sm_str_clear(&again);
}

/* Only one of two runs: the other one stays. */
static void test_one_of_two_runs_is_removed(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_steps(&bytes, "loss", 0, 5, 100);
    write_run(l, "a", &bytes, bytes.len);
    add_steps(&bytes, "loss", 5, 9, 100);
    write_run(l, "b", &bytes, bytes.len);
    live_open(l);
    assert_int_equal(tensor(l, "loss")->n_entries, 14);
    remove_tree(in(l, "b"));
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1 2 3 4");
    assert_int_equal(sm_trial_worker_count(l->trial), 1);
    sm_str_clear(&bytes);
}

/* Under the same name and inode: shorter, of the same length, or longer than what was read. */
static void test_a_file_written_again_in_place(void **state)
{
    struct live *l = *state;
    for (int n = 4; n <= 16; n += 6) {
        struct sm_str bytes = {0}, again = {0};
        add_steps(&bytes, "loss", 0, 10, 100);
        add_steps(&again, "loss", 0, n, 200);
        put_run(l, "tfevents.1", &bytes);
        age(l, "tfevents.1");
        live_open(l);
        put_run(l, "tfevents.1", &again);
        live_beat(l);
        assert_int_equal(sm_trial_step_count(l->trial), n);
        assert_float_equal(scalar_value(l, "loss", 3), 203, 0);
        live_close(l);
        sm_str_clear(&bytes);
        sm_str_clear(&again);
    }
}

/* A copy that replaces the file by a longer one, as tools that synchronise folders do. */
static void test_a_longer_copy_is_no_restart(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_steps(&bytes, "loss", 0, 4, 100);
    put_run(l, "tfevents.1", &bytes);
    live_open(l);
    add_steps(&bytes, "loss", 4, 6, 100);
    put_run(l, "copy.tmp", &bytes);
    assert_int_equal(rename(in(l, "copy.tmp"), in(l, "tfevents.1")), 0);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1 2 3 4 5");
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    sm_str_clear(&bytes);
}

/* ---- torn records ---- */

/* Writes the third record with `n` bytes from `at` on as zeros, then as it should be. */
static void check_torn(struct live *l, size_t at, size_t n)
{
    struct sm_str bytes = {0}, torn = {0};
    add_steps(&bytes, "loss", 0, 2, 100);
    size_t third = bytes.len;
    add_steps(&bytes, "loss", 2, 3, 100);
    sm_str_addn(&torn, bytes.data, bytes.len);
    memset(torn.data + third + at, 0, n);
    put_run(l, "tfevents.1", &torn);
    renew(l, "tfevents.1");
    live_open(l);
    assert_string_equal(steps_text(l), "0 1");
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    add_steps(&bytes, "loss", 3, 5, 100);
    put_run(l, "tfevents.1", &bytes);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1 2 3 4");
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    live_close(l);
    sm_str_clear(&bytes);
    sm_str_clear(&torn);
}

static void test_a_torn_record_is_read_when_it_is_whole(void **state)
{
    check_torn(*state, 0, 4);   /* of the length */
    check_torn(*state, 9, 3);   /* of its checksum */
    check_torn(*state, 0, 12);  /* the whole header */
    check_torn(*state, 20, 10); /* of the payload */
}

static void test_a_torn_record_is_broken_when_others_follow(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_steps(&bytes, "loss", 0, 3, 100);
    size_t third = bytes.len / 3 * 2;
    bytes.data[third + 9] ^= 1;
    put_run(l, "tfevents.1", &bytes);
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    add_steps(&bytes, "loss", 3, 4, 100);
    put_run(l, "tfevents.1", &bytes);
    live_beat(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    assert_int_equal(sm_trial_problems(l->trial)->items[0].offset, (int64_t)third);
    bytes.data[third + 9] ^= 1; /* it is read all the same, should it be mended */
    add_steps(&bytes, "loss", 4, 5, 100);
    put_run(l, "tfevents.1", &bytes);
    live_beat(l);
    assert_string_equal(steps_text(l), "0 1 2 3 4");
    sm_str_clear(&bytes);
}

/* A file that nobody writes any more: at once. */
static void test_a_torn_record_of_an_old_file_is_broken(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_steps(&bytes, "loss", 0, 3, 100);
    bytes.data[bytes.len / 3 * 2 + 9] ^= 1;
    put_run(l, "tfevents.1", &bytes);
    age(l, "tfevents.1");
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    sm_str_clear(&bytes);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_the_last_file_by_name_counts),
        T(test_an_earlier_file_that_grows_does_not_count),
        T(test_a_session_start_removes_later_steps),
        T(test_a_session_start_while_followed),
        T(test_a_step_that_goes_back),
        T(test_a_run_that_is_removed_and_written_again),
        T(test_one_of_two_runs_is_removed),
        T(test_a_file_written_again_in_place),
        T(test_a_longer_copy_is_no_restart),
        T(test_a_torn_record_is_read_when_it_is_whole),
        T(test_a_torn_record_is_broken_when_others_follow),
        T(test_a_torn_record_of_an_old_file_is_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
