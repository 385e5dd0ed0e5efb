/* SPDX-License-Identifier: Apache-2.0 */
/* Values on request: known ones at once, others through jobs, never twice at a time, within a
 * budget. */
#include "tests/reader/live.h"

#include <zstd.h>

static const struct sm_facts *fetch_head(struct live *l, const struct sm_entry *e)
{
    const struct sm_facts *facts = NULL;
    struct sm_err err;
    if (!sm_fetch_head(l->fetch, l->trial, e, &facts, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
        if (!sm_fetch_head(l->fetch, l->trial, e, &facts, &err))
            fail_msg("%s", err.msg);
    }
    return facts;
}

static const struct sm_facts *fetch_stats(struct live *l, const struct sm_entry *e)
{
    const struct sm_facts *facts = NULL;
    struct sm_err err;
    if (!sm_fetch_stats(l->fetch, l->trial, e, &facts, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
        if (!sm_fetch_stats(l->fetch, l->trial, e, &facts, &err))
            fail_msg("%s", err.msg);
    }
    return facts;
}

static struct sm_tensor *fetch_payload(struct live *l, const struct sm_entry *e)
{
    struct sm_tensor *t = NULL;
    struct sm_err err;
    if (!sm_fetch_tensor(l->fetch, l->trial, e, &t, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
        if (!sm_fetch_tensor(l->fetch, l->trial, e, &t, &err))
            fail_msg("%s", err.msg);
    }
    return t;
}

static void assert_near(double a, double b)
{
    if (!(a - b <= 1e-6 && b - a <= 1e-6))
        fail_msg("%.17g is not %.17g", a, b);
}

static void test_the_whole_of_a_value(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_healthy");
    struct sm_entry e = value_at(l, "CNN_conv0.weight", 0);
    struct sm_tensor *t = fetch_payload(l, &e);
    assert_int_equal(t->n, 100);
    assert_int_equal(t->n_dims, 4);
    assert_int_equal(t->dims[3], 5);
    assert_near(sm_dtype_load(t->dtype, t->data), 0.09844841063022614);
    assert_near(sm_dtype_load(t->dtype, t->data + 99 * 4), -0.5278293490409851);
    assert_int_equal(t->crc, SM_CRC_UNWRITTEN);
    sm_tensor_unref(t);
    const struct sm_facts *facts = fetch_stats(l, &e); /* came with the payload */
    assert_near(facts->stats.min, -0.5622828006744385);
    assert_near(facts->stats.l1, 20.32556686422322);
    assert_int_equal(facts->dims[0], 4);
}

static void test_a_head_reads_little(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_reductions");
    struct sm_entry e = value_at(l, "relu0_output_0", 0);
    assert_int_equal(e.length, 18612);
    const struct sm_facts *facts = fetch_head(l, &e);
    assert_int_equal(facts->dtype, SM_DTYPE_FLOAT32);
    assert_int_equal(facts->n, 4608);
    assert_int_equal(facts->n_dims, 4);
    assert_int_equal(facts->dims[2], 12);
    assert_int_equal(facts->content_bytes, 18432);
    assert_int_equal(facts->crc, SM_CRC_UNWRITTEN);
    assert_false(facts->whole);
    assert_false(facts->has_stats);
    facts = fetch_stats(l, &e);
    assert_true(facts->whole && facts->has_stats);
    assert_int_equal(facts->stats.zero, 2289);
    assert_int_equal(facts->n_dims, 4);
}

static void test_a_string(void **state)
{
    struct live *l = *state;
    open_shipped(l, "xgb_classifier");
    struct sm_entry e = value_at(l, "hyperparameters/objective", 0);
    struct sm_tensor *t = fetch_payload(l, &e);
    assert_int_equal(t->dtype, SM_DTYPE_STRING);
    assert_true(sm_text_is(t->strings[0], "multi:softprob"));
    sm_tensor_unref(t);
    const struct sm_facts *facts = fetch_stats(l, &e); /* an answer, although there are no numbers
                                                        */
    assert_true(facts->whole);
    assert_false(facts->has_stats);
    assert_int_equal(fetch_head(l, &e)->dtype, SM_DTYPE_STRING);
}

static void test_asked_again_it_is_read_once(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_entry e = value_at(l, "CNN_conv0.weight", 0);
    for (int i = 0; i < 5; i++)
        assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
    assert_false(sm_fetch_head(l->fetch, l->trial, &e, &facts, &err));
    assert_int_equal(sm_fetch_open(l->fetch), 1);
    unsigned long before = sm_source_read_count();
    live_settle(l);
    /* one record: opened by the compressed source and the one below, read */
    assert_int_equal(sm_source_read_count() - before, 3);
    before = sm_source_read_count();
    fetch_stats(l, &e);
    fetch_head(l, &e);
    assert_int_equal(sm_source_read_count(), before);
    assert_int_equal(sm_fetch_open(l->fetch), 0);
}

static void test_values_of_one_file_share_a_job(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    size_t n = sm_trial_tensor_count(l->trial), asked = 0;
    for (size_t i = 0; i < n; i++) {
        struct sm_entry e = sm_trial_entry(l->trial, sm_trial_tensor(l->trial, i),
                                           (struct sm_step){0}, SM_WORKER_ANY, SM_ENTRY_VALUE, 0);
        asked += sm_entry_exists(&e) && !sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err);
    }
    assert_int_equal(asked, 29);
    sm_fetch_pump(l->fetch);
    assert_int_equal(sm_pool_pending(l->pool), 1);
    live_settle(l);
}

static void test_a_file_is_opened_once_whatever_the_order_of_asking(void **state)
{
    static const char *const names[] = {"weight", "loss"};
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 5; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 5; i++)
                assert_true(sm_fetch_stats(l->fetch, l->trial,
                                           (struct sm_entry[]){value_at(l, names[k], i)}, &facts,
                                           &err) == round);
        unsigned long before = sm_source_read_count();
        live_settle(l);
        if (!round)
            /* opened by two sources; read at once */
            assert_int_equal(sm_source_read_count() - before, 5 * 2 + 5);
    }
}

static void test_many_requests_are_few_jobs(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "many_steps");
    for (size_t i = 0; i < sm_trial_tensor_count(l->trial); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(l->trial, i);
        for (size_t k = 0; k < x->n_entries; k++)
            sm_fetch_stats(l->fetch, l->trial, (struct sm_entry[]){sm_tensor_entry(l->trial, x, k)},
                           &facts, &err);
    }
    assert_true(sm_fetch_open(l->fetch) > 10000);
    sm_fetch_pump(l->fetch);
    assert_in_range(sm_pool_pending(l->pool), 1, 8);
    live_settle(l);
    assert_int_equal(sm_fetch_open(l->fetch), 0);
    assert_true(sm_fetch_stats(
        l->fetch, l->trial,
        (struct sm_entry[]){sm_tensor_entry(l->trial, sm_trial_tensor(l->trial, 7), 99)}, &facts,
        &err));
}

/* In sequence through a buffer that the worker keeps: it fits, is too small, is larger than
 * necessary. */
static void test_large_records_do_not_mix(void **state)
{
    struct live *l = *state;
    static const size_t sizes[] = {50000, 20000, 90000, 30000};
    char name[16];
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, 0, 1, 0, &err));
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "large%d", i);
        put_tensor(w, name, (float)(i + 1), sizes[i]);
    }
    assert_true(sm_writer_end_step(w, &err));
    write_collections(l, "worker_0", 1);
    sm_writer_close(w);
    live_open(l);
    const struct sm_facts *facts;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4; i++) {
            snprintf(name, sizeof name, "large%d", i);
            bool known = sm_fetch_stats(l->fetch, l->trial,
                                        (struct sm_entry[]){value_at(l, name, 0)}, &facts, &err);
            assert_true(known == round);
            if (known) {
                assert_int_equal(facts->n, sizes[i]);
                assert_near(facts->stats.mean, i + 1);
                assert_near(facts->stats.variance, 0);
            }
        }
        live_settle(l);
    }
}

static void compress_file(const char *path)
{
    char packed_path[600];
    size_t n;
    void *bytes = get_file(path, &n), *packed = malloc(ZSTD_compressBound(n));
    size_t packed_bytes = ZSTD_compress(packed, ZSTD_compressBound(n), bytes, n, 3);
    assert_false(ZSTD_isError(packed_bytes));
    snprintf(packed_path, sizeof packed_path, "%s.zst", path);
    put_file(packed_path, packed, packed_bytes);
    unlink(path);
    free(bytes);
    free(packed);
}

static void test_a_compressed_file_is_no_problem(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 3; i++)
        write_step(l, "worker_0", i);
    compress_file(in(l, "events/000000000001/000000000001_worker_0.tfevents"));
    live_open(l);
    for (int i = 0; i < 3; i++)
        assert_true(fetch_stats(l, (struct sm_entry[]){value_at(l, "loss", i)})->stats.mean == i);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

/* ---- commands ---- */

static void test_a_command_goes_first_and_is_dropped_at_its_end(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_entry pane = value_at(l, "CNN_conv0.weight", 0),
                    command = value_at(l, "CNN_conv1.weight", 0);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &pane, &facts, &err));
    assert_false(sm_fetch_busy(l->fetch));
    sm_fetch_begin(l->fetch);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &command, &facts, &err));
    assert_true(sm_fetch_busy(l->fetch));
    sm_fetch_pump(l->fetch);
    sm_pool_collect(l->pool, 1); /* one job */
    assert_true(sm_fetch_stats(l->fetch, l->trial, &command, &facts, &err));
    assert_false(sm_fetch_busy(l->fetch));
    assert_false(sm_fetch_stats(
        l->fetch, l->trial, (struct sm_entry[]){value_at(l, "CNN_fc0.weight", 0)}, &facts, &err));
    sm_fetch_end(l->fetch);
    assert_false(sm_fetch_busy(l->fetch));
    live_settle(l);
    assert_true(sm_fetch_stats(l->fetch, l->trial, &pane, &facts, &err));
    assert_false(sm_fetch_stats(
        l->fetch, l->trial, (struct sm_entry[]){value_at(l, "CNN_fc0.weight", 0)}, &facts, &err));
}

/* What goes on in the background while a command waits takes nothing away from it. */
static void test_background_releases_nothing_of_a_command(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_entry command = value_at(l, "CNN_conv1.weight", 0);
    sm_fetch_begin(l->fetch);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &command, &facts, &err));
    sm_fetch_set_background(l->fetch, true);
    sm_fetch_release(l->fetch);
    sm_fetch_set_background(l->fetch, false);
    assert_true(sm_fetch_busy(l->fetch));
    sm_fetch_release(l->fetch); /* of the command itself: it wants no answer any more */
    assert_false(sm_fetch_busy(l->fetch));
    sm_fetch_end(l->fetch);
    live_settle(l);
}

/* Rules request the whole history: requests of the screen do not wait for those. */
static void test_a_pane_goes_before_what_is_asked_aside(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "many_steps");
    sm_fetch_set_background(l->fetch, true);
    for (size_t i = 0; i < sm_trial_tensor_count(l->trial); i++)
        for (size_t k = 0; k < sm_trial_tensor(l->trial, i)->n_entries; k++)
            sm_fetch_stats(
                l->fetch, l->trial,
                (struct sm_entry[]){sm_tensor_entry(l->trial, sm_trial_tensor(l->trial, i), k)},
                &facts, &err);
    struct sm_entry asked_twice = value_at(l, "MLP_fc0.weight", 1195),
                    pane = value_at(l, "MLP_fc1.weight", 1190);
    sm_fetch_set_background(l->fetch, false);
    sm_fetch_pump(l->fetch); /* the background's maximum of jobs is in flight */
    size_t aside = sm_fetch_open(l->fetch);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &asked_twice, &facts, &err));
    assert_false(sm_fetch_stats(l->fetch, l->trial, &pane, &facts, &err));
    assert_false(sm_fetch_busy(l->fetch));
    sm_fetch_pump(l->fetch);
    sm_pool_collect(l->pool, 1); /* one job */
    assert_true(sm_fetch_stats(l->fetch, l->trial, &pane, &facts, &err));
    assert_true(sm_fetch_stats(l->fetch, l->trial, &asked_twice, &facts, &err));
    assert_in_range(sm_fetch_open(l->fetch), aside - 2, aside);
    live_settle(l);
}

static void test_what_a_pane_waits_for_a_command_can_hurry(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_entry other = value_at(l, "CNN_conv0.weight", 0),
                    e = value_at(l, "CNN_conv1.weight", 10);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &other, &facts, &err));
    assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
    sm_fetch_begin(l->fetch);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
    assert_int_equal(sm_fetch_open(l->fetch), 2);
    assert_true(sm_fetch_busy(l->fetch));
    sm_fetch_pump(l->fetch);
    sm_pool_collect(l->pool, 1);
    assert_true(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
    sm_fetch_end(l->fetch);
    live_settle(l);
}

/* ---- the budget ---- */

enum { BIG = 100000 }; /* elements: 400 KB */

static void write_big_step(struct live *l, int64_t step)
{
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
    put_tensor(w, "big", (float)step, BIG);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static void open_big(struct live *l, int steps, size_t budget)
{
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < steps; i++)
        write_big_step(l, i);
    live_open(l);
    sm_fetch_budget(l->fetch, budget);
}

/* whether its payload is cached, without requesting it */
static bool is_cached(struct live *l, int64_t step)
{
    size_t open = sm_fetch_open(l->fetch);
    struct sm_tensor *t;
    struct sm_err err;
    if (sm_fetch_tensor(l->fetch, l->trial, (struct sm_entry[]){value_at(l, "big", step)}, &t,
                        &err)) {
        sm_tensor_unref(t);
        return true;
    }
    assert_int_equal(sm_fetch_open(l->fetch), open + 1);
    sm_fetch_begin(l->fetch); /* cancels the request, like a command that ends */
    sm_fetch_tensor(l->fetch, l->trial, (struct sm_entry[]){value_at(l, "big", step)}, &t, &err);
    sm_fetch_end(l->fetch);
    return false;
}

static void test_old_payloads_make_room(void **state)
{
    struct live *l = *state;
    open_big(l, 10, 1 << 20);
    for (int i = 0; i < 10; i++) {
        fetch_stats(l, (struct sm_entry[]){value_at(l, "big", i)});
        sm_tensor_unref(fetch_payload(l, (struct sm_entry[]){value_at(l, "big", i)}));
        sm_clock_advance(2 * HEARTBEAT_US);
    }
    sm_fetch_pump(l->fetch);
    assert_in_range(sm_fetch_memory(l->fetch), BIG * 4, 1 << 20);
    assert_true(is_cached(l, 9));
    assert_false(is_cached(l, 0));
    unsigned long before = sm_source_read_count();
    for (int i = 0; i < 10; i++)
        assert_true(fetch_stats(l, (struct sm_entry[]){value_at(l, "big", i)})->stats.mean ==
                    i); /* small: kept */
    assert_int_equal(sm_source_read_count(), before);
}

static void test_statistics_of_a_payload_that_is_there(void **state)
{
    struct live *l = *state;
    open_big(l, 1, 1 << 20);
    struct sm_entry e = value_at(l, "big", 0);
    sm_tensor_unref(fetch_payload(l, &e));
    unsigned long before = sm_source_read_count();
    assert_int_equal(fetch_stats(l, &e)->stats.n, BIG);
    assert_true(fetch_stats(l, &e)->has_stats);
    assert_int_equal(sm_source_read_count(), before);
    assert_true(is_cached(l, 0));
}

static void test_a_payload_beyond_the_budget_is_given_all_the_same(void **state)
{
    struct live *l = *state;
    open_big(l, 1, 1000);
    struct sm_tensor *t = fetch_payload(l, (struct sm_entry[]){value_at(l, "big", 0)});
    assert_int_equal(t->n, BIG);
    sm_clock_advance(10 * HEARTBEAT_US);
    sm_fetch_pump(l->fetch);
    assert_in_range(sm_fetch_memory(l->fetch), 0, 1000);
    /* valid as long as we hold the reference */
    assert_true(sm_dtype_load(t->dtype, t->data) == 0.0);
    sm_tensor_unref(t);
}

static void test_a_command_keeps_what_it_asked_for(void **state)
{
    struct live *l = *state;
    struct sm_tensor *t;
    struct sm_err err;
    open_big(l, 6, 1 << 20);
    sm_fetch_begin(l->fetch);
    for (int round = 0; round < 8; round++) {
        int known = 0;
        for (int i = 0; i < 6; i++)
            if (sm_fetch_tensor(l->fetch, l->trial, (struct sm_entry[]){value_at(l, "big", i)}, &t,
                                &err)) {
                sm_tensor_unref(t);
                known++;
            }
        if (known == 6)
            break;
        assert_true(round < 7);
        sm_clock_advance(10 * HEARTBEAT_US);
        live_settle(l);
    }
    assert_true(sm_fetch_memory(l->fetch) > 6 * BIG * 4);
    sm_clock_advance(10 * HEARTBEAT_US);
    sm_fetch_end(l->fetch);
    assert_true(sm_fetch_memory(l->fetch) <= 1 << 20);
}

static void test_a_pane_gets_further_with_any_budget(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "many_steps");
    sm_fetch_budget(l->fetch, 1);
    const struct sm_trial_tensor *x = tensor(l, "CrossEntropyLoss_output_0");
    for (int frame = 0; frame < 3; frame++) {
        size_t known = 0;
        for (size_t i = 0; i < x->n_entries; i++)
            known +=
                sm_fetch_stats(l->fetch, l->trial,
                               (struct sm_entry[]){sm_tensor_entry(l->trial, x, i)}, &facts, &err);
        if (frame)
            assert_int_equal(known, 240);
        live_settle(l);
        sm_clock_advance(50000);
    }
    sm_clock_advance(10 * HEARTBEAT_US);
    sm_fetch_pump(l->fetch);
    assert_int_equal(sm_fetch_memory(l->fetch), 0);
}

/* ---- failures ---- */

static void test_a_failure_is_remembered_until_there_is_news(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 3; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    assert_int_equal(rename(in(l, "events/000000000001"), in(l, "aside")), 0);
    assert_false(mean_at(l, "loss", 1, &mean, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
    assert_true(has_problem(l, "000000000001_worker_0.tfevents", ""));
    unsigned long before = sm_source_read_count();
    for (int i = 0; i < 5; i++)
        assert_false(mean_at(l, "loss", 1, &mean, &err));
    assert_int_equal(sm_source_read_count(), before);
    assert_int_equal(rename(in(l, "aside"), in(l, "events/000000000001")), 0);
    assert_false(mean_at(l, "loss", 1, &mean, &err));
    write_step(l, "worker_0", 3);
    live_settle(l);
    assert_true(mean_at(l, "loss", 1, &mean, &err));
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
}

static void test_two_broken_records_do_not_wake_each_other(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 3; i++)
        write_step(l, "worker_0", i);
    write_end(l);
    live_open(l);
    remove_tree(in(l, "events"));
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < 3; i++)
            assert_false(mean_at(l, "loss", i, &mean, &err));
    assert_int_equal(sm_trial_problems(l->trial)->total, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(sm_trial_problems(l->trial)->items[i].times, 1);
}

static void test_refresh_tries_again(void **state)
{
    struct live *l = *state;
    double mean;
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    write_end(l);
    live_open(l);
    assert_int_equal(rename(in(l, "events"), in(l, "aside")), 0);
    assert_false(mean_at(l, "loss", 0, &mean, &err));
    assert_int_equal(rename(in(l, "aside"), in(l, "events")), 0);
    sm_trial_refresh(l->trial);
    live_settle(l);
    assert_true(mean_at(l, "loss", 0, &mean, &err));
}

static void test_lengths_that_disagree(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_entry e = value_at(l, "CNN_conv0.weight", 0);
    for (int i = 0; i < 3; i++) {
        e.length = i == 0 ? e.length + 1 : i == 1 ? 15 : UINT64_MAX;
        assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
        live_settle(l);
        assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
        assert_int_equal(err.code, SM_ERR_DATA);
    }
    e = value_at(l, "CNN_conv0.weight", 0);
    e.offset = ((uint64_t)1 << SM_INDEX_OFFSET_BITS) - 100;
    e.length = (uint64_t)1 << 33;
    assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
    live_settle(l);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
    assert_int_equal(err.code, SM_ERR_DATA);
}

static void test_a_checksum_that_is_wrong(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    size_t n;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    const struct sm_entry e = value_at(l, "loss", 0);
    char path[512];
    snprintf(path, sizeof path, "%s", in(l, "events/000000000000/000000000000_worker_0.tfevents"));
    uint8_t *bytes = get_file(path, &n);
    bytes[e.offset + e.length - 1] ^= 1; /* the footer is neither the constant nor correct */
    put_file(path, bytes, n);
    const struct sm_facts *facts = fetch_stats(l, &e);
    assert_int_equal(facts->crc, SM_CRC_BAD);
    assert_true(facts->stats.mean == 0.0); /* shown nevertheless */
    assert_true(has_problem(l, "tfevents", "checksum"));
    sm_fetch_forget(l->fetch, l->trial);
    sm_fetch_checksum(l->fetch, SM_CHECKSUM_OFF);
    assert_int_equal(fetch_stats(l, &e)->crc, SM_CRC_UNCHECKED);
    (void)err;
    free(bytes);
}

static void test_full_checksums_read_the_whole_for_a_head(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_reductions");
    sm_fetch_checksum(l->fetch, SM_CHECKSUM_FULL);
    assert_true(fetch_head(l, (struct sm_entry[]){value_at(l, "relu0_output_0", 0)})->whole);
}

static void test_a_disk_that_refuses(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_entry e = value_at(l, "CNN_conv0.weight", 0);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
    sm_source_fail_read_at(1);
    live_settle(l);
    sm_source_fail_read_at(0);
    assert_false(sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err));
    assert_int_equal(err.code, SM_ERR_IO);
    assert_true(has_problem(l, "tfevents", "injected"));
}

static void test_no_memory_is_no_state(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_entry e = value_at(l, "CNN_conv0.weight", 0);
    for (unsigned long n = 1; n < 12; n++) {
        sm_fetch_begin(l->fetch);
        sm_mem_fail_at(n);
        bool known = sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err);
        live_settle(l);
        sm_mem_fail_at(0);
        if (!known && !sm_fetch_stats(l->fetch, l->trial, &e, &facts, &err))
            assert_true(err.code == SM_ERR_MEMORY || err.code == SM_ERR_WAIT);
        sm_fetch_end(l->fetch);
        live_settle(l);
    }
    assert_near(fetch_stats(l, &e)->stats.min, -0.5622828006744385);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

/* ---- leaving ---- */

static void test_forgetting_while_it_is_read(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    assert_false(sm_fetch_stats(
        l->fetch, l->trial, (struct sm_entry[]){value_at(l, "CNN_conv0.weight", 0)}, &facts, &err));
    sm_fetch_pump(l->fetch);
    assert_false(sm_fetch_stats(
        l->fetch, l->trial, (struct sm_entry[]){value_at(l, "CNN_conv1.weight", 0)}, &facts, &err));
    live_close(l);
    assert_int_equal(sm_fetch_memory(l->fetch), 0);
    assert_int_equal(sm_fetch_open(l->fetch), 0);
}

static void test_freeing_while_it_is_read(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    assert_false(sm_fetch_stats(
        l->fetch, l->trial, (struct sm_entry[]){value_at(l, "CNN_conv0.weight", 0)}, &facts, &err));
    sm_fetch_pump(l->fetch);
    sm_fetch_free(l->fetch);
    l->fetch = sm_fetch_new(l->pool, 1 << 20, &err);
    assert_non_null(l->fetch);
}

static void test_two_workers_threads(void **state)
{
    struct live *l = *state;
    const struct sm_facts *facts;
    struct sm_err err;
    open_shipped(l, "many_steps");
    struct sm_pool *pool = sm_pool_new(2, 0, &err);
    struct sm_fetch *fetch = sm_fetch_new(pool, 64 << 20, &err);
    size_t known = 0, all = 0;
    do {
        known = all = 0;
        for (size_t i = 0; i < 10; i++) {
            const struct sm_trial_tensor *x = sm_trial_tensor(l->trial, i);
            for (size_t k = 0; k < x->n_entries; k++, all++)
                known += sm_fetch_stats(fetch, l->trial,
                                        (struct sm_entry[]){sm_tensor_entry(l->trial, x, k)},
                                        &facts, &err);
        }
        sm_fetch_pump(fetch);
        sm_pool_wait(pool);
        sm_pool_collect(pool, SIZE_MAX);
    } while (known < all);
    assert_true(all > 2000);
    sm_fetch_free(fetch);
    sm_pool_free(pool);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_the_whole_of_a_value),
        T(test_a_head_reads_little),
        T(test_a_string),
        T(test_asked_again_it_is_read_once),
        T(test_values_of_one_file_share_a_job),
        T(test_a_file_is_opened_once_whatever_the_order_of_asking),
        T(test_many_requests_are_few_jobs),
        T(test_large_records_do_not_mix),
        T(test_a_compressed_file_is_no_problem),
        T(test_a_command_goes_first_and_is_dropped_at_its_end),
        T(test_a_pane_goes_before_what_is_asked_aside),
        T(test_background_releases_nothing_of_a_command),
        T(test_what_a_pane_waits_for_a_command_can_hurry),
        T(test_old_payloads_make_room),
        T(test_statistics_of_a_payload_that_is_there),
        T(test_a_payload_beyond_the_budget_is_given_all_the_same),
        T(test_a_command_keeps_what_it_asked_for),
        T(test_a_pane_gets_further_with_any_budget),
        T(test_a_failure_is_remembered_until_there_is_news),
        T(test_two_broken_records_do_not_wake_each_other),
        T(test_refresh_tries_again),
        T(test_lengths_that_disagree),
        T(test_a_checksum_that_is_wrong),
        T(test_full_checksums_read_the_whole_for_a_head),
        T(test_a_disk_that_refuses),
        T(test_no_memory_is_no_state),
        T(test_forgetting_while_it_is_read),
        T(test_freeing_while_it_is_read),
        T(test_two_workers_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
