/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/tell_apart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 4 };

static void assert_short(const char *const *names, int w, enum sm_symbols set,
                         const char *const *want)
{
    struct sm_arena arena = {0};
    const char *out[MOST];
    size_t n = 0;
    while (n < MOST && names[n])
        n++;
    sm_tell_apart(names, n, w, sm_glyphs(set), &arena, out);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(out[i], want[i]);
    sm_arena_clear(&arena);
}

static void test_names_that_fit_stay(void **state)
{
    (void)state;
    const char *const names[MOST] = {"run-1", "run-2"};
    assert_short(names, 5, SM_SYMBOLS_BRAILLE, names);
}

static void test_common_words_go_wherever_they_are(void **state)
{
    (void)state;
    const char *const names[MOST] = {"adam-lr0.0001-s0", "sgd-lr0.001-s0", "sgd-lr0.01-s1"},
                      *const want[MOST] = {"adam…0001…0", "sgd…001…0", "sgd…01…1"},
                      *const ascii[MOST] = {"adam~0001~0", "sgd~001~0", "sgd~01~1"};
    assert_short(names, 12, SM_SYMBOLS_BRAILLE, want);
    assert_short(names, 12, SM_SYMBOLS_ASCII, ascii);
}

static void test_names_of_other_shapes_lose_both_ends(void **state)
{
    (void)state;
    const char *const names[MOST] = {"sweep/wide-relu/seed1", "sweep/deep/seed1"},
                      *const want[MOST] = {"…wide-relu…", "…deep…"};
    assert_short(names, 14, SM_SYMBOLS_BRAILLE, want);
}

static void test_what_is_still_too_long_is_cut(void **state)
{
    (void)state;
    const char *const names[MOST] = {"run-abcdefghijkl", "run-mnopqrstuvwx"},
                      *const want[MOST] = {"…abcd…", "…mnop…"}, *const least[MOST] = {"…a…", "…m…"};
    assert_short(names, 6, SM_SYMBOLS_BRAILLE, want);
    assert_short(names, 3, SM_SYMBOLS_BRAILLE, least);
    const char *const ends[MOST] = {"abcdefghijkl", "abcdefghijmn"}, *const middles[MOST] = {
                                                                         "ab…jkl", "ab…jmn"};
    assert_short(ends, 6, SM_SYMBOLS_BRAILLE, middles);
}

static void test_equal_names_and_one_name_stay_names(void **state)
{
    (void)state;
    const char *const equal[MOST] = {"abcdefgh", "abcdefgh"}, *const want[MOST] = {"abcde…",
                                                                                   "abcde…"};
    assert_short(equal, 6, SM_SYMBOLS_BRAILLE, want);
    const char *const one[MOST] = {"abcdefgh"}, *const middle[MOST] = {"ab…fgh"};
    assert_short(one, 6, SM_SYMBOLS_BRAILLE, middle);
    const char *const empty[MOST] = {"", "abcdefgh"}, *const rest[MOST] = {"", "abcde…"};
    assert_short(empty, 6, SM_SYMBOLS_BRAILLE, rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_that_fit_stay),
        cmocka_unit_test(test_common_words_go_wherever_they_are),
        cmocka_unit_test(test_names_of_other_shapes_lose_both_ends),
        cmocka_unit_test(test_what_is_still_too_long_is_cut),
        cmocka_unit_test(test_equal_names_and_one_name_stay_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
