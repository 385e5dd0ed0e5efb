/* SPDX-License-Identifier: Apache-2.0 */
/* Each member of an index file and of a collections file with each wrong value, and every place
 * where a file may end: an error that names the offset, and the rest of the trial is read. */
#include "tests/reader/live.h"

#include "reader/format/collections_json.h"
#include "reader/format/index_json.h"

/* A member, as it is written in the file; wrong: values that must be refused. */
struct member {
    const char *text, *value; /* value is the end of text */
    const char *wrong[12];
};

static const char index_file[] =
    "{\"meta\": {\"mode\": \"TRAIN\", \"mode_step\": 3, \"event_file_name\": "
    "\"events/000000000003/000000000003_worker_0.tfevents\"}, \"tensor_payload\": "
    "[{\"tensorname\": \"w\", \"start_idx\": 0, \"length\": 91}], \"shape_payload\": "
    "[{\"tensorname\": \"s\", \"originalname\": \"s\", \"shape\": [2, 5]}]}";

#define NO_OBJECT "null", "true", "7", "\"x\"", "[1]"
#define NO_STRING "null", "false", "7", "[1]", "{\"a\": 1}"
#define NO_NUMBER "null", "true", "\"x\"", "[1]", "{}", "-1", "1.5", "1e400", "99999999999999999999"
static const struct member index_members[] = {
    {index_file, index_file, {NO_OBJECT, "", " ", "{} {}"}},
    {"\"meta\": {\"mode\": \"TRAIN\", \"mode_step\": 3, \"event_file_name\": "
     "\"events/000000000003/000000000003_worker_0.tfevents\"}",
     "{\"mode\"",
     {NO_OBJECT}},
    {"\"mode\": \"TRAIN\"", "\"TRAIN\"", {NO_STRING}},
    {"\"mode_step\": 3", "3", {NO_NUMBER}},
    {"\"event_file_name\": \"events/000000000003/000000000003_worker_0.tfevents\"",
     "\"events/",
     {NO_STRING, "\"\""}},
    {"\"tensor_payload\": [{\"tensorname\": \"w\", \"start_idx\": 0, \"length\": 91}]",
     "[{",
     {"null", "true", "7", "\"x\"", "{}", "[null]", "[7]", "[[]]", "[true]", "[{}]"}},
    {"\"tensorname\": \"w\"", "\"w\"", {NO_STRING, "\"\""}},
    {"\"start_idx\": 0", "0", {NO_NUMBER}},
    {"\"length\": 91", "91", {NO_NUMBER, "0", "281474976710656"}},
    {"\"shape_payload\": [{\"tensorname\": \"s\", \"originalname\": \"s\", \"shape\": [2, 5]}]",
     "[{",
     {"null", "true", "7", "\"x\"", "{}", "[null]", "[7]", "[[]]", "[{}]"}},
    {"\"originalname\": \"s\"", "\"s\"", {NO_STRING}},
    {"\"shape\": [2, 5]",
     "[2",
     {"null", "true", "7", "\"x\"", "{}", "[null]", "[-1]", "[1.5]", "[\"x\"]", "[[]]"}},
};
/* A tensor without one of these cannot be found. */
static const char *const needed[] = {"\"tensorname\": \"w\", ", "\"start_idx\": 0, ",
                                     ", \"length\": 91"};
/* What may be missing, given twice (the last one counts) or unknown. */
static const char *const harmless[][2] = {
    {"\"mode\": \"TRAIN\", ", ""},
    {"\"mode_step\": 3, ", ""},
    {"\"mode_step\": 3, ", "\"mode_step\": 2, \"mode_step\": 3, "},
    {", \"originalname\": \"s\"", ""},
    {", \"shape\": [2, 5]", ""},
    {"\"meta\"", "\"later\": [{\"a\": null}], \"meta\""},
};

static const char collections_file[] =
    "{\"collections\": {\"losses\": {\"name\": \"losses\", \"include_regex\": [\"loss\"], "
    "\"tensor_names\": [\"l\"], \"reduction_config\": {\"reductions\": \"mean\"}, "
    "\"save_config\": {\"TRAIN\": {\"save_interval\": 10, \"save_steps\": [1], "
    "\"start_step\": 0, \"end_step\": null}}, \"save_histogram\": true}}, \"_meta\": "
    "{\"num_workers\": 1}}";
static const struct member collections_members[] = {
    {collections_file, collections_file, {NO_OBJECT, "", " ", "{}", "{\"_meta\": {}}"}},
    {"\"num_workers\": 1", "1", {NO_NUMBER, "65536", "1000000000000000000"}},
    {"\"name\": \"losses\"", "\"losses\"", {NO_STRING}},
    {"\"include_regex\": [\"loss\"]",
     "[",
     {"true", "7", "\"x\"", "{}", "[7]", "[null]", "[[]]", "[{}]", "[true]"}},
    {"\"tensor_names\": [\"l\"]",
     "[",
     {"true", "7", "\"x\"", "{}", "[7]", "[null]", "[[]]", "[{}]", "[true]"}},
    {"\"reductions\": \"mean\"", "\"mean\"", {"true", "7", "[1]", "{}"}},
    {"\"reduction_config\": {\"reductions\": \"mean\"}", "{", {"true", "7", "\"x\"", "[1]"}},
    {"\"save_interval\": 10",
     "10",
     {"true", "\"x\"", "[1]", "{}", "-1", "1.5", "99999999999999999999"}},
    {"\"start_step\": 0", "0", {"true", "\"x\"", "[1]", "{}", "-1", "1.5"}},
    {"\"end_step\": null", "null", {"true", "\"x\"", "[1]", "{}", "-1", "1.5"}},
    {"\"save_steps\": [1]", "[1]", {"true", "7", "\"x\"", "{}", "[-1]", "[1.5]"}},
};

/* ---- parsing ---- */

typedef bool parse(const char *p, size_t n, struct sm_err *err);

static bool parse_index(const char *p, size_t n, struct sm_err *err)
{
    struct sm_index x = {0};
    bool ok = sm_index_parse(p, n, &x, err);
    sm_index_clear(&x);
    return ok;
}

static bool parse_collections(const char *p, size_t n, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_collections_def def;
    bool ok = sm_collections_parse(p, n, &arena, &def, err);
    sm_arena_clear(&arena);
    return ok;
}

/* The file with `old` replaced. */
static void replace(struct sm_str *out, const char *file, const char *old, const char *value)
{
    const char *at = strstr(file, old);
    assert_non_null(at);
    sm_str_truncate(out, 0);
    sm_str_addn(out, file, (size_t)(at - file));
    sm_str_add(out, value);
    sm_str_add(out, at + strlen(old));
}

static void expect_error(parse *p, const struct sm_str *text)
{
    struct sm_err err = {0};
    if (p(sm_str_text(text), text->len, &err))
        fail_msg("accepted: %s", sm_str_text(text));
    assert_int_equal(err.code, SM_ERR_DATA);
    if (!strstr(err.msg, "offset") && !strstr(err.msg, "no object"))
        fail_msg("no offset in \"%s\" for %s", err.msg, sm_str_text(text));
}

static void try_members(parse *p, const char *file, const struct member *members, size_t n)
{
    struct sm_str text = {0}, member = {0};
    struct sm_err err = {0};
    assert_true(p(file, strlen(file), &err));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 12 && members[i].wrong[k]; k++) {
            const char *value = strstr(members[i].text, members[i].value);
            sm_str_truncate(&member, 0);
            sm_str_addn(&member, members[i].text, (size_t)(value - members[i].text));
            sm_str_add(&member, members[i].wrong[k]);
            replace(&text, file, members[i].text, sm_str_text(&member));
            expect_error(p, &text);
        }
    for (size_t end = 0; end < strlen(file); end++) {
        sm_str_truncate(&text, 0);
        sm_str_addn(&text, file, end);
        expect_error(p, &text);
    }
    sm_str_clear(&text);
    sm_str_clear(&member);
}

static void test_members_of_an_index(void **state)
{
    struct sm_str text = {0};
    struct sm_err err = {0};
    (void)state;
    try_members(parse_index, index_file, index_members,
                sizeof index_members / sizeof *index_members);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        replace(&text, index_file, needed[i], "");
        expect_error(parse_index, &text);
    }
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        replace(&text, index_file, harmless[i][0], harmless[i][1]);
        if (!parse_index(sm_str_text(&text), text.len, &err))
            fail_msg("%s: %s", err.msg, sm_str_text(&text));
    }
    sm_str_clear(&text);
}

static void test_members_of_a_collections_file(void **state)
{
    (void)state;
    try_members(parse_collections, collections_file, collections_members,
                sizeof collections_members / sizeof *collections_members);
}

/* ---- in a trial ---- */

static void test_the_rest_of_the_trial_is_read(void **state)
{
    static const char *const wrong[] = {"[]", "null", "{\"meta\": null}",
                                        "{\"meta\": {\"event_file_name\": \"\"}}"};
    struct live *l = *state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_collections(l, "worker_0", 1);
        for (int step = 0; step < 3; step++)
            write_step(l, "worker_0", step);
        write_end(l);
        put_file(in(l, "index/000000000/000000000001_worker_0.json"), wrong[i], strlen(wrong[i]));
        live_open(l);
        assert_string_equal(steps_text(l), "0 2");
        assert_true(has_problem(l, "index/000000000/000000000001_worker_0.json", ""));
        live_close(l);
        remove_tree(l->path);
    }
}

static void test_a_collections_file_of_another_shape(void **state)
{
    static const char *const wrong[] = {"[]", "{}", "{\"collections\": []}",
                                        "{\"collections\": {\"losses\": 7}}"};
    struct live *l = *state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_collections(l, "worker_0", 1);
        write_step(l, "worker_0", 0);
        write_end(l);
        put_file(in(l, "collections/000000000/worker_0_collections.json"), wrong[i],
                 strlen(wrong[i]));
        live_open(l);
        assert_true(
            has_problem(l, "collections/000000000/worker_0_collections.json", "collections"));
        assert_int_equal(sm_trial_step_count(l->trial), 1);
        live_close(l);
        remove_tree(l->path);
    }
}

/* ---- tensors ---- */

static void check_record(struct live *l, const char *payload, size_t n, const char *words)
{
    struct sm_err err = {0};
    struct sm_arena arena = {0};
    struct sm_event e;
    (void)l;
    assert_false(sm_event_parse((struct sm_bytes){(const uint8_t *)payload, n}, &arena, &e, &err));
    if (!strstr(err.msg, words))
        fail_msg("\"%s\" has no \"%s\"", err.msg, words);
    sm_arena_clear(&arena);
}

static void test_a_tensor_without_shape_or_type(void **state)
{
    /* summary { value { tag "w", tensor { dtype 1, content of 4 bytes } } } */
    static const char no_shape[] = "\x2a\x0f\x0a\x0d\x0a\x01w\x42\x08\x08\x01\x22\x04\0\0\0\0";
    static const char no_type[] = "\x2a\x0f\x0a\x0d\x0a\x01w\x42\x08\x12\x00\x22\x04\0\0\0\0";
    check_record(*state, no_shape, sizeof no_shape - 1, "without a shape");
    check_record(*state, no_type, sizeof no_type - 1, "without a type");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_members_of_an_index),
        T(test_members_of_a_collections_file),
        T(test_the_rest_of_the_trial_is_read),
        T(test_a_collections_file_of_another_shape),
        T(test_a_tensor_without_shape_or_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
