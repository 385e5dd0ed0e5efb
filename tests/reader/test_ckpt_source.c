/* SPDX-License-Identifier: Apache-2.0 */
/* Files of tensors that read as event records: every view gives the elements that a loop over all
 * indices gives, read in pieces of any size. */
#include "reader/checkpoints/ckpt_source.h"

#include "reader/base/map.h"
#include "reader/format/tfrecord.h"
#include "reader/tensor/tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

enum { BYTES = 4096, NAMES = 7 };
static uint8_t stored[BYTES], packed[2 * BYTES];

static uint64_t seed = 1;
static uint64_t any(uint64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

struct fixture {
    struct sm_source *files, *source;
    struct sm_ckpt_file f;
    size_t n_packed;
};

static size_t deflate_raw(const uint8_t *from, size_t n, uint8_t *to, size_t most)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (uint8_t *)(uintptr_t)from;
    z.avail_in = (uInt)n;
    z.next_out = to;
    z.avail_out = (uInt)most;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return most - z.avail_out;
}

/* A file "x": 16 bytes, the elements, the elements deflated behind 10 more bytes. */
static void begin(struct fixture *x)
{
    struct sm_err err = {0};
    uint8_t *all = malloc(16 + BYTES + sizeof packed), *behind = calloc(1, BYTES + 10);
    for (size_t i = 0; i < BYTES; i++)
        stored[i] = (uint8_t)any(256);
    memcpy(behind + 10, stored, BYTES);
    x->n_packed = deflate_raw(behind, BYTES + 10, packed, sizeof packed);
    memset(all, 0, 16);
    memcpy(all + 16, stored, BYTES);
    memcpy(all + 16 + BYTES, packed, x->n_packed);
    x->files = sm_source_mem_new(&err);
    assert_true(sm_source_mem_put(x->files, "x", all, 16 + BYTES + x->n_packed));
    x->source = sm_ckpt_source_new(x->files, &err);
    x->f = (struct sm_ckpt_file){.path = "x", .size_bytes = 16 + BYTES + x->n_packed};
    struct sm_ckpt_storage s[] = {
        {.offset = 16, .stored_bytes = BYTES, .size_bytes = BYTES},
        {.offset = 16 + BYTES,
         .stored_bytes = x->n_packed,
         .size_bytes = BYTES,
         .skip_bytes = 10,
         .deflated = true},
        {.offset = 16, .stored_bytes = BYTES, .size_bytes = BYTES, .big_endian = true},
        {.bytes = stored, .stored_bytes = BYTES, .size_bytes = BYTES}};
    for (size_t i = 0; i < sizeof s / sizeof *s; i++)
        assert_int_equal(sm_ckpt_add_storage(&x->f, &s[i], &err), i);
    free(all);
    free(behind);
}

static void end(struct fixture *x)
{
    sm_ckpt_file_clear(&x->f);
    sm_source_unref(x->source);
    sm_source_unref(x->files);
}

/* The element of a storage, by its definition. */
static void element(enum sm_dtype d, const struct sm_ckpt_storage *s, uint64_t i, uint8_t out[16])
{
    unsigned bits = sm_dtype_stored_bits(d), size = sm_dtype_info(d)->size_bytes;
    memset(out, 0, 16);
    if (bits % 8)
        for (unsigned k = 0; k < bits; k++) {
            uint64_t bit = i * bits + k;
            out[0] |= (uint8_t)((stored[bit / 8] >> bit % 8 & 1) << k);
        }
    else
        memcpy(out, stored + i * size, size);
    unsigned unit = sm_dtype_info(d)->kind == SM_KIND_COMPLEX ? size / 2 : size;
    for (unsigned from = 0; s->big_endian && from < size; from += unit)
        for (unsigned k = 0; k < unit / 2; k++) {
            uint8_t byte = out[from + k];
            out[from + k] = out[from + unit - 1 - k];
            out[from + unit - 1 - k] = byte;
        }
}

/* The elements of a tensor, one index after the other. */
static uint8_t *expected(const struct sm_ckpt_file *f, const struct sm_ckpt_tensor *t)
{
    size_t size = sm_dtype_info((enum sm_dtype)t->dtype)->size_bytes;
    uint8_t *out = calloc(t->n + 1, size), one[16];
    for (uint64_t i = 0; i < t->n; i++) {
        for (uint32_t p = 0; p < t->n_pieces; p++) {
            const struct sm_ckpt_piece *x = &t->pieces[p];
            uint64_t left = i, at = x->first, own = 1;
            bool inside = true;
            for (unsigned k = t->n_dims; k-- > 0; left /= t->dims[k]) {
                uint64_t index = left % t->dims[k], origin = x->origin ? x->origin[k] : 0;
                inside = inside && index >= origin && index - origin < x->dims[k];
                index -= origin;
                at += index * (x->strides ? (uint64_t)x->strides[k] : own);
                own *= x->dims[k];
            }
            if (!inside)
                continue;
            element((enum sm_dtype)t->dtype, &f->storages[x->storage], at, one);
            memcpy(out + i * size, one, size);
        }
    }
    return out;
}

/* Reads the record in pieces and compares type, shape and elements. */
static void check_record(struct sm_source *s, struct sm_ckpt_place place, enum sm_dtype d,
                         const uint8_t *want, size_t n_bytes, size_t piece)
{
    struct sm_err err = {0};
    struct sm_file file = {0};
    uint8_t *record = sm_alloc(place.length);
    struct sm_tensor *t;
    assert_true(sm_file_open(&file, s, "x", &err));
    for (size_t at = 0, got, n; at < place.length; at += n) {
        n = place.length - at < piece ? place.length - at : piece;
        if (!sm_file_read(&file, place.offset + at, record + at, n, &got, &err))
            fail_msg("%s", err.msg);
        assert_int_equal(got, n);
    }
    sm_file_close(&file);
    assert_true(sm_tensor_from_record(record, place.length, true, 0, &t, &err));
    assert_int_equal(t->dtype, d);
    assert_int_equal(t->crc, SM_CRC_UNWRITTEN);
    assert_int_equal(t->size_bytes, n_bytes);
    assert_memory_equal(t->data, want, n_bytes);
    sm_tensor_unref(t);
}

/* A view of up to four axes that lies in the storage; false: this one does not. */
static bool random_view(struct fixture *x, struct sm_ckpt_view *v, uint64_t *dims, int64_t *strides)
{
    static const enum sm_dtype types[] = {
        SM_DTYPE_FLOAT32,  SM_DTYPE_UINT8,         SM_DTYPE_FLOAT64,       SM_DTYPE_COMPLEX64,
        SM_DTYPE_BFLOAT16, SM_DTYPE_FLOAT4_E2M1FN, SM_DTYPE_FLOAT6_E3M2FN, SM_DTYPE_COMPLEX128};
    static const char *const names[NAMES] = {"a", "b", "c", "d", "e", "f", "g"};
    struct sm_err err = {0};
    *v = (struct sm_ckpt_view){.name = sm_text(names[any(NAMES)]),
                               .dtype = types[any(sizeof types / sizeof *types)],
                               .n_dims = (unsigned)any(5),
                               .dims = dims,
                               .storage = (uint32_t)any(4),
                               .first = any(40)};
    for (unsigned i = 0; i < 4; i++) {
        dims[i] = any(40) ? 1 + any(9) : 0;
        strides[i] = (int64_t)any(30) - (any(4) ? 0 : 15);
    }
    v->strides = any(3) ? strides : NULL;
    return sm_ckpt_add_tensor(&x->f, v, &err);
}

static void test_views(void **state)
{
    (void)state;
    enum { WANTED = 400 };
    struct fixture x;
    begin(&x);
    uint64_t dims[4];
    int64_t strides[4];
    struct sm_ckpt_view v;
    while (x.f.n < WANTED)
        random_view(&x, &v, dims, strides);
    uint8_t *want[WANTED];
    size_t bytes[WANTED];
    enum sm_dtype types[WANTED];
    struct sm_ckpt_place places[WANTED];
    for (size_t i = 0; i < WANTED; i++) {
        want[i] = expected(&x.f, &x.f.tensors[i]);
        types[i] = (enum sm_dtype)x.f.tensors[i].dtype;
        bytes[i] = x.f.tensors[i].n * sm_dtype_info(types[i])->size_bytes;
    }
    struct sm_ckpt_file *files[] = {&x.f};
    struct sm_stat st = {.size_bytes = x.f.size_bytes};
    struct sm_ckpt_part part = {.path = "x", .files = files, .stats = &st, .n_files = 1};
    assert_true(sm_ckpt_source_add(x.source, &part, places));
    for (size_t i = 0; i < WANTED; i++) {
        check_record(x.source, places[i], types[i], want[i], bytes[i], 1 + any(50));
        check_record(x.source, places[i], types[i], want[i], bytes[i], 1 << 20);
        free(want[i]);
    }
    end(&x);
}

/* A tensor of several boxes; what no box covers is 0. */
static void test_pieces(void **state)
{
    (void)state;
    struct fixture x;
    begin(&x);
    struct sm_err err = {0};
    uint64_t dims[] = {7, 6}, a[] = {3, 6}, b[] = {4, 2}, c[] = {4, 3}, at_b[] = {3, 0},
             at_c[] = {3, 3};
    int64_t strides[] = {1, 9};
    struct sm_ckpt_piece pieces[] = {
        {.storage = 0, .first = 3, .dims = a},
        {.storage = 1, .first = 1, .dims = b, .origin = at_b, .strides = strides},
        {.storage = 0, .first = 100, .dims = c, .origin = at_c}};
    struct sm_ckpt_view v = {
        .name = SM_TEXT("w"), .dtype = SM_DTYPE_FLOAT32, .n_dims = 2, .dims = dims};
    assert_non_null(sm_ckpt_add_pieces(&x.f, &v, pieces, 3, &err));
    uint8_t *want = expected(&x.f, x.f.tensors);
    struct sm_ckpt_file *files[] = {&x.f};
    struct sm_stat st = {.size_bytes = x.f.size_bytes};
    struct sm_ckpt_part part = {.path = "x", .files = files, .stats = &st, .n_files = 1};
    struct sm_ckpt_place place;
    assert_true(sm_ckpt_source_add(x.source, &part, &place));
    for (size_t piece = 1; piece < 200; piece += 7)
        check_record(x.source, place, SM_DTYPE_FLOAT32, want, 7 * 6 * 4, piece);
    free(want);
    end(&x);
}

/* A deflated stream that ends early, or is none, fails; it gives no wrong elements. */
static void test_damaged_deflate(void **state)
{
    (void)state;
    struct fixture x;
    begin(&x);
    struct sm_err err = {0};
    struct sm_ckpt_storage cut = {.offset = 16 + BYTES,
                                  .stored_bytes = x.n_packed / 2,
                                  .size_bytes = BYTES,
                                  .deflated = true},
                           noise = {.offset = 17,
                                    .stored_bytes = BYTES - 1,
                                    .size_bytes = BYTES,
                                    .deflated = true};
    uint64_t dims[] = {BYTES};
    struct sm_ckpt_view v = {
        .name = SM_TEXT("w"), .dtype = SM_DTYPE_UINT8, .n_dims = 1, .dims = dims};
    v.storage = sm_ckpt_add_storage(&x.f, &cut, &err);
    assert_non_null(sm_ckpt_add_tensor(&x.f, &v, &err));
    v.storage = sm_ckpt_add_storage(&x.f, &noise, &err);
    assert_non_null(sm_ckpt_add_tensor(&x.f, &v, &err));
    struct sm_ckpt_file *files[] = {&x.f};
    struct sm_stat st = {.size_bytes = x.f.size_bytes};
    struct sm_ckpt_part part = {.path = "x", .files = files, .stats = &st, .n_files = 1};
    struct sm_ckpt_place places[2];
    assert_true(sm_ckpt_source_add(x.source, &part, places));
    for (int i = 0; i < 2; i++) {
        uint8_t *record = sm_alloc(places[i].length);
        size_t got;
        assert_false(
            sm_source_read(x.source, "x", places[i].offset, record, places[i].length, &got, &err));
        assert_int_equal(err.code, SM_ERR_DATA);
        assert_false(
            sm_source_read(x.source, "x", places[i].offset, record, places[i].length, &got, NULL));
        sm_free(record);
    }
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_damaged_deflate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
