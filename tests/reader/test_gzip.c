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

static void append_file(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "ab");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* Reads what came behind *at, as a tail does. Returns how often the file was read for it. */
static unsigned long read_new(struct sm_source *s, size_t *at, const struct sm_str *all)
{
    enum { CHUNK = 64 << 10 };
    static char buf[CHUNK];
    struct sm_err err = {0};
    unsigned long reads = sm_source_read_count();
    for (size_t got = 1; got; *at += got) {
        bool ok = sm_source_read(s, "x", *at, buf, CHUNK, &got, &err);
        assert_true(ok || err.code == SM_ERR_WAIT);
        assert_true(*at + got <= all->len);
        assert_memory_equal(buf, all->data + *at, got);
    }
    return sm_source_read_count() - reads;
}

/* What was decompressed before is not decompressed again: each growth costs the same. members: the
 * file grows by members, else it is torn anywhere. */
static void grow_live(struct live *l, bool members)
{
    enum { N = 40, BYTES = 256 << 10, MOST = 30 };
    struct sm_err err;
    struct sm_str all = {0}, packed = {0};
    char path[600];
    size_t at = 0, written = 0;
    mkdir(l->path, 0777);
    struct sm_source *s = sm_source_tree_new(l->path, &err);
    snprintf(path, sizeof path, "%s/x.gz", l->path);
    for (size_t i = 0; i < N * BYTES; i += 4) {
        uint32_t word = (uint32_t)(i * 2654435761u) ^ (uint32_t)(i >> 7);
        sm_str_addn(&all, (const char *)&word, sizeof word);
    }
    for (size_t i = 0; members && i < N; i++)
        add_member(&packed, all.data + i * BYTES, BYTES, 0);
    if (!members)
        add_member(&packed, all.data, all.len, 0);
    for (size_t i = 1; i <= N; i++) {
        size_t to = packed.len / N * i + (i == N ? packed.len % N : 0);
        append_file(path, packed.data + written, to - written);
        written = to;
        assert_in_range(read_new(s, &at, &all), 1, MOST);
    }
    assert_int_equal(at, all.len);
    sm_source_unref(s);
    sm_str_clear(&all);
    sm_str_clear(&packed);
}

static void test_growth_costs_what_is_new(void **state)
{
    grow_live(*state, true);
}

static void test_a_torn_file_goes_on(void **state)
{
    grow_live(*state, false);
}

/* Written anew in its place, and longer: it is read from its beginning. */
static void test_written_anew(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    struct sm_str packed = {0};
    char path[600], buf[8];
    size_t got;
    mkdir(l->path, 0777);
    struct sm_source *s = sm_source_tree_new(l->path, &err);
    snprintf(path, sizeof path, "%s/x.gz", l->path);
    add_member(&packed, "first", 5, 6);
    append_file(path, packed.data, packed.len);
    assert_true(sm_source_read(s, "x", 0, buf, sizeof buf, &got, &err));
    assert_int_equal(got, 5);
    sm_str_truncate(&packed, 0);
    add_member(&packed, "other", 5, 6);
    add_member(&packed, "!", 1, 6);
    assert_int_equal(truncate(path, 0), 0);
    append_file(path, packed.data, packed.len);
    assert_true(sm_source_read(s, "x", 0, buf, sizeof buf, &got, &err));
    assert_int_equal(got, 6);
    assert_memory_equal(buf, "other!", 6);
    sm_str_clear(&packed);
    sm_source_unref(s);
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

/* ---- a source that is far away ---- */

static const char *announced;
static uint64_t announced_end;

static bool note_ahead(struct sm_source *s, const char *path, uint64_t offset, uint64_t n)
{
    (void)s;
    announced = path;
    announced_end = offset + n;
    return true;
}

static int64_t every_second(struct sm_source *s)
{
    (void)s;
    return 1000000;
}

static void end_far(struct sm_source *s)
{
    (void)s;
}

static void test_what_is_below_says_when_and_is_told_what(void **state)
{
    static const struct sm_source_ops far = {
        .free = end_far, .ahead = note_ahead, .beat_us = every_second};
    struct sm_err err;
    struct sm_source below, *near = sm_source_mem_new(&err);
    (void)state;
    assert_true(sm_source_init(&below, &far, "far"));
    struct sm_source *s = sm_source_packed_new(&below, &err), *t = sm_source_packed_new(near, &err);
    assert_int_equal(sm_source_beat_us(s), 1000000);
    assert_true(sm_source_ahead(s, "a/b", 5, 7));
    assert_string_equal(announced, "a/b");
    assert_int_equal(announced_end, 12);
    assert_false(sm_source_ahead(s, "../b", 5, 7));
    assert_int_equal(sm_source_beat_us(t), 0);
    assert_false(sm_source_ahead(t, "a/b", 5, 7));
    sm_source_unref(s);
    sm_source_unref(t);
    sm_source_unref(near);
    sm_source_unref(&below);
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
        T(test_growth_costs_what_is_new),
        T(test_a_torn_file_goes_on),
        T(test_written_anew),
        cmocka_unit_test(test_names_in_a_folder),
        cmocka_unit_test(test_what_is_below_says_when_and_is_told_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
