/* SPDX-License-Identifier: Apache-2.0 */
/* The hook writes the same bytes as smdebug for the same values: events, index and collections,
 * except the time of day. */
#include "tests/reader/live.h"

#include "reader/format/index_json.h"
#include "reader/format/location.h"
#include "reader/format/tfrecord.h"
#include "reader/hook/smdbg_hook.h"

#include <glob.h>
#include <math.h>

enum { TIME_AT = SM_FRAME_HEADER + 1, TIME_BYTES = 8 }; /* within a record */

/* One step of smdebug's trial, in memory. */
struct original {
    struct sm_arena arena;
    struct sm_index index;
    int64_t step;
    uint8_t *events;
    size_t n_events, n_json;
    char *json;
};

static void read_original(struct original *o, const char *folder, const char *path)
{
    struct sm_err err;
    struct sm_str worker = {0};
    char file[512];
    *o = (struct original){0};
    o->json = get_file(path, &o->n_json);
    assert_true(sm_location_parse(strrchr(path, '/') + 1, ".json", &o->step, &worker));
    assert_true(sm_index_parse(o->json, o->n_json, &o->index, &err));
    if (o->index.event_file.n) {
        snprintf(file, sizeof file, "%s/%.*s", folder, (int)o->index.event_file.n,
                 o->index.event_file.p);
        o->events = get_file(file, &o->n_events);
    }
    sm_str_clear(&worker);
}

static void clear_original(struct original *o)
{
    sm_arena_clear(&o->arena);
    sm_index_clear(&o->index);
    free(o->events);
    free(o->json);
}

/* ---- saving again ---- */

static void save_strings(smdbg_hook *h, const char *name, const struct sm_event_value *v)
{
    char **strings = calloc(v->n_elements, sizeof *strings);
    for (uint64_t i = 0; i < v->n_elements; i++)
        strings[i] = v->strings[i].n ? strndup(v->strings[i].p, v->strings[i].n) : calloc(1, 1);
    assert_int_equal(smdbg_hook_save_strings(h, name, v->n_elements, (const char *const *)strings),
                     0);
    for (uint64_t i = 0; i < v->n_elements; i++)
        free(strings[i]);
    free(strings);
}

static void save_payload(smdbg_hook *h, struct original *o, size_t i)
{
    const struct sm_index_payload *p = &o->index.payloads[i];
    struct sm_bytes payload;
    struct sm_event e;
    struct sm_err err;
    enum sm_crc crc;
    assert_true(sm_frame_parse((struct sm_bytes){o->events + p->offset, p->length}, true, &payload,
                               &crc, &err));
    assert_true(sm_event_parse(payload, &o->arena, &e, &err));
    const struct sm_event_value *v = &e.values[0];
    char *name = sm_arena_strndup(&o->arena, p->name.p, p->name.n);
    int64_t shape[SM_DIMS_MAX];
    for (unsigned d = 0; d < v->n_dims; d++)
        shape[d] = (int64_t)v->dims[d];
    if (v->dtype == SM_DTYPE_STRING)
        save_strings(h, name, v);
    else
        assert_int_equal(
            smdbg_hook_save(h, name, (smdbg_dtype)v->dtype, v->n_dims, shape, NULL, v->content.p),
            0);
}

static void save_shape(smdbg_hook *h, struct original *o, size_t i)
{
    static const float zeros[1 << 16];
    const struct sm_index_shape *s = &o->index.shapes[i];
    int64_t shape[SM_DIMS_MAX], n = 1;
    for (unsigned d = 0; d < s->n_dims; d++)
        n *= shape[d] = (int64_t)s->dims[d];
    assert_true(n <= (int64_t)(sizeof zeros / sizeof *zeros));
    assert_int_equal(smdbg_hook_save(h, sm_arena_strndup(&o->arena, s->name.p, s->name.n),
                                     SMDBG_FLOAT32, s->n_dims, shape, NULL, zeros),
                     0);
}

static bool same_text(struct sm_text a, struct sm_text b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* In the order in which smdebug met the tensors: one with value and shape is in both lists. */
static void save_step(smdbg_hook *h, struct original *o)
{
    size_t done = 0;
    smdbg_hook_step_at(h, (smdbg_mode)o->index.mode, o->step, o->index.mode_step);
    for (size_t i = 0; i < o->index.n_shapes; i++) {
        size_t k = done;
        while (k < o->index.n_payloads &&
               !same_text(o->index.payloads[k].name, o->index.shapes[i].name))
            k++;
        if (k == o->index.n_payloads)
            save_shape(h, o, i);
        else
            while (done <= k)
                save_payload(h, o, done++);
    }
    while (done < o->index.n_payloads)
        save_payload(h, o, done++);
}

/* ---- comparing ---- */

static void assert_same_step(struct live *l, struct original *o)
{
    struct sm_str path = {0};
    size_t n;
    sm_location_index(&path, o->step, "worker_0");
    char *json = get_file(in(l, "%s", sm_str_text(&path)), &n);
    assert_string_equal(json, o->json);
    free(json);
    sm_str_clear(&path);
    if (!o->events)
        return;
    uint8_t *events =
        get_file(in(l, "%.*s", (int)o->index.event_file.n, o->index.event_file.p), &n);
    assert_int_equal(n, o->n_events);
    for (size_t i = 0; i < o->index.n_payloads; i++)
        memcpy(events + o->index.payloads[i].offset + TIME_AT,
               o->events + o->index.payloads[i].offset + TIME_AT, TIME_BYTES);
    assert_memory_equal(events, o->events, n);
    free(events);
}

/* The tensors of a step of the first kind are saved as value, as shape, or as both. */
static void add_collections(smdbg_hook *h, struct original *o)
{
    for (size_t i = 0; i < o->index.n_payloads; i++)
        smdbg_collection_add(
            h, "values",
            sm_arena_strndup(&o->arena, o->index.payloads[i].name.p, o->index.payloads[i].name.n));
    for (size_t i = 0; i < o->index.n_shapes; i++)
        smdbg_collection_add(
            h, "shapes",
            sm_arena_strndup(&o->arena, o->index.shapes[i].name.p, o->index.shapes[i].name.n));
    if (o->index.n_shapes)
        assert_int_equal(smdbg_collection_set(h, "shapes", "save_shape", "true"), 0);
}

/* Saves every step of a shipped trial again through a hook. */
static void check_trial(struct live *l, const char *trial, size_t at_least)
{
    char folder[64], pattern[256];
    glob_t found;
    snprintf(folder, sizeof folder, "tests/trials/%s", trial);
    snprintf(pattern, sizeof pattern, "%s/index/*/*_worker_0.json", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= at_least);
    struct original *steps = calloc(found.gl_pathc, sizeof *steps);
    smdbg_hook *h = smdbg_hook_new(l->path);
    smdbg_hook_set(h, "save_interval", "1");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        read_original(&steps[i], folder, found.gl_pathv[i]);
        add_collections(h, &steps[i]);
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        save_step(h, &steps[i]);
    assert_string_equal(smdbg_hook_error(h), "");
    assert_int_equal(smdbg_hook_close(h), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        assert_same_step(l, &steps[i]);
        clear_original(&steps[i]);
    }
    free(steps);
    globfree(&found);
}

static void test_every_type_and_name(void **state)
{
    check_trial(*state, "dtypes", 1);
}

static void test_convolutions_in_three_modes(void **state)
{
    check_trial(*state, "cnn_class_imbalance", 16);
}

static void test_many_steps(void **state)
{
    check_trial(*state, "many_steps", 240);
}

static void test_reductions(void **state)
{
    check_trial(*state, "cnn_reductions", 4);
}

static void test_shapes(void **state)
{
    check_trial(*state, "shapes_only", 4);
}

static void test_shapes_with_values(void **state)
{
    check_trial(*state, "shapes_with_values", 4);
}

static void test_strings_of_xgboost(void **state)
{
    check_trial(*state, "xgb_classifier", 5);
}

/* ---- a job of SageMaker ---- */

static void replace_text(struct sm_str *out, const char *text, const char *what, const char *with)
{
    const char *at = strstr(text, what);
    assert_non_null(at);
    sm_str_addn(out, text, (size_t)(at - text));
    sm_str_add(out, with);
    sm_str_add(out, at + strlen(what));
}

static void save_names(smdbg_hook *h, const struct sm_collections_def *all)
{
    static const float one = 1;
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < all->items[i].n_names; k++)
            if (smdbg_hook_selects(h, all->items[i].names[k]))
                smdbg_hook_save(h, all->items[i].names[k], SMDBG_FLOAT32, 0, NULL, NULL, &one);
}

/* The same configuration and the same tensors make the same collections file. */
static void test_collections_of_a_configuration(void **state)
{
    struct live *l = *state;
    struct sm_collections_def all;
    struct sm_arena arena = {0};
    struct sm_str config = {0};
    struct sm_err err;
    size_t n;
    char *expected = get_file("tests/reader/sagemaker/collections.json", &n), path[300];
    assert_true(sm_collections_parse(expected, n, &arena, &all, &err));
    char *given = get_file("tests/reader/sagemaker/config.json", &n);
    replace_text(&config, given, "/opt/ml/output/tensors", l->path);
    snprintf(path, sizeof path, "%s/config.json", l->dir);
    put_file(path, sm_str_text(&config), config.len);
    smdbg_hook *h = smdbg_hook_from_config(path);
    assert_string_equal(smdbg_hook_error(h), "");
    smdbg_hook_step(h, SMDBG_TRAIN);
    save_names(h, &all);
    assert_int_equal(smdbg_hook_close(h), 0);
    char *written = get_file(in(l, "collections/000000000/worker_0_collections.json"), &n);
    assert_string_equal(written, expected);
    sm_arena_clear(&arena);
    sm_str_clear(&config);
    free(given);
    free(written);
    free(expected);
}

/* ---- TensorBoard ---- */

static struct sm_bytes next_payload(const uint8_t *p, size_t n, size_t *at)
{
    struct sm_bytes payload;
    struct sm_err err;
    enum sm_crc crc;
    assert_true(sm_frame_parse((struct sm_bytes){p + *at, n - *at}, true, &payload, &crc, &err));
    assert_int_equal(crc, SM_CRC_OK);
    *at += payload.n + SM_FRAME_OVERHEAD;
    return payload;
}

/* The one file of a mode; its name contains the program and the machine. */
static char *board_file(struct live *l, const char *name)
{
    glob_t found;
    assert_int_equal(glob(in(l, "tensorboard/%s", name), 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    char *path = strdup(found.gl_pathv[0]);
    globfree(&found);
    return path;
}

/* Histograms of four biases and the loss, in smdebug's order and form; only the time differs. */
static void test_tensorboard(void **state)
{
    static const char *const folder = "tests/reader/sagemaker";
    struct live *l = *state;
    struct original o;
    size_t n, m, at = 0, their_at = 0;
    smdbg_hook *h = smdbg_hook_new(l->path);
    read_original(&o, folder, "tests/reader/sagemaker/index/000000000/000000000002_worker_0.json");
    smdbg_hook_set(h, "export_tensorboard", "true");
    smdbg_hook_set(h, "save_interval", "1");
    smdbg_collection_save(h, "biases");
    save_step(h, &o);
    assert_int_equal(smdbg_hook_close(h), 0);
    char *path = board_file(l, "worker_0/events.out.tfevents.*");
    uint8_t *ours = get_file(path, &n),
            *theirs = get_file("tests/reader/sagemaker/000000000002_9530_vm.tfevents", &m);
    next_payload(ours, n, &at); /* the version, which smdebug does not write */
    assert_int_equal(n - at, m);
    while (at < n) {
        struct sm_bytes a = next_payload(ours, n, &at), b = next_payload(theirs, m, &their_at);
        assert_int_equal(a.n, b.n);
        assert_memory_equal(a.p + 1 + TIME_BYTES, b.p + 1 + TIME_BYTES, a.n - 1 - TIME_BYTES);
    }
    clear_original(&o);
    free(path);
    free(ours);
    free(theirs);
}

/* A histogram of values outside all buckets, none for non-numeric tensors, and names changed as
 * TensorBoard requires. */
static void test_tensorboard_of_odd_values(void **state)
{
    static const float odd[] = {(float)NAN, 1, -1, (float)INFINITY, 1, 0}, none[] = {(float)NAN};
    static const uint8_t flags[] = {1, 0};
    struct live *l = *state;
    struct sm_arena arena = {0};
    struct sm_event e;
    struct sm_err err;
    size_t n, at = 0;
    smdbg_hook *h = smdbg_hook_new(l->path);
    smdbg_hook_set(h, "export_tensorboard", "true");
    smdbg_hook_set(h, "save_all", "true");
    smdbg_hook_set(h, "reductions", "mean"); /* the values are only in the histogram */
    smdbg_hook_step(h, SMDBG_EVAL);
    smdbg_hook_save(h, "/odd: name", SMDBG_FLOAT32, 1, (const int64_t[]){6}, NULL, odd);
    smdbg_hook_save(h, "none", SMDBG_FLOAT32, 1, (const int64_t[]){1}, NULL, none);
    smdbg_hook_save(h, "flags", SMDBG_BOOL, 1, (const int64_t[]){2}, NULL, flags);
    smdbg_hook_scalar(h, "rate", 0);
    assert_int_equal(smdbg_hook_close(h), 0);
    char *path = board_file(l, "worker_0/EVAL/events.out.tfevents.*");
    uint8_t *bytes = get_file(path, &n);
    assert_true(sm_event_parse(next_payload(bytes, n, &at), &arena, &e, &err));
    assert_true(sm_text_is(e.file_version, "brain.Event:2"));
    assert_true(sm_event_parse(next_payload(bytes, n, &at), &arena, &e, &err));
    const struct sm_event_value *v = e.values;
    double total = 0;
    for (size_t i = 0; i < v->histo.n; i++)
        total += v->histo.counts[i];
    assert_int_equal(v->tag.n, strlen("all//odd__name"));
    assert_memory_equal(v->tag.p, "all//odd__name", v->tag.n);
    assert_int_equal(v->kind, SM_VALUE_HISTOGRAM);
    assert_float_equal(v->histo.num, 6, 0);
    assert_float_equal(total, 4, 0);
    assert_true(isnan(v->histo.min) && isnan(v->histo.sum) && isnan(v->histo.sum_squares));
    assert_true(sm_event_parse(next_payload(bytes, n, &at), &arena, &e, &err));
    assert_int_equal(e.values->kind, SM_VALUE_SCALAR);
    assert_memory_equal(e.values->tag.p, "scalar/rate", e.values->tag.n);
    assert_int_equal(at, n);
    sm_arena_clear(&arena);
    free(path);
    free(bytes);
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_false(tensor(l, "none")->has_value);
}

/* One file grows, however many steps there are; it is whole after each of them. */
static void test_tensorboard_of_many_steps(void **state)
{
    struct live *l = *state;
    size_t n, at = 0;
    float v = 1;
    smdbg_hook *h = smdbg_hook_new(l->path);
    smdbg_hook_set(h, "export_tensorboard", "true");
    smdbg_hook_set(h, "save_interval", "10");
    smdbg_hook_set(h, "rank", "0");
    smdbg_hook_set(h, "worker", "first");
    for (int i = 0; i < 50; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        smdbg_hook_scalar(h, "rate", i);
        smdbg_hook_save(h, "Loss_output_0", SMDBG_FLOAT32, 0, NULL, NULL, &v);
        if (i == 30) { /* those before are there */
            char *path = board_file(l, "first/events.out.tfevents.*");
            uint8_t *bytes = get_file(path, &n);
            int records = 0;
            for (; at < n; records++)
                next_payload(bytes, n, &at);
            assert_int_equal(records, 1 + 30 + 3);
            free(bytes);
            free(path);
        }
    }
    assert_int_equal(smdbg_hook_close(h), 0);
    free(board_file(l, "first/*")); /* one */
    h = smdbg_hook_new(l->path);
    smdbg_hook_set(h, "if_exists", "overwrite");
    assert_int_equal(smdbg_hook_open(h), 0);
    assert_int_equal(access(in(l, "tensorboard"), F_OK), -1);
    smdbg_hook_close(h);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_every_type_and_name),
        T(test_convolutions_in_three_modes),
        T(test_many_steps),
        T(test_reductions),
        T(test_shapes),
        T(test_shapes_with_values),
        T(test_strings_of_xgboost),
        T(test_collections_of_a_configuration),
        T(test_tensorboard),
        T(test_tensorboard_of_odd_values),
        T(test_tensorboard_of_many_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
