/* SPDX-License-Identifier: Apache-2.0 */
/* The formats against every file of the real trials: reading and writing again must give the same
 * bytes. */
#include "reader/base/mem.h"
#include "reader/format/collections_json.h"
#include "reader/format/index_json.h"
#include "reader/format/location.h"
#include "reader/format/tfrecord.h"
#include "reader/source/source.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void read_file(const char *path, struct sm_str *out)
{
    char chunk[65536];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
        sm_str_addn(out, chunk, n);
    fclose(f);
}

static void for_each(const char *pattern,
                     void (*check)(const char *path, const struct sm_str *bytes))
{
    glob_t g;
    assert_int_equal(glob(pattern, 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        struct sm_str bytes = {0};
        read_file(g.gl_pathv[i], &bytes);
        check(g.gl_pathv[i], &bytes);
        sm_str_clear(&bytes);
    }
    assert_true(g.gl_pathc > 10);
    globfree(&g);
}

static void expect_same_bytes(const char *path, const struct sm_str *a, const char *p, size_t n)
{
    if (a->len != n || memcmp(sm_str_text(a), p, n) != 0)
        fail_msg("%s: written again differs", path);
}

static void check_index(const char *path, const struct sm_str *bytes)
{
    struct sm_index x = {0};
    struct sm_str again = {0};
    struct sm_err err;
    if (!sm_index_parse(bytes->data, bytes->len, &x, &err))
        fail_msg("%s: %s", path, err.msg);
    sm_index_write(&again, &x);
    expect_same_bytes(path, &again, bytes->data, bytes->len);
    sm_str_clear(&again);
    sm_index_clear(&x);
}

static void test_index_files_are_written_as_read(void **state)
{
    (void)state;
    for_each("tests/trials/*/index/*/*.json", check_index);
}

static void check_collections(const char *path, const struct sm_str *bytes)
{
    struct sm_collections_def def;
    struct sm_arena arena = {0};
    struct sm_str again = {0};
    struct sm_err err;
    if (!sm_collections_parse(bytes->data, bytes->len, &arena, &def, &err))
        fail_msg("%s: %s", path, err.msg);
    sm_collections_write(&again, &def);
    expect_same_bytes(path, &again, bytes->data, bytes->len);
    sm_str_clear(&again);
    sm_arena_clear(&arena);
}

static void test_collections_files_are_written_as_read(void **state)
{
    (void)state;
    for_each("tests/trials/*/collections/*/*.json", check_collections);
}

static void check_record(const char *path, struct sm_bytes record)
{
    struct sm_bytes payload;
    enum sm_crc crc;
    struct sm_err err;
    struct sm_arena arena = {0};
    struct sm_event e;
    struct sm_event_value head;
    struct sm_str again = {0};
    double time = 0;
    uint64_t at;
    assert_true(sm_frame_parse(record, true, &payload, &crc, &err));
    assert_int_equal(crc, SM_CRC_UNWRITTEN);
    if (!sm_event_parse(payload, &arena, &e, &err))
        fail_msg("%s: %s", path, err.msg);
    assert_int_equal(e.n_values, 1);
    if (e.values[0].dtype != SM_DTYPE_STRING) {
        assert_true(sm_event_head(payload, &head, &time));
        assert_int_equal(head.dtype, e.values[0].dtype);
        assert_int_equal(head.n_elements, e.values[0].n_elements);
        assert_true(time == e.wall_time);
        assert_true(sm_event_content(payload, payload.n, &at));
        if (head.content.n)
            assert_memory_equal(payload.p + at, e.values[0].content.p, head.content.n);
        size_t end = (size_t)at + head.content.n;
        assert_true(sm_event_is_valid_tail((struct sm_bytes){payload.p + end, payload.n - end}));
        assert_false(sm_event_content(payload, payload.n + 1, &at));
        assert_false(sm_event_content(payload, payload.n - 1, &at));
    }
    assert_true(sm_event_write(&again, &e, &err));
    expect_same_bytes(path, &again, (const char *)payload.p, payload.n);
    sm_str_clear(&again);
    sm_arena_clear(&arena);
}

static void check_events(const char *path, const struct sm_str *bytes)
{
    struct sm_bytes rest = {(const uint8_t *)bytes->data, bytes->len};
    uint64_t n;
    struct sm_err err;
    while (rest.n) {
        assert_true(sm_frame_header(rest, &n, &err));
        check_record(path, (struct sm_bytes){rest.p, (size_t)n + SM_FRAME_OVERHEAD});
        rest.p += n + SM_FRAME_OVERHEAD;
        rest.n -= (size_t)n + SM_FRAME_OVERHEAD;
    }
}

static void test_events_are_written_as_read(void **state)
{
    (void)state;
    for_each("tests/trials/*/events/*/*.tfevents", check_events);
}

/* Every prefix of a record is "not yet", every flipped bit of the header is bad data, and nothing
 * crashes. */
/* The head alone refuses it too. */
static void test_a_negative_dimension_is_refused(void **state)
{
    (void)state;
    struct sm_err err;
    struct sm_arena arena = {0};
    struct sm_str payload = {0};
    struct sm_event_value head, v = {.tag = sm_text("x"),
                                     .kind = SM_VALUE_TENSOR,
                                     .dtype = SM_DTYPE_FLOAT32,
                                     .proto_dtype = 1,
                                     .n_dims = 2,
                                     .dims = {0, (uint64_t)1 << 63}};
    struct sm_event e = {.values = &v, .n_values = 1}, read;
    double time;
    assert_true(sm_event_write(&payload, &e, &err));
    struct sm_bytes bytes = {(const uint8_t *)payload.data, payload.len};
    assert_false(sm_event_parse(bytes, &arena, &read, &err));
    assert_false(sm_event_head(bytes, &head, &time));
    sm_str_clear(&payload);
    sm_arena_clear(&arena);
}

static void test_damaged_frames(void **state)
{
    (void)state;
    struct sm_str record = {0};
    struct sm_bytes payload;
    struct sm_err err;
    enum sm_crc crc;
    sm_frame_write(&record, (struct sm_bytes){(const uint8_t *)"hello", 5}, true);
    for (size_t n = 0; n < record.len; n++) {
        assert_false(sm_frame_parse((struct sm_bytes){(uint8_t *)record.data, n}, true, &payload,
                                    &crc, &err));
        assert_int_equal(err.code, SM_ERR_WAIT);
    }
    assert_true(sm_frame_parse((struct sm_bytes){(uint8_t *)record.data, record.len}, true,
                               &payload, &crc, &err));
    assert_int_equal(crc, SM_CRC_OK);
    for (size_t bit = 0; bit < 96; bit++) {
        record.data[bit / 8] ^= (char)(1 << bit % 8);
        assert_false(sm_frame_parse((struct sm_bytes){(uint8_t *)record.data, record.len}, true,
                                    &payload, &crc, &err));
        assert_int_equal(err.code, SM_ERR_DATA);
        record.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    record.data[SM_FRAME_HEADER] ^= 1;
    assert_true(sm_frame_parse((struct sm_bytes){(uint8_t *)record.data, record.len}, true,
                               &payload, &crc, &err));
    assert_int_equal(crc, SM_CRC_BAD);
    uint8_t zeros[40] = {0};
    assert_false(
        sm_frame_parse((struct sm_bytes){zeros, sizeof zeros}, true, &payload, &crc, &err));
    assert_int_equal(err.code, SM_ERR_WAIT);
    sm_str_clear(&record);
}

static void test_bad_indexes_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "[]",
        "{\"meta\": 3}",
        "{\"tensor_payload\": [3]}",
        "{\"tensor_payload\": [{\"start_idx\": -1}]}",
        "{\"tensor_payload\": [{\"length\": 1.5}]}",
        "{\"tensor_payload\": [{\"length\": 281474976710756}]}",
        "{\"tensor_payload\": [{\"length\": 99999999999999999999}]}",
        "{\"meta\": {\"mode\":",
        "{\"shape_payload\": [{\"shape\": [-1]}]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sm_index x = {0};
        struct sm_err err = {0};
        if (sm_index_parse(bad[i], strlen(bad[i]), &x, &err))
            fail_msg("accepted: %s", bad[i]);
        assert_true(err.code == SM_ERR_DATA || err.code == SM_ERR_LIMIT);
        sm_index_clear(&x);
    }
    struct sm_index x = {0};
    struct sm_err err = {0};
    assert_false(sm_index_parse(bad[2], strlen(bad[2]), &x, &err));
    assert_string_equal(err.msg, "offset 10: index: unexpected number");
    static const char kind[] = "{\"new\": {\"a\": [1, {\"b\": []}]}, \"meta\": {\"mode\": "
                               "\"EVAL\", \"extra\": 7}, \"tensor_payload\": []}";
    assert_true(sm_index_parse(kind, strlen(kind), &x, &err));
    assert_int_equal(x.mode, 2);
    assert_int_equal(x.mode_step, -1);
    sm_index_clear(&x);
}

static void test_bad_collections_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "{\"collections\": [{\"include_regex\": [\"a\"]}]}",
        "{\"collections\": {\"a\": {\"save_config\": {\"TRAIN\": {\"save_interval\": -1}}}}}",
        "{\"_meta\": {\"num_workers\": 1.5}}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sm_arena arena = {0};
        struct sm_collections_def def;
        struct sm_err err = {0};
        if (sm_collections_parse(bad[i], strlen(bad[i]), &arena, &def, &err))
            fail_msg("accepted: %s", bad[i]);
        assert_int_equal(err.code, SM_ERR_DATA);
        sm_arena_clear(&arena);
    }
}

static void test_file_names(void **state)
{
    (void)state;
    int64_t step;
    struct sm_str worker = {0};
    assert_true(sm_location_parse("000000000010_worker_0.json", ".json", &step, &worker));
    assert_int_equal(step, 10);
    assert_string_equal(sm_str_text(&worker), "worker_0");
    sm_str_truncate(&worker, 0);
    assert_true(
        sm_location_parse("000000002500__job-localhost_replica-0_task-0_device-GPU-1.json.zst",
                          ".json", &step, &worker));
    assert_string_equal(sm_str_text(&worker), "/job:localhost/replica:0/task:0/device:GPU:1");
    static const char *const no[] = {"000000000010_worker_0.json.tmp",
                                     "-00000000001_worker_0.json",
                                     "x_worker_0.json",
                                     "10.json",
                                     "10_.json",
                                     "99999999999999999999_w.json"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(sm_location_parse(no[i], ".json", &step, &worker));
    sm_str_clear(&worker);
}

static void test_no_path_leaves_the_trial(void **state)
{
    (void)state;
    static const char *const bad[] = {"",     "/etc/passwd", "..",   "../x", "a/../b",
                                      "a/..", "./a",         "a//b", "a/",   "a/."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(sm_source_path_ok(bad[i], strlen(bad[i])));
    assert_true(sm_source_path_ok("events/000000000000/..a", 23));
    struct sm_err err;
    struct sm_stat st;
    struct sm_source *s = sm_source_dir_new("tests/trials/dtypes", &err);
    assert_false(sm_source_stat(s, "../dtypes.expected.json", &st, &err));
    assert_int_equal(err.code, SM_ERR_REFUSED);
    assert_true(sm_source_stat(s, "training_job_end.ts", &st, &err));
    assert_int_equal(st.size_bytes, 0);
    sm_source_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_files_are_written_as_read),
        cmocka_unit_test(test_collections_files_are_written_as_read),
        cmocka_unit_test(test_events_are_written_as_read),
        cmocka_unit_test(test_damaged_frames),
        cmocka_unit_test(test_a_negative_dimension_is_refused),
        cmocka_unit_test(test_bad_indexes_are_refused),
        cmocka_unit_test(test_bad_collections_are_refused),
        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_no_path_leaves_the_trial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
