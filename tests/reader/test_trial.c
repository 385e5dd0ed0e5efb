/* SPDX-License-Identifier: Apache-2.0 */
/* Shipped trials, compared with their *.expected.json. */
#include "tests/reader/live.h"

#include <fcntl.h>

static void expect_tensors(const struct live *l, size_t n, const char *first)
{
    assert_int_equal(sm_trial_tensor_count(l->trial), n);
    assert_string_equal(sm_trial_tensor_name(l->trial, sm_trial_tensor(l->trial, 0)), first);
}

static size_t collection_size(const struct live *l, const char *name)
{
    for (size_t i = 0; i < sm_trial_collection_count(l->trial); i++) {
        size_t n;
        if (strcmp(sm_trial_collection(l->trial, i)->name, name) == 0)
            return sm_trial_collection_tensors(l->trial, i, &n), n;
    }
    fail_msg("no collection %s", name);
    return 0;
}

static void test_a_finished_trial(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_healthy");
    assert_string_equal(steps_text(l), "0 10 20 30 32 34 44 54 64 66 68 78 88 98 100 101");
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_string_equal(sm_trial_state_name(sm_trial_state(l->trial)), "ended");
    assert_string_equal(sm_trial_name(l->trial), "cnn_healthy");
    assert_int_equal(sm_trial_num_workers(l->trial), 1);
    assert_int_equal(sm_trial_worker_count(l->trial), 1);
    assert_int_equal(sm_trial_index_files(l->trial), 16);
    expect_tensors(l, 29, "CNN_conv0.bias");
    assert_int_equal(sm_trial_collection_count(l->trial), 11);
    assert_int_equal(collection_size(l, "weights"), 4);
    assert_int_equal(collection_size(l, "gradients"), 8);
    assert_int_equal(collection_size(l, "conv0_tensors"), 6);
    assert_int_equal(collection_size(l, "all"), 0);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_equal(sm_trial_session_count(l->trial), 1);
}

static void test_modes(void **state)
{
    struct live *l = *state;
    struct sm_step step;
    open_shipped(l, "cnn_healthy");
    const struct sm_trial_step *s =
        sm_trial_step(l->trial, sm_trial_step_at(l->trial, (struct sm_step){32}));
    assert_int_equal(s->mode, SM_MODE_EVAL);
    assert_int_equal(s->mode_step.n, 2);
    assert_true(sm_trial_step_of_mode(l->trial, SM_MODE_TRAIN, (struct sm_mode_step){30}, &step));
    assert_int_equal(step.n, 34);
    assert_false(sm_trial_step_of_mode(l->trial, SM_MODE_EVAL, (struct sm_mode_step){30}, &step));
    assert_int_equal(tensor(l, "gradient/CNN_conv0.weight")->modes, 1 << SM_MODE_TRAIN);
    assert_int_equal(tensor(l, "CNN_conv0.weight")->modes, 1 << SM_MODE_TRAIN | 1 << SM_MODE_EVAL);
    assert_int_equal(tensor(l, "CNN_conv0.weight")->steps, 15);
    assert_int_equal(tensor(l, "CNN_conv0.weight")->last.n, 100);
}

static void test_where_a_value_lies(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_healthy");
    struct sm_entry e = value_at(l, "CrossEntropyLoss_output_0", 20);
    assert_true(sm_entry_exists(&e));
    assert_int_equal(e.offset, 199670);
    assert_int_equal(e.length, 100);
    assert_string_equal(sm_trial_event_path(l->trial, sm_trial_part(l->trial, e.part)),
                        "events/000000000020/000000000020_worker_0.tfevents");
    assert_int_equal(value_at(l, "CrossEntropyLoss_output_0", 101).kind, SM_ENTRY_NONE);
    assert_int_equal(value_at(l, "CrossEntropyLoss_output_0", 21).kind, SM_ENTRY_NONE);
}

static void test_step_at(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_healthy");
    assert_int_equal(sm_trial_step_at(l->trial, (struct sm_step){-5}), 0);
    assert_int_equal(sm_trial_step_at(l->trial, (struct sm_step){0}), 0);
    assert_int_equal(sm_trial_step_at(l->trial, (struct sm_step){31}), 4);
    assert_int_equal(sm_trial_step_at(l->trial, (struct sm_step){101}), 15);
    assert_int_equal(sm_trial_step_at(l->trial, (struct sm_step){102}), 16);
}

static void test_a_lost_worker(void **state)
{
    struct live *l = *state;
    open_shipped(l, "ddp_worker_lost");
    assert_int_equal(sm_trial_num_workers(l->trial), 2);
    assert_int_equal(sm_trial_worker_count(l->trial), 2);
    assert_string_equal(sm_trial_worker(l->trial, 1), "worker_1");
    assert_int_equal(sm_trial_find_worker(l->trial, "worker_1"), 1);
    assert_int_equal(sm_trial_find_worker(l->trial, "worker_2"), SM_WORKER_ANY);
    assert_string_equal(steps_text(l), "0 2 4 6 8 10 12 14 16 18");
    assert_int_equal(sm_trial_step(l->trial, 0)->n_workers, 2);
    assert_int_equal(sm_trial_step(l->trial, 9)->n_workers, 1);
    assert_int_equal(sm_trial_step_part(l->trial, 0, 1)->worker, 1);
    assert_null(sm_trial_step_part(l->trial, 9, 1));
}

static void test_a_killed_job(void **state)
{
    struct live *l = *state;
    open_shipped(l, "killed_midrun");
    assert_string_equal(steps_text(l), "0 3 5 7 10 11 14 17 18");
    assert_true(sm_trial_claimed(l->trial));
    int64_t newest = sm_trial_newest_us(l->trial);
    sm_clock_freeze(0, newest + STALL_US);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
    sm_clock_freeze(0, newest + STALL_US + 1);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_STALLED);
}

static void set_time(const char *file, int64_t us)
{
    const struct timespec t = {us / 1000000, us % 1000000 * 1000};
    assert_int_equal(utimensat(AT_FDCWD, file, (const struct timespec[]){t, t}, 0), 0);
}

static void test_silence_is_judged_by_the_pauses_of_the_run(void **state)
{
    struct live *l = *state;
    enum { STEPS = 40 };
    static const struct {
        int64_t pause_us, stall_us;
        int steps;
    } cases[] = {{10000000, 60000000, STEPS},
                 {3000000, 600000000, 10},
                 {3000000, 60000000, 11},
                 {1000000000, 5000000000, STEPS}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t at = sm_clock_wall_us() / 1000000 * 1000000;
        remove_tree(l->path);
        write_collections(l, "worker_0", 1);
        for (int i = 0; i < cases[k].steps; i++) {
            write_step(l, "worker_0", i);
            set_time(in(l, "index/000000000/%012d_worker_0.json", i),
                     at - cases[k].pause_us * (cases[k].steps - i));
        }
        live_open(l);
        assert_int_equal(sm_trial_stall_us(l->trial), cases[k].stall_us);
        live_close(l);
    }
}

static void test_killed_before_anything_was_complete(void **state)
{
    struct live *l = *state;
    open_shipped(l, "killed_at_start");
    assert_int_equal(sm_trial_step_count(l->trial), 0);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_WAITING);
    assert_int_equal(sm_trial_num_workers(l->trial), -1);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void test_devices_as_workers(void **state)
{
    struct live *l = *state;
    open_shipped(l, "tf_mirrored_names");
    assert_string_equal(sm_trial_worker(l->trial, 0),
                        "/job:localhost/replica:0/task:0/device:GPU:0");
    assert_string_equal(steps_text(l), "0 1 998 999 1000 1001 2500");
    assert_int_equal(collection_size(l, "weights"), 1);
    expect_tensors(l, 5, "biases/dense/bias:0");
}

static void test_names_that_repeat(void **state)
{
    struct live *l = *state;
    size_t from, to;
    open_shipped(l, "mlp_overfit");
    const struct sm_trial_tensor *x = tensor(l, "scalar/accuracy");
    assert_true(sm_trial_entries_at(l->trial, x, (struct sm_step){10}, &from, &to));
    assert_int_equal(to - from, 10);
    struct sm_entry found = sm_trial_entry(l->trial, x, (struct sm_step){10}, SM_WORKER_ANY,
                                           SM_ENTRY_VALUE, 0),
                    last = sm_tensor_entry(l->trial, x, to - 1);
    assert_true(sm_entry_same(&found, &last));
    assert_true(sm_tensor_entry(l->trial, x, from).offset <
                sm_tensor_entry(l->trial, x, to - 1).offset);
    assert_int_equal(x->steps, 60);
}

/* Every possible step of every tensor: compares with a search entry by entry. */
static void expect_places(const struct live *l, const struct sm_trial_tensor *x)
{
    for (int64_t n = x->first.n - 2; n <= x->last.n + 2; n++) {
        size_t from, to, first = 0, end;
        while (first < x->n_entries && sm_tensor_part(l->trial, x, first)->step.n < n)
            first++;
        for (end = first; end < x->n_entries && sm_tensor_part(l->trial, x, end)->step.n == n;)
            end++;
        assert_int_equal(sm_trial_entries_at(l->trial, x, (struct sm_step){n}, &from, &to),
                         end > first);
        assert_int_equal(from, first);
        assert_int_equal(to, end);
    }
}

static void test_entries_of_any_step(void **state)
{
    static const char *const names[] = {"mlp_overfit", "tf_mirrored_names", "killed_midrun",
                                        "ddp_two_workers"};
    struct live *l = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        open_shipped(l, names[i]);
        for (size_t k = 0; k < sm_trial_tensor_count(l->trial); k++)
            expect_places(l, sm_trial_tensor(l->trial, k));
        live_close(l);
    }
}

static void test_shape_and_value(void **state)
{
    struct live *l = *state;
    unsigned n_dims;
    open_shipped(l, "shapes_with_values");
    const struct sm_trial_tensor *x = tensor(l, "MLP_fc0.bias");
    assert_true(x->has_value && x->has_shape);
    struct sm_entry e =
        sm_trial_entry(l->trial, x, (struct sm_step){3}, SM_WORKER_ANY, SM_ENTRY_SHAPE, 0);
    assert_true(sm_entry_exists(&e));
    assert_int_equal(sm_trial_shape(l->trial, &e, &n_dims)[0], 12);
    assert_int_equal(n_dims, 1);
    e = sm_trial_entry(l->trial, x, (struct sm_step){0}, SM_WORKER_ANY, SM_ENTRY_VALUE, 0);
    assert_int_equal(e.length, 149);
    x = tensor(l, "MLP_fc0.weight");
    assert_true(x->has_shape && !x->has_value);
    e = sm_trial_entry(l->trial, x, (struct sm_step){3}, SM_WORKER_ANY, SM_ENTRY_SHAPE, 0);
    const uint64_t *dims = sm_trial_shape(l->trial, &e, &n_dims);
    assert_int_equal(n_dims, 2);
    assert_int_equal(dims[0], 12);
    assert_int_equal(dims[1], 20);
}

static void test_reductions(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_reductions");
    const struct sm_trial_tensor *x = tensor(l, "relu0_output_0");
    assert_true(x->has_value);
    assert_true(x->reductions[0] >> SM_REDUCE_MEAN & 1);
    assert_true(x->reductions[1] >> SM_REDUCE_MEAN & 1);
    assert_false(x->reductions[0] >> SM_REDUCE_PROD & 1);
    struct sm_entry e = sm_trial_entry(l->trial, x, (struct sm_step){0}, SM_WORKER_ANY,
                                       SM_ENTRY_REDUCTION, SM_REDUCE_L2);
    assert_int_equal(e.offset, 14600);
    assert_null(sm_trial_find(l->trial, "smdebug/reductions/l2/relu0_output_0", 36));
    assert_false(tensor(l, "CNN_conv0.weight")->has_value);
    expect_tensors(l, 21, "CNN_conv0.bias");
}

static void test_every_shipped_trial_opens_without_problems(void **state)
{
    static const struct {
        const char *name;
        size_t steps, tensors;
    } all[] = {
        {"ddp_two_workers", 10, 13}, {"many_steps", 240, 60}, {"dtypes", 4, 59},
        {"xgb_classifier", 5, 63},   {"shapes_only", 4, 15},
    };
    struct live *l = *state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        open_shipped(l, all[i].name);
        assert_int_equal(sm_trial_step_count(l->trial), all[i].steps);
        assert_int_equal(sm_trial_tensor_count(l->trial), all[i].tensors);
        assert_int_equal(sm_trial_problems(l->trial)->total, 0);
        live_close(l);
    }
}

/* ---- restrictions at open ---- */

static void open_restricted(struct live *l, const char *name, struct sm_trial_options o)
{
    char path[256];
    snprintf(path, sizeof path, "tests/trials/%s", name);
    live_open_path(l, path, o);
}

static void test_steps_restricted(void **state)
{
    struct live *l = *state;
    open_restricted(l, "many_steps",
                    (struct sm_trial_options){.first = {990}, .last = {1020}, .stride = 10});
    assert_string_equal(steps_text(l), "990 1000 1010 1020");
    assert_int_equal(sm_trial_tensor_count(l->trial), 60);
    live_close(l);
    open_restricted(l, "many_steps",
                    (struct sm_trial_options){.first = {3}, .last = {INT64_MAX}, .stride = 500});
    assert_string_equal(steps_text(l), "");
}

static void test_mode_restricted(void **state)
{
    struct live *l = *state;
    open_restricted(l, "cnn_healthy", (struct sm_trial_options){.mode = SM_MODE_EVAL});
    assert_string_equal(steps_text(l), "30 32 64 66 98 100 101");
    assert_null(sm_trial_find(l->trial, "gradient/CNN_conv0.weight", 25));
}

static void test_worker_restricted(void **state)
{
    struct live *l = *state;
    open_restricted(l, "ddp_two_workers", (struct sm_trial_options){.worker = "worker_1"});
    assert_int_equal(sm_trial_step_count(l->trial), 10);
    for (size_t i = 0; i < 10; i++) {
        assert_string_equal(sm_trial_worker(l->trial, sm_trial_step_part(l->trial, i, 0)->worker),
                            "worker_1");
        assert_true(sm_trial_step(l->trial, i)->complete);
    }
}

/* ---- collections of several workers ---- */

static void write_collection(struct live *l, const char *worker, const char *name,
                             const char *regex, const char *tensor_name, int num_workers)
{
    struct sm_writer *w = writer(l, worker);
    struct sm_err err;
    struct sm_collection_def c = {.name = name,
                                  .regexes = &regex,
                                  .n_regexes = 1,
                                  .names = &tensor_name,
                                  .n_names = 1,
                                  .reductions = ""};
    struct sm_collections_def file = {&c, 1, num_workers};
    assert_true(sm_writer_collections(w, &file, &err));
    sm_writer_close(w);
}

static void test_collections_are_merged(void **state)
{
    struct live *l = *state;
    write_collection(l, "worker_1", "mine", "^nothing", "weight", 7);
    write_collection(l, "worker_0", "mine", "^none", "loss", 2);
    write_step(l, "worker_0", 0);
    live_open(l);
    assert_int_equal(sm_trial_collection_count(l->trial), 1);
    assert_string_equal(sm_trial_collection(l->trial, 0)->regexes[0], "^none");
    assert_int_equal(sm_trial_num_workers(l->trial), 2);
    assert_int_equal(collection_size(l, "mine"), 2);
}

static void test_a_broken_pattern_is_a_problem_of_its_own(void **state)
{
    struct live *l = *state;
    write_collection(l, "worker_0", "mine", "(unclosed", "loss", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    assert_int_equal(collection_size(l, "mine"), 1);
    assert_true(has_problem(l, "collections", "(unclosed"));
}

static void test_look_around(void **state)
{
    struct live *l = *state;
    write_collection(l, "worker_0", "mine", "^(?!lo).*ei", "-", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    assert_int_equal(collection_size(l, "mine"), 1);
    assert_true(sm_trial_in_collection(l->trial, 0, tensor(l, "weight")->name));
    assert_false(sm_trial_in_collection(l->trial, 0, tensor(l, "loss")->name));
}

static void test_order_of_names_and_workers(void **state)
{
    struct live *l = *state;
    struct sm_writer *w = writer(l, "worker_10");
    struct sm_err err;
    sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err);
    put_tensor(w, "layer10", 1, 1);
    put_tensor(w, "layer2", 1, 1);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    write_step(l, "worker_2", 0);
    live_open(l);
    assert_string_equal(sm_trial_worker(l->trial, 0), "worker_2");
    assert_string_equal(sm_trial_worker(l->trial, 1), "worker_10");
    assert_string_equal(sm_trial_worker(l->trial, sm_trial_step_part(l->trial, 0, 0)->worker),
                        "worker_2");
    assert_string_equal(sm_trial_tensor_name(l->trial, sm_trial_tensor(l->trial, 0)), "layer2");
    assert_string_equal(sm_trial_tensor_name(l->trial, sm_trial_tensor(l->trial, 1)), "layer10");
}

static void test_the_name_says_something(void **state)
{
    struct live *l = *state;
    char path[300];
    snprintf(path, sizeof path, "%s/debug-output/", l->path);
    mkdir(l->path, 0777);
    mkdir(path, 0777);
    live_open_path(l, path, (struct sm_trial_options){0});
    assert_string_equal(sm_trial_name(l->trial), "trial");
    assert_string_equal(sm_trial_path(l->trial), path);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_finished_trial),
        T(test_modes),
        T(test_where_a_value_lies),
        T(test_step_at),
        T(test_a_lost_worker),
        T(test_a_killed_job),
        T(test_silence_is_judged_by_the_pauses_of_the_run),
        T(test_killed_before_anything_was_complete),
        T(test_devices_as_workers),
        T(test_names_that_repeat),
        T(test_entries_of_any_step),
        T(test_shape_and_value),
        T(test_reductions),
        T(test_every_shipped_trial_opens_without_problems),
        T(test_steps_restricted),
        T(test_mode_restricted),
        T(test_worker_restricted),
        T(test_collections_are_merged),
        T(test_a_broken_pattern_is_a_problem_of_its_own),
        T(test_look_around),
        T(test_order_of_names_and_workers),
        T(test_the_name_says_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
