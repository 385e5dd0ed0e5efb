/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
static void assert_elided(const char *text, int w, enum sm_symbols set, const char *want)
{
    struct sm_str s = {0};
    sm_elide_middle(&s, text, w, sm_glyphs(set));
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}

static void test_names_lose_their_middle(void **state)
{
    (void)state;
    assert_elided("conv0_weight", 12, SM_SYMBOLS_BLOCK, "conv0_weight");
    assert_elided("conv0_weight", 11, SM_SYMBOLS_BLOCK, "conv0…eight");
    assert_elided("conv0_weight", 10, SM_SYMBOLS_BLOCK, "conv0…ight");
    assert_elided("conv0_weight", 10, SM_SYMBOLS_ASCII, "conv...ght");
    assert_elided("conv0_weight", 4, SM_SYMBOLS_ASCII, "co~t");
    assert_elided("conv0_weight", 1, SM_SYMBOLS_BLOCK, "…");
    assert_elided("conv0_weight", 0, SM_SYMBOLS_BLOCK, "");
    assert_elided("conv0_weight", -1, SM_SYMBOLS_BLOCK, "");
    assert_elided("", 0, SM_SYMBOLS_BLOCK, "");
}

static void test_wide_and_combining_runes_are_not_cut(void **state)
{
    (void)state;
    assert_elided("\u6f22\u6f22\u6f22\u6f22", 5, SM_SYMBOLS_BLOCK, "\u6f22…\u6f22");
    assert_elided("\u6f22\u6f22\u6f22\u6f22", 4, SM_SYMBOLS_BLOCK, "\u6f22…");
    assert_elided("abcde\u0301fe\u0301", 4, SM_SYMBOLS_BLOCK, "ab…e\u0301");
    assert_elided("e\u0301bcdef", 3, SM_SYMBOLS_BLOCK, "e\u0301…f");
}

static void assert_name(const char *name, int w, enum sm_symbols set, const char *want)
{
    struct sm_str s = {0};
    sm_elide_name(&s, name, w, sm_glyphs(set));
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}

static void test_names_keep_their_numbers(void **state)
{
    static const char q[] = "model.layers.10.self_attn.k_proj.weight",
                      norm[] = "model.layers.1.post_attention_layernorm.weight",
                      moment[] = "optimizer.state.h.3.attn.c_attn.weight.exp_avg";
    (void)state;
    assert_name(q, 39, SM_SYMBOLS_BLOCK, q);
    assert_name(q, 30, SM_SYMBOLS_BLOCK, "…10.self_attn.k_proj.weight");
    assert_name(q, 20, SM_SYMBOLS_BLOCK, "…10…k_proj.weight");
    assert_name(q, 20, SM_SYMBOLS_ASCII, "...10...weight");
    assert_name(q, 15, SM_SYMBOLS_BLOCK, "…10…k_…j.weight");
    assert_name(q, 12, SM_SYMBOLS_BLOCK, "…10…weight");
    assert_name(q, 8, SM_SYMBOLS_BLOCK, "mod…ight");
    assert_name(norm, 21, SM_SYMBOLS_BLOCK, "…1.post_at…orm.weight");
    assert_name(moment, 20, SM_SYMBOLS_BLOCK, "…3…c_attn…exp_avg");
    assert_name(moment, 30, SM_SYMBOLS_BLOCK, "…3.attn.c_attn.weight.exp_avg");
    assert_name("a/very/long/1/name", 12, SM_SYMBOLS_BLOCK, "a/ve…/1/name");
    assert_name("h.0.q_proj.weight.end_of_it_all", 26, SM_SYMBOLS_BLOCK,
                "h.0.q_pro…ht.end_of_it_all");
    assert_name("gradient/block2/fc0_bias", 14, SM_SYMBOLS_BLOCK, "gradi…fc0_bias");
}

static const struct sm_table_column columns[] = {
    {.header = "NAME"}, {.header = "STEPS", .right = true}, {.header = "TREND"}};
static const char *const cells[] = {
    "conv0_weight", "421", "▂▃▃▄", "gradient/block2/fc0_bias", "14,210", NULL, "\u6f22", "7", "▁",
};

static void assert_table(size_t rows, int max_w, const char *want)
{
    struct sm_str s = {0};
    sm_table_print(&s, columns, 3, cells, rows, max_w, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}

/* Shortened beside the others, which end with NULL. */
static void assert_apart(const char *const *names, int w, enum sm_symbols set,
                         const char *const *want)
{
    size_t n = 0;
    while (names[n])
        n++;
    for (size_t i = 0; i < n; i++) {
        struct sm_str s = {0};
        sm_elide_apart(&s, names[i], names, n, w, sm_glyphs(set));
        assert_string_equal(sm_str_text(&s), want[i]);
        sm_str_clear(&s);
    }
}

static void test_names_of_a_list_keep_what_differs(void **state)
{
    const char *const lora[] = {"…0.self_attn.q_proj.lora_A.weight",
                                "…0.self_attn.v_proj.lora_A.weight",
                                "…1.self_attn.v_proj.lora_A.weight", NULL},
                      *const want[] = {"…0…q_proj.lora_A.weight", "…0…v_proj.lora_A.weight",
                                       "…1.self_a…oj.lora_A.weight"};
    const char *const plain[] = {"a_long_name_1_and_more_of_it", "a_long_name_2_and_more_of_it",
                                 NULL},
                      *const ends[] = {"a_long_name_1…", "a_long_name_2…"};
    (void)state;
    assert_apart(lora, 26, SM_SYMBOLS_BLOCK, want);
    assert_apart(plain, 14, SM_SYMBOLS_BLOCK, ends);
}

static void test_columns_line_up(void **state)
{
    (void)state;
    assert_table(3, 0,
                 "NAME                       STEPS  TREND\n"
                 "conv0_weight                 421  ▂▃▃▄\n"
                 "gradient/block2/fc0_bias  14,210  -\n"
                 "\u6f22                             7  ▁\n");
    assert_table(0, 0, "NAME  STEPS  TREND\n");
}

static void test_lines_fit(void **state)
{
    (void)state;
    assert_table(3, 28,
                 "NAME            STEPS  TREND\n"
                 "conv0_weight      421  ▂▃▃▄\n"
                 "grad…fc0_bias  14,210  -\n"
                 "\u6f22                  7  ▁\n");
    static const char *const numbers[] = {"a_name", "1,234,567,890", "x"};
    struct sm_str s = {0};
    sm_table_print(&s, columns, 3, numbers, 1, 5, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_string_equal(sm_str_text(&s), "NAME            STEPS  TREND\n" /* numbers are never cut
                                                                           */
                                         "a_name  1,234,567,890  x\n");
    sm_str_clear(&s);
}

static void test_a_spare_column_goes_before_names_are_cut_short(void **state)
{
    (void)state;
    static const struct sm_table_column heads[] = {
        {.header = "NAME"}, {.header = "SHAPE"}, {.header = "TREND", .spare = true}};
    static const char *const texts[] = {"gradient/CNN_conv0.weight", "(16, 4, 12, 12)", "12345678"};
    static const struct {
        int w;
        const char *want;
    } rows[] = {
        {52, "NAME                       SHAPE            TREND\ngradient/CNN_conv0.weight  (16, "
             "4, 12, 12)  12345678\n"},
        {47, "NAME                       SHAPE       TREND\ngradient/CNN_conv0.weight  (16…2, 12)  "
             "12345678\n"},
        {44, "NAME                       SHAPE\ngradient/CNN_conv0.weight  (16…2, 12)\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_str s = {0};
        sm_table_print(&s, heads, 3, texts, 1, rows[i].w, sm_glyphs(SM_SYMBOLS_BLOCK));
        assert_string_equal(sm_str_text(&s), rows[i].want);
        sm_str_clear(&s);
    }
}

/* A line that is too long in any case has its names whole: it is scrolled. */
static void test_names_stay_whole_where_nothing_helps(void **state)
{
    (void)state;
    static const char *const texts[] = {"conv0_weight", "1,234,567,890", "up"};
    static const struct {
        int w;
        const char *want;
    } rows[] = {
        {28, "NAME            STEPS  TREND\nco…ght  1,234,567,890  up\n"},
        {20, "NAME                  STEPS  TREND\nconv0_weight  1,234,567,890  up\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_str s = {0};
        sm_table_print(&s, columns, 3, texts, 1, rows[i].w, sm_glyphs(SM_SYMBOLS_BLOCK));
        assert_string_equal(sm_str_text(&s), rows[i].want);
        sm_str_clear(&s);
    }
}

static void test_sentences_go_on_below(void **state)
{
    (void)state;
    static const struct sm_table_column heads[] = {{.header = "PART"},
                                                   {.header = "CAUSE", .wraps = true}};
    static const char *const texts[] = {"job", "the process was killed", "index", "-"};
    struct sm_str s = {0};
    sm_table_print(&s, heads, 2, texts, 2, 20, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_string_equal(sm_str_text(&s), "PART   CAUSE\n"
                                         "job    the process\n"
                                         "       was killed\n"
                                         "index  -\n");
    sm_str_clear(&s);
}

static void test_columns_without_room_go_below(void **state)
{
    static const struct sm_table_column all[] = {{.header = "RULE"},
                                                 {.header = "FIRED", .right = true},
                                                 {.header = "TENSOR", .below = true},
                                                 {.header = "WHAT", .below = true}};
    static const char *const rows[] = {"AllZero", "1", "fc0_bias", "all values are zero",
                                       "Overfit", "0", NULL,       "-"};
    struct sm_str s = {0};
    (void)state;
    sm_table_print(&s, all, 4, rows, 2, 26, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_string_equal(sm_str_text(&s), "RULE     FIRED\n"
                                         "AllZero      1\n"
                                         "    fc0_bias  all values\n"
                                         "    are zero\n"
                                         "Overfit      0\n");
    sm_str_truncate(&s, 0);
    sm_table_print(&s, all, 4, rows, 2, 60, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_string_equal(sm_str_text(&s), "RULE     FIRED  TENSOR    WHAT\n"
                                         "AllZero      1  fc0_bias  all values are zero\n"
                                         "Overfit      0  -         -\n");
    sm_str_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_lose_their_middle),
        cmocka_unit_test(test_names_keep_their_numbers),
        cmocka_unit_test(test_wide_and_combining_runes_are_not_cut),
        cmocka_unit_test(test_names_of_a_list_keep_what_differs),
        cmocka_unit_test(test_columns_line_up),
        cmocka_unit_test(test_lines_fit),
        cmocka_unit_test(test_names_stay_whole_where_nothing_helps),
        cmocka_unit_test(test_sentences_go_on_below),
        cmocka_unit_test(test_columns_without_room_go_below),
        cmocka_unit_test(test_a_spare_column_goes_before_names_are_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
