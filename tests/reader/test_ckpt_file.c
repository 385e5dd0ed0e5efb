/* SPDX-License-Identifier: Apache-2.0 */
/* What all formats of files of tensors check: sizes, strides, bounds. */
#include "reader/tensor_files/ckpt_file.h"

#include "reader/base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct view_case {
    enum sm_dtype dtype;
    unsigned n_dims;
    uint64_t dims[3];
    int64_t strides[3];
    bool plain;
    uint64_t first;
    bool ok;
};

/* A storage of 48 bytes. */
static const struct view_case cases[] = {
    {SM_DTYPE_FLOAT32, 2, {3, 4}, {0}, true, 0, true},
    {SM_DTYPE_FLOAT32, 2, {3, 4}, {0}, true, 1, false},
    {SM_DTYPE_FLOAT32, 2, {4, 3}, {1, 4}, false, 0, true},
    {SM_DTYPE_FLOAT32, 2, {4, 3}, {1, 4}, false, 1, false},
    {SM_DTYPE_FLOAT32, 1, {12}, {-1}, false, 11, true},
    {SM_DTYPE_FLOAT32, 1, {12}, {-1}, false, 10, false},
    {SM_DTYPE_FLOAT32, 1, {1000}, {0}, false, 11, true},
    {SM_DTYPE_FLOAT32, 0, {0}, {0}, true, 11, true},
    {SM_DTYPE_FLOAT32, 0, {0}, {0}, true, 12, false},
    {SM_DTYPE_FLOAT32, 2, {0, UINT64_MAX}, {0}, true, 0, true},
    {SM_DTYPE_FLOAT32, 2, {UINT64_MAX, 3}, {0}, true, 0, false},
    {SM_DTYPE_FLOAT32, 2, {1ull << 31, 1ull << 31}, {0, 0}, false, 0, false},
    {SM_DTYPE_UINT8, 2, {1ull << 30, 1}, {0, 0}, false, 0, false},
    {SM_DTYPE_FLOAT32, 2, {2, 2}, {INT64_MAX, 1}, false, 0, false},
    {SM_DTYPE_FLOAT32, 2, {2, 2}, {INT64_MIN, 1}, false, 0, false},
    {SM_DTYPE_FLOAT32, 1, {1}, {INT64_MAX}, false, 0, true},
    {SM_DTYPE_FLOAT32, 1, {1}, {0}, true, UINT64_MAX, false},
    {SM_DTYPE_FLOAT4_E2M1FN, 1, {96}, {0}, true, 0, true},
    {SM_DTYPE_FLOAT4_E2M1FN, 1, {97}, {0}, true, 0, false},
    {SM_DTYPE_FLOAT6_E2M3FN, 1, {64}, {0}, true, 0, true},
    {SM_DTYPE_FLOAT6_E2M3FN, 1, {65}, {0}, true, 0, false},
    {SM_DTYPE_STRING, 1, {1}, {0}, true, 0, false},
};

static void test_views(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct view_case *c = &cases[i];
        struct sm_ckpt_file f = {.path = "x", .size_bytes = 100};
        struct sm_err err = {0};
        struct sm_ckpt_storage s = {.offset = 52, .stored_bytes = 48, .size_bytes = 48};
        assert_int_equal(sm_ckpt_add_storage(&f, &s, &err), 0);
        struct sm_ckpt_view v = {.name = SM_TEXT("w"),
                                 .dtype = c->dtype,
                                 .n_dims = c->n_dims,
                                 .dims = c->dims,
                                 .strides = c->plain ? NULL : c->strides,
                                 .first = c->first};
        struct sm_ckpt_tensor *t = sm_ckpt_add_tensor(&f, &v, &err);
        if (!t == c->ok)
            fail_msg("case %zu: %s", i, t ? "taken" : err.msg);
        sm_ckpt_file_clear(&f);
    }
}

static void test_storages_outside(void **state)
{
    (void)state;
    struct sm_ckpt_file f = {.path = "x", .size_bytes = 100};
    struct sm_err err = {0};
    struct sm_ckpt_storage s = {.offset = 52, .stored_bytes = 49, .size_bytes = 49};
    assert_int_equal(sm_ckpt_add_storage(&f, &s, &err), SM_NAME_NONE);
    s.offset = UINT64_MAX;
    assert_int_equal(sm_ckpt_add_storage(&f, &s, &err), SM_NAME_NONE);
    s.file = "other";
    assert_int_equal(sm_ckpt_add_storage(&f, &s, &err), 0);
    sm_ckpt_file_clear(&f);
}

static void test_pieces(void **state)
{
    (void)state;
    struct sm_ckpt_file f = {.path = "x", .size_bytes = 100};
    struct sm_err err = {0};
    struct sm_ckpt_storage s = {.offset = 0, .stored_bytes = 24, .size_bytes = 24};
    sm_ckpt_add_storage(&f, &s, &err);
    uint64_t dims[] = {4, 3}, half[] = {2, 3}, second[] = {2, 0}, outside[] = {3, 0};
    struct sm_ckpt_view v = {
        .name = SM_TEXT("w"), .dtype = SM_DTYPE_FLOAT32, .n_dims = 2, .dims = dims};
    struct sm_ckpt_piece pieces[] = {{.dims = half}, {.dims = half, .origin = second}};
    struct sm_ckpt_tensor *t = sm_ckpt_add_pieces(&f, &v, pieces, 2, &err);
    assert_non_null(t);
    assert_int_equal(t->n, 12);
    assert_int_equal(t->pieces[1].origin[0], 2);
    pieces[1].origin = outside;
    assert_null(sm_ckpt_add_pieces(&f, &v, pieces, 2, &err));
    sm_ckpt_file_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_storages_outside),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
