/* SPDX-License-Identifier: Apache-2.0 */
/* Every value of a run is read once for its brief: trends, maps and scalar series look at all of
 * them, and need no nodes of the cache. */
#include "reader/analysis/step_values.h"
#include "reader/analysis/tensor_health.h"
#include "reader/fetch/cache.h"
#include "reader/fetch/series.h"
#include "reader/fetch/survey.h"
#include "tests/reader/board.h"

#include <math.h>

/* LARGE elements make event files too large to be read with the index (reader/small_records.h). */
enum { STEPS = 500, TENSORS = 8, ODD = 257, LARGE = 4096 };

/* What is wrong at one step. */
struct odd {
    const char *worker;
    int mode;
    float weight, loss;
};

static void write_values(struct live *l, const char *worker, int64_t step, int mode, float weight,
                         float loss)
{
    struct sm_writer *w = writer(l, worker);
    struct sm_err err;
    char name[32];
    assert_true(sm_writer_begin_step(w, step, mode, step, &err));
    put_tensor(w, "loss", loss, 1);
    for (int i = 1; i < TENSORS; i++) {
        snprintf(name, sizeof name, "weight%d", i);
        put_tensor(w, name, i == 3 ? weight : 0.1f * (float)i, i == 1 ? LARGE : 64);
    }
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static void write_trial(struct live *l, int steps, int workers, struct odd odd)
{
    for (int w = 0; w < workers; w++) {
        char worker[24];
        snprintf(worker, sizeof worker, "worker_%d", w);
        write_collections(l, worker, workers);
        for (int i = 0; i < steps; i++) {
            bool is_odd = i == ODD && strcmp(worker, odd.worker) == 0;
            write_values(l, worker, i, is_odd ? odd.mode : SM_MODE_TRAIN,
                         is_odd ? odd.weight : 0.5f,
                         is_odd ? odd.loss : 1.0f + 0.001f * (float)(i % 7));
        }
    }
}

static void write_run_of(struct live *l, const struct sm_str *bytes, int file)
{
    mkdir(l->path, 0777);
    put_file(in(l, "events.out.tfevents.%d.host", file), bytes->data, bytes->len);
}

static void read_all(struct live *l)
{
    struct sm_err err;
    for (int i = 0; !sm_fetch_all(l->fetch, l->trial, NULL, &err); i++) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        assert_in_range(i, 0, 100);
        live_settle(l);
    }
}

static struct sm_trend trend_of(struct live *l, const char *name, uint16_t worker)
{
    struct sm_trend trend;
    sm_tensor_health_trend(l->trial, l->fetch, NULL, tensor(l, name), worker, 8, &trend);
    return trend;
}

static void test_one_bad_step_is_in_the_trend(void **state)
{
    struct live *l = *state;
    write_trial(l, STEPS, 1, (struct odd){"worker_0", SM_MODE_TRAIN, NAN, 50});
    live_open(l);
    struct sm_trend before = trend_of(l, "weight3", SM_WORKER_ANY);
    assert_int_equal(before.n, 8);
    assert_int_equal(before.left, 8);
    assert_true(before.pending[0]);
    read_all(l);
    struct sm_trend weight = trend_of(l, "weight3", SM_WORKER_ANY);
    struct sm_trend loss = trend_of(l, "loss", SM_WORKER_ANY);
    assert_int_equal(weight.n, 8);
    assert_int_equal(weight.left, 0);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(isnan(weight.v[i]), i == ODD * 8 / STEPS);
        assert_int_equal(loss.v[i] == 50, i == ODD * 8 / STEPS);
        assert_false(weight.pending[i]);
    }
}

static void test_of_any_worker_and_mode(void **state)
{
    struct live *l = *state;
    write_trial(l, STEPS, 2, (struct odd){"worker_1", SM_MODE_EVAL, -INFINITY, 1});
    live_open(l);
    read_all(l);
    struct sm_trend any = trend_of(l, "weight3", SM_WORKER_ANY), first = trend_of(l, "weight3", 0),
                    second = trend_of(l, "weight3", 1);
    assert_true(isinf(any.v[ODD * 8 / STEPS]) && any.v[ODD * 8 / STEPS] < 0);
    assert_true(first.v[ODD * 8 / STEPS] == 0.5);
    assert_true(isinf(second.v[ODD * 8 / STEPS]));
}

/* A number counts of any worker, too. */
static void test_a_spike_of_another_worker(void **state)
{
    struct live *l = *state;
    write_trial(l, STEPS, 2, (struct odd){"worker_1", SM_MODE_TRAIN, 0.5f, 50});
    live_open(l);
    read_all(l);
    struct sm_trend any = trend_of(l, "loss", SM_WORKER_ANY), first = trend_of(l, "loss", 0);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(any.v[i] == 50, i == ODD * 8 / STEPS);
        assert_true(first.v[i] < 2);
    }
}

static void test_nothing_is_read_twice(void **state)
{
    struct live *l = *state;
    write_trial(l, 50, 1, (struct odd){"", 0, 0, 0});
    live_open(l);
    double mean;
    struct sm_err err;
    assert_true(mean_at(l, "weight2", 7, &mean, &err)); /* fills its brief, too */
    struct sm_trial_seen seen = sm_trial_seen(l->trial);
    assert_int_equal(seen.values, 50 * TENSORS);
    assert_int_equal(seen.read, 1);
    read_all(l);
    seen = sm_trial_seen(l->trial);
    assert_int_equal(seen.read, 50 * TENSORS);
    unsigned long before = sm_source_read_count();
    read_all(l);
    sm_fetch_survey(l->fetch, l->trial, UINT64_MAX);
    live_settle(l);
    assert_int_equal(sm_source_read_count(), before);
    assert_false(sm_fetch_surveying(l->fetch, l->trial));
}

/* Every tensor is asked for, one by one, as a list of all with their statistics does: a file is
 * opened and read once for the values of all of them. */
static void test_tensors_of_one_file(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    write_trial(l, STEPS, 1, (struct odd){"worker_0", SM_MODE_TRAIN, NAN, 50});
    live_open(l);
    unsigned long before = sm_source_read_count();
    for (bool waits = true; waits;) {
        waits = false;
        for (size_t i = 0; i < sm_trial_tensor_count(l->trial); i++)
            waits = !sm_fetch_all(l->fetch, l->trial, sm_trial_tensor(l->trial, i), &err) || waits;
        live_settle(l);
    }
    assert_in_range(sm_source_read_count() - before, STEPS, 3 * STEPS);
}

/* Each step has another tensor: looking for all others in its file would find nothing. */
static void test_tensors_of_files_of_their_own(void **state)
{
    enum { NAMES = 64, OWN_STEPS = 1600 };
    struct live *l = *state;
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    struct sm_writer *w = writer(l, "worker_0");
    for (int i = 0; i < OWN_STEPS; i++) {
        char name[32];
        snprintf(name, sizeof name, "weight%d", i % NAMES);
        assert_true(sm_writer_begin_step(w, i, SM_MODE_TRAIN, i, &err));
        put_tensor(w, name, 1, 4);
        assert_true(sm_writer_end_step(w, &err));
    }
    sm_writer_close(w);
    live_open(l);
    struct sm_survey *s = sm_survey_new(l->pool);
    assert_non_null(s);
    for (bool waits = true; waits;) {
        waits = false;
        for (size_t i = 0; i < sm_trial_tensor_count(l->trial); i++)
            waits =
                !sm_survey_ask(s, l->trial, sm_trial_tensor(l->trial, i), SM_URGENCY_ASKED, &err) ||
                waits;
        sm_survey_flush(s, SM_CHECKSUM_OFF, UINT64_MAX);
        while (sm_pool_pending(l->pool))
            sm_pool_collect(l->pool, 1);
    }
    assert_int_equal(sm_trial_seen(l->trial).read, OWN_STEPS);
    assert_in_range(sm_survey_looks(s), NAMES, 8192 + 16 * OWN_STEPS);
    sm_survey_free(s);
}

static void test_a_growing_run(void **state)
{
    struct live *l = *state;
    write_trial(l, 20, 1, (struct odd){"", 0, 0, 0});
    live_open(l);
    sm_fetch_survey(l->fetch, l->trial, UINT64_MAX);
    sm_fetch_flush(l->fetch);
    live_settle(l);
    assert_int_equal(sm_trial_seen(l->trial).read, 20 * TENSORS);
    unsigned long before = sm_source_read_count();
    write_values(l, "worker_0", 20, SM_MODE_TRAIN, NAN, 1);
    live_beat(l);
    sm_fetch_flush(l->fetch);
    live_settle(l);
    assert_int_equal(sm_trial_seen(l->trial).read, 21 * TENSORS);
    assert_in_range(sm_source_read_count() - before, 1, 10 * TENSORS); /* of the new step alone */
    struct sm_trend trend = trend_of(l, "weight3", SM_WORKER_ANY);
    assert_true(isnan(trend.v[trend.n - 1]));
    write_values(l, "worker_0", 20, SM_MODE_TRAIN, 3, 1); /* a restart writes it again */
    write_values(l, "worker_0", 21, SM_MODE_TRAIN, 3, 1);
    live_beat(l);
    sm_fetch_flush(l->fetch);
    live_settle(l);
    trend = trend_of(l, "weight3", SM_WORKER_ANY);
    assert_true(trend.v[trend.n - 1] == 3);
}

static void test_a_limit_in_the_background(void **state)
{
    struct live *l = *state;
    write_trial(l, 600, 1, (struct odd){"", 0, 0, 0});
    live_open(l);
    sm_fetch_survey(l->fetch, l->trial, 1);
    sm_fetch_flush(l->fetch);
    live_settle(l);
    struct sm_trial_seen seen = sm_trial_seen(l->trial);
    assert_in_range(seen.read, 1, 2048); /* a piece, the newest */
    assert_false(sm_fetch_surveying(l->fetch, l->trial));
    assert_true(sm_trial_brief(l->trial, (struct sm_entry[]){value_at(l, "loss", 599)}).flags &
                SM_BRIEF_READ);
    struct sm_trend trend = trend_of(l, "weight3", SM_WORKER_ANY);
    assert_int_equal(trend.n, 8);
    assert_int_equal(trend.left, 5);
    live_settle(l); /* one value of each column was requested */
    trend = trend_of(l, "weight3", SM_WORKER_ANY);
    for (size_t i = 0; i < 8; i++)
        assert_false(trend.pending[i]);
    read_all(l); /* a command reads the rest */
    assert_int_equal(sm_trial_seen(l->trial).read, 600 * TENSORS);
}

static void test_a_command_that_is_cancelled(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    write_trial(l, 100, 1, (struct odd){"", 0, 0, 0});
    live_open(l);
    sm_fetch_begin(l->fetch);
    assert_false(sm_fetch_all(l->fetch, l->trial, NULL, &err));
    assert_true(sm_fetch_busy(l->fetch));
    sm_fetch_flush(l->fetch);
    sm_fetch_end(l->fetch);
    assert_false(sm_fetch_busy(l->fetch));
    live_settle(l);
    assert_int_equal(sm_fetch_open(l->fetch), 0);
    assert_int_equal(sm_trial_seen(l->trial).asked, 0);
    read_all(l); /* another one gets all */
    assert_int_equal(sm_trial_seen(l->trial).read, 100 * TENSORS);
}

static void test_values_that_cannot_be_read(void **state)
{
    struct live *l = *state;
    write_trial(l, 10, 1, (struct odd){"", 0, 0, 0});
    live_open(l);
    char path[512];
    size_t n;
    snprintf(path, sizeof path, "%s", in(l, "events/%012d/%012d_worker_0.tfevents", 9, 9));
    uint8_t *bytes = get_file(path, &n);
    put_file(path, bytes, 10);
    put_file(in(l, "events/%012d/%012d_worker_0.tfevents", 4, 4), bytes, 10);
    read_all(l);
    struct sm_trial_seen seen = sm_trial_seen(l->trial);
    assert_int_equal(seen.read, 8 * TENSORS);
    assert_int_equal(seen.failed, 2 * TENSORS);
    assert_true(has_problem(l, "000000000004_worker_0", ""));
    assert_false(has_problem(l, "000000000009_worker_0", "")); /* it may still grow */
    unsigned long before = sm_source_read_count();
    read_all(l);
    assert_int_equal(sm_source_read_count(), before);
    put_file(path, bytes, n); /* it is complete later */
    write_values(l, "worker_0", 10, SM_MODE_TRAIN, 1, 1);
    live_beat(l);
    read_all(l);
    seen = sm_trial_seen(l->trial);
    assert_int_equal(seen.read, 10 * TENSORS);
    assert_int_equal(seen.failed, TENSORS);
    free(bytes);
}

/* What a restarted run writes again goes with its briefs. */
static void test_a_run_that_continues_at_a_lower_step(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    for (int i = 0; i < 10; i++)
        add_record(&bytes, "loss", i, (float)i);
    write_run_of(l, &bytes, 1);
    live_open(l);
    read_all(l);
    sm_str_truncate(&bytes, 0);
    for (int i = 5; i < 7; i++)
        add_record(&bytes, "loss", i, 100 + (float)i);
    write_run_of(l, &bytes, 2);
    live_beat(l);
    read_all(l);
    const struct sm_trial_tensor *x = tensor(l, "loss");
    struct sm_trial_seen seen = sm_trial_seen(l->trial);
    assert_int_equal(seen.values, x->n_entries);
    assert_int_equal(seen.read, x->n_entries);
    assert_int_equal(seen.asked, 0);
    for (size_t i = 0; i < x->n_entries; i++) {
        int64_t step = sm_tensor_part(l->trial, x, i)->step.n;
        struct sm_entry e = sm_tensor_entry(l->trial, x, i), current = value_at(l, "loss", step);
        struct sm_brief b = sm_trial_brief(l->trial, &e);
        if (sm_entry_same(&e, &current))
            assert_true(sm_brief_mean(&b) == scalar_value(l, "loss", step));
    }
    sm_str_clear(&bytes);
}

/* ---- scalars ---- */

/* More than the order of writing can tell apart. */
static void test_many_scalars_of_one_step(void **state)
{
    enum { VALUES = UINT16_MAX + 200 };
    struct live *l = *state;
    struct sm_str bytes = {0};
    for (int i = 0; i < VALUES; i++)
        add_record(&bytes, "loss", 0, (float)i);
    write_run_of(l, &bytes, 1);
    live_open(l);
    const struct sm_trial_tensor *x = tensor(l, "loss");
    assert_int_equal(x->n_entries, VALUES);
    for (size_t i = 0; i < x->n_entries; i++) {
        struct sm_entry e = sm_tensor_entry(l->trial, x, i);
        struct sm_brief b = sm_trial_brief(l->trial, &e);
        assert_true(b.flags & SM_BRIEF_READ && sm_brief_mean(&b) == (double)i);
    }
    sm_str_clear(&bytes);
}

static struct sm_series read_loss(struct live *l, struct sm_err *err)
{
    struct sm_series series = {0};
    const struct sm_series_spec spec = {
        .tensor = tensor(l, "loss")->name, .mode = SM_MODE_ANY, .worker = SM_WORKER_ANY};
    for (int i = 0; i < 100 && !sm_series_read(l->fetch, l->trial, &spec, &series, err); i++) {
        if (err->code != SM_ERR_WAIT)
            break;
        live_settle(l);
    }
    return series;
}

static void test_a_scalar_series_needs_no_nodes(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    write_trial(l, 300, 1, (struct odd){"", 0, 0, 0});
    live_open(l);
    sm_fetch_budget(l->fetch, 1 << 10);
    sm_fetch_begin(l->fetch);
    struct sm_series series = read_loss(l, &err);
    assert_int_equal(series.n, 300);
    for (size_t i = 0; i < series.n; i++)
        assert_true(series.points[i].known &&
                    series.points[i].value == (double)(1.0f + 0.001f * (float)(i % 7)) &&
                    series.points[i].dtype == SM_DTYPE_FLOAT32 && series.points[i].time > 1e9);
    assert_int_equal(sm_fetch_memory(l->fetch), 0);
    sm_fetch_end(l->fetch);
    assert_int_equal(sizeof(struct sm_brief), 24);
    sm_series_clear(&series);
}

/* What a command has requested is not looked at again and again when memory is short. */
static void test_evicting_does_not_walk_over_a_command(void **state)
{
    struct live *l = *state;
    struct sm_cache c = {.budget = 1 << 20};
    enum { NODES = 20000 };
    sm_cache_begin(&c);
    for (uint64_t i = 0; i < NODES; i++) {
        struct sm_entry e = {.offset = 64 * i, .length = 64};
        assert_non_null(sm_cache_node(&c, (struct sm_trial *)(void *)l, &e));
        if (i % 10 == 0) {
            sm_clock_advance(7 * HEARTBEAT_US);
            sm_cache_tick(&c);
            sm_cache_evict(&c);
        }
    }
    assert_int_equal(c.n_nodes, NODES);
    assert_in_range(c.walked, 0, NODES);
    sm_cache_end(&c);
    sm_clock_advance(7 * HEARTBEAT_US);
    sm_cache_evict(&c);
    assert_true(c.used <= c.budget);
    sm_cache_clear(&c);
}

/* A record with several values is parsed once for all of them, also if one tensor was asked for. */
static void test_values_of_one_record(void **state)
{
    enum { TAGS = 30, RECORDS = 40 };
    struct live *l = *state;
    static struct sm_event_value values[TAGS];
    static char tags[TAGS][16];
    struct sm_str bytes = {0};
    struct sm_err err;
    for (int s = 0; s < RECORDS; s++) {
        struct sm_str payload = {0};
        for (int i = 0; i < TAGS; i++) {
            snprintf(tags[i], sizeof tags[i], "tag%d", i);
            values[i] = (struct sm_event_value){
                .tag = sm_text(tags[i]), .kind = SM_VALUE_SCALAR, .simple = (float)(100 * i + s)};
        }
        struct sm_event e = {.wall_time = 1e9 + s, .step = s, .values = values, .n_values = TAGS};
        assert_true(sm_event_write(&payload, &e, &err));
        sm_frame_write(&bytes, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
        sm_str_clear(&payload);
    }
    write_run_of(l, &bytes, 1);
    sm_str_clear(&bytes);
    live_open(l);
    while (!sm_fetch_all(l->fetch, l->trial, tensor(l, "tag7"), &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    for (int i = 0; i < TAGS; i++) {
        const struct sm_trial_tensor *x = tensor(l, tags[i]);
        assert_int_equal(x->n_entries, RECORDS);
        assert_int_equal(x->unsettled, 0);
        struct sm_brief b =
            sm_trial_brief(l->trial, (struct sm_entry[]){sm_tensor_entry(l->trial, x, 9)});
        assert_true(sm_dtype_load((enum sm_dtype)b.dtype, b.first) == 100 * i + 9);
    }
}

#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_one_bad_step_is_in_the_trend),
        T(test_of_any_worker_and_mode),
        T(test_a_spike_of_another_worker),
        T(test_nothing_is_read_twice),
        T(test_tensors_of_one_file),
        T(test_tensors_of_files_of_their_own),
        T(test_a_growing_run),
        T(test_a_limit_in_the_background),
        T(test_a_command_that_is_cancelled),
        T(test_values_that_cannot_be_read),
        T(test_a_run_that_continues_at_a_lower_step),
        T(test_many_scalars_of_one_step),
        T(test_a_scalar_series_needs_no_nodes),
        T(test_evicting_does_not_walk_over_a_command),
        T(test_values_of_one_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
