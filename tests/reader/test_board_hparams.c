/* SPDX-License-Identifier: Apache-2.0 */
/* What the plugin "hparams" says of a run, and what is beside its files. */
#include "tests/reader/board.h"

#include "reader/trial_kinds.h"

/* A record of one value without content: `content` is what the plugin says. */
static void add_plugin(struct sm_str *out, const char *tag, const char *plugin, const char *content,
                       size_t n)
{
    struct sm_str data = {0}, meta = {0}, value = {0}, summary = {0}, event = {0};
    sm_str_printf(&data, "\x0a%c%s\x12%c", (int)strlen(plugin), plugin, (int)n);
    sm_str_addn(&data, content, n);
    sm_str_printf(&meta, "\x0a%c", (int)data.len);
    sm_str_addn(&meta, data.data, data.len);
    sm_str_printf(&value, "\x0a%c%s\x4a%c", (int)strlen(tag), tag, (int)meta.len);
    sm_str_addn(&value, meta.data, meta.len);
    sm_str_printf(&summary, "\x0a%c", (int)value.len);
    sm_str_addn(&summary, value.data, value.len);
    sm_str_printf(&event, "\x2a%c", (int)summary.len);
    sm_str_addn(&event, summary.data, summary.len);
    assert_true(event.len < 128);
    sm_frame_write(out, (struct sm_bytes){(const uint8_t *)event.data, event.len}, true);
    struct sm_str *all[] = {&data, &meta, &value, &summary, &event};
    for (int i = 0; i < 5; i++)
        sm_str_clear(all[i]);
}
#define ADD_HPARAMS(out, tag, content) add_plugin(out, tag, "hparams", content, sizeof(content) - 1)

/* session_start_info { hparams { lr: 0.5, name: "a\"b", on: true } } */
static const char start[] = "\x1a\x2d"
                            "\x0a\x0f\x0a\x02lr\x12\x09\x11\0\0\0\0\0\0\xe0\x3f"
                            "\x0a\x0d\x0a\x04name\x12\x05\x1a\x03"
                            "a\"b"
                            "\x0a\x0b\x0a\x02on\x12\x02\x20\x01\x0a\x01x";

static const char *config(struct live *l, const char *key)
{
    return sm_run_fields_get(&sm_trial_info(l->trial)->config, key);
}

static void test_hyperparameters_are_the_configuration(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 1);
    ADD_HPARAMS(&bytes, "_hparams_/session_start_info", start);
    write_run(l, "", &bytes, bytes.len);
    live_open(l);
    assert_string_equal(config(l, "lr"), "0.5");
    assert_string_equal(config(l, "name"), "\"a\\\"b\"");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1); /* it is none */
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    sm_str_clear(&bytes);
}

/* PyTorch writes an end without a time at once: it says nothing. One with a time does. */
static void test_an_end(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 1);
    ADD_HPARAMS(&bytes, "_hparams_/session_end_info", "\x22\x02\x08\x01");
    write_run(l, "", &bytes, bytes.len);
    live_open(l);
    assert_true(sm_trial_end_unsaid(l->trial)); /* the times of its records are of 1970 */
    ADD_HPARAMS(&bytes, "_hparams_/session_end_info", "\x22\x0b\x08\x02\x11\0\0\0\0\0\0\xf0\x41");
    write_run(l, "", &bytes, bytes.len);
    live_beat(l);
    live_beat(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_false(sm_trial_end_unsaid(l->trial));
    assert_int_equal(sm_trial_info(l->trial)->exit_code, 1);
    sm_str_clear(&bytes);
}

static void test_settings_beside_the_files(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 1);
    ADD_HPARAMS(&bytes, "_hparams_/session_start_info", start);
    write_run(l, "", &bytes, bytes.len);
    put_file(in(l, "hparams.yaml"), "width: 4\n", 9);
    live_open(l);
    assert_string_equal(config(l, "width"), "4");
    assert_string_equal(config(l, "lr"), "0.5");
    put_file(in(l, "hparams.yaml"), "width: 64\n", 10); /* what the files said stays */
    live_beat(l);
    assert_string_equal(config(l, "width"), "64");
    assert_string_equal(config(l, "lr"), "0.5");
    sm_str_clear(&bytes);
}

/* Whatever stands in the message, it is no more than no configuration. */
static void test_damaged_messages(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 1);
    for (size_t n = 0; n < sizeof start - 1; n++)
        add_plugin(&bytes, "s", "hparams", start, n);
    for (size_t i = 0; i < sizeof start - 1; i++) {
        char other[sizeof start];
        memcpy(other, start, sizeof other);
        other[i] = (char)(other[i] ^ 0x15);
        add_plugin(&bytes, "s", "hparams", other, sizeof start - 1);
    }
    write_run(l, "", &bytes, bytes.len);
    live_open(l);
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    sm_str_clear(&bytes);
}

static void test_what_is_not_shown_is_named(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    static const uint8_t graph[] = {0x22, 2, 0x0a, 0};
    add_record(&bytes, "loss", 0, 1);
    sm_frame_write(&bytes, (struct sm_bytes){graph, sizeof graph}, true);
    add_plugin(&bytes, "keras", "graph_keras_model", "", 0);
    write_run(l, "", &bytes, bytes.len);
    live_open(l);
    assert_string_equal(sm_trial_info(l->trial)->ignored, "graph, model");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    sm_str_clear(&bytes);
}

static void write_session(struct live *l, const char *folder, const struct sm_str *bytes)
{
    mkdir(in(l, "%s", folder), 0777);
    put_file(in(l, "%s/events.out.tfevents.1.host", folder), bytes->data, bytes->len);
}

/* experiment { metric_infos { name { tag: "accuracy" } } metric_infos { name { tag: "loss" } } } */
static const char experiment[] = "\x12\x18"
                                 "\x2a\x0c\x0a\x0a\x12\x08"
                                 "accuracy"
                                 "\x2a\x08\x0a\x06\x12\x04loss";

/* A session with a metric of its own, and one that the run has, too. */
static void add_session(struct sm_str *out, float accuracy)
{
    ADD_HPARAMS(out, "_hparams_/experiment", experiment);
    ADD_HPARAMS(out, "_hparams_/session_start_info", start);
    add_record(out, "accuracy", 0, accuracy);
    add_record(out, "loss", 0, 7);
}

/* More than the version of a file. */
static void add_events(struct sm_str *out)
{
    add_record(out, "loss", 5, 1);
    add_record(out, "loss", 6, 1);
}

static const struct sm_trial_options as_run = {.follow = true, .kind = &sm_trial_kind_tensorboard};

/* The hyperparameters and metrics are the run's, but for a scalar that it has itself. */
static void test_a_session_below_the_run(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0}, session = {0};
    add_events(&bytes);
    add_session(&session, 0.5f);
    write_run(l, "", &bytes, bytes.len);
    write_session(l, "any name", &session);
    write_session(l, "2024", &bytes); /* no session */
    live_open_path(l, l->path, as_run);
    assert_string_equal(config(l, "lr"), "0.5");
    assert_int_equal(sm_trial_tensor_count(l->trial), 2);
    assert_int_equal(sm_trial_worker_count(l->trial), 1);
    assert_true(scalar_value(l, "accuracy", 0) == 0.5);
    assert_int_equal(tensor(l, "loss")->steps, 2);
    sm_str_clear(&bytes);
    sm_str_clear(&session);
}

/* Also of a run that sleeps. */
static void test_a_session_at_a_glance(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0}, session = {0};
    struct sm_trial_options o = as_run;
    add_events(&bytes);
    add_session(&session, 0.5f);
    write_run(l, "", &bytes, bytes.len);
    write_session(l, "hp", &session);
    o.asleep = true;
    live_open_path(l, l->path, o);
    const struct sm_glance *g = sm_trial_glance(l->trial);
    assert_non_null(g);
    assert_true(sm_glance_find(g, "accuracy")->newest == 0.5);
    assert_int_equal(sm_glance_find(g, "loss")->n, 2);
    assert_int_equal(g->steps, 3); /* that of the session is before the others */
    sm_str_clear(&bytes);
    sm_str_clear(&session);
}

static void pass_a_second(struct live *l)
{
    sm_clock_advance(HEARTBEAT_US);
    live_settle(l);
}

/* It comes when the training ends: first its folder, then its file, then what is in it. */
static void test_a_session_that_comes(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0}, session = {0};
    add_events(&bytes);
    add_session(&session, 0.5f);
    write_run(l, "", &bytes, bytes.len);
    live_open_path(l, l->path, as_run);
    mkdir(in(l, "hp"), 0777);
    pass_a_second(l);
    put_file(in(l, "hp/events.out.tfevents.1.host"), session.data, 100); /* torn */
    pass_a_second(l);
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    put_file(in(l, "hp/events.out.tfevents.1.host"), session.data, session.len);
    pass_a_second(l);
    assert_string_equal(config(l, "lr"), "0.5");
    assert_true(scalar_value(l, "accuracy", 0) == 0.5);
    sm_str_clear(&session);
    add_session(&session, 0.75f); /* again, as after each epoch */
    write_session(l, "hp2", &session);
    pass_a_second(l);
    assert_true(scalar_value(l, "accuracy", 0) == 0.75);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    sm_str_clear(&bytes);
    sm_str_clear(&session);
}

static void test_sessions_that_differ(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0}, session = {0}, other = {0};
    add_events(&bytes);
    add_session(&session, 0.5f);
    ADD_HPARAMS(&other, "_hparams_/experiment", experiment);
    ADD_HPARAMS(&other, "_hparams_/session_start_info", "\x1a\0");
    write_run(l, "", &bytes, bytes.len);
    write_session(l, "a", &session);
    write_session(l, "b", &other);
    live_open_path(l, l->path, as_run);
    assert_null(config(l, "lr"));
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    sm_str_clear(&bytes);
    sm_str_clear(&session);
    sm_str_clear(&other);
}

/* Each is a run of a sweep. */
static void test_a_session_below_a_run_without_events(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0}, session = {0};
    add_session(&session, 0.5f);
    write_run(l, "", &bytes, bytes.len);
    write_session(l, "a", &session);
    live_open_path(l, l->path, as_run);
    assert_int_equal(sm_trial_tensor_count(l->trial), 0);
    sm_str_clear(&session);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_hyperparameters_are_the_configuration),
        T(test_an_end),
        T(test_settings_beside_the_files),
        T(test_damaged_messages),
        T(test_what_is_not_shown_is_named),
        T(test_a_session_below_the_run),
        T(test_a_session_at_a_glance),
        T(test_a_session_that_comes),
        T(test_sessions_that_differ),
        T(test_a_session_below_a_run_without_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
