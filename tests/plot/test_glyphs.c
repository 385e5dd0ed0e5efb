/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/glyphs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static void test_sets_have_every_glyph(void **state)
{
    (void)state;
    for (int set = SM_SYMBOLS_BRAILLE; set <= SM_SYMBOLS_ASCII; set++) {
        const struct sm_glyphs *g = sm_glyphs((enum sm_symbols)set);
        assert_int_equal(g->set, set);
        const uint32_t *rune = g->bar, *end = g->dash + 4;
        for (; rune < end; rune++) {
            /* none is missing, none takes two columns */
            assert_int_equal(sm_rune_width(*rune), 1);
            if (set == SM_SYMBOLS_ASCII)
                assert_in_range(*rune, 0x20, 0x7e);
        }
        for (int i = 1; i < 9; i++)
            for (int k = 0; k < i; k++)
                assert_int_not_equal(g->bar[i], g->bar[k]);
    }
}

static void test_states_differ_without_colour(void **state)
{
    (void)state;
    for (int set = SM_SYMBOLS_BRAILLE; set <= SM_SYMBOLS_ASCII; set++) {
        const struct sm_glyphs *g = sm_glyphs((enum sm_symbols)set);
        const uint32_t states[] = {g->live, g->stalled, g->waiting, g->ended, g->error};
        const uint32_t marks[] = {g->nan, g->pos_inf, g->neg_inf};
        for (int i = 0; i < 5; i++)
            for (int k = 0; k < i; k++)
                assert_int_not_equal(states[i], states[k]);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < i; k++)
                assert_int_not_equal(marks[i], marks[k]);
    }
}

static void test_braille_dots(void **state)
{
    (void)state;
    const struct sm_glyphs *g = sm_glyphs(SM_SYMBOLS_BRAILLE);
    assert_int_equal(sm_glyphs_dots(g, 0), ' '); /* not U+2800, which some fonts show as rings */
    assert_int_equal(sm_glyphs_dots(g, 255), 0x28ff);
    assert_int_equal(sm_glyphs_dots(g, 1), 0x2801);      /* top left ... */
    assert_int_equal(sm_glyphs_dots(g, 1 << 1), 0x2808); /* top right */
    assert_int_equal(sm_glyphs_dots(g, 1 << 4), 0x2804); /* third row left */
    assert_int_equal(sm_glyphs_dots(g, 1 << 6), 0x2840); /* bottom left */
    assert_int_equal(sm_glyphs_dots(g, 1 << 7), 0x2880); /* bottom right */
}

static void test_block_and_ascii_dots(void **state)
{
    (void)state;
    const struct sm_glyphs *g = sm_glyphs(SM_SYMBOLS_BLOCK);
    assert_int_equal(sm_glyphs_dots(g, 0), ' ');
    assert_int_equal(sm_glyphs_dots(g, 1 | 2), 0x2580); /* upper half */
    assert_int_equal(sm_glyphs_dots(g, 1 | 4), 0x258c); /* left half */
    assert_int_equal(sm_glyphs_dots(g, 8), 0x2597);     /* lower right */
    assert_int_equal(sm_glyphs_dots(g, 15), 0x2588);
    g = sm_glyphs(SM_SYMBOLS_ASCII);
    assert_int_equal(sm_glyphs_dots(g, 0), ' ');
    assert_int_equal(sm_glyphs_dots(g, 1), '\'');
    assert_int_equal(sm_glyphs_dots(g, 2), '.');
    assert_int_equal(sm_glyphs_dots(g, 3), ':');
}

static void test_marks(void **state)
{
    (void)state;
    const struct sm_glyphs *g = sm_glyphs(SM_SYMBOLS_ASCII);
    assert_int_equal(sm_glyphs_mark(g, 1e308), 0);
    assert_int_equal(sm_glyphs_mark(g, nan("")), 'x');
    assert_int_equal(sm_glyphs_mark(g, HUGE_VAL), 'I');
    assert_int_equal(sm_glyphs_mark(g, -HUGE_VAL), 'i');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_have_every_glyph),
        cmocka_unit_test(test_states_differ_without_colour),
        cmocka_unit_test(test_braille_dots),
        cmocka_unit_test(test_block_and_ascii_dots),
        cmocka_unit_test(test_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
