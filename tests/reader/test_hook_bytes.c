/* What the hook writes is what the original wrote of the same values: every byte of events, index and collections but the
 * time of day. */
#include "tests/reader/live.h"

#include "reader/format/index_json.h"
#include "reader/format/location.h"
#include "reader/format/tfrecord.h"
#include "reader/hook/smdbg_hook.h"

#include <glob.h>

enum { TIME_AT = SM_FRAME_HEADER + 1, TIME_BYTES = 8 };    /* within a record */

/* One step of the original, in memory. */
struct original {
    struct sm_arena arena;
    struct sm_index index;
    int64_t step;
    uint8_t *events;
    size_t n_events, n_json;
    char *json;
};

static void read_original(struct original *o, const char *trial, const char *path)
{
    struct sm_err err;
    struct sm_str worker = {0};
    char file[512];
    *o = (struct original){0};
    o->json = get_file(path, &o->n_json);
    assert_true(sm_location_parse(strrchr(path, '/') + 1, ".json", &o->step, &worker));
    assert_true(sm_index_parse(o->json, o->n_json, &o->index, &err));
    if (o->index.event_file.n) {
        snprintf(file, sizeof file, "tests/trials/%s/%.*s", trial, (int)o->index.event_file.n, o->index.event_file.p);
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
    assert_int_equal(smdbg_hook_save_strings(h, name, v->n_elements, (const char *const *)strings), 0);
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
    assert_true(sm_frame_parse((struct sm_bytes){o->events + p->offset, p->length}, true, &payload, &crc, &err));
    assert_true(sm_event_parse(payload, &o->arena, &e, &err));
    const struct sm_event_value *v = &e.values[0];
    char *name = sm_arena_strndup(&o->arena, p->name.p, p->name.n);
    int64_t shape[SM_DIMS_MAX];
    for (unsigned d = 0; d < v->n_dims; d++)
        shape[d] = (int64_t)v->dims[d];
    if (v->dtype == SM_DTYPE_STRING)
        save_strings(h, name, v);
    else
        assert_int_equal(smdbg_hook_save(h, name, (smdbg_dtype)v->dtype, v->n_dims, shape, NULL, v->content.p), 0);
}

static void save_shape(smdbg_hook *h, struct original *o, size_t i)
{
    static const float zeros[1 << 16];
    const struct sm_index_shape *s = &o->index.shapes[i];
    int64_t shape[SM_DIMS_MAX], n = 1;
    for (unsigned d = 0; d < s->n_dims; d++)
        n *= shape[d] = (int64_t)s->dims[d];
    assert_true(n <= (int64_t)(sizeof zeros / sizeof *zeros));
    assert_int_equal(smdbg_hook_save(h, sm_arena_strndup(&o->arena, s->name.p, s->name.n), SMDBG_FLOAT32, s->n_dims, shape, NULL, zeros), 0);
}

static bool same_text(struct sm_text a, struct sm_text b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* In the order in which the original came upon the tensors: one with value and shape stands in both lists. */
static void save_step(smdbg_hook *h, struct original *o)
{
    size_t done = 0;
    smdbg_hook_step_at(h, (smdbg_mode)o->index.mode, o->step, o->index.mode_step);
    for (size_t i = 0; i < o->index.n_shapes; i++) {
        size_t k = done;
        while (k < o->index.n_payloads && !same_text(o->index.payloads[k].name, o->index.shapes[i].name))
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
    uint8_t *events = get_file(in(l, "%.*s", (int)o->index.event_file.n, o->index.event_file.p), &n);
    assert_int_equal(n, o->n_events);
    for (size_t i = 0; i < o->index.n_payloads; i++)
        memcpy(events + o->index.payloads[i].offset + TIME_AT, o->events + o->index.payloads[i].offset + TIME_AT, TIME_BYTES);
    assert_memory_equal(events, o->events, n);
    free(events);
}

/* What is in a step of the first kind is saved as value, as shape, or as both. */
static void add_collections(smdbg_hook *h, struct original *o)
{
    for (size_t i = 0; i < o->index.n_payloads; i++)
        smdbg_collection_add(h, "values", sm_arena_strndup(&o->arena, o->index.payloads[i].name.p, o->index.payloads[i].name.n));
    for (size_t i = 0; i < o->index.n_shapes; i++)
        smdbg_collection_add(h, "shapes", sm_arena_strndup(&o->arena, o->index.shapes[i].name.p, o->index.shapes[i].name.n));
    if (o->index.n_shapes)
        assert_int_equal(smdbg_collection_set(h, "shapes", "save_shape", "true"), 0);
}

/* Every step of a shipped trial, saved again by a hook. */
static void check_trial(struct live *l, const char *trial, size_t at_least)
{
    char pattern[256];
    glob_t found;
    snprintf(pattern, sizeof pattern, "tests/trials/%s/index/*/*_worker_0.json", trial);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= at_least);
    struct original *steps = calloc(found.gl_pathc, sizeof *steps);
    smdbg_hook *h = smdbg_hook_new(l->path);
    smdbg_hook_set(h, "save_interval", "1");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        read_original(&steps[i], trial, found.gl_pathv[i]);
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

static void replace(struct sm_str *out, const char *text, const char *what, const char *with)
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
    char *expected = get_file("tests/reader/sagemaker_collections.json", &n), path[300];
    assert_true(sm_collections_parse(expected, n, &arena, &all, &err));
    char *given = get_file("tests/reader/sagemaker_config.json", &n);
    replace(&config, given, "/opt/ml/output/tensors", l->path);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
