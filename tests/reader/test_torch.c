/* SPDX-License-Identifier: Apache-2.0 */
/* Files of torch: what they hold, as torch.load found it, and files that are damaged or hostile. */
#include "reader/tensor_files/ckpt_format.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct reading {
    struct sm_source *source;
    struct sm_file file;
    struct sm_ckpt_file out;
    struct sm_err err;
    bool ok;
};

static void begin(struct reading *r, struct sm_source *source, const char *name)
{
    struct sm_stat st;
    int64_t at;
    *r = (struct reading){.source = source, .out = {.path = name}};
    assert_true(sm_file_open(&r->file, source, name, &r->err));
    assert_true(sm_source_stat(source, name, &st, &r->err));
    r->out.size_bytes = st.size_bytes;
    r->ok = sm_ckpt_format_torch.read(&r->file, &r->out, &at, &r->err);
}

static void begin_bytes(struct reading *r, const struct sm_str *bytes)
{
    struct sm_source *source = sm_source_mem_new(NULL);
    assert_true(sm_source_mem_put(source, "x.pt", sm_str_text(bytes), bytes->len));
    begin(r, source, "x.pt");
}

static void end(struct reading *r)
{
    sm_ckpt_file_clear(&r->out);
    sm_file_close(&r->file);
    sm_source_unref(r->source);
}

static struct sm_str sample_bytes(const char *name)
{
    struct sm_source *source = sm_source_dir_new("tests/samples/torch", NULL);
    struct sm_str bytes = {0};
    assert_true(sm_source_slurp(source, name, 1 << 20, &bytes, NULL));
    sm_source_unref(source);
    return bytes;
}

static const char *leaf(const struct reading *r, const char *path)
{
    const char *json = sm_run_fields_get(&r->out.leaves, path);
    return json ? json : "";
}

static const char *problem(const struct reading *r)
{
    return r->out.problems.n ? r->out.problems.items[0].message : "";
}

/* ---- what torch.load finds ---- */

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A line for each tensor, as tests/samples/write_torch.py writes them, in the order of names. */
static struct sm_str lines_of(const struct sm_ckpt_file *f)
{
    char **lines = calloc(f->n + 1, sizeof *lines);
    struct sm_str all = {0};
    assert_non_null(lines);
    for (size_t i = 0; i < f->n; i++) {
        const struct sm_ckpt_tensor *t = &f->tensors[i];
        struct sm_str line = {0};
        sm_str_printf(&line, "%s %s [", t->name, sm_dtype_info((enum sm_dtype)t->dtype)->name);
        for (unsigned k = 0; k < t->n_dims; k++)
            sm_str_printf(&line, "%s%" PRIu64, k ? ", " : "", t->dims[k]);
        sm_str_add(&line, "]\n");
        lines[i] = line.data;
    }
    qsort(lines, f->n, sizeof *lines, by_line);
    for (size_t i = 0; i < f->n; i++) {
        sm_str_add(&all, lines[i]);
        sm_free(lines[i]);
    }
    free(lines);
    return all;
}

static void check_sample(const char *name)
{
    struct sm_str list = {0}, got;
    struct reading r;
    sm_str_printf(&list, "%s.txt", name);
    struct sm_str want = sample_bytes(list.data);
    begin(&r, sm_source_dir_new("tests/samples/torch", NULL), name);
    assert_string_equal(r.ok ? problem(&r) : r.err.msg, "");
    got = lines_of(&r.out);
    assert_string_equal(sm_str_text(&got), sm_str_text(&want));
    end(&r);
    sm_str_clear(&got);
    sm_str_clear(&want);
    sm_str_clear(&list);
}

static void test_samples(void **state)
{
    static const char *const names[] = {
        "views_zip.pt",   "retyped_zip.pt",      "layouts_deflated.pt", "trained_old.pt",
        "numpy_4.pkl",    "objects_deflated.pt", "bare_module_p5.pt",   "jit.pt",
        "dtensor_zip.pt", "sparse_zip.pt",       "numpy_deflated.pt",   "tensor_zip.pt",
        "plain_2.pkl",    "plain_4.pkl",
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_sample(names[i]);
}

static void test_leaves(void **state)
{
    static const char *const rows[][2] = {
        {"settings.lr", "0.1"},
        {"color", "\"red\""},
        {"holder.name", "\"x\""},
        {"slots.second", "5"},
        {"counter.a", "2"},
        {"set", "[1, 2]"},
        {"size", "[2, 3]"},
        {"dtype", "\"torch.bfloat16\""},
        {"device", "\"cuda:1\""},
        {"path", "\"/a/b\""},
        {"big", "1606938044258990275541962092341162602522202993782792835301376"},
        {"complex", "[1, 2]"},
        {"long", "\"<70000 bytes of text>\""},
        {"many", "\"<20000 items>\""},
        {"fn", "\"torch._C._VariableFunctionsClass.relu\""},
        {"bytes", "\"<3 bytes>\""},
        {"holder.me.name", ""},
    };
    struct reading r;
    (void)state;
    begin(&r, sm_source_dir_new("tests/samples/torch", NULL), "objects_deflated.pt");
    assert_true(r.ok);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(leaf(&r, rows[i][0]), rows[i][1]);
    end(&r);
}

static void test_dates(void **state)
{
    static const char *const rows[][2] = {
        {"at", "\"2026-01-02T03:04:05.000678\""},
        {"zone", "\"2026-01-02T00:00:00-03:30\""},
        {"day", "\"2026-12-31\""},
        {"time", "\"23:59:00\""},
        {"took", "\"2 days, 0:01:30.000005\""},
        {"short", "\"0:01:30\""},
        {"text", "\"h\u00e9\""},
        {"type", "\"f4\""},
        {"path", "\"/a/b\""},
        {"half", "0.5"},
        {"day64.1", "\"<8 bytes>\""},
    };
    static const char *const files[] = {"dates_2.pkl", "dates_4.pkl"};
    struct reading r;
    (void)state;
    for (int f = 0; f < 2; f++) {
        begin(&r, sm_source_dir_new("tests/samples/torch", NULL), files[f]);
        assert_true(r.ok);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            assert_string_equal(leaf(&r, rows[i][0]), rows[i][1]);
        end(&r);
    }
}

static void test_quantizer(void **state)
{
    struct reading r;
    (void)state;
    begin(&r, sm_source_dir_new("tests/samples/torch", NULL), "layouts_deflated.pt");
    assert_true(r.ok);
    assert_string_equal(leaf(&r, "q.zero_point"), "3");
    assert_string_equal(leaf(&r, "qu.scale"), "0.1");
    end(&r);
}

/* Views of one storage say so, with their places in it. */
static void test_places(void **state)
{
    struct reading r;
    size_t seen = 0;
    (void)state;
    begin(&r, sm_source_dir_new("tests/samples/torch", NULL), "views_zip.pt");
    for (size_t i = 0; i < r.out.n; i++) {
        const struct sm_ckpt_tensor *t = &r.out.tensors[i];
        assert_int_equal(t->n_pieces, 1);
        if (strcmp(t->name, "t") == 0) {
            assert_int_equal(t->pieces->strides[0], 1);
            assert_int_equal(t->pieces->strides[1], 10);
            seen |= 1;
        }
        if (strcmp(t->name, "strided") == 0) {
            assert_int_equal(t->pieces->first, 4);
            assert_int_equal(t->pieces->storage, 0);
            seen |= 2;
        }
        if (strcmp(t->name, "conj") == 0 && t->change == SM_CKPT_CONJUGATED)
            seen |= 4;
        if (strcmp(t->name, "param") == 0 && t->parameter)
            seen |= 8;
    }
    assert_int_equal(seen, 15);
    end(&r);
}

/* ---- what is hostile ---- */

/* An array of numpy with one float32, left on the stack and in the memo as number 200. */
static const char one_array[] = "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85"
                                "C\1b\x87R(K\1K\1\x85"
                                "cnumpy\ndtype\nU\2f4\x89\x88\x87R\x89"
                                "C\4\0\0\x80\x3ftbr\xc8\0\0\0";

static void add_bytes(struct sm_str *s, const char *p, size_t n)
{
    sm_str_addn(s, p, n);
}
#define ADD(s, literal) add_bytes(s, literal, sizeof(literal) - 1)

static void test_nothing_is_executed(void **state)
{
    struct sm_str bytes = {0};
    struct reading r;
    (void)state;
    ADD(&bytes, "\x80\2}");
    ADD(&bytes, "(U\1a");
    add_bytes(&bytes, one_array, sizeof one_array - 1);
    ADD(&bytes,
        "U\1bcos\nsystem\nU\5touch\x85RU\1ccm\nC\n)\x81}U\1dcposix\nsystem\nj\xc8\0\0\0\x85Rsbu.");
    begin_bytes(&r, &bytes);
    assert_string_equal(r.err.msg, "");
    assert_int_equal(r.out.n, 2);
    assert_string_equal(r.out.tensors[0].name, "a");
    assert_string_equal(r.out.tensors[1].name, "c.d");
    assert_string_equal(leaf(&r, "b"), "\"touch\"");
    end(&r);
    sm_str_clear(&bytes);
}

/* Dicts of two keys with one value, nested 59 times: 2^59 names of one array. */
static void test_names_are_bounded(void **state)
{
    struct sm_str bytes = {0};
    struct reading r;
    (void)state;
    ADD(&bytes, "\x80\2");
    add_bytes(&bytes, one_array, sizeof one_array - 1);
    for (unsigned char i = 0; i < 59; i++) {
        sm_str_printf(&bytes, "q%c0}(U\1a", i + 1);
        sm_str_printf(&bytes, "h%cU\1bh%cu", i + 1, i + 1);
    }
    ADD(&bytes, ".");
    begin_bytes(&r, &bytes);
    assert_string_equal(r.err.msg, "");
    assert_int_equal(r.out.n, 2000);
    assert_int_equal(r.out.n_storages, 1);
    assert_non_null(strstr(problem(&r), "a value that stands in more than 1000 places"));
    end(&r);
    sm_str_clear(&bytes);
}

static void test_depth_is_bounded(void **state)
{
    struct sm_str bytes = {0};
    struct reading r;
    (void)state;
    ADD(&bytes, "\x80\2");
    add_bytes(&bytes, one_array, sizeof one_array - 1);
    sm_str_fill(&bytes, ']', 100000);
    sm_str_fill(&bytes, 'a', 99999);
    ADD(&bytes, "\x86.");
    begin_bytes(&r, &bytes);
    assert_true(r.ok);
    assert_int_equal(r.out.n, 1);
    assert_non_null(strstr(problem(&r), "values in more than 1000 levels"));
    end(&r);
    sm_str_clear(&bytes);
}

/* Lists of ten lists, nested 20 times by the memo: 10^20 numbers. */
static void test_leaves_are_bounded(void **state)
{
    struct sm_str bytes = {0};
    struct reading r;
    size_t total = 0;
    (void)state;
    ADD(&bytes, "\x80\2}(");
    for (unsigned char i = 0; i < 20; i++) {
        sm_str_printf(&bytes, "U\1%c](", 'a' + i);
        for (int k = 0; k < 10; k++)
            if (i)
                sm_str_printf(&bytes, "h%c", i);
            else
                ADD(&bytes, "K\7");
        sm_str_printf(&bytes, "eq%c", i + 1);
    }
    ADD(&bytes, "u.");
    begin_bytes(&r, &bytes);
    assert_string_equal(r.err.msg, "");
    for (size_t i = 0; i < r.out.leaves.n; i++)
        total += strlen(r.out.leaves.items[i].key) + strlen(r.out.leaves.items[i].json);
    assert_true(r.out.leaves.n > 20);
    assert_true(total < 9 << 20);
    end(&r);
    sm_str_clear(&bytes);
}

static void test_a_value_that_holds_itself(void **state)
{
    struct sm_str bytes = {0};
    struct reading r;
    (void)state;
    ADD(&bytes, "\x80\2}q\1(U\1ah\1U\1b");
    add_bytes(&bytes, one_array, sizeof one_array - 1);
    ADD(&bytes, "U\1c]q\2h\2au.");
    begin_bytes(&r, &bytes);
    assert_true(r.ok);
    assert_int_equal(r.out.n, 1);
    assert_int_equal(r.out.problems.n, 0);
    end(&r);
    sm_str_clear(&bytes);
}

/* ---- what is damaged ---- */

/* No cut and no changed byte ends the program, or makes a tensor of bytes that are not there. */
static void check_places(const struct reading *r)
{
    for (size_t i = 0; i < r->out.n_storages; i++) {
        const struct sm_ckpt_storage *s = &r->out.storages[i];
        assert_true(s->bytes || s->offset + s->stored_bytes <= r->out.size_bytes);
    }
}

static void check_damage(const char *name, bool cut_is_error)
{
    struct sm_str bytes = sample_bytes(name);
    struct reading r;
    for (size_t n = 0; n < bytes.len; n++) {
        struct sm_str cut = {.data = bytes.data, .len = n};
        begin_bytes(&r, &cut);
        assert_true(!r.ok || r.out.problems.n || !cut_is_error);
        check_places(&r);
        end(&r);
    }
    for (size_t i = 0; i < bytes.len; i++) {
        bytes.data[i] = (char)(bytes.data[i] ^ 0x55);
        begin_bytes(&r, &bytes);
        check_places(&r);
        end(&r);
        bytes.data[i] = (char)(bytes.data[i] ^ 0x55);
    }
    sm_str_clear(&bytes);
}

static void test_damage(void **state)
{
    (void)state;
    check_damage("retyped_zip.pt", true);
    check_damage("trained_old.pt", true);
    check_damage("layouts_deflated.pt", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_quantizer),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_nothing_is_executed),
        cmocka_unit_test(test_names_are_bounded),
        cmocka_unit_test(test_depth_is_bounded),
        cmocka_unit_test(test_leaves_are_bounded),
        cmocka_unit_test(test_a_value_that_holds_itself),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
