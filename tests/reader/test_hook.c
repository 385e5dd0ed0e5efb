/* SPDX-License-Identifier: Apache-2.0 */
/* What the hook writes is read back equal, and only what was requested is written. */
#include "tests/reader/live.h"

#include "reader/hook/hook_private.h"
#include "reader/tensor/statistic_list.h"

#include <dirent.h>
#include <math.h>

static const int64_t shape[2] = {2, 3};
static const float values[6] = {0, 1, 2, 3, 4, -5};

static smdbg_hook *open_hook(struct live *l)
{
    smdbg_hook *h = smdbg_hook_new(l->path);
    assert_non_null(h);
    return h;
}

static void close_and_open_trial(struct live *l, smdbg_hook *h)
{
    assert_string_equal(smdbg_hook_error(h), "");
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void put_values(smdbg_hook *h, const char *name)
{
    assert_int_equal(smdbg_hook_save(h, name, SMDBG_FLOAT32, 2, shape, NULL, values), 0);
}

static struct sm_tensor *saved_value(struct live *l, const char *name, int64_t step)
{
    struct sm_err err;
    struct sm_tensor *t = NULL;
    struct sm_entry e = value_at(l, name, step);
    while (!sm_fetch_tensor(l->fetch, l->trial, &e, &t, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    return t;
}

static void test_intervals_and_modes(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    assert_int_equal(smdbg_hook_set(h, "save_interval", "10"), 0);
    assert_int_equal(smdbg_hook_set(h, "eval.save_interval", "2"), 0);
    assert_int_equal(smdbg_hook_set(h, "train.end_step", "20"), 0);
    assert_int_equal(smdbg_hook_set(h, "save_steps", "13"), 0);
    assert_int_equal(smdbg_collection_save(h, "weights"), 0);
    for (int i = 0; i < 30; i++) {
        assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), 0);
        put_values(h, "conv0_weight");
        assert_int_equal(smdbg_hook_selects(h, "gradient/conv0_weight"), 0); /* not requested */
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(smdbg_hook_step(h, SMDBG_EVAL), 0);
        put_values(h, "conv0_weight");
    }
    close_and_open_trial(l, h);
    assert_string_equal(steps_text(l), "0 10 13 30 32 34");
    assert_int_equal(sm_trial_step(l->trial, 5)->mode, SM_MODE_EVAL);
    assert_int_equal(sm_trial_step(l->trial, 5)->mode_step.n, 4);
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
}

static void test_values_come_back(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    static const int64_t turned_shape[2] = {3, 2};
    smdbg_hook_set(h, "save_all", "true");
    smdbg_hook_step(h, SMDBG_GLOBAL);
    put_values(h, "plain");
    assert_int_equal(smdbg_hook_save(h, "turned", SMDBG_FLOAT32, 2, turned_shape,
                                     (const int64_t[]){4, 12}, values),
                     0);
    assert_int_equal(smdbg_hook_save(h, "scalar", SMDBG_FLOAT32, 0, NULL, NULL, values + 5), 0);
    assert_int_equal(
        smdbg_hook_save(h, "empty", SMDBG_FLOAT32, 1, (const int64_t[]){0}, NULL, values), 0);
    close_and_open_trial(l, h);
    struct sm_tensor *t = saved_value(l, "plain", 0);
    assert_int_equal(t->n_dims, 2);
    assert_memory_equal(t->data, values, sizeof values);
    sm_tensor_unref(t);
    t = saved_value(l, "turned", 0);
    assert_memory_equal(t->data, ((const float[]){0, 3, 1, 4, 2, -5}), sizeof values);
    sm_tensor_unref(t);
    t = saved_value(l, "scalar", 0);
    assert_int_equal(t->n_dims, 0);
    assert_memory_equal(t->data, values + 5, 4);
    sm_tensor_unref(t);
    assert_null(sm_trial_find(l->trial, "empty", 5));
}

static void test_every_type(void **state)
{
    struct live *l = *state;
    uint8_t bytes[4 * 16];
    smdbg_hook *h = open_hook(l);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 2); /* bools are 0 or 1 */
    smdbg_hook_set(h, "save_all", "true");
    smdbg_hook_step(h, SMDBG_TRAIN);
    for (int d = SMDBG_FLOAT16; d <= SMDBG_COMPLEX128; d++)
        assert_int_equal(smdbg_hook_save(h, sm_dtype_info((enum sm_dtype)d)->name, (smdbg_dtype)d,
                                         1, (const int64_t[]){4}, NULL, bytes),
                         0);
    close_and_open_trial(l, h);
    for (int d = SMDBG_FLOAT16; d <= SMDBG_COMPLEX128; d++) {
        struct sm_tensor *t = saved_value(l, sm_dtype_info((enum sm_dtype)d)->name, 0);
        assert_int_equal(t->dtype, d);
        assert_memory_equal(t->data, bytes, 4 * sm_dtype_info((enum sm_dtype)d)->size_bytes);
        sm_tensor_unref(t);
    }
}

static double saved_reduction(struct live *l, const char *name, int code)
{
    struct sm_err err;
    const struct sm_facts *f;
    const struct sm_trial_tensor *x = tensor(l, name);
    struct sm_entry e =
        sm_trial_entry(l->trial, x, (struct sm_step){0}, SM_WORKER_ANY, SM_ENTRY_REDUCTION, code);
    assert_true(sm_entry_exists(&e));
    while (!sm_fetch_stats(l->fetch, l->trial, &e, &f, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    return sm_dtype_load(f->dtype, f->first);
}

static void test_reductions_and_shapes(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    assert_int_equal(smdbg_collection_set(h, "weights", "reductions", "mean,std,abs_max,l2_norm"),
                     0);
    assert_int_equal(smdbg_collection_set(h, "biases", "save_shape", "true"), 0);
    assert_int_equal(smdbg_collection_set(h, "mine", "include_regex", "conv0_w.*,x$"), 0);
    assert_int_equal(smdbg_collection_set(h, "mine", "reductions", "min"), 0);
    smdbg_hook_step(h, SMDBG_TRAIN);
    put_values(h, "conv0_weight");
    put_values(h, "conv0_bias");
    close_and_open_trial(l, h);
    assert_float_equal(saved_reduction(l, "conv0_weight", SM_REDUCE_MEAN), 5.0 / 6, 1e-6);
    /* divided by n - 1 */
    assert_float_equal(saved_reduction(l, "conv0_weight", SM_REDUCE_STD), 3.1885210782848317, 1e-6);
    assert_float_equal(saved_reduction(l, "conv0_weight", SM_REDUCE_ABS | SM_REDUCE_MAX), 5, 0);
    assert_float_equal(saved_reduction(l, "conv0_weight", SM_REDUCE_MIN), -5, 0);
    assert_false(tensor(l, "conv0_weight")->has_value);
    assert_false(tensor(l, "conv0_bias")->has_value);
}

static void test_every_scalar_is_written_at_its_step(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_hook_set(h, "save_interval", "10");
    smdbg_collection_save(h, "weights");
    assert_int_equal(smdbg_hook_scalar(h, "early", 7), 0); /* before the first step */
    for (int i = 0; i < 100; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        put_values(h, "conv0_weight");
        assert_int_equal(smdbg_hook_scalar(h, "loss", i), 0);
    }
    close_and_open_trial(l, h);
    assert_int_equal(sm_trial_step_count(l->trial), 100);
    assert_int_equal(tensor(l, "scalar/loss")->n_entries, 100);
    assert_int_equal(tensor(l, "conv0_weight")->n_entries, 10);
    for (int i = 0; i < 100; i++) {
        struct sm_tensor *t = saved_value(l, "scalar/loss", i);
        assert_float_equal(sm_dtype_load(t->dtype, t->data), i, 0);
        sm_tensor_unref(t);
    }
    struct sm_tensor *t = saved_value(l, "scalar/early", 0);
    assert_float_equal(sm_dtype_load(t->dtype, t->data), 7, 0);
    sm_tensor_unref(t);
}

static void test_scalars_without_a_step(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(smdbg_hook_scalar(h, "loss", i), 0);
    assert_int_equal(smdbg_hook_scalar(h, "loss", 1), -1); /* no more of them are kept */
    assert_non_null(strstr(smdbg_hook_error(h), "first step"));
    assert_int_equal(smdbg_hook_close(h), -1);
    live_open(l);
    assert_string_equal(steps_text(l), "0");
    assert_int_equal(tensor(l, "scalar/loss")->n_entries, 10000);
}

static uint64_t files_below(const char *path)
{
    uint64_t n = 0;
    struct dirent *e;
    DIR *d = opendir(path);
    assert_non_null(d);
    while ((e = readdir(d))) {
        char below[600];
        snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.')
            n += e->d_type == DT_DIR ? files_below(below) : 1;
    }
    closedir(d);
    return n;
}

/* Nothing waits in the memory, and many steps share an event file. */
static void test_many_scalars(void **state)
{
    enum { STEPS = 1000, NAMES = 3 };
    static const char *const names[NAMES] = {"loss", "rate", "norm"};
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_counts counts;
    for (int i = 0; i < STEPS; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        smdbg_hook_counts(h, &counts);
        assert_int_equal(counts.steps, i); /* all steps before this one are written */
        for (int k = 0; k < NAMES; k++)
            assert_int_equal(smdbg_hook_scalar(h, names[k], i + k), 0);
    }
    close_and_open_trial(l, h);
    assert_int_equal(tensor(l, "scalar/norm")->n_entries, STEPS);
    struct sm_tensor *t = saved_value(l, "scalar/norm", 777);
    assert_float_equal(sm_dtype_load(t->dtype, t->data), 779, 0);
    sm_tensor_unref(t);
    assert_in_range(files_below(in(l, "events")), 10, STEPS / 25);
}

/* Their file is read while it grows: what was read of it before stays right. */
static void test_numbers_are_read_while_they_come(void **state)
{
    enum { STEPS = 200, LOOK = 7 };
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    for (int i = 0; i < STEPS; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN); /* the step before is written */
        assert_int_equal(smdbg_hook_scalar(h, "loss", i), 0);
        if (i == 3)
            live_open(l);
        if (i < 3 || i % LOOK)
            continue;
        live_beat(l);
        assert_int_equal(tensor(l, "scalar/loss")->n_entries, i);
        for (int k = i > LOOK ? i - LOOK : 0; k < i; k++) {
            struct sm_tensor *t = saved_value(l, "scalar/loss", k);
            assert_float_equal(sm_dtype_load(t->dtype, t->data), k, 0);
            sm_tensor_unref(t);
        }
    }
    assert_int_equal(smdbg_hook_close(h), 0);
    live_beat(l);
    assert_int_equal(tensor(l, "scalar/loss")->n_entries, STEPS);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void test_wants(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_hook_set(h, "save_interval", "2");
    smdbg_collection_add(h, "mine", "exactly");
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_wants(h, "exactly"), 1);
    assert_int_equal(smdbg_hook_selects(h, "exactly"), 1);
    assert_int_equal(smdbg_hook_wants(h, "conv0_weight"), 0);
    assert_int_equal(smdbg_hook_wants(h, "exactly_not"), 1); /* goes into default */
    assert_int_equal(smdbg_hook_selects(h, "exactly_not"), 0);
    assert_int_equal(smdbg_hook_wants(h, "CrossEntropyLoss_output_0"), 1); /* losses always are */
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_wants(h, "exactly"), 0);
    smdbg_hook_close(h);
}

/* As the original's save_tensor does. */
static void test_a_tensor_of_no_collection(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l); /* no settings at all */
    for (int i = 0; i < 501; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        put_values(h, "anything");
        put_values(h, "conv0_weight"); /* of a built-in collection that nobody has named */
        assert_int_equal(smdbg_hook_save_strings(h, "text", 1, (const char *const[]){"a"}), 0);
    }
    close_and_open_trial(l, h);
    assert_string_equal(steps_text(l), "0 500");
    assert_int_equal(tensor(l, "anything")->n_entries, 2);
    assert_int_equal(tensor(l, "conv0_weight")->n_entries, 2);
    assert_int_equal(tensor(l, "text")->n_entries, 2);
    size_t n;
    char *json = get_file(in(l, "collections/000000000/worker_0_collections.json"), &n);
    const char *at = strstr(json, "\"default\": {");
    assert_non_null(at);
    assert_non_null(strstr(at, "\"tensor_names\": [\"anything\", \"conv0_weight\", \"text\"]"));
    free(json);
}

static void assert_told(smdbg_hook *h, const char *expected)
{
    assert_int_equal(smdbg_hook_flush(h), 0);
    assert_int_equal(smdbg_hook_end(h), -1);
    assert_string_equal(smdbg_hook_error(h), expected);
    assert_int_equal(smdbg_hook_close(h), -1);
}

static void test_what_was_never_saved_is_told(void **state)
{
    static const char *const names[] = {"conv0_bias", "a_bias", "b_bias", "c_bias", "d_bias"};
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_collection_save(h, "weights");
    smdbg_collection_save(h, "wieghts");
    smdbg_collection_set(h, "relu", "include_regex", "rleu");
    smdbg_collection_add(h, "mine", "conv9_weight");
    smdbg_collection_set(h, "never", "start_step", "100"); /* it would not have been saved */
    smdbg_collection_set(h, "never", "include_regex", "x");
    smdbg_hook_step(h, SMDBG_TRAIN);
    put_values(h, "conv0_weight");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put_values(h, names[i]);
    assert_told(h, "never saved, because of collections and steps: conv0_bias, a_bias, b_bias and "
                   "2 more; in a collection, but never given: conv9_weight; collections without "
                   "any tensor: wieghts, relu");
    live_open(l);
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
}

static void test_a_save_before_the_first_step(void **state)
{
    smdbg_hook *h = open_hook(*state);
    for (int i = 0; i < 3; i++) /* told once */
        assert_int_equal(smdbg_hook_save(h, "w", SMDBG_FLOAT32, 2, shape, NULL, values),
                         i ? 0 : -1);
    assert_string_equal(smdbg_hook_error(h),
                        "w: saved before the first step; smdbg_hook_step begins it");
    assert_int_equal(smdbg_hook_close(h), -1);
}

/* smdebug never saves them during evaluation. */
static void test_no_gradients_in_evaluation(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_hook_set(h, "save_interval", "1");
    smdbg_collection_save(h, "gradients");
    smdbg_collection_save(h, "weights");
    for (int mode = SMDBG_TRAIN; mode <= SMDBG_GLOBAL; mode++) {
        smdbg_hook_step(h, (smdbg_mode)mode);
        assert_int_equal(smdbg_hook_wants(h, "gradient/w"),
                         mode == SMDBG_TRAIN || mode == SMDBG_GLOBAL);
        assert_int_equal(smdbg_hook_wants(h, "weight"), 1);
        assert_int_equal(smdbg_hook_wants(h, NULL), 1);
    }
    assert_int_equal(smdbg_hook_close(h), 0);
}

static void test_no_hook_saves_nothing(void **state)
{
    smdbg_counts counts = {.tensors = 1};
    (void)state;
    assert_int_equal(smdbg_hook_set(NULL, "save_all", "true"), -1);
    assert_int_equal(smdbg_collection_save(NULL, "weights"), -1);
    assert_int_equal(smdbg_hook_step(NULL, SMDBG_TRAIN), -1);
    assert_int_equal(smdbg_hook_wants(NULL, "w"), 0);
    assert_int_equal(smdbg_hook_save(NULL, "w", SMDBG_FLOAT32, 2, shape, NULL, values), -1);
    assert_int_equal(smdbg_hook_scalar(NULL, "x", 1), -1);
    assert_int_equal(smdbg_hook_flush(NULL), -1);
    assert_int_equal(smdbg_hook_close(NULL), -1);
    assert_string_equal(smdbg_hook_error(NULL), "no hook");
    smdbg_hook_counts(NULL, &counts);
    assert_int_equal(counts.tensors, 0);
}

/* The original library refuses a collections file with a reduction that it does not know. */
static void test_reductions_in_the_collections_file(void **state)
{
    struct live *l = *state;
    size_t n;
    smdbg_hook *h = open_hook(l);
    assert_int_equal(smdbg_collection_set(h, "a", "reductions",
                                          "median,abs_median,abs_std,l1_norm,mean,abs_l2_norm"),
                     0);
    smdbg_collection_add(h, "a", "w");
    smdbg_collection_set(h, "b", "reductions", "median");
    smdbg_collection_add(h, "b", "v");
    smdbg_hook_step(h, SMDBG_TRAIN);
    put_values(h, "w");
    put_values(h, "v");
    close_and_open_trial(l, h);
    char *json = get_file(in(l, "collections/000000000/worker_0_collections.json"), &n);
    assert_null(strstr(json, "median"));
    assert_non_null(strstr(json, "\"reductions\": \"mean,l1_norm,abs_std,abs_l2_norm\""));
    free(json);
    assert_float_equal(saved_reduction(l, "v", SM_REDUCE_MEDIAN), 1.5, 0);
    assert_float_equal(saved_reduction(l, "w", SM_REDUCE_ABS | SM_REDUCE_MEDIAN), 2.5, 0);
}

/* The limit of the queue is about memory: a number of 8 bytes takes far more. */
static void test_the_cost_of_what_is_queued(void **state)
{
    smdbg_hook *h = open_hook(*state);
    smdbg_hook_step(h, SMDBG_TRAIN);
    for (int i = 0; i < 100; i++)
        smdbg_hook_scalar(h, "a number with a name", i);
    assert_true(h->queue.queued_bytes >= 101 * sizeof(struct hook_item));
    assert_int_equal(smdbg_hook_close(h), 0);
}

static double median_of(struct live *l, const char *reduction_name, const float *x, int64_t n)
{
    smdbg_hook *h = open_hook(l);
    smdbg_hook_set(h, "save_all", "true");
    assert_int_equal(smdbg_hook_set(h, "reductions", reduction_name), 0);
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_save(h, "x", SMDBG_FLOAT32, 1, &n, NULL, x), 0);
    close_and_open_trial(l, h);
    double v =
        saved_reduction(l, "x", sm_reduction_of_name(reduction_name, strlen(reduction_name)));
    live_close(l);
    remove_tree(l->path);
    return v;
}

/* Like numpy.median, infinities included. */
static void test_median(void **state)
{
    struct live *l = *state;
    const float inf = (float)INFINITY;
    assert_float_equal(median_of(l, "median", (const float[]){3, -9, 1}, 3), 1, 0);
    assert_float_equal(median_of(l, "median", (const float[]){3, -9, 1, 2}, 4), 1.5, 0);
    assert_float_equal(median_of(l, "abs_median", (const float[]){3, -9, 1, 2}, 4), 2.5, 0);
    assert_float_equal(median_of(l, "median", (const float[]){-inf, 4, -inf, 8, 9}, 5), 4, 0);
    assert_true(median_of(l, "abs_median", (const float[]){-inf, 4, -inf, 8}, 4) ==
                (double)INFINITY);
    assert_true(isnan(median_of(l, "median", (const float[]){(float)NAN, 4, 5}, 3)));
    assert_float_equal(median_of(l, "median", (const float[]){7}, 1), 7, 0);
}

static void test_only_the_first_worker_writes(void **state)
{
    struct live *l = *state;
    for (int rank = 0; rank < 2; rank++) {
        smdbg_hook *h = open_hook(l);
        smdbg_hook_set(h, "rank", rank ? "1" : "0");
        smdbg_hook_set(h, "world_size", "2");
        smdbg_hook_set(h, "save_all", "true");
        smdbg_hook_step(h, SMDBG_TRAIN);
        put_values(h, "w");
        smdbg_hook_close(h);
    }
    live_open(l);
    assert_int_equal(sm_trial_worker_count(l->trial), 1);
    assert_int_equal(access(in(l, "claim.smd"), F_OK), -1);
}

static void test_all_workers_write(void **state)
{
    struct live *l = *state;
    for (int rank = 0; rank < 2; rank++) {
        smdbg_hook *h = open_hook(l);
        smdbg_hook_set(h, "rank", rank ? "1" : "0");
        smdbg_hook_set(h, "world_size", "2");
        smdbg_hook_set(h, "include_workers", "all");
        smdbg_hook_set(h, "save_all", "true");
        smdbg_hook_step(h, SMDBG_TRAIN);
        put_values(h, "w");
        assert_int_equal(smdbg_hook_close(h), 0);
    }
    live_open(l);
    assert_int_equal(sm_trial_worker_count(l->trial), 2);
    assert_true(sm_trial_step(l->trial, 0)->complete);
}

static void test_bad_settings_are_reported(void **state)
{
    static const struct {
        const char *name, *value, *says;
    } rows[] = {
        {"save_interval", "0", "at least 1"},
        {"save_interval", "x", "not an integer"},
        {"reductions", "maen", "not a reduction"},
        {"save_steps", "1,b", "not a list of steps"},
        {"nosuch", "1", "not a setting"},
        {"include_regex", "(", "not a regular expression"},
        {"save_all", "maybe", "neither true nor false"},
    };
    smdbg_hook *h = open_hook(*state);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(smdbg_hook_set(h, rows[i].name, rows[i].value), -1);
        if (!strstr(smdbg_hook_error(h), rows[i].says))
            fail_msg("%s: %s", rows[i].name, smdbg_hook_error(h));
    }
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_set(h, "save_interval", "5"), -1); /* too late */
    smdbg_hook_close(h);
}

/* A directory that cannot be created: reported once, counted, and the program continues. */
static void test_a_disk_that_refuses(void **state)
{
    struct live *l = *state;
    smdbg_counts counts;
    put_file(l->path, "x", 1); /* a file in place of the trial */
    smdbg_hook *h = open_hook(l);
    smdbg_hook_set(h, "save_all", "true");
    smdbg_hook_step(h, SMDBG_TRAIN);
    smdbg_hook_flush(h);
    for (int i = 0; i < 3; i++) {
        smdbg_hook_save(h, "w", SMDBG_FLOAT32, 2, shape, NULL, values);
        smdbg_hook_step(h, SMDBG_TRAIN);
    }
    smdbg_hook_flush(h);
    smdbg_hook_counts(h, &counts);
    assert_true(counts.errors > 0);
    assert_int_equal(counts.steps, 0);
    assert_non_null(strstr(smdbg_hook_error(h), l->path));
    assert_int_equal(smdbg_hook_close(h), -1);
}

static void test_a_full_queue_drops_if_set(void **state)
{
    struct live *l = *state;
    smdbg_counts counts;
    smdbg_hook *h = open_hook(l);
    smdbg_hook_set(h, "save_all", "true");
    smdbg_hook_set(h, "queue_bytes", "30");
    smdbg_hook_set(h, "when_full", "drop");
    smdbg_hook_step(h, SMDBG_TRAIN);
    for (int i = 0; i < 2000; i++)
        put_values(h, "w");
    assert_int_equal(smdbg_hook_flush(h), 0);
    smdbg_hook_step(h, SMDBG_TRAIN);
    smdbg_hook_flush(h);
    smdbg_hook_counts(h, &counts);
    assert_int_equal(counts.tensors + counts.dropped, 2000);
    assert_int_equal(smdbg_hook_close(h), 0);
    /* never dropped */
    assert_int_equal(access(in(l, "collections/000000000/worker_0_collections.json"), F_OK), 0);
}

static void test_a_configuration(void **state)
{
    struct live *l = *state;
    char path[300], json[1000];
    snprintf(path, sizeof path, "%s/config.json", l->dir);
    snprintf(
        json, sizeof json,
        "{\"S3OutputPath\": \"s3://bucket/job\", \"LocalPath\": \"%s\", \"HookParameters\": "
        "{\"train.save_interval\": \"10\", "
        "\"save_shape\": false}, \"CollectionConfigurations\": [{\"CollectionName\": \"weights\"}, "
        "{\"CollectionParameters\": {\"save_steps\": \"1,2\", \"include_regex\": \"relu.*\"}, "
        "\"CollectionName\": \"my_relus\"}, "
        "{\"CollectionName\": \"gradients\", \"CollectionParameters\": {\"save_interval\": 7}}]}",
        l->path);
    put_file(path, json, strlen(json));
    smdbg_hook *h = smdbg_hook_from_config(path);
    for (int i = 0; i < 12; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        put_values(h, "conv0_weight");
        put_values(h, "relu0_output_0");
        put_values(h, "gradient/conv0_weight");
    }
    close_and_open_trial(l, h);
    assert_string_equal(steps_text(l), "0 1 2 7 10");
    assert_int_equal(tensor(l, "relu0_output_0")->n_entries, 4);
    assert_int_equal(tensor(l, "gradient/conv0_weight")->n_entries, 2);
}

static void test_a_configuration_of_tensorboard(void **state)
{
    struct live *l = *state;
    char path[300], board[300], json[400];
    snprintf(path, sizeof path, "%s/config.json", l->dir);
    snprintf(board, sizeof board, "%s/board.json", l->dir);
    snprintf(json, sizeof json,
             "{\"LocalPath\": \"%s\", \"CollectionConfigurations\": [{\"CollectionName\": "
             "\"weights\"}]}",
             l->path);
    put_file(path, json, strlen(json));
    snprintf(json, sizeof json, "{\"LocalPath\": \"%s/deep/board\"}", l->dir);
    put_file(board, json, strlen(json));
    assert_int_equal(setenv("TENSORBOARD_CONFIG_FILE_PATH", board, 1), 0);
    smdbg_hook *h = smdbg_hook_from_config(path);
    unsetenv("TENSORBOARD_CONFIG_FILE_PATH");
    smdbg_hook_step(h, SMDBG_PREDICT);
    put_values(h, "conv0_weight");
    close_and_open_trial(l, h);
    assert_int_equal(access(in(l, "../deep/board/worker_0/PREDICT"), F_OK), 0);
    assert_int_equal(access(in(l, "tensorboard"), F_OK), -1);
}

static void test_a_configuration_that_is_none(void **state)
{
    struct live *l = *state;
    char path[300];
    snprintf(path, sizeof path, "%s/config.json", l->dir);
    smdbg_hook *h = smdbg_hook_from_config(path);
    assert_non_null(strstr(smdbg_hook_error(h), "config.json"));
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_wants(h, "CrossEntropyLoss_output_0"), 0);
    assert_int_equal(smdbg_hook_close(h), -1);
    put_file(path, "{\"HookParameters\": {", 20);
    h = smdbg_hook_from_config(path);
    assert_non_null(strstr(smdbg_hook_error(h), "config.json"));
    smdbg_hook_close(h);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_intervals_and_modes),
        T(test_values_come_back),
        T(test_every_type),
        T(test_reductions_and_shapes),
        T(test_every_scalar_is_written_at_its_step),
        T(test_scalars_without_a_step),
        T(test_many_scalars),
        T(test_numbers_are_read_while_they_come),
        T(test_wants),
        T(test_a_tensor_of_no_collection),
        T(test_what_was_never_saved_is_told),
        T(test_a_save_before_the_first_step),
        T(test_no_gradients_in_evaluation),
        T(test_no_hook_saves_nothing),
        T(test_reductions_in_the_collections_file),
        T(test_the_cost_of_what_is_queued),
        T(test_median),
        T(test_only_the_first_worker_writes),
        T(test_all_workers_write),
        T(test_bad_settings_are_reported),
        T(test_a_disk_that_refuses),
        T(test_a_full_queue_drops_if_set),
        T(test_a_configuration),
        T(test_a_configuration_of_tensorboard),
        T(test_a_configuration_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
