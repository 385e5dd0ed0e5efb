/* SPDX-License-Identifier: Apache-2.0 */
/* Files whose names end in .gz: event files; torn, damaged, and large ones. */
#include "reader/kind/run_folder.h"
#include "tests/reader/board.h"
#include "tests/reader/gzip_file.h"

#include <fcntl.h>

static const char *const event_file = "events.out.tfevents.1.host.gz";

static struct sm_str losses(int from, int to)
{
    struct sm_str bytes = {0};
    for (int i = from; i < to; i++)
        add_record(&bytes, "loss", i, (float)i);
    return bytes;
}

static size_t steps_of(struct live *l)
{
    for (size_t i = 0; i < sm_trial_tensor_count(l->trial); i++)
        return sm_trial_tensor(l->trial, i)->n_entries;
    return 0;
}

static void put_aged(struct live *l, const struct sm_str *packed, size_t n)
{
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    mkdir(l->path, 0777);
    put_file(in(l, "%s", event_file), packed->data, n);
    assert_int_equal(utimensat(AT_FDCWD, in(l, "%s", event_file), times, 0), 0);
}

/* ---- event files ---- */

static void test_members_and_zeros(void **state)
{
    struct live *l = *state;
    struct sm_str one = losses(0, 500), two = losses(500, 900), packed = {0};
    add_member(&packed, one.data, one.len, 6);
    add_member(&packed, two.data, two.len, 6);
    sm_str_fill(&packed, 0, 512);
    put_aged(l, &packed, packed.len);
    live_open(l);
    assert_int_equal(steps_of(l), 900);
    assert_true(scalar_value(l, "loss", 899) == 899);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    sm_str_clear(&one);
    sm_str_clear(&two);
    sm_str_clear(&packed);
}

/* What is there is shown; a problem says where it ends; the rest is read when it comes. */
static void test_cut_files(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = losses(0, 900), packed = {0};
    size_t most = 0;
    add_member(&packed, bytes.data, bytes.len, 6);
    for (size_t cut = 1; cut < packed.len; cut += packed.len / 40 + 1) {
        put_aged(l, &packed, cut);
        live_open(l);
        assert_true(steps_of(l) >= most);
        most = steps_of(l);
        assert_int_equal(sm_trial_problems(l->trial)->total, 1);
        assert_true(
            has_problem(l, "events.out.tfevents.1.host", "ends inside gzip data at offset"));
        live_beat(l);
        assert_int_equal(sm_trial_problems(l->trial)->total, 1);
        put_file(in(l, "%s", event_file), packed.data, packed.len);
        live_beat(l);
        assert_int_equal(steps_of(l), 900);
        live_close(l);
    }
    assert_in_range(most, 600, 900);
    sm_str_clear(&bytes);
    sm_str_clear(&packed);
}

static void test_a_damaged_file(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = losses(0, 900), packed = {0};
    add_member(&packed, bytes.data, bytes.len, 6);
    packed.data[packed.len - 6] ^= 1; /* of the checksum */
    put_aged(l, &packed, packed.len);
    live_open(l);
    assert_int_equal(steps_of(l), 900);
    assert_true(has_problem(l, "events.out.tfevents.1.host", "incorrect data check"));
    sm_str_clear(&bytes);
    sm_str_clear(&packed);
}

/* 8 GB of zeros in 8 MB. */
static void test_a_bomb(void **state)
{
    enum { MEMBER = 64 << 20, MEMBERS = 128 };
    struct live *l = *state;
    struct sm_str packed = {0}, all = {0};
    char *zeros = calloc(1, MEMBER);
    add_member(&packed, zeros, MEMBER, 6);
    for (int i = 0; i < MEMBERS; i++)
        sm_str_addn(&all, packed.data, packed.len);
    put_aged(l, &all, all.len);
    unsigned long reads = sm_source_read_count();
    live_open(l);
    assert_int_equal(steps_of(l), 0);
    assert_in_range(sm_source_read_count() - reads, 1, 100);
    free(zeros);
    sm_str_clear(&packed);
    sm_str_clear(&all);
}

/* ---- reading ---- */

/* A file that is too large to be kept is decompressed once if it is read in order. */
static void test_reads_in_order(void **state)
{
    enum { BYTES = 80 << 20, CHUNK = 1 << 20, PIECE = 128 << 10 };
    struct sm_err err;
    struct sm_source *below = sm_source_mem_new(&err), *s = sm_source_packed_new(below, &err);
    char *bytes = calloc(1, BYTES);
    size_t got;
    struct sm_str packed = {0};
    (void)state;
    add_member(&packed, bytes, BYTES, 0);
    assert_true(sm_source_mem_put(below, "x.gz", packed.data, packed.len));
    unsigned long reads = sm_source_read_count();
    for (size_t at = 0; at < BYTES; at += CHUNK) {
        assert_true(sm_source_read(s, "x", at, bytes, CHUNK, &got, &err));
        assert_int_equal(got, CHUNK);
    }
    /* each call of ours looks for x, x.zst and x.gz */
    assert_in_range(sm_source_read_count() - reads, 1, 3 * (BYTES / PIECE));
    assert_true(sm_source_read(s, "x", 5, bytes, 10, &got, &err)); /* and again from its beginning
                                                                    */
    assert_int_equal(got, 10);
    free(bytes);
    sm_str_clear(&packed);
    sm_source_unref(s);
    sm_source_unref(below);
}

static void test_names_in_a_folder(void **state)
{
    struct sm_err err;
    struct sm_source *s = sm_source_mem_new(&err);
    (void)state;
    assert_true(sm_source_mem_put(s, "b.csv.gz", "x", 1));
    assert_true(sm_source_mem_put(s, "a.csv", "x", 1));
    assert_true(sm_source_mem_put(s, "a.csv.gz", "x", 1));
    assert_true(sm_source_mem_put(s, "a.csv.zst", "x", 1));
    struct sm_run_folder *f = sm_run_folder_new(s, "", NULL, &err);
    assert_int_equal(sm_run_folder_count(f), 2);
    assert_string_equal(sm_run_folder_item(f, 0)->name, "a.csv");
    assert_false(sm_run_folder_item(f, 0)->packed);
    assert_string_equal(sm_run_folder_item(f, 1)->name, "b.csv");
    assert_true(sm_run_folder_item(f, 1)->packed);
    sm_run_folder_free(f);
    sm_source_unref(s);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_members_and_zeros),
        T(test_cut_files),
        T(test_a_damaged_file),
        T(test_a_bomb),
        cmocka_unit_test(test_reads_in_order),
        cmocka_unit_test(test_names_in_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
