/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <float.h>
#include <math.h>

static const double steps[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static struct sm_line_series series_of(const double *y, size_t n)
{
    return (struct sm_line_series){.x = steps, .y = y, .n = n, .role = SM_ROLE_SERIES_0};
}

static void assert_chart(const struct sm_line_chart *chart, enum sm_symbols set, int w, int h,
                         const char *want)
{
    struct sm_grid g;
    sm_grid_init(&g, w, h);
    sm_line_draw(&g, (struct sm_rect){0, 0, w, h}, chart, sm_glyphs(set));
    assert_screen(&g, want);
    if (set == SM_SYMBOLS_ASCII)
        assert_ascii(&g);
    sm_grid_clear(&g);
}

static void assert_series(const double *y, size_t n, enum sm_symbols set, int w, int h,
                          const char *want)
{
    struct sm_line_series series = series_of(y, n);
    struct sm_line_chart chart = {.series = &series, .n_series = 1, .cursor_x = nan("")};
    assert_chart(&chart, set, w, h, want);
}

static void test_main_layout(void **state)
{
    (void)state;
    static double x[422], train[422], eval[422];
    for (int i = 0; i < 422; i++) {
        x[i] = 10 * i;
        train[i] = 0.1 + 2.2 / (1 + i / 20.0);
        eval[i] = 0.4 + 1.9 / (1 + i / 20.0) + i * 0.001;
    }
    const double marks[] = {3900};
    const struct sm_line_series series[] = {
        {.label = "train", .x = x, .y = train, .n = 422, .role = SM_ROLE_SERIES_0},
        {.label = "eval", .x = x, .y = eval, .n = 422, .role = SM_ROLE_SERIES_0 + 1, .dash = 1},
    };
    struct sm_line_chart chart = {
        .series = series, .n_series = 2, .legend = true, .marks = marks, .n_marks = 1};
    chart.cursor_x = nan("");
    assert_chart(&chart, SM_SYMBOLS_BRAILLE, 42, 10,
                 "   │⡇                            ── train\n"
                 " 2 ┤⢸                            ┄┄ eval\n"
                 "   │⠘⡄\n"
                 "   │ ⢻⠄\n"
                 " 1 ┤ ⠈⢧⠢⡀\n"
                 "   │   ⠳⣄⠈⠃⠠⠤ ⠠⠤ ⣀⡀ ⣀⡀ ⡄⠠⠤ ⠠⠤ ⠠⠤ ⠠⠆⠒⠂ ⠒⠂ ⠒\n"
                 "   │    ⠈⠙⠲⠤⣄⣀⡀\n"
                 "   │          ⠉⠉⠉⠒⠒⠒⠒⠲⠤⠤⠤⠤⠤⠤⠤⠤⠤⢤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀\n"
                 "   └┬─────────────────┬───────────────▲──┬\n"
                 "    0               2000         3900 4210\n");
    assert_chart(&chart, SM_SYMBOLS_ASCII, 42, 10,
                 "   |:                            -- train\n"
                 " 2 +:                            .. eval\n"
                 "   | :\n"
                 "   | ::\n"
                 " 1 +  :...\n"
                 "   |   ':.  :.   ...   ...   ...'''   '''\n"
                 "   |     '':....\n"
                 "   |           '''''''''':................\n"
                 "   ++-----------------+---------------^--+\n"
                 "    0               2000         3900 4210\n");
    assert_chart(&chart, SM_SYMBOLS_BLOCK, 42, 10,
                 "   │▌                            ── train\n"
                 " 2 ┤▐                            ┄┄ eval\n"
                 "   │▝▖\n"
                 "   │ ▜▖\n"
                 " 1 ┤ ▝▙▗▄\n"
                 "   │   ▜▄▖▝▀ ▗▄ ▗▄ ▗▄ ▗▄ ▗▄ ▗▄ ▗▞ ▝▀ ▝▀ ▝▀\n"
                 "   │     ▀▀▙▄▄▄▖\n"
                 "   │           ▀▀▀▀▀▀▀▀▀▀▜▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n"
                 "   └┬─────────────────┬───────────────▲──┬\n"
                 "    0               2000         3900 4210\n");
}

static void test_few_points_are_joined(void **state)
{
    (void)state;
    const double y[] = {0, 3, 0};
    assert_series(y, 3, SM_SYMBOLS_ASCII, 14, 6,
                  "  |    .'.\n"
                  "2 +   .' '.\n"
                  "  | .'     '.\n"
                  "0 +.'       '.\n"
                  "  ++---------+\n"
                  "   0         2\n");
    assert_series(y, 3, SM_SYMBOLS_BRAILLE, 14, 6,
                  "  │    ⢀⠎⢆\n"
                  "2 ┤   ⡰⠁  ⠣⡀\n"
                  "  │ ⢀⠎     ⠑⡄\n"
                  "0 ┤⡰⠁       ⠈⢆\n"
                  "  └┬─────────┬\n"
                  "   0         2\n");
}

static void test_lone_point(void **state)
{
    (void)state;
    const double y[] = {0.5};
    assert_series(y, 1, SM_SYMBOLS_ASCII, 16, 7,
                  "    |\n"
                  "    |\n"
                  "0.5 +     .\n"
                  "    |\n"
                  "    |\n"
                  "    +-----+-----\n"
                  "          0\n");
    assert_series(y, 1, SM_SYMBOLS_BRAILLE, 16, 7,
                  "    │\n"
                  "    │\n"
                  "0.5 ┤     ⢠⡄\n"
                  "    │\n"
                  "    │\n"
                  "    └─────┬─────\n"
                  "          0\n");
    const double between[] = {nan(""), 1, nan(""), 0, nan("")};
    assert_series(between, 5, SM_SYMBOLS_BRAILLE, 5, 2,
                  " ⠛\n"
                  "✕ ✕⢠✕\n");
}

static void test_constant(void **state)
{
    (void)state;
    const double y[] = {2.5, 2.5, 2.5};
    assert_series(y, 3, SM_SYMBOLS_ASCII, 16, 7,
                  "    |\n"
                  "    |\n"
                  "2.5 +...........\n"
                  "    |\n"
                  "    |\n"
                  "    ++---------+\n"
                  "     0         2\n");
}

static void test_nonfinite_points_are_marked_and_part_the_line(void **state)
{
    (void)state;
    const double y[] = {0, 0, nan(""), 1, 1, HUGE_VAL, 1, 0, -HUGE_VAL, 0, 0};
    assert_series(y, 11, SM_SYMBOLS_ASCII, 12, 6,
                  "1 +  ''I:\n"
                  "  |     :\n"
                  "  |      :\n"
                  "0 +..    i..\n"
                  "  ++-x-----+\n"
                  "   0      10\n");
    assert_series(y, 11, SM_SYMBOLS_BRAILLE, 12, 6,
                  "1 ┤  ⠈⠉↑⡇\n"
                  "  │     ⢸\n"
                  "  │     ⢸\n"
                  "0 ┤⣀⡀    ⡇↓⣀\n"
                  "  └┬✕──────┬\n"
                  "   0      10\n");
    const double none[] = {nan(""), nan("")};
    assert_series(none, 2, SM_SYMBOLS_ASCII, 12, 6,
                  "|\n"
                  "|\n"
                  "|\n"
                  "|\n"
                  "+x---------x\n"
                  " 0         1\n");
}

static void test_no_points(void **state)
{
    (void)state;
    assert_series(NULL, 0, SM_SYMBOLS_ASCII, 16, 6,
                  "|\n"
                  "|   no points\n"
                  "|\n"
                  "|\n"
                  "+---------------\n"
                  "\n");
    struct sm_line_chart chart = {.cursor_x = 3, .legend = true};
    assert_chart(&chart, SM_SYMBOLS_ASCII, 3, 2, "\n\n");
}

static void test_small_sizes(void **state)
{
    (void)state;
    const double y[] = {0, 3};
    assert_series(y, 2, SM_SYMBOLS_ASCII, 1, 1, ":\n");
    assert_series(y, 2, SM_SYMBOLS_ASCII, 4, 2,
                  "  .'\n"
                  ".'\n");
    assert_series(y, 2, SM_SYMBOLS_ASCII, 6, 3,
                  "|   .'\n"
                  "|.''\n"
                  "+-----\n");
    assert_series(y, 2, SM_SYMBOLS_ASCII, 12, 5,
                  "|        ..'\n"
                  "|    ..''\n"
                  "|..''\n"
                  "++---------+\n"
                  " 0         1\n");
}

static void test_envelope(void **state)
{
    (void)state;
    static double x[1000], y[1000];
    for (int i = 0; i < 1000; i++) {
        x[i] = i;
        y[i] = i % 10 == 3 ? 3 : i >= 500 ? 1 : 0; /* a spike in every column */
    }
    y[100] = nan("");
    struct sm_line_series series = {.x = x, .y = y, .n = 1000};
    struct sm_line_chart chart = {.series = &series, .n_series = 1, .cursor_x = nan("")};
    assert_chart(&chart, SM_SYMBOLS_ASCII, 5, 2, ":::::\nx::''\n");
    for (int i = 0; i < 1000; i++)
        y[i] = i == 777 ? 3 : 0; /* one point in a thousand stays visible */
    assert_chart(&chart, SM_SYMBOLS_ASCII, 5, 2, "   :\n...:.\n");
    assert_int_equal(sm_line_thinning(&chart, 5), 250);
    assert_int_equal(sm_line_thinning(&chart, 1000), 1);
    series.n = 0;
    assert_int_equal(sm_line_thinning(&chart, 5), 0);
}

static void test_scales(void **state)
{
    (void)state;
    const double y[] = {1000, 100, 10, 1, 0, 1};
    struct sm_line_series series = series_of(y, 6);
    struct sm_line_chart chart = {
        .series = &series, .n_series = 1, .cursor_x = nan(""), .y_scale = SM_Y_LOG};
    assert_chart(&chart, SM_SYMBOLS_ASCII, 16, 9,
                 "1000 +:\n"
                 "     | :\n"
                 " 100 +  :\n"
                 "     |   :\n"
                 "  10 +    :\n"
                 "     |    :\n"
                 "   1 +     : i .\n"
                 "     ++--------+\n"
                 "      0        5\n");
    const double both[] = {1000, 10, 0, -10, -1000};
    series = series_of(both, 5);
    chart.y_scale = SM_Y_SYMLOG;
    assert_chart(&chart, SM_SYMBOLS_ASCII, 16, 9,
                 " 1000 +:\n"
                 "      | :\n"
                 "      |  '.\n"
                 "    0 +   '.\n"
                 "      |     '.\n"
                 "      |      '.\n"
                 "-1000 +       '.\n"
                 "      ++-------+\n"
                 "       0       4\n");
}

/* With 21 points the range is sorted[1] to sorted[19]. */
static void test_outliers(void **state)
{
    (void)state;
    double x[21], y[21];
    for (int i = 0; i < 21; i++) {
        x[i] = i;
        y[i] = i;
    }
    y[0] = -1e6;
    y[20] = 1e6;
    struct sm_line_series series = {.x = x, .y = y, .n = 21};
    struct sm_line_chart chart = {
        .series = &series, .n_series = 1, .cursor_x = nan(""), .clip_outliers = true};
    assert_chart(&chart, SM_SYMBOLS_ASCII, 30, 9,
                 "   |                     ...'\n"
                 "15 +                   .'\n"
                 "   |               .'''\n"
                 "10 +           ...'\n"
                 "   |        ..'\n"
                 " 5 +     .''\n"
                 "   | ..''\n"
                 "   ++------------------------+\n"
                 "    0                       20\n");
}

static void test_marks_and_cursor(void **state)
{
    (void)state;
    const double y[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, marks[] = {2, 7, 99, nan("")};
    struct sm_line_series series = series_of(y, 11);
    struct sm_line_chart chart = {
        .series = &series, .n_series = 1, .cursor_x = 5, .marks = marks, .n_marks = 4};
    assert_chart(&chart, SM_SYMBOLS_ASCII, 34, 7,
                 "10 +               |         ...''\n"
                 "   |               |   ...'''\n"
                 " 5 +           ......''\n"
                 "   |     ...'''    |\n"
                 " 0 +..'''          |\n"
                 "   ++-----^--------|----^--------+\n"
                 "    0     2        5    7       10\n");
    struct sm_grid g;
    sm_grid_init(&g, 34, 7);
    sm_line_draw(&g, (struct sm_rect){0, 0, 34, 7}, &chart, sm_glyphs(SM_SYMBOLS_ASCII));
    int found = 0;
    for (int x = 0; x < 34; x++)
        found += sm_grid_at(&g, x, 5)->role == SM_ROLE_WARN;
    assert_int_equal(found, 2);
    sm_grid_clear(&g);
}

static void test_nan_at_a_mark_is_above_it(void **state)
{
    (void)state;
    const double y[] = {0, 0, nan(""), 1, 1}, marks[] = {2};
    struct sm_line_series series = series_of(y, 5);
    struct sm_line_chart chart = {
        .series = &series, .n_series = 1, .cursor_x = nan(""), .marks = marks, .n_marks = 1};
    assert_chart(&chart, SM_SYMBOLS_ASCII, 14, 6,
                 "1 +        '''\n"
                 "  |\n"
                 "  |\n"
                 "0 +.... x\n"
                 "  ++----^----+\n"
                 "   0    2    4\n");
}

static void test_later_series_colours_the_cell(void **state)
{
    (void)state;
    const double low[] = {0, 0}, rise[] = {0, 9};
    struct sm_line_series series[] = {series_of(low, 2), series_of(rise, 2)};
    series[1].role = SM_ROLE_SERIES_0 + 3;
    struct sm_line_chart chart = {.series = series, .n_series = 2, .cursor_x = nan("")};
    struct sm_grid g;
    sm_grid_init(&g, 5, 2);
    sm_line_draw(&g, (struct sm_rect){0, 0, 5, 2}, &chart, sm_glyphs(SM_SYMBOLS_BRAILLE));
    assert_screen(&g, "  ⢀⠤⠊\n"
                      "⣠⣒⣁⣀⣀\n");
    assert_int_equal(sm_grid_at(&g, 0, 1)->role, SM_ROLE_SERIES_0 + 3);
    assert_int_equal(sm_grid_at(&g, 4, 1)->role, SM_ROLE_SERIES_0);
    sm_grid_clear(&g);
}

static void test_faint_series_gives_way(void **state)
{
    (void)state;
    const double raw[] = {0, 0, 0, 0, 0, 0, 0, 0}, smooth[] = {0, 0, 0, 0, 1, 1, 1, 1};
    struct sm_line_series series[] = {series_of(smooth, 8), series_of(raw, 8)};
    series[1].faint = true;
    struct sm_line_chart chart = {.series = series, .n_series = 2, .cursor_x = nan("")};
    struct sm_grid g;
    sm_grid_init(&g, 5, 1);
    sm_line_draw(&g, (struct sm_rect){0, 0, 5, 1}, &chart, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "*****\n");
    assert_int_equal(sm_grid_at(&g, 4, 0)->role, SM_ROLE_SERIES_0);
    sm_grid_clear(&g);
}

/* Raw points are a shade in the colour of their line, the smoothed line goes through it. */
static void test_raw_points_are_behind_the_smoothed_line(void **state)
{
    (void)state;
    double x[80], raw[80], smooth[80];
    for (int i = 0; i < 80; i++) {
        x[i] = i;
        raw[i] = i % 2 ? 3 : -3;
        smooth[i] = 0;
    }
    struct sm_line_series series[] = {series_of(smooth, 80), series_of(raw, 80)};
    series[0].x = series[1].x = x;
    series[0].role = series[1].role = SM_ROLE_SERIES_0 + 2;
    series[1].faint = true;
    struct sm_line_chart chart = {.series = series, .n_series = 2, .cursor_x = nan("")};
    static const struct {
        enum sm_symbols set;
        uint32_t raw, smooth;
    } want[] = {
        {SM_SYMBOLS_ASCII, '.', '*'},
        {SM_SYMBOLS_BLOCK, 0x2591, 0x2584},
        {SM_SYMBOLS_BRAILLE, 0x2895, 0x2824},
    };
    for (size_t i = 0; i < 3; i++) {
        struct sm_grid g;
        sm_grid_init(&g, 11, 7);
        sm_line_draw(&g, (struct sm_rect){0, 0, 11, 7}, &chart, sm_glyphs(want[i].set));
        const struct sm_cell *top = sm_grid_at(&g, 7, 0), *middle = sm_grid_at(&g, 7, 2);
        assert_int_equal(top->rune, want[i].raw);
        assert_int_equal(top->role, SM_ROLE_FAINT_0 + 2);
        assert_int_equal(middle->rune, want[i].smooth);
        assert_int_equal(middle->role, SM_ROLE_SERIES_0 + 2);
        sm_grid_clear(&g);
    }
}

static void test_legend(void **state)
{
    (void)state;
    const double y[] = {9, 0, 0, 0}, rising[] = {0, 1, 2, 9};
    struct sm_line_series series[12];
    for (int i = 0; i < 12; i++) {
        series[i] = series_of(y, 4);
        series[i].dash = (unsigned)i % 4;
    }
    series[0].label = "gradient/conv0_weight";
    series[1].label = "gradient/conv1_weight";
    series[2].label = "hidden";
    series[2].faint = true;
    struct sm_line_chart chart = {
        .series = series, .n_series = 4, .cursor_x = nan(""), .legend = true};
    assert_chart(&chart, SM_SYMBOLS_ASCII, 34, 6,
                 "  |***              -- ~v0_weight\n"
                 "5 +   ***           .. ~v1_weight\n"
                 "  |      **\n"
                 "0 +        ***********************\n"
                 "  ++-------------------+---------+\n"
                 "   0                   2         3\n");
    assert_chart(
        &chart, SM_SYMBOLS_ASCII, 80, 6,
        "   |******                                             -- gradient/conv0_weight\n"
        " 5 +      *******                                      .. gradient/conv1_weight\n"
        "   |             *******\n"
        " 0 +                    ********************************************************\n"
        "   ++------------------------+------------------------+------------------------+\n"
        "    0                        1                        2                        3\n");
    for (int i = 0; i < 12; i++)
        series[i].label = "abcdef";
    chart.n_series = 12;
    assert_chart(&chart, SM_SYMBOLS_ASCII, 34, 8,
                 "  |**                -- abcdef\n"
                 "  |  **              .. abcdef\n"
                 "5 +    **               +9 more\n"
                 "  |     **\n"
                 "  |       **\n"
                 "0 +         **********************\n"
                 "  ++-------------------+---------+\n"
                 "   0                   2         3\n");
    series[0] = series_of(rising, 4); /* lines occupy the top right corner */
    series[0].label = "loss";
    chart.n_series = 1;
    assert_chart(&chart, SM_SYMBOLS_ASCII, 34, 6,
                 "  |                            ..'\n"
                 "5 +                        ..''\n"
                 "  |                ......''\n"
                 "0 +......''''''''''       -- loss\n"
                 "  ++-------------------+---------+\n"
                 "   0                   2         3\n");
    chart.legend = false;
    assert_chart(&chart, SM_SYMBOLS_ASCII, 34, 6,
                 "  |                            ..'\n"
                 "5 +                        ..''\n"
                 "  |                ......''\n"
                 "0 +......''''''''''\n"
                 "  ++-------------------+---------+\n"
                 "   0                   2         3\n");
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    const double y[] = {1, 2, nan(""), 1e5, HUGE_VAL, 3e4, -HUGE_VAL, -7, 0, 12345.678},
                 marks[] = {0, 3, 9};
    struct sm_line_series series[] = {series_of(y, 10), series_of(y + 1, 9), series_of(y, 3)};
    series[0].label = "train";
    series[1].label = "a/rather/long/name";
    series[2].faint = true;
    struct sm_line_chart chart = {
        .series = series, .n_series = 3, .cursor_x = 4, .marks = marks, .n_marks = 3};
    chart.legend = true;
    chart.y_scale = (enum sm_y_scale)(r.w % 3);
    chart.x_unit = (enum sm_x_unit)(r.h % 3);
    chart.clip_outliers = r.w % 2;
    sm_line_draw(g, r, &chart, sm_glyphs(*(const enum sm_symbols *)arg));
}

static void test_any_size(void **state)
{
    (void)state;
    assert_any_size(draw_any);
}

static void test_any_numbers(void **state)
{
    (void)state;
    const double any[] = {-DBL_MAX, DBL_MAX,   5e-324, 0,        -5e-324, nan(""),
                          HUGE_VAL, -HUGE_VAL, 1e16,   1e16 + 2, 1e-300};
    enum { N = sizeof any / sizeof *any };
    struct sm_grid g;
    sm_grid_init(&g, 50, 12);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            for (int kind = 0; kind < 18; kind++) {
                const double x[] = {any[a], 1, any[b]}, y[] = {any[b], any[a], any[(a + b) % N]};
                struct sm_line_series series = {.x = x, .y = y, .n = 3};
                struct sm_line_chart chart = {.series = &series, .n_series = 1, .cursor_x = any[a]};
                chart.marks = any;
                chart.n_marks = N;
                chart.y_scale = (enum sm_y_scale)(kind % 3);
                chart.x_unit = (enum sm_x_unit)(kind / 3 % 3);
                chart.clip_outliers = kind >= 9;
                sm_line_draw(&g, (struct sm_rect){0, 0, 50, 12}, &chart,
                             sm_glyphs(SM_SYMBOLS_ASCII));
                assert_ascii(&g);
            }
    sm_grid_clear(&g);
}

static void test_values_at_the_cursor(void **state)
{
    (void)state;
    const double x[] = {0, 10, 20, 30}, a[] = {1, 2, 3, 4}, b[] = {4, 3, NAN, 1}, session = 15;
    const struct sm_line_series series[] = {
        {.label = "a", .x = x, .y = a, .n = 4, .role = SM_ROLE_SERIES_0},
        {.label = "b", .x = x, .y = b, .n = 4, .role = SM_ROLE_SERIES_0 + 1, .dash = 1}};
    struct sm_line_chart chart = {.series = series,
                                  .n_series = 2,
                                  .cursor_x = 12,
                                  .legend = true,
                                  .sessions = &session,
                                  .n_sessions = 1};
    struct sm_grid g;
    struct sm_str s = {0};
    sm_grid_init(&g, 40, 10);
    sm_line_draw(&g, (struct sm_rect){0, 0, 40, 10}, &chart, sm_glyphs(SM_SYMBOLS_ASCII));
    sm_print_plain(&g, &s);
    assert_non_null(strstr(sm_str_text(&s), "-- a 2"));
    assert_non_null(strstr(sm_str_text(&s), ".. b 3"));
    int quiet = 0;
    for (int i = 0; i < g.w * g.h; i++)
        quiet += g.cells[i].rune == '|' && g.cells[i].role == SM_ROLE_BORDER;
    assert_in_range(quiet, 4, 8);
    assert_true(sm_line_value_at(&series[0], 30) == 4);
    assert_true(sm_line_value_at(&series[0], 29.5) == 3);
    assert_true(isnan(sm_line_value_at(&series[0], -1)));
    assert_true(isnan(sm_line_value_at(&series[1], 20)));
    sm_str_clear(&s);
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main_layout),
        cmocka_unit_test(test_few_points_are_joined),
        cmocka_unit_test(test_lone_point),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_nonfinite_points_are_marked_and_part_the_line),
        cmocka_unit_test(test_no_points),
        cmocka_unit_test(test_small_sizes),
        cmocka_unit_test(test_envelope),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_marks_and_cursor),
        cmocka_unit_test(test_values_at_the_cursor),
        cmocka_unit_test(test_nan_at_a_mark_is_above_it),
        cmocka_unit_test(test_later_series_colours_the_cell),
        cmocka_unit_test(test_faint_series_gives_way),
        cmocka_unit_test(test_raw_points_are_behind_the_smoothed_line),
        cmocka_unit_test(test_legend),
        cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_any_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
