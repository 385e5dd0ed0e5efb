/* SPDX-License-Identifier: Apache-2.0 */
/* Large records read in pieces: the same facts as from the whole record, at any piece boundary; and
 * the records that cannot be read so. */
#include "reader/fetch/fetch_stream.h"
#include "reader/tensor/stats_pass.h"
#include "tests/reader/live.h"

static const enum sm_dtype numeric[] = {
    SM_DTYPE_FLOAT16, SM_DTYPE_BFLOAT16, SM_DTYPE_FLOAT32, SM_DTYPE_FLOAT64,   SM_DTYPE_INT8,
    SM_DTYPE_INT16,   SM_DTYPE_INT32,    SM_DTYPE_INT64,   SM_DTYPE_UINT8,     SM_DTYPE_UINT16,
    SM_DTYPE_UINT32,  SM_DTYPE_UINT64,   SM_DTYPE_BOOL,    SM_DTYPE_COMPLEX64, SM_DTYPE_COMPLEX128,
};
enum { N_NUMERIC = sizeof numeric / sizeof *numeric };

static uint8_t *random_bytes(size_t n, enum sm_dtype d)
{
    uint8_t *p = malloc(n + 1);
    uint32_t x = 1;
    for (size_t i = 0; i < n; i++) {
        p[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
        if (d == SM_DTYPE_BOOL)
            p[i] &= 1;
    }
    return p;
}

static void assert_same_stats(const struct sm_stats *a, const struct sm_stats *b)
{
    assert_memory_equal(a, b, offsetof(struct sm_stats, inexact));
    assert_int_equal(a->inexact, b->inexact);
}

static void in_pieces(enum sm_dtype d, const uint8_t *bytes, size_t n, size_t piece,
                      struct sm_stats *out)
{
    struct sm_stats_pass p;
    assert_true(sm_stats_begin(&p, d, out, NULL));
    for (size_t at = 0; at < n; at += piece)
        sm_stats_add(&p, bytes + at, n - at < piece ? n - at : piece);
    sm_stats_end(&p);
}

static void test_pieces_of_any_size(void **state)
{
    static const size_t pieces[] = {1, 7, 2047, 4096, 65537};
    (void)state;
    for (int i = 0; i < N_NUMERIC; i++) {
        size_t n = (3 * SM_BLOCK + 5) * (size_t)sm_dtype_info(numeric[i])->size_bytes;
        uint8_t *bytes = random_bytes(n, numeric[i]);
        struct sm_stats whole, cut;
        in_pieces(numeric[i], bytes, n, n, &whole);
        assert_int_equal(whole.n, 3 * SM_BLOCK + 5);
        for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
            in_pieces(numeric[i], bytes, n, pieces[k], &cut);
            assert_same_stats(&whole, &cut);
        }
        free(bytes);
    }
}

static void test_an_integer_beyond_doubles_in_any_piece(void **state)
{
    (void)state;
    uint8_t bytes[8 * (SM_BLOCK + 3)] = {0};
    struct sm_stats s;
    sm_put_u64(bytes + 8 * (SM_BLOCK + 1), (uint64_t)1 << 53);
    in_pieces(SM_DTYPE_INT64, bytes, sizeof bytes, 100, &s);
    assert_false(s.inexact);
    sm_put_u64(bytes + 8 * (SM_BLOCK + 1), ((uint64_t)1 << 53) + 1);
    in_pieces(SM_DTYPE_INT64, bytes, sizeof bytes, 100, &s);
    assert_true(s.inexact);
    assert_true(s.max == 0x1p53);
}

/* ---- records ---- */

enum { MARGIN = 12345 }; /* bytes before the record, so that elements are not page-aligned */

struct stored {
    struct sm_str bytes; /* of the file */
    uint64_t length;     /* of the record */
};

static struct sm_event_value value_of(enum sm_dtype d, const uint8_t *bytes, uint64_t n)
{
    const struct sm_dtype_info *info = sm_dtype_info(d);
    return (struct sm_event_value){.tag = sm_text("t"),
                                   .kind = SM_VALUE_TENSOR,
                                   .dtype = d,
                                   .proto_dtype = info->proto_code,
                                   .n_dims = 1,
                                   .dims = {n},
                                   .n_elements = n,
                                   .content = {bytes, (size_t)n * info->size_bytes},
                                   .has_mode = true,
                                   .mode = 1,
                                   .mode_step = 7};
}

static struct stored store(const struct sm_event *e, const char *after, size_t n_after,
                           bool real_crc)
{
    struct stored s = {0};
    struct sm_str payload = {0};
    struct sm_err err;
    assert_true(sm_event_write(&payload, e, &err));
    sm_str_addn(&payload, after, n_after);
    sm_str_fill(&s.bytes, 'x', MARGIN);
    sm_frame_write(&s.bytes, (struct sm_bytes){(const uint8_t *)sm_str_text(&payload), payload.len},
                   real_crc);
    s.length = s.bytes.len - MARGIN;
    sm_str_clear(&payload);
    return s;
}

static struct stored store_noise(enum sm_dtype d, bool real_crc)
{
    uint64_t n = 3 * SM_STREAM_BUFFER / sm_dtype_info(d)->size_bytes + 3;
    uint8_t *bytes = random_bytes((size_t)n * sm_dtype_info(d)->size_bytes, d);
    struct sm_event_value v = value_of(d, bytes, n);
    struct sm_event e = {.wall_time = 1e9, .values = &v, .n_values = 1};
    struct stored s = store(&e, NULL, 0, real_crc);
    free(bytes);
    return s;
}

/* Reads as a worker does; *buffered: the memory it kept. */
static struct sm_read read_record(struct live *l, const struct stored *s, size_t file_bytes,
                                  uint8_t want, enum sm_checksum checksum, size_t *buffered)
{
    struct sm_err err;
    struct sm_scratch scratch = {0};
    struct sm_file file = {0};
    struct sm_read x = {.path = "file", .offset = MARGIN, .length = s->length, .want = want};
    mkdir(l->path, 0700);
    put_file(in(l, "file"), sm_str_text(&s->bytes), file_bytes);
    struct sm_source *dir = sm_source_dir_new(l->path, &err);
    assert_true(sm_file_open(&file, dir, "file", &err));
    sm_read_record(&file, checksum, &x, &scratch);
    sm_file_close(&file);
    sm_source_unref(dir);
    *buffered = scratch.size_bytes;
    sm_free(scratch.bytes);
    return x;
}

static void assert_same_facts(const struct sm_read *a, const struct sm_read *b)
{
    assert_true(a->ok && b->ok);
    assert_true(a->facts.whole && a->facts.has_stats);
    assert_int_equal(a->facts.dtype, b->facts.dtype);
    assert_int_equal(a->facts.proto_dtype, b->facts.proto_dtype);
    assert_int_equal(a->facts.crc, b->facts.crc);
    assert_int_equal(a->facts.n_dims, b->facts.n_dims);
    assert_memory_equal(a->dims, b->dims, sizeof a->dims);
    assert_int_equal(a->facts.n, b->facts.n);
    assert_int_equal(a->facts.content_bytes, b->facts.content_bytes);
    assert_true(a->facts.wall_time == b->facts.wall_time);
    assert_memory_equal(a->facts.first, b->facts.first, sizeof a->facts.first);
    assert_same_stats(&a->facts.stats, &b->facts.stats);
    assert_int_equal(a->err.code, b->err.code);
}

/* Checks that the record was streamed or not, and that the facts equal those of the whole. */
static enum sm_crc check_record(struct live *l, const struct stored *s, bool streamed)
{
    size_t buffered;
    struct sm_read whole = read_record(l, s, s->bytes.len, SM_WANT_STATS | SM_WANT_TENSOR,
                                       SM_CHECKSUM_AUTO, &buffered);
    struct sm_read pieces =
        read_record(l, s, s->bytes.len, SM_WANT_STATS, SM_CHECKSUM_AUTO, &buffered);
    assert_int_equal(buffered == SM_STREAM_BUFFER, streamed);
    assert_same_facts(&pieces, &whole);
    sm_tensor_unref(whole.tensor);
    return pieces.facts.crc;
}

static void test_every_type_equals_its_whole(void **state)
{
    for (int i = 0; i < N_NUMERIC; i++) {
        struct stored s = store_noise(numeric[i], i % 2);
        assert_int_equal(check_record(*state, &s, true), i % 2 ? SM_CRC_OK : SM_CRC_UNWRITTEN);
        sm_str_clear(&s.bytes);
    }
}

static void test_any_wrong_byte_is_seen(void **state)
{
    struct live *l = *state;
    struct stored s = store_noise(SM_DTYPE_UINT8, true);
    const size_t places[] = {s.bytes.len - 1, s.bytes.len - 5, MARGIN + 1000,
                             MARGIN + SM_STREAM_BUFFER, s.bytes.len - 100};
    size_t buffered;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        s.bytes.data[places[i]] ^= 1;
        assert_int_equal(check_record(l, &s, true), SM_CRC_BAD);
        s.bytes.data[places[i]] ^= 1;
    }
    s.bytes.data[s.bytes.len - 1] ^= 1;
    struct sm_read x = read_record(l, &s, s.bytes.len, SM_WANT_STATS, SM_CHECKSUM_OFF, &buffered);
    assert_true(x.ok && x.facts.crc == SM_CRC_UNCHECKED && !x.err.code);
    x = read_record(l, &s, s.bytes.len, SM_WANT_HEAD, SM_CHECKSUM_FULL, &buffered);
    assert_true(x.ok && x.facts.crc == SM_CRC_BAD && buffered == SM_STREAM_BUFFER);
    sm_str_clear(&s.bytes);
}

static void test_a_file_that_ends_early(void **state)
{
    struct live *l = *state;
    struct stored s = store_noise(SM_DTYPE_FLOAT32, true);
    const size_t ends[] = {0,
                           MARGIN,
                           MARGIN + 11,
                           MARGIN + 500,
                           MARGIN + SM_STREAM_BUFFER,
                           s.bytes.len - 5,
                           s.bytes.len - 1};
    size_t buffered;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sm_read x = read_record(l, &s, ends[i], SM_WANT_STATS, SM_CHECKSUM_AUTO, &buffered);
        assert_false(x.ok);
        assert_int_equal(x.err.code, SM_ERR_WAIT);
    }
    sm_str_clear(&s.bytes);
}

/* A second summary, a second value or an unknown field at the end: only parsing the whole record
 * gives their meaning. */
static void test_records_with_more_fields_are_read_whole(void **state)
{
    uint64_t n = 3 * SM_STREAM_BUFFER;
    uint8_t *bytes = random_bytes((size_t)n, SM_DTYPE_UINT8);
    struct sm_event_value v[2] = {value_of(SM_DTYPE_UINT8, bytes, n),
                                  value_of(SM_DTYPE_UINT8, bytes, 3)};
    struct sm_event e = {.wall_time = 1e9, .values = v, .n_values = 2};
    struct stored s = store(&e, NULL, 0, true);
    check_record(*state, &s, false);
    sm_str_clear(&s.bytes);
    e.n_values = 1;
    s = store(&e, "\x10\x05", 2, true); /* the step, after the summary */
    check_record(*state, &s, false);
    sm_str_clear(&s.bytes);
    free(bytes);
}

/* A record shorter than the index says, and strings. */
static void test_other_records(void **state)
{
    struct live *l = *state;
    size_t buffered;
    struct stored s = store_noise(SM_DTYPE_FLOAT32, true);
    s.length--;
    struct sm_read x = read_record(l, &s, s.bytes.len, SM_WANT_STATS, SM_CHECKSUM_AUTO, &buffered);
    assert_true(!x.ok && x.err.code == SM_ERR_DATA);
    sm_str_clear(&s.bytes);

    struct sm_text *strings = calloc(60000, sizeof *strings);
    for (int i = 0; i < 60000; i++)
        strings[i] = sm_text("twelve bytes");
    struct sm_event_value v = {.tag = sm_text("s"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_STRING,
                               .n_dims = 1,
                               .dims = {60000},
                               .n_elements = 60000,
                               .strings = strings};
    struct sm_event e = {.wall_time = 1e9, .values = &v, .n_values = 1};
    s = store(&e, NULL, 0, true);
    x = read_record(l, &s, s.bytes.len, SM_WANT_STATS, SM_CHECKSUM_AUTO, &buffered);
    assert_true(x.ok && x.facts.whole && !x.facts.has_stats && x.facts.n == 60000 &&
                x.facts.crc == SM_CRC_OK);
    sm_str_clear(&s.bytes);
    free(strings);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_pieces_of_any_size),
        T(test_an_integer_beyond_doubles_in_any_piece),
        T(test_every_type_equals_its_whole),
        T(test_any_wrong_byte_is_seen),
        T(test_a_file_that_ends_early),
        T(test_records_with_more_fields_are_read_whole),
        T(test_other_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
