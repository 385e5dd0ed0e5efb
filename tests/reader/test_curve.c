/* SPDX-License-Identifier: Apache-2.0 */
/* A curve of a few columns has in each of them the ends and the extremes of all points. */
#include "reader/analysis/curve.h"
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

static struct sm_curve_spec begin(struct live *l, size_t columns)
{
    write_table(l);
    live_open_path(l, l->path,
                   (struct sm_trial_options){.kind = &sm_trial_kind_csv, .member = "metrics.csv"});
    return (struct sm_curve_spec){
        .series = {.tensor = tensor(l, "loss")->name, .worker = SM_WORKER_ANY},
        .columns = columns,
        .keep = {KEEP}};
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

static void read_columns(const struct sm_series *s, struct column *out)
{
    double last = (double)step_of(ROWS - 1);
    for (size_t i = 0; i < s->n; i++)
        add_to(&out[(size_t)((double)s->points[i].step.n / last * COLUMNS)], s->points[i].value);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void columns_have_their_extremes(void **state)
{
    struct live *l = *state;
    struct sm_series all = {0}, some = {0};
    struct column a[COLUMNS + 1] = {0}, b[COLUMNS + 1] = {0};
    struct sm_err err;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    assert_true(sm_series_read(l->fetch, l->trial, &spec.series, &all, &err));
    assert_true(sm_curve_read(l->fetch, l->trial, &spec, &some, &err));
    assert_int_equal(all.n, ROWS);
    assert_true(some.n <= COLUMNS * 6 && some.n > COLUMNS);
    read_columns(&all, a);
    read_columns(&some, b);
    for (int i = 0; i <= COLUMNS; i++) {
        assert_true(same(a[i].first, b[i].first) && same(a[i].last, b[i].last));
        assert_true(a[i].min == b[i].min && a[i].max == b[i].max);
        assert_true(!a[i].bad == !b[i].bad);
    }
    sm_series_clear(&all);
    sm_series_clear(&some);
}

static void points_are_those_of_the_series(void **state)
{
    struct live *l = *state;
    struct sm_series all = {0}, some = {0};
    struct sm_err err;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    bool kept = false;
    assert_true(sm_series_read(l->fetch, l->trial, &spec.series, &all, &err));
    assert_true(sm_curve_read(l->fetch, l->trial, &spec, &some, &err));
    for (size_t i = 0, k = 0; i < some.n; i++, k++) {
        while (k < all.n && all.points[k].step.n != some.points[i].step.n)
            k++;
        assert_true(k < all.n); /* ascending, and none twice */
        assert_true(same(some.points[i].value, all.points[k].value));
        assert_true(same(some.points[i].time, all.points[k].time));
        assert_int_equal(some.points[i].mode, all.points[k].mode);
        assert_memory_equal(some.points[i].first, all.points[k].first, 8);
        kept = kept || some.points[i].step.n == KEEP;
    }
    assert_true(kept);
    sm_series_clear(&all);
    sm_series_clear(&some);
}

/* The first steps have as many columns as the many that follow. */
static void first_steps_stay_on_a_log_axis(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    struct sm_curve_spec spec = begin(l, COLUMNS);
    for (int log = 0; log < 2; log++) {
        spec.by_log = log;
        assert_true(sm_curve_read(l->fetch, l->trial, &spec, &s, &err));
        size_t early = 0;
        while (early < s.n && s.points[early].step.n < 20)
            early++;
        assert_true(log ? early > 15 : early < 6);
        assert_true(s.n <= COLUMNS * 6);
    }
    sm_series_clear(&s);
}

/* The clock of the machine that continued was slow. */
static void times_that_go_back_need_all_points(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    struct sm_str text = {0};
    for (int i = 0; i < 5000; i++)
        sm_str_printf(&text, "{\"step\": %d, \"loss\": %d, \"timestamp\": %d}\n", i, i % 70,
                      1700000000 + i - (i > 2500 ? 1000 : 0));
    mkdir(l->path, 0777);
    put_file(in(l, "metrics.jsonl"), sm_str_text(&text), text.len);
    sm_str_clear(&text);
    live_open_path(
        l, l->path,
        (struct sm_trial_options){.kind = &sm_trial_kind_jsonl, .member = "metrics.jsonl"});
    struct sm_curve_spec spec = {
        .series = {.tensor = tensor(l, "loss")->name, .worker = SM_WORKER_ANY}, .columns = COLUMNS};
    assert_true(sm_curve_read(l->fetch, l->trial, &spec, &s, &err));
    assert_true(s.n < 1000);
    spec.by_time = true;
    assert_true(sm_curve_read(l->fetch, l->trial, &spec, &s, &err));
    assert_int_equal(s.n, 5000);
    sm_series_clear(&s);
}

static void all_points_are_there_where_columns_do_not_help(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    struct sm_curve_spec spec = begin(l, 0);
    assert_true(sm_curve_read(l->fetch, l->trial, &spec, &s, &err));
    assert_int_equal(s.n, ROWS);
    spec.columns = ROWS * 100;
    assert_true(sm_curve_read(l->fetch, l->trial, &spec, &s, &err));
    assert_int_equal(s.n, ROWS);
    spec.series.worker = 5; /* there is none */
    assert_false(sm_curve_read(l->fetch, l->trial, &spec, &s, &err));
    sm_series_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns_have_their_extremes, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(points_are_those_of_the_series, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(first_steps_stay_on_a_log_axis, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(times_that_go_back_need_all_points, live_setup,
                                        live_teardown),
        cmocka_unit_test_setup_teardown(all_points_are_there_where_columns_do_not_help, live_setup,
                                        live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
