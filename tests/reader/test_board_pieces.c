/* SPDX-License-Identifier: Apache-2.0 */
/* Large event files: they are read in pieces, in order, and in bounded lists. */
#include "tests/reader/board.h"

#include <zstd.h>

static void add_text(struct sm_str *out, int64_t step, size_t n)
{
    struct sm_err err;
    struct sm_str payload = {0}, text = {0};
    sm_str_fill(&text, 'x', n);
    struct sm_text strings[1] = {{text.data, text.len}};
    struct sm_event_value v = {.tag = SM_TEXT("note"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_STRING,
                               .proto_dtype = 7,
                               .n_dims = 1,
                               .dims = {1},
                               .n_elements = 1,
                               .strings = strings};
    struct sm_event e = {.wall_time = 1e9, .step = step, .values = &v, .n_values = 1};
    assert_true(sm_event_write(&payload, &e, &err));
    sm_frame_write(out, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    sm_str_clear(&payload);
    sm_str_clear(&text);
}

static void check_steps(struct live *l, size_t n)
{
    const struct sm_trial_tensor *x = tensor(l, "loss");
    assert_int_equal(x->n_entries, n);
    assert_int_equal(x->steps, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(sm_tensor_part(l->trial, x, i)->step.n, i);
    assert_true(scalar_value(l, "loss", (int64_t)n - 1) == (float)n - 1);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void test_a_file_of_several_pieces(void **state)
{
    enum { N = 150000 };
    struct live *l = *state;
    struct sm_str bytes = {0};
    for (int i = 0; i < N; i++)
        add_record(&bytes, "loss", i, (float)i);
    assert_true(bytes.len > 6 << 20);
    write_run(l, "run", &bytes, bytes.len - 5);
    live_open(l);
    check_steps(l, N - 1); /* the end is not whole */
    write_run(l, "run", &bytes, bytes.len);
    live_beat(l);
    check_steps(l, N);
    sm_str_clear(&bytes);
}

/* More than one list queues: what follows comes at once, and in the order of the files. */
static void test_more_than_a_list_queues(void **state)
{
    enum { N = 40, LARGE = 2 << 20 };
    struct live *l = *state;
    struct sm_str bytes = {0}, later = {0};
    for (int i = 0; i < N; i++) {
        add_text(&bytes, i, LARGE);
        add_record(&bytes, "loss", i, (float)i);
    }
    add_record(&later, "loss", N - 1, -1); /* a later file counts */
    mkdir(l->path, 0777);
    mkdir(in(l, "run"), 0777);
    put_file(in(l, "run/events.out.tfevents.2.host"), later.data, later.len);
    write_run(l, "run", &bytes, bytes.len);
    live_open(l);
    assert_int_equal(tensor(l, "note")->n_entries, N);
    assert_int_equal(tensor(l, "loss")->steps, N);
    assert_true(scalar_value(l, "loss", N - 2) == N - 2);
    assert_true(scalar_value(l, "loss", N - 1) == -1);
    sm_str_clear(&bytes);
    sm_str_clear(&later);
}

static void test_damage_in_a_piece(void **state)
{
    enum { N = 100000 };
    struct live *l = *state;
    struct sm_str bytes = {0};
    size_t at = 0;
    for (int i = 0; i < N; i++) {
        at = i == N / 2 ? bytes.len : at;
        add_record(&bytes, "loss", i, (float)i);
    }
    bytes.data[at + 20] ^= 1; /* a payload */
    write_run(l, "run", &bytes, bytes.len);
    live_open(l);
    assert_int_equal(tensor(l, "loss")->n_entries, N - 1);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    assert_int_equal(sm_trial_problems(l->trial)->items[0].offset, at);
    sm_str_clear(&bytes);
}

static void test_a_compressed_file(void **state)
{
    enum { N = 50000 };
    struct live *l = *state;
    struct sm_str bytes = {0}, packed = {0};
    for (int i = 0; i < N; i++)
        add_record(&bytes, "loss", i, (float)i);
    sm_str_fill(&packed, 0, ZSTD_compressBound(bytes.len));
    size_t n = ZSTD_compress(packed.data, packed.len, bytes.data, bytes.len, 1);
    mkdir(l->path, 0777);
    put_file(in(l, "events.out.tfevents.1.host.zst"), packed.data, n);
    live_open(l);
    check_steps(l, N);
    sm_str_clear(&bytes);
    sm_str_clear(&packed);
}

static void test_a_file_of_gzip(void **state)
{
    struct live *l = *state;
    mkdir(l->path, 0777);
    put_file(in(l, "events.out.tfevents.1.host.gz"), "\x1f\x8b\x08\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    live_open(l);
    sm_clock_advance(20 * HEARTBEAT_US);
    live_beat(l);
    assert_non_null(strstr(sm_trial_problems(l->trial)->items[0].message, "gzip"));
}

/* Numbers are answered from what came with their steps: nothing is read or kept. */
static void test_numbers_need_no_cache(void **state)
{
    enum { N = 3000 };
    struct live *l = *state;
    struct sm_str bytes = {0};
    for (int i = 0; i < N; i++)
        add_record(&bytes, "loss", i, (float)i);
    write_run(l, "run", &bytes, bytes.len);
    live_open(l);
    size_t memory = sm_fetch_memory(l->fetch);
    unsigned long reads = sm_source_read_count();
    for (int i = 0; i < N; i++)
        assert_true(scalar_value(l, "loss", i) == (float)i);
    assert_int_equal(sm_fetch_memory(l->fetch), memory);
    assert_int_equal(sm_source_read_count(), reads);
    assert_int_equal(sm_trial_seen(l->trial).read, N);
    sm_str_clear(&bytes);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_file_of_several_pieces), T(test_more_than_a_list_queues),
        T(test_damage_in_a_piece),        T(test_a_compressed_file),
        T(test_a_file_of_gzip),           T(test_numbers_need_no_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
