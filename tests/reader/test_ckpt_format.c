/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file has: by its content first; and where in which file the elements of a record
 * lie. */
#include "reader/checkpoints/ckpt_formats.h"
#include "reader/checkpoints/ckpt_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *format_of(const char *folder, const char *file, const char *name)
{
    struct sm_source *source = sm_source_dir_new(folder, NULL);
    uint8_t head[SM_CKPT_HEAD];
    size_t got = 0;
    assert_true(sm_source_read(source, file, 0, head, sizeof head, &got, NULL));
    sm_source_unref(source);
    const struct sm_ckpt_format *f = sm_ckpt_format_of(name, head, got);
    return f ? sm_tensor_files_name(f->files) : "none";
}

static void test_formats(void **state)
{
    static const struct {
        const char *folder, *file, *name, *format;
    } rows[] = {
        {"torch", "views_zip.pt", "weights", "torch"},
        {"torch", "views_zip.pt", "x.npz", "torch"},
        {"torch", "trained_old.pt", "x.tar", "torch"},
        {"torch", "plain_4.pkl", "x.pkl", "torch"},
        {"torch", "views_zip.pt.txt", "x", "none"},
        {"torch", "views_zip.pt.txt", "x.pt", "torch"}, /* damaged, as its name says */
        {"checkpoints/lora/checkpoint-10", "adapter_model.safetensors", "x.bin", "safetensors"},
        {"checkpoints_torch/dcp/step-10", ".metadata", ".metadata", "dcp"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char folder[100] = "tests/samples/";
        strcat(folder, rows[i].folder);
        assert_string_equal(format_of(folder, rows[i].file, rows[i].name), rows[i].format);
    }
}

/* The weights that are tied lie in one place, their copy in another one. */
static void test_origin(void **state)
{
    struct sm_source *files = sm_source_dir_new("tests/samples/checkpoints/tied", NULL),
                     *s = sm_ckpt_source_new(files, NULL);
    struct sm_ckpt_file f = {.path = "step_1.pt"}, *all[] = {&f};
    struct sm_ckpt_place places[6];
    struct sm_file open = {0};
    struct sm_stat st;
    struct sm_err err = {0};
    struct sm_str file = {0};
    uint64_t at[6];
    int64_t fault;
    (void)state;
    assert_true(sm_source_stat(files, f.path, &st, &err));
    f.size_bytes = st.size_bytes;
    assert_true(sm_file_open(&open, files, f.path, &err));
    assert_true(sm_ckpt_format_torch.read(&open, &f, &fault, &err));
    assert_int_equal(f.n, 6);
    const struct sm_ckpt_part part = {
        .path = "step_1.pt", .files = all, .stats = &st, .n_files = 1, .step = 1};
    assert_true(sm_ckpt_source_add(s, &part, places));
    for (int i = 0; i < 6; i++) {
        sm_str_truncate(&file, 0);
        assert_true(sm_source_origin(s, "step_1.pt", places[i].offset, &file, &at[i]));
        assert_string_equal(sm_str_text(&file), "step_1.pt");
    }
    assert_int_equal(at[0], at[1]);     /* wte, lm_head */
    assert_int_not_equal(at[2], at[0]); /* copy */
    assert_int_equal(at[5], at[0] + 8); /* from row 1 on */
    sm_str_truncate(&file, 0);
    assert_false(sm_source_origin(s, "other", 12, &file, &at[0]));
    assert_string_equal(sm_str_text(&file), "other");
    assert_int_equal(at[0], 12);
    sm_str_clear(&file);
    sm_file_close(&open);
    sm_ckpt_file_clear(&f);
    sm_source_unref(s);
    sm_source_unref(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
