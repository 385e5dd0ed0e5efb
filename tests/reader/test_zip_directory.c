/* SPDX-License-Identifier: Apache-2.0 */
/* Directories of zip files that Python wrote, and what is wrong with damaged ones. */
#include "reader/base/bytes.h"
#include "reader/pickle/zip_directory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const samples[] = {"plain.zip", "zip64.zip", "piped.zip"};

struct opened {
    struct sm_source *source;
    struct sm_file file;
    struct sm_file_span span;
    struct sm_zip zip;
    struct sm_err err;
};

static struct sm_str sample_bytes(const char *name)
{
    struct sm_source *source = sm_source_dir_new("tests/samples/zip", NULL);
    struct sm_str bytes = {0};
    assert_true(sm_source_slurp(source, name, 1 << 20, &bytes, NULL));
    sm_source_unref(source);
    return bytes;
}

static bool begin(struct opened *o, const struct sm_str *bytes)
{
    *o = (struct opened){.source = sm_source_mem_new(NULL)};
    assert_true(sm_source_mem_put(o->source, "x", sm_str_text(bytes), bytes->len));
    assert_true(sm_file_open(&o->file, o->source, "x", &o->err));
    assert_true(sm_span_of_file(&o->span, &o->file, &o->err));
    return sm_zip_open(&o->zip, o->span, &o->err);
}

static void end(struct opened *o)
{
    sm_zip_close(&o->zip);
    sm_file_close(&o->file);
    sm_source_unref(o->source);
}

static bool load(struct opened *o, const char *name, struct sm_str *out)
{
    const struct sm_zip_member *m = sm_zip_find(&o->zip, sm_text(name));
    assert_non_null(m);
    sm_str_truncate(out, 0);
    return sm_zip_load(&o->zip, m, 1 << 20, out, &o->err);
}

static void check_sample(const char *name)
{
    struct sm_str bytes = sample_bytes(name), got = {0};
    struct opened o;
    assert_true(begin(&o, &bytes));
    assert_int_equal(o.zip.n_members, 3);
    assert_true(sm_text_is(o.zip.members[2].name, "root/data.pkl"));
    assert_true(load(&o, "root/data/0", &got));
    assert_int_equal(got.len, 323);
    assert_memory_equal(got.data, "0: abcdefgh", 11);
    assert_true(load(&o, "root/data/1", &got));
    assert_int_equal(got.len, 323);
    assert_memory_equal(got.data, "1: abcdefgh", 11);
    assert_int_equal(sm_zip_find(&o.zip, SM_TEXT("root/data/1"))->method, SM_ZIP_DEFLATED);
    assert_null(sm_zip_find(&o.zip, SM_TEXT("root/data/")));
    assert_null(sm_zip_find(&o.zip, SM_TEXT("zzz")));
    end(&o);
    sm_str_clear(&bytes);
    sm_str_clear(&got);
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check_sample(samples[i]);
}

/* A zip file in another file, at any offset. */
static void test_range(void **state)
{
    (void)state;
    struct sm_str bytes = sample_bytes("zip64.zip"), around = {0}, got = {0};
    struct opened o;
    sm_str_fill(&around, 'x', 77);
    sm_str_addn(&around, bytes.data, bytes.len);
    sm_str_fill(&around, 'x', 99);
    assert_false(begin(&o, &around));
    assert_non_null(strstr(o.err.msg, "the zip directory is damaged at byte "));
    assert_true(sm_zip_open(&o.zip, (struct sm_file_span){&o.file, 77, bytes.len}, &o.err));
    assert_true(load(&o, "root/data/1", &got));
    assert_int_equal(got.len, 323);
    end(&o);
    sm_str_clear(&bytes);
    sm_str_clear(&around);
    sm_str_clear(&got);
}

/* No prefix and no changed byte of a file makes a read outside of it, or a wrong length. */
static void test_damage(void **state)
{
    (void)state;
    struct sm_str bytes = sample_bytes("piped.zip"), got = {0};
    struct opened o;
    for (size_t n = 0; n < bytes.len; n++) {
        struct sm_str cut = {.data = bytes.data, .len = n};
        assert_false(begin(&o, &cut));
        assert_true(o.err.code == SM_ERR_DATA);
        end(&o);
    }
    for (size_t i = 0; i < bytes.len; i++) {
        bytes.data[i] = (char)(bytes.data[i] ^ 0x81);
        if (begin(&o, &bytes))
            for (size_t k = 0; k < o.zip.n_members; k++) {
                sm_str_truncate(&got, 0);
                if (sm_zip_load(&o.zip, &o.zip.members[k], 1 << 20, &got, &o.err))
                    assert_true(got.len <= o.zip.members[k].size_bytes);
            }
        end(&o);
        bytes.data[i] = (char)(bytes.data[i] ^ 0x81);
    }
    sm_str_clear(&bytes);
    sm_str_clear(&got);
}

/* The size of a deflated member is not believed beyond what deflate can do. */
static void test_lying_size(void **state)
{
    (void)state;
    struct sm_str bytes = sample_bytes("plain.zip"), got = {0};
    struct opened o;
    for (size_t i = 0; i + 46 < bytes.len; i++)
        if (memcmp(bytes.data + i, "PK\1\2", 4) == 0)
            sm_put_u32((uint8_t *)bytes.data + i + 24, 0x7fffffff);
    assert_true(begin(&o, &bytes));
    const struct sm_zip_member *m = sm_zip_find(&o.zip, SM_TEXT("root/data/1"));
    assert_false(sm_zip_load(&o.zip, m, SIZE_MAX, &got, &o.err));
    assert_string_equal(o.err.msg, "root/data/1: 2147483647 bytes cannot be stored in 16");
    assert_false(sm_zip_load(&o.zip, m, 1 << 20, &got, &o.err));
    assert_int_equal(o.err.code, SM_ERR_LIMIT);
    end(&o);
    sm_str_clear(&bytes);
    sm_str_clear(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_lying_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
