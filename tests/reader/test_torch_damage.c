/* SPDX-License-Identifier: Apache-2.0 */
/* Pickles that are damaged in the middle: the tensors before that are listed under their own names,
 * and the error says where in the file it is. */
#include "reader/tensor_files/ckpt_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct damaged {
    struct sm_source *source;
    struct sm_file file;
    struct sm_ckpt_file out;
    struct sm_err err;
    int64_t at;
    bool ok;
};

static void begin_as(struct damaged *d, const struct sm_str *bytes,
                     const struct sm_ckpt_format *format)
{
    struct sm_source *source = sm_source_mem_new(NULL);
    *d = (struct damaged){.source = source, .out = {.path = "x.pt", .size_bytes = bytes->len}};
    assert_true(sm_source_mem_put(source, "x.pt", sm_str_text(bytes), bytes->len));
    assert_true(sm_file_open(&d->file, source, "x.pt", &d->err));
    d->ok = format->read(&d->file, &d->out, &d->at, &d->err);
}

static void begin(struct damaged *d, const struct sm_str *bytes)
{
    begin_as(d, bytes, &sm_ckpt_format_torch);
}

static void end(struct damaged *d)
{
    sm_ckpt_file_clear(&d->out);
    sm_file_close(&d->file);
    sm_source_unref(d->source);
}

static struct sm_str sample(const char *name)
{
    struct sm_source *source =
        sm_source_dir_new(strchr(name, '/') ? "tests/samples" : "tests/samples/torch", NULL);
    struct sm_str bytes = {0};
    assert_true(sm_source_slurp(source, name, 1 << 20, &bytes, NULL));
    sm_source_unref(source);
    return bytes;
}

/* Whether each tensor is one of the whole file, of the same name and shape. */
static void check_names(const struct damaged *d, const struct damaged *whole)
{
    for (size_t i = 0; i < d->out.n; i++) {
        const struct sm_ckpt_tensor *t = &d->out.tensors[i];
        bool known = false;
        for (size_t k = 0; k < whole->out.n && !known; k++) {
            const struct sm_ckpt_tensor *x = &whole->out.tensors[k];
            known = strcmp(t->name, x->name) == 0 && t->dtype == x->dtype && t->n == x->n;
        }
        if (!known)
            fail_msg("%s is not in the whole file", t->name);
    }
}

/* Cuts the pickle [from, to) of a file at each of its bytes, by an opcode that does not exist. */
static void check_pickle(const char *name, size_t from, size_t to)
{
    struct sm_str bytes = sample(name);
    struct damaged whole, d;
    size_t most = 0, counts = 0;
    begin(&whole, &bytes);
    assert_true(whole.ok);
    for (size_t at = from; at < to; at++) {
        struct sm_str copy = {0};
        sm_str_addn(&copy, bytes.data, bytes.len);
        memset(copy.data + at, 0xff, to - at);
        begin(&d, &copy);
        assert_false(d.ok);
        assert_int_equal(d.err.code, SM_ERR_DATA);
        assert_in_range(d.at, (int64_t)from, (int64_t)to + 8);
        check_names(&d, &whole);
        assert_true(d.out.n >= most || d.out.n + 1 == most); /* a call that is not yet complete */
        counts += d.out.n != most;
        most = d.out.n;
        end(&d);
        sm_str_clear(&copy);
    }
    assert_true(most + 1 >= whole.out.n && counts + 1 >= whole.out.n);
    end(&whole);
    sm_str_clear(&bytes);
}

/* Where the first stored member begins, and its bytes. */
static size_t first_member(const char *name, size_t *n)
{
    struct sm_str bytes = sample(name);
    const uint8_t *p = (const uint8_t *)bytes.data, *end = NULL;
    size_t at = 30u + (p[26] | p[27] << 8) + (p[28] | p[29] << 8);
    for (size_t i = at; !end && i + 4 < bytes.len; i++)
        end = memcmp(p + i, "PK\7\10", 4) == 0 ? p + i : NULL;
    assert_non_null(end);
    *n = (size_t)(end - p) - at;
    sm_str_clear(&bytes);
    return at;
}

static void test_zip(void **state)
{
    static const char *const names[] = {"views_zip.pt", "retyped_zip.pt", "tensor_zip.pt"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n, at = first_member(names[i], &n);
        check_pickle(names[i], at, at + n);
    }
}

static void test_plain(void **state)
{
    static const char *const names[] = {"plain_2.pkl", "plain_4.pkl", "numpy_4.pkl"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sm_str bytes = sample(names[i]);
        check_pickle(names[i], 2, bytes.len);
        sm_str_clear(&bytes);
    }
}

/* A letter of a name is another one: the pickle can be read, but its checksum is wrong. */
static void test_checksum(void **state)
{
    struct sm_str bytes = sample("views_zip.pt");
    struct damaged d;
    size_t n, at = first_member("views_zip.pt", &n);
    char *name = memmem(bytes.data + at, n, "strided", 7);
    (void)state;
    assert_non_null(name);
    begin(&d, &bytes);
    assert_true(d.ok && d.out.problems.n == 0);
    end(&d);
    *name = 'S';
    begin(&d, &bytes);
    assert_true(d.ok && d.out.n > 4);
    assert_int_equal(d.out.problems.n, 1);
    assert_int_equal(d.out.problems.items[0].offset, at);
    assert_non_null(strstr(d.out.problems.items[0].message, "its checksum is "));
    end(&d);
    sm_str_clear(&bytes);
}

/* A file that is cut at each of its bytes: tensors whose elements are whole are listed, the others
 * are shapes once the pickle is whole, and the error says where the file ends. */
static void check_cut(const char *name, const struct sm_ckpt_format *format, bool shapes)
{
    struct sm_str bytes = sample(name);
    struct damaged whole, d;
    size_t most = 0, all;
    begin_as(&whole, &bytes, format);
    assert_true(whole.ok);
    all = whole.out.n;
    for (size_t n = 40; n < bytes.len; n++) {
        struct sm_str copy = {0};
        sm_str_addn(&copy, bytes.data, n);
        begin_as(&d, &copy, format);
        assert_false(d.ok);
        assert_int_equal(d.err.code, SM_ERR_DATA);
        check_names(&d, &whole);
        assert_true(d.out.n >= most && d.out.n <= all);
        if (d.out.n) {
            assert_int_equal(d.at, n);
            assert_true(!shapes || d.out.n + d.out.n_shapes == all);
        }
        for (size_t i = 0; i < d.out.n_storages; i++)
            assert_true(d.out.storages[i].offset + d.out.storages[i].stored_bytes <= n);
        most = d.out.n;
        end(&d);
        sm_str_clear(&copy);
    }
    assert_int_equal(most, all); /* without its directory all are whole */
    end(&whole);
    sm_str_clear(&bytes);
}

static void test_cut(void **state)
{
    (void)state;
    check_cut("views_zip.pt", &sm_ckpt_format_torch, true);
    check_cut("retyped_zip.pt", &sm_ckpt_format_torch, true);
    check_cut("tensor_zip.pt", &sm_ckpt_format_torch, true);
    check_cut("layouts_deflated.pt", &sm_ckpt_format_torch, false);
    check_cut("checkpoints/arrays/step_2.npz", &sm_ckpt_format_npz, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zip),
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
