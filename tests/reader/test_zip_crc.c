/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum that a zip file has of an array is compared when the array is read whole, at once or
 * in pieces. */
#include "reader/base/bytes.h"
#include "reader/base/crc32.h"
#include "reader/checkpoints/ckpt_source.h"
#include "reader/fetch/fetch_read.h"
#include "reader/tensor_files/ckpt_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { HEADER = 128 };

static void put_u16(struct sm_str *out, unsigned v)
{
    char bytes[2] = {(char)v, (char)(v >> 8)};
    sm_str_addn(out, bytes, sizeof bytes);
}

static void put_u32(struct sm_str *out, uint32_t v)
{
    put_u16(out, v & 0xffff);
    put_u16(out, v >> 16);
}

/* The bytes of an .npy of n float32 in a row. */
static void write_array(struct sm_str *out, size_t n)
{
    char header[HEADER];
    memset(header, ' ', sizeof header);
    static const char magic[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, HEADER - 10, 0};
    memcpy(header, magic, sizeof magic);
    int k = snprintf(header + 10, sizeof header - 10,
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu,), }", n);
    header[10 + k] = ' ';
    header[HEADER - 1] = '\n';
    sm_str_addn(out, header, sizeof header);
    for (size_t i = 0; i < n; i++) {
        float v = (float)(i % 1000);
        sm_str_addn(out, (const char *)&v, sizeof v);
    }
}

/* A zip file of one stored member with its checksum, whose bytes begin at *data. */
static void write_zip(struct sm_str *out, const struct sm_str *member, uint32_t crc, size_t *data)
{
    static const char name[] = "a.npy";
    put_u32(out, 0x04034b50);
    for (int i = 0; i < 5; i++)
        put_u16(out, 0);
    put_u32(out, crc);
    put_u32(out, (uint32_t)member->len);
    put_u32(out, (uint32_t)member->len);
    put_u16(out, 5);
    put_u16(out, 0);
    sm_str_add(out, name);
    *data = out->len;
    sm_str_addn(out, member->data, member->len);
    size_t directory = out->len;
    put_u32(out, 0x02014b50);
    for (int i = 0; i < 6; i++)
        put_u16(out, 0);
    put_u32(out, crc);
    put_u32(out, (uint32_t)member->len);
    put_u32(out, (uint32_t)member->len);
    put_u16(out, 5);
    for (int i = 0; i < 8; i++)
        put_u16(out, 0);
    sm_str_add(out, name);
    size_t end = out->len;
    put_u32(out, 0x06054b50);
    put_u32(out, 0);
    put_u16(out, 1);
    put_u16(out, 1);
    put_u32(out, (uint32_t)(end - directory));
    put_u32(out, (uint32_t)directory);
    put_u16(out, 0);
}

/* What reading the array says of its checksum. flip: the byte of the member that is another one
 * than was written; SIZE_MAX: none. */
static enum sm_crc crc_of(size_t n, size_t flip, bool has_crc, enum sm_checksum check,
                          unsigned want)
{
    struct sm_str member = {0}, zip = {0};
    struct sm_err err = {0};
    struct sm_file file = {0};
    struct sm_scratch scratch = {0};
    struct sm_ckpt_place place;
    int64_t at;
    size_t data;
    write_array(&member, n);
    write_zip(&zip, &member, has_crc ? sm_crc32(member.data, member.len) : 0, &data);
    if (flip != SIZE_MAX)
        zip.data[data + flip] ^= 1;
    struct sm_source *files = sm_source_mem_new(&err), *s = sm_ckpt_source_new(files, &err);
    assert_true(sm_source_mem_put(files, "x.npz", zip.data, zip.len));
    struct sm_ckpt_file f = {.path = "x.npz", .size_bytes = zip.len}, *all[] = {&f};
    struct sm_stat st = {.size_bytes = zip.len};
    assert_true(sm_file_open(&file, files, "x.npz", &err));
    assert_true(sm_ckpt_format_npz.read(&file, &f, &at, &err));
    sm_file_close(&file);
    const struct sm_ckpt_part part = {.path = "x.npz", .files = all, .stats = &st, .n_files = 1};
    assert_true(sm_ckpt_source_add(s, &part, &place));
    assert_true(sm_file_open(&file, s, "x.npz", &err));
    struct sm_read x = {
        .path = "x.npz", .offset = place.offset, .length = place.length, .want = (uint8_t)want};
    sm_read_record(&file, check, &x, &scratch);
    if (!x.ok)
        fail_msg("%s", x.err.msg);
    assert_int_equal(x.facts.n, n);
    assert_true((x.err.code == SM_ERR_DATA) == (x.facts.crc == SM_CRC_BAD));
    sm_file_close(&file);
    sm_tensor_unref(x.tensor);
    sm_ckpt_file_clear(&f);
    sm_source_unref(s);
    sm_source_unref(files);
    sm_free(scratch.bytes);
    sm_str_clear(&member);
    sm_str_clear(&zip);
    return x.facts.crc;
}

static void test_checksums(void **state)
{
    static const size_t sizes[] = {10, 300000};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        size_t n = sizes[i];
        for (unsigned want = SM_WANT_STATS; want <= SM_WANT_TENSOR; want *= 2) {
            assert_int_equal(crc_of(n, SIZE_MAX, true, SM_CHECKSUM_AUTO, want), SM_CRC_OK);
            assert_int_equal(crc_of(n, HEADER, true, SM_CHECKSUM_AUTO, want), SM_CRC_BAD);
            assert_int_equal(crc_of(n, HEADER + 4 * n - 1, true, SM_CHECKSUM_AUTO, want),
                             SM_CRC_BAD);
            assert_int_equal(crc_of(n, HEADER - 2, false, SM_CHECKSUM_AUTO, want),
                             SM_CRC_UNWRITTEN);
            assert_int_equal(crc_of(n, HEADER, true, SM_CHECKSUM_OFF, want), SM_CRC_UNWRITTEN);
        }
        assert_int_equal(crc_of(n, SIZE_MAX, true, SM_CHECKSUM_AUTO, SM_WANT_HEAD),
                         n == 10 ? SM_CRC_OK : SM_CRC_UNCHECKED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_checksums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
