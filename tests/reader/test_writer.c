/* SPDX-License-Identifier: Apache-2.0 */
/* The writer: files under temporary names, and the same bytes as smdebug. */
#include "reader/format/index_json.h"
#include "reader/format/location.h"
#include "reader/format/tfrecord.h"
#include "tests/reader/live.h"

#include <dirent.h>

/* ---- a trial copied through it equals the original ---- */

struct copier {
    struct live *l;
    const char *from;
    bool encode; /* through values instead of framed records */
    size_t records;
};

static void copy_record(struct copier *c, struct sm_writer *w, const struct sm_index_payload *p,
                        const uint8_t *record)
{
    struct sm_err err;
    struct sm_bytes bytes = {record, (size_t)p->length}, payload;
    struct sm_arena arena = {0};
    struct sm_event e;
    enum sm_crc crc;
    c->records++;
    if (!c->encode) {
        assert_true(sm_writer_record(w, p->name, bytes, &err));
        return;
    }
    assert_true(sm_frame_parse(bytes, true, &payload, &crc, &err));
    assert_true(sm_event_parse(payload, &arena, &e, &err));
    assert_int_equal(e.n_values, 1);
    if (!sm_writer_tensor(w, &e.values[0], e.wall_time, &err))
        fail_msg("%s", err.msg);
    sm_arena_clear(&arena);
}

static void copy_part(struct copier *c, const struct sm_part *part)
{
    struct live *l = c->l;
    struct sm_index x = {0};
    struct sm_err err;
    struct sm_str path = {0};
    char full[512];
    size_t n, n_events = 0;
    const char *worker = sm_trial_worker(l->trial, part->worker);
    sm_location_index(&path, part->step.n, worker);
    snprintf(full, sizeof full, "%s/%s", c->from, path.data);
    char *json = get_file(full, &n);
    assert_true(sm_index_parse(json, n, &x, &err));
    snprintf(full, sizeof full, "%s/%s", c->from, x.event_file.n ? x.event_file.p : path.data);
    uint8_t *events = get_file(full, &n_events);
    struct sm_writer *w = writer(l, worker);
    assert_true(sm_writer_begin_step(w, part->step.n, x.mode, x.mode_step, &err));
    for (size_t i = 0; i < x.n_payloads; i++)
        copy_record(c, w, &x.payloads[i], events + x.payloads[i].offset);
    for (size_t i = 0; i < x.n_shapes; i++)
        assert_true(sm_writer_shape(w, x.shapes[i].name, x.shapes[i].original, x.shapes[i].dims,
                                    x.shapes[i].n_dims, &err));
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    sm_index_clear(&x);
    sm_str_clear(&path);
    free(json);
    free(events);
}

static void copy_collections(struct copier *c, const char *worker)
{
    struct sm_str path = {0};
    struct sm_arena arena = {0};
    struct sm_collections_def def;
    struct sm_err err;
    char full[512];
    size_t n;
    sm_location_collections(&path, worker);
    snprintf(full, sizeof full, "%s/%s", c->from, path.data);
    char *json = get_file(full, &n);
    assert_true(sm_collections_parse(json, n, &arena, &def, &err));
    struct sm_writer *w = writer(c->l, worker);
    assert_true(sm_writer_collections(w, &def, &err));
    sm_writer_close(w);
    sm_arena_clear(&arena);
    sm_str_clear(&path);
    free(json);
}

/* Checks that every file of `from` is in `to` with the same bytes; returns how many. Temporary
 * files are ignored. */
static size_t expect_same_files(const char *from, const char *to)
{
    DIR *d = opendir(from);
    const struct dirent *e;
    char a[512], b[512];
    size_t count = 0, n_a, n_b;
    while (d && (e = readdir(d))) {
        size_t n = strlen(e->d_name);
        if (e->d_name[0] == '.' || (n > 4 && strcmp(e->d_name + n - 4, ".tmp") == 0))
            continue;
        snprintf(a, sizeof a, "%s/%s", from, e->d_name);
        snprintf(b, sizeof b, "%s/%s", to, e->d_name);
        if (e->d_type == DT_DIR) {
            count += expect_same_files(a, b);
            continue;
        }
        char *x = get_file(a, &n_a), *y = get_file(b, &n_b);
        if (n_a != n_b || memcmp(x, y, n_a) != 0)
            fail_msg("%s differs from %s", b, a);
        free(x);
        free(y);
        count++;
    }
    if (d)
        closedir(d);
    return count;
}

static void copy_and_compare(struct live *l, const char *name, bool encode)
{
    char from[256], a[300];
    snprintf(from, sizeof from, "tests/trials/%s", name);
    struct copier c = {.l = l, .from = from, .encode = encode};
    open_shipped(l, name);
    for (size_t i = 0; i < sm_trial_step_count(l->trial); i++)
        for (size_t k = 0; sm_trial_step_part(l->trial, i, k); k++)
            copy_part(&c, sm_trial_step_part(l->trial, i, k));
    uint16_t workers = (uint16_t)sm_trial_worker_count(l->trial);
    for (uint16_t w = 0; w < workers; w++)
        copy_collections(&c, sm_trial_worker(l->trial, w));
    static const char *const folders[] = {"events", "index", "collections"};
    size_t files = 0;
    for (int i = 0; i < 3; i++) {
        snprintf(a, sizeof a, "%s/%s", from, folders[i]);
        files += expect_same_files(a, in(l, "%s", folders[i]));
    }
    assert_true(files >= 2 * sm_trial_step_count(l->trial) + 1);
    assert_true(c.records > 0);
    live_close(l);
    remove_tree(l->path);
}

static const char *const shipped[] = {
    "cnn_healthy",    "cnn_reductions", "ddp_two_workers",    "ddp_worker_lost",
    "dtypes",         "killed_midrun",  "many_steps",         "mlp_exploding_tensor",
    "mlp_overfit",    "shapes_only",    "shapes_with_values", "tf_mirrored_names",
    "xgb_classifier",
};

static void test_records_copied_are_the_same_bytes(void **state)
{
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
        copy_and_compare(*state, shipped[i], false);
}

static void test_values_written_are_the_same_bytes(void **state)
{
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
        copy_and_compare(*state, shipped[i], true);
}

/* ---- writing ---- */

static bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_a_step_appears_at_once(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 1234, SM_MODE_EVAL, 7, &err));
    assert_false(file_exists(in(l, "events")));
    put_tensor(w, "x", 1, 1);
    assert_true(file_exists(in(l, "events/000000001234/000000001234_worker_0.tfevents.tmp")));
    assert_false(file_exists(in(l, "events/000000001234/000000001234_worker_0.tfevents")));
    assert_true(sm_writer_end_step(w, &err));
    assert_false(file_exists(in(l, "events/000000001234/000000001234_worker_0.tfevents.tmp")));
    assert_true(file_exists(in(l, "events/000000001234/000000001234_worker_0.tfevents")));
    assert_true(file_exists(in(l, "index/000000001/000000001234_worker_0.json")));
    assert_false(file_exists(in(l, "index/000000001/000000001234_worker_0.json.tmp")));
    sm_writer_close(w);
}

static void test_an_unfinished_step_leaves_nothing(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    put_tensor(w, "x", 1, 1);
    sm_writer_close(w);
    assert_false(file_exists(in(l, "events/000000000000/000000000000_worker_0.tfevents.tmp")));
    assert_false(file_exists(in(l, "index")));
}

static void test_shapes_alone_have_no_event_file(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    unsigned n_dims;
    const uint64_t dims[] = {3, 4};
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    assert_true(sm_writer_shape(w, SM_TEXT("a"), SM_TEXT("a"), dims, 2, &err));
    assert_true(sm_writer_end_step(w, &err));
    assert_false(sm_writer_shape(w, SM_TEXT("a"), SM_TEXT("a"), dims, SM_DIMS_MAX + 1, &err));
    sm_writer_close(w);
    assert_false(file_exists(in(l, "events")));
    live_open(l);
    assert_null(sm_trial_event_path(l->trial, sm_trial_step_part(l->trial, 0, 0)));
    struct sm_entry e = sm_trial_entry(l->trial, tensor(l, "a"), (struct sm_step){0}, SM_WORKER_ANY,
                                       SM_ENTRY_SHAPE, 0);
    assert_int_equal(sm_trial_shape(l->trial, &e, &n_dims)[1], 4);
}

static void test_wrong_use(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    struct sm_writer *w;
    assert_false(sm_writer_open(l->path, "", &w, &err));
    assert_false(sm_writer_open(l->path, "../worker", &w, &err));
    assert_false(sm_writer_open(in(l, "no/such/parent"), "worker_0", &w, &err));
    assert_int_equal(err.code, SM_ERR_IO);
    w = writer(l, "worker_0");
    assert_false(sm_writer_end_step(w, &err));
    assert_int_equal(err.code, SM_ERR_USAGE);
    assert_false(
        sm_writer_record(w, SM_TEXT("x"), (struct sm_bytes){(const uint8_t *)"", 0}, &err));
    assert_false(sm_writer_begin_step(w, -1, SM_MODE_TRAIN, 0, &err));
    assert_true(sm_writer_begin_step(w, 1, SM_MODE_TRAIN, 0, &err));
    assert_false(sm_writer_begin_step(w, 2, SM_MODE_TRAIN, 0, &err));
    sm_writer_close(w);
}

static void test_a_full_disk_leaves_the_step_before(void **state)
{
    struct live *l = *state;
    struct sm_err err;
    write_step(l, "worker_0", 0);
    put_file(in(l, "index/000000001"), "", 0); /* a file in place of a folder */
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 1000, SM_MODE_TRAIN, 0, &err));
    put_tensor(w, "x", 1, 1);
    assert_false(sm_writer_end_step(w, &err));
    assert_int_equal(err.code, SM_ERR_IO);
    assert_true(sm_writer_begin_step(w, 1, SM_MODE_TRAIN, 1, &err)); /* and it continues */
    put_tensor(w, "x", 1, 1);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    live_open(l);
    assert_string_equal(steps_text(l), "0! 1!");
}

static void test_a_device_as_worker(void **state)
{
    struct live *l = *state;
    write_step(l, "/job:a/device:GPU:0", 0);
    assert_true(file_exists(in(l, "index/000000000/000000000000__job-a_device-GPU-0.json")));
    live_open(l);
    assert_string_equal(sm_trial_worker(l->trial, 0), "/job:a/device:GPU:0");
}

/* ---- files made ahead ---- */

static int count_files(const char *dir)
{
    DIR *d = opendir(dir);
    const struct dirent *e;
    int n = 0;
    while (d && (e = readdir(d)))
        n += *e->d_name != '.';
    if (d)
        closedir(d);
    return n;
}

static void put_number_step(struct sm_writer *w, int64_t step)
{
    struct sm_err err;
    double v = (double)step;
    struct sm_event_value x = {.tag = sm_text("loss"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT64,
                               .n_elements = 1,
                               .content = {(const uint8_t *)&v, sizeof v}};
    assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
    assert_true(sm_writer_number(w, &x, 0, &err));
    assert_true(sm_writer_end_step(w, &err));
}

/* Steps are written into them, also where the folder is new or the step is there already. Until
 * then nothing is to be seen of them in the trial, so that a killed process leaves none. */
static void test_files_made_ahead(void **state)
{
    struct live *l = *state;
    struct sm_writer *w = writer(l, "worker_0");
    struct hook_spares *s = hook_spares_new(l->path);
    put_number_step(w, 998);
    put_number_step(w, 1001);
    int before = count_files(l->path), open_before = count_files("/proc/self/fd");
    assert_true(sm_writer_use_spares(w, s));
    while (hook_spares_make(s))
        ;
    assert_false(sm_writer_use_spares(w, s)); /* enough */
    int spare = count_files("/proc/self/fd") - open_before;
    assert_true(spare >= 4);
    assert_int_equal(count_files(l->path), before);
    put_number_step(w, 999);
    put_number_step(w, 2000); /* its folder is not there */
    put_number_step(w, 1001); /* again */
    assert_int_equal(count_files("/proc/self/fd") - open_before, spare - 3);
    assert_int_equal(count_files(in(l, "index/000000000")), 2);
    assert_int_equal(count_files(in(l, "index/000000001")), 1);
    assert_int_equal(count_files(in(l, "index/000000002")), 1);
    hook_spares_end(s);
    assert_int_equal(count_files("/proc/self/fd"), open_before);
    assert_false(hook_spares_make(s));
    put_number_step(w, 1002);
    sm_writer_close(w);
    hook_spares_free(s);
    live_open(l);
    assert_int_equal(tensor(l, "loss")->n_entries, 5);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

/* A file system without files that have no name: all is written as without them. */
static void test_nothing_can_be_made_ahead(void **state)
{
    struct live *l = *state;
    struct sm_writer *w = writer(l, "worker_0");
    struct hook_spares *s = hook_spares_new(in(l, "nowhere"));
    assert_false(hook_spares_make(s));
    assert_false(sm_writer_use_spares(w, s));
    for (int64_t step = 0; step < 3; step++)
        put_number_step(w, step);
    sm_writer_close(w);
    hook_spares_free(s);
    live_open(l);
    assert_int_equal(tensor(l, "loss")->n_entries, 3);
    assert_int_equal(count_files(in(l, "index/000000000")), 3);
}

/* The files that steps of numbers share are taken from them, too. */
static void test_shared_files_made_ahead(void **state)
{
    struct live *l = *state;
    struct sm_writer *w = writer(l, "worker_0");
    struct hook_spares *s = hook_spares_new(l->path);
    int64_t step = 0;
    for (; step < 400; step++) {
        put_number_step(w, step);
        sm_writer_use_spares(w, s);
        while (hook_spares_make(s))
            ;
    }
    int files = count_files(in(l, "events"));
    assert_in_range(files, 2, 20);
    sm_writer_close(w);
    hook_spares_free(s);
    live_open(l);
    assert_int_equal(tensor(l, "loss")->n_entries, step);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_records_copied_are_the_same_bytes),
        T(test_values_written_are_the_same_bytes),
        T(test_a_step_appears_at_once),
        T(test_an_unfinished_step_leaves_nothing),
        T(test_shapes_alone_have_no_event_file),
        T(test_wrong_use),
        T(test_a_full_disk_leaves_the_step_before),
        T(test_a_device_as_worker),
        T(test_files_made_ahead),
        T(test_nothing_can_be_made_ahead),
        T(test_shared_files_made_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
