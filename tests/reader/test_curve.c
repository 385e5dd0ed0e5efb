/* SPDX-License-Identifier: Apache-2.0 */
/* A curve of a few columns has in each of them the ends and the extremes of all points, and is
 * extended by what is new. */
#include "reader/analysis/curve.h"
#include "reader/base/smoother.h"
#include "reader/trial_kinds.h"
#include "tests/reader/live.h"

#include <math.h>
#include <sys/stat.h>

enum { ROWS = 20000, COLUMNS = 50, KEEP = 12345 };

/* Steps are dense first and rare later; some values are not finite. */
static int64_t step_of(int i)
{
    return i < ROWS - 1000 ? i : ROWS - 1000 + (int64_t)(i - ROWS + 1000) * 40;
}

static void write_table(struct live *l)
{
    struct sm_str s = {0};
    sm_str_add(&s, "step,loss\n");
    for (int i = 0; i < ROWS; i++) {
        const char *bad = i % 4999 == 7 ? "nan" : i % 6007 == 9 ? "inf" : NULL;
        double v = sin(i / 500.0) * 100 + (i * 7919 % 1000) / 10.0;
        if (bad)
            sm_str_printf(&s, "%lld,%s\n", (long long)step_of(i), bad);
        else
            sm_str_printf(&s, "%lld,%.17g\n", (long long)step_of(i), v);
    }
    mkdir(l->path, 0777);
    put_file(in(l, "metrics.csv"), sm_str_text(&s), s.len);
    sm_str_clear(&s);
}

static void open_table(struct live *l)
{
    live_open_path(l, l->path,
                   (struct sm_trial_options){.kind = &sm_trial_kind_csv, .member = "metrics.csv"});
}

static struct sm_curve_spec spec_of(struct live *l, size_t columns)
{
    return (struct sm_curve_spec){
        .series = {.tensor = tensor(l, "loss")->name, .worker = SM_WORKER_ANY},
        .columns = columns,
        .keep = KEEP};
}

static struct sm_curve_spec begin(struct live *l, size_t columns)
{
    write_table(l);
    open_table(l);
    return spec_of(l, columns);
}

static struct sm_curve_points read_curve(struct live *l, struct sm_kept_curves *c,
                                         const struct sm_curve_spec *spec,
                                         struct sm_kept_curve *curve)
{
    struct sm_err err;
    assert_true(sm_kept_curve_read(c, l->fetch, l->trial, spec, curve, &err));
    for (int m = 0; m < SM_MODES; m++)
        if (curve->modes[m].raw.n)
            return curve->modes[m].raw;
    return (struct sm_curve_points){0};
}

struct column {
    double first, last, min, max;
    size_t n, bad;
};

static void add_to(struct column *c, double v)
{
    if (!c->n++)
        c->first = v;
    c->last = v;
    c->bad += !isfinite(v);
    if (isfinite(v)) {
        c->min = c->n - c->bad == 1 ? v : fmin(c->min, v);
        c->max = c->n - c->bad == 1 ? v : fmax(c->max, v);
    }
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The width of a column is the power of two that gives at most so many. */
static double width_of_columns(size_t columns)
{
    return exp2(ceil(log2((double)step_of(ROWS - 1) / (double)columns)));
}

static void columns_have_their_extremes(void **state)
{
    struct live *l = *state;
    struct sm_series all = {0};
    struct sm_kept_curve curve;
    struct column a[COLUMNS + 1] = {0}, b[COLUMNS + 1] = {0};
    struct sm_err err;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    struct sm_kept_curves *c = sm_kept_curves_new();
    assert_true(sm_series_read(l->fetch, l->trial, &spec.series, &all, &err));
    struct sm_curve_points some = read_curve(l, c, &spec, &curve);
    assert_int_equal(all.n, ROWS);
    assert_true(some.n <= COLUMNS * 6 && some.n > COLUMNS);
    double width = width_of_columns(COLUMNS);
    for (size_t i = 0; i < all.n; i++)
        add_to(&a[(size_t)((double)all.points[i].step.n / width)], all.points[i].value);
    for (size_t i = 0; i < some.n; i++)
        add_to(&b[(size_t)((double)some.points[i].step.n / width)], some.points[i].value);
    for (int i = 0; i <= COLUMNS; i++) {
        assert_true(same(a[i].first, b[i].first) && same(a[i].last, b[i].last));
        assert_true(a[i].min == b[i].min && a[i].max == b[i].max);
        assert_true(!a[i].bad == !b[i].bad);
    }
    sm_series_clear(&all);
    sm_kept_curves_free(c);
}

static void points_are_those_of_the_series(void **state)
{
    struct live *l = *state;
    struct sm_series all = {0};
    struct sm_kept_curve curve;
    struct sm_err err;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    struct sm_kept_curves *c = sm_kept_curves_new();
    bool kept = false;
    assert_true(sm_series_read(l->fetch, l->trial, &spec.series, &all, &err));
    struct sm_curve_points some = read_curve(l, c, &spec, &curve);
    for (size_t i = 0, k = 0; i < some.n; i++, k++) {
        while (k < all.n && all.points[k].step.n != some.points[i].step.n)
            k++;
        assert_true(k < all.n); /* ascending, and none twice */
        assert_true(same(some.points[i].value, all.points[k].value));
        assert_true(same(some.points[i].time, all.points[k].time));
        kept = kept || some.points[i].step.n == KEEP;
    }
    assert_true(kept);
    sm_series_clear(&all);
    sm_kept_curves_free(c);
}

/* The first steps have as many columns as the many that follow. */
static void first_steps_stay_on_a_log_axis(void **state)
{
    struct live *l = *state;
    struct sm_kept_curve curve;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    struct sm_kept_curves *c = sm_kept_curves_new();
    for (int log = 0; log < 2; log++) {
        spec.by_log = log;
        struct sm_curve_points s = read_curve(l, c, &spec, &curve);
        size_t early = 0;
        while (early < s.n && s.points[early].step.n < 20)
            early++;
        assert_true(log ? early > 15 : early < 6);
        assert_true(s.n <= COLUMNS * 6);
    }
    sm_kept_curves_free(c);
}

static void open_lines_of_json(struct live *l, int rows)
{
    struct sm_str text = {0};
    for (int i = 0; i < rows; i++)
        sm_str_printf(&text, "{\"step\": %d, \"loss\": %d, \"timestamp\": %d}\n", i, i % 70,
                      1700000000 + i - (i > 2500 ? 1000 : 0));
    mkdir(l->path, 0777);
    put_file(in(l, "metrics.jsonl"), sm_str_text(&text), text.len);
    sm_str_clear(&text);
    live_open_path(
        l, l->path,
        (struct sm_trial_options){.kind = &sm_trial_kind_jsonl, .member = "metrics.jsonl"});
}

/* The clock of the machine that continued was slow. */
static void times_may_go_back(void **state)
{
    struct live *l = *state;
    struct sm_kept_curve curve;
    open_lines_of_json(l, 5000);
    struct sm_kept_curves *c = sm_kept_curves_new();
    struct sm_curve_spec spec = spec_of(l, COLUMNS);
    spec.by_time = true;
    struct sm_curve_points s = read_curve(l, c, &spec, &curve);
    assert_true(s.n > COLUMNS && s.n < COLUMNS * 12);
    bool back = false;
    for (size_t i = 1; i < s.n; i++) {
        assert_true(s.points[i].step.n > s.points[i - 1].step.n);
        back = back || s.points[i].time < s.points[i - 1].time;
    }
    assert_true(back);
    sm_kept_curves_free(c);
}

/* `keep` is a time, or one since the first point. */
static void a_time_is_kept(void **state)
{
    struct live *l = *state;
    struct sm_kept_curve curve;
    open_lines_of_json(l, 2000);
    struct sm_kept_curves *c = sm_kept_curves_new();
    struct sm_curve_spec spec = spec_of(l, COLUMNS);
    spec.by_time = true;
    for (int relative = 0; relative < 2; relative++) {
        spec.keep = relative ? 777.5 : 1700000777.5;
        spec.keep_from_begin = relative;
        struct sm_curve_points s = read_curve(l, c, &spec, &curve);
        size_t i = 0;
        while (i < s.n && s.points[i].step.n < 777)
            i++;
        assert_true(i < s.n && s.points[i].step.n == 777 && s.points[i].value == 777 % 70);
    }
    sm_kept_curves_free(c);
}

static void all_points_are_there_where_columns_do_not_help(void **state)
{
    struct live *l = *state;
    struct sm_kept_curve curve;
    struct sm_curve_spec spec = begin(l, 0);
    struct sm_kept_curves *c = sm_kept_curves_new();
    assert_int_equal(read_curve(l, c, &spec, &curve).n, ROWS);
    spec.columns = ROWS * 100;
    assert_int_equal(read_curve(l, c, &spec, &curve).n, ROWS);
    spec.series.worker = 5; /* there is none */
    assert_int_equal(read_curve(l, c, &spec, &curve).n, 0);
    sm_kept_curves_free(c);
}

/* The smoothed value at any step is that of a pass over all points. */
static void smoothing_is_exact_where_a_point_is_kept(void **state)
{
    struct live *l = *state;
    struct sm_kept_curve curve;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    struct sm_kept_curves *c = sm_kept_curves_new();
    spec.smoothing = 0.9;
    static const int at[] = {0, 3, 511, 512, 513, 5000, 12345, ROWS - 2};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        struct sm_smoother smoother;
        double want = 0;
        sm_smoother_init(&smoother, 0.9);
        for (int k = 0; k <= at[i]; k++)
            want = sm_smoother_next(&smoother, k % 4999 == 7   ? (double)NAN
                                               : k % 6007 == 9 ? HUGE_VAL
                                                               : sin(k / 500.0) * 100 +
                                                                     (k * 7919 % 1000) / 10.0);
        spec.keep = (double)step_of(at[i]);
        read_curve(l, c, &spec, &curve);
        struct sm_curve_points s = {0};
        for (int m = 0; m < SM_MODES; m++)
            s = curve.modes[m].smooth.n ? curve.modes[m].smooth : s;
        size_t k = 0;
        while (k < s.n && s.points[k].step.n != step_of(at[i]))
            k++;
        assert_true(k < s.n && same(s.points[k].value, want));
    }
    sm_kept_curves_free(c);
}

static void a_column_of_means_has_its_range(void **state)
{
    struct live *l = *state;
    struct sm_kept_curve curve;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    struct sm_kept_curves *c = sm_kept_curves_new();
    spec.means = true;
    struct sm_curve_points s = read_curve(l, c, &spec, &curve);
    assert_true(s.n > COLUMNS / 2 - 2 && s.n <= COLUMNS + 1);
    for (size_t i = 0; i < s.n; i++)
        assert_true(s.points[i].low < s.points[i].value && s.points[i].value < s.points[i].high);
    sm_kept_curves_free(c);
}

/* A picture of the same points reads none, one more point is one more read. */
static void only_what_is_new_is_read(void **state)
{
    struct live *l = *state;
    struct sm_kept_curve curve;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    struct sm_kept_curves *c = sm_kept_curves_new();
    spec.smoothing = 0.6;
    spec.keep = (double)NAN;
    read_curve(l, c, &spec, &curve);
    uint64_t all = sm_kept_curves_read_count(c);
    assert_true(all >= ROWS && all < ROWS + 10);
    for (int i = 0; i < 100; i++) {
        sm_kept_curves_begin(c);
        read_curve(l, c, &spec, &curve);
    }
    assert_int_equal(sm_kept_curves_read_count(c), all);
    spec.keep = KEEP;
    read_curve(l, c, &spec, &curve);
    assert_true(sm_kept_curves_read_count(c) - all <= 1024);
    all = sm_kept_curves_read_count(c);
    spec.keep = (double)NAN;
    FILE *table = fopen(in(l, "metrics.csv"), "a");
    fprintf(table, "%lld,1e6\n", (long long)step_of(ROWS - 1) + 3);
    fclose(table);
    sm_trial_refresh(l->trial);
    live_settle(l);
    struct sm_curve_points s = read_curve(l, c, &spec, &curve);
    assert_true(s.points[s.n - 1].value == 1e6);
    assert_true(sm_kept_curves_read_count(c) - all <= 3);
    sm_kept_curves_begin(c);
    sm_kept_curves_begin(c); /* nobody asked for it between */
    read_curve(l, c, &spec, &curve);
    assert_true(sm_kept_curves_read_count(c) - all >= ROWS);
    sm_kept_curves_free(c);
}

#define LIVE_TEST(name) cmocka_unit_test_setup_teardown(name, live_setup, live_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIVE_TEST(columns_have_their_extremes),
        LIVE_TEST(points_are_those_of_the_series),
        LIVE_TEST(first_steps_stay_on_a_log_axis),
        LIVE_TEST(times_may_go_back),
        LIVE_TEST(a_time_is_kept),
        LIVE_TEST(all_points_are_there_where_columns_do_not_help),
        LIVE_TEST(smoothing_is_exact_where_a_point_is_kept),
        LIVE_TEST(a_column_of_means_has_its_range),
        LIVE_TEST(only_what_is_new_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
