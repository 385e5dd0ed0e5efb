/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are made when they are read. */
#include "reader/format/tfrecord.h"
#include "reader/logs/log_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 20 };
static size_t made;   /* values that were made */
static size_t longer; /* elements more than there were */

/* `offset` elements, each of them that number. */
static bool make(struct sm_source *files, const struct sm_log_origin *from, struct sm_arena *arena,
                 struct sm_event_value *out, struct sm_err *err)
{
    size_t n = (size_t)from->offset + longer;
    uint8_t *bytes = sm_arena_xalloc(arena, n + 1);
    (void)files, (void)err;
    memset(bytes, (int)from->offset, n);
    *out = (struct sm_event_value){.kind = SM_VALUE_TENSOR,
                                   .dtype = SM_DTYPE_UINT8,
                                   .proto_dtype = sm_dtype_info(SM_DTYPE_UINT8)->proto_code,
                                   .n_dims = 1,
                                   .dims = {n},
                                   .n_elements = n,
                                   .content = {bytes, n}};
    made++;
    return true;
}

static struct sm_source *new_source(uint64_t *offsets, uint64_t *lengths)
{
    struct sm_err err;
    struct sm_source *files = sm_source_mem_new(&err), *s = sm_log_source_new(files, make, &err);
    assert_true(sm_source_mem_put(files, "a", "bytes", 5));
    for (size_t i = 0; i < VALUES; i++) {
        struct sm_arena arena = {0};
        struct sm_event_value v;
        struct sm_log_record r = {sm_text("x"), (int64_t)i, (double)NAN, {"a", i * i, "key"}};
        assert_true(make(files, &r.from, &arena, &v, &err));
        assert_true(sm_log_source_add(s, &r, &v, &offsets[i], &lengths[i]));
        sm_arena_clear(&arena);
    }
    sm_source_unref(files);
    return s;
}

static void test_records(void **state)
{
    uint64_t offsets[VALUES], lengths[VALUES];
    struct sm_source *s = new_source(offsets, lengths);
    struct sm_err err;
    (void)state;
    for (size_t i = VALUES; i-- > 0;) {
        char bytes[1024];
        struct sm_bytes payload;
        struct sm_event e;
        struct sm_arena arena = {0};
        enum sm_crc crc;
        size_t got;
        assert_true(sm_source_read(s, SM_LOG_VALUES, offsets[i], bytes, lengths[i], &got, &err));
        assert_int_equal(got, lengths[i]);
        assert_true(
            sm_frame_parse((struct sm_bytes){(uint8_t *)bytes, got}, true, &payload, &crc, &err));
        assert_int_equal(crc, SM_CRC_OK);
        assert_true(sm_event_parse(payload, &arena, &e, &err));
        assert_int_equal(e.step, i);
        assert_int_equal(e.values[0].n_elements, i * i);
        sm_arena_clear(&arena);
    }
    sm_source_unref(s);
}

/* Pieces of any size are the same bytes, and each value is made once. */
static void test_pieces(void **state)
{
    uint64_t offsets[VALUES], lengths[VALUES];
    struct sm_source *s = new_source(offsets, lengths);
    struct sm_err err;
    struct sm_stat st;
    size_t got;
    (void)state;
    assert_true(sm_source_stat(s, SM_LOG_VALUES, &st, &err));
    assert_int_equal(st.size_bytes, offsets[VALUES - 1] + lengths[VALUES - 1]);
    char *whole = malloc(st.size_bytes), piece[7];
    assert_true(sm_source_read(s, SM_LOG_VALUES, 0, whole, st.size_bytes, &got, &err));
    assert_int_equal(got, st.size_bytes);
    made = 0;
    for (uint64_t at = 0; at < st.size_bytes; at += got) {
        assert_true(sm_source_read(s, SM_LOG_VALUES, at, piece, sizeof piece, &got, &err));
        assert_true(got > 0);
        assert_memory_equal(piece, whole + at, got);
    }
    assert_in_range(made, 1, VALUES);
    assert_true(sm_source_read(s, SM_LOG_VALUES, st.size_bytes, piece, sizeof piece, &got, &err));
    assert_int_equal(got, 0);
    free(whole);
    sm_source_unref(s);
}

static void test_others(void **state)
{
    uint64_t offsets[VALUES], lengths[VALUES], offset, length;
    struct sm_source *s = new_source(offsets, lengths), *plain = sm_source_mem_new(NULL);
    struct sm_err err;
    char bytes[64];
    size_t got;
    (void)state;
    assert_true(sm_source_read(s, "a", 1, bytes, sizeof bytes, &got, &err));
    assert_int_equal(got, 4);
    longer = 1;
    assert_false(sm_source_read(s, SM_LOG_VALUES, offsets[3], bytes, 10, &got, &err));
    longer = 0;
    assert_int_equal(err.code, SM_ERR_DATA);
    assert_non_null(strstr(err.msg, "not what it was"));
    struct sm_log_record r = {sm_text("x"), 1, 1, {"a", 1, "key"}};
    struct sm_event_value v = {.kind = SM_VALUE_SCALAR};
    assert_false(sm_log_source_add(plain, &r, &v, &offset, &length));
    sm_source_unref(plain);
    sm_source_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_records),
                                       cmocka_unit_test(test_pieces),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
