/* SPDX-License-Identifier: Apache-2.0 */
/* Slices of large values, read by range: the same elements as from the whole value, without reading
 * it; and values beyond the limit, which are never read whole. */
#include "reader/base/crc32c.h"
#include "reader/fetch/read_part.h"
#include "tests/reader/live.h"

enum { ROWS = 40, COLUMNS = 64, DEPTH = 700 }; /* 1.8 million elements */

/* ---- a record as protobuf writes it ---- */

static void add_varint(struct sm_str *s, uint64_t x)
{
    for (; x >= 128; x >>= 7)
        sm_str_addc(s, (char)(x | 128));
    sm_str_addc(s, (char)x);
}

static void add_field(struct sm_str *s, unsigned field, const struct sm_str *bytes)
{
    add_varint(s, field << 3 | 2);
    add_varint(s, bytes->len);
    sm_str_addn(s, sm_str_text(bytes), bytes->len);
}

static void add_number(struct sm_str *s, unsigned field, uint64_t x)
{
    add_varint(s, field << 3);
    add_varint(s, x);
}

static void add_shape(struct sm_str *tensor, const uint64_t *dims, unsigned n_dims)
{
    struct sm_str shape = {0};
    for (unsigned i = 0; i < n_dims; i++) {
        struct sm_str dim = {0};
        add_number(&dim, 1, dims[i]);
        add_field(&shape, 2, &dim);
        sm_str_clear(&dim);
    }
    add_field(tensor, 2, &shape);
    sm_str_clear(&shape);
}

/* Puts a message into the field of another one. */
static void enclose(struct sm_str *s, unsigned field)
{
    struct sm_str outer = {0};
    add_field(&outer, field, s);
    sm_str_clear(s);
    *s = outer;
}

static void add_frame(struct sm_str *out, const struct sm_str *payload)
{
    uint8_t header[SM_FRAME_HEADER] = {0};
    for (int i = 0; i < 8; i++)
        header[i] = (uint8_t)((uint64_t)payload->len >> 8 * i);
    uint32_t crc = sm_crc32c_mask(sm_crc32c(header, 8)), footer = SM_FOOTER_UNWRITTEN;
    memcpy(header + 8, &crc, 4);
    sm_str_addn(out, header, sizeof header);
    sm_str_addn(out, sm_str_text(payload), payload->len);
    sm_str_addn(out, &footer, 4);
}

/* field: 4 tensor_content, 5 float_val, 6 double_val. Element i is i. */
static void make_record(struct sm_str *out, enum sm_dtype dtype, unsigned field,
                        const uint64_t *dims, unsigned n_dims)
{
    struct sm_str s = {0}, content = {0};
    uint64_t n = 1;
    for (unsigned i = 0; i < n_dims; i++)
        n *= dims[i];
    for (uint64_t i = 0; i < n; i++) {
        float f = (float)i;
        double d = (double)i;
        sm_str_addn(&content, dtype == SM_DTYPE_FLOAT64 ? (void *)&d : (void *)&f,
                    dtype == SM_DTYPE_FLOAT64 ? 8 : 4);
    }
    add_number(&s, 1, dtype == SM_DTYPE_FLOAT64 ? 2 : 1);
    add_shape(&s, dims, n_dims);
    add_field(&s, field, &content);
    enclose(&s, 8);
    enclose(&s, 1);
    enclose(&s, 5);
    add_frame(out, &s);
    sm_str_clear(&s);
    sm_str_clear(&content);
}

/* ---- reading ---- */

struct record {
    struct sm_source *source;
    struct sm_file file;
    uint64_t length;
};

static void open_record(struct record *r, enum sm_dtype dtype, unsigned field)
{
    static const uint64_t dims[] = {ROWS, COLUMNS, DEPTH};
    struct sm_str bytes = {0};
    struct sm_err err;
    make_record(&bytes, dtype, field, dims, 3);
    r->source = sm_source_mem_new(&err);
    r->length = bytes.len;
    assert_true(bytes.len >= SM_PART_FROM_BYTES);
    assert_true(sm_source_mem_put(r->source, "f", sm_str_text(&bytes), bytes.len));
    assert_true(sm_file_open(&r->file, r->source, "f", &err));
    sm_str_clear(&bytes);
}

static void close_record(struct record *r)
{
    sm_file_close(&r->file);
    sm_source_unref(r->source);
    *r = (struct record){0};
}

static struct sm_read read_of(const struct record *r)
{
    return (struct sm_read){.path = "f", .length = r->length, .want = SM_WANT_TENSOR};
}

static void expect_slice(const struct record *r, struct sm_tensor *whole, const char *text,
                         unsigned long reads)
{
    struct sm_slice slice;
    struct sm_tensor *expected;
    struct sm_scratch scratch = {0};
    struct sm_err err;
    size_t used;
    assert_true(sm_slice_parse(text, strlen(text), &slice, &used, &err));
    assert_true(sm_slice_apply(&slice, whole, &expected, &err));
    struct sm_read x = read_of(r);
    unsigned long before = sm_source_read_count();
    sm_read_part(&r->file, &slice, NULL, &x, &scratch);
    if (!x.ok || sm_source_read_count() - before > reads)
        fail_msg("%s: %s, %lu reads", text, x.err.msg, sm_source_read_count() - before);
    assert_int_equal(x.tensor->n_dims, expected->n_dims);
    assert_memory_equal(x.tensor->dims, expected->dims, expected->n_dims * sizeof *x.tensor->dims);
    assert_int_equal(x.tensor->size_bytes, expected->size_bytes);
    assert_memory_equal(x.tensor->data, expected->data, expected->size_bytes);
    sm_tensor_unref(x.tensor);
    sm_tensor_unref(expected);
    sm_free(scratch.bytes);
}

static void test_slices(void **state)
{
    static const struct {
        enum sm_dtype dtype;
        unsigned field;
    } forms[] = {{SM_DTYPE_FLOAT32, 4}, {SM_DTYPE_FLOAT32, 5}, {SM_DTYPE_FLOAT64, 6}};
    static const struct {
        const char *text;
        unsigned long reads; /* at most; two are for the head and the footer */
    } slices[] = {
        {"[0]", 3},
        {"[-1,-1,-1]", 3},
        {"[0:4]", 3},
        {"[:,0,0]", 42},
        {"[::-1,3,5]", 42},
        {"[1,:,7]", 8},
        {"[0,0,::-1]", 3},
        {"[5:3,0]", 2},
        {"[...,699]", 250},
        {"[::13,::17,::100]", 40},
        {"[7,10:20:3,-5:]", 5},
        {"[39,::-9,::-350]", 30},
    };
    (void)state;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        struct record r = {0};
        struct sm_scratch scratch = {0};
        open_record(&r, forms[f].dtype, forms[f].field);
        struct sm_read whole = read_of(&r);
        sm_read_record(&r.file, SM_CHECKSUM_AUTO, &whole, &scratch);
        assert_true(whole.ok);
        for (size_t i = 0; i < sizeof slices / sizeof *slices; i++)
            expect_slice(&r, whole.tensor, slices[i].text, 2 * slices[i].reads + 4);
        sm_tensor_unref(whole.tensor);
        sm_free(scratch.bytes);
        close_record(&r);
    }
}

static struct sm_err slice_error(const struct record *r, const char *text, uint64_t limit)
{
    struct sm_slice slice;
    struct sm_scratch scratch = {0};
    struct sm_err err;
    size_t used;
    assert_true(sm_slice_parse(text, strlen(text), &slice, &used, &err));
    struct sm_read x = read_of(r);
    x.limit = limit;
    sm_read_part(&r->file, &slice, NULL, &x, &scratch);
    assert_false(x.ok);
    assert_null(x.tensor);
    sm_free(scratch.bytes);
    return x.err;
}

static void test_errors(void **state)
{
    struct record r = {0};
    (void)state;
    open_record(&r, SM_DTYPE_FLOAT32, 4);
    struct sm_err err = slice_error(&r, "[40]", 0);
    assert_int_equal(err.code, SM_ERR_USAGE);
    assert_string_equal(err.msg, "index 40 is out of bounds for axis 0 with size 40");
    err = slice_error(&r, "[::2]", 1 << 20);
    assert_int_equal(err.code, SM_ERR_LIMIT);
    assert_non_null(strstr(err.msg, "the value has 3.4 MiB, more than memory-limit (1.0 MiB)"));
    struct sm_source *s = r.source;
    sm_file_close(&r.file);
    assert_true(sm_source_mem_put(s, "f", "", 0));
    assert_true(sm_file_open(&r.file, s, "f", &err));
    assert_true(slice_error(&r, "[0]", 0).code != SM_OK);
    close_record(&r);
}

/* ---- several values of one record ---- */

enum { VALUES = 200 };

static void open_values(struct record *r)
{
    static struct sm_event_value values[VALUES];
    struct sm_event e = {.wall_time = 7, .values = values, .n_values = VALUES};
    struct sm_str payload = {0}, bytes = {0};
    struct sm_err err;
    for (int i = 0; i < VALUES; i++)
        values[i] = (struct sm_event_value){
            .tag = SM_TEXT("v"), .kind = SM_VALUE_SCALAR, .simple = (float)i};
    assert_true(sm_event_write(&payload, &e, &err));
    add_frame(&bytes, &payload);
    r->source = sm_source_mem_new(&err);
    r->length = bytes.len;
    assert_true(sm_source_mem_put(r->source, "f", sm_str_text(&bytes), bytes.len));
    assert_true(sm_file_open(&r->file, r->source, "f", &err));
    sm_str_clear(&bytes);
    sm_str_clear(&payload);
}

static void expect_number(const struct sm_read *x, int i)
{
    assert_true(x->ok);
    assert_int_equal(x->facts.n, 1);
    assert_true(x->facts.wall_time == 7 && x->facts.crc == SM_CRC_UNWRITTEN);
    assert_true(sm_dtype_load(x->facts.dtype, x->facts.first) == i);
    if (!(x->want & SM_WANT_TENSOR))
        assert_true(x->facts.stats.sum == i);
    else
        assert_true(sm_dtype_load(x->tensor->dtype, x->tensor->data) == i);
}

static void test_values_of_a_record(void **state)
{
    static struct sm_read items[VALUES];
    struct record r = {0};
    struct sm_scratch scratch = {0};
    const char *path = "f";
    (void)state;
    open_values(&r);
    for (int want = SM_WANT_STATS; want <= SM_WANT_TENSOR; want *= 2) {
        for (int i = 0; i < VALUES; i++)
            items[i] = (struct sm_read){
                .path = path, .length = r.length, .value = (uint16_t)i, .want = (uint8_t)want};
        unsigned long before = sm_source_read_count();
        assert_int_equal(sm_read_values(&r.file, SM_CHECKSUM_AUTO, items, VALUES, &scratch),
                         VALUES);
        assert_true(sm_source_read_count() - before < 5);
        for (int i = 0; i < VALUES; i++) {
            expect_number(&items[i], i);
            sm_tensor_unref(items[i].tensor);
        }
    }
    items[0].value = VALUES; /* there is none */
    items[0].ok = items[1].ok = false;
    items[0].tensor = items[1].tensor = NULL;
    assert_int_equal(sm_read_values(&r.file, SM_CHECKSUM_AUTO, items, 2, &scratch), 2);
    assert_int_equal(items[0].err.code, SM_ERR_DATA);
    expect_number(&items[1], 1);
    sm_tensor_unref(items[1].tensor);
    sm_free(scratch.bytes);
    close_record(&r);
}

/* ---- on request ---- */

static struct sm_entry large_entry(struct live *l)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    put_tensor(w, "large", 2, 2000000);
    put_tensor(w, "small", 3, 1000);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
    return sm_tensor_entry(l->trial, tensor(l, "large"), 0);
}

static bool fetch_part(struct live *l, const struct sm_entry *e, const char *text,
                       struct sm_tensor **out, struct sm_err *err)
{
    struct sm_slice slice;
    size_t used;
    assert_true(sm_slice_parse(text, strlen(text), &slice, &used, err));
    for (int i = 0; i < 100; i++) {
        if (sm_fetch_slice(l->fetch, l->trial, e, &slice, out, err))
            return true;
        if (err->code != SM_ERR_WAIT)
            return false;
        assert_true(sm_fetch_busy(l->fetch));
        live_settle(l);
    }
    return false;
}

static void test_limit(void **state)
{
    struct live *l = *state;
    struct sm_entry e = large_entry(l);
    const struct sm_facts *facts;
    struct sm_tensor *t;
    struct sm_err err;
    sm_fetch_budget(l->fetch, 1 << 20);
    sm_fetch_begin(l->fetch);
    assert_true(sm_fetch_too_large(l->fetch, &e));
    assert_false(sm_fetch_tensor(l->fetch, l->trial, &e, &t, &err));
    assert_int_equal(err.code, SM_ERR_LIMIT);
    assert_string_equal(err.msg, "the value has 7.6 MiB, more than memory-limit (1.0 MiB): read a "
                                 "slice of it, such as NAME[0:4], or raise the limit with "
                                 "\"set memory-limit\"");
    assert_true(fetch_part(l, &e, "[0:4]", &t, &err));
    assert_int_equal(t->n, 4);
    sm_tensor_unref(t);
    assert_false(fetch_part(l, &e, "[::2]", &t, &err));
    assert_int_equal(err.code, SM_ERR_LIMIT);
    while (!sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    assert_int_equal(facts->stats.finite, 2000000);
    assert_true(sm_fetch_memory(l->fetch) < 1 << 20);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    sm_fetch_end(l->fetch);
    sm_fetch_budget(l->fetch, 64 << 20);
    sm_fetch_begin(l->fetch);
    assert_true(fetch_part(l, &e, "[::2]", &t, &err));
    assert_int_equal(t->n, 1000000);
    sm_tensor_unref(t);
    sm_fetch_end(l->fetch);
}

/* Many slices of one command stay; those of earlier ones go. */
static void test_many_slices(void **state)
{
    struct live *l = *state;
    struct sm_entry e = large_entry(l);
    struct sm_tensor *t;
    struct sm_err err;
    char text[32];
    for (int round = 0; round < 3; round++) {
        sm_fetch_begin(l->fetch);
        for (int again = 0; again < 2; again++) {
            unsigned long before = sm_source_read_count();
            for (int i = 0; i < 40; i++) {
                snprintf(text, sizeof text, "[%d]", i);
                assert_true(fetch_part(l, &e, text, &t, &err));
                sm_tensor_unref(t);
            }
            if (again)
                assert_int_equal(sm_source_read_count(), before);
        }
        sm_fetch_end(l->fetch);
    }
    assert_true(fetch_part(l, &e, "[0]", &t, &err)); /* not in a command */
    sm_tensor_unref(t);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_values_of_a_record),
        TEST(test_limit),
        TEST(test_many_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
